/* state.c - the state of an automaton on the host: how it is stored, into a buffer and out of it. */
#include "family.h"
#include "workloads/automata/state/lines3.h"
#include "workloads/workloads.h"

/* ---- storage ---- */

/* How a problem's state is stored, looked up once. */
typedef struct stored {
    const td_problem *problem;
    const td_cells *cells;
    td_start_fn *start;
    td_storage storage;
    td_width width;
    td_kind kind;    /* of a cell's elements in the buffer; for bits, of a word */
    td_kind outside; /* and in a state outside of buffers: that of floats, else bytes */
    bool solid, square;
    uint32_t line;     /* cells per line */
    td_data data;      /* the layout of the cells */
    uint64_t elements; /* of a plane */
} stored;

static uint32_t round_up(uint32_t count, uint32_t multiple)
{
    return (count + multiple - 1) / multiple * multiple;
}

/* Cells from the start of one row of the square to the start of the next. */
static uint32_t pitch_of(const stored *s)
{
    const uint32_t n = s->problem->n, with_ring = n + 2 * s->kind.ring;
    return s->storage == TD_STORED_PACKED      ? n
           : s->storage == TD_STORED_WITH_HALO ? with_ring
                                               : round_up(with_ring, s->line);
}

static void lay_cells(const stored *s, td_data *data)
{
    data->n = s->problem->n;
    data->generations = 1;
    if (s->solid) {
        td_setup_tetrahedron(s->problem, data);
        data->row_scale *= s->storage != TD_STORED_IN_LINES; /* td_is_in_lines3 */
    } else if (s->square) {
        data->full = 1;
        data->row_scale = 0;
        data->row_offset = 4 * pitch_of(s);
    } else if (s->storage == TD_STORED_PACKED) {
        td_setup_triangle(s->problem, data);
    } else if (s->storage == TD_STORED_WITH_HALO) {
        /* with a halo of one ring, rows -1, 0, 1 ... store 3, 4, 5 ... cells */
        data->row_scale = 2;
        data->row_offset = 8 * s->kind.ring + 2;
    }
}

static uint64_t cells_of(const stored *s)
{
    const uint32_t n = s->problem->n;
    return s->solid ? td_tetrahedron(n) : td_state_row(s->square, n, n);
}

/* Whole lines if there are several planes, so that each plane starts a line. */
static uint64_t elements_of(const stored *s)
{
    const uint32_t n = s->problem->n, line = s->line, ring = s->kind.ring;
    if (s->solid) {
        return s->storage == TD_STORED_IN_LINES ? td_lines3_elements(n)
                                                : td_tetrahedron_elements(s->problem);
    }
    if (s->width == TD_WIDTH_bit) {
        return td_word_row(&s->data, n, s->cells->planes) +
               (n + 3 + 2 * line) / 32 * s->cells->planes;
    }
    const uint64_t elements = s->storage == TD_STORED_PACKED
                                  ? cells_of(s)
                                  : td_stored_row(&s->data, n + ring - 1, s->storage, s->kind) + n +
                                        3 * ring +
                                        (s->storage == TD_STORED_IN_LINES ? 2 * line : 0);
    return s->kind.planes > 1 ? (elements + line - 1) / line * line : elements;
}

static stored stored_of(const td_workload *workload, const td_problem *problem)
{
    const td_automaton *automaton = workload->automaton;
    const td_width width = td_automaton_width(automaton, problem);
    const td_cells *cells = automaton->cells;
    stored s = {.problem = problem,
                .cells = cells,
                .start = automaton->start,
                .storage = td_techniques[problem->parameters[TD_MEMORY].count].storage,
                .width = width,
                .kind = td_kind_of_width(cells, width),
                .outside = cells->kind.planes > 0 ? cells->kind : TD_KIND_U8,
                .solid = workload->dimension == 3,
                .square = td_workload_is_square(workload, problem)};
    s.line = width == TD_WIDTH_bit ? TD_LINE_BITS / cells->planes : td_line_of(s.kind);
    s.data = td_empty_data();
    lay_cells(&s, &s.data);
    s.elements = elements_of(&s);
    return s;
}

uint32_t td_automaton_storage(const td_workload *workload, const td_problem *problem)
{
    const stored s = stored_of(workload, problem);
    return (uint32_t)s.width * TD_STORAGE_COUNT + (uint32_t)s.storage;
}

uint64_t td_automaton_elements(const td_workload *workload, const td_problem *problem)
{
    return stored_of(workload, problem).elements;
}

void td_automaton_setup(const td_workload *workload, const td_problem *problem, td_data *data)
{
    const td_parameter *rule = td_workload_parameter(workload, "rule");
    const stored s = stored_of(workload, problem);
    lay_cells(&s, data);
    data->plane = s.kind.planes > 1 ? s.elements : 0;
    if (rule != NULL) {
        td_setup_rule((uint32_t)problem->parameters[rule - workload->parameters].count, data);
    } else if (workload->automaton->setup != NULL) {
        workload->automaton->setup(problem, data);
    }
}

