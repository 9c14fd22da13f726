/*
 * host_cells.h - automata whose cells the host computes 16 at a time, in vectors of the compilers' common extension.
 *
 * Compilers make vectors of loops over cells, too. But gcc makes none of cells whose neighbours are tested, or that
 * divide; and clang before 16 makes none where a cell stays in a register for its two neighbours.
 */
#ifndef TD_WORKLOADS_AUTOMATA_HOST_CELLS_H
#define TD_WORKLOADS_AUTOMATA_HOST_CELLS_H

#include "workloads/workloads.h"

/*
 * The next states of TD_HOST_CELLS cells of a row, all of whose neighbours are in the domain.
 *
 * Input   rows: the elements from `ring` columns before the first cell on, plane by plane, row by row
 */
typedef void td_host_cells_fn(const td_data *data, const char *const *rows, void *to);

/* At most the rows of two planes with a ring of two. */
enum { TD_HOST_CELLS = 16, TD_HOST_ROWS = 10 };

/* ---- cells of a byte ---- */

typedef uint8_t td_bytes __attribute__((vector_size(TD_HOST_CELLS)));

static inline td_bytes td_load_bytes(const char *from)
{
    td_bytes bytes;
    memcpy(&bytes, from, sizeof bytes);
    return bytes;
}

/* td_rule_one of each cell, by the limits of td_setup_rule. */
static inline td_bytes td_rule_of_bytes(uint32_t limits, td_bytes sum, td_bytes alive)
{
    const td_bytes live = (td_bytes)(alive != 0);
    const td_bytes low = ((uint8_t)limits & live) | ((uint8_t)(limits >> 16) & ~live);
    const td_bytes high = ((uint8_t)(limits >> 8) & live) | ((uint8_t)(limits >> 24) & ~live);
    return (td_bytes)(sum >= low) & (td_bytes)(sum < high) & 1;
}

static inline void td_life_host_cells(const td_data *data, const char *const *rows, void *to)
{
    td_bytes sum = {0};
    TD_UNROLLED for (uint32_t k = 0; k < 9; k++)
    {
        sum += td_load_bytes(rows[k / 3] + k % 3);
    }
    const td_bytes next = td_rule_of_bytes(data->params[1], sum, td_load_bytes(rows[1] + 1));
    memcpy(to, &next, sizeof next);
}

/* See "by rows" in gol.h. */
typedef struct td_gol_byte_sums {
    td_bytes x, p, q, y;
} td_gol_byte_sums;

static inline td_gol_byte_sums td_gol_sum_bytes(const char *row)
{
    const td_bytes left = td_load_bytes(row), here = td_load_bytes(row + 1);
    const td_bytes right = td_load_bytes(row + 2);
    const td_bytes u = here & 1, d = here >> 1;
    td_gol_byte_sums sums;
    sums.x = (left & 1) + (left >> 1) + u;
    sums.y = d + (right & 1) + (right >> 1);
    sums.p = sums.x + d + (right & 1);
    sums.q = sums.y + u + (left >> 1);
    return sums;
}

static inline void td_gol_host_cells(const td_data *data, const char *const *rows, void *to)
{
    const td_gol_byte_sums above = td_gol_sum_bytes(rows[0]), here = td_gol_sum_bytes(rows[1]);
    const td_gol_byte_sums below = td_gol_sum_bytes(rows[2]);
    const td_bytes alive = td_load_bytes(rows[1] + 1);
    const uint32_t limits = data->params[1];
    const td_bytes up = td_rule_of_bytes(limits, above.x + here.p + below.q, alive & 1);
    const td_bytes down = td_rule_of_bytes(limits, above.p + here.q + below.y, alive >> 1);
    const td_bytes next = up | down << 1;
    memcpy(to, &next, sizeof next);
}

/* ---- water ---- */

/* A vector of floats, cells that have a flow, and cells that have a level. */
enum { TD_FLOATS = 4, TD_FLOWS = TD_HOST_CELLS + 2, TD_LEVELS = TD_HOST_CELLS + 4 };

typedef float td_floats_of_water __attribute__((vector_size(4 * TD_FLOATS)));
typedef int32_t td_mask_of_water __attribute__((vector_size(4 * TD_FLOATS)));

