/*
 * water.h - water on land: rain falls, some of it seeps away, and the rest flows to lower neighbours.
 *
 * A cell has a depth of water, its state, and an elevation, which stays. Per step, with h = elevation + depth:
 *
 *     d = max(0, depth + rain - infiltration)
 *     S = sum over the neighbours of max(0, h - h of the neighbour)
 *     q = min(d, S / 8), the cell's discharge; per unit of difference a neighbour gets q / S
 *     depth = d - q + sum over the neighbours n of (q / S of n) max(0, h of n - h)
 *
 * There are eight neighbours, fewer at the border of the domain, which no water crosses.
 *
 * Source  the revised rules of the thesis, chapter 6.4, without the timing rules, which it leaves open; S / 8 is ours
 */
#ifndef TD_WORKLOADS_AUTOMATA_WATER_H
#define TD_WORKLOADS_AUTOMATA_WATER_H

#include "workloads/automata/state/floats.h"

/* A cell after the rain: the level that its neighbours see, the water that it gives per unit of difference, and the
 * water that it keeps. */
typedef struct td_water_flow {
    float level, rate, rest;
} td_water_flow;

/* Whether a cell is land, not the wall around the domain, which is infinitely high so that nothing flows there. */
TD_FN bool td_water_is_land(float elevation)
{
    return elevation < INFINITY;
}

TD_FN float td_water_depth(const td_data *data, float depth)
{
    const float supply = depth + td_float_of(data->params[0]);
    const float infiltration = td_float_of(data->params[1]);
    return td_larger(supply - infiltration, 0.0f);
}

TD_FN float td_water_level(const td_data *data, float depth, float elevation)
{
    return elevation + td_water_depth(data, depth);
}

/* How much higher `from` is than `to`; 0 if it is not. */
TD_FN float td_water_fall(float from, float to)
{
    return td_larger(from - to, 0.0f);
}

/* The water that a cell gives per unit of difference; 0 if no neighbour is lower. */
TD_FN float td_water_rate(float discharged, float falls)
{
    return falls > 0.0f ? discharged / falls : 0.0f;
}

/* levels: those of the eight neighbours, row by row. Nothing here adds a product to a sum, which a compiler might
 * fuse. */
TD_FN td_water_flow td_water_discharge(float level, float depth, const float levels[8])
{
    td_water_flow flow;
    float falls = 0.0f;
    TD_UNROLLED for (uint32_t k = 0; k < 8; k++)
    {
        falls += td_water_fall(level, levels[k]);
    }
    const float most = td_product(falls, 0.125f);
    const float discharged = depth < most ? depth : most;
    flow.level = level;
    flow.rate = td_water_rate(discharged, falls);
    flow.rest = depth - discharged;
    return flow;
}

/* A neighbour that does not exist gives no water. */
TD_FN td_water_flow td_water_nothing(void)
{
    td_water_flow flow;
    flow.level = -INFINITY;
    flow.rate = 0.0f;
    flow.rest = 0.0f;
    return flow;
}

/* The next depth of a cell, from the levels and rates of its eight neighbours, row by row. */
TD_FN float td_water_gain(float level, float rest, const float levels[8], const float rates[8])
{
    float gain = 0.0f;
    TD_UNROLLED for (uint32_t k = 0; k < 8; k++)
    {
        gain += td_product(rates[k], td_water_fall(levels[k], level));
    }
    return rest + gain;
}

/* Place of a cell's neighbour k in a window of 5 x 5: k = 0 .. 8 row by row, and 4 is the cell itself. */
TD_FN uint32_t td_water_beside(uint32_t cell, uint32_t k)
{
    return cell + k / 3 * 5 + k % 3 - 6;
}

TD_FN uint32_t td_water_next(const td_data *data, const uint32_t *w, uint32_t row, uint32_t col)
{
    float level[25], levels[8], rates[8];
    td_water_flow here = td_water_nothing();
    (void)row;
    (void)col;
    TD_UNROLLED for (uint32_t k = 0; k < 25; k++)
    {
        level[k] = td_water_level(data, td_float_of(w[k]), td_float_of(w[25 + k]));
    }
    TD_UNROLLED for (uint32_t c = 0; c < 9; c++)
    {
        const uint32_t cell = 6 + c / 3 * 5 + c % 3;
        float around[8];
        TD_UNROLLED for (uint32_t k = 0; k < 8; k++)
        {
            around[k] = level[td_water_beside(cell, k < 4 ? k : k + 1)];
        }
        const td_water_flow flow =
            td_water_is_land(td_float_of(w[25 + cell]))
                ? td_water_discharge(level[cell], td_water_depth(data, td_float_of(w[cell])),
                                     around)
                : td_water_nothing();
        if (c == 4) {
            here = flow;
        } else {
            levels[c < 4 ? c : c - 1] = flow.level;
            rates[c < 4 ? c : c - 1] = flow.rate;
        }
    }
    return td_element_of(td_water_gain(here.level, here.rest, levels, rates));
}

/* The reference's state has depth and elevation side by side. */
TD_FN uint32_t td_water_expected(const td_data *data, uint32_t row, uint32_t col)
{
    return ((const uint32_t *)data->expected)[2 * td_state_at(data, row, col)];
}

