#include "files.h"

#include "engine/io/rle.h"

static const char glider[] = "#N Glider\n#C a comment\nx = 3, y = 3, rule = B3/S23\nbob$2bo$3o!\n";

typedef struct good_case {
    const char *text;
    uint32_t width, height, rule;
    const char *cells; /* '.' dead, 'o' alive, row by row */
} good_case;

static const good_case good[] = {
    {glider, 3, 3, 2333, ".o...oooo"},
    {"x=3,y=3\nbo$2bo$3o!", 3, 3, 2333, ".o...oooo"},
    {"X = 3 , Y = 3 , Rule = b3/s23\r\nbo$\r\n2bo$\r\n3o!\r\n", 3, 3, 2333, ".o...oooo"},
    {"x = 3, y = 3, rule = 23/3\n b o $ 2 b o \n\t$ 3\no ! what follows is a comment x", 3, 3, 2333,
     ".o...oooo"},
    {"x = 3, y = 3\nbo$2b\n#C in the middle\no$3o$!", 3, 3, 2333, ".o...oooo"},
    {"x = 2, y = 3, rule = S23/B3\n2o2$2o!", 2, 3, 2333, "oo..oo"},
    {"x = 2, y = 2, rule = B3/S\n!", 2, 2, 9933, "...."},
    {"x = 1, y = 2, rule = B/S012345678\n$o!", 1, 2, 899, ".o"},
    {"x = 1, y = 1, rule = B0S8\nb!", 1, 1, 8800, "."},
    {"x = 12, y = 1\n1\n2o!", 12, 1, 2333, "oooooooooooo"},
    {"x = 1048576, y = 1024\n!", 1048576, 1024, 2333, NULL},
};

static void good_patterns_are_read(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(good); i++) {
        const good_case *c = &good[i];
        td_pattern pattern;
        td_error error = {{0}};
        const td_status status = td_rle_parse(c->text, strlen(c->text), "t", &pattern, &error);
        if (status != TD_OK)
            fail_msg("'%s': %s", c->text, error.text);
        assert_int_equal(pattern.width, c->width);
        assert_int_equal(pattern.height, c->height);
        assert_int_equal(pattern.rule, c->rule);
        for (size_t k = 0; c->cells != NULL && c->cells[k] != '\0'; k++)
            assert_int_equal(pattern.cells[k], c->cells[k] == 'o');
        td_pattern_free(&pattern);
    }
}

typedef struct bad_case {
    const char *text;
    const char *error; /* a part of it */
} bad_case;

static const bad_case bad[] = {
    {"", "line 1, column 1: expected a header 'x = ..., y = ...', the file ends"},
    {"#C nothing\n", "line 2, column 1: expected a header"},
    {"bo$2bo$3o!\n", "line 1, column 1: expected a header 'x = ..., y = ...', got 'b'"},
    {"x = 3\nbo!", "line 1, column 6: expected ','"},
    {"x = 3, z = 3\nbo!", "line 1, column 8: expected 'y = ...', got 'z'"},
    {"x 3, y = 3\nbo!", "line 1, column 3: expected '='"},
    {"x = , y = 3\nbo!", "line 1, column 5: expected a whole number, got ','"},
    {"x = -3, y = 3\nbo!", "line 1, column 5: expected a whole number"},
    {"x = 0, y = 0\n!", "line 1, column 5: expected a side in 1..1048576"},
    {"x = 1048577, y = 3\n!", "line 1, column 5: expected a side in 1..1048576"},
    {"x = 99999999999999999999, y = 3\n!", "line 1, column 5: expected a side in 1..1048576"},
    {"x = 1048576, y = 1025\n!", "line 1, column 22: expected a pattern of at most 2^30 cells"},
    {"x = 3, y = 3 rule = B3/S23\nbo!", "line 1, column 14: expected ',' or the end of the line"},
    {"x = 3, y = 3, ruler = B3/S23\nbo!", "line 1, column 19: expected '='"},
    {"x = 3, y = 3, role = B3/S23\nbo!", "line 1, column 15: expected 'rule'"},
    {"x = 3, y = 3, rule = B3/S23 x\nbo!", "line 1, column 29: expected the end of the line"},
    {"x = 3, y = 3, rule = \nbo!", "line 1, column 22: expected a rule such as B3/S23"},
    {"x = 3, y = 3, rule = Life\nbo!", "line 1, column 22: expected a rule such as B3/S23"},
    {"x = 3, y = 3, rule = B3/S23:T9\nbo!", "got 'B3/S23:T9'"},
    {"x = 3, y = 3, rule = B39/S23\nbo!", "got 'B39/S23'"},
    {"x = 3, y = 3, rule = B2-a/S12\nbo!", "got 'B2-a/S12'"},
    {"x = 3, y = 3, rule = 23/3/2\nbo!", "got '23/3/2'"},
    {"x = 3, y = 3, rule = B33/S23\nbo!", "got 'B33/S23'"},
    {"x = 3, y = 3, rule = B3/B3\nbo!", "got 'B3/B3'"},
    {"x = 3, y = 3, rule = B3\nbo!", "got 'B3'"},
    {"x = 3, y = 3, rule = B36/S23\nbo!", "the rule 'B36/S23' cannot be run"},
    {"x = 3, y = 3, rule = B3/S135\nbo!", "the rule 'B3/S135' cannot be run"},
    {"x = 3, y = 3\nbo$2bo$3o\n", "line 3, column 1: expected '!', the file ends"},
    {"x = 3, y = 3", "line 1, column 13: expected '!', the file ends"},
    {"x = 3, y = 3\n4o!", "line 2, column 2: cells beyond the width in the header"},
    {"x = 3, y = 3\n2o2b!", "line 2, column 4: cells beyond the width"},
    {"x = 3, y = 3\no$o$o\n$o!", "line 3, column 2: cells below the height"},
    {"x = 3, y = 3\n3o4$!", "line 2, column 4: rows below the height"},
    {"x = 3, y = 3\n4294967296$!", "line 2, column 11: rows below the height"},
    {"x = 3, y = 3\n4294967297o!", "line 2, column 10: expected a count of at most 2^32"},
    {"x = 3, y = 3\n18446744073709551617o!", "a count of at most 2^32"},
    {"x = 3, y = 3\n0o!", "line 2, column 2: unexpected count of 0"},
    {"x = 3, y = 3\no3!", "line 2, column 3: unexpected count before '!'"},
    {"x = 3, y = 3\nbA!", "line 2, column 2: expected a count, 'b', 'o', '$' or '!', got 'A'"},
    {"x = 3, y = 3\nO!", "got 'O'"},
    {"x = 3, y = 3\no #C no comment here\n!", "line 2, column 3: expected a count"},
    {"x = 3, y = 3\no\x01!", "got '\\x01'"},
};

