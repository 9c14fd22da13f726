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
    td_counts mine = {};

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

    /* The row of a lane's chunk k, where the first lanes are in `row`; below, the column of its first cell. */
    __device__ uint32_t chunk_row(uint32_t row, uint32_t k) const
    {
        return row + (k * ROWS_TOGETHER + lane / LANES) * gridDim.y;
    }

    __device__ uint32_t chunk_col(uint32_t of_lane) const
    {
        return first + of_lane % LANES * (Chunk::apart == 1 ? Chunk::cells : 1);
    }

    /* Chunks with cells in doubt are few, and wait in a queue of the warp: 32 times the row, and the lane; if by cell,
     * then also bit i for the i-th cell. A small queue leaves more of an SM's memory to L1. */
    enum { QUEUE = Chunk::by_cell ? 64 : 0, WORDS = Chunk::by_cell ? 2 : 1 };
    typedef uint32_t doubtful[WORDS];
    __device__ static doubtful *queue()
    {
        __shared__ doubtful queues[TD_CHECK_THREADS / 32][QUEUE + 32 * Chunk::rows];
        return queues[threadIdx.x / 32];
    }

    /* Queue a chunk of each lane that has cells in doubt; returns how many chunks the queue then has. */
    __device__ uint32_t enqueue(uint32_t queued, uint32_t row, uint32_t cells) const
    {
        const uint32_t lanes = __ballot_sync(0xffffffffu, cells != 0);
        if (cells != 0) {
            const uint32_t before = (uint32_t)__popc(lanes & ((1u << lane) - 1));
            queue()[queued + before][0] = row * 32 + lane;
            if (Chunk::by_cell) {
                queue()[queued + before][WORDS - 1] = cells;
            }
        }
        return queued + (uint32_t)__popc(lanes);
    }

    /* Check the queue's cells in doubt. If only a few of a chunk's cells are, it takes one lane, else as many as it has
     * cells. */
    __device__ void check_queued(uint32_t queued)
    {
        constexpr uint32_t each = Chunk::by_cell ? 1 : Chunk::cells;
        __syncwarp();
#pragma unroll 1
        for (uint32_t i = lane; i < queued * each; i += 32) {
            const doubtful &chunk = queue()[i / each];
            const uint32_t row = chunk[0] / 32, col = chunk_col(chunk[0] % 32);
            uint32_t cells = Chunk::by_cell ? chunk[WORDS - 1] : 1u << i % each;
            do {
                check_cell(row, col + ((uint32_t)__ffs((int)cells) - 1) * Chunk::apart);
                cells &= cells - 1;
            } while (cells != 0);
        }
        __syncwarp();
    }

    typedef typename Chunk::seen seen[Chunk::rows > 0 ? Chunk::rows : 1];

    /* Read a chunk of each of CHUNK_ROWS from `row` on, or of row `again`, where they are not below `end`. */
    __device__ void read_chunks(uint32_t row, uint32_t end, uint32_t again, seen &all) const
    {
#pragma unroll
        for (uint32_t k = 0; k < Chunk::rows; k++) {
            const uint32_t at = chunk_row(row, k);
            all[k] = Chunk::read(&data, at < end ? at : again, chunk_col(lane));
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
        const int32_t count = (int32_t)(here.last - chunk_col(lane));
        return all & __funnelshift_rc(~0u, 0, (uint32_t)max(32 - count, 0));
    }

    /* Judge the chunks of rows from `row` on, and queue those in doubt. */
    template <typename Seen>
    __device__ void judge_chunks(const Chunk &chunk, uint32_t row, uint32_t end, const Seen *all,
                                 uint32_t &queued)
    {
        uint32_t doubts[Chunk::rows], in_doubt = 0;
#pragma unroll
        for (uint32_t k = 0; k < Chunk::rows; k++) {
            const uint32_t at = chunk_row(row, k);
            const uint32_t cells = at < end ? cells_of(at) : 0;
            doubts[k] = chunk.doubts(&data, at < end ? at : row, chunk_col(lane), all[k]) & cells;
            const uint32_t right = cells & ~doubts[k];
            mine.checked += Chunk::by_cell ? (uint32_t)__popc(right)
                            : right != 0   ? Chunk::cells
                                           : 0;
            in_doubt |= (uint32_t)(doubts[k] != 0) << k;
        }
        if (__all_sync(0xffffffffu, in_doubt == 0)) {
            return;
        }
#pragma unroll(Chunk::by_cell ? Chunk::rows : 1)
        for (uint32_t k = 0; k < Chunk::rows; k++) {
            queued =
                enqueue(queued, chunk_row(row, k), Chunk::by_cell ? doubts[k] : in_doubt >> k & 1u);
        }
    }

    /* Check rows by chunks, from `row` on those below `end`, until the queue has many; returns the next one. What the
     * chunks keep of their columns takes no registers while the queue is checked. */
    __device__ uint32_t check_chunks(uint32_t row, uint32_t end)
    {
        constexpr bool reads_ahead = requires
        {
            typename Chunk::taken;
        };
        uint32_t queued = 0;
        seen all;
        __syncwarp(); /* lanes that a row's end took apart would stay so */
        if (reads_ahead) {
            read_chunks(row, end, row, all);
        }
        Chunk chunk;
        chunk.begin(&data, chunk_col(lane));
        do {
            const uint32_t next = row + CHUNK_ROWS * gridDim.y;
            if constexpr (reads_ahead) {
                typename Chunk::taken taken[Chunk::rows];
#pragma unroll
                for (uint32_t k = 0; k < Chunk::rows; k++) {
                    taken[k] = Chunk::take(all[k]);
                }
                read_chunks(next, end, row, all);
                judge_chunks(chunk, row, end, taken, queued);
            } else {
                read_chunks(row, end, row, all);
                judge_chunks(chunk, row, end, all, queued);
            }
            row = next;
        } while (row < end && queued <= QUEUE);
        check_queued(queued);
        while (row >= end + gridDim.y) { /* of the last ones, some were below `end` */
            row -= gridDim.y;
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
            [&](uint32_t, uint32_t touched) { td_add_touched(touched); });
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
        for (uint32_t row = start + blockIdx.y; row < end_row; row += gridDim.y) {
            if constexpr (Chunk::rows > 0) {
                const uint32_t end = Chunk::takes(&data) ? chunks_end() : 0;
                while (row < end && takes_chunks(row)) {
                    row = check_chunks(row, end);
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
    }
};

/* Where cells lie in rows, no place of a cell takes a test for tiles. */
template <td_check_fn *Check, td_check_fn *Quick = td_quick_check<Check>,
          typename Chunk = td_chunk_check<Check>>
__device__ inline void td_run_check(const td_data &data, const td_check_shape &shape,
                                    td_device_counts *sum)
{
    td_start_counts();
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
