/* image_test.c - squares of numbers as images, from .npy files and from PNG. */
#include "npy_file.h"

#include <math.h>
#ifndef TD_NO_PNG
#include <malloc.h>
#include <png.h>
#endif

#include "engine/io/input_file.h"

static const uint8_t nine[] = {0, 1, 2, 3, 4, 5, 6, 7, 255};
static const float nine_floats[] = {0, 1, 2, 3, 4, 5, 6, 7, 255};

static bool is_image(const char *path, bool turned)
{
    td_table image;
    td_error error = {""};
    bool same =
        td_image_read(path, &image, &error) == TD_OK && image.rows == 3 && image.columns == 3;
    for (uint32_t k = 0; same && k < 9; k++) {
        same = image.values[turned ? k % 3 * 3 + k / 3 : k] == nine_floats[k];
    }
    td_table_free(&image);
    return same;
}

static void assert_no_image(const char *path, const char *words)
{
    td_table image;
    td_error error = {""};
    assert_int_equal(td_image_read(path, &image, &error), TD_USAGE);
    assert_null(image.values);
    assert_non_null(strstr(error.text, words));
}

static void images_are_squares_of_numbers(void **state)
{
    const float not_finite[] = {0, 1, 2, INFINITY};
    (void)state;
    assert_true(is_image(npy_file(1, U1("(3, 3)"), nine, sizeof nine), false));
    assert_true(is_image(npy_file(1, F4("(3, 3)"), nine_floats, sizeof nine_floats), false));
    assert_true(is_image(npy_file(1, "{'descr': '|u1', 'fortran_order': True, 'shape': (3, 3), }\n",
                                  nine, sizeof nine),
                         true));
    assert_no_image(npy_file(1, U1("(1, 9)"), nine, sizeof nine), "(N, N)");
    assert_no_image(npy_file(1, U1("(9,)"), nine, sizeof nine), "(N, N)");
    assert_no_image(npy_file(1, F8("(2, 2)"), wide_six, 32), "<f4");
    assert_no_image(npy_file(1, F4("(2, 2)"), not_finite, sizeof not_finite), "row 1, column 1");
    assert_no_image(npy_file(1, U1("(3, 3)"), nine, 8), "9 bytes");
    assert_no_image(scratch("none.npy"), "none.npy");
    unlink(scratch("a.npy"));
}

#ifndef TD_NO_PNG
static void png_images_are_read(void **state)
{
    const char *path = scratch("image.PNG");
    png_image image = {
        .version = PNG_IMAGE_VERSION, .width = 3, .height = 3, .format = PNG_FORMAT_GRAY};
    (void)state;
    assert_true(png_image_write_to_file(&image, path, 0, nine, 0, NULL) != 0);
    assert_true(is_image(path, false));
    image.height = 2;
    assert_true(png_image_write_to_file(&image, path, 0, nine, 0, NULL) != 0);
    assert_no_image(path, "3 x 2 pixels");
    assert_no_image(scratch_file("not.png", nine, sizeof nine), "PNG");
    unlink(scratch("image.PNG"));
    unlink(scratch("not.png"));
}

/* Transparent pixels are black whatever memory held before. */
static void transparent_pixels_are_black(void **state)
{
    const uint8_t grey_and_alpha[] = {200, 255, 200, 0, 7, 0, 9, 255};
    const float expected[] = {200, 0, 0, 9};
    const char *path = scratch("alpha.png");
    png_image png = {
        .version = PNG_IMAGE_VERSION, .width = 2, .height = 2, .format = PNG_FORMAT_GA};
    td_table image;
    td_error error = {""};
    (void)state;
    assert_true(png_image_write_to_file(&png, path, 0, grey_and_alpha, 0, NULL) != 0);
    mallopt(M_PERTURB, 85);
    assert_int_equal(td_image_read(path, &image, &error), TD_OK);
    mallopt(M_PERTURB, 0);
    const bool black = memcmp(image.values, expected, sizeof expected) == 0;
    td_table_free(&image);
    unlink(path);
    assert_true(black);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(images_are_squares_of_numbers),
#ifndef TD_NO_PNG
        cmocka_unit_test(png_images_are_read),
        cmocka_unit_test(transparent_pixels_are_black),
#endif
    };
    return cmocka_run_group_tests_name("image", tests, NULL, NULL) + scratch_remains();
}
