/* image_test.c - squares of numbers as images, from .npy files. */
#include "npy_file.h"

#include <math.h>

#include "engine/io/npy.h"

static const uint8_t nine[] = {0, 1, 2, 3, 4, 5, 6, 7, 255};
static const float nine_floats[] = {0, 1, 2, 3, 4, 5, 6, 7, 255};

static bool is_image(const char *path, bool turned)
{
    td_table image;
    td_error error = {""};
    bool same =
        td_npy_table(path, 0, &image, &error) == TD_OK && image.rows == 3 && image.columns == 3;
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
    assert_int_equal(td_npy_table(path, 0, &image, &error), TD_USAGE);
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
    assert_no_image(
        npy_file(1, "{'descr': '<i4', 'fortran_order': False, 'shape': (2, 2), }\n", six, 16),
        "|u1, <f4 or <f8");
    assert_no_image(npy_file(1, F4("(2, 2)"), not_finite, sizeof not_finite), "row 1, column 1");
    assert_no_image(npy_file(1, U1("(3, 3)"), nine, 8), "9 bytes");
    assert_no_image(scratch("none.npy"), "none.npy");
    unlink(scratch("a.npy"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(images_are_squares_of_numbers),
    };
    return cmocka_run_group_tests_name("image", tests, NULL, NULL) + scratch_remains();
}
