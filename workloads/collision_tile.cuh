/*
 * collision_tile.cuh - the collision table, tile by tile: the spheres of a tile's rows and columns are staged in
 * shared memory; the results leave in aligned pieces of 16 bytes.
 */
#ifndef TD_WORKLOADS_COLLISION_TILE_CUH
#define TD_WORKLOADS_COLLISION_TILE_CUH

#include "collision.h"

enum {
    TD_TABLE_SIDE = 128, /* the largest tile */
    TD_TABLE_CHUNK = 16, /* columns that a thread tests against its rows, and bytes of a store */
    TD_TABLE_ROWS = 4
};

struct td_collision_stage {
    td_sphere row[TD_TABLE_SIDE];
    /* One element stays free after every chunk, so that threads with different chunks read different banks. */
    td_sphere col[TD_TABLE_SIDE / TD_TABLE_CHUNK][TD_TABLE_CHUNK + 1];
    /* Whether (row, col) touch: bit col % 32 of word col / 32, and one more word that a shift may reach. */
    uint32_t touches[TD_TABLE_SIDE][TD_TABLE_SIDE / 32 + 1];
};

/* All pairs of the tile, 16 columns times 4 rows per thread at a time: each sphere read serves several pairs. */
__device__ inline void td_collision_test(td_collision_stage &stage, uint32_t side, uint32_t thread,
                                         uint32_t threads)
{
    const uint32_t across = side / TD_TABLE_CHUNK;
    for (uint32_t item = thread; item < across * (side / TD_TABLE_ROWS); item += threads) {
        const uint32_t chunk = item % across;
        const uint32_t row = item / across * TD_TABLE_ROWS;
        td_sphere a[TD_TABLE_ROWS];
        uint32_t bits[TD_TABLE_ROWS] = {};
        for (int k = 0; k < TD_TABLE_ROWS; k++) {
            a[k] = stage.row[row + k];
        }
#pragma unroll
        for (int c = 0; c < TD_TABLE_CHUNK; c++) {
            const td_sphere b = stage.col[chunk][c];
            for (int k = 0; k < TD_TABLE_ROWS; k++) {
                bits[k] |= td_spheres_touch(&a[k], &b) ? 1u << c : 0u;
            }
        }
        for (int k = 0; k < TD_TABLE_ROWS; k++) {
            ((uint16_t *)stage.touches[row + k])[chunk] = (uint16_t)bits[k];
        }
    }
}

/* Four bits as four bytes. */
__device__ inline uint32_t td_bits_to_bytes(uint32_t bits)
{
    return ((bits & 15u) * 0x00204081u) & 0x01010101u;
}

/* The 16 results of one row from column `col` of the tile on, at an address that 16 divides. */
__device__ inline void td_collision_put_chunk(const uint32_t *touches, uint32_t col, uint8_t *to)
{
    const uint32_t bits = __funnelshift_r(touches[col / 32], touches[col / 32 + 1], col % 32);
    *(uint4 *)to = make_uint4(td_bits_to_bytes(bits), td_bits_to_bytes(bits >> 4),
                              td_bits_to_bytes(bits >> 8), td_bits_to_bytes(bits >> 12));
}

/*
 * The tile's part of each row to memory. Rows of a packed triangle start anywhere: whole chunks go between the first
 * and the last multiple of 16 bytes, single bytes before and after them.
 */
__device__ inline void td_collision_put(const td_collision_stage &stage, const td_data &data,
                                        td_work_tile tile, uint32_t side, uint32_t thread,
                                        uint32_t threads)
{
    enum { LANES = 8 }; /* threads that share a row */
    const uint32_t first_col = tile.x * side;
    for (uint32_t y = thread / LANES; y < side; y += threads / LANES) {
        const uint32_t row = tile.y * side + y;
        if (row >= data.n || row <= first_col) {
            continue;
        }
        const uint32_t lane = thread % LANES;
        const uint32_t width = row - first_col < side ? row - first_col : side;
        uint8_t *to = (uint8_t *)data.output + td_row_start(&data, row) + first_col;
        const uint32_t unaligned = (uint32_t)(-(uintptr_t)to & 15u);
        const uint32_t head = unaligned < width ? unaligned : width;
        const uint32_t chunks = (width - head) / TD_TABLE_CHUNK;
        const uint32_t tail = width - head - chunks * TD_TABLE_CHUNK;
        const uint32_t *touches = stage.touches[y];
        for (uint32_t chunk = lane; chunk < chunks; chunk += LANES) {
            const uint32_t col = head + chunk * TD_TABLE_CHUNK;
            td_collision_put_chunk(touches, col, to + col);
        }
        for (uint32_t byte = lane; byte < head + tail; byte += LANES) {
            const uint32_t col = byte < head ? byte : width - tail + (byte - head);
            to[col] = touches[col / 32] >> col % 32 & 1u;
        }
    }
}

__device__ inline void td_collision_tile(const td_data &data, td_work_tile tile)
{
    __shared__ td_collision_stage stage;
    const td_sphere *spheres = (const td_sphere *)data.input;
    const td_sphere nothing = {};
    const uint32_t side = tile.side;
    const uint32_t thread = threadIdx.y * blockDim.x + threadIdx.x;
    const uint32_t threads = blockDim.x * blockDim.y;
    for (uint32_t i = thread; i < side; i += threads) {
        const uint32_t row = tile.y * side + i, col = tile.x * side + i;
        stage.row[i] = row < data.n ? spheres[row] : nothing;
        stage.col[i / TD_TABLE_CHUNK][i % TD_TABLE_CHUNK] = col < data.n ? spheres[col] : nothing;
        stage.touches[i][TD_TABLE_SIDE / 32] = 0;
    }
    __syncthreads();
    td_collision_test(stage, side, thread, threads);
    __syncthreads();
    td_collision_put(stage, data, tile, side, thread, threads);
}

#endif
