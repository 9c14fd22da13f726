/* test.h - cmocka with the headers that it needs to come first. */
#ifndef TD_TESTS_UNIT_TEST_H
#define TD_TESTS_UNIT_TEST_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#endif
