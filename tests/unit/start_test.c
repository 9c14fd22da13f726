/* start_test.c - the first state of an automaton is made once for each storage, and kept if there is room. */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "engine/cpu/row.h"
#include "engine/prepare/start.h"
#include "command.h"

enum { N = 70 };

static td_engine_ops ops; /* the cpu engine's, but its memory counts as a device's */
static td_engine *engine;
static uint64_t uploaded, available;

static td_status upload(td_engine *to_engine, void *to, const void *from, uint64_t bytes,
                        td_error *error)
{
    uploaded += bytes;
    return td_cpu_ops.upload(to_engine, to, from, bytes, error);
}

static td_status free_memory(td_engine *of_engine, uint64_t *free_bytes, td_error *error)
{
    (void)of_engine;
    (void)error;
    *free_bytes = available;
    return TD_OK;
}

static int open_device(void **state)
{
    const td_engine_config config = {.threads = 1};
    td_error error;
    (void)state;
    assert_int_equal(td_cpu_ops.open(&config, &engine, &error), TD_OK);
    ops = td_cpu_ops;
    ops.can.device_memory = true;
    ops.upload = upload;
    ops.free_memory = free_memory;
    engine->ops = &ops;
    available = 1 << 30;
    return 0;
}

static int close_device(void **state)
{
    (void)state;
    td_start_forget();
    engine->ops->close(engine);
    return 0;
}

/* Checks the first state of the one run of a command line. Returns its input; *is_kept: whether it is kept. */
static void *start_as(const char *line, const uint8_t *given, bool *is_kept)
{
    command f;
    td_error error = {""};
    void *memory = NULL;
    make_search(&td_cpu_ops, line, &f);
    const td_run *run = &f.sweep.groups[0].runs[0];
    td_problem problem = run->problem;
    problem.state = given;
    const uint64_t cells = td_workload_cells(run->workload, &problem);
    const uint32_t each = run->workload->automaton->state_bytes;
    const td_extent state = {0, cells * (each > 0 ? each : 1)};
    const td_extent input = {0, td_workload_input_bytes(run->workload, &problem)};
    uint8_t *reference = malloc(state.bytes);
    uint8_t *expected = malloc(state.bytes), *stored = calloc(input.bytes, 1);
    assert_int_equal(td_start_open(engine, run->workload, &problem, state, input, reference,
                                   &memory, is_kept, &error),
                     TD_OK);
    if (given == NULL) {
        td_workload_start(run->workload, &problem, expected);
        problem.state = expected;
    }
    assert_memory_equal(reference, problem.state, state.bytes);
    td_workload_fill(run->workload, &problem, stored);
    assert_memory_equal(memory, stored, input.bytes);
    free(stored);
    free(expected);
    free(reference);
    done(&f);
    return memory;
}

static const char *const storages[] = {"-s bb -w life -n 70 --memory halo --cell u8",
                                       "-s bb -w life -n 70 --memory halo --cell u32",
                                       "-s bb -w life -n 70 --memory strip --cell bit --steps 7"};

static void what_was_made_is_there_again(void **state)
{
    void *first[COUNT(storages)];
    bool is_kept;
    (void)state;
    for (size_t i = 0; i < COUNT(storages); i++) {
        first[i] = start_as(storages[i], NULL, &is_kept);
        assert_true(is_kept);
    }
    start_as("-s bb -w life -n 35 --memory halo --cell u8", NULL, &is_kept);
    uploaded = 0;
    for (size_t i = 0; i < COUNT(storages); i++) {
        assert_ptr_equal(start_as(storages[i], NULL, &is_kept), first[i]);
        assert_true(is_kept);
    }
    assert_int_equal(uploaded, COUNT(storages) * N * (N + 1) / 2); /* the reference alone */
}

static void techniques_of_one_storage_have_one(void **state)
{
    bool is_kept;
    (void)state;
    void *strip = start_as("-s bb -w life -n 70 --memory strip --cell u8", NULL, &is_kept);
    assert_ptr_equal(start_as("-s bb -w life -n 70 --memory aligned --cell u8", NULL, &is_kept),
                     strip);
    assert_ptr_not_equal(start_as(storages[0], NULL, &is_kept), strip);
    assert_ptr_not_equal(start_as(storages[2], NULL, &is_kept), strip);
}

static void another_problem_has_another(void **state)
{
    static const char *const lines[] = {
        "-s bb -w life -n 70 --memory halo --cell u8",
        "-s bb -w life -n 71 --memory halo --cell u8",
        "-s bb -w life -n 70 --memory halo --cell u8 --seed 2",
        "-s bb -w life -n 70 --memory halo --cell u8 --set density=0.9",
        "-s bb -w gol -n 70 --memory halo --cell u8",
        "-s bb -w blur -n 70 --memory halo",
        "-s bb -w gol -n 70 -b 4 --layout blocked",
        "-s bb -w gol -n 70 -b 4 --layout blocked --tile 8",
        "-s bb-tetra -w life -n 9 -b 4 --layout blocked",
        "-s bb-tetra -w life -n 9 -b 4 --layout blocked --tile 8"};
    bool is_kept;
    (void)state;
    for (size_t i = 0; i < COUNT(lines); i++) {
        start_as(lines[i], NULL, &is_kept); /* which compares */
    }
}

