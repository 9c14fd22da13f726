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

/* The share of word k of a row in the neighbourhoods along it, and the word itself. Cells outside the row are dead. */
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

/* The sum of three layers: ones + 2 twos + 4 (both of the fours) + 8 (both of the eights). */
typedef struct td_life3_count {
    uint32_t ones, twos, fours[2], eights[2];
} td_life3_count;

TD_FN td_life3_count td_life3_add_layers(const td_life_count *a, const td_life_count *b,
                                         const td_life_count *c)
{
    const uint32_t more = td_majority(a->ones, b->ones, c->ones);
    const uint32_t twos = a->twos ^ b->twos ^ c->twos, carries = a->carry ^ b->carry ^ c->carry;
    const uint32_t carried[3] = {td_majority(a->twos, b->twos, c->twos),
                                 td_majority(a->carry, b->carry, c->carry),
                                 td_majority(twos, carries, more)};
    td_life3_count sum;
    sum.ones = a->ones ^ b->ones ^ c->ones;
    sum.twos = twos ^ carries ^ more;
    sum.fours[0] = a->fours ^ b->fours ^ c->fours;
    sum.fours[1] = carried[0] ^ carried[1] ^ carried[2];
    sum.eights[0] = td_majority(a->fours, b->fours, c->fours);
    sum.eights[1] = td_majority(carried[0], carried[1], carried[2]);
    return sum;
}

/* By 4555: five of a neighbourhood, or six of which the cell is one. */
TD_FN uint32_t td_life3_next_by_4555(const td_life3_count *sum, uint32_t alive)
{
    const uint32_t four_to_seven =
        (sum->fours[0] ^ sum->fours[1]) & ~(sum->eights[0] | sum->eights[1]);
    return four_to_seven & ((sum->ones & ~sum->twos) | (~sum->ones & sum->twos & alive));
}

/* No rule has neighbourhoods of 16 alive, or more. */
TD_FN uint32_t td_life3_next_by_any(uint32_t limits, const td_life3_count *sum, uint32_t alive)
{
    const uint32_t both = sum->fours[0] & sum->fours[1];
    const uint32_t digits[4] = {sum->ones, sum->twos, sum->fours[0] ^ sum->fours[1],
                                sum->eights[0] ^ sum->eights[1] ^ both};
    return td_bits_rule(limits, digits, alive) & ~td_majority(sum->eights[0], sum->eights[1], both);
}

/* The next state of 32 cells from what three layers add. */
TD_FN uint32_t td_life3_next_word(uint32_t limits, const td_life_count *a, const td_life_count *b,
                                  const td_life_count *c, uint32_t alive)
{
    const td_life3_count sum = td_life3_add_layers(a, b, c);
    return limits == TD_RULE_LIMITS(4555u) ? td_life3_next_by_4555(&sum, alive)
                                           : td_life3_next_by_any(limits, &sum, alive);
}

/* Those of word k that are cells of a row. */
TD_FN uint32_t td_life3_inside(uint32_t cells, uint32_t k)
{
    return cells >= 32 * k + 32 ? ~0u : cells > 32 * k ? (1u << (cells - 32 * k)) - 1 : 0;
}

#endif
