/*
 * cells.h - the techniques in which a thread works on one cell by itself.
 *
 * An automaton brings the next state of a cell as a function of its neighbourhood; here is how the neighbourhood gets
 * there. The cpu engine, which has no shared memory, runs these on the storage of every technique.
 */
#ifndef TD_WORKLOADS_AUTOMATA_STATE_CELLS_H
#define TD_WORKLOADS_AUTOMATA_STATE_CELLS_H

#include "store.h"

enum { TD_WINDOW_MOST = 50 }; /* elements of a neighbourhood: two planes of 5 x 5 cells */

/*
 * The next state of cell (row, col). w: the elements of the (2 ring + 1)^2 cells around it, plane by plane, row by row,
 * itself in the middle; outside of the domain 0, or what further planes have there. A constant wherever the functions
 * below are inlined.
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

/* Quarters of an element, of which td_row_start counts, in bytes: cells have one byte, or a multiple of four. */
TD_FN uint64_t td_quarters(uint64_t quarters, td_kind kind)
{
    const uint32_t bytes = td_cell_bytes(kind);
    return bytes == 1 ? quarters / 4 : quarters * (bytes / 4);
}

/* Elements of row `rows_up` above the one that `at` points to, or below it; the same cells of a further plane. */
TD_FN const char *td_same_cells(const td_data *data, const char *at, uint32_t plane, td_kind kind)
{
    return plane == 0 || kind.interleaved
               ? at
               : (const char *)td_plane(data, plane, kind) + (at - (const char *)data->input);
}

/*
 * halo: reads without a test. In quarters of an element a row starts at r (r row_scale + row_offset), which for
 * elements of four bytes are bytes: the start of a row takes two multiply-adds, and the rows above and below one
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
    const char *first = td_fixed_pointer((const char *)data->input + start);
    const char *rows[5];
    rows[ring] = td_fixed_pointer(first + (uint64_t)col * td_cell_bytes(kind));
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
    const int64_t at = rows[ring] - (const char *)data->input; /* all buffers have one layout */
    char *to = (char *)data->output + (td_cell_bytes(kind) == kind.saved_bytes
                                           ? at
                                           : at / td_cell_bytes(kind) * kind.saved_bytes);
    td_put_element(to, ring, kind.saved_bytes, next(data, w, row, col));
}

/* What the tile kernels on rows in lines do, cell by cell. */
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

/* Cell functions of an automaton: what differs between them are constants. */
#define TD_CELLS_OF(stem, technique, storage, kind, next, expected)                                \
    TD_FN void td_##stem##_cell(const td_data *data, uint32_t row, uint32_t col)                   \
    {                                                                                              \
        technique(data, row, col, kind, next);                                                     \
    }                                                                                              \
    TD_FN void td_##stem##_paint(const td_data *data, uint32_t row, uint32_t col)                  \
    {                                                                                              \
        td_paint_cell(data, row, col, storage, kind);                                              \
    }                                                                                              \
    TD_FN td_verdict td_##stem##_check(const td_data *data, uint32_t row, uint32_t col)            \
    {                                                                                              \
        return td_check_cell(data, row, col, storage, kind, expected);                             \
    }

/* The three storages at once. */
#define TD_ALL_CELLS_OF(name, width, kind, next, expected)                                         \
    TD_CELLS_OF(name##_conditional_##width, td_conditional, TD_STORED_PACKED, kind, next,          \
                expected)                                                                          \
    TD_CELLS_OF(name##_halo_##width, td_with_halo, TD_STORED_WITH_HALO, kind, next, expected)      \
    TD_CELLS_OF(name##_lines_##width, td_in_lines, TD_STORED_IN_LINES, kind, next, expected)

#endif
