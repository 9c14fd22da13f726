/* life.c - the variants of life: what --memory and --cell choose. */
#include "life.h"

#include "workloads/automata/family/picture.h"
#include "workloads/automata/family/variants.h"

/* The order of the table below. */
enum { MEMORY, CELL, DOMAIN, STEPS, RULE, DENSITY, PARAMETERS };

static const td_parameter parameters[PARAMETERS] = {
    {TD_PARAMETER_MEMORY(TD_USUAL_MEMORY), .in_every_key = true},
    {TD_PARAMETER_CELL("auto|u32|u8|bit"), .in_every_key = true},
    TD_PARAMETER_DOMAIN,
    TD_PARAMETER_STEPS,
    TD_PARAMETER_RULE("2333"),
    TD_PARAMETER_DENSITY,
};

static void start_cell(const td_problem *problem, uint32_t row, uint32_t col, uint64_t at,
                       void *elements)
{
    (void)row;
    (void)col;
    *(uint8_t *)elements = td_starts_alive(problem, problem->parameters[DENSITY].real, 0, at);
}

static void setup_rule(const td_problem *problem, td_data *data)
{
    td_setup_rule((uint32_t)problem->parameters[RULE].count, data);
}

static uint32_t colour(const td_shades *shades, const void *first, const void *now, bool down)
{
    (void)shades;
    (void)first;
    (void)down;
    return td_life_colour(*(const uint8_t *)now != 0);
}

static const td_family family = {
    .memory = MEMORY,
    .cell = CELL,
    .domain = DOMAIN,
    .steps = STEPS,
    .widths = {TD_WIDTH_U8, TD_WIDTH_U32, TD_WIDTH_U8, TD_WIDTH_BIT},
    .usual = TD_HALO,
    .no_variant = TD_BITS_IN_STRIPS,
    .planes = 1,
    .setup = setup_rule,
    .start = start_cell,
};

TD_FAMILY_FUNCTIONS(family)
static const td_workload *variant(td_problem *problem, const char **why);

/* Sums of three along a row, of three rows, and two comparisons. */
enum { INT_OPS = 6 };

/* clang-format off */
#define AUTOMATON                                                                                                      \
    .name = "life", .summary = "Conway's Game of Life on square cells, rule 2333",                                     \
    .input = "pattern (.rle), or state (.npy) of one byte per cell, 0 or 1", .most = 1, .takes_patterns = true,        \
    .int_ops = INT_OPS, .rule = RULE, .colour = colour, TD_FAMILY_MEMBERS

static const td_workload variants[TD_TECHNIQUES][TD_WIDTHS] = {
    [TD_CONDITIONAL] = {TD_CONDITIONAL_U32(life), TD_CONDITIONAL_U8(life)},
    [TD_HALO] = {TD_HALO_U32(life), TD_HALO_U8(life)},
    [TD_SHARED] = {TD_SHARED_OF(life, u32, TD_U32), TD_SHARED_OF(life, u8, TD_U8)},
    [TD_ALIGNED] = {TD_ALIGNED_OF(life, u32, TD_U32), TD_ALIGNED_OF(life, u8, TD_U8)},
    [TD_RECT] = {TD_RECT_OF(life, u32, TD_U32), TD_RECT_OF(life, u8, TD_U8)},
    [TD_TWO_CELL] = {TD_TWO_CELL_OF(life, u32, TD_U32), TD_TWO_CELL_OF(life, u8, TD_U8)},
    [TD_TWO_GENERATION] = {TD_TWO_GENERATION_OF(life, u32, TD_U32), TD_TWO_GENERATION_OF(life, u8, TD_U8)},
    [TD_STRIP] = {TD_STRIP_U32(life), TD_STRIP_U8(life), TD_STRIP_BIT(life, 128, 768, 3, 768)},
    [TD_FOUR_GENERATION] = {TD_FOUR_GENERATION_U32(life), TD_FOUR_GENERATION_U8(life), TD_FOUR_GENERATION_BIT(life)},
};
/* clang-format on */

static const td_workload *variant(td_problem *problem, const char **why)
{
    return td_family_variant(&family, variants, problem, why);
}

const td_workload td_life_workload = TD_HALO_U8(life);
