#include "files.h"

#include "engine/io/raster_png.h"
#include "strategies/numbers.h"

#ifdef TD_NO_PNG

static void without_libpng_the_answer_says_so(void **state)
{
    (void)state;
    const td_drawing drawing = {.n = 1};
    td_error error = {{0}};
    assert_int_equal(td_png_write("a.png", &drawing, &error), TD_UNAVAILABLE);
    assert_non_null(strstr(error.text, "libpng"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(without_libpng_the_answer_says_so)};
    return cmocka_run_group_tests_name("frame", tests, NULL, NULL);
}

#else

#include <math.h>
#include <png.h>

static const double margin = TD_RASTER_MARGIN;

typedef struct raster {
    uint32_t width, height;
    uint8_t *rgb;
} raster;

/* Uses libpng's own reader, which rejects a file that only looks right. */
static bool load(const char *path, raster *p)
{
    png_image image = {.version = PNG_IMAGE_VERSION};
    if (png_image_begin_read_from_file(&image, path) == 0)
        return false;
    image.format = PNG_FORMAT_RGB;
    p->width = image.width;
    p->height = image.height;
    p->rgb = malloc(PNG_IMAGE_SIZE(image));
    return p->rgb != NULL && png_image_finish_read(&image, NULL, p->rgb, 0, NULL) != 0;
}

typedef enum kind { TRIANGLES, SQUARES, WHOLE_SQUARE } kind;

static uint32_t tile_of(const void *state, uint64_t cell, bool down)
{
    return (((const uint8_t *)state)[cell] >> (down ? 1 : 0) & 1) != 0 ? 0x14468c : 0xe2e6eb;
}

static uint32_t square_of(const void *state, uint64_t cell, bool down)
{
    (void)down;
    return ((const uint8_t *)state)[cell] != 0 ? 0x14468c : 0xe2e6eb;
}

static td_drawing drawing_of(kind which, uint32_t n, const uint8_t *state)
{
    const td_drawing drawing = {.n = n,
                                .triangles = which == TRIANGLES,
                                .square = which == WHOLE_SQUARE,
                                .colour = which == TRIANGLES ? tile_of : square_of,
                                .state = state};
    return drawing;
}

static raster draw(kind which, uint32_t n, const uint8_t *state)
{
    raster p = {0};
    td_error error = {{0}};
    const td_drawing drawing = drawing_of(which, n, state);
    const char *path = scratch("a.png");
    const td_status status = td_png_write(path, &drawing, &error);
    const bool loaded = status == TD_OK && load(path, &p);
    unlink(path);
    if (!loaded)
        fail_msg("n = %u: status %d, %s", n, (int)status, error.text);
    return p;
}

/* 'a'live, 'd'ead, '.' paper, '?' a mixture */
static char colour_at(const raster *p, double x, double y)
{
    if (x < 0 || y < 0 || x >= p->width || y >= p->height)
        return '!';
    const uint8_t *c = p->rgb + 3 * ((size_t)y * p->width + (size_t)x);
    if (c[0] == 255 && c[1] == 255 && c[2] == 255)
        return '.';
    if (c[0] == 226)
        return 'd';
    return c[0] == 20 ? 'a' : '?';
}

/* The middle of a tile from its corners V(r, c), not from the formulas of the raster. */
static char tile_colour(const raster *p, uint32_t n, double side, const uint32_t corners[3][2])
{
    double x = 0.0;
    double y = 0.0;
    for (int k = 0; k < 3; k++) {
        x += (n * side / 2.0 + (corners[k][1] - corners[k][0] / 2.0) * side) / 3.0;
        y += corners[k][0] * side * sqrt(0.75) / 3.0;
    }
    return colour_at(p, x + margin, y + margin);
}

static uint8_t *random_state(uint32_t n, uint64_t seed, uint32_t values)
{
    uint8_t *state = malloc(td_triangle(n));
    for (uint64_t k = 0; k < td_triangle(n); k++)
        state[k] = (uint8_t)dice(&seed, values);
    return state;
}

static uint32_t wrong_triangles(const raster *p, uint32_t n, double side, const uint8_t *cells)
{
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j <= i; j++) {
            const uint32_t up[3][2] = {{i, j}, {i + 1, j}, {i + 1, j + 1}};
            const uint32_t down[3][2] = {{i, j}, {i, j + 1}, {i + 1, j + 1}};
            const uint8_t cell = cells[td_triangle(i) + j];
            wrong += tile_colour(p, n, side, up) != ((cell & 1) != 0 ? 'a' : 'd');
            if (j < i)
                wrong += tile_colour(p, n, side, down) != ((cell & 2) != 0 ? 'a' : 'd');
        }
    return wrong;
}

