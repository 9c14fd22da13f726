/* life.c - the variants of life: what --memory and --cell choose, and how each stores a state. */
#include "life.h"

/* The order of the table below, and of the words of --memory and --cell. */
enum { MEMORY, CELL, DOMAIN, STEPS, RULE, DENSITY, PARAMETERS };
enum { AUTO, CONDITIONAL, HALO, SHARED, ALIGNED, RECT, TWO_CELL, TWO_GENERATION, STRIP };
enum { U32 = 1, U8, BIT };

static const td_parameter parameters[PARAMETERS] = {
    {.name = "memory",
     .kind = TD_PARAMETER_CHOICE,
     .choices = "auto|conditional|halo|shared|aligned|rect|two-cell|two-generation|strip",
     .preset = "auto",
     .argument = "HOW",
     .help =
         "how life reads its neighbourhood (auto: halo, for bits strip); those after halo need a "
         "strategy that maps blocks and is not a tree",
     .key = "",
     .in_every_key = true},
    {.name = "cell",
     .kind = TD_PARAMETER_CHOICE,
     .choices = "auto|u32|u8|bit",
     .preset = "auto",
     .argument = "WIDTH",
     .help = "width of a cell of life (auto: u8); bit goes with --memory strip",
     .key = "",
     .in_every_key = true},
    {.name = "domain",
     .kind = TD_PARAMETER_CHOICE,
     .choices = "triangle|square",
     .preset = "triangle",
     .argument = "SHAPE",
     .help = "domain of life; the whole square needs a bounding box",
     .lacking = "works on triangles only",
     .key = ""},
    TD_PARAMETER_STEPS,
    TD_PARAMETER_RULE("2333"),
    TD_PARAMETER_DENSITY,
};

static uint64_t value_of(const td_problem *problem, int parameter)
{
    return problem->parameters[parameter].count;
}

static bool is_square(const td_problem *problem)
{
    return value_of(problem, DOMAIN) != 0;
}

static uint32_t steps(const td_problem *problem)
{
    return (uint32_t)value_of(problem, STEPS);
}

/* ---- storage ---- */

static td_life_storage storage_of(const td_problem *problem)
{
    const uint64_t memory = value_of(problem, MEMORY);
    return memory == CONDITIONAL                ? TD_LIFE_PACKED
           : memory == HALO || memory == SHARED ? TD_LIFE_HALO
                                                : TD_LIFE_LINES;
}

/* Bytes of an element; of bits, which are words, too. */
static uint32_t element_bytes(const td_problem *problem)
{
    return value_of(problem, CELL) == U8 ? 1 : 4;
}

static uint32_t line_of(const td_problem *problem)
{
    const uint64_t cell = value_of(problem, CELL);
    return cell == U32 ? TD_LINE_U32 : cell == U8 ? TD_LINE_U8 : TD_LINE_BIT;
}

static uint32_t round_up(uint32_t count, uint32_t multiple)
{
    return (count + multiple - 1) / multiple * multiple;
}

/* Cells from the start of a row of the square to that of the next. */
static uint32_t pitch_of(const td_problem *problem)
{
    const td_life_storage storage = storage_of(problem);
    return storage == TD_LIFE_PACKED ? problem->n
           : storage == TD_LIFE_HALO ? problem->n + 2
                                     : round_up(problem->n + 2, line_of(problem));
}

static void setup(const td_problem *problem, td_data *data)
{
    const td_life_storage storage = storage_of(problem);
    data->n = problem->n;
    data->full = is_square(problem);
    if (data->full != 0) {
        data->row_scale = 0;
        data->row_offset = 4 * pitch_of(problem);
    } else if (storage != TD_LIFE_LINES) {
        data->row_scale = 2; /* with a halo rows -1, 0, 1 ... store 3, 4, 5 ... cells */
        data->row_offset = storage == TD_LIFE_HALO ? 10 : 2;
    }
    td_setup_rule((uint32_t)value_of(problem, RULE), data);
}

static td_data data_of(const td_problem *problem)
{
    td_data data = td_empty_data();
    setup(problem, &data);
    return data;
}

static uint64_t cells_of(const td_problem *problem)
{
    return td_state_row(is_square(problem), problem->n, problem->n);
}

