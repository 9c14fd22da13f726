/* generate.h - generated input: numbers that depend on nothing but (seed, stream, index). */
#ifndef TD_WORKLOADS_GENERATE_H
#define TD_WORKLOADS_GENERATE_H

#include "workload.h"

/* One step of splitmix64 (Steele, Lea and Flood 2014): the output function on state x. */
TD_FN uint64_t td_mix64(uint64_t x)
{
    x ^= x >> 30;
    x *= 0xbf58476d1ce4e5b9u;
    x ^= x >> 27;
    x *= 0x94d049bb133111ebu;
    x ^= x >> 31;
    return x;
}

/* 64 random bits for (seed, stream, index): the index-th output of a splitmix64 seeded per stream. */
TD_FN uint64_t td_random_bits(uint64_t seed, uint64_t stream, uint64_t index)
{
    const uint64_t golden = 0x9e3779b97f4a7c15u;
    const uint64_t start = td_mix64(seed + golden * (stream + 1));
    return td_mix64(start + golden * (index + 1));
}

/*
 * td_random_float - a float32 in [0, 1) that is a multiple of 2^-10.
 *
 * Exact   its differences, their squares and a sum of four squares are exact, too, in any order, fused or not: the
 *         engines agree bit for bit
 */
TD_FN float td_random_float(uint64_t seed, uint64_t stream, uint64_t index)
{
    return (float)(td_random_bits(seed, stream, index) >> 54) * (1.0f / 1024.0f);
}

#endif
