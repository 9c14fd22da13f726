/*
 * blur.h - a Gaussian blur of 3 x 3 cells, repeated.
 *
 * Weights 1 2 1 / 2 4 2 / 1 2 1 over 16; cells outside of the domain count as 0.
 */
#ifndef TD_WORKLOADS_AUTOMATA_BLUR_H
#define TD_WORKLOADS_AUTOMATA_BLUR_H

#include "workloads/automata/state/floats.h"

/*
 * Three numbers with weights 1, 2, 1: the cells of each row first, then the three rows.
 *
 * Exact   the products, so it makes no difference whether they are fused with the sums. The order of the sums is part
 *         of the definition
 */
TD_FN float td_blur_three(float before, float here, float after)
{
    return (before + 2.0f * here) + after;
}

TD_FN float td_blur_rows(float above, float here, float below)
{
    return td_blur_three(above, here, below) * 0.0625f;
}

TD_FN uint32_t td_blur_next(const td_data *data, const uint32_t *w, uint32_t row, uint32_t col)
{
    float sums[3];
    (void)data;
    (void)row;
    (void)col;
    TD_UNROLLED for (uint32_t r = 0; r < 3; r++)
    {
        sums[r] = td_blur_three(td_float_of(w[3 * r]), td_float_of(w[3 * r + 1]),
                                td_float_of(w[3 * r + 2]));
    }
    return td_element_of(td_blur_rows(sums[0], sums[1], sums[2]));
}

/* The definition, word for word: every neighbour, or 0, times its weight, added up per row and then over the rows. Sums
 * start from -0, which changes nothing that is added to it: 0 would turn a -0 into 0. */
TD_FN void td_blur_reference(const td_data *data, uint32_t row, uint32_t col)
{
    const float weights[3][3] = {{1.0f, 2.0f, 1.0f}, {2.0f, 4.0f, 2.0f}, {1.0f, 2.0f, 1.0f}};
    const float *state = (const float *)data->input;
    float sum = -0.0f;
    for (int64_t r = (int64_t)row - 1; r <= (int64_t)row + 1; r++) {
        float of_row = -0.0f;
        for (int64_t c = (int64_t)col - 1; c <= (int64_t)col + 1; c++) {
            const bool exists = r >= 0 && r < (int64_t)data->n && c >= 0 &&
                                c <= (td_is_square(data) ? (int64_t)data->n - 1 : r);
            of_row += exists ? weights[r - row + 1][c - col + 1] *
                                   state[td_state_at(data, (uint32_t)r, (uint32_t)c)]
                             : 0.0f;
        }
        sum += of_row;
    }
    ((float *)data->output)[td_state_at(data, row, col)] = sum / 16.0f;
}

TD_DESCRIPTOR td_cells td_blur_cells = {
    .reference = td_blur_reference,
    .next = td_blur_next,
    .kind = {.bytes = 4, .planes = 1, .saved_bytes = 4, .ring = 1, .is_float = true},
    .expected = td_expected_float,
};

/* clang-format off */
#define td_blur_table(X)                                                                                               \
    X(blur, conditional, f32, .registers = 40)                                                                         \
    X(blur, halo, f32, .registers = 32)                                                                                \
    X(blur, shared, f32, )                                                                                             \
    X(blur, aligned, f32, )                                                                                            \
    X(blur, rect, f32, .registers = 32)                                                                                \
    X(blur, two_cell, f32, )                                                                                           \
    X(blur, two_generation, f32, )                                                                                     \
    X(blur, strip, f32, .registers = 96, .side = 128, .band = 32, .block = {32, 4, 1}, .rows = 8)
/* clang-format on */
TD_DESCRIPTOR td_variant td_blur_variants[] = {td_blur_table(TD_VARIANT)};

extern const td_workload td_blur_workload;

#ifdef __CUDACC__
/* For tile kernels. */
struct td_blur : td_one_pass<td_blur> {
    typedef float cell, sums, next;

    __device__ static float sum(const td_data *, float left, float here, float right)
    {
        return td_blur_three(left, here, right);
    }

    __device__ static float add(const td_data *, float above, float here, float below, float,
                                uint32_t, uint32_t)
    {
        return td_blur_rows(above, here, below);
    }
};
#endif

#endif
