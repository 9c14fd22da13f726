/*
 * life3.h - the Game of Life on the cells of a tetrahedron, 26 neighbours, a byte per cell.
 *
 * With --memory conditional a state is an output, packed or full: there are no cells outside of the domain, and past a
 * row's end comes the next row. With --memory strip it is stored in lines, see state/lines3.h.
 */
#ifndef TD_WORKLOADS_AUTOMATA_LIFE3_H
#define TD_WORKLOADS_AUTOMATA_LIFE3_H

#include "workloads/automata/state/lines3.h"
#include "workloads/automata/state/store.h"

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
    ((uint8_t *)data->output)[at] = (uint8_t)td_next_by_digits(data, neighbours, state[at] != 0);
}

/* ---- cell by cell ---- */

/* The next state from the sum over a neighbourhood, the cell included, by the limits of td_setup_rule. */
TD_FN uint8_t td_life3_next(uint32_t limits, uint8_t sum, uint8_t alive)
{
    const uint8_t low = (uint8_t)(alive != 0 ? limits : limits >> 16);
    const uint8_t high = (uint8_t)(alive != 0 ? limits >> 8 : limits >> 24);
    return (uint8_t)((sum >= low) & (sum < high));
}

/* The cells of a row; 0 for a row outside of the domain: -1 wraps beyond both limits. */
TD_FN uint32_t td_life3_cells_of_row(const td_data *data, uint32_t y, uint32_t z)
{
    return z < data->n && y <= z ? z - y + 1 : 0;
}

/* Index of cell (0, y, z) in a packed or full state. */
TD_FN uint64_t td_life3_row(const td_data *data, uint32_t y, uint32_t z)
{
    return data->full ? (uint64_t)(z * data->row_scale + y) * data->n : td_tetra_index(0, y, z);
}

/* Each neighbour is tested before it is read. */
TD_FN void td_life3_cell(const td_data *data, uint32_t x, uint32_t y, uint32_t z)
{
    const uint8_t *state = (const uint8_t *)data->input;
    const uint64_t at = td_life3_row(data, y, z) + x;
    uint32_t sum = 0;
    for (uint32_t k = 0; k < 9; k++) {
        const uint64_t row = td_life3_row(data, y + k % 3 - 1, z + k / 3 - 1);
        const uint32_t cells = td_life3_cells_of_row(data, y + k % 3 - 1, z + k / 3 - 1);
        for (uint32_t i = x - 1; i != x + 2; i++) {
            sum += i < cells ? state[row + i] : 0u;
        }
    }
    ((uint8_t *)data->output)[at] = td_life3_next(data->params[1], (uint8_t)sum, state[at]);
}

/* ---- verification ---- */

/* Poisons a cell. */
TD_FN void td_life3_paint(const td_data *data, uint32_t x, uint32_t y, uint32_t z)
{
    ((uint8_t *)data->output)[td_stored_at3(data, x, y, z)] = TD_POISON;
}

/* Whether the neighbours of a cell that are outside of the domain are dead, in lines. */
TD_FN bool td_life3_is_dead_around(const td_data *data, uint32_t x, uint32_t y, uint32_t z)
{
    bool dead = true;
    const bool edge = x == 0 || y == 0 || z + 1 == data->n || x + y + 3 > z;
    for (uint32_t k = 0; edge && k < 27; k++) {
        const uint32_t i = x + k % 3 - 1, j = y + k / 3 % 3 - 1, l = z + k / 9 - 1;
        dead &= i < td_life3_cells_of_row(data, j, l) ||
                ((const uint8_t *)data->output)[td_stored_at3(data, i, j, l)] == 0;
    }
    return dead;
}

TD_FN td_verdict td_life3_check(const td_data *data, uint32_t x, uint32_t y, uint32_t z)
{
    const uint8_t *found = (const uint8_t *)data->output + td_stored_at3(data, x, y, z);
    td_verdict verdict =
        td_state_verdict(*found, ((const uint8_t *)data->expected)[td_packed_3d(x, y, z)]);
    if (td_is_in_lines3(data)) {
        verdict.ok &= td_life3_is_dead_around(data, x, y, z);
    }
    return verdict;
}

/* clang-format off */
#define td_life3_table(X)                                                                                              \
    X(life3, conditional, u8, )                                                                                        \
    X(life3, strip, u8, .registers = 80, .side = 32, .most = 64)
/* clang-format on */
TD_DESCRIPTOR td_variant td_life3_variants[] = {td_life3_table(TD_VARIANT)};
enum { td_life3_table(TD_ROW_NUMBER) };

extern const td_workload td_life3_workload;

#ifdef __CUDACC__
/* Indexed by row of the table; nullptr: the row has only a kernel for tiles. */
inline constexpr td_cell3_fn *td_life3_cells[] = {td_life3_cell, nullptr};
#endif

#endif
