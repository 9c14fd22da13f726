/*
 * life3.h - the Game of Life on the cells of a tetrahedron, 26 neighbours.
 *
 * A state is an output: a byte per cell, packed or in the cube, with no border around it. Rows in front of the domain,
 * behind it and beside it do not exist, and what lies behind a row's end is another row's.
 */
#ifndef TD_WORKLOADS_AUTOMATA_LIFE3_H
#define TD_WORKLOADS_AUTOMATA_LIFE3_H

#include "workloads/automata/state/automaton.h"
#include "workloads/layout3.h"
#include "workloads/place.h"

/* The definition, word for word, on packed bytes: every neighbour that exists. */
TD_FN void td_life3_reference(const td_data *data, uint32_t x, uint32_t y, uint32_t z)
{
    const uint8_t *state = (const uint8_t *)data->input;
    const uint64_t at = td_packed_3d(x, y, z);
    uint32_t neighbours = 0;
    for (int64_t k = (int64_t)z - 1; k <= (int64_t)z + 1; k++) {
        for (int64_t j = (int64_t)y - 1; j <= (int64_t)y + 1; j++) {
            for (int64_t i = (int64_t)x - 1; i <= (int64_t)x + 1; i++) {
                if (i >= 0 && j >= 0 && i + j <= k && k < (int64_t)data->n &&
                    (i != x || j != y || k != z)) {
                    neighbours += state[td_packed_3d((uint64_t)i, (uint64_t)j, (uint64_t)k)];
                }
            }
        }
    }
    ((uint8_t *)data->output)[at] = (uint8_t)td_digits_say(data, neighbours, state[at] != 0);
}

TD_FN td_verdict td_life3_check(const td_data *data, uint32_t x, uint32_t y, uint32_t z)
{
    return td_state_verdict(((const uint8_t *)data->output)[td_place_3d(data, x, y, z)],
                            ((const uint8_t *)data->expected)[td_packed_3d(x, y, z)]);
}

/* A row of the domain: where its first cell lies, and how many there are, 0 for a row that does not exist. */
typedef struct td_life3_row_at {
    uint64_t start;
    uint32_t cells;
} td_life3_row_at;

TD_FN td_life3_row_at td_life3_find_row(const td_data *data, uint32_t y, uint32_t z)
{
    td_life3_row_at row;
    row.start =
        data->full ? (uint64_t)(z * data->row_scale + y) * data->n : td_tetra_index(0, y, z);
    row.cells = z < data->n && y <= z ? z - y + 1 : 0; /* -1 wraps beyond both */
    return row;
}

/* The next state from the sum over a neighbourhood, which includes the cell, by the limits of td_setup_rule. */
TD_FN uint8_t td_life3_next(uint32_t limits, uint8_t sum, uint8_t alive)
{
    const uint8_t low = (uint8_t)(alive != 0 ? limits : limits >> 16);
    const uint8_t high = (uint8_t)(alive != 0 ? limits >> 8 : limits >> 24);
    return (uint8_t)((sum >= low) & (sum < high));
}

/* Each neighbour is tested before it is read. */
TD_FN void td_life3_cell(const td_data *data, uint32_t x, uint32_t y, uint32_t z)
{
    const uint8_t *state = (const uint8_t *)data->input;
    const uint64_t at = td_life3_find_row(data, y, z).start + x;
    uint32_t sum = 0;
    for (uint32_t k = 0; k < 9; k++) {
        const td_life3_row_at row = td_life3_find_row(data, y + k % 3 - 1, z + k / 3 - 1);
        for (uint32_t i = x - 1; i != x + 2; i++) {
            sum += i < row.cells ? state[row.start + i] : 0u;
        }
    }
    ((uint8_t *)data->output)[at] = td_life3_next(data->params[1], (uint8_t)sum, state[at]);
}

/* Cells of a row at a time, a multiple of a vector's; and bytes that may be read behind a state. */
enum { TD_LIFE3_PART = 1024, TD_LIFE3_VECTOR = 32, TD_LIFE3_BEHIND = 64 };

/* The nine rows around a row, the row itself in the middle. */
typedef struct td_life3_rows {
    td_life3_row_at row[9];
} td_life3_rows;

