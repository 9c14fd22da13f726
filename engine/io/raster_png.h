/* raster_png.h - states of cellular automata as PNG files. */
#pragma once

#include "raster.h"

/*
 * td_png_write - write the raster of a state as a PNG file.
 *
 * Output  path, which appears when it is complete
 * Errors  TD_USAGE: n is 0, or path cannot be written; TD_FAILED: a write failed; TD_NO_MEMORY; TD_UNAVAILABLE: built
 *         without libpng
 */
td_status td_png_write(const char *path, const td_drawing *drawing, td_error *error);
