#include "raster.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "strategies/numbers.h"

/* The colours of tiles, added up. */
typedef struct td_tiles {
    uint64_t rgb[3];
    uint32_t count;
} td_tiles;

static const double sqrt3_half = 0.86602540378443864676;

static uint32_t cells_in_row(const td_drawing *d, uint32_t row)
{
    return d->square ? d->n : row + 1;
}

static uint32_t colour_at(const td_drawing *d, uint32_t row, uint32_t column, bool down)
{
    const uint64_t before = d->square ? (uint64_t)row * d->n : td_triangle(row);
    return d->colour(d->state, before + column, down);
}

/*
 * The colour at a point of triangular tiles, in units of a cell's width and height from the top left corner of the
 * raster. Shearing by half a cell per row makes the tiles of row i halves of unit squares: with (u, v) in square (i,
 * j), U(i, j) is where u <= v and D(i, j) where u > v.
 */
static uint32_t under_triangles(const td_drawing *d, double x, double y, double gap)
{
    const double sheared = x + (y - d->n) / 2.0;
    const double row = floor(y);
    const double column = floor(sheared);
    if (row < 0.0 || row >= d->n || column < 0.0 || column > row) {
        return TD_RASTER_PAPER;
    }
    const double u = sheared - column;
    const double v = y - row;
    const bool down = u > v;
    if (down && column >= row) {
        return TD_RASTER_PAPER;
    }
    /* distance to the nearest side, divided by the height of a tile: the third side is the bottom of an upward tile and
     * the top of a downward one */
    const double side = down ? fmin(fmin(u - v, 1.0 - u), v) : fmin(fmin(u, v - u), 1.0 - v);
    return side < gap ? TD_RASTER_PAPER : colour_at(d, (uint32_t)row, (uint32_t)column, down);
}

static uint32_t under_squares(const td_drawing *d, double x, double y, double gap)
{
    const double row = floor(y);
    const double column = floor(x);
    if (row < 0.0 || row >= d->n || column < 0.0 || column >= cells_in_row(d, (uint32_t)row)) {
        return TD_RASTER_PAPER;
    }
    if (x - column >= 1.0 - gap || y - row >= 1.0 - gap) {
        return TD_RASTER_PAPER;
    }
    return colour_at(d, (uint32_t)row, (uint32_t)column, false);
}

/* The width of the lines between cells, in cell heights; 0 for a smooth drawing, and for cells too small to have
 * lines. */
static double gap_of(const td_raster *p)
{
    if (p->drawing.smooth || p->cell_width < (p->drawing.triangles ? 12.0 : 6.0)) {
        return 0.0;
    }
    const double line = p->drawing.triangles ? 0.5 : 1.0; /* each of two triangles gives half */
    return line / p->cell_height;
}

static void add(td_tiles *tiles, uint32_t colour)
{
    for (int channel = 0; channel < 3; channel++) {
        tiles->rgb[channel] += colour >> (16 - 8 * channel) & 255u;
    }
    tiles->count++;
}

/* The mean colour of tiles, rounded; paper if there are none. */
static void blend(const td_tiles *tiles, uint8_t *rgb)
{
    const uint64_t count = tiles->count;
    for (int channel = 0; channel < 3; channel++) {
        rgb[channel] =
            (uint8_t)(count == 0 ? 255 : (2 * tiles->rgb[channel] + count) / (2 * count));
    }
}

/* Draw a pixel whose top left corner is (x, y): the mean over a grid of points. */
static void sample_pixel(const td_raster *p, double x, double y, double gap, uint8_t *rgb)
{
    const td_drawing *d = &p->drawing;
    td_tiles points = {{0}, 0};
    for (uint32_t k = 0; k < p->samples * p->samples; k++) {
        const double across = (x + (k % p->samples + 0.5) / p->samples) / p->cell_width;
        /* NOLINTNEXTLINE(bugprone-integer-division): the row of a grid of points */
        const double down = (y + (k / p->samples + 0.5) / p->samples) / p->cell_height;
        add(&points, d->triangles ? under_triangles(d, across, down, gap)
                                  : under_squares(d, across, down, gap));
    }
    blend(&points, rgb);
}

static void sample_row(const td_raster *p, uint32_t y, uint8_t *rgb)
{
    const double gap = gap_of(p);
    for (uint32_t x = 0; x < p->width; x++) {
        sample_pixel(p, (int)x - TD_RASTER_MARGIN, (int)y - TD_RASTER_MARGIN, gap,
                     rgb + (size_t)3 * x);
    }
}

/* The pixel row, not counting the margin, that a row of cells falls on. */
static uint32_t bin_of(const td_raster *p, uint32_t row)
{
    return (uint32_t)((row + 0.5) * p->cell_height);
}

static void bin_cells(td_raster *p, uint32_t row)
{
    const td_drawing *d = &p->drawing;
    const double start = d->triangles ? (d->n - row) / 2.0 : 0.5;
    const uint32_t end = cells_in_row(d, row);
    for (uint32_t j = 0; j < end; j++) {
        td_tiles *tiles = p->binned + TD_RASTER_MARGIN + (uint32_t)((start + j) * p->cell_width);
        add(tiles, colour_at(d, row, j, false));
        if (d->triangles && j < row) {
            add(tiles, colour_at(d, row, j, true));
        }
    }
}

static void bin_row(td_raster *p, uint32_t y, uint8_t *rgb)
{
    memset(p->binned, 0, p->width * sizeof *p->binned);
    for (; y >= TD_RASTER_MARGIN && p->next_row < p->drawing.n &&
           bin_of(p, p->next_row) <= y - TD_RASTER_MARGIN;
         p->next_row++) {
        bin_cells(p, p->next_row);
    }
    for (uint32_t x = 0; x < p->width; x++) {
        blend(&p->binned[x], rgb + (size_t)3 * x);
    }
}

/* Give a cell whole pixels, so that all cells look alike. If not even one fits, a cell gets a fraction, and cells are
 * binned. */
static void choose_scale(td_raster *p)
{
    const uint32_t inner = TD_RASTER_WIDTH - 2 * TD_RASTER_MARGIN, n = p->drawing.n;
    const uint32_t fits = inner / n < TD_RASTER_CELL ? inner / n : TD_RASTER_CELL;
    const bool triangles = p->drawing.triangles;
    p->samples = fits == 0 ? 0 : triangles ? 4 : 1;
    p->cell_width = fits == 0 ? (double)inner / n : fits;
    p->cell_height = p->cell_width * (triangles ? sqrt3_half : 1.0);
    p->width = (uint32_t)ceil(n * p->cell_width - 1e-6) + 2 * TD_RASTER_MARGIN;
    p->height = (uint32_t)ceil(n * p->cell_height - 1e-6) + 2 * TD_RASTER_MARGIN;
}

td_status td_raster_open(td_raster *raster, const td_drawing *drawing, td_error *error)
{
    memset(raster, 0, sizeof *raster);
    if (drawing->n < 1) {
        return td_fail(error, TD_USAGE, "expected a raster of at least 1 cell per side");
    }
    raster->drawing = *drawing;
    choose_scale(raster);
    if (raster->samples > 0) {
        return TD_OK;
    }
    return td_allocate(&raster->binned, raster->width, sizeof *raster->binned, error,
                       "a row of pixels");
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
    free(raster->binned);
    memset(raster, 0, sizeof *raster);
}