static inline td_life3_rows td_life3_rows_around(const td_data *data, uint32_t y, uint32_t z)
{
    td_life3_rows rows;
    for (uint32_t k = 0; k < 9; k += 3) {
        const uint32_t layer = z + k / 3 - 1;
        const uint32_t pitch = data->full ? data->n : layer - y + 1; /* to the next row */
        td_life3_row_at *row = &rows.row[k];
        row[1] = td_life3_find_row(data, y, layer);
        row[0].start = row[1].start - pitch - !data->full;
        row[0].cells = y > 0 && layer < data->n ? layer - y + 2 : 0;
        row[2].start = row[1].start + pitch;
        row[2].cells = row[1].cells > 0 ? row[1].cells - 1 : 0;
    }
    return rows;
}

/* The cells at x of all nine, as far as they exist. */
static inline uint8_t td_life3_column(const uint8_t *state, const td_life3_rows *rows, uint32_t x)
{
    uint32_t sum = 0;
    for (uint32_t k = 0; k < 9; k++) {
        sum += x < rows->row[k].cells ? state[rows->row[k].start + x] : 0u;
    }
    return (uint8_t)sum;
}

/* sums[i]: that of cell x + i, and wrong from where the shortest of them ends. A row that does not exist is dead. */
static inline void td_life3_columns(const uint8_t *state, const td_life3_rows *rows, uint32_t x,
                                    uint32_t count, uint8_t *sums)
{
    static const uint8_t dead[TD_LIFE3_PART + TD_LIFE3_VECTOR] = {0};
    const uint32_t vectors = (count + TD_LIFE3_VECTOR - 1) / TD_LIFE3_VECTOR;
    const uint8_t *cells[9];
    for (uint32_t k = 0; k < 9; k++) {
        cells[k] = rows->row[k].cells > 0 ? state + rows->row[k].start + x : dead;
    }
    for (uint32_t i = 0; i < vectors * TD_LIFE3_VECTOR; i++) {
        uint32_t sum = 0;
        TD_UNROLLED for (uint32_t k = 0; k < 9; k++)
        {
            sum += cells[k][i];
        }
        sums[i] = (uint8_t)sum;
    }
}

/*
 * The cells [first, end) of a row on the host, in whole vectors without a test: nine rows are added up cell by cell,
 * and then each three sums next to each other. The last few sums are made again with tests.
 */
static inline void td_life3_row(const td_data *data, uint32_t first, uint32_t end, uint32_t y,
                                uint32_t z)
{
    const uint8_t *state = (const uint8_t *)data->input;
    const td_life3_rows rows = td_life3_rows_around(data, y, z);
    const uint32_t limits = data->params[1], cells = rows.row[4].cells;
    const uint32_t part = TD_LIFE3_PART;
    uint8_t sums[1 + TD_LIFE3_PART + TD_LIFE3_VECTOR + 1]; /* of cells x - 1 and on */
    uint8_t next[TD_LIFE3_PART];
    for (uint32_t x = first; x < end; x += TD_LIFE3_PART) {
        const uint32_t count = end - x < part ? end - x : part;
        const uint32_t vectors = (count + TD_LIFE3_VECTOR - 1) / TD_LIFE3_VECTOR;
        const uint8_t *alive = state + rows.row[4].start + x;
        td_life3_columns(state, &rows, x, count + 1, sums + 1);
        sums[0] = x > 0 ? td_life3_column(state, &rows, x - 1) : 0;
        for (uint32_t c = cells > x + 2 ? cells - 2 : x; c <= x + count; c++) {
            sums[c - x + 1] = td_life3_column(state, &rows, c);
        }
        for (uint32_t i = 0; i < vectors * TD_LIFE3_VECTOR; i++) {
            const uint8_t sum = (uint8_t)(sums[i] + sums[i + 1] + sums[i + 2]);
            next[i] = td_life3_next(limits, sum, alive[i]);
        }
        memcpy((uint8_t *)data->output + rows.row[4].start + x, next, count);
    }
}

TD_DESCRIPTOR td_tiles td_life3_tiles = {
    .multiple = 4,
    .most = 32,
    .side = 32,
    .threads_multiple = 32,
    .threads_most = 1024,
    .block = {32, 4, 2},
};

extern const td_workload td_life3_workload;

#endif
