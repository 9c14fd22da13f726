/* family.c - the state of an automaton on the host: how it is stored, into a buffer and out of it. */
#include "family.h"

#include "workloads/automata/state/lines3.h"
#include "workloads/workloads.h"

static uint64_t value_of(const td_problem *problem, int parameter)
{
    return problem->parameters[parameter].count;
}

uint32_t td_family_steps(const td_family *family, const td_problem *problem)
{
    return family->steps > 0 ? (uint32_t)value_of(problem, family->steps) : 1;
}

bool td_family_is_square(const td_family *family, const td_problem *problem)
{
    return family->domain > 0 && value_of(problem, family->domain) != 0;
}

/* ---- storage ---- */

static td_storage storage_of(const td_problem *problem)
{
    return td_techniques[value_of(problem, TD_MEMORY)].storage;
}

static bool is_bits(const td_family *family, const td_problem *problem)
{
    return td_family_width(family, problem) == TD_WIDTH_bit;
}

/* The kind of a cell's elements; for bits, the kind of a word. */
static td_kind kind_of(const td_family *family, const td_problem *problem)
{
    return td_kind_of_width(family->cells, td_family_width(family, problem));
}

/* The kind of a state outside of buffers: that of the cells for floats, else bytes. */
static td_kind state_kind(const td_family *family)
{
    return family->cells->kind.planes > 0 ? family->cells->kind : TD_KIND_U8;
}

static uint32_t line_of(const td_family *family, const td_problem *problem)
{
    return is_bits(family, problem) ? TD_LINE_BITS / family->cells->planes
                                    : td_line_of(kind_of(family, problem));
}

static uint32_t round_up(uint32_t count, uint32_t multiple)
{
    return (count + multiple - 1) / multiple * multiple;
}

/* Cells from the start of one row of the square to the start of the next. */
static uint32_t pitch_of(const td_family *family, const td_problem *problem)
{
    const td_storage storage = storage_of(problem);
    const uint32_t stored = problem->n + 2 * kind_of(family, problem).ring;
    return storage == TD_STORED_PACKED      ? problem->n
           : storage == TD_STORED_WITH_HALO ? stored
                                            : round_up(stored, line_of(family, problem));
}

static void lay_layers(const td_problem *problem, td_data *data)
{
    td_setup_tetrahedron(problem, data);
    if (storage_of(problem) == TD_STORED_IN_LINES) {
        data->row_scale = 0; /* td_is_in_lines3 */
    }
}

static void lay_rows(const td_family *family, const td_problem *problem, td_data *data)
{
    const td_storage storage = storage_of(problem);
    data->n = problem->n;
    data->full = td_family_is_square(family, problem);
    if (data->full != 0) {
        data->row_scale = 0;
        data->row_offset = 4 * pitch_of(family, problem);
    } else if (storage == TD_STORED_PACKED) {
        td_setup_triangle(problem, data);
    } else if (storage == TD_STORED_WITH_HALO) {
        /* with a halo of one ring, rows -1, 0, 1 ... store 3, 4, 5 ... cells */
        data->row_scale = 2;
        data->row_offset = 8 * kind_of(family, problem).ring + 2;
    }
}

static void lay_cells(const td_family *family, const td_problem *problem, td_data *data)
{
    if (family->dimension == 3) {
        lay_layers(problem, data);
    } else {
        lay_rows(family, problem, data);
    }
    data->generations = 1;
}

/* Data with the layout of cells only, which is all that counting elements needs. */
static td_data data_of(const td_family *family, const td_problem *problem)
{
    td_data data = td_empty_data();
    lay_cells(family, problem, &data);
    return data;
}

uint32_t td_family_storage(const td_family *family, const td_problem *problem)
{
    const uint32_t blocked = data_of(family, problem).blocked;
    const uint32_t width = (uint32_t)td_family_width(family, problem);
    return (blocked * TD_WIDTHS + width) * TD_STORAGE_COUNT + (uint32_t)storage_of(problem);
}

static uint64_t cells_of(const td_family *family, const td_problem *problem)
{
    return family->dimension == 3
               ? td_tetrahedron(problem->n)
               : td_state_row(td_family_is_square(family, problem), problem->n, problem->n);
}

/* Whole lines if there are several planes, so that each plane starts a line. */
static uint64_t elements_of_rows(const td_family *family, const td_problem *problem)
{
    const td_data data = data_of(family, problem);
    const td_storage storage = storage_of(problem);
    const td_kind kind = kind_of(family, problem);
    const uint32_t n = problem->n, line = line_of(family, problem), ring = kind.ring;
    if (is_bits(family, problem)) {
        return td_word_row(&data, n, family->cells->planes) +
               (n + 3 + 2 * line) / 32 * family->cells->planes;
    }
    if (data.blocked != 0) {
        return td_triangle_elements(problem);
    }
    const uint64_t elements = storage == TD_STORED_PACKED
                                  ? cells_of(family, problem)
                                  : td_stored_row(&data, n + ring - 1, storage, kind) + n +
                                        3 * ring + (storage == TD_STORED_IN_LINES ? 2 * line : 0);
    return kind.planes > 1 ? (elements + line - 1) / line * line : elements;
}

