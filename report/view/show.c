/* show.c - --show: a strategy's map for a small n, element by element, as a drawing or as data. */
#include "view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/prepare/planning.h"
#include "report/format/writer.h"
#include "report/terminal.h"
#include "strategies/tree.h"

enum { LABEL_SIZE = 40, PALETTE = 7, USUAL_N = 8, LARGEST_N = 24 };

/* A block of a launched grid or, for a thread map, a thread. In one-dimensional grids, threads are numbered through,
 * block after block. */
typedef struct map_element {
    size_t launch;
    td_dim3 at;
    td_tile place;    /* the first one that it works on; the others are to its right */
    uint32_t columns; /* how many; 0: it is wasted */
} map_element;

typedef struct small_map {
    const td_strategy *strategy;
    td_domain domain;
    td_plan plan;
    uint32_t n;            /* tiles per side; cells for a thread map */
    uint32_t asked;        /* the n of the command line if it is too large to draw, else n */
    map_element *elements; /* launch after launch, x first */
    size_t element_count;
    uint32_t *generations; /* depth of each launch in its tree: 0 for those of the host */
} small_map;

static bool maps_threads(const td_strategy *s)
{
    return s->unit == TD_MAPS_THREADS;
}

static bool is_3d(const small_map *map)
{
    return map->strategy->dimension == 3;
}

/* ---- which n ---- */

