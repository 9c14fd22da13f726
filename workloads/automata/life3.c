/* life3.c - life on a tetrahedron, on the host. */
#include "life3.h"

#include "workloads/automata/family/family.h"

/* The order of the table below, after the parameters of all automata. */
enum { STEPS = TD_CELL + 1, RULE, DENSITY, PARAMETERS };

static const td_parameter parameters[PARAMETERS] = {
    {TD_PARAMETER_MEMORY},     {TD_PARAMETER_CELL("auto|u8|bit")}, TD_PARAMETER_STEPS,
    TD_PARAMETER_RULE("4555"), TD_PARAMETER_DENSITY_OF("0.2"),
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
    return widths[problem->parameters[TD_CELL].count] == TD_WIDTH_bit;
}

static bool has_halo(const td_problem *problem)
{
    return td_techniques[problem->parameters[TD_MEMORY].count].storage == TD_STORED_WITH_HALO;
}

static void lay_cells(const td_problem *problem, td_data *data)
{
    td_setup_tetrahedron(problem, data);
    data->row_scale = data->n; /* of blocked states, too: they have no border */
    if (has_halo(problem)) {
        td_life3_setup_halo(data);
    }
}

static void setup(const td_problem *problem, td_data *data)
{
    lay_cells(problem, data);
    td_setup_rule((uint32_t)problem->parameters[RULE].count, data);
    data->params[3] = is_bits(problem);
}

/* Elements before cell (x, y, z), or of bits before its row: bytes, or words. */
static uint64_t elements_before(const td_problem *problem, uint32_t x, uint32_t y, uint32_t z)
{
    td_data data = td_empty_data();
    lay_cells(problem, &data);
    return is_bits(problem) ? td_life3_row_word(y, z) : td_life3_element(&data, x, y, z);
}

/* The cells of row (y, z) that lie one after the other from x on: up to its end, or that of a tile. */
static uint32_t stretch_at(const td_problem *problem, uint32_t x, uint32_t y, uint32_t z)
{
    const uint32_t cells = z - y + 1 - x;
    return problem->layout == TD_BLOCKED && problem->tile < cells ? problem->tile : cells;
}

static uint64_t elements(const td_problem *problem)
{
    return is_bits(problem)    ? td_life3_row_word(0, problem->n)
           : has_halo(problem) ? td_life3_halo_elements(problem)
                               : td_tetrahedron_elements(problem);
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

/* Bits behind a row's cells are dead, and so is a border. Anything else that is not in the domain is poison, as in the
 * outputs: nobody reads it. */
static void fill(const td_problem *problem, void *input)
{
    const uint8_t *from = problem->state;
    const bool dead = is_bits(problem) || has_halo(problem);
    memset(input, dead ? 0 : TD_POISON, input_bytes(problem));
    for (uint32_t z = 0; z < problem->n; z++) {
        for (uint32_t y = 0; y <= z; y++) {
            for (uint32_t x = 0, cells; x <= z - y; x += cells, from += cells) {
                const uint64_t at = elements_before(problem, x, y, z);
                cells = stretch_at(problem, x, y, z);
                if (is_bits(problem)) {
                    td_put_bits((uint32_t *)input + at, from, cells, 1);
                } else {
                    memcpy((uint8_t *)input + at, from, cells);
                }
            }
        }
    }
}

static void save(const td_problem *problem, const void *output, void *state)
{
    uint8_t *to = state;
    for (uint32_t z = 0; z < problem->n; z++) {
        for (uint32_t y = 0; y <= z; y++) {
            for (uint32_t x = 0, cells; x <= z - y; x += cells, to += cells) {
                const uint64_t at = elements_before(problem, x, y, z);
                cells = stretch_at(problem, x, y, z);
                if (is_bits(problem)) {
                    td_get_bits((const uint32_t *)output + at, to, cells, 1);
                } else {
                    memcpy(to, (const uint8_t *)output + at, cells);
                }
            }
        }
    }
}

static const td_workload *choose(td_problem *problem, const char **why);

static const td_family family = {
    .domain = -1,
    .steps = STEPS,
    .start = start_cell,
    .solid = {.save = save, .choose = choose},
};

#define AUTOMATON(row_)                                                                            \
    .family = &family, .variant = &td_life3_variants[row_], .row = (row_), .generations = 1,       \
    .saved = TD_U8, .most = 1
static const td_automaton bytes = {AUTOMATON(TD_ROW_life3_conditional_u8)};
static const td_automaton bits = {AUTOMATON(TD_ROW_life3_conditional_bit), .dead_halo = true};
static const td_automaton halo = {AUTOMATON(TD_ROW_life3_halo_u8), .dead_halo = true};
static const td_automaton shared = {AUTOMATON(TD_ROW_life3_shared_u8), .dead_halo = true};

static const td_workload_input input = {
    .takes = "state (.npy) of N(N+1)(N+2)/6 bytes, 0 or 1, in packed order",
    .bytes = input_bytes,
    .fill = fill};

/* Threads that slide along z. */
static const td_tiles strips = {
    .multiple = 8,
    .most = 32,
    .side = 16,
    .threads_multiple = 32,
    .threads_most = 256,
    .block = {16, 8, 1},
};

static const td_tiles staged = {
    .only = "--memory shared", .instead = "--memory halo", .multiple = 1, .most = TD_LIFE3_SIDE};

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
    .output_elements = elements,                                                                   \
    .setup = setup,                                                                                \
    .bytes = bytes_of_generations
#define OF_BYTES WORKLOAD, .element = TD_U8, .has_layouts = true
/* clang-format on */

const td_workload td_life3_workload = {OF_BYTES, .has_blocked = true, .tiles = &strips,
                                       .automaton = &bytes};
static const td_workload blocked = {OF_BYTES, .has_blocked = true, .automaton = &bytes};
static const td_workload of_bits = {WORKLOAD, .element = TD_U32, .from_zero = true,
                                    .tiles = &strips, .automaton = &bits};
static const td_workload with_halo = {OF_BYTES, .from_zero = true, .automaton = &halo};
static const td_workload staging = {OF_BYTES, .from_zero = true, .tiles = &staged,
                                    .automaton = &shared};

/* By the rows of the table. */
static const td_workload *const chosen[] = {&td_life3_workload, &of_bits, &with_halo, &staging};

/* Only one cell function finds the tiles of its neighbours. It has no tile kernel: strips read rows. */
static const td_workload *choose_blocked(const td_workload *other, const char **why)
{
    *why = "--layout blocked of life goes with --memory conditional and --cell u8; "
           "for others use --layout packed";
    return other == &td_life3_workload ? &blocked : NULL;
}

static const td_workload *choose(td_problem *problem, const char **why)
{
    td_value *memory = &problem->parameters[TD_MEMORY], *cell = &problem->parameters[TD_CELL];
    memory->count = memory->count == TD_TECHNIQUE_auto ? TD_TECHNIQUE_conditional : memory->count;
    cell->count = cell->count == 0 ? 1 : cell->count; /* "auto" */
    for (size_t row = 0; row < sizeof chosen / sizeof chosen[0]; row++) {
        if (td_life3_variants[row].technique == memory->count &&
            td_life3_variants[row].cell == widths[cell->count]) {
            return problem->layout == TD_BLOCKED ? choose_blocked(chosen[row], why) : chosen[row];
        }
    }
    *why = is_bits(problem) ? "--cell bit of a tetrahedron goes with --memory conditional"
                            : "--memory is conditional, halo or shared on a tetrahedron, "
                              "and --kernel tile has its strips";
    return NULL;
}
