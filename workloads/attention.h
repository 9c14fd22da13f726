/* attention - softmax(Q K^T / sqrt(D)) V, row by row of a batch of heads: each row of queries against the keys up to
 * its own, all keys, or a window of them. */
#ifndef TD_WORKLOADS_ATTENTION_H
#define TD_WORKLOADS_ATTENTION_H

#include <math.h>

#include "generate.h"
#include "half.h"
#include "layout.h"
#include "points.h"

/* Its parameters, in the order of its table. */
enum {
    TD_ATTENTION_BATCH,
    TD_ATTENTION_HEADS,
    TD_ATTENTION_KV_HEADS,
    TD_ATTENTION_COLUMNS,
    TD_ATTENTION_OPERAND,
    TD_ATTENTION_MASK,
    TD_ATTENTION_WINDOW
};

/* The members of td_data.params. Keys of a row: its own and those before it, so many in all; 0: every key. Shared by:
 * as many heads of queries have the same keys and values. */
enum { TD_ATTENTION_WIDE, TD_ATTENTION_IS_F16, TD_ATTENTION_KEYS_OF_ROW, TD_ATTENTION_SHARED_BY };

enum {
    TD_ATTENTION_MOST_COLUMNS = 128,
    TD_ATTENTION_ROWS = 128, /* of a tile with --kernel tile [cells] */
    TD_ATTENTION_SHARED =
        197888 /* memory of a block of that kernel [bytes], see td_attention_block */
};

/* ---- the input: Q head by head, row by row, then K, then V ---- */

/* The heads of a batch are numbered one after the other, and so are those of keys and values. */
TD_FN uint64_t td_attention_head(const td_data *data)
{
    return (uint64_t)data->n * data->params[TD_ATTENTION_WIDE];
}
TD_FN const uint16_t *td_attention_queries(const td_data *data, uint32_t head)
{
    return (const uint16_t *)data->input + head * td_attention_head(data);
}
TD_FN const uint16_t *td_attention_keys(const td_data *data, uint32_t head)
{
    return td_attention_queries(data, data->batch + head / data->params[TD_ATTENTION_SHARED_BY]);
}
TD_FN const uint16_t *td_attention_values(const td_data *data, uint32_t head)
{
    const uint32_t before = data->batch + data->batch / data->params[TD_ATTENTION_SHARED_BY];
    return td_attention_queries(data, before + head / data->params[TD_ATTENTION_SHARED_BY]);
}

/* ---- the output: rows as in Q, then a float32 per row, the logarithm of its sum of exponentials ---- */

TD_FN uint16_t *td_attention_result(const td_data *data, uint32_t row, uint32_t head)
{
    return (uint16_t *)data->output + head * td_attention_head(data) +
           (uint64_t)row * data->params[TD_ATTENTION_WIDE];
}
TD_FN float *td_attention_logs(const td_data *data)
{
    return (float *)((uint16_t *)data->output + data->batch * td_attention_head(data));
}

/* The keys of a row: from *first on, before *end. */
TD_FN void td_attention_range(const td_data *data, uint32_t row, uint32_t *first, uint32_t *end)
{
    const uint32_t keys = data->params[TD_ATTENTION_KEYS_OF_ROW];
    *first = keys > 0 && row >= keys ? row - keys + 1 : 0;
    *end = keys > 0 ? row + 1 : data->n;
}

/* ---- rows, in double ---- */

/* What a row adds up over its keys: with scores s, weights p = exp(s - most) and a column v of the values, the sums of
 * p, p v, p |v|, (p v)^2 and |v|; and the largest product of the lengths of the query and a key. */
typedef struct td_attention_sums {
    double most, total, length;
    double column[TD_ATTENTION_MOST_COLUMNS], absolute[TD_ATTENTION_MOST_COLUMNS];
    double squares[TD_ATTENTION_MOST_COLUMNS], values[TD_ATTENTION_MOST_COLUMNS];
} td_attention_sums;

/* The score of a query and a key. Leaves the product of their lengths in *length, if it is larger. */
TD_FN double td_attention_score(const td_data *data, const uint16_t *query, const uint16_t *key,
                                double *length)
{
    const uint32_t columns = data->params[TD_ATTENTION_WIDE];
    const bool is_f16 = data->params[TD_ATTENTION_IS_F16] != 0;
    double score = 0.0, query_squares = 0.0, key_squares = 0.0;
    for (uint32_t d = 0; d < columns; d++) {
        const double q = (double)td_half_number(query[d], is_f16);
        const double k = (double)td_half_number(key[d], is_f16);
        score += q * k;
        query_squares += q * q;
        key_squares += k * k;
    }
    *length = fmax(*length, sqrt(query_squares * key_squares));
    return score / sqrt((double)columns);
}

