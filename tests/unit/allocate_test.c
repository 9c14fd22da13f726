/* allocate_test.c - the message if there is no memory. */
#include "test.h"

#include "engine/core/error.h"

/* The sanitizer ends the program where it refuses memory, unless it is told otherwise. */
#ifdef __SANITIZE_ADDRESS__
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1";
}
#endif

TEST(a_failure_says_what_the_memory_was_for)
{
    td_error error = {""};
    int marker = 0;
    int *values = &marker;
    assert_int_equal(td_allocate(&values, UINT64_C(1) << 60, 2, &error, "the %s", "moon"),
                     TD_NO_MEMORY);
    assert_null(values);
    assert_string_equal(error.text, "not enough memory for the moon: 2.306 EB");
}
