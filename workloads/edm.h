/* edm1 .. edm4 - the Euclidean distance matrix of N points with 1 to 4 features. */
#ifndef TD_WORKLOADS_EDM_H
#define TD_WORKLOADS_EDM_H

#include <math.h>
#include <string.h>

#include "generate.h"
#include "layout.h"
#include "place.h"
#include "points.h"

/*
 * td_edm_distance - sqrt(sum_k (a_i[k] - a_j[k])^2) in float32.
 *
 * Input   data: feature k of point i at input[k N + i]; `features` is a constant wherever this is inlined
 * Exact   bit for bit on generated input; otherwise within 2 ulp of the reference
 * Source  Navarro and Hitschfeld, triangular domains, equation (17)
 */
TD_FN float td_edm_distance(const td_data *data, uint32_t row, uint32_t col, uint32_t features)
{
    const float *at_row = (const float *)data->input + row;
    const float *at_col = (const float *)data->input + col;
    float sum = TD_EMPTY_SUM;
    for (uint32_t k = 0; k < features; k++) {
        const float difference = td_load(at_row) - td_load(at_col);
        sum += difference * difference;
        at_row += data->n;
        at_col += data->n;
    }
    return sqrtf(sum);
}

TD_FN void td_edm_cell(const td_data *data, uint32_t row, uint32_t col, uint32_t features)
{
    td_store_float((float *)td_cell_4(data, row, col), td_edm_distance(data, row, col, features));
}

/*
 * Checks a distance between a user's points against the same sum in double, rounded once; params[0] is the error
 * allowed [ulp].
 *
 * A square may be too small for the last digits of a float32, or for any of them: that of a difference below 2^-63 is
 * below 2^-126. Each square is off by at most half of the smallest float32, so the distance lies between `less` and
 * `more`. td_edm_unfit has already rejected squares too large for a float32.
 */
TD_FN td_verdict td_edm_check_given(const td_data *data, uint32_t row, uint32_t col,
                                    uint32_t features)
{
    const float found = ((const float *)data->output)[td_place_2d(data, row, col)];
    const float *point = (const float *)data->input;
    const uint64_t order = td_float_order(found), ulps = data->params[0];
    const double underflow = features * 0x1p-150;
    double sum = 0.0;
    for (uint32_t k = 0; k < features; k++) {
        const double difference = (double)point[row] - (double)point[col];
        sum += difference * difference;
        point += data->n;
    }
    const float expected = (float)sqrt(sum);
    const float less = (float)sqrt(sum > underflow ? sum - underflow : 0.0);
    const float more = (float)sqrt(sum + underflow);
    td_verdict verdict;
    verdict.ok = order + ulps >= td_float_order(less) && order <= td_float_order(more) + ulps;
    verdict.error = fabs((double)found - (double)expected);
    verdict.found = 0;
    return verdict;
}

/* Checks a distance between generated points: all steps but the root are exact, see td_random_float. */
TD_FN td_verdict td_edm_check_generated(const td_data *data, uint32_t row, uint32_t col,
                                        uint32_t features)
{
    const float found = ((const float *)data->output)[td_place_2d(data, row, col)];
    const float *point = (const float *)data->input;
    float sum = 0.0f;
    for (uint32_t k = 0; k < features; k++) {
        const float difference = point[col] - point[row];
        sum += difference * difference;
        point += data->n;
    }
    return td_float_verdict(found, sqrtf(sum), 0);
}

TD_FN td_verdict td_edm_check(const td_data *data, uint32_t row, uint32_t col, uint32_t features)
{
    return data->params[0] > 0 ? td_edm_check_given(data, row, col, features)
                               : td_edm_check_generated(data, row, col, features);
}

static inline bool td_edm_unfit(const td_problem *problem, const float *points, uint32_t rows,
                                uint32_t columns, td_unfit *unfit)
{
    (void)problem;
    return td_are_far_apart(points, rows, columns, columns, unfit);
}

static inline void td_edm_setup(const td_problem *problem, td_data *data)
{
    td_setup_triangle(problem, data);
    data->params[0] = problem->numbers != NULL ? 2 : 0;
}

enum { TD_EDM_TILE_SIDE = 128 }; /* side of the largest tile in edm_tile.cuh */

static inline uint64_t td_edm_flops(const td_problem *problem, uint32_t features)
{
    return (3 * (uint64_t)features + 1) * td_triangle(problem->n);
}

/* td_edm1_cell .. td_edm4_cell, their checks and descriptors differ in the number of features, its nouns and the
 * default block's columns. */
#define TD_EDM_WORKLOAD(d, features_text, columns_text, block_columns)                             \
    TD_FN void td_edm##d##_cell(const td_data *data, uint32_t row, uint32_t col)                   \
    {                                                                                              \
        td_edm_cell(data, row, col, d);                                                            \
    }                                                                                              \
    TD_FN td_verdict td_edm##d##_check(const td_data *data, uint32_t row, uint32_t col)            \
    {                                                                                              \
        return td_edm_check(data, row, col, d);                                                    \
    }                                                                                              \
    static inline uint64_t td_edm##d##_flops(const td_problem *problem)                            \
    {                                                                                              \
        return td_edm_flops(problem, d);                                                           \
    }                                                                                              \
    TD_DESCRIPTOR td_workload_input td_edm##d##_input = {                                          \
        .takes = "table (.csv, .npy) of N rows and " columns_text,                                 \
        .columns = d,                                                                              \
        .unfit = td_edm_unfit,                                                                     \
    };                                                                                             \
    TD_DESCRIPTOR td_tiles td_edm##d##_tiles = {                                                   \
        .multiple = 32,                                                                            \
        .most = TD_EDM_TILE_SIDE,                                                                  \
        .halves = true,                                                                            \
        .side = TD_EDM_TILE_SIDE,                                                                  \
        .threads_multiple = 256,                                                                   \
        .threads_most = 1024,                                                                      \
        .block = {block_columns, 16, 1},                                                           \
        .small = {{1280, {.tile = {0, 32, 1}, .block = {32, 4, 1}}},                               \
                  {2560, {.tile = {0, 32, 1}, .block = {32, 2, 1}}},                               \
                  {16384, {.tile = {0, 64, 1}, .block = {32, 4, 1}}}},                             \
        .registers = 64,                                                                           \
    };                                                                                             \
    TD_DESCRIPTOR td_workload td_edm##d##_workload = {                                             \
        .name = "edm" #d,                                                                          \
        .summary = "Euclidean distance matrix, " features_text,                                    \
        .dimension = 2,                                                                            \
        .element = TD_F32,                                                                         \
        .traits = {.has_layouts = true, .has_blocked = true, .own_element = true},                 \
        .input = &td_edm##d##_input,                                                               \
        .tiles = &td_edm##d##_tiles,                                                               \
        .setup = td_edm_setup,                                                                     \
        .model = {.flops = td_edm##d##_flops},                                                     \
    }

TD_EDM_WORKLOAD(1, "1 feature", "1 column", 32);
TD_EDM_WORKLOAD(2, "2 features", "2 columns", 32);
TD_EDM_WORKLOAD(3, "3 features", "3 columns", 16);
TD_EDM_WORKLOAD(4, "4 features", "4 columns", 16);

#endif
