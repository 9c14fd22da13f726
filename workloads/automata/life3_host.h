/*
 * life3_host.h - life on a tetrahedron on the host, in vectors of cells; see host_cells.h.
 *
 * The nine cells at the same x in the rows around a row are a column. Each column is summed once, and each sum is used
 * for the three cells that it is a neighbour of.
 */
#ifndef TD_WORKLOADS_AUTOMATA_LIFE3_HOST_H
#define TD_WORKLOADS_AUTOMATA_LIFE3_HOST_H

#include "workloads/automata/life3.h"

/* The cells of a row that are computed at a time, and those of a vector. */
enum { TD_LIFE3_PART = 256, TD_LIFE3_VECTOR = 32 };

typedef uint8_t td_life3_vector __attribute__((vector_size(TD_LIFE3_VECTOR)));

/* Row (y, z) and the rows around it, itself in the middle: the index of the cell at x = 0. A row outside of the domain
 * wraps around and is not read. */
typedef struct td_life3_rows {
    uint32_t y, z;
    uint64_t start[9];
} td_life3_rows;

/* The distance from a row of `cells` cells to the next one. */
TD_FN uint32_t td_life3_pitch(const td_data *data, uint32_t cells, td_storage storage)
{
    return storage != TD_STORED_PACKED ? TD_LINE3 * td_lines3(cells + 3)
           : data->full                ? data->n
                                       : cells;
}

/* The storage is a constant wherever this is inlined. */
TD_FN td_life3_rows td_life3_rows_around(const td_data *data, uint32_t y, uint32_t z,
                                         td_storage storage)
{
    td_life3_rows rows = {y, z, {0}};
    for (uint32_t l = 0; l < 3; l++) {
        const uint32_t layer = z + l - 1, cells = layer - y + 1;
        const uint64_t here =
            storage != TD_STORED_PACKED ? td_lines3_row(y, layer) : td_life3_row(data, y, layer);
        rows.start[3 * l] = here - td_life3_pitch(data, cells + 1, storage);
        rows.start[3 * l + 1] = here;
        rows.start[3 * l + 2] = here + td_life3_pitch(data, cells, storage);
    }
    return rows;
}

/* The sums of `count` columns from x on, in whole vectors, from where the rows around have cells. */
TD_FN void td_life3_sum_columns(const uint8_t *const cells[9], uint32_t count, uint8_t *sums)
{
    for (uint32_t i = 0; i < count; i += TD_LIFE3_VECTOR) {
        td_life3_vector sum = {0}, more;
        TD_UNROLLED for (uint32_t k = 0; k < 9; k++)
        {
            memcpy(&more, cells[k] + i, sizeof more);
            sum += more;
        }
        memcpy(sums + i, &sum, sizeof sum);
    }
}

/* The columns x - 1 to x + count, where all rows around have cells there. */
TD_FN void td_life3_sum_inside(const td_data *data, const td_life3_rows *rows, uint32_t x,
                               uint32_t count, uint8_t *sums)
{
    const uint8_t *cells[9];
    for (uint32_t k = 0; k < 9; k++) {
        cells[k] = (const uint8_t *)data->input + rows->start[k] + x - 1;
    }
    td_life3_sum_columns(cells, count + 2, sums);
}

/* Column x, cell by cell. ends: the cells of the rows; 0: there is no such row */
TD_FN uint8_t td_life3_sum_column(const td_data *data, const td_life3_rows *rows,
                                  const uint32_t ends[9], uint32_t x)
{
    const uint8_t *column = (const uint8_t *)data->input + x;
    uint32_t sum = 0;
    for (uint32_t k = 0; k < 9; k++) {
        sum += x < ends[k] ? column[rows->start[k]] : 0u;
    }
    return (uint8_t)sum;
}

/* The columns x - 1 to x + count, where rows may end, or not exist. The vectors are wrong from there on: these columns
 * are summed again. */
