/* gol.c - the variants of gol: what --memory and --cell choose. */
#include "gol.h"

#include "workloads/automata/family/picture.h"
#include "workloads/automata/family/variants.h"

/* The order of the table below. */
enum { MEMORY, CELL, STEPS, RULE, DENSITY, PARAMETERS };

static const td_parameter parameters[PARAMETERS] = {
    {TD_PARAMETER_MEMORY(TD_USUAL_MEMORY)},
    {TD_PARAMETER_CELL("auto|u8|bit")},
    TD_PARAMETER_STEPS,
    TD_PARAMETER_RULE("4644"),
    TD_PARAMETER_DENSITY,
};

/* Every tile has its own random number: stream 0 for tiles that point up, stream 1 for those that point down. */
static void start_cell(const td_problem *problem, uint32_t row, uint32_t col, uint64_t at,
                       void *elements)
{
    const double density = problem->parameters[DENSITY].real;
    const bool up = td_starts_alive(problem, density, 0, at);
    const bool down = col < row && td_starts_alive(problem, density, 1, at);
    *(uint8_t *)elements = (uint8_t)(up + 2 * down);
}

static void setup_rule(const td_problem *problem, td_data *data)
{
    td_setup_rule((uint32_t)problem->parameters[RULE].count, data);
}

static uint32_t colour(const td_shades *shades, const void *first, const void *now, bool down)
{
    (void)shades;
    (void)first;
    return td_life_colour((*(const uint8_t *)now >> (down ? 1 : 0) & 1) != 0);
}

static const td_family family = {
    .memory = MEMORY,
    .cell = CELL,
    .domain = -1,
    .steps = STEPS,
    .widths = {TD_WIDTH_U8, TD_WIDTH_U8, TD_WIDTH_BIT},
    .usual = TD_CONDITIONAL,
    .no_variant = TD_BITS_IN_STRIPS,
    .planes = 2,
    .setup = setup_rule,
    .start = start_cell,
};

TD_FAMILY_FUNCTIONS(family)
static const td_workload *variant(td_problem *problem, const char **why);

/* Of a row's cells the sums of two and of three, of tiles up and of tiles down: 4. U and D are sums of six of these,
 * from three rows: 10. Two comparisons for each: 4. */
enum { INT_OPS = 18 };

/* clang-format off */
#define AUTOMATON                                                                                                      \
    .name = "gol", .summary = "Game of Life on triangular tiles, 12 neighbours, rule 4644",                            \
    .input = "state (.npy) of N(N+1)/2 bytes, bit 0 the tile that points up, bit 1 the other", .most = 3,              \
    .int_ops = INT_OPS,                                                                                                \
    .cell_shape = TD_CELLS_ARE_TRIANGLES, .colour = colour, TD_FAMILY_MEMBERS

static const td_workload variants[TD_TECHNIQUES][TD_WIDTHS] = {
    [TD_CONDITIONAL] = {[TD_WIDTH_U8] = TD_CONDITIONAL_U8(gol)},
    [TD_HALO] = {[TD_WIDTH_U8] = TD_HALO_U8(gol)},
    [TD_SHARED] = {[TD_WIDTH_U8] = TD_SHARED_OF(gol, u8, TD_U8)},
    [TD_ALIGNED] = {[TD_WIDTH_U8] = TD_ALIGNED_OF(gol, u8, TD_U8)},
    [TD_RECT] = {[TD_WIDTH_U8] = TD_RECT_OF(gol, u8, TD_U8)},
    [TD_TWO_CELL] = {[TD_WIDTH_U8] = TD_TWO_CELL_OF(gol, u8, TD_U8)},
    [TD_TWO_GENERATION] = {[TD_WIDTH_U8] = TD_TWO_GENERATION_OF(gol, u8, TD_U8)},
    [TD_STRIP] = {[TD_WIDTH_U8] = TD_STRIP_U8(gol), [TD_WIDTH_BIT] = TD_STRIP_BIT(gol, 64, 896, 4, 640)},
    [TD_FOUR_GENERATION] = {[TD_WIDTH_U8] = TD_FOUR_GENERATION_U8(gol), [TD_WIDTH_BIT] = TD_FOUR_GENERATION_BIT(gol)},
};
/* clang-format on */

static const td_workload *variant(td_problem *problem, const char **why)
{
    return td_family_variant(&family, variants, problem, why);
}

const td_workload td_gol_workload = TD_CONDITIONAL_U8(gol);