static inline void td_attention_add(const td_data *data, const uint16_t *query, const uint16_t *key,
                                    const uint16_t *value, td_attention_sums *sums)
{
    const uint32_t columns = data->params[TD_ATTENTION_WIDE];
    const bool is_f16 = data->params[TD_ATTENTION_IS_F16] != 0;
    const double score = td_attention_score(data, query, key, &sums->length);
    const double most = fmax(sums->most, score);
    const double scale = exp(sums->most - most), weight = exp(score - most);
    sums->most = most;
    sums->total = sums->total * scale + weight;
    for (uint32_t d = 0; d < columns; d++) {
        const double v = (double)td_half_number(value[d], is_f16), weighted = weight * v;
        sums->column[d] = sums->column[d] * scale + weighted;
        sums->absolute[d] = sums->absolute[d] * scale + fabs(weighted);
        sums->squares[d] = sums->squares[d] * scale * scale + weighted * weighted;
        sums->values[d] += fabs(v);
    }
}

static inline void td_attention_sum(const td_data *data, uint32_t row, uint32_t head,
                                    td_attention_sums *sums)
{
    const uint64_t columns = data->params[TD_ATTENTION_WIDE];
    uint32_t first, end;
    memset(sums, 0, sizeof *sums);
    sums->most = -INFINITY;
    td_attention_range(data, row, &first, &end);
    for (uint32_t key = first; key < end; key++) {
        td_attention_add(data, td_attention_queries(data, head) + row * columns,
                         td_attention_keys(data, head) + key * columns,
                         td_attention_values(data, head) + key * columns, sums);
    }
}

/*
 * td_attention_cell - a row of a head, on the host: rounded from double.
 *
 * Input   data: see above; numbers of 16 bits
 * Output  D numbers of 16 bits, and the logarithm of the sum of exponentials
 */
static inline void td_attention_cell(const td_data *data, uint32_t row, uint32_t head)
{
    td_attention_sums sums;
    uint16_t *const result = td_attention_result(data, row, head);
    td_attention_sum(data, row, head, &sums);
    for (uint32_t d = 0; d < data->params[TD_ATTENTION_WIDE]; d++) {
        const float number = (float)(sums.column[d] / sums.total);
        result[d] = data->params[TD_ATTENTION_IS_F16] != 0 ? td_f16(number) : td_bf16(number);
    }
    td_attention_logs(data)[(uint64_t)head * data->n + row] = (float)(sums.most + log(sums.total));
}

/* ---- checks ---- */

/*
 * The largest relative error of a weight. A score is off by 2^-23 of the lengths' product per addition, of which tensor
 * cores do four at once, see td_gram_error; as an exponent of 2 it is rounded thrice, and so is the largest one. The
 * exponential is off by 2^-22, and so is each scaling when a larger score comes, once per 128 keys at most.
 */
TD_FN double td_attention_weight_error(const td_data *data, double length, uint32_t keys)
{
    const double columns = (double)data->params[TD_ATTENTION_WIDE];
    return length / sqrt(columns) * ((0.25 * columns + 8.0) * 0x1p-23 + 0x1p-21) +
           ((double)keys / 128.0 + 2.0) * 0x1p-22;
}

/*
 * The most by which a column of a row may be off, if `column`, `absolute`, `squares` and `values` are those of
 * td_attention_sums over the total. Weights are rounded to 16 bits before they are multiplied with the values, each by
 * u of itself at most: together by 8 u sqrt(squares) but with probability 2 exp(-32) (Hoeffding 1963). The result is
 * rounded likewise. In f16 a small weight is off by 2^-25.
 */
TD_FN double td_attention_column_error(const td_data *data, double weight_error, uint32_t keys,
                                       double column, double absolute, double squares,
                                       double values)
{
    const bool is_f16 = data->params[TD_ATTENTION_IS_F16] != 0;
    const double u = is_f16 ? 0x1p-11 : 0x1p-8;
    const double additions = 0.25 * keys + 64.0;
    return fmin(u * absolute, 8.0 * u * sqrt(squares)) +
           (2.0 * weight_error + additions * 0x1p-23) * absolute + u * fabs(column) +
           (is_f16 ? 0x1p-25 * (values + 1.0) : 0.0);
}

/* The most by which the logarithm may be off. */
TD_FN double td_attention_log_error(const td_data *data, double weight_error, uint32_t keys,
                                    double length, double log)
{
    const double columns = (double)data->params[TD_ATTENTION_WIDE];
    return weight_error + ((double)keys / 128.0 + 40.0) * 0x1p-24 +
           length / sqrt(columns) * 0x1p-22 + fabs(log) * 0x1p-22 + 0x1p-21;
}

