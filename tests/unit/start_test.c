/* start_test.c - the first state of an automaton is made once for those that have it in common, and for no other. */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "engine/cpu/row.h"
#include "engine/needs/start.h"
#include "tune_space.h"

enum { N = 70 };

/* Input   line: of a command line for one run. The start is right, and its states in `states`, for the caller. */
static void start_as(const char *line, const uint8_t *given, const void **states)
{
    fixture f;
    td_start start;
    td_error error = {""};
    made(&f, &td_cpu_ops, line);
    const td_run *run = &f.space.groups[0].runs[0];
    td_problem problem = run->problem;
    problem.state = given;
    const uint64_t cells = td_workload_cells(run->workload, &problem);
    const uint32_t each = run->workload->automaton->state_bytes;
    const td_extent state = {0, cells * (each > 0 ? each : 1)};
    const td_extent input = {0, td_workload_input_bytes(run->workload, &problem)};
    assert_int_equal(td_start_make(run->workload, &problem, state, input, &start, &error), TD_OK);
    uint8_t *expected = malloc(state.bytes), *stored = calloc(input.bytes, 1);
    if (given == NULL) {
        td_workload_start(run->workload, &problem, expected);
        problem.state = expected;
        assert_memory_equal(start.states, expected, state.bytes);
    }
    td_workload_fill(run->workload, &problem, stored);
    assert_memory_equal(start.input, stored, input.bytes);
    *states = start.states;
    free(stored);
    free(expected);
    end(&f);
}

static void all_ways_to_store_it_have_one_start(void **state)
{
    static const char *const lines[] = {"-s bb -w life -n 70 --memory halo --cell u8",
                                        "-s bb -w life -n 70 --memory halo --cell u32",
                                        "-s bb -w life -n 70 --memory strip --cell bit --steps 7"};
    const void *first = NULL, *next = NULL;
    (void)state;
    start_as(lines[0], NULL, &first);
    for (size_t i = 0; i < COUNT(lines); i++) {
        start_as(lines[i], NULL, &next);
        assert_ptr_equal(next, first);
    }
}

static void another_problem_has_another(void **state)
{
    static const char *const lines[] = {"-s bb -w life -n 70 --memory halo --cell u8",
                                        "-s bb -w life -n 71 --memory halo --cell u8",
                                        "-s bb -w life -n 70 --memory halo --cell u8 --seed 2",
                                        "-s bb -w life -n 70 --memory halo --cell u8 --density 0.9",
                                        "-s bb -w gol -n 70 --memory halo --cell u8",
                                        "-s bb -w blur -n 70 --memory halo"};
    const void *ignored;
    (void)state;
    for (size_t i = 0; i < COUNT(lines); i++) {
        start_as(lines[i], NULL, &ignored); /* which compares */
    }
}

static void what_is_handed_in_is_looked_at_again(void **state)
{
    static const char line[] = "-s bb -w life -n 70 --memory halo --cell u8";
    static uint8_t given[N * (N + 1) / 2];
    const void *at;
    (void)state;
    start_as(line, given, &at);
    given[1234] = 1; /* at the same place */
    start_as(line, given, &at);
    assert_ptr_equal(at, given);
    start_as(line, NULL, &at);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_ways_to_store_it_have_one_start),
        cmocka_unit_test(another_problem_has_another),
        cmocka_unit_test(what_is_handed_in_is_looked_at_again),
    };
    return cmocka_run_group_tests_name("start", tests, NULL, NULL);
}
