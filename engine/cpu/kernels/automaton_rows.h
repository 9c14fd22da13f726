/* automaton_rows.h - the rows of an automaton, for the cpu engine. */
#ifndef TD_ENGINE_CPU_KERNELS_AUTOMATON_ROWS_H
#define TD_ENGINE_CPU_KERNELS_AUTOMATON_ROWS_H

#include "kernels.h"
#include "workloads/automata/host_cells.h"

/* An automaton's cells as they are stored; a constant wherever the functions below are inlined. */
typedef struct td_stored_cells {
    const td_cells *cells;
    td_host_cells_fn *host_cells; /* NULL: none */
    td_storage storage;
    td_width width;
} td_stored_cells;

/* Compute `count` cells, at most TD_HOST_CELLS. Fewer cells work on a copy of their rows, so that nothing past the rows
 * is read. */
TD_INLINE void td_host_part(const td_data *data, const char *const *rows, char *to, uint32_t count,
                            td_kind kind, td_host_cells_fn *host_cells)
{
    enum { ROW_BYTES = 4 * (TD_HOST_CELLS + 4) };
    if (count == TD_HOST_CELLS) {
        host_cells(data, rows, to);
        return;
    }
    char part[TD_HOST_ROWS][ROW_BYTES] = {{0}}, next[4 * TD_HOST_CELLS];
    const char *at[TD_HOST_ROWS];
    for (uint32_t k = 0; k < kind.planes * (2 * kind.ring + 1); k++) {
        /* NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker): as many rows as td_host_run sets */
        memcpy(part[k], rows[k], (count + 2 * kind.ring) * kind.bytes);
        at[k] = part[k];
    }
    host_cells(data, at, next);
    memcpy(to, next, count * kind.saved_bytes);
}

/* The cells [col, end) of a row, all of whose neighbours are in the domain. */
TD_INLINE void td_host_run(const td_data *data, uint32_t row, uint32_t col, uint32_t end,
                           td_stored_cells of)
{
    const td_kind kind = td_kind_of_width(of.cells, of.width);
    const uint32_t side = 2 * kind.ring + 1;
    const char *rows[TD_HOST_ROWS] = {NULL};
    for (uint32_t k = 0; k < kind.planes * side; k++) {
        const uint64_t at =
            td_stored_row(data, row + k % side - kind.ring, of.storage, kind) + col - kind.ring;
        rows[k] = (const char *)td_plane(data, k / side, kind) + at * kind.bytes;
    }
    char *to = (char *)data->output +
               (td_stored_row(data, row, of.storage, kind) + col) * kind.saved_bytes;
    for (uint32_t left = end - col; left > 0;) {
        const uint32_t count = td_least(left, TD_HOST_CELLS);
        td_host_part(data, rows, to, count, kind, of.host_cells);
        for (uint32_t k = 0; k < kind.planes * side; k++) {
            rows[k] += TD_HOST_CELLS * kind.bytes;
        }
        to += TD_HOST_CELLS * kind.saved_bytes;
        left -= count;
    }
}

/* The cells [col, end) of a row: those with all neighbours many at a time, and the others one by one. */
TD_INLINE void td_host_row(const td_data *data, uint32_t row, uint32_t col, uint32_t end,
                           td_stored_cells of)
{
    const uint32_t ring = td_kind_of_width(of.cells, of.width).ring;
    const uint32_t first = td_least(end, col > ring ? col : ring);
    const uint32_t inner_end = td_least(end, ring + td_inner_cells(data, row, ring));
    const uint32_t stop = inner_end > first ? inner_end : first;
    td_host_run(data, row, first, stop, of);
    for (uint32_t c = col == first ? stop : col; c < end; c = c + 1 == first ? stop : c + 1) {
        td_next_cell(data, row, c, of.cells, of.storage, of.width);
    }
}

/* The cells [col, end) of a row. Of bits, the first cell of a word computes all of it. */
TD_INLINE void td_compute_row(const td_data *data, uint32_t row, uint32_t col, uint32_t end,
                              td_stored_cells of)
{
    if (of.host_cells != NULL && (of.width == TD_WIDTH_u8 || of.width == TD_WIDTH_f32)) {
        td_host_row(data, row, col, end, of);
        return;
    }
    const uint32_t step = of.width == TD_WIDTH_bit ? 32 : 1, stop = (end + step - 1) / step;
    TD_SIMD for (uint32_t k = (col + step - 1) / step; k < stop; k++)
    {
        td_next_cell(data, row, step * k, of.cells, of.storage, of.width);
    }
}

TD_INLINE void td_automaton_cells(const td_data *data, const td_box *box, td_stored_cells of)
{
    for (uint32_t row = box->y; row < box->end_y; row++) {
        td_compute_row(data, row, box->x, td_row_end(data, box, row), of);
    }
}

/* Computes the cells [first, end) of row (y, z) of a tetrahedron. */
typedef void td_row3_fn(const td_data *data, uint32_t first, uint32_t end, uint32_t y, uint32_t z,
                        td_storage storage);

TD_INLINE void td_rows_3d(const td_data *data, const td_box *box, td_row3_fn *row,
                          td_storage storage)
{
    for (uint32_t z = box->z; z < box->end_z; z++) {
        for (uint32_t y = box->y; y < td_least(box->end_y, z + 1); y++) {
            row(data, box->x, td_least(box->end_x, z - y + 1), y, z, storage);
        }
    }
}

#endif