static uint64_t elements(const td_problem *problem)
{
    const td_data data = data_of(problem);
    const td_life_storage storage = storage_of(problem);
    const uint32_t n = problem->n;
    if (value_of(problem, CELL) == BIT) {
        return td_life_bit_row(&data, n) + (n + 3 + 2 * TD_LINE_BIT) / 32;
    }
    const uint32_t line = storage == TD_LIFE_LINES ? 2 * line_of(problem) : 0;
    return storage == TD_LIFE_PACKED
               ? cells_of(problem)
               : td_life_row(&data, n, storage, element_bytes(problem)) + n + 3 + line;
}

static uint64_t input_bytes(const td_problem *problem)
{
    return elements(problem) * element_bytes(problem);
}

/* ---- a state into a buffer and out of it ---- */

static void put_bits(uint32_t *to, const uint8_t *from, uint32_t count)
{
    for (uint32_t col = 0; col < count; col++) {
        to[col / 32] |= (uint32_t)from[col] << col % 32;
    }
}

static void get_bits(const uint32_t *from, uint8_t *to, uint32_t count)
{
    for (uint32_t col = 0; col < count; col++) {
        to[col] = from[col / 32] >> col % 32 & 1u;
    }
}

static void fill(const td_problem *problem, void *input)
{
    const td_data data = data_of(problem);
    const uint32_t bytes = element_bytes(problem);
    memset(input, 0, input_bytes(problem));
    for (uint32_t row = 0; row < problem->n; row++) {
        const uint8_t *from = problem->state + td_state_row(is_square(problem), problem->n, row);
        const uint32_t end = td_state_end(is_square(problem), problem->n, row);
        if (value_of(problem, CELL) == BIT) {
            put_bits((uint32_t *)input + td_life_bit_row(&data, row), from, end);
            continue;
        }
        const uint64_t at = td_life_row(&data, row, storage_of(problem), bytes);
        for (uint32_t col = 0; col < end; col++) {
            td_life_put(input, at + col, bytes, from[col]);
        }
    }
}

static void save(const td_problem *problem, const void *output, uint8_t *state)
{
    const td_data data = data_of(problem);
    const uint32_t bytes = element_bytes(problem);
    for (uint32_t row = 0; row < problem->n; row++) {
        uint8_t *to = state + td_state_row(is_square(problem), problem->n, row);
        const uint32_t end = td_state_end(is_square(problem), problem->n, row);
        if (value_of(problem, CELL) == BIT) {
            get_bits((const uint32_t *)output + td_life_bit_row(&data, row), to, end);
            continue;
        }
        const uint64_t at = td_life_row(&data, row, storage_of(problem), bytes);
        for (uint32_t col = 0; col < end; col++) {
            to[col] = (uint8_t)td_life_get(output, (int64_t)(at + col), bytes);
        }
    }
}

static void start(const td_problem *problem, uint8_t *state)
{
    const uint64_t cells = cells_of(problem);
    const double density = problem->parameters[DENSITY].real;
    TD_PARALLEL
    for (uint64_t at = 0; at < cells; at++) {
        state[at] = td_starts_alive(problem, density, 0, at);
    }
}

/* Each cell read and written once per generation, in the width that it has. */
static uint64_t bytes(const td_problem *problem)
{
    const uint64_t cell = value_of(problem, CELL);
    const uint64_t moved = cell == BIT ? (2 * cells_of(problem) + 7) / 8
                                       : 2 * cells_of(problem) * element_bytes(problem);
    return moved * steps(problem);
}

/* ---- the variants ---- */

/* clang-format off */
#define LIFE                                                                                                           \
    .name = "life", .summary = "Conway's Game of Life on square cells, rule 2333", .dimension = 2,                     \
    .input = "pattern (.rle), or state (.npy) of one byte per cell, 0 or 1", .parameters = parameters,                 \
    .parameter_count = PARAMETERS, .most = 1, .takes_patterns = true, .rule = RULE,                                    \
    .cell_shape = TD_CELLS_ARE_SQUARES, .variant = variant, .steps = steps, .is_square = is_square,                    \
    .output_elements = elements, .input_bytes = input_bytes, .fill = fill, .setup = setup, .bytes = bytes,             \
    .start = start, .save = save
#define TILES(memory, multiple, most, side, x, y)                                                                      \
    .dead_halo = true, .has_tiles = true, .only_tiles = "--memory " memory, .instead = "--memory halo",                \
    .tile_multiple = multiple, .tile_most = most, .tile_default = side, .block_default = {x, y, 1}

static const td_workload *variant(td_problem *problem, const char **why);

/* Tiles of at most 64 cells per side fit into shared memory together with their halo. With strip each thread slides a
 * word of cells down the rows; nothing is staged, so its tiles may be large. */
