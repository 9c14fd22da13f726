/* show.c - --show: a drawing of a map, or its data. */
#include "view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/terminal.h"
#include "small_map.h"

enum { LABEL_SIZE = 40, PALETTE = 7, NOWHERE = -1 };

/* The colours of Okabe and Ito, which colour-blind readers can tell apart, as the nearest of a terminal's 256. */
static const int palette[PALETTE] = {74, 214, 36, 227, 175, 166, 33};

/* One place of the domain: the last block (or thread) that came, and how many came. */
typedef struct spot {
    char label[LABEL_SIZE];
    int launch;
    unsigned visits;
} spot;

typedef struct drawing {
    td_text *text;
    const td_small_map *map;
    bool color;
    int width; /* of the longest label */
} drawing;

static bool is_3d(const td_small_map *map)
{
    return map->strategy->dimension == 3;
}

static bool maps_threads(const td_small_map *map)
{
    return map->strategy->unit == TD_MAPS_THREADS;
}

static char letter_of(size_t launch)
{
    return (char)('A' + launch % 26);
}

/* launch: gives the colour, unless it is NOWHERE. */
static void add_label(const drawing *d, const char *label, int launch)
{
    if (d->color && launch != NOWHERE) {
        td_text_print(d->text, " \033[30;48;5;%dm%*s\033[0m", palette[launch % PALETTE], d->width,
                      label);
    } else {
        td_text_print(d->text, " %*s", d->width, label);
    }
}

/* ---- the domain, with the element that works on each place ---- */

static size_t place_index(const td_small_map *map, uint32_t x, uint32_t y, uint32_t z)
{
    return ((size_t)z * map->n + y) * map->n + x;
}

