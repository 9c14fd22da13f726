/*
 * life3_blocked.h - life on a tetrahedron in bytes by --layout blocked: a neighbour may lie in another tile.
 *
 * A row of cells passes through a row of tiles, and x is at the same distance from its start in all rows. A cell
 * therefore locates nine rows and three columns instead of 27 neighbours.
 */
#ifndef TD_WORKLOADS_AUTOMATA_LIFE3_BLOCKED_H
#define TD_WORKLOADS_AUTOMATA_LIFE3_BLOCKED_H

#include "life3_halo.h"

/* Along one axis, the tiles of c - 1, c and c + 1, and their places in these tiles. A tile in front of the domain wraps
 * around and is not read. */
typedef struct td_life3_axis {
    uint32_t tile[3], place[3];
} td_life3_axis;

/* One division for all three. */
TD_FN td_life3_axis td_life3_axis_at(uint32_t c, uint32_t side)
{
    const uint32_t last = side - 1, tile = c / side, place = c % side;
    td_life3_axis axis;
    axis.tile[0] = tile - (place == 0);
    axis.tile[1] = tile;
    axis.tile[2] = tile + (place == last);
    axis.place[0] = place == 0 ? last : place - 1;
    axis.place[1] = place;
    axis.place[2] = place == last ? 0 : place + 1;
    return axis;
}

/* The start of the row of cells through place k % 3 of y and place k / 3 of z and, below, the distance from there to
 * place i of x. */
TD_FN uint64_t td_life3_blocked_row(const td_life3_axis *y, const td_life3_axis *z, uint32_t k,
                                    uint64_t side)
{
    const uint64_t tile = td_tetra_index(0, y->tile[k % 3], z->tile[k / 3]);
    return ((tile * side + z->place[k / 3]) * side + y->place[k % 3]) * side;
}

TD_FN uint64_t td_life3_blocked_column(const td_life3_axis *x, uint32_t i, uint64_t side)
{
    return x->tile[i] * side * side * side + x->place[i];
}

/* Each neighbour is tested before it is read. */
TD_FN void td_life3_blocked_cell(const td_data *data, uint32_t x, uint32_t y, uint32_t z)
{
    const uint8_t *state = (const uint8_t *)data->input;
    const uint32_t side = data->blocked;
    const td_life3_axis along = td_life3_axis_at(x, side), across = td_life3_axis_at(y, side),
                        up = td_life3_axis_at(z, side);
    const uint64_t at =
        td_life3_blocked_row(&across, &up, 4, side) + td_life3_blocked_column(&along, 1, side);
    uint32_t sum = 0;
    TD_UNROLLED for (uint32_t k = 0; k < 9; k++)
    {
        const uint64_t row = td_life3_blocked_row(&across, &up, k, side);
        const uint32_t cells = td_life3_cells_of_row(data, y + k % 3 - 1, z + k / 3 - 1);
        TD_UNROLLED for (uint32_t i = 0; i < 3; i++)
        {
            sum += x + i - 1 < cells ? state[row + td_life3_blocked_column(&along, i, side)] : 0u;
        }
    }
    ((uint8_t *)data->output)[at] = td_life3_next(data->params[1], (uint8_t)sum, state[at]);
}

/* On the host, `count` cells of a tile's row from x on, a vector's at most. The cells around them are first copied into
 * rows of their own, with dead cells outside of the domain. */
static inline __attribute__((always_inline)) void
td_life3_blocked_vector(const td_data *data, uint32_t x, uint32_t count, uint32_t y, uint32_t z)
{
    const uint8_t *state = (const uint8_t *)data->input, *rows[9];
    const uint32_t side = data->blocked;
    const td_life3_axis first = td_life3_axis_at(x, side),
                        last = td_life3_axis_at(x + count - 1, side),
                        across = td_life3_axis_at(y, side), up = td_life3_axis_at(z, side);
    const uint64_t column = td_life3_blocked_column(&first, 1, side);
    uint8_t around[9][1 + TD_LIFE3_VECTOR + 1] = {{0}};
    for (uint32_t k = 0; k < 9; k++) {
        const uint64_t row = td_life3_blocked_row(&across, &up, k, side);
        const uint32_t cells = td_life3_cells_of_row(data, y + k % 3 - 1, z + k / 3 - 1);
        rows[k] = around[k] + 1;
        if (x - 1 < cells) {
            around[k][0] = state[row + td_life3_blocked_column(&first, 0, side)];
        }
        if (x < cells) {
            memcpy(around[k] + 1, state + row + column, cells - x < count ? cells - x : count);
        }
        if (x + count < cells) {
            around[k][1 + count] = state[row + td_life3_blocked_column(&last, 2, side)];
        }
    }
    td_life3_next_vector(data->params[1], rows, count,
                         (uint8_t *)data->output + column +
                             td_life3_blocked_row(&across, &up, 4, side));
}

/* On the host, the cells [first, end) of a tile's row. */
static inline __attribute__((always_inline)) void
td_life3_blocked_cells(const td_data *data, uint32_t first, uint32_t end, uint32_t y, uint32_t z)
{
    for (uint32_t x = first; x < end; x += TD_LIFE3_VECTOR) {
        const uint32_t left = end - x, vector = TD_LIFE3_VECTOR;
        td_life3_blocked_vector(data, x, left < vector ? left : vector, y, z);
    }
}

#endif
