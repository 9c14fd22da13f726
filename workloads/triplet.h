/* triplet - the Axilrod-Teller energy of all triples of particles: a three-body sum. */
#ifndef TD_WORKLOADS_TRIPLET_H
#define TD_WORKLOADS_TRIPLET_H

#include <math.h>

#include "generate.h"
#include "layout3.h"

enum {
    TD_TRIPLET_MORE = 2, /* particles more than the side of the domain */
    TD_TRIPLET_SIDE = 32 /* side of a tile with --kernel tile */
};

/*
 * td_triplet_cell - the energy of particles x, x + y + 1 and z + 2: (1 + 3 cos a cos b cos c) / (r s t)^3.
 *
 * With the squared sides A, B, C and p = A B C, 8 p cos a cos b cos c = (A + B - C) (B + C - A) (C + A - B):
 * one root, no cosine. On generated input A, B and C are exact.
 *
 * Input   data: coordinate d of particle i at input[d (N + 2) + i], float32
 * Output  the cell's term; the engine sums it, tile by tile
 * Source  Axilrod and Teller 1943; as a tetrahedral domain, Koanantakool and Yelick 2014
 */
TD_FN double td_triplet_cell(const td_data *data, uint32_t x, uint32_t y, uint32_t z)
{
    const uint32_t particles = data->n + TD_TRIPLET_MORE;
    const uint32_t j = x + y + 1, k = z + 2;
    const float *at = (const float *)data->input;
    double a = 0.0, b = 0.0, c = 0.0;
    for (int d = 0; d < 3; d++) {
        const double first = (double)at[x], second = (double)at[j], third = (double)at[k];
        a += (first - second) * (first - second);
        b += (second - third) * (second - third);
        c += (third - first) * (third - first);
        at += particles;
    }
    const double root = td_rsqrt(a * b * c);
    /* in this order no intermediate result leaves the range of double before the term does */
    const double cosines = (a + b - c) * root * ((b + c - a) * root) * (c + a - b);
    return root * root * root * (1.0 + 0.375 * cosines);
}

/*
 * Particles on a cubic lattice of spacing 1, each moved by less than a half in each direction: no two of them meet,
 * which would make the energy infinite.
 */
static inline float td_triplet_generated(const td_problem *problem, uint32_t dimension, uint32_t i)
{
    uint32_t side = 1;
    while ((uint64_t)side * side * side < (uint64_t)problem->n + TD_TRIPLET_MORE) {
        side++;
    }
    const uint32_t place[3] = {i % side, i / side % side, i / side / side};
    return (float)place[dimension] + 0.5f * td_random_float(problem->seed, dimension, i);
}

static inline void td_triplet_fill(const td_problem *problem, void *input)
{
    const uint32_t particles = problem->n + TD_TRIPLET_MORE;
    float *to = (float *)input;
    for (uint32_t d = 0; d < 3; d++) {
        for (uint32_t i = 0; i < particles; i++) {
            *to++ = problem->numbers != NULL ? problem->numbers[(size_t)i * 3 + d]
                                             : td_triplet_generated(problem, d, i);
        }
    }
}

static inline uint64_t td_triplet_bytes(const td_problem *problem)
{
    return 3 * sizeof(float) * ((uint64_t)problem->n + TD_TRIPLET_MORE) + sizeof(double);
}

/* 15 per triple: 14 for the term and one to add it. The sides are given: all triples share them, as pairs. */
static inline uint64_t td_triplet_flops(const td_problem *problem)
{
    return 15 * td_tetrahedron(problem->n);
}

/*
 * td_triplet_reference - the plain sum over all triples, by vectors and cosines.
 *
 * Input   the output of td_triplet_fill
 * Output  scale: the sum of (1 + 3 |cos a cos b cos c|) / (r s t)^3, plus what td_triplet_cell loses where a side is
 *         much shorter than the others: there it is the difference of two long sides, whose digits cancel
 */
double td_triplet_reference(const td_problem *problem, const void *input, double *scale);

TD_DESCRIPTOR td_workload_input td_triplet_input = {
    .takes = "table (.csv, .npy) of N + 2 rows x, y, z",
    .columns = 3,
    .more_rows = TD_TRIPLET_MORE,
    .fill = td_triplet_fill,
};

TD_DESCRIPTOR td_sum td_triplet_sum = {.total = td_triplet_reference};

TD_DESCRIPTOR td_tiles td_triplet_tiles = {
    .multiple = TD_TRIPLET_SIDE,
    .most = TD_TRIPLET_SIDE,
    .side = TD_TRIPLET_SIDE,
    .threads_multiple = 128,
    .threads_most = 512,
    .block = {32, 2, 2},
    .registers = 80,
};

TD_DESCRIPTOR td_workload td_triplet_workload = {
    .name = "triplet",
    .summary = "Axilrod-Teller energy of all triples of N + 2 particles",
    .dimension = 3,
    .finding = {"energy", TD_FINDS_REAL},
    .element = TD_F64,
    .traits = {.proven_by_count = true},
    .input = &td_triplet_input,
    .sum = &td_triplet_sum,
    .tiles = &td_triplet_tiles,
    .output_elements = td_sum_elements,
    .setup = td_setup_sum,
    .model = {.bytes = td_triplet_bytes, .flops = td_triplet_flops},
};

#endif
