/* show.c - --show: a strategy's map for a small n, element by element, as a drawing or as data. */
#include "view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/core/coverage.h"
#include "engine/prepare/planning.h"
#include "report/format/writer.h"
#include "report/terminal.h"
#include "strategies/tree.h"

enum { LABEL_SIZE = 40, USUAL_N = 8, LARGEST_N = 24 };

typedef struct small_map {
    const td_strategy *strategy;
    bool maps_threads, is_3d;
    td_domain domain;
    td_plan plan;
    uint32_t n;     /* tiles per side; cells for a thread map */
    uint32_t asked; /* the n of the command line if it is too large to draw, else n */
} small_map;

/* ---- planning ---- */

static td_domain domain_of(const td_options *options, const small_map *map, uint32_t asked)
{
    const uint32_t side = options->blocks.count > 0 ? options->blocks.shapes[0].x
                          : map->is_3d              ? 8
                                                    : 16;
    /* one tile would show nothing */
    const bool is_free = options->blocks.count == 0 && asked <= side;
    /* threads are drawn one by one, so use small blocks to have several */
    const uint32_t tile = map->maps_threads          ? 4
                          : options->tiles.count > 0 ? options->tiles.shapes[0].y
                          : is_free                  ? 1
                                                     : side;
    const uint32_t unit = map->maps_threads ? 1 : tile;
    const uint32_t n = td_ceil_div(asked, unit);
    const bool is_small = td_option_is_given(options, "n") && n <= LARGEST_N;
    const uint32_t cells = (is_small ? n : USUAL_N) * unit;
    /* a larger cutoff would make the tree one box */
    const uint32_t cutoff = options->cutoffs.shapes[0].x;
    td_domain domain = td_domain_of(cells, tile, (td_dim3){tile, tile, map->is_3d ? tile : 1},
                                    cutoff < cells ? cutoff : 2 * tile);
    domain.group = options->groups.count > 0 ? options->groups.shapes[0].x : 0;
    domain.order = (td_order)td_words_first(options->orders);
    return domain;
}

/* Plan a strategy for an n of the command line, or for 8 if that is not given or too large. The plan is to be freed,
 * even after an error. */
static td_status make_map(const td_options *options, const td_strategy *strategy, uint32_t cells,
                          small_map *map, td_error *error)
{
    *map = (small_map){.strategy = strategy,
                       .maps_threads = strategy->unit == TD_MAPS_THREADS,
                       .is_3d = strategy->dimension == 3};
    map->domain = domain_of(options, map, cells);
    map->n = td_strategy_n(strategy, &map->domain);
    map->asked = td_option_is_given(options, "n")
                     ? td_ceil_div(cells, map->maps_threads ? 1 : map->domain.tile)
                     : map->n;
    return td_strategy_plan(strategy, &map->domain, true, &map->plan, error);
}

/* ---- what each element works on ---- */

/* A block of a launched grid or, for a thread map, a thread. */
typedef struct map_element {
    td_dim3 at;
    td_tile place;  /* that it works on, or the first of several: see td_nth_tile */
    uint32_t tiles; /* how many; 0: it is wasted */
} map_element;

/* The number of elements of a launch by axis. In one-dimensional grids, threads are numbered through, block after
 * block. */
static td_dim3 extent_of(const small_map *map, const td_launch *l)
{
    const bool numbered = l->grid.y * l->grid.z == 1;
    const uint32_t x = numbered ? l->block.x * l->block.y : l->block.x;
    const uint32_t y = numbered ? 1 : l->block.y;
    return map->maps_threads ? (td_dim3){l->grid.x * x, l->grid.y * y, l->grid.z} : l->grid;
}

static uint32_t element_count(const small_map *map, const td_launch *l)
{
    const td_dim3 extent = extent_of(map, l);
    return extent.x * extent.y * extent.z;
}

static td_thread thread_at(const td_launch *l, td_dim3 at, td_dim3 extent)
{
    const td_dim3 block = l->block;
    const uint32_t per_block = extent.y == 1 ? block.x * block.y : block.x;
    const uint32_t y = extent.y == 1 ? at.x % per_block / block.x : at.y;
    return (td_thread){{at.x / per_block, y / block.y, 0}, {at.x % block.x, y % block.y, 0}};
}

