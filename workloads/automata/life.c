/* life.c - life on the host. */
#include "life.h"

#include "workloads/automata/family/family.h"

/* The order of the table below, after the parameters of all automata. */
enum { DOMAIN = TD_CELL + 1, STEPS, RULE, DENSITY, PARAMETERS };

static const td_parameter parameters[PARAMETERS] = {
    {TD_PARAMETER_MEMORY, .in_every_key = true},
    {TD_PARAMETER_CELL, .choices = "auto|u32|u8|bit", .in_every_key = true},
    TD_PARAMETER_DOMAIN,
    {TD_PARAMETER_STEPS, .preset = "100"},
    {TD_PARAMETER_RULE, .preset = "2333"},
    {TD_PARAMETER_DENSITY, .preset = "0.3"},
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

static const td_family family = {
    .dimension = 2,
    .cells = &td_life_cells,
    .variants = td_life_variants,
    .variant_count = sizeof td_life_variants / sizeof td_life_variants[0],
    .domain = DOMAIN,
    .steps = STEPS,
    .widths = {TD_WIDTH_u8, TD_WIDTH_u32, TD_WIDTH_u8, TD_WIDTH_bit},
    .usual = TD_TECHNIQUE_halo,
    .setup = setup_rule,
    .start = start_cell,
};

/* Sums over three cells of a row and over three rows, two additions each, and two comparisons. */
enum { INT_OPS = 6 };

static const td_workload_input input = {.takes = "state (.npy) of one byte per cell, 0 or 1"};

static const td_automaton automaton = {
    .family = &family,
    .most = 1,
};

const td_workload td_life_workload = {
    .name = "life",
    .summary = "Conway's Game of Life on square cells, rule 2333",
    .dimension = 2,
    .parameters = parameters,
    .parameter_count = PARAMETERS,
    .element = TD_U8,
    .model = {.int_ops = INT_OPS},
    .input = &input,
    .automaton = &automaton,
};
