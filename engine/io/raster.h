/*
 * frame.h - pictures of the states of cellular automata.
 */
#ifndef TD_ENGINE_IO_RASTER_H
#define TD_ENGINE_IO_RASTER_H

#include "engine/core/error.h"

typedef enum td_raster_kind {
    TD_RASTER_TRIANGLES, /* bit 0 the tile that points up, bit 1 the one that points down */
    TD_RASTER_SQUARES    /* a cell is alive when its byte is not 0 */
} td_raster_kind;

/*
 * td_raster_write - a PNG picture of a state.
 *
 * Shape   at most 2048 pixels wide. Up to n = 2032 a cell is as many whole pixels wide as fit, 32 at
 *         most; beyond that a pixel shows how many of the tiles that fall on it live
 * Input   n >= 1 [cells a side]; state: n(n+1)/2 bytes, row by row
 * Output  path, which appears when it is complete
 * Errors  TD_USAGE: n is 0, or path cannot be written; TD_FAILED: a write failed; TD_NO_MEMORY;
 *         TD_UNAVAILABLE: built without libpng
 */
td_status td_raster_write(const char *path, td_raster_kind kind, uint32_t n, const uint8_t *state,
                          td_error *error);

#endif
