/*
 * life - Conway's Game of Life on the square cells of a triangle, or of the whole square.
 *
 * One name, many variants: what --memory and --cell choose. Here are the cells that one thread works on by itself;
 * the techniques that share work among the threads of a block are in tiles.cuh, and the cpu engine, which has no
 * shared memory, runs the plain cell on the same storage in their place.
 */
#ifndef TD_WORKLOADS_LIFE_LIFE_H
#define TD_WORKLOADS_LIFE_LIFE_H

#include "bits.h"
#include "store.h"

/* The definition, word for word, on bytes: every neighbour that exists. */
TD_FN void td_life_reference(const td_data *data, uint32_t row, uint32_t col)
{
    const uint8_t *state = (const uint8_t *)data->input;
    const uint32_t alive = state[td_state_at(data, row, col)];
    uint32_t neighbours = 0;
    for (int64_t r = (int64_t)row - 1; r <= (int64_t)row + 1; r++) {
        const int64_t end = td_is_square(data) ? (int64_t)data->n : r + 1;
        for (int64_t c = (int64_t)col - 1; c <= (int64_t)col + 1; c++) {
            if (r >= 0 && r < (int64_t)data->n && c >= 0 && c < end && (r != row || c != col)) {
                neighbours += state[td_state_at(data, (uint32_t)r, (uint32_t)c)];
            }
        }
    }
    const uint32_t n = neighbours + alive; /* the limits of survival count the cell itself */
    const int pair = alive != 0 ? 0 : 2;
    ((uint8_t *)data->output)[td_state_at(data, row, col)] =
        n >= td_rule_limit(data, pair) && n < td_rule_limit(data, pair + 1);
}

/* conditional: each neighbour is tested before it is read. */
TD_FN uint32_t td_life_at(const td_data *data, uint32_t row, uint32_t col, uint32_t bytes)
{
    const int64_t at = (int64_t)(td_life_packed_row(data, row) + col);
    return td_life_inside(data, row, col) ? td_life_get(data->input, at, bytes) : 0u;
}

TD_FN void td_life_conditional(const td_data *data, uint32_t row, uint32_t col, uint32_t bytes)
{
    const uint32_t alive = td_life_at(data, row, col, bytes);
    uint32_t n = alive;
    for (uint32_t k = 1; k < 9; k++) {
        n += td_life_at(data, row + (k + 4) % 9 / 3 - 1, col + (k + 4) % 9 % 3 - 1, bytes);
    }
    td_life_put(data->output, td_life_packed_row(data, row) + col, bytes,
                td_rule_one(data, n, alive));
}

/*
 * halo: nine reads, no test. In quarters of an element a row starts at r (r row_scale + row_offset), which for
 * elements of four bytes are bytes: the start of a row takes two multiply-adds, and the rows above and below one
 * addition each.
 */
TD_FN void td_life_halo(const td_data *data, uint32_t row, uint32_t col, uint32_t bytes)
{
    const uint32_t r = row + 1;
    const uint32_t quarters = bytes == 4 ? 1 : 4;
    const uint64_t start = (uint64_t)r * (r * data->row_scale + data->row_offset) / quarters;
    const uint32_t width = (2 * r - 1) * data->row_scale + data->row_offset; /* of the row above */
    const char *at = td_fixed_pointer((const char *)data->input + start);
    at = td_fixed_pointer(at + (uint64_t)col * bytes);
    const char *above = at - width / quarters;
    const char *below = at + (width + 2 * data->row_scale) / quarters;
    const uint32_t alive = td_life_get(at, 1, bytes);
    const uint32_t n = td_life_get(above, 0, bytes) + td_life_get(above, 1, bytes) +
                       td_life_get(above, 2, bytes) + td_life_get(at, 0, bytes) + alive +
                       td_life_get(at, 2, bytes) + td_life_get(below, 0, bytes) +
                       td_life_get(below, 1, bytes) + td_life_get(below, 2, bytes);
    char *to =
        (char *)data->output + (at - (const char *)data->input); /* both buffers have one layout */
    td_life_put(to, 1, bytes, td_rule_one(data, n, alive));
}

