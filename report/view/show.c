#include "show.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/plan/planning.h"

enum { LARGEST = 24, USUAL = 8, LABEL_SIZE = 40, PALETTE = 7, NOWHERE = -1 };

/* The colours of Okabe and Ito, which the colour-blind tell apart, as nearest in the 256 of a terminal. */
static const int palette[PALETTE] = {74, 214, 36, 227, 175, 166, 33};

/* What is at one place of the domain: the last block (or thread) that came, and how many did. */
typedef struct place {
    char label[LABEL_SIZE];
    int launch;
    unsigned visits;
} place;

/* One element of a launched grid: a block, or for maps of threads a thread. */
typedef struct element {
    uint32_t x, y, z;
} element;

typedef struct drawing {
    FILE *out;
    const td_strategy *strategy;
    td_domain domain;
    td_plan plan;
    uint32_t n;
    uint32_t asked; /* the n of the command line, too large to be drawn; or as n */
    bool color;
    place *places; /* n x n (x n in 3D), row by row */
    int width;     /* of the longest label */
} drawing;

static bool is_3d(const drawing *d)
{
    return d->strategy->dimension == 3;
}

/* ---- which n ---- */

static uint32_t small_n(const td_options *options, uint32_t unit)
{
    const uint32_t n = td_ceil_div(options->n[0], unit);
    return td_option_is_given(options, "n") && n <= LARGEST ? n : USUAL;
}

static uint32_t asked_n(const td_options *options, const drawing *d)
{
    const uint32_t unit = d->strategy->unit == TD_MAPS_THREADS ? 1 : d->domain.tile;
    return td_option_is_given(options, "n") ? td_ceil_div(options->n[0], unit) : d->n;
}

static td_domain domain_of(const td_options *options, const td_strategy *s)
{
    const bool threads = s->unit == TD_MAPS_THREADS;
    const uint32_t side = options->block_count > 0 ? options->blocks[0].x
                          : s->dimension == 3      ? 8
                                                   : 16;
    /* threads are drawn one by one: small blocks, so that there are several */
    const uint32_t tile = threads ? 4 : options->tile_count > 0 ? options->tiles[0] : side;
    const uint32_t cells = threads ? small_n(options, 1) : small_n(options, tile) * tile;
    const td_dim3 block = {tile, tile, s->dimension == 3 ? tile : 1};
    /* or the tree would be one box */
    const uint32_t cutoff = options->cutoffs[0] < cells ? options->cutoffs[0] : 2 * tile;
    return td_domain_of(cells, tile, block, cutoff);
}

/* ---- running the map ---- */

static size_t place_index(const drawing *d, td_tile at)
{
    return ((size_t)at.z * d->n + at.y) * d->n + at.x;
}

static bool is_inside(const drawing *d, td_tile at)
{
    if (is_3d(d)) {
        return at.z < d->n && at.x + at.y <= at.z;
    }
    return at.y < d->n && at.x <= at.y;
}

static element extent(const drawing *d, const td_launch *launch)
{
    element e = {launch->grid.x, launch->grid.y, launch->grid.z};
    if (d->strategy->unit == TD_MAPS_THREADS && e.y * e.z == 1 && launch->block.y > 1) {
        e.x *= launch->block.x * launch->block.y; /* numbered through, block after block */
    } else if (d->strategy->unit == TD_MAPS_THREADS) {
        e.x *= launch->block.x;
        e.y *= launch->block.y;
    }
    return e;
}

static td_thread thread_of(const drawing *d, const td_launch *launch, element e)
{
    const td_dim3 b = launch->block;
    const bool numbered = extent(d, launch).y == 1;
    td_thread t = {{e.x / b.x, e.y / b.y, 0}, {e.x % b.x, e.y % b.y, 0}};
    if (numbered) {
        t.block.x = e.x / (b.x * b.y);
        t.thread.y = e.x % (b.x * b.y) / b.x;
    }
    return t;
}

static td_tile map(const drawing *d, const td_launch *launch, element e)
{
    if (d->strategy->unit == TD_MAPS_BLOCKS) {
        const td_dim3 block = {e.x, e.y, e.z};
        return d->strategy->block_map(launch, block);
    }
    const td_cell cell = d->strategy->thread_map(launch, thread_of(d, launch, e));
    const td_tile at = {cell.col, cell.row, 0, cell.active};
    return at;
}

static void print_label(const drawing *d, size_t launch, element e, char label[LABEL_SIZE])
{
    const element size = extent(d, &d->plan.launches[launch]);
    char letter[2] = {(char)('A' + launch % 26), '\0'};
    letter[0] = d->plan.count > 1 ? letter[0] : '\0';
    if (size.z > 1) {
        snprintf(label, LABEL_SIZE, "%s%u,%u,%u", letter, e.x, e.y, e.z);
    } else if (size.y > 1) {
        snprintf(label, LABEL_SIZE, "%s%u,%u", letter, e.x, e.y);
    } else {
        snprintf(label, LABEL_SIZE, "%s%u", letter, e.x);
    }
}

typedef void visit_fn(drawing *d, size_t launch, element e, td_tile at);