static const td_workload variants[STRIP + 1][BIT + 1] = {
    [CONDITIONAL][U32] = {LIFE, .id = TD_WORKLOAD_life_conditional_u32, .element = TD_U32, .generations = 1,
                          .poison = TD_POISON},
    [CONDITIONAL][U8] = {LIFE, .id = TD_WORKLOAD_life_conditional_u8, .element = TD_U8, .generations = 1,
                         .poison = TD_POISON},
    [HALO][U32] = {LIFE, .id = TD_WORKLOAD_life_halo_u32, .element = TD_U32, .generations = 1, .dead_halo = true},
    [HALO][U8] = {LIFE, .id = TD_WORKLOAD_life_halo_u8, .element = TD_U8, .generations = 1, .dead_halo = true},
    [SHARED][U32] = {LIFE, .id = TD_WORKLOAD_life_shared_u32, .element = TD_U32, .generations = 1,
                     TILES("shared", 1, 64, 0, 0, 0)},
    [SHARED][U8] = {LIFE, .id = TD_WORKLOAD_life_shared_u8, .element = TD_U8, .generations = 1,
                    TILES("shared", 1, 64, 0, 0, 0)},
    [ALIGNED][U32] = {LIFE, .id = TD_WORKLOAD_life_aligned_u32, .element = TD_U32, .generations = 1,
                      TILES("aligned", 1, 64, 0, 0, 0)},
    [ALIGNED][U8] = {LIFE, .id = TD_WORKLOAD_life_aligned_u8, .element = TD_U8, .generations = 1,
                     TILES("aligned", 1, 64, 0, 0, 0)},
    [RECT][U32] = {LIFE, .id = TD_WORKLOAD_life_rect_u32, .element = TD_U32, .generations = 1,
                   TILES("rect", 1, 64, 64, 64, 4)},
    [RECT][U8] = {LIFE, .id = TD_WORKLOAD_life_rect_u8, .element = TD_U8, .generations = 1,
                  TILES("rect", 1, 64, 64, 64, 4)},
    [TWO_CELL][U32] = {LIFE, .id = TD_WORKLOAD_life_two_cell_u32, .element = TD_U32, .generations = 1,
                       TILES("two-cell", 2, 64, 64, 32, 8)},
    [TWO_CELL][U8] = {LIFE, .id = TD_WORKLOAD_life_two_cell_u8, .element = TD_U8, .generations = 1,
                      TILES("two-cell", 2, 64, 64, 32, 8)},
    [TWO_GENERATION][U32] = {LIFE, .id = TD_WORKLOAD_life_two_generation_u32, .element = TD_U32, .generations = 2,
                             TILES("two-generation", 1, 64, 64, 64, 4)},
    [TWO_GENERATION][U8] = {LIFE, .id = TD_WORKLOAD_life_two_generation_u8, .element = TD_U8, .generations = 2,
                            TILES("two-generation", 1, 64, 64, 64, 4)},
    [STRIP][U32] = {LIFE, .id = TD_WORKLOAD_life_strip_u32, .element = TD_U32, .generations = 1,
                    TILES("strip", 4, 4096, 128, 32, 8)},
    [STRIP][U8] = {LIFE, .id = TD_WORKLOAD_life_strip_u8, .element = TD_U8, .generations = 1,
                   TILES("strip", 8, 4096, 256, 32, 8)},
    [STRIP][BIT] = {LIFE, .id = TD_WORKLOAD_life_strip_bit, .element = TD_U32, .generations = 1, .dead_halo = true,
                    .has_tiles = true, .only_tiles = "--memory strip", .instead = "--cell u8 --memory halo",
                    .tile_multiple = 32, .tile_most = 4096, .tile_default = 256, .block_default = {32, 8, 1}},
};
/* clang-format on */

static const td_workload *variant(td_problem *problem, const char **why)
{
    td_value *cell = &problem->parameters[CELL], *memory = &problem->parameters[MEMORY];
    cell->count = cell->count == AUTO ? U8 : cell->count;
    if (memory->count == AUTO) {
        memory->count = cell->count == BIT ? STRIP : HALO;
    }
    const td_workload *chosen = &variants[memory->count][cell->count];
    if (chosen->name == NULL) {
        *why = "--cell bit goes with --memory strip";
        return NULL;
    }
    return chosen;
}

const td_workload td_life_workload = {LIFE, .id = TD_WORKLOAD_life_halo_u8, .element = TD_U8,
                                      .generations = 1, .dead_halo = true};
