/* dog.h - the difference of two planes, as of two Gaussians: no neighbourhood, only memory traffic. */
#ifndef TD_WORKLOADS_AUTOMATA_DOG_H
#define TD_WORKLOADS_AUTOMATA_DOG_H

#include "workloads/automata/state/floats.h"

TD_FN float td_dog_of(float first, float second)
{
    return first - second;
}

/* Uses only the middle one of each plane's nine cells. */
TD_FN uint32_t td_dog_next(const td_data *data, const uint32_t *w, uint32_t row, uint32_t col)
{
    (void)data;
    (void)row;
    (void)col;
    return td_element_of(td_dog_of(td_float_of(w[4]), td_float_of(w[9 + 4])));
}

/* The definition; the two numbers of a cell are side by side in the reference's state. */
TD_FN void td_dog_reference(const td_data *data, uint32_t row, uint32_t col)
{
    const uint64_t at = td_state_at(data, row, col);
    const float *cell = (const float *)data->input + 2 * at;
    ((float *)data->output)[at] = cell[0] - cell[1];
}

TD_DESCRIPTOR td_cells td_dog_cells = {
    .reference = td_dog_reference,
    .next = td_dog_next,
    .kind = {.bytes = 4, .planes = 2, .saved_bytes = 4, .ring = 1, .is_float = true},
    .expected = td_expected_float,
};

/* clang-format off */
#define td_dog_table(X)                                                                                                \
    X(dog, conditional, f32, .registers = 32)                                                                          \
    X(dog, halo, f32, .registers = 32)                                                                                 \
    X(dog, shared, f32, )                                                                                              \
    X(dog, aligned, f32, )                                                                                             \
    X(dog, rect, f32, )                                                                                                \
    X(dog, two_cell, f32, )                                                                                            \
    X(dog, conditional, f32x2, .registers = 32)                                                                        \
    X(dog, halo, f32x2, .registers = 32)                                                                               \
    X(dog, shared, f32x2, )                                                                                            \
    X(dog, aligned, f32x2, )                                                                                           \
    X(dog, rect, f32x2, )                                                                                              \
    X(dog, two_cell, f32x2, )                                                                                          \
    X(dog, strip, f32, .registers = 48, .side = 128, .band = 8, .block = {32, 8, 1}, .threads_most = 1024, .rows = 2,  \
      .small = {{3072, {.tile = {128, 8, 1}, .block = {32, 4, 1}}}})                                                   \
    X(dog, strip, f32x2, .registers = 48, .side = 128, .band = 8, .block = {32, 8, 1}, .threads_most = 1024,           \
      .rows = 4, .small = {{6144, {.tile = {128, 8, 1}, .block = {32, 4, 1}}}})
/* clang-format on */
TD_DESCRIPTOR td_variant td_dog_variants[] = {td_dog_table(TD_VARIANT)};

extern const td_workload td_dog_workload;

#ifdef __CUDACC__
/* For tile kernels. */
struct td_dog : td_one_pass<td_dog, 0> {
    typedef td_floats<2> cell;
    typedef float next;
    struct sums {
    };

    __device__ static sums sum(const td_data *, const cell &, const cell &, const cell &)
    {
        return {};
    }

    __device__ static float add(const td_data *, const sums &, const sums &, const sums &,
                                const cell &here, uint32_t, uint32_t)
    {
        return td_dog_of(here.plane[0], here.plane[1]);
    }
};
#endif

#endif
