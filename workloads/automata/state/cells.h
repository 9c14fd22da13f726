/*
 * cells.h - the techniques in which a thread works on one cell by itself.
 *
 * An automaton provides the next state of a cell as a function of its neighbourhood; the functions here read the
 * neighbourhood. The cpu engine, which has no shared memory, runs them on the storage of every technique.
 */
#ifndef TD_WORKLOADS_AUTOMATA_STATE_CELLS_H
#define TD_WORKLOADS_AUTOMATA_STATE_CELLS_H

#include "bits.h"

enum { TD_WINDOW_MOST = 50 }; /* most elements of a neighbourhood: two planes of 5 x 5 cells */

/*
 * The next state of cell (row, col). w: the elements of the (2 ring + 1)^2 cells around it, plane by plane, row by row,
 * the cell itself in the middle. Outside of the domain they are 0, or in further planes the kind's `outside`. The
 * function is a constant wherever the functions below are inlined.
 */
typedef uint32_t td_next_fn(const td_data *data, const uint32_t *w, uint32_t row, uint32_t col);

/* conditional: each neighbour is tested before it is read. */
TD_FN uint32_t td_cell_if_inside(const td_data *data, uint32_t row, uint32_t col, uint32_t plane,
                                 td_kind kind)
{
    const int64_t at = (int64_t)(td_packed_row(data, row) + col);
    return td_in_domain(data, row, col) ? td_get_cell(data, at, plane, kind)
           : plane > 0                  ? kind.outside
                                        : 0u;
}

TD_FN void td_conditional(const td_data *data, uint32_t row, uint32_t col, td_kind kind,
                          td_next_fn *next)
{
    const uint32_t side = 2 * kind.ring + 1, count = side * side;
    uint32_t w[TD_WINDOW_MOST];
    TD_UNROLLED for (uint32_t k = 0; k < count; k++)
    { /* the cell itself first */
        const uint32_t at = (k + count / 2) % count;
        const uint32_t r = row + at / side - kind.ring, c = col + at % side - kind.ring;
        TD_UNROLLED for (uint32_t p = 0; p < kind.planes; p++)
        {
            w[p * count + at] = td_cell_if_inside(data, r, c, p, kind);
        }
    }
    td_put_element(data->output, td_packed_row(data, row) + col, kind.saved_bytes,
                   next(data, w, row, col));
}

/* Converts quarters of an element, in which td_row_start counts, to bytes: a cell has one byte, or a multiple of
 * four. */
TD_FN uint64_t td_quarters(uint64_t quarters, td_kind kind)
{
    const uint32_t bytes = td_cell_bytes(kind);
    return bytes == 1 ? quarters / 4 : quarters * (bytes / 4);
}

/* Address in plane `plane` of the cells that `at` points to in plane 0. */
TD_FN const char *td_same_cells(const td_data *data, const char *at, uint32_t plane, td_kind kind)
{
    return plane == 0 || kind.interleaved
               ? at
               : (const char *)td_plane(data, plane, kind) + (at - (const char *)data->input);
}

/*
 * halo: reads without a test. Counted in quarters of an element, which are bytes for 4-byte elements, row r starts at r
 * (r row_scale + row_offset): the start of a row takes two multiply-adds, and the rows above and below take one
 * addition each.
 */
TD_FN void td_with_halo(const td_data *data, uint32_t row, uint32_t col, td_kind kind,
                        td_next_fn *next)
{
    const uint32_t ring = kind.ring, side = 2 * ring + 1;
    const uint32_t r = row + ring;
    const uint64_t start =
        td_quarters((uint64_t)r * (r * data->row_scale + data->row_offset), kind);
    const uint32_t width = (2 * r - 1) * data->row_scale + data->row_offset; /* of the row above */
    char *first = td_fixed((char *)data->input + start);
    const char *rows[5];
    rows[ring] = td_fixed(first + (uint64_t)col * td_cell_bytes(kind));
    TD_UNROLLED for (uint32_t k = 1; k <= ring; k++)
    {
        const uint32_t further = 2 * (k - 1) * data->row_scale;
        rows[ring - k] = rows[ring - k + 1] - td_quarters(width - further, kind);
        rows[ring + k] =
            rows[ring + k - 1] + td_quarters(width + 2 * data->row_scale + further, kind);
    }
    uint32_t w[TD_WINDOW_MOST];
    TD_UNROLLED for (uint32_t k = 0; k < side * side; k++)
    {
        TD_UNROLLED for (uint32_t p = 0; p < kind.planes; p++)
        {
            w[p * side * side + k] = td_get_element(td_same_cells(data, rows[k / side], p, kind),
                                                    td_element_at(k % side, p, kind), kind.bytes);
        }
    }
    /* all buffers have the same layout */
    const int64_t at = rows[ring] - (const char *)data->input;
    char *to = (char *)data->output + (td_cell_bytes(kind) == kind.saved_bytes
                                           ? at
                                           : at / td_cell_bytes(kind) * kind.saved_bytes);
    td_put_element(to, ring, kind.saved_bytes, next(data, w, row, col));
}

/* The work of the tile kernels on rows that start lines, cell by cell. */
TD_FN void td_in_lines(const td_data *data, uint32_t row, uint32_t col, td_kind kind,
                       td_next_fn *next)
{
    const uint32_t ring = kind.ring, side = 2 * ring + 1;
    uint32_t w[TD_WINDOW_MOST];
    for (uint32_t k = 0; k < side * side; k++) {
        const uint32_t r = row + k / side - ring;
        const int64_t at = (int64_t)td_stored_row(data, r, TD_STORED_IN_LINES, kind) + col;
        for (uint32_t p = 0; p < kind.planes; p++) {
            w[p * side * side + k] = td_get_cell(data, at + k % side - ring, p, kind);
        }
    }
    td_put_element(data->output, td_stored_row(data, row, TD_STORED_IN_LINES, kind) + col,
                   kind.saved_bytes, next(data, w, row, col));
}

