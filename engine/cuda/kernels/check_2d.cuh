/* check_2d.cuh - checks every cell of a 2D domain, by warps that walk down their columns. */
#ifndef TD_ENGINE_CUDA_KERNELS_CHECK_2D_CUH
#define TD_ENGINE_CUDA_KERNELS_CHECK_2D_CUH

#include "check_counts.cuh"

/* A row of the triangle: its cells to check from `begin` to `last`, and bytes with poison from `end` to `outside`. */
struct td_check_row {
    uint32_t begin, last, end, outside;

    __device__ td_check_row(const td_data &data, const td_check_shape &shape, uint32_t row)
    {
        end = shape.square ? data.n : shape.no_diagonal ? row : row + 1;
        begin = td_share_begin(&shape.share, row, end);
        last = td_share_end(&shape.share, row, end);
        outside = shape.poisoned_outside ? data.n : end;
    }
};

/*
 * A warp's check of its columns, row by row and without a map, so that the check cannot share a mistake with what it
 * checks. In the full layout the rest of each row is compared with the poison. A thread keeps its columns from row to
 * row, so that what a check reads of a column stays in registers.
 *
 * A thread looks at several cells before it judges the first: with one load in flight, memory's latency would bound the
 * check.
 */
template <td_check_fn *Check, td_check_fn *Quick, typename Chunk>
struct td_columns_check {
    enum { COLUMNS = TD_CHECK_COLUMNS / TD_CHECK_THREADS, OF_WARP = 32 * COLUMNS };
    enum { LANES = OF_WARP / Chunk::cells, ROWS_TOGETHER = 32 / LANES };
    enum { CHUNK_ROWS = Chunk::rows * ROWS_TOGETHER };
    const td_data &data;
    const td_check_shape &shape;
    const uint32_t first = blockIdx.x * TD_CHECK_COLUMNS + threadIdx.x / 32 * OF_WARP;
    const uint32_t past = first + OF_WARP, lane = threadIdx.x % 32;
    td_device_counts mine = {};
    Chunk chunk;
    uint32_t queued = 0; /* cells in doubt, of the warp */

    /* Whether all of the warp's columns are to be checked in a row. */
    __device__ bool is_whole(uint32_t row) const
    {
        const td_check_row here(data, shape, row);
        return row < shape.share.end_row && here.begin <= first && past <= here.last;
    }

    /* Whether chunks are checked in a row that ends in the warp's columns, too. */
    __device__ bool has_parts() const
    {
        return Chunk::by_cell && !shape.square && !shape.poisoned_outside && past <= data.n;
    }

    /* Whether the warp's columns of a row are checked by chunks. */
    __device__ bool takes_chunks(uint32_t row) const
    {
        const td_check_row here(data, shape, row);
        return is_whole(row) || (has_parts() && row < shape.share.tail_row && here.begin <= first);
    }

    __device__ void check_cell(uint32_t row, uint32_t at)
    {
        mine.checked++;
        td_add_verdict(&mine, Check(&data, row, at), (unsigned long long)row << 32 | at);
    }

    /*
     * Whether a row is surely right in the warp's columns, of which a lane takes every 32nd.
     *
     * Input   Whole: is_whole(row); else the row has cells to check, perhaps none of them here
     */
    template <bool Whole>
    __device__ bool is_right(uint32_t row)
    {
        const td_check_row here(data, shape, row);
        const uint32_t col = first + lane;
        bool right = true;
        uint32_t checked = 0, found = 0;
        __builtin_assume(col < UINT32_MAX / 2);
#pragma unroll
        for (uint32_t i = 0; i < COLUMNS; i++) {
            const uint32_t at = col + i * 32;
            const bool counts = Whole || (here.begin <= at && at < here.last);
            const td_verdict seen = Quick(&data, row, counts ? at : here.last - 1);
            right &= (seen.ok && seen.error == 0.0) || !counts;
            checked += counts;
            found += counts ? seen.found : 0;
        }
        right = __all_sync(0xffffffffu, right);
        mine.checked += right ? checked : 0;
        mine.found += right ? found : 0;
        return right;
    }

    /* The row of a lane's chunk k, where the first lanes are in `row`; below, the column of cell i of its chunks. */
    __device__ static uint32_t chunk_row(uint32_t row, uint32_t of_lane, uint32_t k)
    {
        return row + (k * ROWS_TOGETHER + of_lane / LANES) * gridDim.y;
    }