static map_element element_at(const small_map *map, const td_launch *l, uint32_t i)
{
    const td_dim3 extent = extent_of(map, l);
    const td_dim3 at = {i % extent.x, i / extent.x % extent.y, i / extent.x / extent.y};
    const int dimension = map->strategy->dimension;
    td_tile p;
    if (map->maps_threads) {
        const td_cell cell = map->strategy->thread_map(l, thread_at(l, at, extent));
        p = (td_tile){cell.col, cell.row, 0, cell.active};
    } else {
        p = map->strategy->block_map(l, at);
    }
    const td_tile first = td_nth_tile(dimension, l, p, 0);
    p.active = p.active && td_place(dimension, map->n, first) != UINT64_MAX;
    return (map_element){at, p, p.active ? td_tile_count(dimension, l, p) : 0};
}

/* ---- a drawing ---- */

/* The element that works on a place; "": none, "!": several. */
typedef char label[LABEL_SIZE];

static void write_label(const small_map *map, size_t launch, td_dim3 at, label text)
{
    const td_dim3 extent = extent_of(map, &map->plan.launches[launch]);
    const char letter[] = {(char)('A' + launch % 26), '\0'};
    snprintf(text, LABEL_SIZE,
             extent.z > 1   ? "%s%u,%u,%u"
             : extent.y > 1 ? "%s%u,%u"
                            : "%s%u",
             map->plan.count > 1 ? letter : "", at.x, at.y, at.z);
}

/* Returns the length of the longest label. */
static int visit_places(const small_map *map, label *places)
{
    size_t longest = 1;
    for (size_t l = 0; l < map->plan.count; l++) {
        const td_launch *launch = &map->plan.launches[l];
        for (uint32_t i = 0; i < element_count(map, launch); i++) {
            const map_element e = element_at(map, launch, i);
            for (uint32_t k = 0; k < e.tiles; k++) {
                const td_tile tile = td_nth_tile(map->strategy->dimension, launch, e.place, k);
                char *place = places[((size_t)tile.z * map->n + tile.y) * map->n + tile.x];
                if (place[0] != '\0') {
                    snprintf(place, LABEL_SIZE, "!");
                } else {
                    write_label(map, l, e.at, place);
                }
                longest = strlen(place) > longest ? strlen(place) : longest;
            }
        }
    }
    return (int)longest;
}

/* In 2D a triangle; in 3D one for each slice, whose rows are y and get shorter. */
static td_status add_map(const small_map *map, td_text *text, td_error *error)
{
    const uint32_t n = map->n, slices = map->is_3d ? n : 1;
    label *places = NULL;
    TRY(td_allocate(&places, (size_t)n * n * slices, sizeof *places, error, "a drawing of %s",
                    map->strategy->name));
    const int width = visit_places(map, places);
    for (uint32_t z = 0; z < slices; z++) {
        if (map->is_3d) {
            td_text_print(text, "z = %u\n", z);
        }
        for (uint32_t y = 0; y < (map->is_3d ? z + 1 : n); y++) {
            for (uint32_t x = 0; x < (map->is_3d ? z - y + 1 : y + 1); x++) {
                const char *place = places[((size_t)z * n + y) * n + x];
                td_text_print(text, " %*s", width, place[0] != '\0' ? place : ".");
            }
            td_text_add(text, "\n");
        }
    }
    free(places);
    return TD_OK;
}

static void add_title(const small_map *map, td_text *text)
{
    const td_plan *plan = &map->plan;
    const char *place = map->maps_threads ? "cell" : "tile";
    if (map->asked != map->n) {
        td_text_print(text, "%u %ss per side are too many to draw, here is a small domain:\n",
                      map->asked, place);
    }
    td_text_print(text,
                  "%s, %u %ss per side, %zu launch%s, %llu blocks, %llu wasted: "
                  "the %s that works on each %s\n",
                  map->strategy->name, map->n, place, plan->count, plan->count == 1 ? "" : "es",
                  (unsigned long long)plan->blocks,
                  (unsigned long long)(plan->blocks - plan->blocks_needed),
                  map->maps_threads ? "thread" : "block", place);
}

