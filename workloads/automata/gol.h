/*
 * gol.h - the Game of Life on triangular tiles: twelve neighbours, those that share a vertex.
 *
 * Cell (i, j) owns the tile U(i, j), which points up, and for j < i D(i, j), which points down, between U(i, j) and
 * U(i, j+1). Bit 0 of its state: U alive; bit 1: D alive. The variants are like those of life.
 */
#ifndef TD_WORKLOADS_AUTOMATA_GOL_H
#define TD_WORKLOADS_AUTOMATA_GOL_H

#include "workloads/automata/state/cells.h"

/*
 * td_gol_next - the next state of U(i, j) and D(i, j).
 *
 * If both tiles of a cell are neighbours, the whole cell is shifted into place, otherwise a single bit: the twelve
 * neighbours and the tile itself become one word, whose bits are counted.
 *
 * Source  Bays 1994, the neighbourhood that shares vertices (test: test_generations of the oracle)
 */
TD_FN uint32_t td_gol_next(const td_data *data, const uint32_t *w, uint32_t row, uint32_t col)
{
    const uint32_t above_left = w[0], above = w[1], above_right = w[2];
    const uint32_t left = w[3], here = w[4], right = w[5];
    const uint32_t below_left = w[6], below = w[7], below_right = w[8];

    const uint32_t both = above_left | here << 2 | below_right << 4;
    const uint32_t up = both | left << 6 | below << 8 | (above & 1u) << 10 | (right & 1u) << 11 |
                        (below_left & 2u) << 11;
    const uint32_t down = both | above << 6 | right << 8 | (above_right & 1u) << 10 |
                          (left & 2u) << 10 | (below & 2u) << 11;
    uint32_t next = td_rule_one(data, td_count_bits(up), here & 1u);
    if (col < row) { /* D(i, i) would lie outside of the triangle */
        next |= td_rule_one(data, td_count_bits(down), here >> 1) << 1;
    }
    return next;
}

/* ---- the definition ---- */

/* The state of one tile, for the reference: 0 outside of the triangle. which: 0 up, 1 down. */
TD_FN uint32_t td_gol_tile(const td_data *data, int64_t row, int64_t col, uint32_t which)
{
    if (row < 0 || row >= (int64_t)data->n || col < 0 || col > row - (int64_t)which) {
        return 0;
    }
    const uint32_t cell =
        ((const uint8_t *)data->input)[td_state_at(data, (uint32_t)row, (uint32_t)col)];
    return cell >> which & 1u;
}

/* The definition, word for word: the live neighbours of U, or of D, tile by tile. */
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
TD_FN uint32_t td_gol_lives(const td_data *data, uint32_t row, uint32_t col, uint32_t which)
{
    return td_next_by_digits(data, td_gol_neighbours(data, row, col, which),
                             td_gol_tile(data, row, col, which) != 0);
}

TD_FN void td_gol_reference(const td_data *data, uint32_t row, uint32_t col)
{
    const uint32_t down = col < row ? td_gol_lives(data, row, col, 1) : 0;
    const uint32_t next = td_gol_lives(data, row, col, 0) | down << 1;
    ((uint8_t *)data->output)[td_state_at(data, row, col)] = (uint8_t)next;
}

/* ---- by rows ---- */

/*
 * The sums that a row adds to the neighbourhoods of the row below it, of its own row and of the row above it. u and d
 * are the tiles of a cell, ul and dl those of the cell to its left, ur and dr those of the cell to its right:
 *
 *     x = ul + dl + u            to U of the row below
 *     p = ul + dl + u + d + ur   to D of the row below, and to U of its own row
 *     q = dl + u + d + ur + dr   to D of its own row, and to U of the row above
 *     y = d + ur + dr            to D of the row above
 *
 * U = x(above) + p(here) + q(below) and D = p(above) + q(here) + y(below), the tile itself included.
 *
 * Exact   tests: gol_by_rows_is_gol_by_cells, and test_generations of the oracle for every variant
 */

/* For one cell: the four sums in the bytes of a word, x lowest. */
TD_FN uint32_t td_gol_sum_cells(uint32_t left, uint32_t here, uint32_t right)
{
    const uint32_t ul = left & 1u, dl = left >> 1, u = here & 1u, d = here >> 1;
    const uint32_t ur = right & 1u, dr = right >> 1;
    const uint32_t x = ul + dl + u, y = d + ur + dr;
    return x | (x + d + ur) << 8 | (y + u + dl) << 16 | y << 24;
}