static void triangles_are_where_their_corners_say(void **state)
{
    (void)state;
    static const uint32_t sizes[] = {1, 2, 3, 17, 63, 64, 100, 200};
    for (size_t k = 0; k < COUNT(sizes); k++) {
        const uint32_t n = sizes[k];
        uint8_t *cells = random_state(n, n, 4);
        raster p = draw(TRIANGLES, n, cells);
        const double side = (p.width - 2.0 * margin) / n;
        const uint32_t wrong = wrong_triangles(&p, n, side, cells);
        free(p.rgb);
        free(cells);
        assert_true(p.width <= TD_RASTER_WIDTH && side == floor(side));
        assert_int_equal(wrong, 0);
    }
}

static uint32_t wrong_squares(const raster *p, uint32_t n, uint32_t side, bool whole,
                              const uint8_t *cells)
{
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++) {
            const uint64_t cell = whole ? (uint64_t)i * n + j : td_triangle(i) + j;
            const char wanted = !whole && j > i ? '.' : cells[cell] != 0 ? 'a' : 'd';
            wrong += colour_at(p, (j + 0.25) * side + margin, (i + 0.25) * side + margin) != wanted;
        }
    return wrong;
}

static void squares_are_in_their_row_and_column(void **state)
{
    (void)state;
    static const uint32_t sizes[] = {1, 2, 31, 63, 64, 1016, 1017, 2032};
    for (size_t k = 0; k < 2 * COUNT(sizes); k++) {
        const uint32_t n = sizes[k / 2];
        const bool whole = k % 2 != 0;
        if (whole && n > 64 && n != 1017)
            continue;
        uint8_t *cells = random_state(whole ? 2 * n : n, n, 2);
        cells[0] = 255;
        raster p = draw(whole ? WHOLE_SQUARE : SQUARES, n, cells);
        const uint32_t side = (p.width - 2 * TD_RASTER_MARGIN) / n;
        const uint32_t wrong = wrong_squares(&p, n, side, whole, cells);
        free(p.rgb);
        free(cells);
        assert_int_equal(p.width, n * side + 2 * TD_RASTER_MARGIN);
        assert_int_equal(p.height, p.width);
        assert_int_equal(wrong, 0);
    }
}

/* Lower half alive, upper half dead, and more cells than pixels. */
static void many_cells_share_a_pixel(void **state)
{
    (void)state;
    static const uint32_t sizes[] = {2033, 2049, 4100};
    for (size_t k = 0; k < 2 * COUNT(sizes); k++) {
        const uint32_t n = sizes[k / 2];
        const kind which = k % 2 == 0 ? TRIANGLES : SQUARES;
        const uint64_t half = td_triangle(n / 2);
        uint8_t *cells = calloc(1, td_triangle(n));
        memset(cells + half, 3, td_triangle(n) - half);
        raster p = draw(which, n, cells);
        const double middle = p.width / (k % 2 == 0 ? 2.0 : 8.0);
        const char top = colour_at(&p, middle, p.height * 0.25);
        const char bottom = colour_at(&p, middle, p.height * 0.75);
        const char corner = colour_at(&p, p.width - 2.0, 2.0);
        free(p.rgb);
        free(cells);
        assert_int_equal(p.width, TD_RASTER_WIDTH);
        assert_int_equal(top, 'd');
        assert_int_equal(bottom, 'a');
        assert_int_equal(corner, '.');
    }
}

