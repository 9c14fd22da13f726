/* raster.h - the pixels of a snapshot of a cellular automaton; knows nothing of files. */
#pragma once

#include "engine/core/error.h"

enum {
    TD_RASTER_WIDTH = 2048,
    TD_RASTER_MARGIN = 8,
    TD_RASTER_CELL = 32,
    TD_RASTER_PAPER = 0xffffff /* where there is no cell */
};

/* The image to draw. */
typedef struct td_drawing {
    uint32_t n;     /* cells per side */
    bool triangles; /* a cell is a tile that points up, and beside it one that points down */
    bool square;    /* cells fill the whole square, not its lower triangle; never with triangles */
    bool smooth;    /* no lines between cells: they are samples of a surface */
    /* The colour, 0xRRGGBB, of a cell, which is given by its number, row by row of the domain; down: which of its
     * triangles. */
    uint32_t (*colour)(const void *state, uint64_t cell, bool down);
    const void *state;
} td_drawing;

/* The scale of a drawing, and the sums of the row being drawn. */
typedef struct td_raster {
    td_drawing drawing;
    uint32_t width, height; /* [pixels], margins included */
    uint32_t samples;       /* per side of a pixel; 0: cells are binned */
    double cell_width;      /* of one cell [pixels] */
    double cell_height;
    uint32_t next_row;       /* next row of cells, when binned */
    struct td_tiles *binned; /* sums of each pixel of the row, when binned */
} td_raster;

/*
 * td_raster_open - choose the scale of a raster.
 *
 * Shape   at most 2048 pixels wide. Up to n = 2032 a cell is as many whole pixels wide as fit, at most 32; beyond that
 *         a pixel has the mean colour of the tiles that fall on it
 * Output  raster; release with td_raster_close
 * Errors  TD_USAGE: n is 0; TD_NO_MEMORY
 */
td_status td_raster_open(td_raster *raster, const td_drawing *drawing, td_error *error);

/*
 * td_raster_row - draw one row of pixels. Rows must be requested in order, from 0 to height - 1.
 *
 * Output  rgb: 3 x width bytes
 */
void td_raster_row(td_raster *raster, uint32_t y, uint8_t *rgb);

/* td_raster_close - release the sums. Fine on a zeroed raster. */
void td_raster_close(td_raster *raster);
