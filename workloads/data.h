/* data.h - the data that a cell function reads and writes, and the verdict of a check on a cell. */
#ifndef TD_WORKLOADS_DATA_H
#define TD_WORKLOADS_DATA_H

#include <math.h>
#include <string.h>

#include "strategies/numbers.h"

/*
 * Everything a cell function reads and writes. It is passed to kernels by value. All workloads share one layout, so
 * that one kernel type serves every pair of a strategy and a workload.
 *
 * Row r of a 2D output starts at element r (row_scale r + row_offset) / 4: (2, 2) is the packed lower triangle, (2, -2)
 * the packed strict one, (0, 4N) the full matrix. One formula without a branch; for 4-byte elements also without a
 * division.
 */
typedef struct td_data {
    uint32_t n;         /* N, cells per side */
    uint32_t row_scale; /* see td_row_start */
    uint32_t row_offset;
    uint32_t full;        /* 1: output laid out as the whole square or cube; 2: both halves of it */
    uint32_t params[4];   /* the workload's own small parameters */
    uint32_t generations; /* per launch, for workloads that advance in steps */
    uint32_t blocked;     /* side of the tiles that the output is stored in; 0: stored in rows */
    const void *input;    /* read by cells */
    void *output;         /* written by cells */
    const void *expected; /* the reference's state, for workloads that advance in steps */
    /* The first step's input: a workload may store data that never changes after its first state. */
    const void *origin;
    uint64_t plane; /* elements from one plane of the input to the next, where a cell has several */
    /* For workloads that compute whole rows: the triangles of a launch (0: it computes cells), and how many rows each
     * of them has (NULL: all have n). */
    uint32_t batch;
    const uint32_t *lengths;
} td_data;

/* Whether a triangle ends before a row, of which nothing is asked: it may be computed or not. */
TD_FN bool td_is_padding(const td_data *data, uint32_t row, uint32_t triangle)
{
    return data->lengths != NULL && row >= data->lengths[triangle];
}

#define TD_PACKED_ROW_SCALE 2u
#define TD_PACKED_ROW_OFFSET 2u

/* First element of a row of the output, see td_data. Exact for N up to 2^20. */
TD_FN uint64_t td_row_start(const td_data *data, uint32_t row)
{
    return ((uint64_t)row * (uint32_t)(row * data->row_scale + data->row_offset)) >> 2;
}

/* The outcome of one cell's check. */
typedef struct td_verdict {
    bool ok;
    double error;   /* absolute difference from the reference */
    uint32_t found; /* summed over all cells into the record's count, if the workload has one */
} td_verdict;

/* A float's bits as a sort key: floats from 0 on keep their order; negative ones, -0 included, come last. */
TD_FN uint64_t td_float_order(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* The verdict on a float that may be off by `ulps` units in the last place. It must have the right sign, even 0. */
TD_FN td_verdict td_float_verdict(float found, float expected, uint32_t ulps)
{
    const uint64_t order = td_float_order(found), right = td_float_order(expected);
    td_verdict verdict;
    verdict.ok = order + ulps >= right && order <= right + ulps;
    verdict.error = order == right ? 0.0 : fabs((double)found - (double)expected);
    verdict.found = 0;
    return verdict;
}

/* Elements of a buffer, one after the other. */
typedef struct td_elements {
    uint64_t begin, end;
} td_elements;

/* The number of a cell, row by row: for N up to 2^20. In 2D, y is the row, x the column, and z is 0. */
TD_FN uint64_t td_cell_number(uint32_t x, uint32_t y, uint32_t z)
{
    return ((uint64_t)z << 21 | y) << 21 | x;
}

/* One of its coordinates: 0 for x, 1 for y, 2 for z. */
TD_FN uint32_t td_cell_coordinate(uint64_t number, uint32_t axis)
{
    return (uint32_t)(number >> 21 * axis) & ((1u << 21) - 1);
}

/* The tile that a tile kernel works on: `side` rows from y * side on, and `side` columns from x * side on. A flat tile
 * has `width` columns from x * width on; a band of a tile is one, too. */
typedef struct td_work_tile {
    uint32_t x, y;
    uint32_t side;  /* [cells] */
    bool again;     /* not the block's first tile */
    uint32_t width; /* columns of a flat tile [cells] */
} td_work_tile;

/* The same in 3D: `side` rows from y * side on, `side` layers from z * side on, and in each row `width` cells from x *
 * side on, or fewer where the plane x + y = z ends them. */
typedef struct td_work_tile3 {
    uint32_t x, y, z;
    uint32_t side, width; /* [cells]; the width is the side, or all of N */
} td_work_tile3;

/* The rows of a batch of triangles that a tile kernel works on: `side` rows from y * side on, of one triangle. */
typedef struct td_work_rows {
    uint32_t triangle, y;
    uint32_t side; /* [cells] */
} td_work_rows;

typedef void td_cell_fn(const td_data *data, uint32_t row, uint32_t col);
typedef void td_cell3_fn(const td_data *data, uint32_t x, uint32_t y, uint32_t z);
typedef double td_term3_fn(const td_data *data, uint32_t x, uint32_t y, uint32_t z);
typedef td_verdict td_check_fn(const td_data *data, uint32_t row, uint32_t col);
typedef td_verdict td_check3_fn(const td_data *data, uint32_t x, uint32_t y, uint32_t z);

#endif