static void for_each(drawing *d, size_t launch, visit_fn *visit)
{
    const element size = extent(d, &d->plan.launches[launch]);
    element e;
    for (e.z = 0; e.z < size.z; e.z++) {
        for (e.y = 0; e.y < size.y; e.y++) {
            for (e.x = 0; e.x < size.x; e.x++) {
                visit(d, launch, e, map(d, &d->plan.launches[launch], e));
            }
        }
    }
}

static void note(drawing *d, size_t launch, element e, td_tile at)
{
    if (!at.active || !is_inside(d, at)) {
        return;
    }
    const uint32_t columns = is_3d(d) ? td_tile_columns(&d->plan.launches[launch], at) : 1;
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

/* One triangle: the domain in 2D, slice z of it in 3D, where rows are y and get shorter. */
static void print_slice(const drawing *d, uint32_t z)
{
    const uint32_t rows = is_3d(d) ? z + 1 : d->n;
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
    for (uint32_t z = 0; z < (is_3d(d) ? d->n : 1); z++) {
        if (is_3d(d)) {
            fprintf(d->out, "z = %u\n", z);
        }
        print_slice(d, z);
    }
}

/* An element of the grid as the place it goes to, row,column; wasted ones as a dot. */
static void print_element(drawing *d, size_t launch, element e, td_tile at)
{
    char text[LABEL_SIZE] = ".";
    const element size = extent(d, &d->plan.launches[launch]);
    const bool works = at.active && is_inside(d, at);
    if (works && is_3d(d)) {
        snprintf(text, sizeof text, "%u,%u,%u", at.x, at.y, at.z);
    } else if (works) {
        snprintf(text, sizeof text, "%u,%u", at.y, at.x);
    }
    print_text(d, text, works ? (int)launch : NOWHERE);
    if (e.x + 1 == size.x || (size.y * size.z == 1 && e.x % LARGEST == LARGEST - 1)) {
        fputc('\n', d->out);
    }
    if (e.x + 1 == size.x && e.y + 1 == size.y && e.z + 1 < size.z) {
        fputc('\n', d->out);
    }
}

static void print_grids(drawing *d)
{
    d->width = is_3d(d) ? 8 : 5; /* 23,23 */
    for (size_t i = 0; i < d->plan.count; i++) {
        const td_dim3 g = d->plan.launches[i].grid;
        fprintf(d->out, "launch %c: %u x %u x %u blocks\n", (int)('A' + i % 26), g.x, g.y, g.z);
        for_each(d, i, print_element);
    }
}

static void print_title(const drawing *d, td_show_view view)
{
    const bool threads = d->strategy->unit == TD_MAPS_THREADS;
    const char *where = is_3d(d) ? "x,y,z" : "row,column";
    if (d->asked != d->n) {
        fprintf(d->out, "%u %s per side are too many to draw, here is a small domain:\n", d->asked,
                threads ? "cells" : "tiles");
    }
    fprintf(d->out,
            "%s, %u %s per side, %zu launch%s, %llu blocks, %llu wasted: ", d->strategy->name, d->n,
            threads ? "cells" : "tiles", d->plan.count, d->plan.count == 1 ? "" : "es",
            (unsigned long long)d->plan.blocks,
            (unsigned long long)(d->plan.blocks - d->plan.blocks_needed));
    if (view == TD_SHOW_GRID) {
        fprintf(d->out, "the %s (%s) of each %s, . where there is none\n",
                threads ? "cell" : "tile", where, threads ? "thread" : "block");
    } else {
        fprintf(d->out, "the %s that works on each %s\n", threads ? "thread" : "block",
                threads ? "cell" : "tile");
    }
}

static td_status draw(FILE *out, const td_options *options, const td_strategy *s, bool color,
                      td_error *error)
{
    drawing d = {.out = out, .strategy = s, .color = color, .domain = domain_of(options, s)};
    TRY(td_strategy_plan(s, &d.domain, true, &d.plan, error));
    d.n = td_strategy_n(s, &d.domain);
    d.asked = asked_n(options, &d);
    d.places = calloc((size_t)d.n * d.n * (is_3d(&d) ? d.n : 1), sizeof *d.places);
    if (d.places == NULL) {
        td_plan_free(&d.plan);
        return td_fail(error, TD_NO_MEMORY, "not enough memory to draw %s", s->name);
    }
    for (size_t i = 0; i < d.plan.count; i++) {
        for_each(&d, i, note);
    }
    print_title(&d, options->show_view);
    if (options->show_view == TD_SHOW_GRID) {
        print_grids(&d);
    } else {
        print_map(&d);
    }
    free(d.places);
    td_plan_free(&d.plan);
    return TD_OK;
}

td_status td_show_print(FILE *out, const td_options *options, bool color, td_error *error)
{
    for (size_t i = 0; i < options->strategy_count; i++) {
        fputs(i > 0 ? "\n" : "", out);
        const td_strategy *s = td_strategy_find(options->strategies[i].name);
        TRY(draw(out, options, s, color, error));
    }
    return fflush(out) == 0 && !ferror(out)
               ? TD_OK
               : td_fail(error, TD_FAILED, "the drawing could not be written");
}

static bool wants_color(const td_options *options)
{
    return options->color == TD_COLOR_ALWAYS ||
           (options->color == TD_COLOR_AUTO && isatty(STDOUT_FILENO) && getenv("NO_COLOR") == NULL);
}

td_status td_show(const td_options *options, td_error *error)
{
    return td_show_print(stdout, options, wants_color(options), error);
}
