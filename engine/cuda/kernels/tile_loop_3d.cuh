/* tile_loop_3d.cuh - which thread computes which cells of a tile of a tetrahedron. A cell does something at its own
 * place, or is a term of a sum. */
#ifndef TD_ENGINE_CUDA_KERNELS_TILE_LOOP_3D_CUH
#define TD_ENGINE_CUDA_KERNELS_TILE_LOOP_3D_CUH

#include "strategies/map.h"
#include "workloads/layout3.h"

/* NVRTC comes without <type_traits>. */
template <typename A, typename B>
inline constexpr bool td_is_same = false;
template <typename A>
inline constexpr bool td_is_same<A, A> = true;

/* True for the cells of TD_SUMS_3D, whose results are summed. */
template <auto *Cell>
constexpr bool td_is_sum = td_is_same<decltype(Cell(nullptr, 0, 0, 0)), double>;

/* Blocks of the largest size per SM: two leave 32 registers per thread. The double terms of a sum need more. */
template <auto *Cell>
inline constexpr int td_blocks_3d = td_is_sum<Cell> ? 1 : 2;

/* A tile whose cells are all outside the domain, for any sides of a block. */
enum { TD_OUTSIDE = 1u << 25 };

/*
 * The sum over the threads of a block, in an order that depends only on the block's shape: the lanes of a warp by
 * halves, then the warps one by one. All threads call it; thread 0 gets the result. CUB's reduction of a block needs
 * its shape at compile time.
 */
__device__ inline double td_block_sum(double term)
{
    __shared__ double warps[32];
    const uint32_t threads = blockDim.x * blockDim.y * blockDim.z;
    const uint32_t thread = td_thread_of_block();
    const uint32_t lane = thread % 32;
    const uint32_t lanes = min(32u, threads - (thread - lane)); /* the last warp may be short */
    const uint32_t mask = lanes == 32 ? 0xffffffffu : (1u << lanes) - 1;
    for (uint32_t offset = 16; offset > 0; offset /= 2) {
        const double other = __shfl_down_sync(mask, term, offset);
        term += lane + offset < lanes ? other : 0.0;
    }
    if (lane == 0) {
        warps[thread / 32] = term;
    }
    __syncthreads();
    double sum = 0.0;
    for (uint32_t w = 0; thread == 0 && w < (threads + 31) / 32; w++) {
        sum += warps[w];
    }
    __syncthreads(); /* before the next tile writes over it */
    return sum;
}

/* Store the sum of a tile at the tile's own place, whichever block a strategy gives it to. */
__device__ inline void td_store_sum(const td_data &data, td_tile tile, double term)
{
    const double sum = td_block_sum(term);
    if ((threadIdx.x | threadIdx.y | threadIdx.z) == 0) {
        ((double *)data.output)[1 + td_tetra_index(tile.x, tile.y, tile.z)] = sum;
    }
}

/* A tile that represents several stores its sum at the index of the first: clear the others. */
__device__ inline void td_clear_places(const td_launch &launch, const td_data &data, td_tile tile)
{
    const uint32_t columns = td_tile_count(3, &launch, tile);
    double *part = (double *)data.output + 1 + td_tetra_index(tile.x, tile.y, tile.z);
    const uint32_t thread = td_thread_of_block();
    for (uint32_t x = 1 + thread; x < columns; x += blockDim.x * blockDim.y * blockDim.z) {
        part[x] = 0.0;
    }
}

/*
 * One cell per thread: the tile is as large as the block. Side and Full are 0 where only the launch knows them.
 *
 * Constants save the loads of the block's sides and the branch on the layout. With blocks this small a handful of
 * instructions is measurable: all that a thread does is one store.
 */
