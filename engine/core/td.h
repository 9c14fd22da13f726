/*
 * td.h - the floor: the types that strategies, workloads and engines share. Includes nothing of ours.
 *
 * gcc and nvcc both compile this file and every header that builds on it, so it keeps to the common
 * part of C11 and C++17.
 */
#ifndef TD_ENGINE_CORE_TD_H
#define TD_ENGINE_CORE_TD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __CUDACC__
#define TD_FN inline __host__ __device__ /* not static, so that profilers show plain names */
#else
#define TD_FN static inline
#endif

/* What went wrong, in the order of the exit statuses of the command line. */
typedef enum td_status {
    TD_OK = 0,
    TD_FAILED = 1,      /* at run time, or a result that could not be written */
    TD_USAGE = 2,       /* a command line or an input that makes no sense */
    TD_WRONG = 3,       /* a verification failed */
    TD_UNAVAILABLE = 4, /* the engine or the device is not there */
    TD_NO_MEMORY = 5
} td_status;

/* One sentence for a person: what was wanted and what was found. */
typedef struct td_error {
    char text[512];
} td_error;

/* x, y, z as CUDA counts them: x varies fastest. */
typedef struct td_dim3 {
    uint32_t x, y, z;
} td_dim3;

/*
 * One grid of thread blocks and what a map needs to know of it. Passed to kernels by value.
 *
 * Shape  grid [blocks], block [threads]; first [blocks]: index of the grid's first block, not 0 only
 *        where a grid larger than the hardware takes was cut in pieces
 */
typedef struct td_launch {
    td_dim3 grid;
    td_dim3 block;
    td_dim3 first;
    uint32_t n;        /* size of the triangle the map sees: tiles a side, cells for a thread map */
    uint32_t tile;     /* side of a tile [cells] */
    uint32_t width;    /* of a tile along x [cells]: its side, or in 3D the whole of N */
    uint32_t param[4]; /* what only the map understands */
} td_launch;

/* Where a block works. In 2D x is the column of tiles and y the row; z is 0. */
typedef struct td_tile {
    uint32_t x, y, z;
    bool active;
} td_tile;

/* How many tiles of the plain kind, as wide as high, a tile of a 3D launch stands for: those to its right, up to the
 * plane x + y = z, are in it where a tile is as wide as the domain. Input: y <= z. */
TD_FN uint32_t td_tile_columns(const td_launch *launch, td_tile tile)
{
    return launch->width > launch->tile ? tile.z - tile.y + 1 : 1;
}

/* The grid position of one thread, for maps that work on threads. */
typedef struct td_thread {
    td_dim3 block;  /* index of its block */
    td_dim3 thread; /* index in its block */
} td_thread;

/* Where a thread works, for maps that work on threads. */
typedef struct td_cell {
    uint32_t row, col;
    bool active;
} td_cell;

/*
 * Everything a cell function reads and writes. Passed to kernels by value, one layout for all
 * workloads so that one kernel type serves every pair.
 *
 * Row r of a 2D output starts at element r (row_scale r + row_offset) / 4: (2, 2) is the packed lower triangle, (2, -2) the
 * packed strict one, (0, 4N) the full matrix. One formula, no branch; and for elements of four bytes no division.
 */
typedef struct td_data {
    uint32_t n;         /* cells a side, N */
    uint32_t row_scale; /* see td_row_start */
    uint32_t row_offset;
    uint32_t full;        /* 1: output laid out as the whole square or cube */
    uint32_t params[4];   /* the workload's own small parameters */
    uint32_t generations; /* that one launch advances, for workloads that advance in steps */
    const void *input;    /* what a cell reads */
    void *output;         /* what a cell writes */
    const void *expected; /* the reference's state, for workloads that advance in steps */
} td_data;

#define TD_PACKED_ROW_SCALE 2u
#define TD_PACKED_ROW_OFFSET 2u

/* First element of a row of the output, see td_data. Exact for N up to 2^20. */
TD_FN uint64_t td_row_start(const td_data *data, uint32_t row)
{
    return ((uint64_t)row * (uint32_t)(row * data->row_scale + data->row_offset)) >> 2;
}

/* What a check says of one cell. */
typedef struct td_verdict {
    bool ok;
    double error;   /* absolute difference to the reference */
    uint32_t found; /* summed over all cells into the record's result, where a workload wants it */
} td_verdict;

typedef td_tile td_block_map_fn(const td_launch *launch, td_dim3 block);
typedef td_cell td_thread_map_fn(const td_launch *launch, td_thread thread);
typedef void td_cell_fn(const td_data *data, uint32_t row, uint32_t col);
typedef void td_cell3_fn(const td_data *data, uint32_t x, uint32_t y, uint32_t z);
typedef double td_term3_fn(const td_data *data, uint32_t x, uint32_t y, uint32_t z);
typedef td_verdict td_check_fn(const td_data *data, uint32_t row, uint32_t col);
typedef td_verdict td_check3_fn(const td_data *data, uint32_t x, uint32_t y, uint32_t z);

TD_FN uint64_t td_triangle(uint64_t n)
{
    return n * (n + 1) / 2;
}

TD_FN uint64_t td_tetrahedron(uint64_t n)
{
    return n * (n + 1) / 2 * (n + 2) / 3; /* T(n) (n + 2) is a multiple of 3 */
}

TD_FN uint32_t td_ceil_div(uint32_t a, uint32_t b)
{
    return a / b + (a % b != 0);
}

#endif