static void what_is_handed_in_is_looked_at_again(void **state)
{
    static uint8_t given[N * (N + 1) / 2];
    bool is_kept;
    (void)state;
    for (int round = 0; round < 2; round++) {
        void *memory = start_as(storages[0], given, &is_kept);
        assert_false(is_kept);
        engine->ops->release(engine, memory);
        given[1234] = 1; /* at the same place */
    }
    start_as(storages[0], NULL, &is_kept);
}

static void another_engine_has_memory_of_its_own(void **state)
{
    const td_engine_config config = {.threads = 1};
    td_engine *device = engine;
    bool is_kept;
    td_error error;
    (void)state;
    void *on_device = start_as(storages[0], NULL, &is_kept);
    assert_int_equal(td_cpu_ops.open(&config, &engine, &error), TD_OK);
    void *memory = start_as(storages[0], NULL, &is_kept);
    assert_false(is_kept);
    assert_ptr_not_equal(memory, on_device);
    engine->ops->release(engine, memory);
    engine->ops->close(engine);
    engine = device;
    assert_ptr_equal(start_as(storages[0], NULL, &is_kept), on_device);
}

static void nothing_is_kept_where_memory_is_short(void **state)
{
    bool is_kept;
    (void)state;
    available = 4 * N * (N + 1) / 2;
    void *memory = start_as(storages[0], NULL, &is_kept);
    assert_false(is_kept);
    engine->ops->release(engine, memory);
}

enum { LAST = 64 }; /* bytes of a made-up last state */

/* True if a run finds a kept last state that consists of `byte`. */
static bool finds(const char *line, char byte)
{
    command f;
    td_error error = {""};
    char found[LAST], expected[LAST];
    bool is_found = false;
    make_search(&td_cpu_ops, line, &f);
    const td_run *run = &f.sweep.groups[0].runs[0];
    assert_int_equal(
        td_start_find_last(engine, run->workload, &run->problem, LAST, found, &is_found, &error),
        TD_OK);
    memset(expected, byte, LAST);
    if (is_found) {
        assert_memory_equal(found, expected, LAST);
    }
    done(&f);
    return is_found;
}

static void keep_last(const char *line, char byte, uint32_t end_row)
{
    command f;
    td_error error = {""};
    char last[LAST];
    make_search(&td_cpu_ops, line, &f);
    const td_run *run = &f.sweep.groups[0].runs[0];
    td_problem problem = run->problem;
    problem.end_row = end_row;
    memset(last, byte, LAST);
    assert_int_equal(td_start_keep_last(engine, run->workload, &problem, LAST, last, &error),
                     TD_OK);
    done(&f);
}

static void a_last_state_is_found_however_it_is_stored(void **state)
{
    (void)state;
    keep_last("-s bb -w life -n 70 --steps 7 --memory halo --cell u8", 'a', 0);
    assert_true(finds("-s bb -w life -n 70 --steps 7 --memory halo --cell u8", 'a'));
    assert_true(finds("-s ltm-i -w life -n 70 --steps 7 --memory strip --cell bit", 'a'));
    assert_true(finds("-s ltm-i -w life -n 70 --steps 7 --memory rect --tile 32", 'a'));
}

static void no_other_last_state_is_taken_for_it(void **state)
{
    static const char *const others[] = {"-s bb -w life -n 70 --steps 8",
                                         "-s bb -w life -n 71 --steps 7",
                                         "-s bb -w life -n 70 --steps 7 --seed 2",
                                         "-s bb -w life -n 70 --steps 7 --set density=0.9",
                                         "-s bb -w gol -n 70 --steps 7",
                                         "-s bb -w life -n 70 --steps 7 --set domain=square"};
    (void)state;
    keep_last("-s bb -w life -n 70 --steps 7", 'a', 0);
    keep_last("-s bb -w gol -n 70 --steps 6 --set rule=2333", 'b', 0);
    for (size_t i = 0; i < COUNT(others); i++) {
        assert_false(finds(others[i], 'a'));
    }
    assert_false(finds("-s bb -w gol -n 70 --steps 6", 'b'));
    assert_true(finds("-s bb -w gol -n 70 --steps 6 --set rule=2333", 'b'));
}

static void a_part_of_the_rows_is_never_kept(void **state)
{
    (void)state;
    keep_last("-s bb -w life -n 70 --steps 7", 'a', 35);
    assert_false(finds("-s bb -w life -n 70 --steps 7", 'a'));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_was_made_is_there_again, open_device, close_device),
        cmocka_unit_test_setup_teardown(techniques_of_one_storage_have_one, open_device,
                                        close_device),
        cmocka_unit_test_setup_teardown(another_problem_has_another, open_device, close_device),
        cmocka_unit_test_setup_teardown(what_is_handed_in_is_looked_at_again, open_device,
                                        close_device),
        cmocka_unit_test_setup_teardown(another_engine_has_memory_of_its_own, open_device,
                                        close_device),
        cmocka_unit_test_setup_teardown(nothing_is_kept_where_memory_is_short, open_device,
                                        close_device),
        cmocka_unit_test_setup_teardown(a_last_state_is_found_however_it_is_stored, open_device,
                                        close_device),
        cmocka_unit_test_setup_teardown(no_other_last_state_is_taken_for_it, open_device,
                                        close_device),
        cmocka_unit_test_setup_teardown(a_part_of_the_rows_is_never_kept, open_device,
                                        close_device),
    };
    return cmocka_run_group_tests_name("start", tests, NULL, NULL);
}
