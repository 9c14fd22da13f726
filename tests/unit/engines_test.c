/* engines_test.c - the table of engines: complete rows, and the choice of `auto`. */
#include "test.h"

#include <string.h>

#include "engine/engine.h"
#include "engine/options/options.h"

static void names_are_words_and_unique(void **state)
{
    (void)state;
    for (size_t i = 0; i < td_engine_count; i++) {
        assert_non_null(td_engines[i]->summary);
        assert_int_equal(strcspn(td_engines[i]->name, " |/"), strlen(td_engines[i]->name));
        assert_string_not_equal(td_engines[i]->name, "auto");
        for (size_t k = 0; k < i; k++) {
            assert_string_not_equal(td_engines[i]->name, td_engines[k]->name);
        }
    }
}

static bool has_all_that_is_needed(const td_engine_ops *e)
{
    return e->open != NULL && e->free_memory != NULL && e->allocate != NULL && e->upload != NULL &&
           e->launch != NULL && e->download != NULL && e->prepare != NULL && e->sample != NULL &&
           e->discard != NULL && e->release != NULL && e->close != NULL;
}

/* A build without CUDA has a row that only reports that. */
static void rows_that_are_usable_are_whole(void **state)
{
    td_error why;
    (void)state;
    for (size_t i = 0; i < td_engine_count; i++) {
        const td_engine_ops *e = td_engines[i];
        if (e->usable != NULL && !e->usable(&why)) {
            assert_true(why.text[0] != '\0');
            continue;
        }
        assert_true(has_all_that_is_needed(e));
        assert_int_equal(e->can.energy, e->energy_j != NULL);
        assert_int_equal(e->check != NULL, e->fill != NULL);
        assert_int_equal(e->check != NULL, e->count_other != NULL);
        assert_int_equal(e->check != NULL, e->for_each_cell != NULL);
    }
}

static void auto_takes_the_first_that_is_usable(void **state)
{
    const td_options options = {.engine = NULL};
    const td_engine_ops *first = td_engines[0];
    td_error reason;
    (void)state;
    const bool is_usable = first->usable == NULL || first->usable(&reason);
    assert_int_equal(td_choose_engine(&options) == first, is_usable);
}

/* A missing GPU is not replaced by the CPU. */
static void who_asks_for_a_device_gets_an_engine_that_has_devices(void **state)
{
    const td_options options = {.device = "1023"};
    (void)state;
    assert_non_null(td_choose_engine(&options)->devices);
}

static void engine_asked_for_by_name_is_taken_at_its_word(void **state)
{
    (void)state;
    for (size_t i = 0; i < td_engine_count; i++) {
        const td_options options = {.engine = td_engines[i]};
        assert_ptr_equal(td_choose_engine(&options), td_engines[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_words_and_unique),
        cmocka_unit_test(rows_that_are_usable_are_whole),
        cmocka_unit_test(auto_takes_the_first_that_is_usable),
        cmocka_unit_test(who_asks_for_a_device_gets_an_engine_that_has_devices),
        cmocka_unit_test(engine_asked_for_by_name_is_taken_at_its_word),
    };
    return cmocka_run_group_tests_name("engines", tests, NULL, NULL);
}