/* ---- an automaton's cells, whatever their storage and width ---- */

/* An automaton's functions for the techniques that work cell by cell, and for verification. */
typedef struct td_cells {
    td_cell_fn *reference; /* the definition, on states as `start` makes them */
    td_next_fn *next;
    td_next_words_fn *next_words; /* the same on bits; NULL: none */
    uint32_t planes;              /* planes of a cell's state, for bits */
    td_kind kind;                 /* elements of a cell, for floats; zeroed: a state is a byte */
    td_expected_fn *expected;     /* reads the reference's value of a cell */
    bool no_square;               /* works on the triangle only */
} td_cells;

/* The kind of a cell's elements at this width; for bits, the kind of a word. */
TD_CONSTANT_FN td_kind td_kind_of_width(const td_cells *cells, td_width width)
{
    td_kind kind = cells->kind;
    kind.interleaved = width == TD_WIDTH_f32x2;
    return width == TD_WIDTH_u8                             ? TD_KIND_U8
           : width == TD_WIDTH_u32 || width == TD_WIDTH_bit ? TD_KIND_U32
                                                            : kind;
}

/* Computes the next state of a cell. `cells`, `storage` and `width` are constants wherever this is inlined. */
TD_FN void td_next_cell(const td_data *data, uint32_t row, uint32_t col, const td_cells *cells,
                        td_storage storage, td_width width)
{
    const td_kind kind = td_kind_of_width(cells, width);
    if (width == TD_WIDTH_bit) {
        td_in_words(data, row, col, cells->planes, cells->next_words);
    } else if (storage == TD_STORED_PACKED) {
        td_conditional(data, row, col, kind, cells->next);
    } else if (storage == TD_STORED_WITH_HALO) {
        td_with_halo(data, row, col, kind, cells->next);
    } else {
        td_in_lines(data, row, col, kind, cells->next);
    }
}

/* ---- states as they are stored, for files and verifications ---- */

/* The number of cells stored before cell (row, col), which may be beside the domain; and the state of stored cell
 * number `at`. */
TD_FN uint64_t td_stored_at(const td_data *data, uint32_t row, uint32_t col, const td_cells *cells,
                            td_storage storage, td_width width)
{
    const td_kind kind = td_kind_of_width(cells, width);
    const uint32_t line = width == TD_WIDTH_bit ? TD_LINE_BITS / cells->planes : td_line_of(kind);
    return td_place_of(data, row, col, storage, line, kind.ring);
}

TD_FN uint32_t td_stored_state(const void *output, uint64_t at, const td_cells *cells,
                               td_width width)
{
    return width == TD_WIDTH_bit
               ? td_bits_at(output, at, cells->planes)
               : td_get_element(output, (int64_t)at, td_kind_of_width(cells, width).saved_bytes);
}

/* Poisons a cell: at no width is the poison a state of a cell. Cells are poisoned one by one; the cells around the
 * domain are not. */
TD_FN void td_paint(const td_data *data, uint32_t row, uint32_t col, const td_cells *cells,
                    td_storage storage, td_width width)
{
    const uint64_t at = td_stored_at(data, row, col, cells, storage, width);
    if (width == TD_WIDTH_bit) {
        td_paint_bits(data, row, col, at, cells->planes);
    } else {
        td_put_element(data->output, at, td_kind_of_width(cells, width).saved_bytes,
                       TD_POISON * 0x01010101u);
    }
}

/* Compares the state of a cell with the reference's. */
TD_FN td_verdict td_check(const td_data *data, uint32_t row, uint32_t col, const td_cells *cells,
                          td_storage storage, td_width width)
{
    const uint64_t at = td_stored_at(data, row, col, cells, storage, width);
    const uint32_t found = td_stored_state(data->output, at, cells, width);
    const uint32_t expected = cells->expected(data, row, col);
    td_verdict verdict = td_state_verdict(found, expected);
    if (td_kind_of_width(cells, width).is_float && !verdict.ok) {
        verdict.error = fabs((double)td_float_of(found) - (double)td_float_of(expected));
    }
    return verdict;
}

/* The stored cells between the domain's last cell above `row` and the first one of the row: all must stay dead. Row N
 * stands for the cells after the domain, as far as a neighbourhood reaches. */
TD_FN td_elements td_outside_before(const td_data *data, uint32_t row, const td_cells *cells,
                                    td_storage storage, td_width width)
{
    const uint32_t n = data->n, ring = td_kind_of_width(cells, width).ring, last = n - 1 + ring;
    td_elements range = {0, 0};
    if (storage != TD_STORED_PACKED) {
        range.begin = row == 0 ? td_stored_at(data, 0 - ring, 0 - ring, cells, storage, width)
                               : td_stored_at(data, row - 1, td_is_square(data) ? n : row, cells,
                                              storage, width);
        range.end = row < n ? td_stored_at(data, row, 0, cells, storage, width)
                            : td_stored_at(data, last, last, cells, storage, width) + 1;
    }
    return range;
}

#ifdef __CUDACC__
/* A generation that is one pass over a neighbourhood of this reach: the base of `Pass`, for the tile kernels. */
template <typename Pass, int Reach = 1>
struct td_one_pass {
    typedef Pass first, last;
    static constexpr int passes = 1, reach = Reach;

    __device__ static auto outside()
    {
        return typename Pass::next{};
    }

    /* The part of a cell that the cell beside it needs. */
    template <typename Cell>
    __device__ static Cell given(const Cell &cell)
    {
        return cell;
    }
};
#endif

#endif
