/* allocate_test.c - memory, and the message if there is none. */
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

static void memory_is_zeroed_and_never_null(void **state)
{
    (void)state;
    td_error error = {""};
    uint8_t *bytes = NULL, *none = NULL;
    uint8_t *const before = malloc(3000); /* an allocator may reuse its bytes */
    for (size_t i = 0; before != NULL && i < 3000; i++) {
        ((volatile uint8_t *)before)[i] = 0xff;
    }
    free(before);
    const td_status some = td_allocate(&bytes, 1000, 3, &error, "a test");
    const td_status empty = td_allocate(&none, 0, 1, &error, "a test");
    unsigned set = 0;
    for (size_t i = 0; bytes != NULL && i < 3000; i++) {
        set |= bytes[i];
    }
    const bool are_there = bytes != NULL && none != NULL;
    free(bytes);
    free(none);
    assert_int_equal(some, TD_OK);
    assert_int_equal(empty, TD_OK);
    assert_true(are_there);
    assert_int_equal(set, 0);
}

static void a_failure_says_what_the_memory_was_for(void **state)
{
    (void)state;
    td_error error = {""};
    int marker = 0;
    int *values = &marker;
    assert_int_equal(td_allocate(&values, UINT64_C(1) << 60, 2, &error, "the %s", "moon"),
                     TD_NO_MEMORY);
    assert_null(values);
    assert_string_equal(error.text, "not enough memory for the moon: 2.306 EB");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_is_zeroed_and_never_null),
        cmocka_unit_test(a_failure_says_what_the_memory_was_for),
    };
    return cmocka_run_group_tests_name("allocate", tests, NULL, NULL);
}