/* The live cells among the nine around an element on lines, itself included. */
TD_FN uint32_t td_life_sum(const td_data *data, uint32_t row, uint32_t col, uint32_t bytes)
{
    uint32_t n = 0;
    for (uint32_t r = row - 1; r != row + 2; r++) {
        const int64_t at = (int64_t)(td_life_row(data, r, TD_LIFE_LINES, bytes) + col);
        n += td_life_get(data->input, at - 1, bytes) + td_life_get(data->input, at, bytes) +
             td_life_get(data->input, at + 1, bytes);
    }
    return n;
}

TD_FN uint32_t td_life_next(const td_data *data, uint32_t row, uint32_t col, uint32_t bytes)
{
    const int64_t at = (int64_t)(td_life_row(data, row, TD_LIFE_LINES, bytes) + col);
    return td_rule_one(data, td_life_sum(data, row, col, bytes),
                       td_life_get(data->input, at, bytes));
}

/* What the tile kernels on aligned rows do, cell by cell. */
TD_FN void td_life_aligned(const td_data *data, uint32_t row, uint32_t col, uint32_t bytes)
{
    td_life_put(data->output, td_life_row(data, row, TD_LIFE_LINES, bytes) + col, bytes,
                td_life_next(data, row, col, bytes));
}

/* Two generations of one cell: its neighbours' next states, then its own. The last launch may have only one to do. */
TD_FN void td_life_twice(const td_data *data, uint32_t row, uint32_t col, uint32_t bytes)
{
    const uint32_t alive = td_life_next(data, row, col, bytes);
    uint32_t n = alive;
    for (uint32_t k = 1; k < 9 && data->generations > 1; k++) {
        const uint32_t r = row + (k + 4) % 9 / 3 - 1, c = col + (k + 4) % 9 % 3 - 1;
        n += td_life_inside(data, r, c) ? td_life_next(data, r, c, bytes) : 0u;
    }
    td_life_put(data->output, td_life_row(data, row, TD_LIFE_LINES, bytes) + col, bytes,
                data->generations > 1 ? td_rule_one(data, n, alive) : alive);
}

/* What differs between the cells are constants. */
#define TD_LIFE_STEM(stem, cell, storage, bytes)                                                   \
    TD_FN void td_##stem##_cell(const td_data *data, uint32_t row, uint32_t col)                   \
    {                                                                                              \
        cell(data, row, col, bytes);                                                               \
    }                                                                                              \
    TD_FN void td_##stem##_paint(const td_data *data, uint32_t row, uint32_t col)                  \
    {                                                                                              \
        td_life_paint(data, row, col, storage, bytes);                                             \
    }                                                                                              \
    TD_FN td_verdict td_##stem##_check(const td_data *data, uint32_t row, uint32_t col)            \
    {                                                                                              \
        return td_life_check(data, row, col, storage, bytes);                                      \
    }

TD_LIFE_STEM(life_conditional_u32, td_life_conditional, TD_LIFE_PACKED, 4)
TD_LIFE_STEM(life_conditional_u8, td_life_conditional, TD_LIFE_PACKED, 1)
TD_LIFE_STEM(life_halo_u32, td_life_halo, TD_LIFE_HALO, 4)
TD_LIFE_STEM(life_halo_u8, td_life_halo, TD_LIFE_HALO, 1)
TD_LIFE_STEM(life_aligned_u32, td_life_aligned, TD_LIFE_LINES, 4)
TD_LIFE_STEM(life_aligned_u8, td_life_aligned, TD_LIFE_LINES, 1)
TD_LIFE_STEM(life_twice_u32, td_life_twice, TD_LIFE_LINES, 4)
TD_LIFE_STEM(life_twice_u8, td_life_twice, TD_LIFE_LINES, 1)

/* What --list shows. Which variant runs, and all that depends on it, is decided in life.c. */
extern const td_workload td_life_workload;

#endif
