/*
 * bits.h - automata on bits: 32 cells of a row are a word of each plane, and full adders add them up.
 *
 * Plane p holds bit p of the cells' states.
 */
#ifndef TD_WORKLOADS_AUTOMATA_STATE_BITS_H
#define TD_WORKLOADS_AUTOMATA_STATE_BITS_H

#include "store.h"

enum { TD_PLANES = 2 }; /* most planes of an automaton */

/* ---- functions of three bits, for 32 cells at once ---- */

TD_CONSTANT_FN uint32_t td_odd(uint32_t a, uint32_t b, uint32_t c)
{
    return a ^ b ^ c;
}

TD_CONSTANT_FN uint32_t td_majority(uint32_t a, uint32_t b, uint32_t c)
{
    return (a & b) | (a & c) | (b & c);
}

TD_CONSTANT_FN uint32_t td_exactly_one(uint32_t a, uint32_t b, uint32_t c)
{
    return (a ^ b ^ c) & ~(a & b & c);
}

TD_CONSTANT_FN uint32_t td_not_exactly_one(uint32_t a, uint32_t b, uint32_t c)
{
    return ~td_exactly_one(a, b, c);
}

TD_CONSTANT_FN uint32_t td_unequal_or(uint32_t a, uint32_t b, uint32_t c)
{
    return (a ^ b) | c;
}

TD_CONSTANT_FN uint32_t td_equal_and(uint32_t a, uint32_t b, uint32_t c)
{
    return ~(a ^ b) & c;
}

TD_CONSTANT_FN uint32_t td_either_and(uint32_t a, uint32_t b, uint32_t c)
{
    return (a | b) & c;
}

/*
 * TD_LOGIC(function, a, b, c) - one of these functions, as one instruction of the GPU.
 *
 * nvcc turns the expressions into more instructions than they need: 40 for 32 tiles of `gol`, where 28 do. The table of
 * an instruction is the function's value for a table of each operand.
 */
#ifdef __CUDA_ARCH__
template <auto *Logic>
__device__ inline uint32_t td_logic(uint32_t a, uint32_t b, uint32_t c)
{
    constexpr uint32_t table = Logic(0xf0, 0xcc, 0xaa) & 0xff;
    uint32_t result;
    asm("lop3.b32 %0, %1, %2, %3, %4;" : "=r"(result) : "r"(a), "r"(b), "r"(c), "n"(table));
    return result;
}
#define TD_LOGIC(function, a, b, c) td_logic<function>(a, b, c)
#else
#define TD_LOGIC(function, a, b, c) function(a, b, c)
#endif

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

/*
 * td_bits_rule - the next state of 32 cells.
 *
 * Input   limits: those of the rule, see td_setup_rule; n: the live cells in each neighbourhood, the cell itself
 *         included, bit k of each number in word k; alive: the cells
 */
TD_FN uint32_t td_bits_rule(uint32_t limits, const uint32_t n[4], uint32_t alive)
{
    const uint32_t survives =
        td_bits_reach(n, limits & 0xffu) & ~td_bits_reach(n, limits >> 8 & 0xffu);
    const uint32_t is_born =
        td_bits_reach(n, limits >> 16 & 0xffu) & ~td_bits_reach(n, limits >> 24);
    return (alive & survives) | (~alive & is_born);
}

/* ---- words of a row, one after the other ---- */

/* 32 cells of a row as words, one per plane: each cell's left neighbour, the cell itself, its right neighbour. */
typedef struct td_words {
    uint32_t left[TD_PLANES], here[TD_PLANES], right[TD_PLANES];
} td_words;

/* The next state of 32 cells from the three rows around them. */
typedef void td_next_words_fn(const td_data *data, const td_words rows[3],
                              uint32_t next[TD_PLANES]);

TD_FN td_words td_words_at(const td_data *data, uint32_t row, uint32_t col, uint32_t planes)
{
    const uint32_t *word =
        (const uint32_t *)data->input + td_word_row(data, row, planes) + col / 32 * planes;
    td_words words;
    for (uint32_t p = 0; p < TD_PLANES; p++) {
        const uint32_t *here = word + (p < planes ? p : 0);
        words.here[p] = here[0];
        words.left[p] = here[0] << 1 | *(here - planes) >> 31;
        words.right[p] = here[0] >> 1 | here[planes] << 31;
    }
    return words;
}

