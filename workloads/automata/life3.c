/* life3.c - life on a tetrahedron, on the host. */
#include "life3.h"

#include "workloads/automata/family/family.h"

enum { STEPS, RULE, DENSITY, PARAMETERS };

static const td_parameter parameters[PARAMETERS] = {
    TD_PARAMETER_STEPS,
    TD_PARAMETER_RULE("4555"),
    TD_PARAMETER_DENSITY_OF("0.2"),
};

static void start_cell(const td_problem *problem, uint32_t row, uint32_t col, uint64_t at,
                       void *elements)
{
    (void)row;
    (void)col;
    *(uint8_t *)elements = td_starts_alive(problem, problem->parameters[DENSITY].real, 0, at);
}

static void setup(const td_problem *problem, td_data *data)
{
    td_setup_tetrahedron(problem, data);
    td_setup_rule((uint32_t)problem->parameters[RULE].count, data);
}

static uint64_t bytes_of_generations(const td_problem *problem)
{
    return 2 * td_tetrahedron(problem->n) * problem->parameters[STEPS].count;
}

static uint64_t input_bytes(const td_problem *problem)
{
    return td_tetrahedron_elements(problem) + TD_LIFE3_BEHIND;
}

/* What is not in the domain is poison, as in the outputs: nobody reads it. */
static void fill(const td_problem *problem, void *input)
{
    memset(input, TD_POISON, input_bytes(problem));
    td_cube_of_state(problem, problem->state, input);
}

static const td_family family = {
    .domain = -1,
    .steps = STEPS,
    .start = start_cell,
};

static const td_variant variant = {.technique = TD_TECHNIQUE_conditional, .cell = TD_WIDTH_u8};

static const td_automaton automaton = {
    .family = &family,
    .variant = &variant,
    .generations = 1,
    .saved = TD_U8,
    .most = 1,
};

static const td_workload_input input = {.bytes = input_bytes, .fill = fill};

/* Sums of three rows, of three of those, and along them; and two comparisons. */
enum { INT_OPS = 8 };

const td_workload td_life3_workload = {
    .name = "life",
    .summary = "Game of Life on a tetrahedron, 26 neighbours, rule 4555",
    .dimension = 3,
    .parameters = parameters,
    .parameter_count = PARAMETERS,
    .element = TD_U8,
    .has_layouts = true,
    .int_ops = INT_OPS,
    .input = &input,
    .tiles = &td_life3_tiles,
    .automaton = &automaton,
    .setup = setup,
    .bytes = bytes_of_generations,
};
