#include "raster.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "strategies/numbers.h"

/* What lies under a point. */
typedef enum ground { PAPER, DEAD, ALIVE, GROUND_COUNT } ground;

static const double palette[GROUND_COUNT][3] = {
    {255.0, 255.0, 255.0}, {226.0, 230.0, 235.0}, {20.0, 70.0, 140.0}};

static const double sqrt3_half = 0.86602540378443864676;

static uint64_t cell_index(uint32_t row, uint32_t column)
{
    return td_triangle(row) + column;
}

/*
 * Under a point of triangular tiles, in units of a cell's width and height from the top left corner of the raster.
 * Shearing by half a cell per row makes the tiles of row i halves of unit squares: with (u, v) in square (i, j), U(i,
 * j) is where u <= v and D(i, j) where u > v.
 */
static ground under_triangles(const td_raster *p, double x, double y, double gap)
{
    const double sheared = x + (y - p->n) / 2.0;
    const double row = floor(y);
    const double column = floor(sheared);
    if (row < 0.0 || row >= p->n || column < 0.0 || column > row) {
        return PAPER;
    }
    const double u = sheared - column;
    const double v = y - row;
    const bool down = u > v;
    if (down && column >= row) {
        return PAPER;
    }
    /* distance to the nearest side over the height of a tile: the third side is the bottom of an upward tile and the
     * top of a downward one */
    const double side = down ? fmin(fmin(u - v, 1.0 - u), v) : fmin(fmin(u, v - u), 1.0 - v);
    if (side < gap) {
        return PAPER;
    }
    const uint8_t cell = p->state[cell_index((uint32_t)row, (uint32_t)column)];
    return (cell >> (down ? 1 : 0) & 1) != 0 ? ALIVE : DEAD;
}

static ground under_squares(const td_raster *p, double x, double y, double gap)
{
    const double row = floor(y);
    const double column = floor(x);
    if (row < 0.0 || row >= p->n || column < 0.0 || column > row) {
        return PAPER;
    }
    if (x - column >= 1.0 - gap || y - row >= 1.0 - gap) {
        return PAPER;
    }
    return p->state[cell_index((uint32_t)row, (uint32_t)column)] != 0 ? ALIVE : DEAD;
}

/* Lines between cells, where cells are large enough to spare them. */
static double gap_of(const td_raster *p)
{
    const bool triangles = p->kind == TD_RASTER_TRIANGLES;
    if (p->cell_width < (triangles ? 12.0 : 6.0)) {
        return 0.0;
    }
    return (triangles ? 0.5 : 1.0) / p->cell_height; /* each of two triangles gives half a line */
}

static void blend(const double share[GROUND_COUNT], uint8_t *rgb)
{
    for (int channel = 0; channel < 3; channel++) {
        double value = 0.0;
        for (int g = 0; g < GROUND_COUNT; g++) {
            value += share[g] * palette[g][channel];
        }
        rgb[channel] = (uint8_t)(value + 0.5);
    }
}

/* A pixel whose top left corner is (x, y): the mean of a grid of points. */
static void sample_pixel(const td_raster *p, double x, double y, double gap, uint8_t *rgb)
{
    const double weight = 1.0 / (p->samples * p->samples);
    double share[GROUND_COUNT] = {0.0};
    for (uint32_t k = 0; k < p->samples * p->samples; k++) {
        const double across = (x + (k % p->samples + 0.5) / p->samples) / p->cell_width;
        /* NOLINTNEXTLINE(bugprone-integer-division): the row of a grid of points */
        const double down = (y + (k / p->samples + 0.5) / p->samples) / p->cell_height;
        share[p->kind == TD_RASTER_TRIANGLES ? under_triangles(p, across, down, gap)
                                             : under_squares(p, across, down, gap)] += weight;
    }
    blend(share, rgb);
}

static void sample_row(const td_raster *p, uint32_t y, uint8_t *rgb)
{
    const double gap = gap_of(p);
    for (uint32_t x = 0; x < p->width; x++) {
        sample_pixel(p, (double)x - TD_RASTER_MARGIN, (double)y - TD_RASTER_MARGIN, gap,
                     rgb + (size_t)3 * x);
    }
}