static uint32_t small_n(const td_options *options, uint32_t cells, uint32_t unit)
{
    const uint32_t n = td_ceil_div(cells, unit);
    return td_option_is_given(options, "n") && n <= LARGEST_N ? n : USUAL_N;
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

/* The number of elements of a launch. */
static td_dim3 extent_of(const small_map *map, size_t launch)
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

static td_thread thread_of(const small_map *map, size_t launch, td_dim3 e)
{
    const td_dim3 b = map->plan.launches[launch].block;
    const bool numbered = extent_of(map, launch).y == 1;
    td_thread t = {{e.x / b.x, e.y / b.y, 0}, {e.x % b.x, e.y % b.y, 0}};
    if (numbered) {
        t.block.x = e.x / (b.x * b.y);
        t.thread.y = e.x % (b.x * b.y) / b.x;
    }
    return t;
}

static bool is_inside(const small_map *map, td_tile at)
{
    if (is_3d(map)) {
        return at.z < map->n && at.x + at.y <= at.z;
    }
    return at.y < map->n && at.x <= at.y;
}

/* The place that an element works on. Output: active is false if it is not in the domain. */
static td_tile place_of(const small_map *map, size_t launch, td_dim3 element)
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
static uint32_t *number_node(const small_map *map, td_node node, uint32_t depth, uint32_t *next)
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

static td_status run_map(small_map *map, td_error *error)
{
    size_t next = 0;
    for (size_t l = 0; l < map->plan.count; l++) {
        const td_dim3 size = extent_of(map, l);
        map->element_count += (size_t)size.x * size.y * size.z;
    }
    TRY(td_allocate(&map->elements, map->element_count, sizeof *map->elements, error,
                    "the map of %s", map->strategy->name));
    for (size_t l = 0; l < map->plan.count; l++) {
        const td_dim3 size = extent_of(map, l);
        for (uint32_t i = 0; i < size.x * size.y * size.z; i++) {
            const td_dim3 at = {i % size.x, i / size.x % size.y, i / size.x / size.y};
            const td_tile place = place_of(map, l, at);
            const uint32_t columns =
                is_3d(map) ? td_tile_columns(&map->plan.launches[l], place) : 1;
            map->elements[next++] = (map_element){l, at, place, place.active ? columns : 0};
        }
    }
    return TD_OK;
}

/* Plan a strategy for an n of the command line, or for 8 if that is not given or too large. To be freed, even after an
 * error. */
static td_status make_map(const td_options *options, const td_strategy *strategy, uint32_t cells,
                          small_map *map, td_error *error)
{
    *map = (small_map){.strategy = strategy, .domain = domain_of(options, strategy, cells)};
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

static void free_map(small_map *map)
{
    td_plan_free(&map->plan);
    free(map->elements);
    free(map->generations);
}

/* ---- a drawing ---- */

/* The colours of Okabe and Ito, which colour-blind readers can tell apart, as the nearest of a terminal's 256. */
static const int palette[PALETTE] = {74, 214, 36, 227, 175, 166, 33};

/* One place of the domain: the last block (or thread) that came, and how many came. */
typedef struct spot {
    char label[LABEL_SIZE];
    size_t launch;
    unsigned visits;
} spot;

typedef struct drawing {
    td_text *text;
    const small_map *map;
    bool color;
    int width; /* of the longest label */
} drawing;

static char letter_of(size_t launch)
{
    return (char)('A' + launch % 26);
}

/* One place: the element that works on it, or how it is missed. */
static void add_spot(const drawing *d, const spot *s)
{
    const char *label = s->visits == 1 ? s->label : s->visits == 0 ? "." : "!";
    if (d->color && s->visits == 1) {
        td_text_print(d->text, " \033[30;48;5;%dm%*s\033[0m", palette[s->launch % PALETTE],
                      d->width, label);
    } else {
        td_text_print(d->text, " %*s", d->width, label);
    }
}

static size_t place_index(const small_map *map, uint32_t x, uint32_t y, uint32_t z)
{
    return ((size_t)z * map->n + y) * map->n + x;
}

static void write_label(const small_map *map, const map_element *e, char label[LABEL_SIZE])
{
    const td_dim3 size = extent_of(map, e->launch);
    const char letter[2] = {map->plan.count > 1 ? letter_of(e->launch) : '\0', '\0'};
    if (size.z > 1) {
        snprintf(label, LABEL_SIZE, "%s%u,%u,%u", letter, e->at.x, e->at.y, e->at.z);
    } else if (size.y > 1) {
        snprintf(label, LABEL_SIZE, "%s%u,%u", letter, e->at.x, e->at.y);
    } else {
        snprintf(label, LABEL_SIZE, "%s%u", letter, e->at.x);
    }
}

/* Returns the length of the longest label. */
static int visit_places(const small_map *map, spot *places)
{
    int longest = 0;
    for (size_t i = 0; i < map->element_count; i++) {
        const map_element *e = &map->elements[i];
        for (uint32_t c = 0; c < e->columns; c++) {
            spot *p = &places[place_index(map, e->place.x + c, e->place.y, e->place.z)];
            write_label(map, e, p->label);
            const int length = (int)strlen(p->label);
            longest = length > longest ? length : longest;
            p->launch = e->launch;
            p->visits++;
        }
    }
    return longest;
}

/* Add one triangle: in 2D the domain, in 3D its slice z, where rows are y and get shorter. */
static void add_slice(const drawing *d, const spot *places, uint32_t z)
{
    const uint32_t rows = is_3d(d->map) ? z + 1 : d->map->n;
    for (uint32_t y = 0; y < rows; y++) {
        const uint32_t columns = is_3d(d->map) ? z - y + 1 : y + 1;
        for (uint32_t x = 0; x < columns; x++) {
            add_spot(d, &places[place_index(d->map, x, y, z)]);
        }
        td_text_add(d->text, "\n");
    }
}

static td_status add_map(drawing *d, td_error *error)
{
    const small_map *map = d->map;
    const uint32_t slices = is_3d(map) ? map->n : 1;
    spot *places = NULL;
    TRY(td_allocate(&places, (size_t)map->n * map->n * slices, sizeof *places, error,
                    "a drawing of %s", map->strategy->name));
    d->width = visit_places(map, places);
    for (uint32_t z = 0; z < slices; z++) {
        if (is_3d(map)) {
            td_text_print(d->text, "z = %u\n", z);
        }
        add_slice(d, places, z);
    }
    free(places);
    return TD_OK;
}

static void add_title(const drawing *d)
{
    const small_map *map = d->map;
    const td_plan *plan = &map->plan;
    const char *place = maps_threads(map->strategy) ? "cell" : "tile";
    const char *element = maps_threads(map->strategy) ? "thread" : "block";
    if (map->asked != map->n) {
        td_text_print(d->text, "%u %ss per side are too many to draw, here is a small domain:\n",
                      map->asked, place);
    }
    td_text_print(d->text,
                  "%s, %u %ss per side, %zu launch%s, %llu blocks, %llu wasted: "
                  "the %s that works on each %s\n",
                  map->strategy->name, map->n, place, plan->count, plan->count == 1 ? "" : "es",
                  (unsigned long long)plan->blocks,
                  (unsigned long long)(plan->blocks - plan->blocks_needed), element, place);
}

/* ---- data ---- */

/* *next: the first element of the launch, then that of the next one. */
static void add_launch(const small_map *map, size_t launch, size_t *next, td_text *launches)
{
    td_text places = {0};
    for (; *next < map->element_count && map->elements[*next].launch == launch; (*next)++) {
        const map_element *e = &map->elements[*next];
        td_next_element(&places);
        td_text_add(&places, "[");
        for (uint32_t c = 0; c < e->columns; c++) {
            td_text_print(&places, "%s[%u,%u,%u]", c > 0 ? "," : "", e->place.x + c, e->place.y,
                          e->place.z);
        }
        td_text_add(&places, "]");
    }
    td_next_element(launches);
    td_writer w = td_writer_open(launches, TD_JSON_LINE);
    td_put_u64(&w, "generation", map->generations[launch]);
    td_put_dim3(&w, "grid", map->plan.launches[launch].grid);
    td_put_dim3(&w, "elements", extent_of(map, launch));
    td_put_array(&w, "places", &places);
    td_writer_close(&w);
}

static void add_data(const small_map *map, td_text *text)
{
    const td_strategy *s = map->strategy;
    size_t next = 0;
    td_text launches = {0};
    for (size_t i = 0; i < map->plan.count; i++) {
        add_launch(map, i, &next, &launches);
    }
    td_writer w = td_writer_open(text, TD_JSON_LINE);
    td_put_text(&w, "strategy", s->name);
    td_put_u64(&w, "dimension", (uint64_t)s->dimension);
    td_put_text(&w, "maps", maps_threads(s) ? "thread" : "block");
    td_put_u64(&w, "n", map->n);
    td_put_bool(&w, "tree", s->tree != NULL);
    td_put_u64(&w, "blocks", map->plan.blocks);
    td_put_u64(&w, "blocks_wasted", map->plan.blocks - map->plan.blocks_needed);
    td_put_array(&w, "launches", &launches);
    td_writer_close(&w);
}

/* ---- every map of the command line ---- */

static bool wants_data(const td_options *options)
{
    return td_option_is_given(options, "format") && options->format != TD_FORMAT_TABLE;
}

static td_status add_one(const td_options *options, const small_map *map, bool color, td_text *text,
                         td_error *error)
{
    drawing d = {.text = text, .map = map, .color = color};
    if (wants_data(options)) {
        add_data(map, text);
        return TD_OK;
    }
    add_title(&d);
    return add_map(&d, error);
}

td_status td_show_text(const td_options *options, bool color, td_text *text, td_error *error)
{
    const bool is_array = wants_data(options) && options->format == TD_FORMAT_JSON;
    td_text_add(text, is_array ? "[" : "");
    for (size_t i = 0; i < options->strategy_count * options->n.count; i++) {
        const td_strategy *strategy = options->strategies[i / options->n.count].strategy;
        const uint32_t cells = options->n.shapes[i % options->n.count].x;
        small_map map;
        td_text_add(text, i == 0 ? "" : is_array ? ",\n " : "\n");
        td_status status = make_map(options, strategy, cells, &map, error);
        if (status == TD_OK) {
            status = add_one(options, &map, color, text, error);
        }
        free_map(&map);
        TRY(status);
    }
    td_text_add(text, is_array ? "]\n" : wants_data(options) ? "\n" : "");
    return TD_OK;
}

td_status td_show(const td_options *options, td_error *error)
{
    td_text text = {0};
    const td_status status =
        td_show_text(options, td_terminal_wants_color(options->color), &text, error);
    if (status != TD_OK) {
        td_text_free(&text);
        return status;
    }
    return td_terminal_print(&text, "--show", error);
}
