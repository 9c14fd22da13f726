/* gol.c - gol on the host. */
#include "gol.h"

#include "workloads/automata/family/family.h"

/* The order of the table below, after the parameters of all automata. */
enum { STEPS = TD_CELL + 1, RULE, DENSITY, PARAMETERS };

static const td_parameter parameters[PARAMETERS] = {
    {TD_PARAMETER_MEMORY},
    {TD_PARAMETER_CELL, .choices = "auto|u8|bit"},
    {TD_PARAMETER_STEPS, .preset = "100"},
    {TD_PARAMETER_RULE, .preset = "4644"},
    {TD_PARAMETER_DENSITY, .preset = "0.3"},
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

static const td_family family = {
    .dimension = 2,
    .cells = &td_gol_cells,
    .variants = td_gol_variants,
    .variant_count = sizeof td_gol_variants / sizeof td_gol_variants[0],
    .steps = STEPS,
    .rule = RULE,
    .widths = {TD_WIDTH_u8, TD_WIDTH_u8, TD_WIDTH_bit},
    .usual = TD_TECHNIQUE_conditional,
    .start = start_cell,
};

/* Sums of two and of three cells of a row, for tiles up and for tiles down: 4. U and D each add up six of these sums,
 * from three rows: 10. Two comparisons for each: 4. */
enum { INT_OPS = 18 };

static const td_workload_input input = {
    .takes = "state (.npy) of N(N+1)/2 bytes, bit 0 the tile that points up, bit 1 the other"};

const td_workload td_gol_workload = {
    .name = "gol",
    .summary = "Game of Life on triangular tiles, 12 neighbours, rule 4644",
    .dimension = 2,
    .parameters = parameters,
    .parameter_count = PARAMETERS,
    .element = TD_U8,
    .model = {.int_ops = INT_OPS},
    .input = &input,
    .automaton = &(const td_automaton){.family = &family, .most = 3},
};