uint64_t td_family_elements(const td_family *family, const td_problem *problem)
{
    return family->dimension == 2                      ? elements_of_rows(family, problem)
           : storage_of(problem) == TD_STORED_IN_LINES ? td_lines3_elements(problem->n)
                                                       : td_tetrahedron_elements(problem);
}

void td_family_setup(const td_family *family, const td_problem *problem, td_data *data)
{
    lay_cells(family, problem, data);
    if (family->rule > 0) {
        td_setup_rule((uint32_t)value_of(problem, family->rule), data);
    } else if (family->setup != NULL) {
        family->setup(problem, data);
    }
    data->plane = kind_of(family, problem).planes > 1 ? td_family_elements(family, problem) : 0;
}

uint64_t td_workload_row_element(const td_workload *workload, const td_problem *problem,
                                 uint32_t row)
{
    const td_family *family = workload->automaton->family;
    const td_data data = data_of(family, problem);
    return is_bits(family, problem)
               ? td_word_row(&data, row, family->cells->planes)
               : td_stored_row(&data, row, storage_of(problem), kind_of(family, problem));
}

uint64_t td_family_input_bytes(const td_family *family, const td_problem *problem)
{
    enum { BEYOND = 64 }; /* in 3D the host reads vectors beyond the last cell */
    const td_kind kind = kind_of(family, problem);
    return td_family_elements(family, problem) * kind.bytes * kind.planes +
           (family->dimension == 3 ? BEYOND : 0);
}

/* ---- a state into a buffer and out of it ---- */

/* How a state is stored, looked up once. */
typedef struct stored {
    const td_cells *cells;
    td_data data; /* the layout of its cells */
    td_storage storage;
    td_width width;
    td_kind kind,
        outside;       /* of a cell's elements: in the buffer, and in a state outside of buffers */
    uint64_t elements; /* of a plane */
} stored;

static stored stored_of(const td_family *family, const td_problem *problem)
{
    return (stored){family->cells,
                    data_of(family, problem),
                    storage_of(problem),
                    td_family_width(family, problem),
                    kind_of(family, problem),
                    state_kind(family),
                    td_family_elements(family, problem)};
}

/* The element of plane `plane` of stored cell number `at`. */
static uint64_t element_at(const stored *s, uint64_t at, uint32_t plane)
{
    return s->kind.interleaved ? at * s->kind.planes + plane : plane * s->elements + at;
}

/*
 * Fills the planes with their values outside of the domain; the cells are filled in later. Where only cells are read,
 * the rest is poison.
 */
static void fill_outside(const stored *s, void *input)
{
    enum { SEGMENT = 1 << 12 };
    const uint32_t bytes = s->kind.bytes;
    const int first_plane = s->storage == TD_STORED_PACKED ? TD_POISON : 0;
    TD_PARALLEL
    for (uint64_t from = 0; from < s->elements; from += SEGMENT) {
        const uint64_t end = from + SEGMENT < s->elements ? from + SEGMENT : s->elements;
        if (s->kind.planes == 1) {
            memset((char *)input + from * bytes, first_plane, (end - from) * bytes);
            continue;
        }
        for (uint64_t at = from; at < end; at++) {
            for (uint32_t p = 0; p < s->kind.planes; p++) {
                td_put_element(input, element_at(s, at, p), bytes, p == 0 ? 0 : s->kind.outside);
            }
        }
    }
}

/* A row of cells: in 2D row z, with y = 0, in 3D row y of layer z. */
typedef struct cell_row {
    uint32_t y, z;
    uint32_t cells;
    uint64_t first; /* number of its first cell in the domain */
} cell_row;

static uint32_t rows_of_layer(const td_family *family, uint32_t z)
{
    return family->dimension == 3 ? z + 1 : 1;
}

static cell_row row_at(const td_family *family, const td_problem *problem, uint32_t y, uint32_t z)
{
    if (family->dimension == 3) {
        return (cell_row){y, z, z - y + 1, td_packed_3d(0, y, z)};
    }
    const bool square = td_family_is_square(family, problem);
    return (cell_row){0, z, td_state_end(square, problem->n, z),
                      td_state_row(square, problem->n, z)};
}

/* Cells of a row that are stored one after the other: up to its end or, in a blocked state, that of the tile. */
typedef struct segment {
    uint64_t at; /* number of stored cells before it */
    uint32_t end;
} segment;

