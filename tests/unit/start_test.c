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

/* A run of a command line, and buffers for it. */
typedef struct opened {
    command f;
    td_buffers buffers;
} opened;

static void open_for(opened *o, const char *line, const uint8_t *given)
{
    td_error error = {""};
    make_search(&td_cpu_ops, line, &o->f);
    const td_run *run = &o->f.sweep.groups[0].runs[0];
    td_problem problem = run->problem;
    problem.state = given;
    assert_int_equal(td_buffers_open(engine, run->workload, &problem, &o->buffers, &error), TD_OK);
}

static void close_all(opened *o)
{
    td_buffers_close(&o->buffers);
    done(&o->f);
}

/* Checks the first state of the one run of a command line. Returns its input, which exists for longer if *is_cached. */
static void *start_as(const char *line, const uint8_t *given, bool *is_cached)
{
    opened o;
    open_for(&o, line, given);
    const td_buffers *b = &o.buffers;
    td_problem problem = b->problem;
    const uint64_t bytes = b->states.end;
    uint8_t *expected = malloc(bytes), *stored = calloc(b->input_bytes, 1);
    if (given == NULL) {
        td_workload_start(b->workload, &problem, expected);
        problem.state = expected;
    }
    td_error error = {""};
    assert_int_equal(td_buffers_open_reference(&o.buffers, &error), TD_OK);
    assert_memory_equal(b->reference[0], problem.state, bytes);
    td_workload_fill(b->workload, &problem, stored);
    assert_memory_equal(b->input, stored, b->input_bytes);
    free(stored);
    free(expected);
    void *memory = b->input_memory;
    *is_cached = b->input_is_cached;
    close_all(&o);
    return memory;
}

static const char *const storages[] = {"-s bb -w life -n 70 --memory halo --cell u8",
                                       "-s bb -w life -n 70 --memory halo --cell u32",
                                       "-s bb -w life -n 70 --memory strip --cell bit --steps 7"};

static void what_was_made_is_there_again(void **state)
{
    void *first[COUNT(storages)];
    bool is_cached;
    (void)state;
    for (size_t i = 0; i < COUNT(storages); i++) {
        first[i] = start_as(storages[i], NULL, &is_cached);
        assert_true(is_cached);
    }
    start_as("-s bb -w life -n 35 --memory halo --cell u8", NULL, &is_cached);
    uploaded = 0;
    for (size_t i = 0; i < COUNT(storages); i++) {
        assert_ptr_equal(start_as(storages[i], NULL, &is_cached), first[i]);
        assert_true(is_cached);
    }
    assert_int_equal(uploaded, COUNT(storages) * N * (N + 1) / 2); /* the reference alone */
}

static void techniques_of_one_storage_have_one(void **state)
{
    bool is_cached;
    (void)state;
    void *strip = start_as("-s bb -w life -n 70 --memory strip --cell u8", NULL, &is_cached);
    assert_ptr_equal(start_as("-s bb -w life -n 70 --memory aligned --cell u8", NULL, &is_cached),
                     strip);
    assert_ptr_not_equal(start_as(storages[0], NULL, &is_cached), strip);
    assert_ptr_not_equal(start_as(storages[2], NULL, &is_cached), strip);
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
    bool is_cached;
    (void)state;
    for (size_t i = 0; i < COUNT(lines); i++) {
        start_as(lines[i], NULL, &is_cached); /* which compares */
    }
}

static void what_is_handed_in_is_looked_at_again(void **state)
{
    static uint8_t given[N * (N + 1) / 2];
    bool is_cached;
    (void)state;
    for (int round = 0; round < 2; round++) {
        start_as(storages[0], given, &is_cached);
        assert_false(is_cached);
        given[1234] = 1; /* at the same place */
    }
    start_as(storages[0], NULL, &is_cached);
}

static void another_engine_has_memory_of_its_own(void **state)
{
    const td_engine_config config = {.threads = 1};
    td_engine *device = engine;
    bool is_cached;
    td_error error;
    (void)state;
    void *on_device = start_as(storages[0], NULL, &is_cached);
    assert_int_equal(td_cpu_ops.open(&config, &engine, &error), TD_OK);
    start_as(storages[0], NULL, &is_cached);
    assert_false(is_cached);
    engine->ops->close(engine);
    engine = device;
    assert_ptr_equal(start_as(storages[0], NULL, &is_cached), on_device);
}

static void nothing_is_kept_where_memory_is_short(void **state)
{
    bool is_cached;
    (void)state;
    available = 1700000; /* enough for the run, and less than 8 times its states */
    start_as("-s bb -w life -n 700 --memory halo --cell u8", NULL, &is_cached);
    assert_false(is_cached);
}

/* True if a run finds a kept last state that consists of `byte`. */
static bool finds(const char *line, uint8_t byte)
{
    opened o;
    td_error error = {""};
    open_for(&o, line, NULL);
    assert_int_equal(td_buffers_open_reference(&o.buffers, &error), TD_OK);
    const bool is_found = o.buffers.reference_ready;
    const uint8_t *last = td_buffers_last(&o.buffers);
    for (uint64_t i = 0; is_found && i < o.buffers.last_bytes; i++) {
        assert_int_equal(last[i], byte);
    }
    close_all(&o);
    return is_found;
}

static void keep_last(const char *line, uint8_t byte, uint32_t end_row)
{
    opened o;
    td_error error = {""};
    open_for(&o, line, NULL);
    assert_int_equal(td_buffers_open_reference(&o.buffers, &error), TD_OK);
    memset(td_buffers_last(&o.buffers), byte, o.buffers.last_bytes);
    o.buffers.problem.end_row = end_row;
    assert_int_equal(td_start_keep_last(&o.buffers, &error), TD_OK);
    close_all(&o);
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
    struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_made_is_there_again),
        cmocka_unit_test(techniques_of_one_storage_have_one),
        cmocka_unit_test(another_problem_has_another),
        cmocka_unit_test(what_is_handed_in_is_looked_at_again),
        cmocka_unit_test(another_engine_has_memory_of_its_own),
        cmocka_unit_test(nothing_is_kept_where_memory_is_short),
        cmocka_unit_test(a_last_state_is_found_however_it_is_stored),
        cmocka_unit_test(no_other_last_state_is_taken_for_it),
        cmocka_unit_test(a_part_of_the_rows_is_never_kept),
    };
    for (size_t i = 0; i < COUNT(tests); i++) {
        tests[i].setup_func = open_device;
        tests[i].teardown_func = close_device;
    }
    return cmocka_run_group_tests_name("start", tests, NULL, NULL);
}
