/*
 * ld.h - linkage disequilibrium: r^2 of every pair of N genetic variants, each known in H haplotypes.
 *
 *     tribench --workload examples/ld.h --strategy 2d --n 4096 --set haplotypes=2048
 *     tribench --workload examples/ld.h --strategy ltm-i --input haplotypes.npy --set haplotypes=5008
 *
 * Shows a table with as many columns as a parameter says, which its own `fill` packs: a variant is a row of bits, and a
 * cell counts those that two rows share. With a, b and both of H haplotypes (Hill and Robertson 1968)
 *
 *     r^2 = (H both - a b)^2 / (a (H - a) b (H - b)), and 0 if either variant does not vary.
 */
#include "own.h"

enum { TD_LD_WORDS = 0, TD_LD_HAPLOTYPES = 1 }; /* of data->params */

/* Word w of row i is at w N + i, so that neighbouring threads read neighbouring words; then how many bits a row has. */
TD_FN const uint32_t *td_ld_counts(const td_data *data)
{
    return (const uint32_t *)data->input + (uint64_t)data->params[TD_LD_WORDS] * data->n;
}

/* The difference is exact, and no product is part of a sum: every engine computes the same bits. */
TD_FN float td_ld_of(double haplotypes, double a, double b, double both)
{
    const double excess = haplotypes * both - a * b;
    const double spread = a * (haplotypes - a) * (b * (haplotypes - b));
    return spread > 0.0 ? (float)(excess * excess / spread) : 0.0f;
}

TD_FN void td_ld_cell(const td_data *data, uint32_t row, uint32_t col)
{
    const uint32_t *words = (const uint32_t *)data->input;
    const uint32_t *counts = td_ld_counts(data);
    uint32_t both = 0;
    for (uint32_t w = 0; w < data->params[TD_LD_WORDS]; w++, words += data->n) {
        both += td_count_bits(words[row] & words[col]);
    }
    TD_ELEMENT(float, data, row, col) =
        td_ld_of(data->params[TD_LD_HAPLOTYPES], counts[row], counts[col], both);
}

/* Bit by bit. */
TD_FN td_verdict td_ld_check(const td_data *data, uint32_t row, uint32_t col)
{
    const uint32_t *words = (const uint32_t *)data->input;
    const uint32_t haplotypes = data->params[TD_LD_HAPLOTYPES];
    uint32_t a = 0, b = 0, both = 0;
    for (uint32_t h = 0; h < haplotypes; h++) {
        const uint32_t *word = words + (uint64_t)(h / 32) * data->n;
        const uint32_t in_a = word[row] >> h % 32 & 1, in_b = word[col] >> h % 32 & 1;
        a += in_a;
        b += in_b;
        both += in_a & in_b;
    }
    const float found = ((const float *)data->output)[td_place_2d(data, row, col)];
    return td_float_verdict(found, td_ld_of(haplotypes, a, b, both), 0);
}

/* ---- the input ---- */

static inline uint32_t td_ld_haplotypes(const td_problem *problem)
{
    return (uint32_t)problem->parameters[0].count;
}

static inline uint32_t td_ld_words(const td_problem *problem)
{
    return (td_ld_haplotypes(problem) + 31) / 32;
}

static inline uint64_t td_ld_input_bytes(const td_problem *problem)
{
    return ((uint64_t)td_ld_words(problem) + 1) * sizeof(uint32_t) * problem->n;
}

/* Of --input, what is not 0. Generated: the haplotypes of 32 neighbouring variants are copies of one of eight
 * ancestors, and a bit in sixteen has changed since. */
static inline uint32_t td_ld_bit(const td_problem *problem, uint32_t variant, uint32_t h)
{
    if (problem->numbers != NULL) {
        return problem->numbers[(uint64_t)variant * td_ld_haplotypes(problem) + h] != 0.0f;
    }
    const uint64_t seed = problem->seed, ancestor = td_random_bits(seed, variant / 32, h) % 8;
    const uint64_t changed = td_random_bits(seed, 1000000 + h, variant) % 16 == 0;
    return (uint32_t)((td_random_bits(seed, 2000000 + ancestor, variant) & 1) ^ changed);
}

static inline void td_ld_fill(const td_problem *problem, void *input)
{
    const uint32_t words = td_ld_words(problem), n = problem->n;
    uint32_t *to = (uint32_t *)input;
    for (uint64_t at = 0; at < ((uint64_t)words + 1) * n; at++) {
        to[at] = 0;
    }
    for (uint32_t variant = 0; variant < n; variant++) {
        for (uint32_t h = 0; h < td_ld_haplotypes(problem); h++) {
            const uint32_t bit = td_ld_bit(problem, variant, h);
            to[(uint64_t)(h / 32) * n + variant] |= bit << h % 32;
            to[(uint64_t)words * n + variant] += bit;
        }
    }
}

static inline void td_ld_setup(const td_problem *problem, td_data *data)
{
    td_setup_triangle(problem, data);
    data->params[TD_LD_WORDS] = td_ld_words(problem);
    data->params[TD_LD_HAPLOTYPES] = td_ld_haplotypes(problem);
}

static inline uint64_t td_ld_bytes(const td_problem *problem)
{
    return sizeof(float) * td_triangle(problem->n) + td_ld_input_bytes(problem);
}

TD_DESCRIPTOR td_parameter td_ld_parameters[] = {{
    .name = "haplotypes",
    .kind = TD_PARAMETER_COUNT,
    .low = 1,
    .high = 65536,
    .preset = "1024",
    .argument = "H",
    .help = "columns of the table: haplotypes in which each variant is known",
    .key = "h",
    .in_every_key = true,
}};

TD_DESCRIPTOR td_workload_input td_ld_input = {
    .takes = "table (.csv, .npy) of N rows of H numbers, 0 or not 0",
    .columns = TD_COLUMNS_CHOSEN,
    .bytes = td_ld_input_bytes,
    .fill = td_ld_fill,
};

TD_DESCRIPTOR td_workload td_ld_workload = {
    .summary = "linkage disequilibrium: r^2 of N variants in H haplotypes",
    .parameters = td_ld_parameters,
    .parameter_count = 1,
    .element = TD_F32,
    .traits = {.own_element = true},
    .input = &td_ld_input,
    .setup = td_ld_setup,
    .model = {.bytes = td_ld_bytes},
};
