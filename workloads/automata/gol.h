/* gol - the Game of Life on triangular tiles: twelve neighbours, those that share a vertex. */
#ifndef TD_WORKLOADS_GOL_H
#define TD_WORKLOADS_GOL_H

#include "automaton.h"

/*
 * Cell (i, j) owns the tile U(i, j), which points up, and for j < i D(i, j), which points down, between U(i, j) and
 * U(i, j+1). Bit 0 of its byte: U alive; bit 1: D alive.
 */
TD_FN uint32_t td_gol_at(const td_data *data, uint32_t row, uint32_t col)
{
    /* left of and above the domain coordinates wrap to huge ones */
    const bool inside = row < data->n && col <= row;
    return inside ? ((const uint8_t *)data->input)[td_row_start(data, row) + col] : 0;
}

/*
 * td_gol_cell - the next state of U(i, j) and D(i, j).
 *
 * Whole cells are shifted into place where both of their tiles are neighbours, single bits elsewhere: a
 * neighbourhood of twelve tiles and the tile itself become one word, whose bits are counted.
 *
 * Source  Bays 1994, the neighbourhood that shares vertices (test: gol_agrees_with_shared_vertices)
 */
TD_FN void td_gol_cell(const td_data *data, uint32_t row, uint32_t col)
{
    const uint32_t above_left = td_gol_at(data, row - 1, col - 1);
    const uint32_t above = td_gol_at(data, row - 1, col);
    const uint32_t above_right = td_gol_at(data, row - 1, col + 1);
    const uint32_t left = td_gol_at(data, row, col - 1);
    const uint32_t here = td_gol_at(data, row, col);
    const uint32_t right = td_gol_at(data, row, col + 1);
    const uint32_t below_left = td_gol_at(data, row + 1, col - 1);
    const uint32_t below = td_gol_at(data, row + 1, col);
    const uint32_t below_right = td_gol_at(data, row + 1, col + 1);

    const uint32_t both = above_left | here << 2 | below_right << 4;
    const uint32_t up = both | left << 6 | below << 8 | (above & 1u) << 10 | (right & 1u) << 11 |
                        (below_left & 2u) << 11;
    const uint32_t down = both | above << 6 | right << 8 | (above_right & 1u) << 10 |
                          (left & 2u) << 10 | (below & 2u) << 11;
    uint32_t next = td_rule_one(data, td_count_bits(up), here & 1u);
    if (col < row) { /* D(i, i) would lie outside of the triangle */
        next |= td_rule_one(data, td_count_bits(down), here >> 1) << 1;
    }
    ((uint8_t *)data->output)[td_row_start(data, row) + col] = (uint8_t)next;
}

/* One tile of the reference: 0 outside of the triangle. which: 0 up, 1 down. */
TD_FN uint32_t td_gol_tile(const td_data *data, int64_t row, int64_t col, uint32_t which)
{
    if (row < 0 || row >= (int64_t)data->n || col < 0 || col > row - (int64_t)which) {
        return 0;
    }
    const uint32_t cell =
        ((const uint8_t *)data->input)[td_state_at(data, (uint32_t)row, (uint32_t)col)];
    return cell >> which & 1u;
}

/* The definition, word for word: the list of neighbours of U, or of D, tile by tile. */
TD_FN uint32_t td_gol_neighbours(const td_data *data, uint32_t row, uint32_t col, uint32_t which)
{
    const int64_t i = row, j = col;
    if (which == 0) {
        return td_gol_tile(data, i - 1, j - 1, 0) + td_gol_tile(data, i - 1, j, 0) +
               td_gol_tile(data, i, j - 1, 0) + td_gol_tile(data, i, j + 1, 0) +
               td_gol_tile(data, i + 1, j, 0) + td_gol_tile(data, i + 1, j + 1, 0) +
               td_gol_tile(data, i - 1, j - 1, 1) + td_gol_tile(data, i, j - 1, 1) +
               td_gol_tile(data, i, j, 1) + td_gol_tile(data, i + 1, j - 1, 1) +
               td_gol_tile(data, i + 1, j, 1) + td_gol_tile(data, i + 1, j + 1, 1);
    }
    return td_gol_tile(data, i - 1, j - 1, 0) + td_gol_tile(data, i - 1, j, 0) +
           td_gol_tile(data, i - 1, j + 1, 0) + td_gol_tile(data, i, j, 0) +
           td_gol_tile(data, i, j + 1, 0) + td_gol_tile(data, i + 1, j + 1, 0) +
           td_gol_tile(data, i - 1, j - 1, 1) + td_gol_tile(data, i - 1, j, 1) +
           td_gol_tile(data, i, j - 1, 1) + td_gol_tile(data, i, j + 1, 1) +
           td_gol_tile(data, i + 1, j, 1) + td_gol_tile(data, i + 1, j + 1, 1);
}

