#include "show.h"

#include <stdlib.h>
#include <string.h>

#include "show_json.h"
#include "report/terminal.h"

enum { LABEL_SIZE = 40, PALETTE = 7, NOWHERE = -1 };

/* The colours of Okabe and Ito, which colour-blind readers can tell apart, as the nearest of a terminal's 256. */
static const int palette[PALETTE] = {74, 214, 36, 227, 175, 166, 33};

/* One place of the domain: the last block (or thread) that came, and how many came. */
typedef struct place {
    char label[LABEL_SIZE];
    int launch;
    unsigned visits;
} place;

typedef struct drawing {
    FILE *out;
    const td_small_map *map;
    bool color;
    place *places; /* n x n (x n in 3D), row by row */
    int width;     /* of the longest label */
} drawing;

static bool is_3d(const drawing *d)
{
    return d->map->strategy->dimension == 3;
}

static bool maps_threads(const drawing *d)
{
    return d->map->strategy->unit == TD_MAPS_THREADS;
}

/* ---- running the map ---- */

static size_t place_index(const drawing *d, td_tile at)
{
    return ((size_t)at.z * d->map->n + at.y) * d->map->n + at.x;
}

static void print_label(const drawing *d, size_t launch, td_dim3 e, char label[LABEL_SIZE])
{
    const td_dim3 size = td_small_map_extent(d->map, launch);
    char letter[2] = {(char)('A' + launch % 26), '\0'};
    letter[0] = d->map->plan.count > 1 ? letter[0] : '\0';
    if (size.z > 1) {
        snprintf(label, LABEL_SIZE, "%s%u,%u,%u", letter, e.x, e.y, e.z);
    } else if (size.y > 1) {
        snprintf(label, LABEL_SIZE, "%s%u,%u", letter, e.x, e.y);
    } else {
        snprintf(label, LABEL_SIZE, "%s%u", letter, e.x);
    }
}

static void note(void *context, size_t launch, td_dim3 e, td_tile at)
{
    drawing *d = context;
    const uint32_t columns = at.active ? td_small_map_columns(d->map, launch, at) : 0;
    for (uint32_t c = 0; c < columns; c++, at.x++) {
        place *p = &d->places[place_index(d, at)];
        print_label(d, launch, e, p->label);
        const int length = (int)strlen(p->label);
        d->width = length > d->width ? length : d->width;
        p->launch = (int)launch;
        p->visits++;
    }
}

/* ---- drawing ---- */

static void print_text(const drawing *d, const char *text, int launch)
{
    if (d->color && launch != NOWHERE) {
        fprintf(d->out, " \033[30;48;5;%dm%*s\033[0m", palette[launch % PALETTE], d->width, text);
    } else {
        fprintf(d->out, " %*s", d->width, text);
    }
}

static void print_place(const drawing *d, const place *p)
{
    if (p->visits == 1) {
        print_text(d, p->label, p->launch);
    } else {
        print_text(d, p->visits == 0 ? "." : "!", NOWHERE);
    }
}

/* Print one triangle: in 2D the domain, in 3D its slice z, where rows are y and get shorter. */
static void print_slice(const drawing *d, uint32_t z)
{
    const uint32_t rows = is_3d(d) ? z + 1 : d->map->n;
    for (uint32_t y = 0; y < rows; y++) {
        const uint32_t columns = is_3d(d) ? z - y + 1 : y + 1;
        for (uint32_t x = 0; x < columns; x++) {
            const td_tile at = {x, y, z, true};
            print_place(d, &d->places[place_index(d, at)]);
        }
        fputc('\n', d->out);
    }
}

static void print_map(const drawing *d)
{
    for (uint32_t z = 0; z < (is_3d(d) ? d->map->n : 1); z++) {
        if (is_3d(d)) {
            fprintf(d->out, "z = %u\n", z);
        }
        print_slice(d, z);
    }
}

/* Print an element of the grid as the place it works on, row,column; a wasted one as a dot. */
static void print_element(void *context, size_t launch, td_dim3 e, td_tile at)
{
    const drawing *d = context;
    char text[LABEL_SIZE] = ".";
    const td_dim3 size = td_small_map_extent(d->map, launch);
    if (at.active && is_3d(d)) {
        snprintf(text, sizeof text, "%u,%u,%u", at.x, at.y, at.z);
    } else if (at.active) {
        snprintf(text, sizeof text, "%u,%u", at.y, at.x);
    }
    print_text(d, text, at.active ? (int)launch : NOWHERE);
    if (e.x + 1 == size.x || (size.y * size.z == 1 && e.x % TD_SMALL_N == TD_SMALL_N - 1)) {
        fputc('\n', d->out);
    }
    if (e.x + 1 == size.x && e.y + 1 == size.y && e.z + 1 < size.z) {
        fputc('\n', d->out);
    }
}

