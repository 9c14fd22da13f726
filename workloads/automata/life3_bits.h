/* life3_bits.h - life on a tetrahedron on bits: 32 cells of a row are a word, and each row starts one. */
#ifndef TD_WORKLOADS_AUTOMATA_LIFE3_BITS_H
#define TD_WORKLOADS_AUTOMATA_LIFE3_BITS_H

#include "workloads/automata/life.h"

TD_FN uint32_t td_life3_words(uint32_t cells)
{
    return (cells + 31) / 32;
}

/* Words of rows of 1, 2, 3 ... cells, so many rows. */
TD_FN uint32_t td_life3_words_of_rows(uint32_t rows)
{
    const uint32_t whole = rows / 32;
    return (16 * whole + rows % 32) * (whole + 1);
}

/*
 * The first word of row (y, z). The layers below have rows of 1 .. k cells, for k = 1 .. z.
 *
 * Exact   for N < 65536. Of three numbers that follow each other one is a multiple of 3, so multiplying by the inverse
 *         of 3 modulo 2^64 divides their product
 */
TD_FN uint64_t td_life3_row_word(uint32_t y, uint32_t z)
{
    const uint64_t whole = z / 32, rest = z % 32, twice = whole * (whole + 1);
    const uint64_t layers = 512 * twice * (whole - 1) * 0xaaaaaaaaaaaaaaabu + 264 * twice +
                            16 * twice * rest + (whole + 1) * (rest * (rest + 1) / 2);
    return layers + td_life3_words_of_rows(z + 1) - td_life3_words_of_rows(z + 1 - y);
}

/* What word k of a row adds to the neighbourhoods along it, and the word itself. Outside of the row cells are dead. */
TD_FN td_life_sums td_life3_sum_word(const uint32_t *row, uint32_t cells, uint32_t k,
                                     uint32_t *here)
{
    const uint32_t words = td_life3_words(cells);
    const uint32_t *const at = row + k;
    const uint32_t before = k - 1 < words ? at[-1] : 0, behind = k + 1 < words ? at[1] : 0;
    *here = k < words ? at[0] : 0;
    const uint32_t left = *here << 1 | before >> 31, right = *here >> 1 | behind << 31;
    return td_life_sum_words(&left, here, &right);
}

/* What a layer adds to neighbourhoods: 32 numbers of four bits at once, bit k of each in word k. */
typedef struct td_life3_count {
    uint32_t n[4];
} td_life3_count;

TD_FN td_life3_count td_life3_count_words(const td_life_sums *a, const td_life_sums *b,
                                          const td_life_sums *c)
{
    const td_life_count count = td_life_count_words(a, b, c);
    td_life3_count sum;
    sum.n[0] = count.ones;
    sum.n[1] = count.twos ^ count.carry;
    sum.n[2] = count.fours ^ (count.twos & count.carry);
    sum.n[3] = count.fours & count.twos & count.carry;
    return sum;
}

/* td_bits_rule, by 4555 in few operations: five of a neighbourhood, or six of which the cell is one. */
TD_FN uint32_t td_life3_rule(uint32_t limits, const uint32_t n[4], uint32_t alive)
{
    if (limits == TD_RULE_LIMITS(4555u)) {
        return n[2] & ~n[3] & ((n[0] & ~n[1]) | (~n[0] & n[1] & alive));
    }
    return td_bits_rule(limits, n, alive);
}

/* The next state of 32 cells from what three layers add. No rule has neighbourhoods of 16 alive, or more. */
TD_FN uint32_t td_life3_next_word(uint32_t limits, const td_life3_count *a, const td_life3_count *b,
                                  const td_life3_count *c, uint32_t alive)
{
    uint32_t n[4], carry = 0,
                   more = 0; /* from the digits below: of their sum, and of the three themselves */
    TD_UNROLLED for (uint32_t k = 0; k < 4; k++)
    {
        const uint32_t digit = a->n[k] ^ b->n[k] ^ c->n[k];
        n[k] = digit ^ more ^ carry;
        carry = td_majority(digit, more, carry);
        more = td_majority(a->n[k], b->n[k], c->n[k]);
    }
    return td_life3_rule(limits, n, alive) & ~(more | carry);
}

/* Those of word k that are cells of a row. */
TD_FN uint32_t td_life3_inside(uint32_t cells, uint32_t k)
{
    return cells >= 32 * k + 32 ? ~0u : cells > 32 * k ? (1u << (cells - 32 * k)) - 1 : 0;
}

#endif
