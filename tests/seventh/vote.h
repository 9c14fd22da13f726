/* vote.h - each cell joins the majority of its eight neighbours, and keeps its state on a tie. */
#ifndef TD_WORKLOADS_AUTOMATA_VOTE_H
#define TD_WORKLOADS_AUTOMATA_VOTE_H

#include "workloads/automata/state/cells.h"

/* The definition, word for word. */
TD_FN void td_vote_reference(const td_data *data, uint32_t row, uint32_t col)
{
    const uint8_t *state = (const uint8_t *)data->input;
    const uint32_t own = state[td_state_at(data, row, col)];
    uint32_t ayes = 0;
    for (int64_t r = (int64_t)row - 1; r <= (int64_t)row + 1; r++) {
        for (int64_t c = (int64_t)col - 1; c <= (int64_t)col + 1; c++) {
            if (td_in_domain(data, (uint32_t)r, (uint32_t)c) && (r != row || c != col)) {
                ayes += state[td_state_at(data, (uint32_t)r, (uint32_t)c)];
            }
        }
    }
    ((uint8_t *)data->output)[td_state_at(data, row, col)] = (uint8_t)(ayes == 4 ? own : ayes > 4);
}

/* Five of nine cells, including itself: a majority of the others, or half of them and its own vote. */
TD_FN uint32_t td_vote_next(const td_data *data, const uint32_t *w, uint32_t row, uint32_t col)
{
    uint32_t ayes = 0;
    (void)data;
    (void)row;
    (void)col;
    TD_UNROLLED for (uint32_t k = 0; k < 9; k++)
    {
        ayes += w[k];
    }
    return ayes >= 5;
}

/* The same for 32 cells: ones and twos of each row. Set bits: a count of 4 and at least one more, or of 8. */
typedef struct td_vote_sums {
    uint32_t ones, twos;
} td_vote_sums;

TD_FN td_vote_sums td_vote_sum_words(const uint32_t *left, const uint32_t *here,
                                     const uint32_t *right)
{
    td_vote_sums sums;
    sums.ones = left[0] ^ here[0] ^ right[0];
    sums.twos = td_majority(left[0], here[0], right[0]);
    return sums;
}

TD_FN uint32_t td_vote_add_words(td_vote_sums above, td_vote_sums here, td_vote_sums below)
{
    const uint32_t ones = above.ones ^ here.ones ^ below.ones;
    const uint32_t carry = td_majority(above.ones, here.ones, below.ones);
    const uint32_t some = above.twos ^ here.twos ^ below.twos;
    const uint32_t fours = td_majority(above.twos, here.twos, below.twos);
    const uint32_t twos = some ^ carry, more = some & carry; /* a four of twos */
    return (fours & more) | ((fours ^ more) & (twos | ones));
}

TD_FN void td_vote_next_words(const td_data *data, const td_words rows[3], uint32_t *next)
{
    td_vote_sums sums[3];
    (void)data;
    for (int r = 0; r < 3; r++) {
        sums[r] = td_vote_sum_words(rows[r].left, rows[r].here, rows[r].right);
    }
    next[0] = td_vote_add_words(sums[0], sums[1], sums[2]);
}

TD_DESCRIPTOR td_cells td_vote_cells = {
    .reference = td_vote_reference,
    .next = td_vote_next,
    .next_words = td_vote_next_words,
    .planes = 1,
    .expected = td_expected_byte,
};

/* clang-format off */
#define td_vote_table(X)                                                                                               \
    X(vote, conditional, u8, )                                                                                         \
    X(vote, halo, u8, )                                                                                                \
    X(vote, shared, u8, )                                                                                              \
    X(vote, aligned, u8, )                                                                                             \
    X(vote, rect, u8, )                                                                                                \
    X(vote, two_cell, u8, )                                                                                            \
    X(vote, two_generation, u8, )                                                                                      \
    X(vote, strip, u8, )                                                                                               \
    X(vote, four_generation, u8, )                                                                                     \
    X(vote, strip, bit, .side = 768, .words = 1, .lanes = 32, .ahead = 3)                                              \
    X(vote, four_generation, bit, .side = 768, .words = 1, .lanes = 32, .ahead = 3)
/* clang-format on */
TD_DESCRIPTOR td_variant td_vote_variants[] = {td_vote_table(TD_VARIANT)};

extern const td_workload td_vote_workload;

#ifdef __CUDACC__
struct td_vote : td_one_pass<td_vote> {
    typedef uint32_t cell, sums, next;
    typedef td_vote_sums word_sums;

    __device__ static sums sum(const td_data *, uint32_t left, uint32_t here, uint32_t right)
    {
        return left + here + right;
    }

    __device__ static next add(const td_data *, uint32_t above, uint32_t here, uint32_t below,
                               uint32_t, uint32_t, uint32_t)
    {
        return above + here + below >= 5;
    }

    __device__ static word_sums sum_words(const uint32_t *left, const uint32_t *here,
                                          const uint32_t *right)
    {
        return td_vote_sum_words(left, here, right);
    }

    template <typename Rule>
    __device__ static void add_words(Rule, const word_sums *above, const word_sums *here,
                                     const word_sums *below, const uint32_t *, uint32_t *next)
    {
        next[0] = td_vote_add_words(*above, *here, *below);
    }
};
#endif

#endif