TD_FN void td_life3_sum_edge(const td_data *data, const td_life3_rows *rows, uint32_t x,
                             uint32_t count, uint8_t *sums)
{
    static const uint8_t dead[TD_LIFE3_PART + TD_LIFE3_VECTOR] = {0};
    const uint8_t *column = (const uint8_t *)data->input + x, *cells[9];
    uint32_t ends[9], whole = x + count; /* columns, to where the first row ends */
    for (uint32_t k = 0; k < 9; k++) {
        ends[k] = td_life3_cells_of_row(data, rows->y + k % 3 - 1, rows->z + k / 3 - 1);
        cells[k] = ends[k] > 0 ? column + rows->start[k] : dead;
        whole = ends[k] > 0 && ends[k] < whole ? ends[k] : whole;
    }
    td_life3_sum_columns(cells, count, sums + 1);
    sums[0] = x > 0 ? td_life3_sum_column(data, rows, ends, x - 1) : 0;
    for (uint32_t c = whole > x ? whole : x; c <= x + count; c++) {
        sums[1 + c - x] = td_life3_sum_column(data, rows, ends, c);
    }
}

/* td_life3_next of `count` cells, at most a vector. sum: with the neighbours and the cells themselves */
TD_FN void td_life3_next_vector(uint32_t limits, const td_life3_vector *sum, const uint8_t *alive,
                                uint32_t count, uint8_t *to)
{
    td_life3_vector cells;
    memcpy(&cells, alive, sizeof cells);
    const td_life3_vector live = (td_life3_vector)(cells != 0);
    const td_life3_vector low = ((uint8_t)limits & live) | ((uint8_t)(limits >> 16) & ~live);
    const td_life3_vector high =
        ((uint8_t)(limits >> 8) & live) | ((uint8_t)(limits >> 24) & ~live);
    const td_life3_vector next =
        (td_life3_vector)(*sum >= low) & (td_life3_vector)(*sum < high) & 1;
    if (count == TD_LIFE3_VECTOR) {
        memcpy(to, &next, sizeof next);
        return;
    }
    uint32_t done = 0;
    for (; done + 8 <= count; done += 8) {
        memcpy(to + done, (const uint8_t *)&next + done, 8);
    }
    for (; done < count; done++) {
        to[done] = next[done];
    }
}

/* Three columns each, of sums or of rows, from the one to the left of the first cell on. */
TD_FN void td_life3_add_three(const uint8_t *columns, td_life3_vector *sum)
{
    td_life3_vector cells;
    for (uint32_t k = 0; k < 3; k++) {
        memcpy(&cells, columns + k, sizeof cells);
        *sum += cells;
    }
}

/* `count` cells of a row, at most a vector, where all rows around have cells. A processor waits for sums that it stored
 * and reads from one byte further on, which takes longer than to add each column three times. */
TD_FN void td_life3_vector_inside(const td_data *data, const td_life3_rows *rows, uint32_t x,
                                  uint32_t count)
{
    td_life3_vector sum = {0};
    const uint8_t *input = data->input, *left = input + x - 1;
    TD_UNROLLED for (uint32_t k = 0; k < 9; k++)
    {
        td_life3_add_three(left + rows->start[k], &sum);
    }
    const uint64_t at = rows->start[4] + x;
    td_life3_next_vector(data->params[1], &sum, input + at, count, (uint8_t *)data->output + at);
}

/* The cells [first, end) of a row. */
TD_FN void td_life3_row_of_tile(const td_data *data, uint32_t first, uint32_t end, uint32_t y,
                                uint32_t z, td_storage storage)
{
    const td_life3_rows rows = td_life3_rows_around(data, y, z, storage);
    const bool inside =
        storage != TD_STORED_PACKED || (first > 0 && y > 0 && z + 1 < data->n && end + y + 1 < z);
    const uint32_t part = TD_LIFE3_PART, vector = TD_LIFE3_VECTOR;
    uint8_t sums[1 + TD_LIFE3_PART + 2 * TD_LIFE3_VECTOR]; /* of the columns from x - 1 on */
    if (inside && first < end && end - first <= vector) {
        td_life3_vector_inside(data, &rows, first, end - first);
        return;
    }
    for (uint32_t x = first; x < end; x += TD_LIFE3_PART) {
        const uint32_t count = end - x < part ? end - x : part;
        const uint64_t at = rows.start[4] + x;
        if (inside) {
            td_life3_sum_inside(data, &rows, x, count, sums);
        } else {
            td_life3_sum_edge(data, &rows, x, count, sums);
        }
        for (uint32_t i = 0; i < count; i += TD_LIFE3_VECTOR) {
            td_life3_vector sum = {0};
            td_life3_add_three(sums + i, &sum);
            td_life3_next_vector(data->params[1], &sum, (const uint8_t *)data->input + at + i,
                                 count - i < vector ? count - i : vector,
                                 (uint8_t *)data->output + at + i);
        }
    }
}

#endif
