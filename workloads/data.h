/* data.h - the data that a cell function reads and writes, and the verdict of a check on a cell. */
#ifndef TD_WORKLOADS_DATA_H
#define TD_WORKLOADS_DATA_H

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
    uint32_t full;        /* 1: output laid out as the whole square or cube */
    uint32_t params[4];   /* the workload's own small parameters */
    uint32_t generations; /* per launch, for workloads that advance in steps */
    uint32_t blocked;     /* side of the tiles that the output is stored in; 0: stored in rows */
    const void *input;    /* read by cells */
    void *output;         /* written by cells */
    const void *expected; /* the reference's state, for workloads that advance in steps */
    /* The first step's input: a workload may store data that never changes after its first state. */
    const void *origin;
    uint64_t plane; /* elements from one plane of the input to the next, where a cell has several */
} td_data;

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

typedef void td_cell_fn(const td_data *data, uint32_t row, uint32_t col);
typedef void td_cell3_fn(const td_data *data, uint32_t x, uint32_t y, uint32_t z);
typedef double td_term3_fn(const td_data *data, uint32_t x, uint32_t y, uint32_t z);
typedef td_verdict td_check_fn(const td_data *data, uint32_t row, uint32_t col);
typedef td_verdict td_check3_fn(const td_data *data, uint32_t x, uint32_t y, uint32_t z);

#ifdef __cplusplus
/* A check that may reject what is right, which `Check` then decides: without a branch, a thread can load the next cells
 * before it judges the first. */
template <td_check_fn *Check>
inline constexpr td_check_fn *td_quick_check = Check;
#endif

#ifdef __CUDACC__
/*
 * The same for a chunk: cells of a row that a thread reads together, in an output in rows. The threads of a warp have
 * chunks of 256 columns, of as many rows as it takes. A check that can has a class of its own here, with those facts
 * that are not the usual ones:
 *
 *     cells                              of a chunk: 8 or 32
 *     rows                               that a thread reads a chunk of before it judges the first; 0: there is none
 *     apart                              from one cell of a chunk to the next: 1; 32 lets a warp read lines
 *     blocks                             of the check that an SM has registers for
 *     grid_blocks                        of the grid, per SM, if begin() takes too long for the usual number; 0: that
 *     by_cell                            whether doubts() tells the cells of a chunk apart: a row that ends in the
 *                                        warp's columns is then checked by chunks, too
 *     takes(data)                        whether there are chunks: else each cell is checked
 *     begin(data, col)                   reads what does not change from row to row
 *     read(data, row, col)               what is read of a row, a `seen`. Not of the last row: it may read bytes behind
 *                                        the cells
 *     take(seen)                         optional: what doubts() needs of it, a `taken`, in so few registers that the
 *                                        next rows can be read before this one is judged
 *     doubts(data, row, col, seen)       from a `seen`, or a `taken` if there is one: 0, if the cells from `col` on are
 *                                        surely right and nothing is found in them; else by cell bit i for the i-th
 *                                        one, or all bits
 */
struct td_chunk_facts {
    static constexpr uint32_t cells = 8, rows = 0, apart = 1, blocks = 4, grid_blocks = 0;
    static constexpr bool by_cell = false;

    __device__ static bool takes(const td_data *)
    {
        return true;
    }
};
template <td_check_fn *Check>
struct td_chunk_check : td_chunk_facts {
    struct seen {
    };
};

/* 32 bytes from any address, or if Aligned from a multiple of 16, as the 16-byte pieces around them. */
template <bool Aligned>
struct td_chunk_bytes {
    enum { PIECES = Aligned ? 2 : 3 };
    uint4 pieces[PIECES];
    uint32_t offset;

    __device__ static td_chunk_bytes at(const uint8_t *first)
    {
        td_chunk_bytes bytes;
        const uint4 *from = (const uint4 *)((uintptr_t)first & ~(uintptr_t)15);
#pragma unroll
        for (uint32_t i = 0; i < PIECES; i++) {
            bytes.pieces[i] = __ldg(from + i);
        }
        bytes.offset = Aligned ? 0 : (uint32_t)(uintptr_t)first;
        return bytes;
    }

    /* Whether a byte is not 0, perhaps one beside the 32. */
    __device__ bool any() const
    {
        uint32_t all = 0;
#pragma unroll
        for (uint32_t i = 0; i < PIECES; i++) {
            all |= pieces[i].x | pieces[i].y | pieces[i].z | pieces[i].w;
        }
        return all != 0;
    }

    /* The bytes as words: those of the pieces moved by two words, by one, and by bytes. */
    __device__ void words(uint32_t (&to)[8]) const
    {
        uint32_t from[12] = {};
#pragma unroll
        for (uint32_t i = 0; i < PIECES; i++) {
            from[4 * i] = pieces[i].x;
            from[4 * i + 1] = pieces[i].y;
            from[4 * i + 2] = pieces[i].z;
            from[4 * i + 3] = pieces[i].w;
        }
#pragma unroll
        for (uint32_t i = 0; i < 10; i++) {
            from[i] = (offset & 8) != 0 ? from[i + 2] : from[i];
        }
#pragma unroll
        for (uint32_t i = 0; i < 9; i++) {
            from[i] = (offset & 4) != 0 ? from[i + 1] : from[i];
        }
#pragma unroll
        for (uint32_t i = 0; i < 8; i++) {
            to[i] = __funnelshift_r(from[i], from[i + 1], 8 * offset); /* modulo 32 */
        }
    }
};
#endif

#endif
