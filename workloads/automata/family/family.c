/* family.c - what automata with variants share on the host. */
#include "family.h"

static uint64_t value_of(const td_problem *problem, int parameter)
{
    return problem->parameters[parameter].count;
}

uint32_t td_family_steps(const td_family *family, const td_problem *problem)
{
    return family->steps >= 0 ? (uint32_t)value_of(problem, family->steps) : 1;
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

static bool is_bits(const td_family *family, const td_problem *problem)
{
    return width_of(family, problem) == TD_WIDTH_BIT;
}

/* What a cell is made of; of bits, which are words, what a word is. */
static td_kind kind_of(const td_family *family, const td_problem *problem)
{
    const td_width width = width_of(family, problem);
    if (width == TD_WIDTH_F32 || width == TD_WIDTH_F32X2) {
        td_kind kind = family->kind;
        kind.interleaved = width == TD_WIDTH_F32X2;
        return kind;
    }
    return width == TD_WIDTH_U8 ? TD_KIND_U8 : TD_KIND_U32;
}

/* What a state is made of where it is no buffer: as floats have it, or bytes. */
static td_kind state_kind(const td_family *family)
{
    return family->kind.planes > 0 ? family->kind : TD_KIND_U8;
}

static uint32_t state_cell_bytes(const td_family *family)
{
    return state_kind(family).bytes * state_kind(family).planes;
}

static uint32_t line_of(const td_family *family, const td_problem *problem)
{
    return is_bits(family, problem) ? TD_LINE_BITS / family->planes
                                    : td_line_of(kind_of(family, problem));
}

static uint32_t round_up(uint32_t count, uint32_t multiple)
{
    return (count + multiple - 1) / multiple * multiple;
}

/* Cells from the start of a row of the square to that of the next. */
static uint32_t pitch_of(const td_family *family, const td_problem *problem)
{
    const td_storage storage = storage_of(family, problem);
    const uint32_t stored = problem->n + 2 * kind_of(family, problem).ring;
    return storage == TD_STORED_PACKED      ? problem->n
           : storage == TD_STORED_WITH_HALO ? stored
                                            : round_up(stored, line_of(family, problem));
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
        /* with a halo rows -1, 0, 1 ... store 3, 4, 5 ... cells */
        const uint32_t ring = kind_of(family, problem).ring;
        data->row_scale = 2;
        data->row_offset = storage == TD_STORED_WITH_HALO ? 8 * ring + 2 : 2;
    }
    data->generations = 1;
    if (family->setup != NULL) {
        family->setup(problem, data);
    }
    data->plane = 0; /* elements are counted with it */
    if (kind_of(family, problem).planes > 1) {
        data->plane = td_family_elements(family, problem);
    }
}

/* Where rows lie, which is all that counting elements needs. */
static td_data data_of(const td_family *family, const td_problem *problem)
{
    td_data data = td_empty_data();
    td_family flat = *family;
    flat.setup = NULL;
    flat.kind.planes = 1;
    td_family_setup(&flat, problem, &data);
    return data;
}

static uint64_t cells_of(const td_family *family, const td_problem *problem)
{
    return td_state_row(td_family_is_square(family, problem), problem->n, problem->n);
}

/* In whole lines where planes follow each other: each of them starts a line. */
uint64_t td_family_elements(const td_family *family, const td_problem *problem)
{
    const td_data data = data_of(family, problem);
    const td_storage storage = storage_of(family, problem);
    const td_kind kind = kind_of(family, problem);
    const uint32_t n = problem->n, line = line_of(family, problem), ring = kind.ring;
    if (is_bits(family, problem)) {
        return td_word_row(&data, n, family->planes) + (n + 3 + 2 * line) / 32 * family->planes;
    }
    const uint64_t elements = storage == TD_STORED_PACKED
                                  ? cells_of(family, problem)
                                  : td_stored_row(&data, n + ring - 1, storage, kind) + n +
                                        3 * ring + (storage == TD_STORED_IN_LINES ? 2 * line : 0);
    return kind.planes > 1 ? (elements + line - 1) / line * line : elements;
}

uint64_t td_family_row_element(const td_family *family, const td_problem *problem, uint32_t row)
{
    const td_data data = data_of(family, problem);
    return is_bits(family, problem)
               ? td_word_row(&data, row, family->planes)
               : td_stored_row(&data, row, storage_of(family, problem), kind_of(family, problem));
}

uint64_t td_family_input_bytes(const td_family *family, const td_problem *problem)
{
    const td_kind kind = kind_of(family, problem);
    return td_family_elements(family, problem) * kind.bytes * kind.planes;
}

/* ---- a state into a buffer and out of it ---- */

/* The first element of a plane, and how far behind it that of cell number `cell` is. */
static uint64_t first_of_plane(uint64_t elements, uint32_t plane, td_kind kind)
{
    return kind.interleaved ? plane : plane * elements;
}