    __device__ uint32_t chunk_col(uint32_t of_lane, uint32_t i) const
    {
        return first + of_lane % LANES * (Chunk::apart == 1 ? Chunk::cells : 1) + i * Chunk::apart;
    }

    /* The warp's queue of cells in doubt: they are few, and checked together when they are enough for all lanes. */
    struct place {
        uint32_t row, col;
    };
    __device__ static place *queue()
    {
        __shared__ place queues[TD_CHECK_THREADS / 32][64];
        return queues[threadIdx.x / 32];
    }

    /* Check cells of the queue, up to 32: the last ones. */
    __device__ void check_queued()
    {
        const uint32_t end = queued;
        queued -= min(queued, 32);
        __syncwarp();
        if (queued + lane < end) {
            const place at = queue()[queued + lane];
            check_cell(at.row, at.col);
        }
        __syncwarp();
    }

    /* Queue the lanes' cells in doubt, one of each lane at a time. */
    __device__ void enqueue(uint32_t row, uint32_t *doubts)
    {
        for (;;) {
            uint32_t at = row, cell = Chunk::cells;
#pragma unroll
            for (uint32_t k = 0; k < Chunk::rows; k++) {
                if (cell == Chunk::cells && doubts[k] != 0) {
                    at = chunk_row(row, lane, k);
                    cell = (uint32_t)__ffs((int)doubts[k]) - 1;
                    doubts[k] &= doubts[k] - 1;
                }
            }
            const uint32_t lanes = __ballot_sync(0xffffffffu, cell < Chunk::cells);
            if (lanes == 0) {
                return;
            }
            if (cell < Chunk::cells) {
                const uint32_t before = (uint32_t)__popc(lanes & ((1u << lane) - 1));
                queue()[queued + before] = {at, chunk_col(lane, cell)};
            }
            queued += (uint32_t)__popc(lanes);
            if (queued >= 32) {
                check_queued();
            }
        }
    }

    /* Check the chunks in doubt again, of one lane at a time. */
    __device__ void check_again(uint32_t row, uint32_t *doubts)
    {
        uint32_t in_doubt = 0;
#pragma unroll
        for (uint32_t k = 0; k < Chunk::rows; k++) {
            in_doubt |= (uint32_t)(doubts[k] != 0) << k;
        }
#pragma unroll 1
        for (uint32_t k = 0; k < Chunk::rows; k++) {
            uint32_t lanes = __ballot_sync(0xffffffffu, in_doubt >> k & 1u);
#pragma unroll 1
            for (; lanes != 0; lanes &= lanes - 1) {
                const uint32_t of_lane = (uint32_t)__ffs((int)lanes) - 1;
                if (lane < Chunk::cells) {
                    check_cell(chunk_row(row, of_lane, k), chunk_col(of_lane, lane));
                }
            }
        }
    }

    typedef typename Chunk::seen seen[Chunk::rows > 0 ? Chunk::rows : 1];

    /* Read a chunk of each of the next CHUNK_ROWS, or of `row` again, where they are not below `end`. */
    __device__ void read_chunks(uint32_t row, uint32_t end, seen &all) const
    {
#pragma unroll
        for (uint32_t k = 0; k < Chunk::rows; k++) {
            const uint32_t at = chunk_row(row, lane, k);
            all[k] = chunk.read(&data, at < end ? at : row, chunk_col(lane, 0));
        }
    }

    /* The cells of a lane's chunk that are to be checked in a row. */
    __device__ uint32_t cells_of(uint32_t row) const
    {
        const uint32_t all = ~0u >> (32 - Chunk::cells);
        if (!Chunk::by_cell || row >= past) {
            return all;
        }
        const td_check_row here(data, shape, row);
        const int32_t count = (int32_t)(here.last - chunk_col(lane, 0));
        return all & __funnelshift_rc(~0u, 0, (uint32_t)max(32 - count, 0));
    }