static void write_label(const td_small_map *map, const td_map_element *e, char label[LABEL_SIZE])
{
    const td_dim3 size = td_small_map_extent(map, e->launch);
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
static int visit_places(const td_small_map *map, spot *places)
{
    int longest = 0;
    for (size_t i = 0; i < map->element_count; i++) {
        const td_map_element *e = &map->elements[i];
        for (uint32_t c = 0; c < e->columns; c++) {
            spot *p = &places[place_index(map, e->place.x + c, e->place.y, e->place.z)];
            write_label(map, e, p->label);
            const int length = (int)strlen(p->label);
            longest = length > longest ? length : longest;
            p->launch = (int)e->launch;
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
            const spot *p = &places[place_index(d->map, x, y, z)];
            if (p->visits == 1) {
                add_label(d, p->label, p->launch);
            } else {
                add_label(d, p->visits == 0 ? "." : "!", NOWHERE);
            }
        }
        td_text_add(d->text, "\n");
    }
}

static td_status add_map(drawing *d, td_error *error)
{
    const td_small_map *map = d->map;
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

/* ---- the grids, with the place that each element works on ---- */

/* The place as row,column; a wasted element is a dot. */
static void add_element(const drawing *d, const td_map_element *e)
{
    char label[LABEL_SIZE] = ".";
    const td_dim3 size = td_small_map_extent(d->map, e->launch);
    if (e->columns > 0 && is_3d(d->map)) {
        snprintf(label, sizeof label, "%u,%u,%u", e->place.x, e->place.y, e->place.z);
    } else if (e->columns > 0) {
        snprintf(label, sizeof label, "%u,%u", e->place.y, e->place.x);
    }
    add_label(d, label, e->columns > 0 ? (int)e->launch : NOWHERE);
    const bool ends_row = e->at.x + 1 == size.x;
    if (ends_row || (size.y * size.z == 1 && e->at.x % TD_SMALL_N == TD_SMALL_N - 1)) {
        td_text_add(d->text, "\n");
    }
    if (ends_row && e->at.y + 1 == size.y && e->at.z + 1 < size.z) {
        td_text_add(d->text, "\n");
    }
}

static void add_grids(drawing *d)
{
    d->width = is_3d(d->map) ? 8 : 5; /* "23,23", or in 3D "23,23,23" */
    for (size_t i = 0; i < d->map->element_count; i++) {
        const td_map_element *e = &d->map->elements[i];
        if (i == 0 || e->launch != e[-1].launch) {
            const td_dim3 g = d->map->plan.launches[e->launch].grid;
            td_text_print(d->text, "launch %c: %u x %u x %u blocks\n", letter_of(e->launch), g.x,
                          g.y, g.z);
        }
        add_element(d, e);
    }
}

static void add_title(const drawing *d, td_show_view view)
{
    const td_small_map *map = d->map;
    const td_plan *plan = &map->plan;
    const char *place = maps_threads(map) ? "cell" : "tile";
    const char *element = maps_threads(map) ? "thread" : "block";
    if (map->asked != map->n) {
        td_text_print(d->text, "%u %ss per side are too many to draw, here is a small domain:\n",
                      map->asked, place);
    }
    td_text_print(d->text, "%s, %u %ss per side, %zu launch%s, %llu blocks, %llu wasted: ",
                  map->strategy->name, map->n, place, plan->count, plan->count == 1 ? "" : "es",
                  (unsigned long long)plan->blocks,
                  (unsigned long long)(plan->blocks - plan->blocks_needed));
    if (view == TD_SHOW_GRID) {
        td_text_print(d->text, "the %s (%s) of each %s, . where there is none\n", place,
                      is_3d(map) ? "x,y,z" : "row,column", element);
    } else {
        td_text_print(d->text, "the %s that works on each %s\n", element, place);
    }
}

/* ---- data ---- */

static void add_dim3(td_text *text, const char *name, td_dim3 size)
{
    td_text_print(text, "\"%s\": [%u, %u, %u], ", name, size.x, size.y, size.z);
}

/* *next: the first element of the launch, then that of the next one. */
static void add_launch(const td_small_map *map, size_t launch, size_t *next, td_text *text)
{
    td_text_print(text, "{\"generation\": %u, ", map->generations[launch]);
    add_dim3(text, "grid", map->plan.launches[launch].grid);
    add_dim3(text, "elements", td_small_map_extent(map, launch));
    td_text_add(text, "\"places\": [");
    for (const char *between = "["; *next < map->element_count; (*next)++, between = ", [") {
        const td_map_element *e = &map->elements[*next];
        if (e->launch != launch) {
            break;
        }
        td_text_add(text, between);
        for (uint32_t c = 0; c < e->columns; c++) {
            td_text_print(text, "%s[%u, %u, %u]", c > 0 ? ", " : "", e->place.x + c, e->place.y,
                          e->place.z);
        }
        td_text_add(text, "]");
    }
    td_text_add(text, "]}");
}

static void add_data(const td_small_map *map, td_text *text)
{
    const td_strategy *s = map->strategy;
    const td_plan *plan = &map->plan;
    size_t next = 0;
    td_text_print(text, "{\"strategy\": \"%s\", \"dimension\": %d, \"maps\": \"%s\", \"n\": %u, ",
                  s->name, s->dimension, maps_threads(map) ? "thread" : "block", map->n);
    td_text_print(text, "\"tree\": %s, \"blocks\": %llu, \"blocks_wasted\": %llu, \"launches\": [",
                  s->tree != NULL ? "true" : "false", (unsigned long long)plan->blocks,
                  (unsigned long long)(plan->blocks - plan->blocks_needed));
    for (size_t i = 0; i < plan->count; i++) {
        td_text_add(text, i > 0 ? ", " : "");
        add_launch(map, i, &next, text);
    }
    td_text_add(text, "]}");
}

/* ---- every map of the command line ---- */

static bool wants_data(const td_options *options)
{
    return td_option_is_given(options, "format") && options->format != TD_FORMAT_TABLE;
}

static td_status add_one(const td_options *options, const td_small_map *map, bool color,
                         td_text *text, td_error *error)
{
    drawing d = {.text = text, .map = map, .color = color};
    if (wants_data(options)) {
        add_data(map, text);
        return TD_OK;
    }
    add_title(&d, options->show_view);
    if (options->show_view == TD_SHOW_GRID) {
        add_grids(&d);
        return TD_OK;
    }
    return add_map(&d, error);
}

td_status td_show_text(const td_options *options, bool color, td_text *text, td_error *error)
{
    const bool is_array = wants_data(options) && options->format == TD_FORMAT_JSON;
    td_text_add(text, is_array ? "[" : "");
    for (size_t i = 0; i < options->strategy_count * options->n.count; i++) {
        const td_strategy *strategy = options->strategies[i / options->n.count].strategy;
        const uint32_t cells = options->n.shapes[i % options->n.count].x;
        td_small_map map;
        td_text_add(text, i == 0 ? "" : is_array ? ",\n " : "\n");
        td_status status = td_small_map_make(options, strategy, cells, &map, error);
        if (status == TD_OK) {
            status = add_one(options, &map, color, text, error);
        }
        td_small_map_free(&map);
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
    return td_terminal_print(&text, false, "--show", error);
}