/* The pixel row, margin not counted, on which a row of cells falls. */
static uint32_t bin_of(const td_raster *p, uint32_t row)
{
    return (uint32_t)((row + 0.5) * p->cell_height);
}

static void bin_cells(td_raster *p, uint32_t row)
{
    const bool triangles = p->kind == TD_RASTER_TRIANGLES;
    const double start = triangles ? (p->n - row) / 2.0 : 0.5;
    const uint8_t *cells = p->state + cell_index(row, 0);
    for (uint32_t j = 0; j <= row; j++) {
        const uint32_t x = TD_RASTER_MARGIN + (uint32_t)((start + j) * p->cell_width);
        p->all[x] += triangles && j < row ? 2U : 1U;
        p->alive[x] += triangles ? (cells[j] & 1U) + (cells[j] >> 1 & 1U) : cells[j] != 0;
    }
}

static void bin_row(td_raster *p, uint32_t y, uint8_t *rgb)
{
    memset(p->alive, 0, p->width * sizeof *p->alive);
    memset(p->all, 0, p->width * sizeof *p->all);
    for (; y >= TD_RASTER_MARGIN && p->next_row < p->n &&
           bin_of(p, p->next_row) <= y - TD_RASTER_MARGIN;
         p->next_row++) {
        bin_cells(p, p->next_row);
    }
    for (uint32_t x = 0; x < p->width; x++) {
        double share[GROUND_COUNT] = {1.0, 0.0, 0.0};
        if (p->all[x] > 0) {
            share[PAPER] = 0.0;
            share[ALIVE] = fmin((double)p->alive[x] / p->all[x], 1.0);
            share[DEAD] = 1.0 - share[ALIVE];
        }
        blend(share, rgb + (size_t)3 * x);
    }
}

/* Whole pixels, so that all cells look alike; where no whole one fits, a fraction, and bins. */
static void choose_scale(td_raster *p)
{
    const uint32_t inner = TD_RASTER_WIDTH - 2 * TD_RASTER_MARGIN;
    const uint32_t fits = inner / p->n < TD_RASTER_CELL ? inner / p->n : TD_RASTER_CELL;
    const bool triangles = p->kind == TD_RASTER_TRIANGLES;
    p->samples = fits == 0 ? 0 : triangles ? 4 : 1;
    p->cell_width = fits == 0 ? (double)inner / p->n : fits;
    p->cell_height = p->cell_width * (triangles ? sqrt3_half : 1.0);
    p->width = (uint32_t)ceil(p->n * p->cell_width - 1e-6) + 2 * TD_RASTER_MARGIN;
    p->height = (uint32_t)ceil(p->n * p->cell_height - 1e-6) + 2 * TD_RASTER_MARGIN;
}

td_status td_raster_open(td_raster *raster, td_raster_kind kind, uint32_t n, const uint8_t *state,
                         td_error *error)
{
    memset(raster, 0, sizeof *raster);
    if (n < 1) {
        return td_fail(error, TD_USAGE, "expected a raster of at least 1 cell per side");
    }
    raster->kind = kind;
    raster->n = n;
    raster->state = state;
    choose_scale(raster);
    if (raster->samples > 0) {
        return TD_OK;
    }
    raster->alive = malloc(raster->width * sizeof *raster->alive);
    raster->all = malloc(raster->width * sizeof *raster->all);
    if (raster->alive != NULL && raster->all != NULL) {
        return TD_OK;
    }
    td_raster_close(raster);
    return td_fail(error, TD_NO_MEMORY, "not enough memory for a row of pixels");
}

void td_raster_row(td_raster *raster, uint32_t y, uint8_t *rgb)
{
    if (raster->samples > 0) {
        sample_row(raster, y, rgb);
    } else {
        bin_row(raster, y, rgb);
    }
}

void td_raster_close(td_raster *raster)
{
    free(raster->alive);
    free(raster->all);
    memset(raster, 0, sizeof *raster);
}
