#include "small_map.h"

#include <stdlib.h>

#include "engine/prepare/planning.h"
#include "strategies/tree.h"

enum { USUAL_N = 8 };

/* ---- which n ---- */

static bool maps_threads(const td_strategy *s)
{
    return s->unit == TD_MAPS_THREADS;
}

static uint32_t small_n(const td_options *options, uint32_t cells, uint32_t unit)
{
    const uint32_t n = td_ceil_div(cells, unit);
    return td_option_is_given(options, "n") && n <= TD_SMALL_N ? n : USUAL_N;
}

static td_domain domain_of(const td_options *options, const td_strategy *s, uint32_t asked)
{
    const uint32_t side = options->blocks.count > 0 ? options->blocks.shapes[0].x
                          : s->dimension == 3       ? 8
                                                    : 16;
    /* threads are drawn one by one, so use small blocks to have several */
    const bool is_free =
        options->blocks.count == 0 && asked <= side; /* one tile would show nothing */
    const uint32_t tile = maps_threads(s)            ? 4
                          : options->tiles.count > 0 ? options->tiles.shapes[0].y
                          : is_free                  ? 1
                                                     : side;
    const uint32_t cells =
        maps_threads(s) ? small_n(options, asked, 1) : small_n(options, asked, tile) * tile;
    const td_dim3 block = {tile, tile, s->dimension == 3 ? tile : 1};
    /* a larger cutoff would make the tree one box */
    const uint32_t asked_cutoff = options->cutoffs.shapes[0].x;
    const uint32_t cutoff = asked_cutoff < cells ? asked_cutoff : 2 * tile;
    return td_domain_of(cells, tile, block, cutoff);
}

/* ---- running the map ---- */

td_dim3 td_small_map_extent(const td_small_map *map, size_t launch)
{
    const td_launch *l = &map->plan.launches[launch];
    td_dim3 e = l->grid;
    if (maps_threads(map->strategy) && e.y * e.z == 1 && l->block.y > 1) {
        e.x *= l->block.x * l->block.y;
    } else if (maps_threads(map->strategy)) {
        e.x *= l->block.x;
        e.y *= l->block.y;
    }
    return e;
}

static td_thread thread_of(const td_small_map *map, size_t launch, td_dim3 e)
{
    const td_dim3 b = map->plan.launches[launch].block;
    const bool numbered = td_small_map_extent(map, launch).y == 1;
    td_thread t = {{e.x / b.x, e.y / b.y, 0}, {e.x % b.x, e.y % b.y, 0}};
    if (numbered) {
        t.block.x = e.x / (b.x * b.y);
        t.thread.y = e.x % (b.x * b.y) / b.x;
    }
    return t;
}

static bool is_inside(const td_small_map *map, td_tile at)
{
    if (map->strategy->dimension == 3) {
        return at.z < map->n && at.x + at.y <= at.z;
    }
    return at.y < map->n && at.x <= at.y;
}

/* The place that an element works on. Output: active is false if it is not in the domain. */
static td_tile place_of(const td_small_map *map, size_t launch, td_dim3 element)
{
    const td_launch *l = &map->plan.launches[launch];
    td_tile at;
    if (maps_threads(map->strategy)) {
        const td_cell cell = map->strategy->thread_map(l, thread_of(map, launch, element));
        at = (td_tile){cell.col, cell.row, 0, cell.active};
    } else {
        at = map->strategy->block_map(l, element);
    }
    at.active = at.active && is_inside(map, at);
    return at;
}

/* In the order of td_tree_plan: a node, then each child with everything below it. */
static uint32_t *number_node(const td_small_map *map, td_node node, uint32_t depth, uint32_t *next)
{
    const td_tree *tree = map->strategy->tree;
    const uint32_t leaf = td_tree_leaf(map->domain.cutoff, map->domain.tile);
    const uint32_t split = td_tree_split(node, leaf);
    *next++ = depth;
    for (uint32_t c = 0; c < tree->children && split > 0; c++) {
        next = number_node(map, tree->child(node, split, c), depth + 1, next);
    }
    return next;
}

static td_status run_map(td_small_map *map, td_error *error)
{
    size_t next = 0;
    for (size_t l = 0; l < map->plan.count; l++) {
        const td_dim3 size = td_small_map_extent(map, l);
        map->element_count += (size_t)size.x * size.y * size.z;
    }
    TRY(td_allocate(&map->elements, map->element_count, sizeof *map->elements, error,
                    "the map of %s", map->strategy->name));
    for (size_t l = 0; l < map->plan.count; l++) {
        const td_dim3 size = td_small_map_extent(map, l);
        for (uint32_t i = 0; i < size.x * size.y * size.z; i++) {
            const td_dim3 at = {i % size.x, i / size.x % size.y, i / size.x / size.y};
            const td_tile place = place_of(map, l, at);
            const bool is_3d = map->strategy->dimension == 3;
            const uint32_t columns = is_3d ? td_tile_columns(&map->plan.launches[l], place) : 1;
            map->elements[next++] = (td_map_element){l, at, place, place.active ? columns : 0};
        }
    }
    return TD_OK;
}

td_status td_small_map_make(const td_options *options, const td_strategy *strategy, uint32_t cells,
                            td_small_map *map, td_error *error)
{
    *map = (td_small_map){.strategy = strategy, .domain = domain_of(options, strategy, cells)};
    TRY(td_strategy_plan(strategy, &map->domain, true, &map->plan, error));
    const uint32_t unit = maps_threads(strategy) ? 1 : map->domain.tile;
    map->n = td_strategy_n(strategy, &map->domain);
    map->asked = td_option_is_given(options, "n") ? td_ceil_div(cells, unit) : map->n;
    TRY(td_allocate(&map->generations, map->plan.count, sizeof *map->generations, error,
                    "the launches of %s", strategy->name));
    if (strategy->tree != NULL) {
        number_node(map, td_tree_root(map->domain.tiles), 0, map->generations);
    }
    return run_map(map, error);
}

void td_small_map_free(td_small_map *map)
{
    td_plan_free(&map->plan);
    free(map->elements);
    free(map->generations);
}