/* Whether a tile lives in the next generation, by the digits of the rule. */
TD_FN uint32_t td_gol_next(const td_data *data, uint32_t row, uint32_t col, uint32_t which)
{
    const uint32_t neighbours = td_gol_neighbours(data, row, col, which);
    if (td_gol_tile(data, row, col, which) != 0) {
        return neighbours + 1 >= td_rule_limit(data, 0) && neighbours + 1 < td_rule_limit(data, 1);
    }
    return neighbours >= td_rule_limit(data, 2) && neighbours < td_rule_limit(data, 3);
}

TD_FN void td_gol_reference(const td_data *data, uint32_t row, uint32_t col)
{
    const uint32_t down = col < row ? td_gol_next(data, row, col, 1) : 0;
    const uint32_t next = td_gol_next(data, row, col, 0) | down << 1;
    ((uint8_t *)data->output)[td_state_at(data, row, col)] = (uint8_t)next;
}

TD_FN td_verdict td_gol_check(const td_data *data, uint32_t row, uint32_t col)
{
    const uint64_t at = td_state_at(data, row, col);
    return td_state_verdict(((const uint8_t *)data->output)[at],
                            ((const uint8_t *)data->expected)[at]);
}

/* The order of the table below. */
enum { TD_GOL_STEPS, TD_GOL_RULE, TD_GOL_DENSITY, TD_GOL_PARAMETERS };

TD_DESCRIPTOR td_parameter td_gol_parameters[] = {
    TD_PARAMETER_STEPS,
    TD_PARAMETER_RULE("4644"),
    TD_PARAMETER_DENSITY,
};

static inline uint32_t td_gol_steps(const td_problem *problem)
{
    return (uint32_t)problem->parameters[TD_GOL_STEPS].count;
}

static inline uint64_t td_gol_elements(const td_problem *problem)
{
    return td_triangle(problem->n);
}

/* Every tile has its own random number: stream 0 for tiles that point up, stream 1 for those that point down. */
static inline void td_gol_start(const td_problem *problem, uint8_t *state)
{
    const double density = problem->parameters[TD_GOL_DENSITY].real;
    TD_PARALLEL
    for (uint32_t row = 0; row < problem->n; row++) {
        for (uint32_t col = 0; col <= row; col++) {
            const uint64_t at = td_triangle(row) + col;
            const bool up = td_starts_alive(problem, density, 0, at);
            const bool down = col < row && td_starts_alive(problem, density, 1, at);
            state[at] = (uint8_t)(up + 2 * down);
        }
    }
}

/* The buffer is the state. */
static inline void td_gol_fill(const td_problem *problem, void *input)
{
    memcpy(input, problem->state, td_gol_elements(problem));
}

static inline void td_gol_save(const td_problem *problem, const void *output, uint8_t *state)
{
    memcpy(state, output, td_gol_elements(problem));
}

static inline void td_gol_setup(const td_problem *problem, td_data *data)
{
    td_setup_triangle(problem, data);
    td_setup_rule((uint32_t)problem->parameters[TD_GOL_RULE].count, data);
}

static inline uint64_t td_gol_bytes(const td_problem *problem)
{
    return 2 * td_gol_elements(problem) * td_gol_steps(problem); /* read and written */
}

TD_DESCRIPTOR td_workload td_gol_workload = {
    .name = "gol",
    .summary = "Game of Life on triangular tiles, 12 neighbours, rule 4644",
    .input = "state (.npy) of N(N+1)/2 bytes, bit 0 the tile that points up, bit 1 the other",
    .id = TD_WORKLOAD_gol,
    .dimension = 2,
    .parameters = td_gol_parameters,
    .parameter_count = TD_GOL_PARAMETERS,
    .element = TD_U8,
    .poison = TD_POISON,
    .generations = 1,
    .most = 3,
    .cell_shape = TD_CELLS_ARE_TRIANGLES,
    .steps = td_gol_steps,
    .output_elements = td_gol_elements,
    .input_bytes = td_gol_elements,
    .fill = td_gol_fill,
    .setup = td_gol_setup,
    .bytes = td_gol_bytes,
    .start = td_gol_start,
    .save = td_gol_save,
};

#endif
