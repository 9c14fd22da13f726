/*
 * maps.cuh - the maps of the strategies on a GPU: that of one strategy at compile time, or any by number at run time.
 *
 * Function pointers as template arguments are constants: there is no indirect call on the device.
 */
#ifndef TD_ENGINE_CUDA_KERNELS_MAPS_CUH
#define TD_ENGINE_CUDA_KERNELS_MAPS_CUH

#include "engine/cuda/kernel_table.h"

/* td_strategies, at compile time. */
inline constexpr const td_strategy *td_strategy_by_id[] = {TD_DESCRIPTORS};

/* The descriptor of the strategy with this map: kernels know maps, not names. */
constexpr const td_strategy &td_strategy_with(td_block_map_fn *map)
{
    size_t i = 0;
    while (td_strategy_by_id[i]->block_map != map) {
        i++;
    }
    return *td_strategy_by_id[i];
}

/*
 * Whether a wasted block returns at once. Half of a bounding box's blocks are wasted, so the test pays off there. If
 * one in a hundred is wasted, the test costs all the others more than it saves (2 %; H200, distances of one feature, N
 * = 30720), so a wasted block ends at the test of the cell instead.
 */
template <td_block_map_fn *Map>
inline constexpr bool td_returns_early = !td_strategy_with(Map).few_wasted;

/* A costly map is computed by one thread: in every warp it would take longer than the rest of a small cell. */
template <td_block_map_fn *Map>
inline constexpr bool td_is_costly = td_strategy_with(Map).is_costly;

template <td_block_map_fn *Map>
inline constexpr bool td_has_whole_rows = td_strategy_with(Map).whole_rows;

/* Also of the map of the whole square, which no strategy has as its own. */
constexpr bool td_deals_out_rows(td_block_map_fn *map)
{
    for (const td_strategy *strategy : td_strategy_by_id) {
        if (strategy->block_map == map) {
            return strategy->by_rows;
        }
    }
    return false;
}
template <td_block_map_fn *Map>
inline constexpr bool td_is_by_rows = td_deals_out_rows(Map);

/* The recursion of a tree. */
template <td_block_map_fn *Map>
inline constexpr td_tree td_tree_of = *td_strategy_with(Map).tree;

/* The map of the whole square, from whichever strategy has one. */
constexpr td_block_map_fn *td_find_square_map()
{
    for (const td_strategy *strategy : td_strategy_by_id) {
        if (strategy->square_map != NULL) {
            return strategy->square_map;
        }
    }
    return NULL;
}
inline constexpr td_block_map_fn *td_whole_square_map = td_find_square_map();

/* ---- the index of a block ---- */

/* Grids that were cut into pieces start at launch.first; all others save the additions. */
template <bool Cut>
__device__ inline td_dim3 td_block_index(const td_launch &launch)
{
    td_dim3 block;
    block.x = Cut ? launch.first.x + blockIdx.x : blockIdx.x;
    block.y = Cut ? launch.first.y + blockIdx.y : blockIdx.y;
    block.z = Cut ? launch.first.z + blockIdx.z : blockIdx.z;
    return block;
}

/* Logical block b of the `blocks` in launch.grid. */
__device__ inline td_dim3 td_block_at(const td_launch &launch, uint64_t b, uint64_t blocks)
{
    td_dim3 block;
    if (blocks <= UINT32_MAX) { /* 32-bit divisions are several times cheaper */
        const uint32_t index = (uint32_t)b;
        block.x = launch.first.x + index % launch.grid.x;
        block.y = launch.first.y + index / launch.grid.x % launch.grid.y;
        block.z = launch.first.z + index / launch.grid.x / launch.grid.y;
    } else {
        block.x = launch.first.x + (uint32_t)(b % launch.grid.x);
        block.y = launch.first.y + (uint32_t)(b / launch.grid.x % launch.grid.y);
        block.z = launch.first.z + (uint32_t)(b / launch.grid.x / launch.grid.y);
    }
    return block;
}

/* ---- maps by number ---- */

/* The dimension of what a map deals out: of tiles or, in a line for each triangle, of whole rows. */
constexpr int td_map_dimension(const td_strategy &strategy)
{
    return strategy.by_rows ? 1 : strategy.dimension;
}

/* Whether a strategy has a block map of such a dimension that a kernel may choose at run time. */
constexpr bool td_has_number(int dimension, uint32_t id)
{
    return id < TD_STRATEGY_COUNT && td_map_dimension(*td_strategy_by_id[id]) == dimension &&
           td_strategy_by_id[id]->unit == TD_MAPS_BLOCKS && td_strategy_by_id[id]->tree == NULL;
}

constexpr uint32_t td_find_number(int dimension, uint32_t from, bool has)
{
    while (td_has_number(dimension, from) != has) {
        from++;
    }
    return from;
}

/* The numbers of these maps are those of their strategies. In 2D the whole square follows, for any greater number. */
template <int Dimension>
inline constexpr uint32_t td_first_number = td_find_number(Dimension, 0, true);
template <int Dimension>
inline constexpr uint32_t
    td_end_number = td_find_number(Dimension, td_first_number<Dimension>, false) + (Dimension == 2);
constexpr td_block_map_fn *td_map_at(uint32_t number)
{
    const td_strategy *strategy = td_strategy_by_id[number];
    return strategy->plain_map != NULL ? strategy->plain_map : strategy->block_map;
}
template <int Dimension, uint32_t Number>
inline constexpr td_block_map_fn *td_map_numbered = td_has_number(Dimension, Number)
                                                        ? td_map_at(Number)
                                                        : td_whole_square_map;

/*
 * The map with a number from First to End - 1, by comparisons: a switch would jump through a table in constant memory,
 * which every SM has to fetch in every launch (H200: 0.1 us).
 */
template <int Dimension, uint32_t First, uint32_t End>
__device__ inline td_tile td_map_between(uint32_t number, const td_launch &launch, td_dim3 block)
{
    if constexpr (First + 1 == End) {
        constexpr td_block_map_fn *map = td_map_numbered<Dimension, First>;
        return map(&launch, block);
    } else {
        constexpr uint32_t middle = (First + End) / 2;
        return number < middle ? td_map_between<Dimension, First, middle>(number, launch, block)
                               : td_map_between<Dimension, middle, End>(number, launch, block);
    }
}

/* In a part of a domain, tile (0, 0) is further down and to the right. */
template <int Dimension>
__device__ inline td_tile td_in_part(const td_launch &launch, td_tile tile)
{
    if constexpr (Dimension == 2) {
        tile.x += launch.origin_x;
        tile.y += launch.origin_y;
    }
    return tile;
}

/* Maps as types, for a walk: one that the kernel is made for, and one that is chosen at run time, the same for all
 * threads of a grid. */
template <int Dimension, td_block_map_fn *Map>
struct td_one_map {
    __device__ static td_tile tile(uint32_t, const td_launch &launch, td_dim3 block)
    {
        return td_in_part<Dimension>(launch, Map(&launch, block));
    }
};
template <int Dimension>
struct td_any_map {
    __device__ static td_tile tile(uint32_t strategy, const td_launch &launch, td_dim3 block)
    {
        return td_in_part<Dimension>(
            launch, td_map_between<Dimension, td_first_number<Dimension>, td_end_number<Dimension>>(
                        strategy, launch, block));
    }
};

#endif
