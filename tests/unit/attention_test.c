/* attention_test.c - rows of attention are right within their rounding, and what a kernel may do wrong is seen. */
#include "test.h"

#include <math.h>
#include <string.h>

#include "engine/core/parameter.h"
#include "workloads/workloads.h"

enum { N = 300, HEADS = 4, LATE = 200 };

/* ---- what is wrong with a kernel: each changes which keys a row adds up, or how ---- */

typedef enum fault {
    NONE,
    SKIPS_A_STEP,
    TAKES_A_STEP_TWICE,
    SEES_THE_NEXT_KEY,
    MISSES_ITS_OWN_KEY,
    WINDOW_IS_ONE_SHORT,
    FORGETS_TO_SCALE,
    HAS_OLD_VALUES,
    HAS_KEYS_OF_ANOTHER_HEAD,
    SWAPS_ROWS_OF_A_PAIR,
    LOGARITHM_OF_TWO,
    IS_NOT_WRITTEN,
    FAULTS
} fault;

typedef struct attention {
    td_problem problem;
    td_data data;
} attention;

static double score_of(const attention *a, uint32_t row, uint32_t head, uint32_t of, uint32_t key)
{
    const uint32_t columns = a->data.params[TD_ATTENTION_WIDE];
    const bool is_f16 = a->data.params[TD_ATTENTION_IS_F16] != 0;
    const uint16_t *const q = td_attention_queries(&a->data, head) + row * columns;
    const uint16_t *const k = td_attention_keys(&a->data, of) + key * columns;
    double sum = 0.0;
    for (uint32_t d = 0; d < columns; d++) {
        sum += (double)td_half_number(q[d], is_f16) * (double)td_half_number(k[d], is_f16);
    }
    return sum / sqrt((double)columns);
}

/* How often a key counts in a row, with a fault. */
static double times(const attention *a, fault what, uint32_t row, uint32_t key)
{
    uint32_t first, end;
    td_attention_range(&a->data, row, &first, &end);
    const bool counts = first <= key && key < end;
    switch (what) {
    case SKIPS_A_STEP:
        return counts && key / 64 != 1;
    case TAKES_A_STEP_TWICE:
        return counts + (counts && key / 64 == 1);
    case SEES_THE_NEXT_KEY:
        return counts || (key == end && key < N);
    case MISSES_ITS_OWN_KEY:
        return counts && (key != row || row == 0);
    case WINDOW_IS_ONE_SHORT:
        return counts && (key != first || first == 0);
    case FORGETS_TO_SCALE:
        return counts ? key < 128 ? 1.5 : 1.0 : 0.0;
    default:
        return counts;
    }
}

/* A row as a kernel with this fault leaves it. */
static void put_row(const attention *a, fault what, uint32_t row, uint32_t head)
{
    const uint32_t columns = a->data.params[TD_ATTENTION_WIDE];
    const bool is_f16 = a->data.params[TD_ATTENTION_IS_F16] != 0;
    const uint32_t from = what == SWAPS_ROWS_OF_A_PAIR ? N - 1 - row : row;
    const uint32_t other = what == HAS_KEYS_OF_ANOTHER_HEAD ? (head + HEADS / 2) % HEADS : head;
    double total = 0.0, sums[TD_ATTENTION_MOST_COLUMNS] = {0.0};
    for (uint32_t key = 0; key < N; key++) {
        const double weight = times(a, what, from, key);
        const double p = weight > 0 ? weight * exp(score_of(a, from, head, other, key)) : 0.0;
        const uint32_t of = what == HAS_OLD_VALUES && key >= 128 ? key - 128 : key;
        const uint16_t *const v = td_attention_values(&a->data, other) + of * columns;
        total += p;
        for (uint32_t d = 0; d < columns; d++) {
            sums[d] += p * (double)td_half_number(v[d], is_f16);
        }
    }
    for (uint32_t d = 0; d < columns && what != IS_NOT_WRITTEN; d++) {
        const float number = (float)(sums[d] / total);
        td_attention_result(&a->data, row, head)[d] = is_f16 ? td_f16(number) : td_bf16(number);
    }
    td_attention_logs(&a->data)[head * N + row] =
        (float)(what == LOGARITHM_OF_TWO ? log2(total) : log(total));
}

/* ---- an input and an output ---- */

