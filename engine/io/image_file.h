/* image_file.h - what --input reads for workloads on images: N x N grey values, or elevations. */
#ifndef TD_ENGINE_IO_IMAGE_FILE_H
#define TD_ENGINE_IO_IMAGE_FILE_H

#include "engine/core/error.h"

/* Values row by row. Zeroed when empty. */
typedef struct td_image {
    uint32_t n;    /* pixels per side */
    float *values; /* n x n */
} td_image;

/*
 * td_image_read - a square image from a .npy file (uint8 or float32, see td_npy_image) or a .png file (made grey,
 * 0 .. 255, transparent pixels on black).
 *
 * Input   path: its ending, in any case, says which
 * Output  image; release with td_image_free. Zeroed on error
 * Errors  TD_USAGE: no such file, not square, or not what is expected; TD_FAILED: the read failed; TD_NO_MEMORY;
 *         TD_UNAVAILABLE: a .png file, and built without libpng
 */
td_status td_image_read(const char *path, td_image *image, td_error *error);

/* td_image_free - release the values and zero the image. */
void td_image_free(td_image *image);

#endif
