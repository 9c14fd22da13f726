/*
 * extrema.h - where the middle one of three planes has an extreme value among its 26 neighbours.
 *
 * A cell becomes 1 where the value is larger than all of them, 2 where it is smaller, else 0. A cell that lacks a
 * neighbour has no extreme value.
 */
#ifndef TD_WORKLOADS_AUTOMATA_EXTREMA_H
#define TD_WORKLOADS_AUTOMATA_EXTREMA_H

#include "workloads/automata/state/floats.h"

enum { TD_EXTREMA_PLANES = 3 };

/* The largest and the smallest of some numbers. */
typedef struct td_range {
    float largest, smallest;
} td_range;

TD_FN td_range td_range_of(float a, float b)
{
    td_range range;
    range.largest = td_larger(a, b);
    range.smallest = td_smaller(a, b);
    return range;
}

TD_FN td_range td_range_join(td_range a, td_range b)
{
    a.largest = td_larger(a.largest, b.largest);
    a.smallest = td_smaller(a.smallest, b.smallest);
    return a;
}

/* The range over all planes of a cell. It is the same for the three windows that contain the cell, so that a compiler
 * computes it once. */
TD_FN td_range td_extrema_column(const float *cell)
{
    return td_range_join(td_range_of(cell[0], cell[2]), td_range_of(cell[1], cell[1]));
}

/* The ranges of three cells of a row, in all planes. */
typedef struct td_extrema_sums {
    td_range all, around; /* around: without the middle of the middle plane */
    float middle;
} td_extrema_sums;

TD_FN td_extrema_sums td_extrema_sum(td_range left, const float *here, td_range right)
{
    const td_range beside = td_range_join(left, right);
    td_extrema_sums sums;
    sums.all = td_range_join(beside, td_extrema_column(here));
    sums.around = td_range_join(beside, td_range_of(here[0], here[2]));
    sums.middle = here[1];
    return sums;
}

/* Whether the middle of three rows is larger (1) or smaller (2) than everything around it. */
TD_FN uint32_t td_extrema_add(const td_data *data, const td_extrema_sums *above,
                              const td_extrema_sums *here, const td_extrema_sums *below,
                              uint32_t row, uint32_t col)
{
    const td_range others = td_range_join(td_range_join(above->all, here->around), below->all);
    const bool is_inner = col - 1 < td_inner_cells(data, row, 1);
    return is_inner && here->middle > others.largest    ? 1u
           : is_inner && here->middle < others.smallest ? 2u
                                                        : 0u;
}

TD_FN uint32_t td_extrema_next(const td_data *data, const uint32_t *w, uint32_t row, uint32_t col)
{
    td_extrema_sums sums[3];
    TD_UNROLLED for (uint32_t r = 0; r < 3; r++)
    {
        float cells[3][TD_EXTREMA_PLANES];
        TD_UNROLLED for (uint32_t k = 0; k < 9; k++)
        {
            cells[k % 3][k / 3] = td_float_of(w[k / 3 * 9 + 3 * r + k % 3]);
        }
        sums[r] =
            td_extrema_sum(td_extrema_column(cells[0]), cells[1], td_extrema_column(cells[2]));
    }
    return td_extrema_add(data, &sums[0], &sums[1], &sums[2], row, col);
}

/* The definition, word for word; the three numbers of a cell are side by side in the reference's state. */
TD_FN void td_extrema_reference(const td_data *data, uint32_t row, uint32_t col)
{
    const float *state = (const float *)data->input;
    const float value = state[3 * td_state_at(data, row, col) + 1];
    uint32_t neighbours = 0, larger = 0, smaller = 0;
    for (int64_t r = (int64_t)row - 1; r <= (int64_t)row + 1; r++) {
        for (int64_t c = (int64_t)col - 1; c <= (int64_t)col + 1; c++) {
            if (r < 0 || r >= (int64_t)data->n || c < 0 ||
                c > (td_is_square(data) ? (int64_t)data->n - 1 : r)) {
                continue;
            }
            for (uint32_t p = 0; p < 3; p++) {
                const float other = state[3 * td_state_at(data, (uint32_t)r, (uint32_t)c) + p];
                if (r != row || c != col || p != 1) {
                    neighbours++;
                    larger += value > other;
                    smaller += value < other;
                }
            }
        }
    }
    ((uint8_t *)data->output)[td_state_at(data, row, col)] = neighbours < 26 ? 0
                                                             : larger == 26  ? 1
                                                             : smaller == 26 ? 2
                                                                             : 0;
}

TD_DESCRIPTOR td_cells td_extrema_cells = {
    .reference = td_extrema_reference,
    .next = td_extrema_next,
    .kind = {.bytes = 4, .planes = TD_EXTREMA_PLANES, .saved_bytes = 1, .ring = 1},
    .expected = td_expected_byte,
};

/* clang-format off */
#define td_extrema_table(X)                                                                                            \
    X(extrema, conditional, f32, )                                                                                     \
    X(extrema, halo, f32, .registers = 40)                                                                             \
    X(extrema, shared, f32, )                                                                                          \
    X(extrema, aligned, f32, .registers = 40)                                                                          \
    X(extrema, rect, f32, .registers = 40)                                                                             \
    X(extrema, two_cell, f32, .registers = 48)                                                                         \
    X(extrema, strip, f32, .registers = 128, .side = 256, .block = {32, 4, 1}, .ahead = 2,                             \
      .small = {{1536, {.tile = {128, 16, 1}, .block = {32, 4, 1}}},                                                   \
      {3072, {.tile = {128, 32, 1}, .block = {32, 4, 1}}}, {6144, {.tile = {0, 128, 1}, .block = {32, 4, 1}}}})
/* clang-format on */
TD_DESCRIPTOR td_variant td_extrema_variants[] = {td_extrema_table(TD_VARIANT)};

extern const td_workload td_extrema_workload;

#ifdef __CUDACC__
/* For tile kernels. */
struct td_extrema : td_one_pass<td_extrema> {
    typedef td_floats<TD_EXTREMA_PLANES> cell;
    typedef td_extrema_sums sums;
    typedef uint8_t next;

    __device__ static td_range given(const cell &all)
    {
        return td_extrema_column(all.plane);
    }

    __device__ static sums sum(const td_data *, td_range left, const cell &here, td_range right)
    {
        return td_extrema_sum(left, here.plane, right);
    }

    __device__ static sums sum(const td_data *data, const cell &left, const cell &here,
                               const cell &right)
    {
        return sum(data, given(left), here, given(right));
    }

    __device__ static uint8_t add(const td_data *data, const sums &above, const sums &here,
                                  const sums &below, const cell &, uint32_t row, uint32_t col)
    {
        return (uint8_t)td_extrema_add(data, &above, &here, &below, row, col);
    }
};
#endif

#endif
