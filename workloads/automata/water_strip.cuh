/*
 * water_strip.cuh - water in strips: each row that is loaded completes the row two above it.
 *
 * With it all neighbours of the row in between are known, hence the discharge of that row, hence all water that flows
 * into the row above. The difference in level of two neighbours is computed once for both.
 */
#ifndef TD_WORKLOADS_AUTOMATA_WATER_STRIP_CUH
#define TD_WORKLOADS_AUTOMATA_WATER_STRIP_CUH

#include "workloads/automata/strips/float_lanes.cuh"
#include "workloads/automata/strips/strip.cuh"

/* The level outside of the domain: above all land, yet sums of differences from it are finite. */
constexpr float TD_WATER_WALL = 0x1p124f;

/* The reciprocal, within one unit in the last place. */
__device__ inline float td_water_inverse(float value)
{
#ifdef __CUDA_ARCH__
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(value) : "f"(value));
    return value;
#else
    /* off by one bit, as the instruction may be */
    return td_float_of(td_element_of(1.0f / value) ^ 1u);
#endif
}

/*
 * discharged / falls, and 0 where falls is 0: the steps of nvcc's division, without the test that nvcc makes for each
 * one.
 *
 * Input   discharged is at most an eighth of falls
 * Exact   where discharged is 0 or at least 2^-64 and falls is at most 2^60: rounded like a division
 */
__device__ inline float td_water_quotient(float discharged, float falls)
{
    const float by = fmaxf(falls, 0x1p-70f); /* falls may be 0 */
    const float about = td_water_inverse(by);
    const float inverse = fmaf(about, fmaf(-by, about, 1.0f), about);
    const float quotient = discharged * inverse;
    return fmaf(inverse, fmaf(-by, quotient, discharged), quotient);
}

/* td_water_rate of each cell. One test for all of them decides whether the short division is exact. */
template <int Cells>
__device__ inline void td_water_rates(const float (&discharged)[Cells], const float (&falls)[Cells],
                                      float *rates)
{
    bool is_usual = true;
    TD_UNROLLED for (int k = 0; k < Cells; k++)
    {
        rates[k] = td_water_quotient(discharged[k], falls[k]);
        const uint32_t below_0 = td_element_of(discharged[k]) - 1; /* 0 wraps around */
        is_usual = is_usual && below_0 >= td_element_of(0x1p-64f) - 1 && falls[k] <= 0x1p60f;
    }
    if (!is_usual) {
        TD_UNROLLED for (int k = 0; k < Cells; k++)
        {
            rates[k] = td_water_rate(discharged[k], falls[k]);
        }
    }
}

enum { TD_WATER_CELLS = 4, TD_WATER_ENDS = TD_WATER_CELLS + 1 };

/* A value for each cell of a lane's row, from at[1] on; at both ends, the value of the neighbouring lane's nearest
 * cell. */
struct td_water_row {
    float at[TD_WATER_CELLS + 2];

    __device__ void take_ends()
    {
        at[0] = __shfl_up_sync(~0u, at[TD_WATER_CELLS], 1);
        at[TD_WATER_ENDS] = __shfl_down_sync(~0u, at[1], 1);
    }
};

/* How much higher the first cell is than the second (fall), and the second than the first (rise); one of them is 0. */
struct td_water_pair {
    float fall, rise;

    __device__ static td_water_pair of(float one, float other)
    {
        const float difference = one - other;
        const float fall = td_larger(difference, 0.0f);
        return {fall, fall - difference}; /* exact, and twice as fast as a second maximum */
    }
};

/* The pairs of the cells of a row with those of the next: to[k][d] pairs cell k with cell k + d - 1 of the row
 * below. */
struct td_water_pairs {
    td_water_pair to[TD_WATER_CELLS + 2][3];

    __device__ static td_water_pairs of(const td_water_row &above, const td_water_row &below)
    {
        td_water_pairs all;
        for (int k = 0; k <= TD_WATER_ENDS; k++) {
            for (int d = max(1 - k, 0); d < min(TD_WATER_ENDS - k + 2, 3); d++) {
                all.to[k][d] = td_water_pair::of(above.at[k], below.at[k + d - 1]);
            }
        }
        return all;
    }
};

