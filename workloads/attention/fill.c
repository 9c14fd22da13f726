#include "workloads/attention.h"
#include "workloads/workloads.h"

/* With a variance of 1, as what networks compute: the sum of four uniform numbers. */
static float generated(const td_problem *problem, int64_t at)
{
    const uint64_t bits = td_random_bits(problem->seed, 0, (uint64_t)at);
    const uint32_t sum =
        (uint32_t)((bits & 0xffff) + (bits >> 16 & 0xffff) + (bits >> 32 & 0xffff) + (bits >> 48));
    return ((float)sum - 131070.0f) * (1.7320508f / 65536.0f);
}

void td_attention_fill(const td_problem *problem, void *input)
{
    uint16_t *const to = input;
    const bool is_f16 = problem->parameters[TD_ATTENTION_OPERAND].count != 0;
    const int64_t count = (int64_t)td_attention_numbers(problem);
#pragma omp parallel for schedule(static)
    for (int64_t i = 0; i < count; i++) {
        const float number = problem->numbers != NULL ? problem->numbers[i] : generated(problem, i);
        to[i] = is_f16 ? td_f16(number) : td_bf16(number);
    }
}

const td_workload *td_attention_variant(const td_problem *problem, const char **why)
{
    const uint64_t heads = problem->parameters[TD_ATTENTION_HEADS].count;
    const uint64_t kv_heads = problem->parameters[TD_ATTENTION_KV_HEADS].count;
    const uint64_t columns = td_attention_columns(problem);
    if (columns != 64 && columns != 128) {
        *why = "--set dim: expected 64 or 128";
        return NULL;
    }
    if (kv_heads > 0 && heads % kv_heads != 0) {
        *why = "--set kv-heads: expected a number that divides the heads";
        return NULL;
    }
    if (problem->parameters[TD_ATTENTION_MASK].count != 0 &&
        problem->parameters[TD_ATTENTION_WINDOW].count != 0) {
        *why = "--set window: is for --set mask=causal";
        return NULL;
    }
    if (problem->parameters[TD_ATTENTION_MASK].count != 0 && problem->lengths.rows != NULL) {
        *why = "--set lengths: is for --set mask=causal, where no row sees keys beyond its own";
        return NULL;
    }
    return td_workloads[TD_WORKLOAD_attention];
}
