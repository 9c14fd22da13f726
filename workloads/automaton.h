/* automaton.h - what the cellular automata share: the rule, the first state, a state as bytes. */
#ifndef TD_AUTOMATON_H
#define TD_AUTOMATON_H

#include <string.h>

#include "generate.h"
#include "layout.h"

enum { TD_POISON = 0xa5 }; /* no state of any cell */

/* States of half a billion cells take a core seconds to draw; each cell's draw depends on nothing but its place. */
#ifdef _OPENMP
#define TD_PARALLEL _Pragma("omp parallel for schedule(static, 64)")
#else
#define TD_PARALLEL /* nvcc's host compiler sees this file too */
#endif

static inline td_data td_empty_data(void)
{
    td_data data;
    memset(&data, 0, sizeof data);
    return data;
}

/* ---- the rule ---- */

/*
 * Four cells in one test, a byte each: bit 7 of a byte of n + word[k] says whether n >= limit k, for the word holds
 * 0x80 - limit in each of its bytes. n stays below 64, so that no sum carries into the next byte.
 *
 * A live cell survives where limit 0 is reached and limit 1 is not; a dead one is born likewise with limits 2 and 3. n
 * counts the cell itself, for that is what a sum over a neighbourhood gives: one more than its neighbours if it lives.
 */
static inline void td_setup_rule(uint32_t rule, td_data *data)
{
    const uint32_t limits[4] = {rule / 1000 % 10 + 1, rule / 100 % 10 + 2, rule / 10 % 10, rule % 10 + 1};
    for (int k = 0; k < 4; k++) {
        data->word[k] = (0x80u - limits[k]) * 0x01010101u;
    }
    data->generations = 1;
}

TD_FN uint32_t td_rule_limit(const td_data *data, int k)
{
    return 0x80u - (data->word[k] & 0xffu);
}

/*
 * td_rule_bytes - the next state of four cells, a byte each: 1 alive, 0 dead.
 *
 * Input   n: live cells of each neighbourhood, the cell itself included; alive: the cells
 * Exact   for every rule (test: rule_is_what_its_digits_say)
 */
TD_FN uint32_t td_rule_bytes(const td_data *data, uint32_t n, uint32_t alive)
{
    const uint32_t survives = (n + data->word[0]) & ~(n + data->word[1]);
    const uint32_t is_born = (n + data->word[2]) & ~(n + data->word[3]);
    const uint32_t was_alive = alive << 7;
    return (((survives & was_alive) | (is_born & ~was_alive)) >> 7) & 0x01010101u;
}

/* The same for one cell. */
TD_FN uint32_t td_rule_one(const td_data *data, uint32_t n, uint32_t alive)
{
    return td_rule_bytes(data, n, alive) & 1u;
}

/* ---- a state as bytes: the rows of the domain, one after the other ---- */

TD_FN bool td_is_square(const td_data *data)
{
    return data->full != 0;
}

static inline uint64_t td_state_row(const td_problem *problem, uint32_t row)
{
    return problem->domain == TD_DOMAIN_SQUARE ? (uint64_t)row * problem->n : td_triangle(row);
}

static inline uint32_t td_state_end(const td_problem *problem, uint32_t row)
{
    return problem->domain == TD_DOMAIN_SQUARE ? problem->n : row + 1;
}

static inline uint64_t td_state_bytes(const td_problem *problem)
{
    return td_state_row(problem, problem->n);
}

/* Where the state of a cell lies in the reference, on the device. */
TD_FN uint64_t td_state_at(const td_data *data, uint32_t row, uint32_t col)
{
    return (td_is_square(data) ? (uint64_t)row * data->n : (uint64_t)row * (row + 1) / 2) + col;
}

static inline bool td_starts_alive(const td_problem *problem, uint64_t stream, uint64_t index)
{
    const uint64_t random = td_random_bits(problem->seed, stream, index) >> 54;
    return (double)random < problem->density * 1024.0; /* so 0 is nobody and 1 everybody */
}

/* A whole state at once where the buffer is one. */
static inline void td_state_fill(const td_problem *problem, void *input)
{
    memcpy(input, problem->state, td_state_bytes(problem));
}

static inline void td_state_save(const td_problem *problem, const void *output, uint8_t *state)
{
    memcpy(state, output, td_state_bytes(problem));
}

/* Compare a cell's state with the reference's. */
TD_FN td_verdict td_state_verdict(uint32_t found, uint32_t expected)
{
    td_verdict verdict;
    verdict.ok = found == expected;
    verdict.error = found == expected ? 0.0 : 1.0;
    verdict.tally = 0;
    return verdict;
}

#endif
