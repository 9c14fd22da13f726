/* family.c - the host code that automata share, and their variants as descriptors. */
#include "family.h"

#include "workloads/workloads.h"

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

static td_storage storage_of(const td_problem *problem)
{
    return td_techniques[value_of(problem, TD_MEMORY)].storage;
}

static td_width width_of(const td_family *family, const td_problem *problem)
{
    return family->widths[value_of(problem, TD_CELL)];
}

static bool is_bits(const td_family *family, const td_problem *problem)
{
    return width_of(family, problem) == TD_WIDTH_bit;
}

/* The kind of a cell's elements; for bits, the kind of a word. */
static td_kind kind_of(const td_family *family, const td_problem *problem)
{
    return td_kind_of_width(family->cells, width_of(family, problem));
}

/* The kind of a state outside of buffers: that of the cells for floats, else bytes. */
static td_kind state_kind(const td_family *family)
{
    return family->cells->kind.planes > 0 ? family->cells->kind : TD_KIND_U8;
}

static uint32_t state_cell_bytes(const td_family *family)
{
    return state_kind(family).bytes * state_kind(family).planes;
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
    data->generations = 1;
}

/* Data with the layout of rows only, which is all that counting elements needs. */
static td_data data_of(const td_family *family, const td_problem *problem)
{
    td_data data = td_empty_data();
    lay_rows(family, problem, &data);
    return data;
}

uint32_t td_family_storage(const td_family *family, const td_problem *problem)
{
    const uint32_t blocked = data_of(family, problem).blocked;
    const uint32_t width = (uint32_t)width_of(family, problem);
    return (blocked * TD_WIDTHS + width) * TD_STORAGE_COUNT + (uint32_t)storage_of(problem);
}

static uint64_t cells_of(const td_family *family, const td_problem *problem)
{
    return td_state_row(td_family_is_square(family, problem), problem->n, problem->n);
}

/* Whole lines if there are several planes, so that each plane starts a line. */
uint64_t td_family_elements(const td_family *family, const td_problem *problem)
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

void td_family_setup(const td_family *family, const td_problem *problem, td_data *data)
{
    lay_rows(family, problem, data);
    if (family->setup != NULL) {
        family->setup(problem, data);
    }
    data->plane = kind_of(family, problem).planes > 1 ? td_family_elements(family, problem) : 0;
}

uint64_t td_family_row_element(const td_family *family, const td_problem *problem, uint32_t row)
{
    const td_data data = data_of(family, problem);
    return is_bits(family, problem)
               ? td_word_row(&data, row, family->cells->planes)
               : td_stored_row(&data, row, storage_of(problem), kind_of(family, problem));
}

uint64_t td_family_input_bytes(const td_family *family, const td_problem *problem)
{
    const td_kind kind = kind_of(family, problem);
    return td_family_elements(family, problem) * kind.bytes * kind.planes;
}

/* ---- a state into a buffer and out of it ---- */

/* The first element of a plane and, below, the distance from it to the element of cell number `cell`. */
static uint64_t first_of_plane(uint64_t elements, uint32_t plane, td_kind kind)
{
    return kind.interleaved ? plane : plane * elements;
}

static uint64_t step_to_cell(uint64_t cell, td_kind kind)
{
    return kind.interleaved ? cell * kind.planes : cell;
}

void td_put_bits(uint32_t *to, const uint8_t *from, uint32_t count, uint32_t planes)
{
    for (uint32_t col = 0; col < count; col++) {
        for (uint32_t p = 0; p < planes; p++) {
            to[col / 32 * planes + p] |= (uint32_t)(from[col] >> p & 1u) << col % 32;
        }
    }
}

void td_get_bits(const uint32_t *from, uint8_t *to, uint32_t count, uint32_t planes)
{
    for (uint32_t col = 0; col < count; col++) {
        uint32_t state = 0;
        for (uint32_t p = 0; p < planes; p++) {
            state |= (from[col / 32 * planes + p] >> col % 32 & 1u) << p;
        }
        to[col] = (uint8_t)state;
    }
}

/* Fills the planes with their values outside of the domain, a stretch at a time; the cells are filled in later. */
static void fill_outside(const td_family *family, const td_problem *problem, void *input)
{
    enum { STRETCH = 1 << 12 };
    const td_kind kind = kind_of(family, problem);
    const uint64_t elements = td_family_elements(family, problem);
    TD_PARALLEL
    for (uint64_t from = 0; from < elements; from += STRETCH) {
        const uint64_t end = from + STRETCH < elements ? from + STRETCH : elements;
        for (uint32_t p = 0; p < kind.planes; p++) {
            const uint64_t first = first_of_plane(elements, p, kind);
            for (uint64_t k = from; k < end; k++) {
                td_put_element(input, first + step_to_cell(k, kind), kind.bytes,
                               p == 0 ? 0 : kind.outside);
            }
        }
    }
}

/* Cells of a row that are stored one after the other: up to its end or, in a blocked state, that of the tile. */
typedef struct stretch {
    uint64_t at; /* element of the first one */
    uint32_t end;
} stretch;

static stretch stretch_from(const td_family *family, const td_problem *problem, uint32_t row,
                            uint32_t col)
{
    const td_data data = data_of(family, problem);
    const uint32_t end = td_state_end(td_is_square(&data), problem->n, row);
    if (data.blocked == 0) {
        return (stretch){td_family_row_element(family, problem, row) + col, end};
    }
    const bool cut = col + data.blocked < end;
    return (stretch){td_place_2d(&data, row, col), cut ? col + data.blocked : end};
}