static void every_pixel_of_the_domain_is_inked_when_binned(void **state)
{
    (void)state;
    const uint32_t n = 2033;
    uint8_t *cells = calloc(1, td_triangle(n));
    memset(cells, 3, td_triangle(n));
    raster p = draw(TRIANGLES, n, cells);
    uint32_t holes = 0;
    for (uint32_t y = 40; y < p.height - TD_RASTER_MARGIN - 2; y++) {
        const double half = (y - TD_RASTER_MARGIN) / sqrt(3.0) - 2.0;
        for (double x = p.width / 2.0 - half; x < p.width / 2.0 + half; x++)
            holes += colour_at(&p, x, y) != 'a';
    }
    free(p.rgb);
    free(cells);
    assert_int_equal(holes, 0);
}

static uint32_t number_of(const void *state, uint64_t cell, bool down)
{
    (void)state;
    (void)down;
    return cell % 4 == 0 ? 0x1e0400 : cell % 4 == 1 ? 0x2800ff : 0x020000;
}

/* Each pixel covers two cells in each of two rows and has the mean of their colours, rounded to nearest. */
static void a_pixel_has_the_mean_colour_of_its_cells(void **state)
{
    (void)state;
    const uint32_t n = 2 * (TD_RASTER_WIDTH - 2 * TD_RASTER_MARGIN);
    td_drawing drawing = {.n = n, .square = true, .colour = number_of};
    td_error error = {{0}};
    raster p = {0};
    const char *path = scratch("a.png");
    const td_status status = td_png_write(path, &drawing, &error);
    const bool loaded = status == TD_OK && load(path, &p);
    uint32_t wrong = 0;
    unlink(path);
    for (uint32_t y = TD_RASTER_MARGIN; loaded && y < p.height - TD_RASTER_MARGIN; y++) {
        for (uint32_t x = TD_RASTER_MARGIN; x < p.width - TD_RASTER_MARGIN; x++) {
            static const uint8_t means[2][3] = {{35, 2, 128}, {2, 0, 0}};
            wrong += memcmp(p.rgb + 3 * ((size_t)y * p.width + x), means[x % 2], 3) != 0;
        }
    }
    free(p.rgb);
    assert_true(loaded);
    assert_int_equal(wrong, 0);
}

static void what_cannot_be_drawn_or_written_is_rejected(void **state)
{
    (void)state;
    static const uint8_t cells[] = {1, 0, 1};
    const td_drawing nothing = drawing_of(SQUARES, 0, cells), two = drawing_of(SQUARES, 2, cells);
    td_error error = {{0}};
    assert_int_equal(td_png_write(scratch("a.png"), &nothing, &error), TD_USAGE);
    assert_int_equal(td_png_write("/nonexistent/a.png", &two, &error), TD_USAGE);
    assert_non_null(strstr(error.text, "No such file or directory"));
}

/* A small raster fails when it is flushed, a large one earlier, inside libpng. */
static void a_full_disk_is_a_failure(void **state)
{
    (void)state;
    static const uint32_t sizes[] = {2, 400};
    if (access("/dev/full", W_OK) != 0)
        skip();
    for (size_t k = 0; k < COUNT(sizes); k++) {
        uint8_t *cells = random_state(sizes[k], 1, 2);
        const td_drawing drawing = drawing_of(SQUARES, sizes[k], cells);
        td_error error = {{0}};
        const td_status status = td_png_write("/dev/full", &drawing, &error);
        free(cells);
        assert_int_equal(status, TD_FAILED);
        assert_non_null(strstr(error.text, "No space left on device"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(triangles_are_where_their_corners_say),
        cmocka_unit_test(squares_are_in_their_row_and_column),
        cmocka_unit_test(many_cells_share_a_pixel),
        cmocka_unit_test(every_pixel_of_the_domain_is_inked_when_binned),
        cmocka_unit_test(a_pixel_has_the_mean_colour_of_its_cells),
        cmocka_unit_test(a_full_disk_is_a_failure),
        cmocka_unit_test(what_cannot_be_drawn_or_written_is_rejected),
    };
    return cmocka_run_group_tests_name("frame", tests, NULL, NULL) + scratch_remains();
}

#endif