/* ---- data ---- */

static void add_launch(const small_map *map, const td_launch *l, uint32_t generation,
                       td_text *launches)
{
    td_text places = {0};
    for (uint32_t i = 0; i < element_count(map, l); i++) {
        const map_element e = element_at(map, l, i);
        td_next_element(&places);
        td_text_add(&places, "[");
        for (uint32_t k = 0; k < e.tiles; k++) {
            const td_tile tile = td_nth_tile(map->strategy->dimension, l, e.place, k);
            td_text_print(&places, "%s[%u,%u,%u]", k > 0 ? "," : "", tile.x, tile.y, tile.z);
        }
        td_text_add(&places, "]");
    }
    td_next_element(launches);
    td_writer w = td_writer_open(launches, TD_JSON_LINE);
    td_put_u64(&w, "generation", generation);
    td_put_dim3(&w, "grid", l->grid);
    td_put_dim3(&w, "elements", extent_of(map, l));
    td_put_array(&w, "places", &places);
    td_writer_close(&w);
}

/* Add the launches of a tree in the order of td_tree_plan: a node, then each child with everything below it. */
static const td_launch *add_node(const small_map *map, td_node node, uint32_t depth,
                                 const td_launch *next, td_text *launches)
{
    const td_tree *tree = map->strategy->tree;
    const uint32_t leaf = td_tree_leaf(map->domain.cutoff, map->domain.tile);
    const uint32_t split = td_tree_split(node, leaf);
    add_launch(map, next++, depth, launches);
    for (uint32_t c = 0; c < tree->children && split > 0; c++) {
        next = add_node(map, tree->child(node, split, c), depth + 1, next, launches);
    }
    return next;
}

static void add_data(const small_map *map, td_text *text)
{
    const td_strategy *s = map->strategy;
    const td_plan *plan = &map->plan;
    td_text launches = {0};
    if (s->tree != NULL) {
        add_node(map, td_tree_root(map->domain.tiles), 0, plan->launches, &launches);
    }
    for (size_t i = 0; i < plan->count && s->tree == NULL; i++) {
        add_launch(map, &plan->launches[i], 0, &launches);
    }
    td_writer w = td_writer_open(text, TD_JSON_LINE);
    td_put_text(&w, "strategy", s->name);
    td_put_u64(&w, "dimension", (uint64_t)s->dimension);
    td_put_text(&w, "maps", map->maps_threads ? "thread" : "block");
    td_put_u64(&w, "n", map->n);
    td_put_bool(&w, "tree", s->tree != NULL);
    td_put_u64(&w, "blocks", plan->blocks);
    td_put_u64(&w, "blocks_wasted", plan->blocks - plan->blocks_needed);
    td_put_array(&w, "launches", &launches);
    td_writer_close(&w);
}

/* ---- every map of the command line ---- */

td_status td_show_text(const td_options *options, td_text *text, td_error *error)
{
    const bool is_data =
        td_option_is_given(options, "format") && options->format != TD_FORMAT_TABLE;
    const bool is_array = is_data && options->format == TD_FORMAT_JSON;
    td_text_add(text, is_array ? "[" : "");
    for (size_t i = 0; i < options->strategy_count * options->n.count; i++) {
        const td_strategy *strategy = options->strategies[i / options->n.count].strategy;
        const uint32_t cells = options->n.shapes[i % options->n.count].x;
        small_map map;
        td_text_add(text, i == 0 ? "" : is_array ? ",\n " : "\n");
        td_status status = make_map(options, strategy, cells, &map, error);
        if (status == TD_OK && is_data) {
            add_data(&map, text);
        } else if (status == TD_OK) {
            add_title(&map, text);
            status = add_map(&map, text, error);
        }
        td_plan_free(&map.plan);
        TRY(status);
    }
    td_text_add(text, is_array ? "]\n" : is_data ? "\n" : "");
    return TD_OK;
}

td_status td_show(const td_options *options, td_error *error)
{
    td_text text = {0};
    const td_status status = td_show_text(options, &text, error);
    if (status != TD_OK) {
        td_text_free(&text);
        return status;
    }
    return td_terminal_print(&text, "--show", error);
}
