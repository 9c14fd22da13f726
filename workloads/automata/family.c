/* family.c - what automata with variants share on the host. */
#include "family.h"

static uint64_t value_of(const td_problem *problem, int parameter)
{
    return problem->parameters[parameter].count;
}

uint32_t td_family_steps(const td_family *family, const td_problem *problem)
{
    return (uint32_t)value_of(problem, family->steps);
}

bool td_family_is_square(const td_family *family, const td_problem *problem)
{
    return family->domain >= 0 && value_of(problem, family->domain) != 0;
}

/* ---- storage ---- */

static td_storage storage_of(const td_family *family, const td_problem *problem)
{
    const uint64_t memory = value_of(problem, family->memory);
    return memory == TD_CONDITIONAL                   ? TD_STORED_PACKED
           : memory == TD_HALO || memory == TD_SHARED ? TD_STORED_WITH_HALO
                                                      : TD_STORED_IN_LINES;
}

static td_width width_of(const td_family *family, const td_problem *problem)
{
    return family->widths[value_of(problem, family->cell)];
}

/* Bytes of an element; of bits, which are words, too. */
static uint32_t element_bytes(const td_family *family, const td_problem *problem)
{
    return width_of(family, problem) == TD_WIDTH_U8 ? 1 : 4;
}

static uint32_t line_of(const td_family *family, const td_problem *problem)
{
    const td_width width = width_of(family, problem);
    return width == TD_WIDTH_U32  ? TD_LINE_U32
           : width == TD_WIDTH_U8 ? TD_LINE_U8
                                  : TD_LINE_BITS / family->planes;
}

static uint32_t round_up(uint32_t count, uint32_t multiple)
{
    return (count + multiple - 1) / multiple * multiple;
}

/* Cells from the start of a row of the square to that of the next. */
static uint32_t pitch_of(const td_family *family, const td_problem *problem)
{
    const td_storage storage = storage_of(family, problem);
    return storage == TD_STORED_PACKED      ? problem->n
           : storage == TD_STORED_WITH_HALO ? problem->n + 2
                                            : round_up(problem->n + 2, line_of(family, problem));
}

void td_family_setup(const td_family *family, const td_problem *problem, td_data *data)
{
    const td_storage storage = storage_of(family, problem);
    data->n = problem->n;
    data->full = td_family_is_square(family, problem);
    if (data->full != 0) {
        data->row_scale = 0;
        data->row_offset = 4 * pitch_of(family, problem);
    } else if (storage != TD_STORED_IN_LINES) {
        data->row_scale = 2; /* with a halo rows -1, 0, 1 ... store 3, 4, 5 ... cells */
        data->row_offset = storage == TD_STORED_WITH_HALO ? 10 : 2;
    }
    td_setup_rule((uint32_t)value_of(problem, family->rule), data);
}

static td_data data_of(const td_family *family, const td_problem *problem)
{
    td_data data = td_empty_data();
    td_family_setup(family, problem, &data);
    return data;
}

static uint64_t cells_of(const td_family *family, const td_problem *problem)
{
    return td_state_row(td_family_is_square(family, problem), problem->n, problem->n);
}

uint64_t td_family_elements(const td_family *family, const td_problem *problem)
{
    const td_data data = data_of(family, problem);
    const td_storage storage = storage_of(family, problem);
    const uint32_t n = problem->n, line = line_of(family, problem);
    if (width_of(family, problem) == TD_WIDTH_BIT) {
        return td_word_row(&data, n, family->planes) + (n + 3 + 2 * line) / 32 * family->planes;
    }
    return storage == TD_STORED_PACKED
               ? cells_of(family, problem)
               : td_stored_row(&data, n, storage, element_bytes(family, problem)) + n + 3 +
                     (storage == TD_STORED_IN_LINES ? 2 * line : 0);
}

uint64_t td_family_row_element(const td_family *family, const td_problem *problem, uint32_t row)
{
    const td_data data = data_of(family, problem);
    return width_of(family, problem) == TD_WIDTH_BIT
               ? td_word_row(&data, row, family->planes)
               : td_stored_row(&data, row, storage_of(family, problem),
                               element_bytes(family, problem));
}

uint64_t td_family_input_bytes(const td_family *family, const td_problem *problem)
{
    return td_family_elements(family, problem) * element_bytes(family, problem);
}

/* ---- a state into a buffer and out of it ---- */

