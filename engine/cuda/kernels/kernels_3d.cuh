/* kernels_3d.cuh - the kernel templates for tetrahedra: a cell does something at its place, or is a term of a sum. */
#ifndef TD_ENGINE_CUDA_KERNELS_KERNELS_3D_CUH
#define TD_ENGINE_CUDA_KERNELS_KERNELS_3D_CUH

#include "kernels.cuh"
#include "workloads/layout3.h"

/* NVRTC comes without <type_traits>. */
template <typename A, typename B>
inline constexpr bool td_is_same = false;
template <typename A>
inline constexpr bool td_is_same<A, A> = true;

/* True for the cells of TD_SUMS_3D, whose results are summed. */
template <auto *Cell>
constexpr bool td_is_sum = td_is_same<decltype(Cell(nullptr, 0, 0, 0)), double>;

/* Two blocks of the largest size per SM leave 32 registers per thread. The double terms of a sum need more. */
#define TD_BOUNDS_3D(Cell) __launch_bounds__(1024, td_is_sum<Cell> ? 1 : 2)

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

/* A tile that stands for several leaves its sum in the first of their places: clear the others. */
__device__ inline void td_clear_places(const td_launch &launch, const td_data &data, td_tile tile)
{
    const uint32_t columns = td_tile_columns(&launch, tile);
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
    const bool inside = tile.x + td_tile_columns(&launch, tile) + tile.y + 1 <= tile.z;
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

/*
 * Grids of 3D plans are never cut in pieces, see their exact ranges: first is 0, and adding it would cost a wasted
 * block a tenth of its time.
 */
__device__ inline td_dim3 td_block_index_3d()
{
    td_dim3 block;
    block.x = blockIdx.x;
    block.y = blockIdx.y;
    block.z = blockIdx.z;
    return block;
}

/* A costly map is computed by one thread, for it takes each warp longer than the rest of a small cell. */
template <td_block_map_fn *Map>
inline constexpr bool td_is_costly = td_strategy_with(Map).is_costly;

/* A tile whose cells all lie behind the domain, for any sides of a block. */
enum { TD_BEHIND = 1u << 25 };

/*
 * The tile of this block. Where one thread computes it, a wasted block gets one behind the domain: the test of each
 * cell is enough then, and a test of `active` beside it would cost 4 % of `write`.
 */
template <td_block_map_fn *Map>
__device__ inline td_tile td_map_block(const td_launch &launch)
{
    if constexpr (!td_is_costly<Map>) {
        return Map(&launch, td_block_index_3d());
    } else {
        __shared__ td_tile shared;
        if ((threadIdx.x | threadIdx.y | threadIdx.z) == 0) {
            shared = Map(&launch, td_block_index_3d());
            shared.z = shared.active ? shared.z : (uint32_t)TD_BEHIND;
        }
        __syncthreads();
        return shared;
    }
}

template <td_block_map_fn *Map>
inline constexpr bool td_has_whole_rows = td_strategy_with(Map).whole_rows;

/* A tile as large as the block, or a tile of whole rows, which may have any size. */
template <td_block_map_fn *Map, auto *Cell, int Side, bool Full>
__device__ inline void td_run_cells_3d(const td_launch &launch, const td_data &data)
{
    if constexpr (td_has_whole_rows<Map>) {
        const td_tile tile = Map(&launch, td_block_index_3d());
        if (tile.active) {
            td_loop_tile3<Cell>(launch, data, tile);
        }
    } else {
        const td_tile tile = td_map_block<Map>(launch);
        if ((td_is_costly<Map> && !td_is_sum<Cell>) || tile.active) {
            td_run_tile3<Cell, Side, Full>(data, tile);
        }
    }
}

template <td_block_map_fn *Map, auto *Cell, int Side, bool Full>
__global__ void TD_BOUNDS_3D(Cell) td_block_kernel_3d(const td_launch launch, const td_data data)
{
    td_run_cells_3d<Map, Cell, Side, Full>(launch, data);
}

/* Tiles of whole rows, for any layout and block. */
template <td_block_map_fn *Map, auto *Cell>
__global__ void TD_BOUNDS_3D(Cell) td_rows_kernel_3d(const td_launch launch, const td_data data)
{
    td_run_cells_3d<Map, Cell, 0, false>(launch, data);
}

/* The kernel for tiles as large as the block, or for tiles of whole rows, which may have any size. */
typedef void td_kernel_fn(const td_launch launch, const td_data data);
template <td_block_map_fn *Map, auto *Cell, int Side, bool Full>
constexpr td_kernel_fn *td_tile_kernel_3d()
{
    if constexpr (td_has_whole_rows<Map>) {
        return td_rows_kernel_3d<Map, Cell>;
    } else {
        return td_block_kernel_3d<Map, Cell, Side, Full>;
    }
}

/* Tiles larger than the block, or fewer blocks than tiles; see td_run_loop. */
template <td_block_map_fn *Map, auto *Cell>
__device__ inline void td_run_loop_3d(const td_launch &launch, const td_data &data)
{
    const uint64_t blocks = (uint64_t)launch.grid.x * launch.grid.y * launch.grid.z;
    for (uint64_t b = blockIdx.x; b < blocks; b += gridDim.x) {
        const td_tile tile = Map(&launch, td_block_at(launch, b, blocks));
        if (tile.active) {
            td_loop_tile3<Cell>(launch, data, tile);
        }
    }
}

template <td_block_map_fn *Map, auto *Cell>
__global__ void TD_BOUNDS_3D(Cell) td_loop_kernel_3d(const td_launch launch, const td_data data)
{
    td_run_loop_3d<Map, Cell>(launch, data);
}

#endif
