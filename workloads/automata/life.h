/*
 * life.h - Conway's Game of Life on the square cells of a triangle, or of the whole square.
 *
 * One name, many variants, chosen by --memory and --cell. Only the neighbourhood is defined here; the code that reads
 * it is shared with other automata.
 */
#ifndef TD_WORKLOADS_AUTOMATA_LIFE_H
#define TD_WORKLOADS_AUTOMATA_LIFE_H

#include "workloads/automata/state/cells.h"

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
    ((uint8_t *)data->output)[td_state_at(data, row, col)] =
        (uint8_t)td_next_by_digits(data, neighbours, alive != 0);
}

TD_FN uint32_t td_life_next(const td_data *data, const uint32_t *w, uint32_t row, uint32_t col)
{
    (void)row;
    (void)col;
    return td_rule_one(data, w[4] + w[5] + w[6] + w[7] + w[8] + w[0] + w[1] + w[2] + w[3], w[4]);
}

/* ---- on bits ---- */

/* The sums over three cells of a row, for 32 cells at once: bit k of each sum in word k. */
typedef struct td_life_sums {
    uint32_t n[2];
} td_life_sums;

TD_FN td_life_sums td_life_sum_words(const uint32_t *left, const uint32_t *here,
                                     const uint32_t *right)
{
    td_life_sums sums;
    sums.n[0] = TD_LOGIC(td_odd, left[0], here[0], right[0]);
    sums.n[1] = TD_LOGIC(td_majority, left[0], here[0], right[0]);
    return sums;
}

/* The sum of three rows with the carry kept apart: ones + 2 (twos + carry) + 4 fours, at most nine. */
typedef struct td_life_count {
    uint32_t ones, carry, twos, fours;
} td_life_count;

TD_FN td_life_count td_life_count_words(const td_life_sums *above, const td_life_sums *here,
                                        const td_life_sums *below)
{
    td_life_count count;
    count.ones = TD_LOGIC(td_odd, above->n[0], here->n[0], below->n[0]);
    count.carry = TD_LOGIC(td_majority, above->n[0], here->n[0], below->n[0]);
    count.twos = TD_LOGIC(td_odd, above->n[1], here->n[1], below->n[1]);
    count.fours = TD_LOGIC(td_majority, above->n[1], here->n[1], below->n[1]);
    return count;
}

TD_FN void td_life_add_words(uint32_t limits, const td_life_sums *above, const td_life_sums *here,
                             const td_life_sums *below, const uint32_t *alive, uint32_t *next)
{
    const td_life_count c = td_life_count_words(above, here, below);
    const uint32_t n[4] = {c.ones, c.twos ^ c.carry, c.fours ^ (c.twos & c.carry),
                           c.fours & c.twos & c.carry};
    next[0] = td_bits_rule(limits, n, alive[0]);
}

/*
 * The same for Conway's rule, 2333. Counting the cell itself, a cell with three alive lives, and a cell with four alive
 * stays as it is; with any other count it is dead.
 *
 * Exact   for all counts that occur: a live cell counts itself, so it never has none. `even` says that the count
 *         without its ones is neither two nor four. Of all that give the rule, these three instructions are the
 *         simplest.
 */
TD_FN void td_life_add_usual_words(const td_life_sums *above, const td_life_sums *here,
                                   const td_life_sums *below, const uint32_t *alive, uint32_t *next)
{
    const td_life_count c = td_life_count_words(above, here, below);
    const uint32_t even = TD_LOGIC(td_not_exactly_one, c.twos, c.carry, c.fours);
    const uint32_t three_or_four = TD_LOGIC(td_exactly_one, even, c.fours, c.ones);
    next[0] = TD_LOGIC(td_either_and, c.ones, alive[0], three_or_four);
}

