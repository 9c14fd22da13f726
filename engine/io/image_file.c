/* image_file.c - reading images: .npy in npy.c, .png here through libpng. */
#include "image_file.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "npy.h"

#ifdef TD_NO_PNG

static td_status read_png(const char *path, td_image *image, td_error *error)
{
    (void)image;
    return td_fail(error, TD_UNAVAILABLE,
                   "%.240s: reading it needs libpng, this tribench was built without it", path);
}

#else

#include <png.h>

/* Rows of grey bytes; the caller frees them. */
static td_status read_pixels(const char *path, png_image *png, uint8_t **pixels, td_error *error)
{
    *pixels = NULL;
    if (png_image_begin_read_from_file(png, path) == 0) {
        return td_fail(error, TD_USAGE, "%.240s: expected a PNG image: %s", path, png->message);
    }
    if (png->width != png->height || png->width > TD_NPY_STATE_N) {
        png_image_free(png);
        return td_fail(error, TD_USAGE, "%.240s: expected a square image, got %u x %u pixels", path,
                       png->width, png->height);
    }
    png->format = PNG_FORMAT_GRAY;
    *pixels = malloc((size_t)png->width * png->height);
    if (*pixels == NULL) {
        png_image_free(png);
        return td_fail(error, TD_NO_MEMORY, "%.240s: not enough memory for its pixels", path);
    }
    const png_color black = {0, 0, 0}; /* behind pixels that one sees through */
    return png_image_finish_read(png, &black, *pixels, 0, NULL) != 0
               ? TD_OK
               : td_fail(error, TD_USAGE, "%.240s: a PNG image that cannot be read: %s", path,
                         png->message);
}

static td_status read_png(const char *path, td_image *image, td_error *error)
{
    png_image png = {.version = PNG_IMAGE_VERSION};
    uint8_t *pixels = NULL;
    td_status status = read_pixels(path, &png, &pixels, error);
    const uint64_t count = (uint64_t)png.width * png.height;
    float *const values = status == TD_OK ? malloc(count * sizeof *values) : NULL;
    if (status == TD_OK && values == NULL) {
        status = td_fail(error, TD_NO_MEMORY, "%.240s: not enough memory for it", path);
    }
    for (uint64_t k = 0; values != NULL && pixels != NULL && k < count; k++) {
        values[k] = (float)pixels[k];
    }
    image->values = values;
    image->n = png.width;
    free(pixels);
    return status;
}

#endif

td_status td_image_read(const char *path, td_image *image, td_error *error)
{
    const char *dot = strrchr(path, '.');
    memset(image, 0, sizeof *image);
    const td_status status = dot != NULL && strcasecmp(dot, ".png") == 0
                                 ? read_png(path, image, error)
                                 : td_npy_image(path, image, error);
    if (status != TD_OK) {
        td_image_free(image);
    }
    return status;
}

void td_image_free(td_image *image)
{
    free(image->values);
    memset(image, 0, sizeof *image);
}