/* Mask of the cells that lie in the domain, in the word that starts at `col`. */
TD_FN uint32_t td_bits_inside(const td_data *data, uint32_t row, uint32_t col)
{
    const uint32_t end = td_is_square(data) ? data->n : row + 1;
    return col + 32 <= end ? ~0u : col < end ? (1u << (end - col)) - 1u : 0u;
}

/* The first cell of a word computes all of it, so that no two threads write the same word. */
TD_FN void td_in_words(const td_data *data, uint32_t row, uint32_t col, uint32_t planes,
                       td_next_words_fn *next)
{
    if (col % 32 == 0) {
        const td_words rows[3] = {td_words_at(data, row - 1, col, planes),
                                  td_words_at(data, row, col, planes),
                                  td_words_at(data, row + 1, col, planes)};
        uint32_t state[TD_PLANES];
        next(data, rows, state);
        uint32_t *to =
            (uint32_t *)data->output + td_word_row(data, row, planes) + col / 32 * planes;
        for (uint32_t p = 0; p < planes; p++) {
            /* the second plane has one cell fewer: its last one would lie outside of the triangle */
            to[p] = state[p] & td_bits_inside(data, row - p, col);
        }
    }
}

/* ---- for files and verifications ---- */

/* The state of stored cell number `at` (see td_place_of). */
TD_FN uint32_t td_bits_at(const void *words, uint64_t at, uint32_t planes)
{
    const uint32_t *word = (const uint32_t *)words + at / 32 * planes;
    uint32_t state = 0;
    for (uint32_t p = 0; p < planes; p++) {
        state |= (word[p] >> (at & 31u) & 1u) << p;
    }
    return state;
}

/* Every value of a bit is a state, so the poison of a cell is the opposite of its expected state. The first of eight
 * cells poisons them all, a byte of each plane's word, so that no two threads write the same byte. */
TD_FN void td_paint_bits(const td_data *data, uint32_t row, uint32_t col, uint64_t at,
                         uint32_t planes)
{
    const uint8_t *expected = (const uint8_t *)data->expected + td_state_at(data, row, col);
    const uint32_t inside = td_bits_inside(data, row, col);
    for (uint32_t p = 0; p < planes && col % 8 == 0; p++) {
        uint32_t byte = 0;
        for (uint32_t k = 0; k < 8 && (inside >> k & 1u) != 0; k++) {
            byte |= (~(uint32_t)expected[k] >> p & 1u) << k;
        }
        uint32_t *word = (uint32_t *)data->output + at / 32 * planes + p;
        ((uint8_t *)word)[at % 32 / 8] = (uint8_t)byte;
    }
}

#ifdef __CUDACC__
/* The lowest `count` bits; none for less than 0, all from 32 on. */
__device__ inline uint32_t td_lowest_bits(int32_t count)
{
    return __funnelshift_rc(~0u, 0, (uint32_t)max(32 - count, 0));
}

/* The rule that an automaton is known for: a rule known at compile time takes few instructions. */
struct td_usual_rule {
};

/* An automaton on words, for strips: sum_words is a row's part of the neighbourhoods, add_words the next state by a
 * rule. */
template <typename Sums, auto *Sum, auto *Add, auto *AddUsual, uint32_t Usual>
struct td_on_words {
    typedef Sums word_sums;
    static constexpr uint32_t usual = Usual;

    __device__ static Sums sum_words(const uint32_t *left, const uint32_t *here,
                                     const uint32_t *right)
    {
        return Sum(left, here, right);
    }

    __device__ static void add_words(td_usual_rule, const Sums *above, const Sums *here,
                                     const Sums *below, const uint32_t *alive, uint32_t *next)
    {
        AddUsual(above, here, below, alive, next);
    }

    __device__ static void add_words(uint32_t limits, const Sums *above, const Sums *here,
                                     const Sums *below, const uint32_t *alive, uint32_t *next)
    {
        Add(limits, above, here, below, alive, next);
    }
};
#endif

#endif