/* Copies cells of a row of a state into the buffer, plane by plane. */
static void fill_cells(const td_family *family, const td_problem *problem, const void *from,
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
            td_put_bits((uint32_t *)input + td_word_row(&data, row, family->cells->planes),
                        (const uint8_t *)from, end, family->cells->planes);
            continue;
        }
        for (uint32_t col = 0; col < end;) {
            const stretch to = stretch_from(family, problem, row, col);
            fill_cells(family, problem, from + (uint64_t)col * state_cell_bytes(family), to.at,
                       to.end - col, input);
            col = to.end;
        }
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
            td_get_bits((const uint32_t *)output + td_word_row(&data, row, family->cells->planes),
                        (uint8_t *)state + first, end, family->cells->planes);
            continue;
        }
        for (uint32_t col = 0; col < end;) {
            stretch from = stretch_from(family, problem, row, col);
            for (; col < from.end; col++) {
                td_put_element(state, first + col, saved_bytes,
                               td_get_element(output, (int64_t)from.at++, kind.saved_bytes));
            }
        }
    }
}

void td_tetra_start(const td_family *family, const td_problem *problem, void *state)
{
    const uint64_t cells = td_tetrahedron(problem->n);
    TD_PARALLEL
    for (uint64_t at = 0; at < cells; at++) {
        family->start(problem, 0, 0, at, (char *)state + at);
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

/* ---- the variants ---- */

/* The descriptor of a row of a table, with its parts; each is made once. */
typedef struct made {
    td_workload workload;
    td_automaton automaton;
    td_tiles tiles;
} made;

static uint32_t lane_cells(const td_variant *v)
{
    return v->cell == TD_WIDTH_bit ? 32 * (uint32_t)v->words : v->cell == TD_WIDTH_u8 ? 16 : 4;
}

static uint32_t either(uint32_t own, uint32_t usual)
{
    return own > 0 ? own : usual;
}

static td_tiles tiles_of(const td_variant *v)
{
    const td_technique_facts *facts = &td_techniques[either(v->like, v->technique)];
    return (td_tiles){
        .only = td_techniques[v->technique].option,
        .instead = v->cell == TD_WIDTH_bit ? "--cell u8 --memory halo" : "--memory halo",
        .multiple = either(facts->multiple, lane_cells(v)),
        .most = facts->most,
        .side = either(v->side, facts->side),
        .threads_multiple = facts->threads_multiple,
        .threads_most = either(v->threads_most, facts->threads_most),
        .block = v->block.x > 0 ? v->block : facts->block,
        .flat = facts->flat,
        .banded = facts->banded,
        .band = v->band,
        .small = {v->small[0], v->small[1], v->small[2], v->small[3]},
        .registers = v->registers,
    };
}

static td_element element_of(const td_cells *cells, td_width width)
{
    const bool is_byte = td_kind_of_width(cells, width).saved_bytes == 1;
    return is_byte ? TD_U8 : cells->kind.is_float ? TD_F32 : TD_U32;
}

/* Only one function of a cell finds its neighbours in other tiles. */
static bool has_blocked(const td_variant *v)
{
    return v->technique == TD_TECHNIQUE_conditional && v->cell == TD_WIDTH_u8;
}

bool td_family_has_blocked(const td_family *family)
{
    bool has = false;
    for (size_t row = 0; row < family->variant_count; row++) {
        has |= has_blocked(&family->variants[row]);
    }
    return has;
}

static const td_workload *make(made *m, const td_workload *of, uint32_t row)
{
    const td_family *family = of->automaton->family;
    const td_variant *v = &family->variants[row];
    const td_technique_facts *facts = &td_techniques[v->technique];
    m->automaton = *of->automaton;
    m->automaton.variant = v;
    m->automaton.row = row;
    m->automaton.generations = either(facts->generations, 1);
    m->automaton.dead_halo = facts->storage != TD_STORED_PACKED;
    m->automaton.state_bytes = family->cells->kind.planes > 0 ? state_cell_bytes(family) : 0;
    m->automaton.saved = family->cells->kind.is_float ? TD_F32 : TD_U8;
    m->tiles = tiles_of(v);
    m->workload = *of;
    m->workload.element = element_of(family->cells, v->cell);
    m->workload.has_blocked = has_blocked(v);
    m->workload.from_zero = facts->storage != TD_STORED_PACKED;
    m->workload.automaton = &m->automaton;
    m->workload.tiles = facts->generations > 0 ? &m->tiles : NULL;
    return &m->workload;
}

/* Replaces "auto" by its meaning. */
static void settle(const td_family *family, td_problem *problem)
{
    td_value *memory = &problem->parameters[TD_MEMORY], *cell = &problem->parameters[TD_CELL];
    for (uint64_t word = 1; cell->count == 0; word++) {
        cell->count = family->widths[word] == family->widths[0] ? word : 0;
    }
    if (memory->count == TD_TECHNIQUE_auto) {
        memory->count = is_bits(family, problem) ? TD_TECHNIQUE_strip : family->usual;
    }
}

const td_workload *td_family_variant(const td_workload *workload, uint32_t id, td_problem *problem,
                                     const char **why)
{
    static made all[TD_WORKLOAD_COUNT][TD_TECHNIQUES][TD_WIDTHS];
    const td_family *family = workload->automaton->family;
    settle(family, problem);
    const uint64_t technique = value_of(problem, TD_MEMORY);
    const td_width width = width_of(family, problem);
    made *m = &all[id][technique][width];
    for (uint32_t row = 0; m->workload.name == NULL && row < family->variant_count; row++) {
        const td_variant *v = &family->variants[row];
        if (v->technique == technique && v->cell == width) {
            return make(m, workload, row);
        }
    }
    *why = family->cells->next_words != NULL
               ? "--cell bit goes with --memory strip and --memory four-generation"
               : "no kernel of this workload reads its cells like that";
    return m->workload.name != NULL ? &m->workload : NULL;
}
