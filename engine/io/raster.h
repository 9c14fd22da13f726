/* raster.h - the pixels of a snapshot of a cellular automaton; knows nothing of files. */
#ifndef TD_ENGINE_IO_RASTER_H
#define TD_ENGINE_IO_RASTER_H

#include "engine/core/error.h"

enum { TD_RASTER_WIDTH = 2048, TD_RASTER_MARGIN = 8, TD_RASTER_CELL = 32 };

/* How the bytes of a state are drawn. */
typedef enum td_raster_kind {
    TD_RASTER_TRIANGLES, /* bit 0 the tile that points up, bit 1 the one that points down */
    TD_RASTER_SQUARES    /* a cell is alive when its byte is not 0 */
} td_raster_kind;

/* What is drawn, how large, and the counters of the row being drawn. */
typedef struct td_raster {
    td_raster_kind kind;
    uint32_t n;
    const uint8_t *state;
    uint32_t width, height; /* [pixels], margins included */
    uint32_t samples;       /* per side of a pixel; 0: cells are binned */
    double cell_width;      /* of one cell [pixels] */
    double cell_height;
    uint32_t next_row;     /* of cells, when binned */
    uint32_t *alive, *all; /* tiles on each pixel of the row, when binned */
} td_raster;

/*
 * td_raster_open - choose the scale of a raster.
 *
 * Shape   at most 2048 pixels wide. Up to n = 2032 a cell is as many whole pixels wide as fit, at most 32; beyond that
 *         a pixel shows how many of the tiles that fall on it live
 * Output  raster; release with td_raster_close
 * Errors  TD_USAGE: n is 0; TD_NO_MEMORY
 */
td_status td_raster_open(td_raster *raster, td_raster_kind kind, uint32_t n, const uint8_t *state,
                         td_error *error);

/*
 * td_raster_row - one row of pixels. Rows are asked for in order, from 0 to height - 1.
 *
 * Output  rgb: 3 x width bytes
 */
void td_raster_row(td_raster *raster, uint32_t y, uint8_t *rgb);

/* td_raster_close - release the counters. Fine on a zeroed raster. */
void td_raster_close(td_raster *raster);

#endif
