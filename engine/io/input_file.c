/* input_file.c - chooses the reader of a file; .png is read here, through libpng. */
#include "input_file.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "csv_table.h"
#include "npy.h"

static bool ends_with(const char *path, const char *ending)
{
    const size_t length = strlen(path);
    return length > strlen(ending) && strcasecmp(path + length - strlen(ending), ending) == 0;
}

#ifdef TD_NO_PNG

static td_status read_png(const char *path, td_table *image, td_error *error)
{
    (void)image;
    return td_fail(error, TD_UNAVAILABLE,
                   "%.240s: reading it needs libpng, this tribench was built without it", path);
}

#else

#include <png.h>

/* Read the rows as grey bytes, which the caller frees. */
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
    const png_color black = {0, 0, 0}; /* behind transparent pixels */
    return png_image_finish_read(png, &black, *pixels, 0, NULL) != 0
               ? TD_OK
               : td_fail(error, TD_USAGE, "%.240s: a PNG image that cannot be read: %s", path,
                         png->message);
}

static td_status read_png(const char *path, td_table *image, td_error *error)
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
    if (status == TD_OK) {
        *image = (td_table){png.height, png.width, values};
    }
    free(pixels);
    return status;
}

#endif

td_status td_image_read(const char *path, td_table *image, td_error *error)
{
    memset(image, 0, sizeof *image);
    return ends_with(path, ".png") ? read_png(path, image, error)
                                   : td_npy_image(path, image, error);
}

td_status td_table_read(const char *path, uint32_t columns, td_table *table, td_error *error)
{
    memset(table, 0, sizeof *table);
    if (columns < 1 || columns > TD_TABLE_COLUMNS) {
        return td_fail(error, TD_USAGE, "expected a table of 1..%d columns, got %u",
                       TD_TABLE_COLUMNS, columns);
    }
    if (ends_with(path, ".csv")) {
        return td_csv_table(path, columns, table, error);
    }
    if (ends_with(path, ".npy")) {
        return td_npy_table(path, columns, table, error);
    }
    return td_fail(error, TD_USAGE, "%.240s: expected a name that ends in .csv or .npy", path);
}
