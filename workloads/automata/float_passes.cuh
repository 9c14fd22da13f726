/* float_passes.cuh - what automata on floats bring to stages and strips: their passes of one cell. */
#ifndef TD_WORKLOADS_AUTOMATA_FLOAT_PASSES_CUH
#define TD_WORKLOADS_AUTOMATA_FLOAT_PASSES_CUH

#include "blur.h"
#include "dog.h"
#include "extrema.h"
#include "water.h"

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

struct td_dog_cells {
    typedef td_dog_cells first, last;
    typedef td_floats<2> cell;
    typedef float next;
    struct sums {
    };
    static constexpr int passes = 1, reach = 0;

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

struct td_extrema_cells {
    typedef td_extrema_cells first, last;
    typedef td_floats<TD_EXTREMA_PLANES> cell;
    typedef td_extrema_sums sums;
    typedef uint8_t next;
    static constexpr int passes = 1, reach = 1;

    __device__ static sums sum(const td_data *, const cell &left, const cell &here,
                               const cell &right)
    {
        return td_extrema_sum(left.plane, here.plane, right.plane);
    }

    __device__ static uint8_t add(const td_data *data, const sums &above, const sums &here,
                                  const sums &below, const cell &, uint32_t row, uint32_t col)
    {
        return (uint8_t)td_extrema_add(data, &above, &here, &below, row, col);
    }
};

/* ---- water, in two passes ---- */

/* From depths and elevations to what each cell gives. */
struct td_water_discharges {
    typedef td_floats<2> cell;
    typedef td_floats<3> next; /* a td_water_flow */
    struct sums {
        float levels[3];
    };

    __device__ static next outside()
    {
        return in_planes(td_water_nothing());
    }

    __device__ static next in_planes(const td_water_flow &flow)
    {
        return {{flow.level, flow.rate, flow.rest}};
    }

    __device__ static float level(const td_data *data, const cell &one)
    {
        return td_water_level(data, one.plane[0], one.plane[1]);
    }

    __device__ static sums sum(const td_data *data, const cell &left, const cell &here,
                               const cell &right)
    {
        return {{level(data, left), level(data, here), level(data, right)}};
    }

    __device__ static next add(const td_data *data, const sums &above, const sums &here,
                               const sums &below, const cell &one, uint32_t, uint32_t)
    {
        const float levels[8] = {above.levels[0], above.levels[1], above.levels[2],
                                 here.levels[0],  here.levels[2],  below.levels[0],
                                 below.levels[1], below.levels[2]};
        return in_planes(
            td_water_discharge(here.levels[1], td_water_depth(data, one.plane[0]), levels));
    }
};

/* From that to the next depths. */
struct td_water_gains {
    typedef td_floats<3> cell;
    typedef float next;
    struct sums {
        float levels[3], rates[3];
    };

    __device__ static float outside()
    {
        return 0.0f;
    }

    __device__ static sums sum(const td_data *, const cell &left, const cell &here,
                               const cell &right)
    {
        return {{left.plane[0], here.plane[0], right.plane[0]},
                {left.plane[1], here.plane[1], right.plane[1]}};
    }

    __device__ static float add(const td_data *, const sums &above, const sums &here,
                                const sums &below, const cell &one, uint32_t, uint32_t)
    {
        const float levels[8] = {above.levels[0], above.levels[1], above.levels[2],
                                 here.levels[0],  here.levels[2],  below.levels[0],
                                 below.levels[1], below.levels[2]};
        const float rates[8] = {above.rates[0], above.rates[1], above.rates[2], here.rates[0],
                                here.rates[2],  below.rates[0], below.rates[1], below.rates[2]};
        return td_water_gain(one.plane[0], one.plane[2], levels, rates);
    }
};

struct td_water_cells {
    typedef td_water_discharges first;
    typedef td_water_gains last;
    static constexpr int passes = 2;
};

#endif
