/*
 * cells.h - the techniques in which a thread works on one cell by itself.
 *
 * An automaton brings the next state of a cell as a function of its neighbourhood; here is how the neighbourhood gets
 * there. The cpu engine, which has no shared memory, runs these on the storage of every technique.
 */
#ifndef TD_WORKLOADS_AUTOMATA_CELLS_H
#define TD_WORKLOADS_AUTOMATA_CELLS_H

#include "store.h"

/*
 * The next state of cell (row, col). w: the states of the nine cells around it, row by row, itself in the middle; 0 for
 * those outside of the domain. A constant wherever the functions below are inlined.
 */
typedef uint32_t td_next_fn(const td_data *data, const uint32_t w[9], uint32_t row, uint32_t col);

/* conditional: each neighbour is tested before it is read. */
TD_FN uint32_t td_cell_if_inside(const td_data *data, uint32_t row, uint32_t col, uint32_t bytes)
{
    const int64_t at = (int64_t)(td_packed_row(data, row) + col);
    return td_in_domain(data, row, col) ? td_get_cell(data->input, at, bytes) : 0u;
}

TD_FN void td_conditional(const td_data *data, uint32_t row, uint32_t col, uint32_t bytes,
                          td_next_fn *next)
{
    uint32_t w[9];
    for (uint32_t k = 0; k < 9; k++) { /* the cell itself first */
        const uint32_t at = (k + 4) % 9;
        w[at] = td_cell_if_inside(data, row + at / 3 - 1, col + at % 3 - 1, bytes);
    }
    td_put_cell(data->output, td_packed_row(data, row) + col, bytes, next(data, w, row, col));
}

/*
 * halo: nine reads, no test. In quarters of an element a row starts at r (r row_scale + row_offset), which for
 * elements of four bytes are bytes: the start of a row takes two multiply-adds, and the rows above and below one
 * addition each.
 */
TD_FN void td_with_halo(const td_data *data, uint32_t row, uint32_t col, uint32_t bytes,
                        td_next_fn *next)
{
    const uint32_t r = row + 1;
    const uint32_t quarters = bytes == 4 ? 1 : 4;
    const uint64_t start = (uint64_t)r * (r * data->row_scale + data->row_offset) / quarters;
    const uint32_t width = (2 * r - 1) * data->row_scale + data->row_offset; /* of the row above */
    const char *at = td_fixed_pointer((const char *)data->input + start);
    at = td_fixed_pointer(at + (uint64_t)col * bytes);
    const char *above = at - width / quarters;
    const char *below = at + (width + 2 * data->row_scale) / quarters;
    const uint32_t w[9] = {
        td_get_cell(above, 0, bytes), td_get_cell(above, 1, bytes), td_get_cell(above, 2, bytes),
        td_get_cell(at, 0, bytes),    td_get_cell(at, 1, bytes),    td_get_cell(at, 2, bytes),
        td_get_cell(below, 0, bytes), td_get_cell(below, 1, bytes), td_get_cell(below, 2, bytes)};
    char *to =
        (char *)data->output + (at - (const char *)data->input); /* both buffers have one layout */
    td_put_cell(to, 1, bytes, next(data, w, row, col));
}

/* What the tile kernels on rows in lines do, cell by cell. */
TD_FN void td_in_lines(const td_data *data, uint32_t row, uint32_t col, uint32_t bytes,
                       td_next_fn *next)
{
    uint32_t w[9];
    for (uint32_t k = 0; k < 9; k++) {
        const int64_t start =
            (int64_t)td_stored_row(data, row + k / 3 - 1, TD_STORED_IN_LINES, bytes);
        w[k] = td_get_cell(data->input, start + col + k % 3 - 1, bytes);
    }
    td_put_cell(data->output, td_stored_row(data, row, TD_STORED_IN_LINES, bytes) + col, bytes,
                next(data, w, row, col));
}

/* Cell functions of an automaton: what differs between them are constants. */
#define TD_CELLS_OF(stem, technique, storage, bytes, next)                                         \
    TD_FN void td_##stem##_cell(const td_data *data, uint32_t row, uint32_t col)                   \
    {                                                                                              \
        technique(data, row, col, bytes, next);                                                    \
    }                                                                                              \
    TD_FN void td_##stem##_paint(const td_data *data, uint32_t row, uint32_t col)                  \
    {                                                                                              \
        td_paint_cell(data, row, col, storage, bytes);                                             \
    }                                                                                              \
    TD_FN td_verdict td_##stem##_check(const td_data *data, uint32_t row, uint32_t col)            \
    {                                                                                              \
        return td_check_cell(data, row, col, storage, bytes);                                      \
    }

#endif
