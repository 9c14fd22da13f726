/*
 * life3_halo.h - life on a tetrahedron in bytes with a border of dead cells: neighbours are read without a test.
 *
 * Packed, the state is a tetrahedron whose side is 6 larger, with cell (x, y, z) at (x + 1, y + 1, z + 5): its plane
 * x + y = z is 3 cells further out, as far as neighbours go. In the cube, the side is 2 larger and the cell at
 * (x + 1, y + 1, z + 1). Coordinates in front of the domain are -1, which wraps around and back.
 */
#ifndef TD_WORKLOADS_AUTOMATA_LIFE3_HALO_H
#define TD_WORKLOADS_AUTOMATA_LIFE3_HALO_H

#include "workloads/automata/state/automaton.h"
#include "workloads/layout3.h"
#include "workloads/place.h"

/* On the host, cells of a row at a time, a multiple of a vector's; and bytes that may be read behind a state. */
enum { TD_LIFE3_PART = 1024, TD_LIFE3_VECTOR = 32, TD_LIFE3_BEHIND = 64 };

static inline void td_life3_setup_halo(td_data *data)
{
    data->row_scale = data->n + 2;
}

TD_FN bool td_life3_has_halo(const td_data *data)
{
    return data->row_scale != data->n;
}

/* Elements of such a state. */
static inline uint64_t td_life3_halo_elements(const td_problem *problem)
{
    td_problem wider = *problem;
    wider.n += problem->layout == TD_FULL ? 2 : 6;
    return td_tetrahedron_elements(&wider);
}

/* Index of a cell in a state of bytes, with a border or without one, by the formulas of docs/workloads.md. */
TD_FN uint64_t td_life3_element(const td_data *data, uint32_t x, uint32_t y, uint32_t z)
{
    td_data wider = *data;
    if (!td_life3_has_halo(data)) {
        return td_place_3d(data, x, y, z);
    }
    wider.n = data->n + 2;
    return td_place_3d(&wider, x + 1, y + 1, z + (data->full ? 1 : 5));
}

TD_FN uint32_t td_life3_cells_of_row(const td_data *data, uint32_t y, uint32_t z)
{
    return z < data->n && y <= z ? z - y + 1 : 0; /* -1 wraps beyond both */
}

TD_FN bool td_life3_is_inside(const td_data *data, uint32_t x, uint32_t y, uint32_t z)
{
    return z < data->n && y <= z && x <= z - y; /* -1 wraps beyond all of them */
}

/* Whether the neighbours of a cell that are outside of the domain are dead. */
TD_FN bool td_life3_is_dead_around(const td_data *data, uint32_t x, uint32_t y, uint32_t z)
{
    bool dead = true;
    const bool edge = x == 0 || y == 0 || z + 1 == data->n || x + y + 3 > z;
    for (uint32_t k = 0; edge && k < 27; k++) {
        const uint32_t i = x + k % 3 - 1, j = y + k / 3 % 3 - 1, l = z + k / 9 - 1;
        dead &= td_life3_is_inside(data, i, j, l) ||
                ((const uint8_t *)data->output)[td_life3_element(data, i, j, l)] == 0;
    }
    return dead;
}

/* The next state from the sum over a neighbourhood, which includes the cell, by the limits of td_setup_rule. */
TD_FN uint8_t td_life3_next(uint32_t limits, uint8_t sum, uint8_t alive)
{
    const uint8_t low = (uint8_t)(alive != 0 ? limits : limits >> 16);
    const uint8_t high = (uint8_t)(alive != 0 ? limits >> 8 : limits >> 24);
    return (uint8_t)((sum >= low) & (sum < high));
}

/*
 * Index of a cell in a state with a border; td_life3_element for kernels.
 *
 * Exact   for N < 65530
 */
TD_FN uint64_t td_life3_halo_index(const td_data *data, uint32_t x, uint32_t y, uint32_t z)
{
    const uint32_t side = data->row_scale;
    return data->full ? (uint64_t)((z + 1) * side + y + 1) * side + (x + 1)
                      : td_tetra_index(x + 1, y + 1, z + 5);
}

/*
 * The cells at x in the nine rows around row (y, z), which is in the middle.
 *
 * Packed, row (y, z) has z - y + 5 places, the next row 1 less; and from a layer to the next it is one triangle, of
 * side z + 6, and a place for each row in front.
 */
