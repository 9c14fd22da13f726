#include "raster_png.h"

#ifdef TD_NO_PNG

td_status td_png_write(const char *path, const td_drawing *drawing, td_error *error)
{
    (void)drawing;
    return td_fail(error, TD_UNAVAILABLE,
                   "%.240s: snapshots need libpng, this tribench was built without it", path);
}

#else

#include <errno.h>
#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"

/* The state of a file that is being written, out of reach of longjmp. */
typedef struct writer {
    td_raster raster;
    td_new_file output;
    png_structp png;
    png_infop info;
    png_bytep row;
    const char *reason;
} writer;

/* If something fails, libpng leaves a function only by longjmp, and its own handler would print. */
static void on_error(png_structp png, png_const_charp reason)
{
    writer *w = png_get_error_ptr(png);
    w->reason = strstr(reason, "memory") != NULL ? "no memory" : strerror(errno);
    png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp reason)
{
    (void)png;
    (void)reason;
}

static void encode(writer *w)
{
    png_init_io(w->png, w->output.stream);
    png_set_IHDR(w->png, w->info, w->raster.width, w->raster.height, 8, PNG_COLOR_TYPE_RGB,
                 PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    /* flat areas: no filter helps, and low effort already packs them well */
    png_set_filter(w->png, PNG_FILTER_TYPE_BASE, PNG_FILTER_NONE);
    png_set_compression_level(w->png, 3);
    png_write_info(w->png, w->info);
    for (uint32_t y = 0; y < w->raster.height; y++) {
        td_raster_row(&w->raster, y, w->row);
        png_write_row(w->png, w->row);
    }
    png_write_end(w->png, NULL);
}

static bool encode_all(writer *w)
{
    if (setjmp(png_jmpbuf(w->png)) != 0) {
        return false;
    }
    encode(w);
    return true;
}

static td_status write_png(writer *w, td_error *error)
{
    w->row = malloc((size_t)w->raster.width * 3);
    w->png = png_create_write_struct(PNG_LIBPNG_VER_STRING, w, on_error, on_warning);
    if (w->png != NULL) {
        w->info = png_create_info_struct(w->png);
    }
    if (w->row == NULL || w->info == NULL) {
        return td_fail(error, TD_NO_MEMORY, "%.240s: not enough memory for the raster",
                       w->output.path);
    }
    if (!encode_all(w)) {
        return td_fail(error, TD_FAILED, "%.240s: writing failed: %s", w->output.path, w->reason);
    }
    return td_new_file_commit(&w->output, error);
}

td_status td_png_write(const char *path, const td_drawing *drawing, td_error *error)
{
    writer *w = NULL;
    TRY(td_allocate(&w, 1, sizeof *w, error, "the raster of %.240s", path));
    td_status status = td_raster_open(&w->raster, drawing, error);
    if (status == TD_OK) {
        status = td_new_file_open(path, &w->output, error);
    }
    if (status == TD_OK) {
        status = write_png(w, error);
    }
    png_destroy_write_struct(&w->png, &w->info);
    td_new_file_discard(&w->output); /* nothing is left to discard after a commit */
    td_raster_close(&w->raster);
    free(w->row);
    free(w);
    return status;
}

#endif
