/*
 * jaccard.h - similarity of N sets: how many of 256 members two of them share, and how many either has.
 *
 *     tribench --workload examples/jaccard.h --strategy 2d --n 4096
 *
 * Shows an input that is no table, with a size and a `fill` of its own; integers, whose outputs must agree bit for bit;
 * and a check of its own, which recounts member by member. A cell stores shared << 16 | either.
 */
#include "own.h"

enum { TD_JACCARD_WORDS = 8 };

TD_FN void td_jaccard_cell(const td_data *data, uint32_t row, uint32_t col)
{
    const uint32_t *sets = (const uint32_t *)data->input;
    uint32_t shared = 0, either = 0;
    for (uint32_t w = 0; w < TD_JACCARD_WORDS; w++) {
        const uint32_t a = sets[w * data->n + row], b = sets[w * data->n + col];
        shared += td_count_bits(a & b);
        either += td_count_bits(a | b);
    }
    TD_ELEMENT(uint32_t, data, row, col) = shared << 16 | either;
}

TD_FN td_verdict td_jaccard_check(const td_data *data, uint32_t row, uint32_t col)
{
    const uint32_t *sets = (const uint32_t *)data->input;
    const uint32_t found = ((const uint32_t *)data->output)[td_place_2d(data, row, col)];
    uint32_t shared = 0, either = 0;
    for (uint32_t member = 0; member < 32 * TD_JACCARD_WORDS; member++) {
        const uint32_t *word = sets + member / 32 * data->n;
        const uint32_t in_a = word[row] >> member % 32 & 1, in_b = word[col] >> member % 32 & 1;
        shared += in_a & in_b;
        either += in_a | in_b;
    }
    td_verdict verdict;
    verdict.ok = found == (shared << 16 | either);
    verdict.error = verdict.ok ? 0.0 : 1.0;
    verdict.found = 0;
    return verdict;
}

static inline uint64_t td_jaccard_input_bytes(const td_problem *problem)
{
    return (uint64_t)TD_JACCARD_WORDS * sizeof(uint32_t) * problem->n;
}

/* A third of the members: two sets share a ninth. */
static inline void td_jaccard_fill(const td_problem *problem, void *input)
{
    uint32_t *to = (uint32_t *)input;
    for (uint64_t word = 0; word < (uint64_t)TD_JACCARD_WORDS * problem->n; word++) {
        to[word] = 0;
        for (uint32_t bit = 0; bit < 32; bit++) {
            to[word] |= (uint32_t)(td_random_bits(problem->seed, bit, word) % 3 == 0) << bit;
        }
    }
}

static inline uint64_t td_jaccard_bytes(const td_problem *problem)
{
    return sizeof(uint32_t) * td_triangle(problem->n) + td_jaccard_input_bytes(problem);
}

TD_DESCRIPTOR td_workload_input td_jaccard_input = {
    .bytes = td_jaccard_input_bytes,
    .fill = td_jaccard_fill,
};

TD_DESCRIPTOR td_workload td_jaccard_workload = {
    .summary = "members that sets of 256 share, and those that either has",
    .element = TD_U32,
    .traits = {.own_element = true},
    .input = &td_jaccard_input,
    .model = {.bytes = td_jaccard_bytes, .int_ops = 6 * TD_JACCARD_WORDS},
};
