/* float_passes.cuh - what automata on floats bring to stages and strips: their passes of one cell. */
#ifndef TD_WORKLOADS_AUTOMATA_FLOAT_PASSES_CUH
#define TD_WORKLOADS_AUTOMATA_FLOAT_PASSES_CUH

#include "blur.h"
#include "dog.h"
#include "extrema.h"

/* A cell of several planes. */
template <int Planes>
struct td_floats {
    static constexpr int planes = Planes;
    float plane[Planes];
};

struct td_blur_cells {
    typedef td_blur_cells first, last;
    typedef float cell, sums, next;
    static constexpr int passes = 1, reach = 1;

    __device__ static float outside()
    {
        return 0.0f;
    }

    __device__ static float sum(float left, float here, float right)
    {
        return td_blur_three(left, here, right);
    }

    __device__ static float add(const td_data *, float above, float here, float below, float,
                                uint32_t, uint32_t)
    {
        return td_blur_rows(above, here, below);
    }
};

struct td_dog_cells {
    typedef td_dog_cells first, last;
    typedef td_floats<2> cell;
    typedef float next;
    struct sums {
    };
    static constexpr int passes = 1, reach = 0;

    __device__ static sums sum(const cell &, const cell &, const cell &)
    {
        return {};
    }

    __device__ static float add(const td_data *, const sums &, const sums &, const sums &,
                                const cell &here, uint32_t, uint32_t)
    {
        return td_dog_of(here.plane[0], here.plane[1]);
    }
};

struct td_extrema_cells {
    typedef td_extrema_cells first, last;
    typedef td_floats<TD_EXTREMA_PLANES> cell;
    typedef td_extrema_sums sums;
    typedef uint8_t next;
    static constexpr int passes = 1, reach = 1;

    __device__ static sums sum(const cell &left, const cell &here, const cell &right)
    {
        return td_extrema_sum(left.plane, here.plane, right.plane);
    }

    __device__ static uint8_t add(const td_data *data, const sums &above, const sums &here,
                                  const sums &below, const cell &, uint32_t row, uint32_t col)
    {
        return (uint8_t)td_extrema_add(data, &above, &here, &below, row, col);
    }
};

#endif