static uint64_t step_to_cell(uint64_t cell, td_kind kind)
{
    return kind.interleaved ? cell * kind.planes : cell;
}

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

/* What a plane has outside of the domain; the cells follow. */
static void fill_outside(const td_family *family, const td_problem *problem, void *input)
{
    const td_kind kind = kind_of(family, problem);
    const uint64_t elements = td_family_elements(family, problem);
    memset(input, 0, td_family_input_bytes(family, problem));
    for (uint32_t p = 1; p < kind.planes && kind.outside != 0; p++) {
        for (uint64_t k = 0; k < elements; k++) {
            td_put_element(input, first_of_plane(elements, p, kind) + step_to_cell(k, kind),
                           kind.bytes, kind.outside);
        }
    }
}

/* A row of a state into the buffer, plane by plane. */
static void fill_row(const td_family *family, const td_problem *problem, const void *from,
                     uint64_t at, uint32_t count, void *input)
{
    const td_kind kind = kind_of(family, problem);
    const uint64_t elements = td_family_elements(family, problem);
    for (uint32_t p = 0; p < kind.planes; p++) {
        const uint64_t first = first_of_plane(elements, p, kind);
        for (uint32_t col = 0; col < count; col++) {
            td_put_element(
                input, first + step_to_cell(at + col, kind), kind.bytes,
                td_get_element(from, (int64_t)col * kind.planes + p, state_kind(family).bytes));
        }
    }
}

void td_family_fill(const td_family *family, const td_problem *problem, void *input)
{
    const td_data data = data_of(family, problem);
    const td_kind kind = kind_of(family, problem);
    const bool square = td_family_is_square(family, problem);
    if (problem->end_row == 0) {
        fill_outside(family, problem, input);
    }
    const uint32_t end_row = td_rows_end(problem);
    TD_PARALLEL
    for (uint32_t row = problem->first_row; row < end_row; row++) {
        const char *from = (const char *)problem->state +
                           td_state_row(square, problem->n, row) * state_cell_bytes(family);
        const uint32_t end = td_state_end(square, problem->n, row);
        if (is_bits(family, problem)) {
            put_bits((uint32_t *)input + td_word_row(&data, row, family->planes),
                     (const uint8_t *)from, end, family->planes);
            continue;
        }
        fill_row(family, problem, from,
                 td_stored_row(&data, row, storage_of(family, problem), kind), end, input);
    }
}

void td_family_save(const td_family *family, const td_problem *problem, const void *output,
                    void *state)
{
    const td_data data = data_of(family, problem);
    const td_kind kind = kind_of(family, problem);
    const uint32_t saved_bytes = state_kind(family).saved_bytes;
    const bool square = td_family_is_square(family, problem);
    for (uint32_t row = problem->first_row; row < td_rows_end(problem); row++) {
        const uint64_t first = td_state_row(square, problem->n, row);
        const uint32_t end = td_state_end(square, problem->n, row);
        if (is_bits(family, problem)) {
            get_bits((const uint32_t *)output + td_word_row(&data, row, family->planes),
                     (uint8_t *)state + first, end, family->planes);
            continue;
        }
        const uint64_t at = td_stored_row(&data, row, storage_of(family, problem), kind);
        for (uint32_t col = 0; col < end; col++) {
            td_put_element(state, first + col, saved_bytes,
                           td_get_element(output, (int64_t)(at + col), kind.saved_bytes));
        }
    }
}

void td_family_start(const td_family *family, const td_problem *problem, void *state)
{
    const bool square = td_family_is_square(family, problem);
    const uint32_t bytes = state_cell_bytes(family);
    const uint32_t end_row = td_rows_end(problem);
    TD_PARALLEL
    for (uint32_t row = problem->first_row; row < end_row; row++) {
        const uint64_t first = td_state_row(square, problem->n, row);
        const uint32_t end = td_state_end(square, problem->n, row);
        for (uint32_t col = 0; col < end; col++) {
            family->start(problem, row, col, first + col, (char *)state + (first + col) * bytes);
        }
    }
}

/* Each element of a cell read and the one that comes out written once per generation, in the width that it has. */
uint64_t td_family_bytes(const td_family *family, const td_problem *problem)
{
    const uint64_t cells = cells_of(family, problem);
    const td_kind kind = kind_of(family, problem);
    const uint64_t moved = is_bits(family, problem)
                               ? (2 * family->planes * cells + 7) / 8
                               : cells * (kind.planes * kind.bytes + kind.saved_bytes);
    return moved * td_family_steps(family, problem);
}

uint64_t td_family_flops(const td_family *family, const td_problem *problem)
{
    return cells_of(family, problem) * family->flops * td_family_steps(family, problem);
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
        *why = family->no_variant;
        return NULL;
    }
    return chosen;
}
