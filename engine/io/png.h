/*
 * picture.h - the pixels of a frame; knows nothing of files.
 */
#ifndef TD_ENGINE_IO_PNG_H
#define TD_ENGINE_IO_PNG_H

#include "raster.h"

enum { TD_PICTURE_WIDTH = 2048, TD_PICTURE_MARGIN = 8, TD_PICTURE_CELL = 32 };

/* What is drawn, how large, and the counters of the row being drawn. */
typedef struct td_picture {
    td_raster_kind kind;
    uint32_t n;
    const uint8_t *state;
    uint32_t width, height; /* [pixels], margins included */
    uint32_t samples;       /* a side of a pixel: the picture is sampled; 0: it is binned */
    double cell_width;      /* of one cell [pixels] */
    double cell_height;
    uint32_t next_row;     /* of cells, when binned */
    uint32_t *alive, *all; /* tiles on each pixel of the row, when binned */
} td_picture;

/*
 * td_picture_open - choose the scale of a picture.
 *
 * Output  picture; release with td_picture_close
 * Errors  TD_USAGE: n is 0; TD_NO_MEMORY
 */
td_status td_picture_open(td_picture *picture, td_raster_kind kind, uint32_t n,
                          const uint8_t *state, td_error *error);

/*
 * td_picture_row - one row of pixels. Rows are asked for in order, from 0 to height - 1.
 *
 * Output  rgb: 3 x width bytes
 */
void td_picture_row(td_picture *picture, uint32_t y, uint8_t *rgb);

/* td_picture_close - release the counters. Fine on a zeroed picture. */
void td_picture_close(td_picture *picture);

#endif