TD_FN uint32_t td_gol_add_cells(const td_data *data, uint32_t above, uint32_t here, uint32_t below,
                                uint32_t state, bool has_down)
{
    const uint32_t up = (above & 0xffu) + (here >> 8 & 0xffu) + (below >> 16 & 0xffu);
    const uint32_t down = (above >> 8 & 0xffu) + (here >> 16 & 0xffu) + (below >> 24);
    const uint32_t next_down = has_down ? td_rule_one(data, down, state >> 1) : 0;
    return td_rule_one(data, up, state & 1u) | next_down << 1;
}

/* For 32 cells at once: the ones of each sum, and its one or two twos. */
typedef struct td_gol_sums {
    uint32_t x[2], p[3], q[3], y[2];
} td_gol_sums;

TD_FN td_gol_sums td_gol_sum_words(const uint32_t *left, const uint32_t *here,
                                   const uint32_t *right)
{
    const uint32_t u = here[0], d = here[1];
    td_gol_sums s;
    s.x[0] = TD_LOGIC(td_odd, left[0], left[1], u);
    s.x[1] = TD_LOGIC(td_majority, left[0], left[1], u);
    s.y[0] = TD_LOGIC(td_odd, d, right[0], right[1]);
    s.y[1] = TD_LOGIC(td_majority, d, right[0], right[1]);
    s.p[0] = TD_LOGIC(td_odd, s.x[0], d, right[0]);
    s.p[1] = s.x[1];
    s.p[2] = TD_LOGIC(td_majority, s.x[0], d, right[0]);
    s.q[0] = TD_LOGIC(td_odd, s.y[0], u, left[1]);
    s.q[1] = s.y[1];
    s.q[2] = TD_LOGIC(td_majority, s.y[0], u, left[1]);
    return s;
}

/* The sum of three sums, of one, two and two twos: ones + 2 (twos[0] + twos[1]) + 4 (fours[0] + fours[1]), at most
 * 13. */
typedef struct td_gol_count {
    uint32_t ones, twos[2], fours[2];
} td_gol_count;

TD_FN td_gol_count td_gol_count_words(const uint32_t a[2], const uint32_t b[3], const uint32_t c[3])
{
    const uint32_t carry = TD_LOGIC(td_majority, a[0], b[0], c[0]);
    td_gol_count count;
    count.ones = TD_LOGIC(td_odd, a[0], b[0], c[0]);
    count.twos[0] = TD_LOGIC(td_odd, a[1], b[1], b[2]);
    count.twos[1] = TD_LOGIC(td_odd, carry, c[1], c[2]);
    count.fours[0] = TD_LOGIC(td_majority, a[1], b[1], b[2]);
    count.fours[1] = TD_LOGIC(td_majority, carry, c[1], c[2]);
    return count;
}

TD_FN uint32_t td_gol_tile_words(uint32_t limits, const uint32_t a[2], const uint32_t b[3],
                                 const uint32_t c[3], uint32_t alive)
{
    const td_gol_count count = td_gol_count_words(a, b, c);
    const uint32_t four = count.twos[0] & count.twos[1];
    const uint32_t n[4] = {count.ones, count.twos[0] ^ count.twos[1],
                           td_odd(count.fours[0], count.fours[1], four),
                           td_majority(count.fours[0], count.fours[1], four)};
    return td_bits_rule(limits, n, alive);
}

TD_FN void td_gol_add_words(uint32_t limits, const td_gol_sums *above, const td_gol_sums *here,
                            const td_gol_sums *below, const uint32_t *alive, uint32_t *next)
{
    next[0] = td_gol_tile_words(limits, above->x, here->p, below->q, alive[0]);
    next[1] = td_gol_tile_words(limits, below->y, above->p, here->q, alive[1]);
}

/*
 * The same for rule 4644. Counting the tile itself with its neighbours, a tile is born with four alive and survives
 * with five to seven. All of these have exactly one four. Of them, a dead tile needs a four alone, a live one more than
 * that.
 */
TD_FN uint32_t td_gol_usual_tile_words(const uint32_t a[2], const uint32_t b[3],
                                       const uint32_t c[3], uint32_t alive)
{
    const td_gol_count count = td_gol_count_words(a, b, c);
    const uint32_t four = count.twos[0] & count.twos[1];
    const uint32_t is_one_four = TD_LOGIC(td_exactly_one, count.fours[0], count.fours[1], four);
    const uint32_t more =
        TD_LOGIC(td_unequal_or, count.twos[0], count.twos[1], count.ones); /* than fours */
    return TD_LOGIC(td_equal_and, more, alive, is_one_four);
}

