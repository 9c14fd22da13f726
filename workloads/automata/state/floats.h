/* floats.h - automata on floats: cells of several planes, and how they are compared with their reference. */
#ifndef TD_WORKLOADS_AUTOMATA_STATE_FLOATS_H
#define TD_WORKLOADS_AUTOMATA_STATE_FLOATS_H

#include "cells.h"

/* The largest value that an image may hold: sixteen times as much is still a float32, so that no sum over a
 * neighbourhood, not even one of differences, becomes infinite. */
#define TD_IMAGE_MOST 1e37f

TD_FN uint32_t td_expected_float(const td_data *data, uint32_t row, uint32_t col)
{
    return ((const uint32_t *)data->expected)[td_state_at(data, row, col)];
}

/* A GPU has an instruction for this; the compiler does not make it from a comparison and a choice. */
TD_FN float td_larger(float a, float b)
{
#ifdef __CUDA_ARCH__
    return fmaxf(a, b);
#else
    return a > b ? a : b;
#endif
}

TD_FN float td_smaller(float a, float b)
{
#ifdef __CUDA_ARCH__
    return fminf(a, b);
#else
    return a < b ? a : b;
#endif
}

#ifdef __CUDACC__
/* A cell of several planes. */
template <int Planes>
struct td_floats {
    static constexpr int planes = Planes;
    float plane[Planes];
};
#endif

#endif
