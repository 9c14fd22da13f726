/* automaton.h - the parts that all cellular automata share: the rule, the first state, a state as bytes. */
#ifndef TD_WORKLOADS_AUTOMATA_STATE_AUTOMATON_H
#define TD_WORKLOADS_AUTOMATA_STATE_AUTOMATON_H

#include <string.h>

#include "workloads/generate.h"
#include "workloads/layout.h"

enum { TD_POISON = 0xa5 }; /* not a state of any cell */

/* Runs a loop in parallel: one core takes seconds to generate half a billion cells, and a cell's random number depends
 * only on its place. */
#ifdef _OPENMP
#define TD_PARALLEL _Pragma("omp parallel for schedule(static, 64)")
#else
#define TD_PARALLEL /* nvcc's host compiler sees this file too */
#endif

/* Unrolls a loop over a neighbourhood, so that its elements stay in registers. */
#ifdef __CUDA_ARCH__
#define TD_UNROLLED _Pragma("unroll")
#elif defined __CUDACC__
#define TD_UNROLLED /* nvcc's host compiler runs none of these loops */
#elif defined __clang__
#define TD_UNROLLED _Pragma("clang loop unroll(full)")
#else
#define TD_UNROLLED _Pragma("GCC unroll 32")
#endif

static inline td_data td_empty_data(void)
{
    td_data data;
    memset(&data, 0, sizeof data);
    return data;
}

/* ---- the rule ---- */

/*
 * The rule in two forms. n is the number of live cells in a neighbourhood, the cell itself included. It stays below 16.
 *
 *     params[0]  a table: bit n + 16 alive is the next state
 *     params[1]  limits, one byte each: a live cell survives if limit 0 <= n < limit 1; a dead one is born if
 *                limit 2 <= n < limit 3
 *
 * References take the rule as given, params[2], and read its digits themselves.
 */
TD_CONSTANT_FN uint32_t td_rule_limits(uint32_t rule)
{
    return (rule / 1000 % 10 + 1) | (rule / 100 % 10 + 2) << 8 | rule / 10 % 10 << 16 |
           (rule % 10 + 1) << 24;
}

static inline void td_setup_rule(uint32_t rule, td_data *data)
{
    const uint32_t limits[4] = {rule / 1000 % 10 + 1, rule / 100 % 10 + 2, rule / 10 % 10,
                                rule % 10 + 1};
    data->params[0] = 0;
    data->params[1] = td_rule_limits(rule);
    data->params[2] = rule;
    for (uint32_t n = 0; n < 16; n++) {
        data->params[0] |= (uint32_t)(n >= limits[0] && n < limits[1]) << (n + 16);
        data->params[0] |= (uint32_t)(n >= limits[2] && n < limits[3]) << n;
    }
    data->generations = 1;
}

/* td_rule_one - the next state of a cell: 1 alive, 0 dead. */
TD_FN uint32_t td_rule_one(const td_data *data, uint32_t n, uint32_t alive)
{
    return data->params[0] >> (n + 16 * alive) & 1u;
}

/* td_next_by_digits - the same for references, from the four digits and the live neighbours without the cell itself. */
TD_FN uint32_t td_next_by_digits(const td_data *data, uint32_t neighbours, bool alive)
{
    const uint32_t digits = alive ? data->params[2] / 100 : data->params[2] % 100;
    return digits / 10 <= neighbours && neighbours <= digits % 10;
}

/* ---- a state as bytes: the rows of the domain, one after the other ---- */

TD_FN bool td_is_square(const td_data *data)
{
    return data->full != 0;
}

static inline uint64_t td_state_row(bool square, uint32_t n, uint32_t row)
{
    return square ? (uint64_t)row * n : td_triangle(row);
}

/* Index of a cell's state in the reference, on the device. */
TD_FN uint64_t td_state_at(const td_data *data, uint32_t row, uint32_t col)
{
    return (td_is_square(data) ? (uint64_t)row * data->n : (uint64_t)row * (row + 1) / 2) + col;
}

static inline bool td_starts_alive(const td_problem *problem, double density, uint64_t stream,
                                   uint64_t index)
{
    const uint64_t random = td_random_bits(problem->seed, stream, index) >> 54;
    return (double)random < density * 1024.0; /* at 0 no cell is alive, at 1 every cell */
}

/* Compares a cell's state with the reference's. */
TD_FN td_verdict td_state_verdict(uint32_t found, uint32_t expected)
{
    td_verdict verdict;
    verdict.ok = found == expected;
    verdict.error = found == expected ? 0.0 : 1.0;
    verdict.found = 0;
    return verdict;
}

#endif