TD_FN void td_gol_add_usual_words(const td_gol_sums *above, const td_gol_sums *here,
                                  const td_gol_sums *below, const uint32_t *alive, uint32_t *next)
{
    next[0] = td_gol_usual_tile_words(above->x, here->p, below->q, alive[0]);
    next[1] = td_gol_usual_tile_words(below->y, above->p, here->q, alive[1]);
}

TD_FN void td_gol_next_words(const td_data *data, const td_words rows[3], uint32_t *next)
{
    td_gol_sums sums[3];
    for (int r = 0; r < 3; r++) {
        sums[r] = td_gol_sum_words(rows[r].left, rows[r].here, rows[r].right);
    }
    td_gol_add_words(data->params[1], &sums[0], &sums[1], &sums[2], rows[1].here, next);
}

TD_DESCRIPTOR td_cells td_gol_cells = {
    .reference = td_gol_reference,
    .next = td_gol_next,
    .next_words = td_gol_next_words,
    .planes = 2,
    .expected = td_expected_byte,
    .no_square = true,
};

/* clang-format off */
/* Lanes of 16 bytes leave no registers for four generations. */
#define td_gol_table(X)                                                                                                \
    X(gol, conditional, u8, .registers = 40)                                                                           \
    X(gol, halo, u8, .registers = 32)                                                                                  \
    X(gol, shared, u8, )                                                                                               \
    X(gol, aligned, u8, )                                                                                              \
    X(gol, rect, u8, )                                                                                                 \
    X(gol, two_cell, u8, )                                                                                             \
    X(gol, two_generation, u8, )                                                                                       \
    X(gol, strip, u8, .registers = 96, .band = 48, .block = {32, 6, 1}, .rows = 6,                                     \
      .small = {{24576, {.tile = {480, 48, 1}, .block = {32, 4, 1}}}})                                                 \
    X(gol, four_generation, u8, .registers = 128, .block = {32, 4, 1},                                                 \
      .small = {{3072, {.tile = {480, 32, 1}, .block = {32, 4, 1}}},                                                   \
      {6144, {.tile = {480, 96, 1}, .block = {32, 4, 1}}}, {10240, {.tile = {480, 96, 1}, .block = {32, 2, 1}}},       \
      {24576, {.tile = {0, 480, 1}, .block = {32, 8, 1}}}})                                                            \
    X(gol, strip, bit, .registers = 72, .side = 1920, .band = 48, .block = {32, 4, 1}, .threads_most = 768,            \
      .words = 2, .lanes = 32, .narrow = 8, .rows = 4, .small = {{14336, {.tile = {384, 64, 1}, .block = {32, 4, 1}}}, \
      {28672, {.tile = {1920, 32, 1}, .block = {32, 4, 1}}}})                                                          \
    X(gol, four_generation, bit, .registers = 128, .side = 960, .words = 1, .lanes = 32, .ahead = 2,                   \
      .small = {{3072, {.tile = {960, 24, 1}, .block = {32, 4, 1}}},                                                   \
      {6144, {.tile = {960, 64, 1}, .block = {32, 4, 1}}}, {20480, {.tile = {960, 96, 1}, .block = {32, 4, 1}}}})
/* clang-format on */
TD_DESCRIPTOR td_variant td_gol_variants[] = {td_gol_table(TD_VARIANT)};

extern const td_workload td_gol_workload;

#ifdef __CUDACC__
/* For tile kernels. */
struct td_gol : td_one_pass<td_gol>,
                td_on_words<td_gol_sums, td_gol_sum_words, td_gol_add_words, td_gol_add_usual_words,
                            td_rule_limits(4644u)> {
    typedef uint32_t cell, sums, next;

    __device__ static sums sum(const td_data *, uint32_t left, uint32_t here, uint32_t right)
    {
        return td_gol_sum_cells(left, here, right);
    }

    __device__ static next add(const td_data *data, uint32_t above, uint32_t here, uint32_t below,
                               uint32_t state, uint32_t row, uint32_t col)
    {
        return td_gol_add_cells(data, above, here, below, state, col < row);
    }
};
#endif

#endif