    __device__ void judge_chunks(uint32_t row, uint32_t end, const seen &all)
    {
        uint32_t doubts[Chunk::rows], any = 0;
#pragma unroll
        for (uint32_t k = 0; k < Chunk::rows; k++) {
            const uint32_t at = chunk_row(row, lane, k);
            const uint32_t cells = at < end ? cells_of(at) : 0;
            doubts[k] =
                chunk.doubts(&data, at < end ? at : row, chunk_col(lane, 0), all[k]) & cells;
            const uint32_t right = cells & ~doubts[k];
            mine.checked += Chunk::by_cell ? (uint32_t)__popc(right)
                            : right != 0   ? Chunk::cells
                                           : 0;
            any |= doubts[k];
        }
        if (!__all_sync(0xffffffffu, any == 0)) {
            if constexpr (Chunk::by_cell) {
                enqueue(row, doubts);
            } else {
                check_again(row, doubts);
            }
        }
    }

    /* Check rows by chunks, from `row` on those below `end`; returns the next one. */
    __device__ uint32_t check_chunks(uint32_t row, uint32_t end)
    {
        for (; row < end; row += CHUNK_ROWS * gridDim.y) {
            seen all;
            read_chunks(row, end, all);
            judge_chunks(row, end, all);
        }
        return row;
    }

    /* The same for any row, with a quick check of its own. */
    __device__ void check_part(uint32_t row)
    {
        const td_check_row here(data, shape, row);
        const uint32_t last = min(past, here.last);
        if (first < last && here.begin < last && !is_right<false>(row)) {
#pragma unroll 1
            for (uint32_t at = first + lane; at < last; at += 32) {
                if (at >= here.begin) {
                    check_cell(row, at);
                }
            }
        }
        td_for_each(
            max(first, here.end), min(past, here.outside), lane, 32,
            [&](uint32_t at) { return td_touched(data, shape, (uint64_t)row * data.n + at); },
            [&](uint32_t, uint32_t touched) { mine.touched_outside += touched; });
    }

    /* The end of the rows that chunks are checked in, after a first one: a share ends early only from its tail on. Of
     * these rows, bytes behind the cells can be read. */
    __device__ uint32_t chunks_end() const
    {
        const uint32_t end_row = shape.share.end_row;
        return min(is_whole(end_row - 1) ? end_row : min(end_row, shape.share.tail_row),
                   data.n - 1);
    }

    __device__ void run()
    {
        const uint32_t first_row = shape.share.first_row, end_row = shape.share.end_row;
        /* above the diagonal there may be nothing to check */
        const uint32_t start =
            shape.square || shape.poisoned_outside ? first_row : max(first_row, first);
        bool has_chunks = false;
        if constexpr (Chunk::rows > 0) {
            has_chunks = chunk.begin(&data, chunk_col(lane, 0));
        }
        for (uint32_t row = start + blockIdx.y; row < end_row; row += gridDim.y) {
            if constexpr (Chunk::rows > 0) {
                if (has_chunks && takes_chunks(row)) {
                    const uint32_t end = chunks_end();
                    row = check_chunks(row, end);
                    while (row >= end + gridDim.y) { /* of the last ones, some were below `end` */
                        row -= gridDim.y;
                    }
                }
            } else {
                while (is_whole(row) && is_right<true>(row)) {
                    row += gridDim.y;
                }
            }
            if (row < end_row) {
                check_part(row);
            }
        }
        if constexpr (Chunk::by_cell) {
            check_queued();
        }
    }
};

/* Where cells lie in rows, no place of a cell takes a test for tiles. */
template <td_check_fn *Check, td_check_fn *Quick = td_quick_check<Check>,
          typename Chunk = td_chunk_check<Check>>
__device__ inline void td_run_check(const td_data &data, const td_check_shape &shape,
                                    td_device_counts *sum)
{
    if (data.blocked == 0) {
        td_data in_rows = data;
        in_rows.blocked = 0;
        td_columns_check<Check, Quick, Chunk> check{in_rows, shape};
        check.run();
        td_add_counts(sum, check.mine);
    } else {
        td_columns_check<Check, Quick, td_chunk_check<nullptr>> check{data, shape};
        check.run();
        td_add_counts(sum, check.mine);
    }
}

/* Chunk::blocks limits the registers: with four blocks per SM, a thread has 64. */
template <td_check_fn *Check, td_check_fn *Quick = td_quick_check<Check>,
          typename Chunk = td_chunk_check<Check>>
__global__ void __launch_bounds__(TD_CHECK_THREADS, Chunk::blocks)
    td_check_kernel(const td_data data, const td_check_shape shape, td_device_counts *sum)
{
    td_run_check<Check, Quick, Chunk>(data, shape, sum);
}

#endif