uint64_t td_workload_row_element(const td_workload *workload, const td_problem *problem,
                                 uint32_t row)
{
    const stored s = stored_of(workload, problem);
    return s.width == TD_WIDTH_bit ? td_word_row(&s.data, row, s.cells->planes)
                                   : td_stored_row(&s.data, row, s.storage, s.kind);
}

uint64_t td_automaton_input_bytes(const td_workload *workload, const td_problem *problem)
{
    enum { BEYOND = 64 }; /* in 3D the host reads vectors beyond the last cell */
    const stored s = stored_of(workload, problem);
    return s.elements * s.kind.bytes * s.kind.planes + (s.solid ? BEYOND : 0);
}

/* Per generation, each element of a cell is read once and its one output element is written once, in their stored
 * width. */
uint64_t td_automaton_bytes(const td_workload *workload, const td_problem *problem)
{
    const stored s = stored_of(workload, problem);
    const uint64_t cells = cells_of(&s);
    const uint64_t moved = s.width == TD_WIDTH_bit
                               ? (2 * s.cells->planes * cells + 7) / 8
                               : cells * (s.kind.planes * s.kind.bytes + s.kind.saved_bytes);
    return moved * td_workload_steps(workload, problem);
}

/* ---- rows of a state ---- */

/* A row of cells: in 2D row z, in 3D one of layer z. */
typedef struct cell_row {
    uint32_t z, cells;
    uint64_t first; /* number of its first cell in the domain */
    uint64_t at;    /* number of cells stored before that one */
} cell_row;

static cell_row row_at(const stored *s, uint32_t y, uint32_t z)
{
    const uint32_t n = s->problem->n;
    return s->solid
               ? (cell_row){z, z - y + 1, td_packed_3d(0, y, z), td_stored_at3(&s->data, 0, y, z)}
               : (cell_row){z, s->square ? n : z + 1, td_state_row(s->square, n, z),
                            td_stored_at(&s->data, z, 0, s->cells, s->storage, s->width)};
}

/* Does something with a row of cells: from a state to a buffer, or from a buffer to a state. */
typedef void row_fn(const stored *s, const cell_row *row, const void *from, void *to);

static void each_row(const stored *s, row_fn *each, const void *from, void *to)
{
    const uint32_t end_row = s->problem->end_row > 0 ? s->problem->end_row : s->problem->n;
    TD_PARALLEL
    for (uint32_t z = s->problem->first_row; z < end_row; z++) {
        for (uint32_t y = 0; y < (s->solid ? z + 1 : 1); y++) {
            const cell_row row = row_at(s, y, z);
            each(s, &row, from, to);
        }
    }
}

/* ---- a state into a buffer and out of it ---- */

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

static void fill_row(const stored *s, const cell_row *row, const void *state, void *input)
{
    if (s->width == TD_WIDTH_u8) {
        memcpy((uint8_t *)input + row->at, (const uint8_t *)state + row->first, row->cells);
        return;
    }
    for (uint32_t x = 0; x < row->cells; x++) {
        put_cell(s, input, row->at + x, state, row->first + x);
    }
}

void td_automaton_fill(const td_workload *workload, const td_problem *problem, void *input)
{
    const stored s = stored_of(workload, problem);
    if (problem->end_row == 0) {
        fill_outside(&s, input);
    }
    each_row(&s, fill_row, problem->state, input);
}

static void save_row(const stored *s, const cell_row *row, const void *output, void *state)
{
    for (uint32_t x = 0; x < row->cells; x++) {
        td_put_element(state, row->first + x, s->outside.saved_bytes,
                       td_stored_state(output, row->at + x, s->cells, s->width));
    }
}

void td_workload_save(const td_workload *workload, const td_problem *problem, const void *output,
                      void *state)
{
    const stored s = stored_of(workload, problem);
    each_row(&s, save_row, output, state);
}

/* ---- the first state ---- */

/* Each plane has a stream of random numbers. A row's second plane has one cell fewer. */
static uint8_t random_cell(const stored *s, double density, const cell_row *row, uint32_t x)
{
    uint32_t state = 0;
    for (uint32_t p = 0; p < s->cells->planes && (p == 0 || x < row->z); p++) {
        state |= (uint32_t)td_starts_alive(s->problem, density, p, row->first + x) << p;
    }
    return (uint8_t)state;
}

static void start_row(const stored *s, const cell_row *row, const void *density, void *state)
{
    const size_t bytes = (size_t)s->outside.bytes * s->outside.planes;
    char *to = (char *)state + row->first * bytes;
    for (uint32_t x = 0; x < row->cells; x++, to += bytes) {
        if (s->start != NULL) {
            s->start(s->problem, row->z, x, row->first + x, to);
        } else {
            *(uint8_t *)to = random_cell(s, *(const double *)density, row, x);
        }
    }
}

void td_workload_start(const td_workload *workload, const td_problem *problem, void *state)
{
    const stored s = stored_of(workload, problem);
    const td_parameter *p = td_workload_parameter(workload, "density");
    const double density = p != NULL ? problem->parameters[p - workload->parameters].real : 0.0;
    each_row(&s, start_row, &density, state);
}