/* ---- the definition, word for word ---- */

typedef struct td_water_cell {
    float depth, elevation;
} td_water_cell;

/* Whether a cell is in the domain. Row or column -1 wraps around to the largest number. */
TD_FN bool td_water_exists(const td_data *data, uint32_t row, uint32_t col)
{
    return row < data->n && col < (td_is_square(data) ? data->n : row + 1);
}

/* A cell after the rain, or a piece of the wall. */
TD_FN td_water_cell td_water_rained(const td_data *data, uint32_t row, uint32_t col)
{
    float rain, infiltration;
    td_water_cell cell = {0.0f, INFINITY};
    if (td_water_exists(data, row, col)) {
        cell = ((const td_water_cell *)data->input)[td_state_at(data, row, col)];
    }
    memcpy(&rain, &data->params[0], sizeof rain);
    memcpy(&infiltration, &data->params[1], sizeof infiltration);
    cell.depth += rain;
    cell.depth -= cell.depth < infiltration ? cell.depth : infiltration;
    return cell;
}

/* By how much one cell's level is above another's; 0 when it is not. */
TD_FN float td_water_above(td_water_cell a, td_water_cell b)
{
    const float difference = (a.elevation + a.depth) - (b.elevation + b.depth);
    return difference > 0.0f ? difference : 0.0f;
}

/* The discharge of a cell of a window. *falls: the sum of differences by which it is divided among the neighbours. */
TD_FN float td_water_loss(const td_water_cell w[25], uint32_t cell, float *falls)
{
    const float depth = w[cell].depth;
    *falls = 0.0f;
    TD_UNROLLED for (uint32_t k = 0; k < 9; k++)
    {
        *falls += td_water_above(w[cell], w[td_water_beside(cell, k)]);
    }
    return depth > *falls / 8.0f ? *falls / 8.0f : depth;
}

TD_FN void td_water_reference(const td_data *data, uint32_t row, uint32_t col)
{
    const uint32_t here = 12;
    td_water_cell w[25];
    float falls, gain = 0.0f;
    TD_UNROLLED for (uint32_t k = 0; k < 25; k++)
    {
        w[k] = td_water_rained(data, row + k / 5 - 2, col + k % 5 - 2);
    }
    const float loss = td_water_loss(w, here, &falls);
    TD_UNROLLED for (uint32_t k = 0; k < 9; k++)
    {
        const uint32_t from = td_water_beside(here, k);
        const float above = td_water_above(w[from], w[here]);
        if (above > 0.0f && td_water_is_land(w[from].elevation)) {
            const float lost = td_water_loss(w, from, &falls);
            gain += td_product(lost / falls, above);
        }
    }
    w[here].depth = (w[here].depth - loss) + gain;
    ((td_water_cell *)data->output)[td_state_at(data, row, col)] = w[here];
}

TD_DESCRIPTOR td_cells td_water_cells = {
    .reference = td_water_reference,
    .next = td_water_next,
    .kind = {.bytes = 4,
             .planes = 2,
             .saved_bytes = 4,
             .ring = 2,
             .outside = 0x7f800000u, /* infinity */
             .is_float = true},
    .expected = td_water_expected,
};

/* clang-format off */
#define td_water_table(X)                                                                                              \
    X(water, conditional, f32, )                                                                                       \
    X(water, halo, f32, )                                                                                              \
    X(water, shared, f32, .registers = 64)                                                                             \
    X(water, aligned, f32, .registers = 64)                                                                            \
    X(water, rect, f32, .registers = 64)                                                                               \
    X(water, two_cell, f32, .registers = 64)                                                                           \
    X(water, two_generation, f32, .like = TD_TECHNIQUE_strip, .registers = 255, .threads_most = 256, .ahead = 2,       \
      .small = {{1536, {.tile = {96, 48, 1}, .block = {32, 8, 1}}}, {6144, {.tile = {0, 96, 1}, .block = {32, 4, 1}}}, \
      {24576, {.tile = {0, 240, 1}, .block = {16, 16, 1}}}})                                                           \
    X(water, strip, f32, .registers = 128, .ahead = 2, .small = {{1536, {.tile = {96, 48, 1}, .block = {32, 8, 1}}},   \
      {6144, {.tile = {0, 96, 1}, .block = {32, 8, 1}}}, {12288, {.tile = {0, 96, 1}, .block = {32, 4, 1}}},           \
      {24576, {.tile = {0, 240, 1}, .block = {16, 16, 1}}}})
/* clang-format on */
TD_DESCRIPTOR td_variant td_water_variants[] = {td_water_table(TD_VARIANT)};

extern const td_workload td_water_workload;

#ifdef __CUDACC__
/* For tile kernels, in two passes. */

/* The first pass: from depths and elevations to the flow of each cell. */
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

/* The second pass: from the flows to the next depths. */
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

struct td_water {
    typedef td_water_discharges first;
    typedef td_water_gains last;
    static constexpr int passes = 2, reach = 2;

    /* For strips, which do both passes at once. */
    typedef td_floats<2> cell, sums;
    typedef float next;

    __device__ static cell given(const cell &all)
    {
        return all;
    }
};
#endif

#endif