/* Checks a row against its sums in double. */
static inline td_verdict td_attention_check(const td_data *data, uint32_t row, uint32_t head)
{
    td_attention_sums sums;
    uint32_t first, end;
    td_attention_sum(data, row, head, &sums);
    td_attention_range(data, row, &first, &end);
    const uint32_t keys = end - first;
    const double log_sum = sums.most + log(sums.total), total = sums.total;
    const double error = td_attention_weight_error(data, sums.length, keys);
    const double off =
        fabs((double)td_attention_logs(data)[(uint64_t)head * data->n + row] - log_sum);
    td_verdict verdict;
    verdict.found = 0;
    verdict.error = off;
    verdict.ok = off <= td_attention_log_error(data, error, keys, sums.length, log_sum);
    for (uint32_t d = 0; d < data->params[TD_ATTENTION_WIDE]; d++) {
        const double found = (double)td_half_number(td_attention_result(data, row, head)[d],
                                                    data->params[TD_ATTENTION_IS_F16] != 0);
        const double column = sums.column[d] / total, column_off = fabs(found - column);
        verdict.error = fmax(verdict.error, column_off);
        verdict.ok = verdict.ok &&
                     column_off <= td_attention_column_error(
                                       data, error, keys, column, sums.absolute[d] / total,
                                       sums.squares[d] / (total * total), sums.values[d] / total);
    }
    return verdict;
}

/* ---- the descriptor ---- */

/* Heads of queries, or of keys and of values, in all. */
static inline uint64_t td_attention_all_heads(const td_problem *problem, bool of_keys)
{
    const uint64_t kv_heads = problem->parameters[TD_ATTENTION_KV_HEADS].count;
    const uint64_t heads = problem->parameters[TD_ATTENTION_HEADS].count;
    return problem->parameters[TD_ATTENTION_BATCH].count *
           (of_keys && kv_heads > 0 ? kv_heads : heads);
}

static inline uint64_t td_attention_columns(const td_problem *problem)
{
    return problem->parameters[TD_ATTENTION_COLUMNS].count;
}

/* Those of Q, K and V together. */
static inline uint64_t td_attention_matrices(const td_problem *problem)
{
    return td_attention_all_heads(problem, false) + 2 * td_attention_all_heads(problem, true);
}

static inline uint64_t td_attention_numbers(const td_problem *problem)
{
    return td_attention_matrices(problem) * problem->n * td_attention_columns(problem);
}

static inline uint64_t td_attention_input_bytes(const td_problem *problem)
{
    return td_attention_numbers(problem) * sizeof(uint16_t);
}

static inline bool td_attention_unfit(const td_problem *problem, const float *points, uint32_t rows,
                                      uint32_t columns, td_unfit *unfit)
{
    const bool is_f16 = problem->parameters[TD_ATTENTION_OPERAND].count != 0;
    return td_are_beyond_halves(points, rows, columns, is_f16, unfit);
}

/* In elements of 16 bits; the logarithms take two each. */
static inline uint64_t td_attention_elements(const td_problem *problem)
{
    return td_attention_all_heads(problem, false) * problem->n *
           (td_attention_columns(problem) + 2);
}

static inline void td_attention_setup(const td_problem *problem, td_data *data)
{
    const uint32_t window = (uint32_t)problem->parameters[TD_ATTENTION_WINDOW].count;
    td_setup_triangle(problem, data);
    data->params[TD_ATTENTION_WIDE] = (uint32_t)td_attention_columns(problem);
    data->params[TD_ATTENTION_IS_F16] = problem->parameters[TD_ATTENTION_OPERAND].count != 0;
    data->params[TD_ATTENTION_KEYS_OF_ROW] = problem->parameters[TD_ATTENTION_MASK].count != 0 ? 0
                                             : window > 0 ? window
                                                          : INT32_MAX;
    data->params[TD_ATTENTION_SHARED_BY] =
        (uint32_t)(td_attention_all_heads(problem, false) / td_attention_all_heads(problem, true));
}

/* What counts in a head of each sequence, together: pairs of a query and a key. */
static inline uint64_t td_attention_pairs(const td_problem *problem)
{
    const uint64_t window = problem->parameters[TD_ATTENTION_WINDOW].count;
    const uint32_t batch = (uint32_t)problem->parameters[TD_ATTENTION_BATCH].count;
    uint64_t pairs = 0;
    for (uint32_t b = 0; b < batch; b++) {
        const uint64_t n = td_length_of(problem->lengths, problem->n, batch, b);
        const uint64_t left = window > 0 && window < n ? n - window : 0;
        pairs += problem->parameters[TD_ATTENTION_MASK].count != 0
                     ? n * n
                     : td_triangle(n) - td_triangle(left);
    }
    return pairs;
}

