/*
 * triplet_tile.cuh - the Axilrod-Teller energy, tile by tile.
 *
 * The sides of a triangle are distances of pairs, and the 32^3 triples of a tile have only 4,064 pairs. The squared
 * distance of each pair and its reciprocal root are computed once; a triple then costs twelve operations in double and
 * no root.
 *
 * A pair without work has a reciprocal root of 0: its places are not two particles in rising order, or are beyond the
 * domain. A triple with such a pair adds 0, so that no tile needs a special path.
 */
#ifndef TD_WORKLOADS_TRIPLET_TILE_CUH
#define TD_WORKLOADS_TRIPLET_TILE_CUH

#include "tile_of.cuh"
#include "triplet.h"

enum {
    TD_TRIPLET_PASS = 16,  /* layers of a tile per pass */
    TD_TRIPLET_LAYERS = 4, /* layers per thread in a pass */
    TD_TRIPLET_GROUPS = TD_TRIPLET_PASS / TD_TRIPLET_LAYERS,
    TD_TRIPLET_J = 2 * TD_TRIPLET_SIDE, /* values of x + y in a tile, and one more */
    TD_TRIPLET_FIRST_J = TD_TRIPLET_SIDE,
    TD_TRIPLET_FIRST_K = TD_TRIPLET_FIRST_J + TD_TRIPLET_J,
    TD_TRIPLET_PLACES = TD_TRIPLET_FIRST_K + TD_TRIPLET_SIDE
};

struct td_triplet_point {
    double at[3];
    uint32_t index;
};

/* A pair of particles: its squared distance and the reciprocal root of that, or 0. */
struct alignas(16) td_triplet_pair {
    double square, root;
};

struct td_triplet_stage {
    td_triplet_pair xy[TD_TRIPLET_SIDE]
                      [TD_TRIPLET_SIDE]; /* pairs by y and x: particles x and x + y + 1 */
    td_triplet_pair yz[TD_TRIPLET_PASS][TD_TRIPLET_J]; /* by z and x + y: x + y + 1 and z + 2 */
    double at[3][TD_TRIPLET_PLACES];                   /* of particles x, x + y + 1, z + 2 */
};

/* The cube of 32^3 cells that a block works on, by its first cell. */
struct td_triplet_cube {
    uint32_t x, y, z;
};

/* The index of the particle at a place of the stage. */
__device__ inline uint32_t td_triplet_particle(const td_triplet_cube &cube, uint32_t place)
{
    if (place < TD_TRIPLET_FIRST_J) {
        return cube.x + place;
    }
    return place < TD_TRIPLET_FIRST_K ? cube.x + cube.y + 1 + place - TD_TRIPLET_FIRST_J
                                      : cube.z + 2 + place - TD_TRIPLET_FIRST_K;
}

__device__ inline void td_triplet_load(const td_data &data, const td_triplet_cube &cube,
                                       td_triplet_stage &stage, uint32_t thread, uint32_t threads)
{
    const uint32_t particles = data.n + TD_TRIPLET_MORE;
    for (uint32_t place = thread; place < TD_TRIPLET_PLACES; place += threads) {
        const uint32_t i = min(td_triplet_particle(cube, place), particles - 1);
        const float *at = (const float *)data.input + i;
        for (int d = 0; d < 3; d++) {
            stage.at[d][place] = (double)td_load(at);
            at += particles;
        }
    }
}

__device__ inline td_triplet_point td_triplet_point_of(const td_triplet_stage &stage,
                                                       const td_triplet_cube &cube, uint32_t place)
{
    return {{stage.at[0][place], stage.at[1][place], stage.at[2][place]},
            td_triplet_particle(cube, place)};
}

/* The pair of two particles, its square as in td_triplet_cell: `first` minus `second`. The pair has work only if
 * `first` comes before `second`. */
__device__ inline td_triplet_pair td_triplet_pair_of(const td_data &data,
                                                     const td_triplet_point &first,
                                                     const td_triplet_point &second)
{
    const bool works = first.index < second.index && second.index < data.n + TD_TRIPLET_MORE;
    td_triplet_pair pair = {0.0, 0.0};
    for (int d = 0; d < 3; d++) {
        const double difference = first.at[d] - second.at[d];
        pair.square += difference * difference;
    }
    pair.root = works ? td_rsqrt(pair.square) : 0.0;
    return pair;
}

/* Fills in the pairs of a cube that have no z. */
__device__ inline void td_triplet_fill_xy(const td_data &data, const td_triplet_cube &cube,
                                          td_triplet_stage &stage, uint32_t warp, uint32_t warps,
                                          uint32_t lane)
{
    const td_triplet_point x = td_triplet_point_of(stage, cube, lane);
    for (uint32_t y = warp; y < TD_TRIPLET_SIDE; y += warps) {
        const uint32_t j = TD_TRIPLET_FIRST_J + lane + y;
        stage.xy[y][lane] = td_triplet_pair_of(data, x, td_triplet_point_of(stage, cube, j));
    }
}

/* Fills in the pairs of a pass that depend on x only as x + y. `layer` is the pass's first layer in the cube. */
__device__ inline void td_triplet_fill_yz(const td_data &data, const td_triplet_cube &cube,
                                          td_triplet_stage &stage, uint32_t layer, uint32_t warp,
                                          uint32_t warps, uint32_t lane)
{
    for (uint32_t i = warp; i < 2 * TD_TRIPLET_PASS; i += warps) {
        const uint32_t z = i / 2, j = i % 2 * 32 + lane;
        stage.yz[z][j] =
            td_triplet_pair_of(data, td_triplet_point_of(stage, cube, TD_TRIPLET_FIRST_J + j),
                               td_triplet_point_of(stage, cube, TD_TRIPLET_FIRST_K + layer + z));
    }
}

