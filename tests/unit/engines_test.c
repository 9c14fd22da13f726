/* engines_test.c - the table of engines: complete rows, and the choice of `auto`. */
#include "test.h"

#include <string.h>

#include "engine/cpu/cpu.h"
#include "engine/engine.h"
#include "engine/options/options.h"

static bool has_all_that_is_needed(const td_engine_ops *e)
{
    const bool verifies = e->check != NULL;
    return e->open != NULL && e->free_memory != NULL && e->allocate != NULL && e->upload != NULL &&
           e->launch != NULL && e->download != NULL && e->prepare != NULL && e->sample != NULL &&
           e->discard != NULL && e->release != NULL && e->close != NULL &&
           e->can.energy == (e->energy_j != NULL) && verifies == (e->fill != NULL) &&
           verifies == (e->count_other != NULL) && verifies == (e->for_each_cell != NULL);
}

/* A build without CUDA has a row that only reports that. */
TEST(rows_have_a_name_of_their_own_and_what_is_usable_is_whole)
{
    td_error why = {""};
    for (size_t i = 0; i < td_engine_count; i++) {
        const td_engine_ops *e = td_engines[i];
        const td_options options = {.engine = e};
        assert_non_null(e->summary);
        assert_int_equal(strcspn(e->name, " |/"), strlen(e->name));
        assert_string_not_equal(e->name, "auto");
        for (size_t k = 0; k < i; k++) {
            assert_string_not_equal(e->name, td_engines[k]->name);
        }
        if (e->usable == NULL || e->usable(&why)) {
            assert_true(has_all_that_is_needed(e));
        } else {
            assert_true(why.text[0] != '\0');
        }
        assert_ptr_equal(td_choose_engine(&options), e); /* whoever is asked for by name */
    }
}

/* A missing GPU is not replaced by the CPU. */
TEST(auto_takes_the_first_that_is_usable_and_for_a_device_one_that_has_devices)
{
    const td_options any = {.engine = NULL}, with_device = {.device = "1023"};
    const td_engine_ops *first = td_engines[0];
    td_error reason;
    assert_int_equal(td_choose_engine(&any) == first,
                     first->usable == NULL || first->usable(&reason));
    assert_non_null(td_choose_engine(&with_device)->devices);
}

TEST(threads_are_no_more_than_pieces_unless_each_has_a_core)
{
    static const struct {
        int threads, cores, team;
        uint64_t pieces;
    } cases[] = {{4, 8, 4, 1}, {8, 8, 8, 1}, {12, 8, 8, 1}, {12, 8, 10, 10}, {12, 8, 12, 99}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        td_cpu_engine cpu = {.threads = cases[i].threads, .cores = cases[i].cores};
        assert_int_equal(td_cpu_team(&cpu.base, cases[i].pieces), cases[i].team);
    }
}
