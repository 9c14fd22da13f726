/* test.c - the tests of a program, and a main for most of them. */
#include "test.h"

#include <errno.h>

struct CMUnitTest td_tests[TD_TESTS_MOST];
size_t td_test_count;

void td_test_add(const char *name, CMUnitTestFunction test, const void *about)
{
    if (td_test_count == TD_TESTS_MOST) {
        abort();
    }
    td_tests[td_test_count++] =
        (struct CMUnitTest){name, test, NULL, NULL, (void *)(uintptr_t)about};
}

void td_tests_surround(CMFixtureFunction before, CMFixtureFunction after)
{
    for (size_t i = 0; i < td_test_count; i++) {
        td_tests[i].setup_func = before;
        td_tests[i].teardown_func = after;
    }
}

/* TD_TEST=NAME, where * matches anything, runs only these tests. */
int td_tests_run(CMFixtureFunction before, CMFixtureFunction after)
{
    if (getenv("TD_TEST") != NULL) {
        cmocka_set_test_filter(getenv("TD_TEST"));
    }
    return _cmocka_run_group_tests(program_invocation_short_name, td_tests, td_test_count, before,
                                   after);
}

int __attribute__((weak)) main(void)
{
    return td_tests_run(NULL, NULL);
}
