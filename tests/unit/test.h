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

/* Defines a test, which adds itself to its program. Tests run in the order of their lines. */
#define TEST(name)                                                                                 \
    static void name(void **state);                                                                \
    __attribute__((constructor(1000 + __LINE__))) static void add_##name(void)                     \
    {                                                                                              \
        td_test_add(#name, name, NULL);                                                            \
    }                                                                                              \
    static void name(__attribute__((unused)) void **state)

/* The tests of this program. */
enum { TD_TESTS_MOST = 256 };
extern struct CMUnitTest td_tests[TD_TESTS_MOST];
extern size_t td_test_count;

/* Input: about, what the test finds in its state */
void td_test_add(const char *name, CMUnitTestFunction test, const void *about);

/* Calls these before and after each test added so far; NULL: nothing. */
void td_tests_surround(CMFixtureFunction before, CMFixtureFunction after);

/* Runs all tests between these; NULL: nothing. Returns the exit status. A program whose main would only call it with
 * NULL has no main: test.c does that. */
int td_tests_run(CMFixtureFunction before, CMFixtureFunction after);

#endif
