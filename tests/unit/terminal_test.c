/* terminal_test.c - lines that fit, whatever the width. */
#include "test.h"

#include <string.h>

#include "report/terminal.h"

static void expect(const char *lines, size_t columns, const char *expected)
{
    td_text text = {0};
    td_terminal_fold(lines, columns, &text);
    assert_string_equal(text.data != NULL ? text.data : "", expected);
    td_text_free(&text);
}

static void lines_that_fit_stay_as_they_are(void **state)
{
    (void)state;
    expect("", 10, "");
    expect("one two\n\n  three\n", 7, "one two\n\n  three\n");
    expect("one two", 0, "one two");
}

static void longer_ones_break_at_blanks_and_go_on_indented(void **state)
{
    (void)state;
    expect("one two three\n", 12, "one two\n    three\n");
    expect("  one   two three\n", 12, "  one   two\n      three\n");
    expect("one          two\n", 10, "one\n    two\n");
}

static void keys_break_behind_slashes_and_other_words_anywhere(void **state)
{
    (void)state;
    expect("cpu/edm1/bb/n64\n", 12, "cpu/edm1/bb/\n    n64\n");
    expect("abcdefghijkl\n", 8, "abcdefgh\n    ijkl\n");
    expect("abcdefghijklmnopq\n", 2,
           "ab\n c\n d\n e\n f\n g\n h\n i\n j\n k\n l\n m\n n\n o\n p\n q\n");
}

static void a_letter_of_several_bytes_is_one_column(void **state)
{
    (void)state;
    expect("\xc3\xa4\xc3\xb6\xc3\xbc\n", 3, "\xc3\xa4\xc3\xb6\xc3\xbc\n");
    expect("\xc3\xa4\xc3\xb6\xc3\xbc\xc3\x9f\n", 3, "\xc3\xa4\xc3\xb6\xc3\xbc\n \xc3\x9f\n");
}

static void colours_take_no_room_and_are_never_torn(void **state)
{
    (void)state;
    expect("one \033[32mtwo\033[0m\n", 7, "one \033[32mtwo\033[0m\n");
    expect("one \033[32mtwo\033[0m six\n", 8, "one \033[32mtwo\033[0m\n    six\n");
    expect("\033[31mabcd\033[0mef\n", 4, "\033[31mabcd\033[0m\n  ef\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_that_fit_stay_as_they_are),
        cmocka_unit_test(longer_ones_break_at_blanks_and_go_on_indented),
        cmocka_unit_test(keys_break_behind_slashes_and_other_words_anywhere),
        cmocka_unit_test(a_letter_of_several_bytes_is_one_column),
        cmocka_unit_test(colours_take_no_room_and_are_never_torn),
    };
    return cmocka_run_group_tests_name("terminal", tests, NULL, NULL);
}