static segment segment_from(const td_family *family, const stored *s, const cell_row *row,
                            uint32_t x)
{
    const uint32_t tile = s->data.blocked;
    segment found;
    found.end = tile > 0 && x + tile < row->cells ? x + tile : row->cells;
    found.at = family->dimension == 3
                   ? td_stored_at3(&s->data, x, row->y, row->z)
                   : td_stored_at(&s->data, row->z, x, s->cells, s->storage, s->width);
    return found;
}

/* Puts the state of cell number `from` of a state into the buffer. Its bits are still 0. */
static void put_cell(const stored *s, void *input, uint64_t at, const void *state, uint64_t from)
{
    if (s->width == TD_WIDTH_bit) {
        uint32_t *words = (uint32_t *)input + at / 32 * s->cells->planes;
        for (uint32_t p = 0; p < s->cells->planes; p++) {
            words[p] |= (uint32_t)(((const uint8_t *)state)[from] >> p & 1u) << at % 32;
        }
        return;
    }
    for (uint32_t p = 0; p < s->kind.planes; p++) {
        td_put_element(
            input, element_at(s, at, p), s->kind.bytes,
            td_get_element(state, (int64_t)(from * s->kind.planes + p), s->outside.bytes));
    }
}

static void fill_row(const td_family *family, const stored *s, const cell_row *row,
                     const void *state, void *input)
{
    for (uint32_t x = 0; x < row->cells;) {
        const segment to = segment_from(family, s, row, x);
        if (s->width == TD_WIDTH_u8) {
            memcpy((uint8_t *)input + to.at, (const uint8_t *)state + row->first + x, to.end - x);
            x = to.end;
        }
        for (uint64_t at = to.at; x < to.end; x++) {
            put_cell(s, input, at++, state, row->first + x);
        }
    }
}

void td_family_fill(const td_family *family, const td_problem *problem, void *input)
{
    const stored s = stored_of(family, problem);
    if (problem->end_row == 0) {
        fill_outside(&s, input);
    }
    const uint32_t end_row = td_rows_end(problem);
    TD_PARALLEL
    for (uint32_t z = problem->first_row; z < end_row; z++) {
        for (uint32_t y = 0; y < rows_of_layer(family, z); y++) {
            const cell_row row = row_at(family, problem, y, z);
            fill_row(family, &s, &row, problem->state, input);
        }
    }
}

void td_workload_save(const td_workload *workload, const td_problem *problem, const void *output,
                      void *state)
{
    const td_family *family = workload->automaton->family;
    const stored s = stored_of(family, problem);
    for (uint32_t z = problem->first_row; z < td_rows_end(problem); z++) {
        for (uint32_t y = 0; y < rows_of_layer(family, z); y++) {
            const cell_row row = row_at(family, problem, y, z);
            for (uint32_t x = 0; x < row.cells;) {
                segment from = segment_from(family, &s, &row, x);
                for (; x < from.end; x++) {
                    td_put_element(state, row.first + x, s.outside.saved_bytes,
                                   td_stored_state(output, from.at++, s.cells, s.width));
                }
            }
        }
    }
}

static void start_cell(const td_family *family, const td_problem *problem, uint32_t row,
                       uint32_t col, uint64_t at, void *elements)
{
    if (family->start != NULL) {
        family->start(problem, row, col, at, elements);
    } else {
        const double density = problem->parameters[family->density].real;
        *(uint8_t *)elements = td_starts_alive(problem, density, 0, at);
    }
}

void td_workload_start(const td_workload *workload, const td_problem *problem, void *state)
{
    const td_family *family = workload->automaton->family;
    const uint32_t bytes = state_kind(family).bytes * state_kind(family).planes;
    const uint32_t end_row = td_rows_end(problem);
    TD_PARALLEL
    for (uint32_t z = problem->first_row; z < end_row; z++) {
        for (uint32_t y = 0; y < rows_of_layer(family, z); y++) {
            const cell_row row = row_at(family, problem, y, z);
            for (uint32_t x = 0; x < row.cells; x++) {
                start_cell(family, problem, z, x, row.first + x,
                           (char *)state + (row.first + x) * bytes);
            }
        }
    }
}

/* Per generation, each element of a cell is read once and its one output element is written once, in their stored
 * width. */
uint64_t td_family_bytes(const td_family *family, const td_problem *problem)
{
    const uint64_t cells = cells_of(family, problem);
    const td_kind kind = kind_of(family, problem);
    const uint64_t moved = is_bits(family, problem)
                               ? (2 * family->cells->planes * cells + 7) / 8
                               : cells * (kind.planes * kind.bytes + kind.saved_bytes);
    return moved * td_family_steps(family, problem);
}

uint64_t td_family_flops(const td_family *family, const td_problem *problem)
{
    return cells_of(family, problem) * family->flops * td_family_steps(family, problem);
}