static inline td_floats_of_water td_load_floats(const void *from)
{
    td_floats_of_water floats;
    memcpy(&floats, from, sizeof floats);
    return floats;
}

/* The numbers where the mask is set, elsewhere 0. */
static inline td_floats_of_water td_floats_where(td_mask_of_water mask, td_floats_of_water floats)
{
    return (td_floats_of_water)(mask & (td_mask_of_water)floats);
}

static inline td_floats_of_water td_positive(td_floats_of_water floats)
{
    return td_floats_where(floats > 0.0f, floats);
}

/* td_water_depth */
static inline td_floats_of_water td_water_depths(const td_data *data, const char *depths)
{
    const float rain = td_float_of(data->params[0]), infiltration = td_float_of(data->params[1]);
    return td_positive(td_load_floats(depths) + rain - infiltration);
}

static inline void td_water_levels(const td_data *data, const char *depths, const char *elevations,
                                   float levels[TD_LEVELS])
{
    for (size_t i = 0; i < TD_LEVELS; i += TD_FLOATS) {
        const td_floats_of_water level =
            td_load_floats(elevations + 4 * i) + td_water_depths(data, depths + 4 * i);
        memcpy(levels + i, &level, sizeof level);
    }
}

/* td_water_discharge. The ninth neighbour, the cell itself, adds nothing. */
static inline void td_water_flows(const td_data *data, const char *depths,
                                  float (*levels)[TD_LEVELS], float rates[TD_FLOWS],
                                  float rests[TD_FLOWS])
{
    for (uint32_t v = 0; v <= TD_FLOWS / TD_FLOATS; v++) {
        const uint32_t end = TD_FLOWS - TD_FLOATS, i = TD_FLOATS * v < end ? TD_FLOATS * v : end;
        const td_floats_of_water level = td_load_floats(levels[1] + i + 1);
        td_floats_of_water falls = {0.0f};
        TD_UNROLLED for (uint32_t k = 0; k < 9; k++)
        {
            falls += td_positive(level - td_load_floats(levels[k / 3] + i + k % 3));
        }
        const td_floats_of_water depth = td_water_depths(data, depths + 4 * (i + 1));
        const td_floats_of_water most = falls * 0.125f;
        const td_floats_of_water discharged =
            td_floats_where(depth < most, depth) + td_floats_where(depth >= most, most);
        const td_floats_of_water rate = td_floats_where(falls > 0.0f, discharged / falls);
        const td_floats_of_water rest = depth - discharged;
        memcpy(rates + i, &rate, sizeof rate);
        memcpy(rests + i, &rest, sizeof rest);
    }
}

/* Each cell's flow is computed once for the row, not for each of its neighbours. No cell is a wall. */
static inline void td_water_host_cells(const td_data *data, const char *const *rows, void *to)
{
    float levels[5][TD_LEVELS], rates[3][TD_FLOWS], rests[3][TD_FLOWS];
    for (uint32_t r = 0; r < 5; r++) {
        td_water_levels(data, rows[r], rows[5 + r], levels[r]);
    }
    for (uint32_t r = 0; r < 3; r++) {
        td_water_flows(data, rows[r + 1], levels + r, rates[r], rests[r]);
    }
    for (uint32_t i = 0; i < TD_HOST_CELLS; i += TD_FLOATS) {
        const td_floats_of_water level = td_load_floats(levels[2] + i + 2);
        td_floats_of_water gain = {0.0f};
        TD_UNROLLED for (uint32_t k = 0; k < 9; k++)
        {
            gain += td_load_floats(rates[k / 3] + i + k % 3) *
                    td_positive(td_load_floats(levels[k / 3 + 1] + i + k % 3 + 1) - level);
        }
        const td_floats_of_water depth = td_load_floats(rests[1] + i + 1) + gain;
        memcpy((float *)to + i, &depth, sizeof depth);
    }
}

/* NULL: compilers make good vectors of the loop over this automaton's cells. */
static td_host_cells_fn *const td_host_cells[TD_WORKLOAD_COUNT] = {
    [TD_WORKLOAD_gol] = td_gol_host_cells,
    [TD_WORKLOAD_life] = td_life_host_cells,
    [TD_WORKLOAD_water] = td_water_host_cells,
};

#endif