static void put_bits(uint32_t *to, const uint8_t *from, uint32_t count, uint32_t planes)
{
    for (uint32_t col = 0; col < count; col++) {
        for (uint32_t p = 0; p < planes; p++) {
            to[col / 32 * planes + p] |= (uint32_t)(from[col] >> p & 1u) << col % 32;
        }
    }
}

static void get_bits(const uint32_t *from, uint8_t *to, uint32_t count, uint32_t planes)
{
    for (uint32_t col = 0; col < count; col++) {
        uint32_t state = 0;
        for (uint32_t p = 0; p < planes; p++) {
            state |= (from[col / 32 * planes + p] >> col % 32 & 1u) << p;
        }
        to[col] = (uint8_t)state;
    }
}

void td_family_fill(const td_family *family, const td_problem *problem, void *input)
{
    const td_data data = data_of(family, problem);
    const uint32_t bytes = element_bytes(family, problem);
    const bool square = td_family_is_square(family, problem);
    if (problem->end_row == 0) {
        memset(input, 0, td_family_input_bytes(family, problem));
    }
    for (uint32_t row = problem->first_row; row < td_rows_end(problem); row++) {
        const uint8_t *from = problem->state + td_state_row(square, problem->n, row);
        const uint32_t end = td_state_end(square, problem->n, row);
        if (width_of(family, problem) == TD_WIDTH_BIT) {
            put_bits((uint32_t *)input + td_word_row(&data, row, family->planes), from, end,
                     family->planes);
            continue;
        }
        const uint64_t at = td_stored_row(&data, row, storage_of(family, problem), bytes);
        for (uint32_t col = 0; col < end; col++) {
            td_put_cell(input, at + col, bytes, from[col]);
        }
    }
}

void td_family_save(const td_family *family, const td_problem *problem, const void *output,
                    uint8_t *state)
{
    const td_data data = data_of(family, problem);
    const uint32_t bytes = element_bytes(family, problem);
    const bool square = td_family_is_square(family, problem);
    for (uint32_t row = problem->first_row; row < td_rows_end(problem); row++) {
        uint8_t *to = state + td_state_row(square, problem->n, row);
        const uint32_t end = td_state_end(square, problem->n, row);
        if (width_of(family, problem) == TD_WIDTH_BIT) {
            get_bits((const uint32_t *)output + td_word_row(&data, row, family->planes), to, end,
                     family->planes);
            continue;
        }
        const uint64_t at = td_stored_row(&data, row, storage_of(family, problem), bytes);
        for (uint32_t col = 0; col < end; col++) {
            to[col] = (uint8_t)td_get_cell(output, (int64_t)(at + col), bytes);
        }
    }
}

void td_family_start(const td_family *family, const td_problem *problem, uint8_t *state)
{
    const bool square = td_family_is_square(family, problem);
    const double density = problem->parameters[family->density].real;
    const uint32_t end_row = td_rows_end(problem);
    TD_PARALLEL
    for (uint32_t row = problem->first_row; row < end_row; row++) {
        const uint64_t first = td_state_row(square, problem->n, row);
        const uint32_t end = td_state_end(square, problem->n, row);
        for (uint32_t col = 0; col < end; col++) {
            state[first + col] = family->cell_at_start(problem, density, first + col, col == row);
        }
    }
}

/* Each cell read and written once per generation, in the width that it has. */
uint64_t td_family_bytes(const td_family *family, const td_problem *problem)
{
    const uint64_t cells = cells_of(family, problem);
    const uint64_t moved = width_of(family, problem) == TD_WIDTH_BIT
                               ? (2 * family->planes * cells + 7) / 8
                               : 2 * cells * element_bytes(family, problem);
    return moved * td_family_steps(family, problem);
}

/* ---- the variants ---- */

const td_workload *td_family_variant(const td_family *family,
                                     const td_workload variants[TD_TECHNIQUES][TD_WIDTHS],
                                     td_problem *problem, const char **why)
{
    td_value *memory = &problem->parameters[family->memory];
    td_value *cell = &problem->parameters[family->cell];
    for (uint64_t word = 1; cell->count == 0; word++) {
        cell->count = family->widths[word] == family->widths[0] ? word : 0;
    }
    const td_width width = width_of(family, problem);
    if (memory->count == TD_AUTO) {
        memory->count = width == TD_WIDTH_BIT ? TD_STRIP : family->usual;
    }
    const td_workload *chosen = &variants[memory->count][width];
    if (chosen->name == NULL) {
        *why = "--cell bit goes with --memory strip and --memory four-generation";
        return NULL;
    }
    return chosen;
}