TD_FN void td_life_next_words(const td_data *data, const td_words rows[3], uint32_t *next)
{
    td_life_sums sums[3];
    for (int r = 0; r < 3; r++) {
        sums[r] = td_life_sum_words(rows[r].left, rows[r].here, rows[r].right);
    }
    td_life_add_words(data->params[1], &sums[0], &sums[1], &sums[2], rows[1].here, next);
}

TD_DESCRIPTOR td_cells td_life_cells = {
    .reference = td_life_reference,
    .next = td_life_next,
    .next_words = td_life_next_words,
    .planes = 1,
    .expected = td_expected_byte,
};

/* clang-format off */
/* With 32 registers, 2048 threads of shared u8 are resident. */
#define td_life_table(X)                                                                                               \
    X(life, conditional, u32, .registers = 40)                                                                         \
    X(life, conditional, u8, .registers = 40)                                                                          \
    X(life, halo, u32, .registers = 32)                                                                                \
    X(life, halo, u8, .registers = 32)                                                                                 \
    X(life, shared, u32, .registers = 32)                                                                              \
    X(life, shared, u8, .registers = 32)                                                                               \
    X(life, aligned, u32, )                                                                                            \
    X(life, aligned, u8, )                                                                                             \
    X(life, rect, u32, )                                                                                               \
    X(life, rect, u8, )                                                                                                \
    X(life, two_cell, u32, )                                                                                           \
    X(life, two_cell, u8, )                                                                                            \
    X(life, two_generation, u32, )                                                                                     \
    X(life, two_generation, u8, )                                                                                      \
    X(life, strip, u32, .registers = 48, .side = 120, .band = 24, .block = {40, 4, 1}, .rows = 2)                      \
    X(life, strip, u8, .registers = 64, .band = 24, .block = {32, 8, 1}, .rows = 4,                                    \
      .small = {{24576, {.tile = {480, 24, 1}, .block = {32, 4, 1}}}})                                                 \
    X(life, four_generation, u32, .registers = 128)                                                                    \
    X(life, four_generation, u8, .registers = 128, .block = {32, 4, 1},                                                \
      .small = {{3072, {.tile = {480, 32, 1}, .block = {32, 4, 1}}},                                                   \
      {16384, {.tile = {480, 96, 1}, .block = {32, 4, 1}}}, {24576, {.tile = {0, 480, 1}, .block = {32, 8, 1}}}})      \
    X(life, strip, bit, .registers = 64, .side = 3840, .band = 32, .block = {32, 4, 1}, .threads_most = 1024,          \
      .words = 4, .lanes = 32, .narrow = 8, .rows = 4,                                                                 \
      .small = {{28672, {.tile = {768, 64, 1}, .block = {32, 4, 1}}}})                                                 \
    X(life, four_generation, bit, .registers = 64, .side = 960, .words = 1, .lanes = 32, .ahead = 3,                   \
      .small = {{3072, {.tile = {960, 24, 1}, .block = {32, 4, 1}}},                                                   \
      {6144, {.tile = {960, 64, 1}, .block = {32, 4, 1}}}, {18432, {.tile = {960, 96, 1}, .block = {32, 4, 1}}}})
/* clang-format on */
TD_DESCRIPTOR td_variant td_life_variants[] = {td_life_table(TD_VARIANT)};

extern const td_workload td_life_workload;

#ifdef __CUDACC__
/* For tile kernels. */
struct td_life : td_one_pass<td_life>,
                 td_on_words<td_life_sums, td_life_sum_words, td_life_add_words,
                             td_life_add_usual_words, td_rule_limits(2333u)> {
    typedef uint32_t cell, sums, next;

    __device__ static sums sum(const td_data *, uint32_t left, uint32_t here, uint32_t right)
    {
        return left + here + right;
    }

    __device__ static next add(const td_data *data, uint32_t above, uint32_t here, uint32_t below,
                               uint32_t state, uint32_t, uint32_t)
    {
        return td_rule_one(data, above + here + below, state);
    }
};
#endif

#endif