/*
 * The term of a triple from its pairs, as in td_triplet_cell. cc: the square of c.square.
 *
 * With p the product of the squares, (A + B - C) (C + A - B) (B + C - A) / p = (A + B - C) (C^2 - (A - B)^2) / p.
 *
 * Exact   to (200 + 11 q) 2^-53 / (r s t)^3 of the exact term of these squares, with q the ratio of the longest side to
 *         the shortest: a root is off by one ulp, the cube of the product of three roots by 26 half ulps, and a
 *         difference of two squares by a few half ulps of the larger one. On generated input q is below 50 up to N =
 *         2048.
 */
__device__ inline double td_triplet_term(const td_triplet_pair &a, const td_triplet_pair &b,
                                         const td_triplet_pair &c, double cc)
{
    const double root = a.root * c.root * b.root;
    const double difference = a.square - b.square;
    const double cosines =
        fma(-difference, difference, cc) * (a.square + b.square - c.square) * (root * root);
    return root * root * root * fma(0.375, cosines, 1.0);
}

/* The sum of the thread's triples in four layers: one x, and rows y = first, first + step, ... below `end`. */
__device__ inline double td_triplet_layers(const td_triplet_stage &stage,
                                           const td_triplet_pair (&c)[TD_TRIPLET_LAYERS],
                                           uint32_t layer, uint32_t first, uint32_t end,
                                           uint32_t step, uint32_t lane)
{
    double cc[TD_TRIPLET_LAYERS], sum = 0.0;
    for (int l = 0; l < TD_TRIPLET_LAYERS; l++) {
        cc[l] = c[l].square * c[l].square;
    }
#pragma unroll 2
    for (uint32_t y = first; y < end; y += step) {
        const td_triplet_pair a = stage.xy[y][lane];
#pragma unroll
        for (uint32_t l = 0; l < TD_TRIPLET_LAYERS; l++) {
            sum += td_triplet_term(a, stage.yz[layer + l][lane + y], c[l], cc[l]);
        }
    }
    return sum;
}

/* The thread's share of a pass. Each warp takes four of its layers; if there are more warps, they also split its
 * rows. */
__device__ inline double td_triplet_pass(const td_data &data, const td_triplet_cube &cube,
                                         const td_triplet_stage &stage, uint32_t layer,
                                         uint32_t warp, uint32_t warps, uint32_t lane)
{
    const uint32_t mine = warp % TD_TRIPLET_GROUPS * TD_TRIPLET_LAYERS;
    const uint32_t last = cube.z + layer + mine + TD_TRIPLET_LAYERS - 1; /* the warp's last z */
    const uint32_t before = cube.x + cube.y; /* of the cube's first cell; cells have x + y <= z */
    const uint32_t end = last >= before ? min(last - before + 1, (uint32_t)TD_TRIPLET_SIDE) : 0;
    const td_triplet_point x = td_triplet_point_of(stage, cube, lane);
    td_triplet_pair c[TD_TRIPLET_LAYERS];
    for (uint32_t l = 0; l < TD_TRIPLET_LAYERS; l++) {
        c[l] = td_triplet_pair_of(
            data, x, td_triplet_point_of(stage, cube, TD_TRIPLET_FIRST_K + layer + mine + l));
    }
    return td_triplet_layers(stage, c, mine, warp / TD_TRIPLET_GROUPS, end,
                             warps / TD_TRIPLET_GROUPS, lane);
}

__device__ inline double td_triplet_cubed(const td_data &data, const td_triplet_cube &cube,
                                          td_triplet_stage &stage, uint32_t thread,
                                          uint32_t threads)
{
    const uint32_t lane = thread % 32, warp = thread / 32, warps = threads / 32;
    double sum = 0.0;
    td_triplet_load(data, cube, stage, thread, threads);
    __syncthreads();
    td_triplet_fill_xy(data, cube, stage, warp, warps, lane);
    for (uint32_t layer = 0; layer < TD_TRIPLET_SIDE; layer += TD_TRIPLET_PASS) {
        td_triplet_fill_yz(data, cube, stage, layer, warp, warps, lane);
        __syncthreads();
        sum += td_triplet_pass(data, cube, stage, layer, warp, warps, lane);
        __syncthreads(); /* before the next pass or cube overwrites the pairs */
    }
    return sum;
}

/*
 * td_triplet_tile - the thread's share of the sum over a tile.
 *
 * Shape   tile: 32 [cells]; block: a multiple of 128, at most 512 [threads]
 * Exact   as td_triplet_term, plus one rounding per addition
 */
__device__ inline double td_triplet_tile(const td_data &data, td_work_tile3 tile)
{
    __shared__ td_triplet_stage stage;
    const uint32_t thread = td_thread_of_block();
    const uint32_t threads = blockDim.x * blockDim.y * blockDim.z;
    const uint32_t cubes = tile.width > tile.side ? tile.z - tile.y + 1 : 1;
    double sum = 0.0;
    for (uint32_t x = tile.x; x < tile.x + cubes; x++) {
        const td_triplet_cube cube = {x * tile.side, tile.y * tile.side, tile.z * tile.side};
        sum += td_triplet_cubed(data, cube, stage, thread, threads);
    }
    return sum;
}

template <>
inline constexpr auto td_tile_of<TD_WORKLOAD_triplet> = td_triplet_tile;

#endif
