/* bits.h - the Game of Life on bits: 32 cells of a row in a word, added up with full adders. */
#ifndef TD_WORKLOADS_LIFE_BITS_H
#define TD_WORKLOADS_LIFE_BITS_H

#include "store.h"

/* 32 numbers at once, number k in bit k of each word. */
typedef struct td_sum2 {
    uint32_t ones, twos;
} td_sum2;

TD_FN uint32_t td_majority(uint32_t a, uint32_t b, uint32_t c)
{
    return (a & b) | (a & c) | (b & c);
}

/* Each cell of a word plus its left and right neighbours; `before` and `behind` are the words beside it. */
TD_FN td_sum2 td_bits_of_row(uint32_t before, uint32_t word, uint32_t behind)
{
    const uint32_t left = word << 1 | before >> 31;
    const uint32_t right = word >> 1 | behind << 31;
    td_sum2 sum;
    sum.ones = left ^ word ^ right;
    sum.twos = td_majority(left, word, right);
    return sum;
}

/*
 * Whether numbers of four bits reach a limit, from the lowest bit up: where the limit has a bit, both the
 * number's bit and the result so far are required; elsewhere one of the two is enough.
 */
TD_FN uint32_t td_bits_reach(const uint32_t n[4], uint32_t limit)
{
    uint32_t reached = ~0u;
    for (uint32_t bit = 0; bit < 4; bit++) {
        /* all ones where the limit has no such bit */
        const uint32_t missing = (limit >> bit & 1u) - 1u;
        reached = td_majority(n[bit], reached, missing);
    }
    return reached;
}

/* The next state of 32 cells from the sums of their row and the rows around it. */
TD_FN uint32_t td_bits_next(const td_data *data, td_sum2 above, td_sum2 here, td_sum2 below,
                            uint32_t alive)
{
    const uint32_t carry = td_majority(above.ones, here.ones, below.ones);
    const uint32_t twos = above.twos ^ here.twos ^ below.twos;
    const uint32_t fours = td_majority(above.twos, here.twos, below.twos);
    const uint32_t n[4] = {above.ones ^ here.ones ^ below.ones, twos ^ carry,
                           fours ^ (twos & carry), fours & twos & carry}; /* at most nine */
    const uint32_t survives =
        td_bits_reach(n, td_rule_limit(data, 0)) & ~td_bits_reach(n, td_rule_limit(data, 1));
    const uint32_t is_born =
        td_bits_reach(n, td_rule_limit(data, 2)) & ~td_bits_reach(n, td_rule_limit(data, 3));
    return (alive & survives) | (~alive & is_born);
}

/* The cells of the word that starts at `col` that lie in the domain. */
TD_FN uint32_t td_bits_inside(const td_data *data, uint32_t row, uint32_t col)
{
    const uint32_t end = td_is_square(data) ? data->n : row + 1;
    return col + 32 <= end ? ~0u : col < end ? (1u << (end - col)) - 1u : 0u;
}

TD_FN td_sum2 td_bits_at(const td_data *data, uint32_t row, uint32_t col)
{
    const uint32_t *word = (const uint32_t *)data->input + td_life_bit_row(data, row) + col / 32;
    return td_bits_of_row(word[-1], word[0], word[1]);
}

/* The first cell of a word computes all of it, so that no two threads write the same word. */
TD_FN void td_life_bits_cell(const td_data *data, uint32_t row, uint32_t col)
{
    if (col % 32 == 0) {
        const uint64_t at = td_life_bit_row(data, row) + col / 32;
        ((uint32_t *)data->output)[at] =
            td_bits_next(data, td_bits_at(data, row - 1, col), td_bits_at(data, row, col),
                         td_bits_at(data, row + 1, col), ((const uint32_t *)data->input)[at]) &
            td_bits_inside(data, row, col);
    }
}

/* Every value of a bit is a state, so the poison of a cell is the opposite of its expected state. */
TD_FN void td_life_bits_paint(const td_data *data, uint32_t row, uint32_t col)
{
    if (col % 32 == 0) {
        const uint8_t *expected = (const uint8_t *)data->expected + td_state_at(data, row, col);
        const uint32_t inside = td_bits_inside(data, row, col);
        uint32_t alive = 0;
        for (uint32_t k = 0; k < 32 && (inside >> k & 1u) != 0; k++) {
            alive |= (uint32_t)(expected[k] != 0) << k;
        }
        ((uint32_t *)data->output)[td_life_bit_row(data, row) + col / 32] = inside & ~alive;
    }
}

/* The bit of a cell; at an edge also that the padding and the rows around the domain are dead. */
TD_FN td_verdict td_life_bits_check(const td_data *data, uint32_t row, uint32_t col)
{
    const uint32_t *output = (const uint32_t *)data->output;
    const uint32_t found = output[td_life_bit_row(data, row) + col / 32] >> col % 32 & 1u;
    td_verdict verdict =
        td_state_verdict(found, ((const uint8_t *)data->expected)[td_state_at(data, row, col)]);
    for (uint32_t k = 0; td_life_at_edge(data, row, col) && k < 9; k++) {
        const uint32_t r = row + k / 3 - 1;
        /* column -1 ends the row before */
        const uint64_t bit = 32 * td_life_bit_row(data, r) + col + k % 3 - 1;
        verdict.ok &=
            td_life_inside(data, r, col + k % 3 - 1) || (output[bit / 32] >> bit % 32 & 1u) == 0;
    }
    return verdict;
}

#endif