TD_FN void td_life3_halo_rows(const td_data *data, uint32_t x, uint32_t y, uint32_t z,
                              const uint8_t *rows[9])
{
    const uint32_t side = data->row_scale, less = data->full ? 0 : 1;
    const uint32_t above = data->full ? side * side : (z + 6) * (z + 7) / 2 + y + 1;
    const uint32_t below = data->full ? above : above - (z + 6);
    rows[4] = (const uint8_t *)data->input + td_life3_halo_index(data, x, y, z);
    rows[1] = rows[4] - below;
    rows[7] = rows[4] + above;
    TD_UNROLLED for (uint32_t l = 0; l < 3; l++)
    {
        const uint32_t pitch = data->full ? side : z - y + 4 + l;
        rows[3 * l] = rows[3 * l + 1] - pitch - less;
        rows[3 * l + 2] = rows[3 * l + 1] + pitch;
    }
}

TD_FN void td_life3_halo_cell(const td_data *data, uint32_t x, uint32_t y, uint32_t z)
{
    const uint8_t *rows[9];
    uint32_t sum = 0;
    td_life3_halo_rows(data, x, y, z, rows);
    TD_UNROLLED for (uint32_t k = 0; k < 9; k++)
    {
        sum += (uint32_t)rows[k][-1] + rows[k][0] + rows[k][1];
    }
    ((uint8_t *)data->output)[rows[4] - (const uint8_t *)data->input] =
        td_life3_next(data->params[1], (uint8_t)sum, rows[4][0]);
}

/*
 * A vector of cells that the host computes at a time. Compilers make vectors of loops over cells, too. But clang keeps
 * a cell in a register for its two neighbours instead of loading it three times, and then makes no vectors (before 16)
 * or slow ones.
 */
typedef uint8_t td_life3_vector __attribute__((vector_size(TD_LIFE3_VECTOR)));

static inline __attribute__((always_inline)) void td_life3_add(td_life3_vector *sum,
                                                               const uint8_t *cells)
{
    td_life3_vector more;
    memcpy(&more, cells, sizeof more);
    *sum += more;
}

/* td_life3_next of each cell of a vector. */
static inline __attribute__((always_inline)) void
td_life3_store_next(uint32_t limits, const td_life3_vector *sum, const uint8_t *alive, uint8_t *to)
{
    td_life3_vector cells;
    memcpy(&cells, alive, sizeof cells);
    const td_life3_vector live = (td_life3_vector)(cells != 0);
    const td_life3_vector low = ((uint8_t)limits & live) | ((uint8_t)(limits >> 16) & ~live);
    const td_life3_vector high =
        ((uint8_t)(limits >> 8) & live) | ((uint8_t)(limits >> 24) & ~live);
    const td_life3_vector next =
        (td_life3_vector)(*sum >= low) & (td_life3_vector)(*sum < high) & 1;
    memcpy(to, &next, sizeof next);
}

/* On the host, the next states of a vector of cells, of which `count` are stored: from the cells in nine rows. */
static inline __attribute__((always_inline)) void
td_life3_next_vector(uint32_t limits, const uint8_t *const rows[9], uint32_t count, uint8_t *to)
{
    uint8_t next[TD_LIFE3_VECTOR];
    td_life3_vector sum = {0};
    TD_UNROLLED for (uint32_t k = 0; k < 27; k++)
    {
        td_life3_add(&sum, rows[k / 3] - 1 + k % 3);
    }
    td_life3_store_next(limits, &sum, rows[4], next);
    uint32_t done = 0;
    for (; done + 8 <= count; done += 8) {
        memcpy(to + done, next + done, 8);
    }
    for (; done < count; done++) {
        to[done] = next[done];
    }
}

/* On the host, the cells [first, end) of a row. */
static inline __attribute__((always_inline)) void
td_life3_halo_row(const td_data *data, uint32_t first, uint32_t end, uint32_t y, uint32_t z)
{
    for (uint32_t x = first; x < end; x += TD_LIFE3_VECTOR) {
        const uint32_t left = end - x, vector = TD_LIFE3_VECTOR;
        const uint8_t *rows[9];
        td_life3_halo_rows(data, x, y, z, rows);
        td_life3_next_vector(data->params[1], rows, left < vector ? left : vector,
                             (uint8_t *)data->output + (rows[4] - (const uint8_t *)data->input));
    }
}

#endif