static void bad_patterns_are_rejected_with_line_and_column(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(bad); i++) {
        td_pattern pattern;
        td_error error = {{0}};
        const td_status status =
            td_rle_parse(bad[i].text, strlen(bad[i].text), "t", &pattern, &error);
        if (status != TD_USAGE || strstr(error.text, bad[i].error) == NULL)
            fail_msg("'%s': wanted '%s', got %d '%s'", bad[i].text, bad[i].error, (int)status,
                     error.text);
        assert_null(pattern.cells);
    }
}

static void lines_may_be_of_any_length(void **state)
{
    (void)state;
    enum { SIDE = 200000 };
    char *text = malloc(3 * SIDE + 64);
    assert_non_null(text);
    int length = sprintf(text, "x = %d, y = 1\n", SIDE);
    for (int i = 0; i < SIDE; i += 2)
        length += sprintf(text + length, "1ob");
    text[length++] = '!';
    text[length] = '\0';
    td_pattern pattern;
    const td_status status = td_rle_parse(text, (size_t)length, "t", &pattern, NULL);
    free(text);
    assert_int_equal(status, TD_OK);
    uint32_t alive = 0;
    for (uint32_t x = 0; x < SIDE; x++)
        alive += pattern.cells[x];
    td_pattern_free(&pattern);
    assert_int_equal(alive, SIDE / 2);
}

static void files_are_read_as_text_is(void **state)
{
    (void)state;
    const char *path = scratch_file("glider.rle", glider, sizeof glider - 1);
    td_pattern pattern;
    td_error error = {{0}};
    assert_int_equal(td_rle_read(path, &pattern, &error), TD_OK);
    assert_int_equal(pattern.cells[5], 1);
    td_pattern_free(&pattern);
    unlink(path);
    assert_int_equal(td_rle_read(path, &pattern, &error), TD_USAGE);
    assert_non_null(strstr(error.text, "No such file"));
    assert_int_equal(td_rle_read(scratch_directory(), &pattern, &error), TD_USAGE);
}

static void damaged_patterns_stay_in_their_rectangle(void **state)
{
    (void)state;
    static const char whole[] = "#C c\nx = 7, y = 5, rule = B3/S23\n2bo2$b3o$\n7o$o5bo!\n";
    uint64_t seed = 3;
    size_t read = 0;
    for (int i = 0; i < 20000; i++) {
        char bytes[256];
        memcpy(bytes, whole, sizeof whole);
        const size_t length =
            damage(&seed, bytes, sizeof whole - 1, sizeof bytes, "0123456789bo$!# \nxy=,BS/rule");
        char *exact = malloc(length + 1); /* so that a sanitizer detects an overrun */
        assert_non_null(exact);
        memcpy(exact, bytes, length);
        exact[length] = '\0';
        td_pattern pattern;
        td_error error = {{0}};
        const td_status status = td_rle_parse(exact, length, "t", &pattern, &error);
        free(exact);
        assert_true(status == TD_OK || status == TD_USAGE);
        assert_true(status == TD_OK ? pattern.cells != NULL : error.text[0] != '\0');
        read += status == TD_OK;
        td_pattern_free(&pattern);
    }
    assert_true(read > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_patterns_are_read),
        cmocka_unit_test(bad_patterns_are_rejected_with_line_and_column),
        cmocka_unit_test(lines_may_be_of_any_length),
        cmocka_unit_test(files_are_read_as_text_is),
        cmocka_unit_test(damaged_patterns_stay_in_their_rectangle),
    };
    return cmocka_run_group_tests_name("rle", tests, NULL, NULL) + scratch_remains();
}
