/* life3.c - life on a tetrahedron, on the host. */
#include "life3.h"

#include "workloads/automata/family/family.h"
#include "workloads/automata/family/picture.h"

enum { CELL, STEPS, RULE, DENSITY, PARAMETERS };

static const td_parameter parameters[PARAMETERS] = {
    {TD_PARAMETER_CELL("auto|u8|bit")},
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

/* By the words of --cell. */
static const td_width widths[] = {TD_WIDTH_u8, TD_WIDTH_u8, TD_WIDTH_bit};

static bool is_bits(const td_problem *problem)
{
    return widths[problem->parameters[CELL].count] == TD_WIDTH_bit;
}

static void setup(const td_problem *problem, td_data *data)
{
    td_setup_tetrahedron(problem, data);
    td_setup_rule((uint32_t)problem->parameters[RULE].count, data);
    data->params[3] = is_bits(problem);
}

/* Elements before row (y, z): bytes, or words of bits. */
static uint64_t row_element(const td_problem *problem, uint32_t y, uint32_t z)
{
    td_data data = td_empty_data();
    td_setup_tetrahedron(problem, &data);
    return is_bits(problem) ? td_life3_row_word(y, z) : td_place_3d(&data, 0, y, z);
}

static uint64_t elements(const td_problem *problem)
{
    return is_bits(problem) ? td_life3_row_word(0, problem->n) : td_tetrahedron_elements(problem);
}

static uint64_t bytes_of_generations(const td_problem *problem)
{
    const uint64_t moved = 2 * td_tetrahedron(problem->n);
    return (is_bits(problem) ? (moved + 7) / 8 : moved) * problem->parameters[STEPS].count;
}

static uint64_t input_bytes(const td_problem *problem)
{
    return elements(problem) * (is_bits(problem) ? 4 : 1) + TD_LIFE3_BEHIND;
}

/* What is not in the domain is poison, as in the outputs: nobody reads it. Bits behind a row's cells are dead. */
static void fill(const td_problem *problem, void *input)
{
    const uint8_t *from = problem->state;
    memset(input, is_bits(problem) ? 0 : TD_POISON, input_bytes(problem));
    for (uint32_t z = 0; z < problem->n; z++) {
        for (uint32_t y = 0; y <= z; from += z - y + 1, y++) {
            const uint64_t at = row_element(problem, y, z);
            if (is_bits(problem)) {
                td_put_bits((uint32_t *)input + at, from, z - y + 1, 1);
            } else {
                memcpy((uint8_t *)input + at, from, z - y + 1);
            }
        }
    }
}

static void save(const td_problem *problem, const void *output, void *state)
{
    uint8_t *to = state;
    for (uint32_t z = 0; z < problem->n; z++) {
        for (uint32_t y = 0; y <= z; to += z - y + 1, y++) {
            const uint64_t at = row_element(problem, y, z);
            if (is_bits(problem)) {
                td_get_bits((const uint32_t *)output + at, to, z - y + 1, 1);
            } else {
                memcpy(to, (const uint8_t *)output + at, z - y + 1);
            }
        }
    }
}

static const td_workload *choose(td_problem *problem);

static const td_family family = {
    .domain = -1,
    .steps = STEPS,
    .start = start_cell,
    .solid = {.save = save, .choose = choose},
};

static const td_variant variants[] = {
    {.technique = TD_TECHNIQUE_conditional, .cell = TD_WIDTH_u8},
    {.technique = TD_TECHNIQUE_conditional, .cell = TD_WIDTH_bit},
};

#define AUTOMATON                                                                                  \
    .family = &family, .generations = 1, .saved = TD_U8, .most = 1, .colour = td_life_colour_of
static const td_automaton bytes = {AUTOMATON, .variant = &variants[0]};
static const td_automaton bits = {AUTOMATON, .variant = &variants[1], .dead_halo = true};

static const td_workload_input input = {
    .takes = "state (.npy) of N(N+1)(N+2)/6 bytes, 0 or 1, in packed order",
    .bytes = input_bytes,
    .fill = fill};

/* Sums of three rows, of three of those, and along them; and two comparisons. */
enum { INT_OPS = 8 };

/* clang-format off */
#define WORKLOAD                                                                                   \
    .name = "life",                                                                                \
    .summary = "Game of Life on a tetrahedron, 26 neighbours, rule 4555",                          \
    .dimension = 3,                                                                                \
    .parameters = parameters,                                                                      \
    .parameter_count = PARAMETERS,                                                                 \
    .int_ops = INT_OPS,                                                                            \
    .input = &input,                                                                               \
    .tiles = &td_life3_tiles,                                                                      \
    .output_elements = elements,                                                                   \
    .setup = setup,                                                                                \
    .bytes = bytes_of_generations
/* clang-format on */

const td_workload td_life3_workload = {WORKLOAD, .element = TD_U8, .has_layouts = true,
                                       .automaton = &bytes};
static const td_workload bits_workload = {WORKLOAD, .element = TD_U32, .from_zero = true,
                                          .automaton = &bits};

static const td_workload *choose(td_problem *problem)
{
    td_value *cell = &problem->parameters[CELL];
    cell->count = cell->count == 0 ? 1 : cell->count; /* "auto" */
    return is_bits(problem) ? &bits_workload : &td_life3_workload;
}