static inline uint64_t td_attention_bytes(const td_problem *problem)
{
    return td_attention_input_bytes(problem) + td_attention_elements(problem) * sizeof(uint16_t);
}

static inline uint64_t td_attention_flops(const td_problem *problem)
{
    return 4 * td_attention_columns(problem) * problem->parameters[TD_ATTENTION_HEADS].count *
           td_attention_pairs(problem);
}

/* In attention/fill.c. */
#ifdef __cplusplus
extern "C" {
#endif
void td_attention_fill(const td_problem *problem, void *input);
const td_workload *td_attention_variant(const td_problem *problem, const char **why);
#ifdef __cplusplus
}
#endif

TD_DESCRIPTOR td_parameter td_attention_parameters[] = {
    {
        .name = "batch",
        .kind = TD_PARAMETER_COUNT,
        .low = 1,
        .high = 4096,
        .preset = "1",
        .argument = "B",
        .help = "sequences of N rows, or triangles, that a launch computes",
        .key = "batch",
    },
    {
        .name = "heads",
        .kind = TD_PARAMETER_COUNT,
        .low = 1,
        .high = 1024,
        .preset = "16",
        .argument = "H",
        .help = "heads of queries of each sequence",
        .key = "h",
        .in_every_key = true,
    },
    {
        .name = "kv-heads",
        .kind = TD_PARAMETER_COUNT,
        .low = 0,
        .high = 1024,
        .preset = "0",
        .argument = "H",
        .help = "heads of keys and values, which divide those of queries; 0: as many",
        .key = "kv",
    },
    {
        .name = "dim",
        .kind = TD_PARAMETER_COUNT,
        .low = 64,
        .high = 128,
        .preset = "128",
        .argument = "D",
        .help = "columns of a head, 64 or 128",
        .key = "d",
        .in_every_key = true,
    },
    {
        .name = "operand",
        .kind = TD_PARAMETER_CHOICE,
        .choices = "bf16|f16",
        .preset = "bf16",
        .argument = "FORMAT",
        .help = "the format of the numbers that products take",
        .key = "",
    },
    {
        .name = "mask",
        .kind = TD_PARAMETER_CHOICE,
        .choices = "causal|full",
        .preset = "causal",
        .argument = "MASK",
        .help = "the keys of a row: those up to its own, or all",
        .key = "",
    },
    {
        .name = "window",
        .kind = TD_PARAMETER_COUNT,
        .low = 0,
        .high = 1048576,
        .preset = "0",
        .argument = "W",
        .help = "causal: keys of a row, its own the last one; 0: all of them",
        .key = "w",
    },
};

TD_DESCRIPTOR td_workload_input td_attention_input = {
    .takes = "table (.csv, .npy) of N rows of D numbers per head: all heads of Q, then of K, of V",
    .columns = TD_COLUMNS_CHOSEN,
    .chosen_by = TD_ATTENTION_COLUMNS,
    .matrices = td_attention_matrices,
    .of_halves = true,
    .bytes = td_attention_input_bytes,
    .fill = td_attention_fill,
    .unfit = td_attention_unfit,
};

TD_DESCRIPTOR td_tiles td_attention_tiles = {
    .only = "--kernel tile",
    .instead = "--kernel tile",
    .multiple = TD_ATTENTION_ROWS,
    .most = TD_ATTENTION_ROWS,
    .side = TD_ATTENTION_ROWS,
    .threads_multiple = 256,
    .threads_most = 256,
    .block = {32, 8, 1},
    .cluster_shared = TD_ATTENTION_SHARED,
    .cluster_copiers = 128,
};

TD_DESCRIPTOR td_workload td_attention_workload = {
    .name = "attention",
    .summary = "softmax(Q K^T / sqrt(D)) V of a batch of heads, on tensor cores",
    .dimension = 2,
    .parameters = td_attention_parameters,
    .parameter_count = sizeof td_attention_parameters / sizeof td_attention_parameters[0],
    .element = TD_BF16,
    .traits = {.is_rounded = true, .by_rows = true},
    .input = &td_attention_input,
    .tiles = &td_attention_tiles,
    .variant = td_attention_variant,
    .output_elements = td_attention_elements,
    .setup = td_attention_setup,
    .model = {.bytes = td_attention_bytes, .flops = td_attention_flops},
};

#endif