static void set(attention *a, const char *operand)
{
    td_parameters_preset(&td_attention_workload, a->problem.parameters);
    a->problem.n = N;
    a->problem.seed = 5;
    a->problem.parameters[TD_ATTENTION_HEADS].count = HEADS;
    a->problem.parameters[TD_ATTENTION_KV_HEADS].count = HEADS / 2;
    a->problem.parameters[TD_ATTENTION_OPERAND].count = strcmp(operand, "f16") == 0;
    a->problem.parameters[TD_ATTENTION_COLUMNS].count = strcmp(operand, "f16") == 0 ? 64 : 128;
}

static void make(attention *a)
{
    const td_workload *w = td_workloads[TD_WORKLOAD_attention];
    void *input = malloc(td_workload_input_bytes(w, &a->problem));
    td_workload_fill(w, &a->problem, input);
    td_workload_setup(w, &a->problem, &a->data);
    a->data.input = input;
    a->data.output = malloc(td_workload_output_elements(w, &a->problem) * sizeof(uint16_t));
    memset(a->data.output, 0xff, td_workload_output_elements(w, &a->problem) * sizeof(uint16_t));
}

static void drop(attention *a)
{
    free((void *)(uintptr_t)a->data.input);
    free(a->data.output);
}

/* The rows from `first` on that the check rejects, of head 1. */
static uint32_t rejected(attention *a, fault what, uint32_t first)
{
    uint32_t count = 0;
    for (uint32_t row = first; row < N; row++) {
        put_row(a, what, row, 1);
        count += !td_attention_check(&a->data, row, 1).ok;
    }
    return count;
}

TEST(rows_are_right_within_their_rounding)
{
    for (int variant = 0; variant < 4; variant++) {
        attention a = {0};
        set(&a, variant % 2 == 0 ? "bf16" : "f16");
        a.problem.parameters[TD_ATTENTION_WINDOW].count = variant == 2 ? 70 : 0;
        a.problem.parameters[TD_ATTENTION_MASK].count = variant == 3;
        make(&a);
        for (uint32_t row = 0; row < N; row++) {
            td_attention_cell(&a.data, row, 2);
            assert_true(td_attention_check(&a.data, row, 2).ok);
        }
        assert_int_equal(rejected(&a, NONE, 0), 0);
        drop(&a);
    }
}

TEST(each_fault_of_a_kernel_is_seen_in_every_late_row)
{
    for (int variant = 0; variant < 2; variant++) {
        for (fault what = NONE + 1; what < FAULTS; what++) {
            attention a = {0};
            set(&a, variant == 0 ? "bf16" : "f16");
            a.problem.parameters[TD_ATTENTION_WINDOW].count = what == WINDOW_IS_ONE_SHORT ? 180 : 0;
            make(&a);
            const uint32_t all = what == SEES_THE_NEXT_KEY ? N - LATE - 1 : N - LATE;
            if (rejected(&a, what, LATE) != all) {
                fail_msg("fault %d of variant %d: %u of %u rows", (int)what, variant,
                         rejected(&a, what, LATE), all);
            }
            drop(&a);
        }
    }
}

TEST(heads_share_keys_and_values_in_order)
{
    attention a = {0};
    set(&a, "bf16");
    make(&a);
    const size_t head = (size_t)N * 128;
    const uint16_t *const input = a.data.input;
    for (uint32_t h = 0; h < HEADS; h++) {
        assert_true(td_attention_queries(&a.data, h) == input + h * head);
        assert_true(td_attention_keys(&a.data, h) == input + (HEADS + h / 2) * head);
        assert_true(td_attention_values(&a.data, h) == input + (HEADS + 2 + h / 2) * head);
    }
    assert_int_equal(td_workload_input_bytes(td_workloads[TD_WORKLOAD_attention], &a.problem),
                     (HEADS + 4) * head * 2);
    drop(&a);
}

TEST(numbers_of_the_input_have_a_variance_of_one)
{
    attention a = {0};
    double squares = 0.0, sum = 0.0;
    set(&a, "bf16");
    make(&a);
    const size_t count = (size_t)(HEADS + 4) * N * 128;
    for (size_t i = 0; i < count; i++) {
        const double number = (double)td_half_number(((const uint16_t *)a.data.input)[i], false);
        sum += number;
        squares += number * number;
    }
    assert_true(fabs(sum / (double)count) < 0.01 && fabs(squares / (double)count - 1.0) < 0.01);
    drop(&a);
}