static void print_grids(drawing *d)
{
    d->width = is_3d(d) ? 8 : 5; /* "23,23", or in 3D "23,23,23" */
    for (size_t i = 0; i < d->map->plan.count; i++) {
        const td_dim3 g = d->map->plan.launches[i].grid;
        fprintf(d->out, "launch %c: %u x %u x %u blocks\n", (int)('A' + i % 26), g.x, g.y, g.z);
        td_small_map_each(d->map, i, print_element, d);
    }
}

static void print_title(const drawing *d, td_show_view view)
{
    const td_small_map *map = d->map;
    const td_plan *plan = &map->plan;
    const char *places = maps_threads(d) ? "cells" : "tiles";
    if (map->asked != map->n) {
        fprintf(d->out, "%u %s per side are too many to draw, here is a small domain:\n",
                map->asked, places);
    }
    fprintf(
        d->out, "%s, %u %s per side, %zu launch%s, %llu blocks, %llu wasted: ", map->strategy->name,
        map->n, places, plan->count, plan->count == 1 ? "" : "es", (unsigned long long)plan->blocks,
        (unsigned long long)(plan->blocks - plan->blocks_needed));
    if (view == TD_SHOW_GRID) {
        fprintf(d->out, "the %s (%s) of each %s, . where there is none\n",
                maps_threads(d) ? "cell" : "tile", is_3d(d) ? "x,y,z" : "row,column",
                maps_threads(d) ? "thread" : "block");
    } else {
        fprintf(d->out, "the %s that works on each %s\n", maps_threads(d) ? "thread" : "block",
                maps_threads(d) ? "cell" : "tile");
    }
}

static td_status draw(FILE *out, const td_small_map *map, td_show_view view, bool color,
                      td_error *error)
{
    drawing d = {.out = out, .map = map, .color = color};
    TRY(td_allocate(&d.places, (size_t)map->n * map->n * (is_3d(&d) ? map->n : 1), sizeof *d.places,
                    error, "a drawing of %s", map->strategy->name));
    for (size_t i = 0; i < map->plan.count; i++) {
        td_small_map_each(map, i, note, &d);
    }
    print_title(&d, view);
    if (view == TD_SHOW_GRID) {
        print_grids(&d);
    } else {
        print_map(&d);
    }
    free(d.places);
    return TD_OK;
}

/* ---- every map of the command line ---- */

static bool wants_data(const td_options *options)
{
    return td_option_is_given(options, "format") && options->format != TD_FORMAT_TABLE;
}

/* Input: between, printed before the map unless it is NULL. */
static td_status show_one(FILE *out, const td_options *options, const td_small_map *map,
                          const char *between, bool color, td_error *error)
{
    fputs(between != NULL ? between : "", out);
    if (!wants_data(options)) {
        return draw(out, map, options->show_view, color, error);
    }
    td_text text = {0};
    const td_status status = td_show_json(map, &text, error);
    fputs(status == TD_OK ? text.data : "", out);
    td_text_free(&text);
    return status;
}

static td_status show_all(FILE *out, const td_options *options, const char *between, bool color,
                          td_error *error)
{
    for (size_t i = 0; i < options->strategy_count * options->n_count; i++) {
        const td_strategy *strategy = options->strategies[i / options->n_count].strategy;
        const uint32_t cells = options->n[i % options->n_count];
        td_small_map map;
        TRY(td_small_map_make(options, strategy, cells, &map, error));
        const td_status status = show_one(out, options, &map, i > 0 ? between : NULL, color, error);
        td_small_map_free(&map);
        TRY(status);
    }
    return TD_OK;
}

td_status td_show_print(FILE *out, const td_options *options, bool color, td_error *error)
{
    const bool is_array = wants_data(options) && options->format == TD_FORMAT_JSON;
    const char *end = !wants_data(options) ? "" : is_array ? "]\n" : "\n";
    fputs(is_array ? "[" : "", out);
    TRY(show_all(out, options, is_array ? ",\n " : "\n", color, error));
    fputs(end, out);
    return fflush(out) == 0 && !ferror(out)
               ? TD_OK
               : td_fail(error, TD_FAILED, "the drawing could not be written");
}

td_status td_show(const td_options *options, td_error *error)
{
    return td_show_print(stdout, options, td_terminal_wants_color(options->color), error);
}