template <typename Lanes>
struct td_window<td_lane_pass<td_water, Lanes>, Lanes> {
    /* The row loaded last. */
    td_water_row level;
    float depth[TD_WATER_CELLS];
    float falls[TD_WATER_CELLS];              /* to the row above and to the cells beside */
    td_water_pair beside[TD_WATER_CELLS + 1]; /* cells k and k + 1 */
    /* The row above it. */
    td_water_row rate;
    float rest[TD_WATER_CELLS];
    float gain[TD_WATER_CELLS]; /* from the row above and from the cells beside */
    td_water_pairs below;
    typename Lanes::state alive, last; /* the states of both rows, `last` that of the lower one */
    typename Lanes::state before;      /* that of the row above them, which has been returned */

    template <bool Inside, typename Rule>
    __device__ typename Lanes::next advance(const td_data &data, const td_strip<Lanes> &, Rule,
                                            const typename Lanes::state &now, int32_t)
    {
        td_water_row coming;
        float coming_depth[TD_WATER_CELLS];
        for (int k = 0; k < TD_WATER_CELLS; k++) {
            const float elevation = now.at[k].plane[1];
            const bool is_land = Inside || td_water_is_land(elevation);
            coming_depth[k] = is_land ? td_water_depth(&data, now.at[k].plane[0]) : 0.0f;
            coming.at[k + 1] = is_land ? elevation + coming_depth[k] : TD_WATER_WALL;
        }
        coming.take_ends();
        const td_water_pairs next_below = td_water_pairs::of(level, coming);

        float discharged[TD_WATER_CELLS];
        for (int k = 0; k < TD_WATER_CELLS; k++) {
            for (int d = 0; d < 3; d++) {
                falls[k] += next_below.to[k + 1][d].fall;
            }
            discharged[k] = td_smaller(depth[k], td_product(falls[k], 0.125f));
        }
        td_water_row next_rate;
        td_water_rates(discharged, falls, &next_rate.at[1]);
        next_rate.take_ends();

        typename Lanes::next next;
        for (int k = 0; k < TD_WATER_CELLS; k++) {
            for (int d = 0; d < 3; d++) {
                gain[k] += td_product(next_rate.at[k + d], below.to[k + 1][d].rise);
            }
            next.at[k] = rest[k] + gain[k];
        }

        for (int k = 0; k < TD_WATER_CELLS; k++) {
            /* sums begin with their first term, which a GPU would otherwise add to 0 */
            gain[k] = td_product(rate.at[k], below.to[k][2].fall);
            for (int d = 1; d < 3; d++) {
                gain[k] += td_product(rate.at[k + d], below.to[k + d][2 - d].fall);
            }
            gain[k] += td_product(next_rate.at[k], beside[k].fall);
            gain[k] += td_product(next_rate.at[k + 2], beside[k + 1].rise);
            rest[k] = depth[k] - discharged[k];
        }
        rate = next_rate;
        below = next_below;

        for (int k = 0; k <= TD_WATER_CELLS; k++) {
            beside[k] = td_water_pair::of(coming.at[k], coming.at[k + 1]);
        }
        for (int k = 0; k < TD_WATER_CELLS; k++) {
            falls[k] = below.to[k][2].rise;
            for (int d = 1; d < 3; d++) {
                falls[k] += below.to[k + d][2 - d].rise;
            }
            falls[k] += beside[k].rise;
            falls[k] += beside[k + 1].fall;
            depth[k] = coming_depth[k];
        }
        level = coming;
        before = alive;
        alive = last;
        last = now;
        return next;
    }

    /* The row that advance() has returned, with its elevations. */
    __device__ typename Lanes::state completed(const typename Lanes::next &next) const
    {
        typename Lanes::state all = before;
        for (int k = 0; k < TD_WATER_CELLS; k++) {
            all.at[k].plane[0] = next.at[k];
        }
        return all;
    }
};

#endif
