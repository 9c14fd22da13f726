/* test.h - cmocka with the headers that it needs to come first, and what every test may need. */
#ifndef TD_TESTS_UNIT_TEST_H
#define TD_TESTS_UNIT_TEST_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <setjmp.h>
#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* TD_TEST=NAME, where * stands for anything, runs these tests alone. */
__attribute__((constructor)) static void choose_tests(void)
{
    if (getenv("TD_TEST") != NULL) {
        cmocka_set_test_filter(getenv("TD_TEST"));
    }
}

#endif
