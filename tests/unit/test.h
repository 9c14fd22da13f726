/* test.h - cmocka after the headers that it needs, and helpers for all tests. */
#ifndef TD_TESTS_UNIT_TEST_H
#define TD_TESTS_UNIT_TEST_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <setjmp.h>
#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* TD_TEST=NAME, where * matches anything, runs only these tests. */
__attribute__((constructor)) static void choose_tests(void)
{
    if (getenv("TD_TEST") != NULL) {
        cmocka_set_test_filter(getenv("TD_TEST"));
    }
}

#endif