template <auto *Cell, int Side, bool Full>
__device__ inline void td_run_tile3(const td_data &data, td_tile tile)
{
    const uint32_t x = tile.x * (Side > 0 ? Side : blockDim.x) + threadIdx.x;
    const uint32_t y = tile.y * (Side > 0 ? Side : blockDim.y) + threadIdx.y;
    const uint32_t z = tile.z * (Side > 0 ? Side : blockDim.z) + threadIdx.z;
    const bool inside = x + y <= z && z < data.n;
    td_data known = data; /* the cell reads the constants from here */
    known.full = Side > 0 ? Full : data.full;
    if constexpr (td_is_sum<Cell>) {
        td_store_sum(data, tile, inside ? Cell(&known, x, y, z) : 0.0);
    } else if (inside) {
        Cell(&known, x, y, z);
    }
}

/*
 * Distribute the rows of a tile over a block's y and z, and their cells over its x. Row (y, z) ends at the plane x + y
 * = z.
 */
template <typename Row>
__device__ inline void td_for_rows(const td_launch &launch, const td_data &data, td_tile tile,
                                   Row row)
{
    const uint32_t first_x = tile.x * launch.tile;
    const uint32_t end_y = (tile.y + 1) * launch.tile;
    const uint32_t end_z = min((tile.z + 1) * launch.tile, data.n);
    for (uint32_t z = tile.z * launch.tile + threadIdx.z; z < end_z; z += blockDim.z) {
        for (uint32_t y = tile.y * launch.tile + threadIdx.y; y < min(end_y, z + 1);
             y += blockDim.y) {
            row(first_x, min(first_x + launch.width, z - y + 1), y, z);
        }
    }
}

/* Cell by cell. */
template <auto *Cell>
__device__ inline void td_loop_cells(const td_launch &launch, const td_data &data, td_tile tile)
{
    double sum = 0.0;
    td_for_rows(launch, data, tile, [&](uint32_t first, uint32_t end, uint32_t y, uint32_t z) {
        for (uint32_t x = first + threadIdx.x; x < end; x += blockDim.x) {
            if constexpr (td_is_sum<Cell>) {
                sum += Cell(&data, x, y, z);
            } else {
                Cell(&data, x, y, z);
            }
        }
    });
    if constexpr (td_is_sum<Cell>) {
        td_store_sum(data, tile, sum);
        td_clear_places(launch, data, tile);
    }
}

/*
 * Where a row ends inside a tile, its last sector of 32 bytes is written only in part, and memory with ECC has to read
 * it before it can write it back: half a million such reads take a third of the time of `write`. Requested early, the
 * sector is in L2 when the store comes.
 */
__device__ inline void td_prefetch_ends(const td_launch &launch, const td_data &data, td_tile tile)
{
    const bool inside = tile.x + td_tile_count(3, &launch, tile) + tile.y + 1 <= tile.z;
    if (inside || threadIdx.x != 0) {
        return;
    }
    td_for_rows(launch, data, tile, [&](uint32_t first, uint32_t end, uint32_t y, uint32_t z) {
        if (end > first && end % 8 != 0) {
            td_prefetch(td_cell3_4(&data, end - 1, y, z));
        }
    });
}

/* Four cells per store; the last ones of a row go one by one. Rows start at multiples of 16 bytes. */
template <auto *Cell>
__device__ inline void td_loop_quads(const td_launch &launch, const td_data &data, td_tile tile)
{
    td_prefetch_ends(launch, data, tile);
    td_for_rows(launch, data, tile, [&](uint32_t first, uint32_t end, uint32_t y, uint32_t z) {
        for (uint32_t x = first + 4 * threadIdx.x; x < end; x += 4 * blockDim.x) {
            if (x + 4 <= end) {
                td_quad<Cell>::run(&data, x, y, z);
            } else {
                for (uint32_t last = x; last < end; last++) {
                    Cell(&data, last, y, z);
                }
            }
        }
    });
}

/* The cells of a tile larger than the block. */
template <auto *Cell>
__device__ inline void td_loop_tile3(const td_launch &launch, const td_data &data, td_tile tile)
{
    if constexpr (td_quad<Cell>::exists) {
        if (data.full && data.n % 4 == 0 && launch.width % 4 == 0) {
            td_loop_quads<Cell>(launch, data, tile);
            return;
        }
    }
    td_loop_cells<Cell>(launch, data, tile);
}

#endif
