/* start_test.c - the first state of an automaton is made once for each storage, and kept if there is room; so is the
 * last state of its reference. */
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
static const void *watched; /* NULL once it is released */

static td_status upload(td_engine *to_engine, void *to, const void *from, uint64_t bytes,
                        td_error *error)
{
    uploaded += bytes;
    return td_cpu_ops.upload(to_engine, to, from, bytes, error);
}

static td_status free_memory(td_engine *of_engine, uint64_t *free_bytes, td_error *error)
{
    (void)of_engine, (void)error;
    *free_bytes = available;
    return TD_OK;
}

static void release(td_engine *of_engine, void *memory)
{
    watched = memory == watched ? NULL : watched;
    td_cpu_ops.release(of_engine, memory);
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
    ops.release = release;
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
    assert_int_equal(td_start_open_reference(&o->buffers, &error), TD_OK);
}

/* Whether memory is still there when the buffers are closed. */
static bool outlives(opened *o, const void *memory)
{
    watched = memory;
    td_buffers_close(&o->buffers);
    done(&o->f);
    return watched != NULL;
}

/* Checks the first state of the one run of a command line. Returns its input, NULL if it is not kept. */
static const void *start_as(const char *line, const uint8_t *given)
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
    assert_memory_equal(b->reference[0], problem.state, bytes);
    td_workload_fill(b->workload, &problem, stored);
    assert_memory_equal(b->input, stored, b->input_bytes);
    free(stored);
    free(expected);
    const void *const memory = b->input_memory;
    return outlives(&o, memory) ? memory : NULL;
}

static const char *const storages[] = {"-s bb -w life -n 70 --memory halo --cell u8",
                                       "-s bb -w life -n 70 --memory halo --cell u32",
                                       "-s bb -w life -n 70 --memory strip --cell bit --steps 7"};

TEST(what_was_made_is_there_again_and_techniques_share_a_storage)
{
    const void *first[COUNT(storages)];
    for (size_t i = 0; i < COUNT(storages); i++) {
        first[i] = start_as(storages[i], NULL);
        assert_non_null(first[i]);
    }
    start_as("-s bb -w life -n 35 --memory halo --cell u8", NULL);
    uploaded = 0;
    for (size_t i = 0; i < COUNT(storages); i++) {
        assert_ptr_equal(start_as(storages[i], NULL), first[i]);
    }
    assert_int_equal(uploaded, COUNT(storages) * N * (N + 1) / 2); /* the reference alone */
    const void *strip = start_as("-s bb -w life -n 70 --memory strip --cell u8", NULL);
    assert_ptr_equal(start_as("-s bb -w life -n 70 --memory aligned --cell u8", NULL), strip);
    assert_ptr_not_equal(strip, first[0]);
    assert_ptr_not_equal(strip, first[2]);
}

TEST(another_problem_has_another)
{
    static const char *const lines[] = {
        "-s bb -w life -n 70 --memory halo --cell u8",
        "-s bb -w life -n 71 --memory halo --cell u8",
        "-s bb -w life -n 70 --memory halo --cell u8 --seed 2",
        "-s bb -w life -n 70 --memory halo --cell u8 --set density=0.9",
        "-s bb -w gol -n 70 --memory halo --cell u8",
        "-s bb -w blur -n 70 --memory halo"};
    for (size_t i = 0; i < COUNT(lines); i++) {
        start_as(lines[i], NULL); /* which compares */
    }
}

TEST(what_is_handed_in_is_looked_at_again)
{
    static uint8_t given[N * (N + 1) / 2];
    for (int round = 0; round < 2; round++) {
        assert_null(start_as(storages[0], given));
        given[1234] = 1; /* at the same place */
    }
    start_as(storages[0], NULL);
}

TEST(another_engine_has_memory_of_its_own)
{
    const td_engine_config config = {.threads = 1};
    td_engine *device = engine;
    td_error error;
    const void *on_device = start_as(storages[0], NULL);
    assert_int_equal(td_cpu_ops.open(&config, &engine, &error), TD_OK);
    assert_ptr_not_equal(start_as(storages[0], NULL), on_device);
    engine->ops->close(engine);
    engine = device;
    assert_ptr_equal(start_as(storages[0], NULL), on_device);
}

TEST(nothing_is_kept_where_memory_is_short)
{
    available = 1700000; /* enough for the run, and less than 8 times its states */
    assert_null(start_as("-s bb -w life -n 700 --memory halo --cell u8", NULL));
}

/* Make a last state that consists of `byte`. */
static void keep_last(const char *line, uint8_t byte, uint32_t end_row)
{
    opened o;
    open_for(&o, line, NULL);
    o.buffers.problem.end_row = end_row;
    td_start_keep_last(&o.buffers);
    memset(o.buffers.last, byte, o.buffers.states.end);
    assert_int_equal(outlives(&o, o.buffers.last), end_row == 0);
}

/* The byte that a kept last state consists of; 0: none is found. */
static uint8_t found(const char *line)
{
    opened o;
    open_for(&o, line, NULL);
    const uint8_t *last = o.buffers.last, byte = last != NULL ? *last : 0;
    assert_int_equal(o.buffers.reference_ready, last != NULL);
    assert_int_equal(outlives(&o, last), last != NULL);
    return byte;
}

/* However it is stored, and no other is taken for it. */
TEST(a_last_state_is_found)
{
    static const struct {
        const char *line;
        uint8_t byte;
    } cases[] = {{"-s bb -w life -n 70 --steps 7 --memory halo --cell u8", 'a'},
                 {"-s ltm-i -w life -n 70 --steps 7 --memory strip --cell bit", 'a'},
                 {"-s ltm-i -w life -n 70 --steps 7 --memory rect --tile 32", 'a'},
                 {"-s bb -w gol -n 70 --steps 6 --set rule=2333", 'b'},
                 {"-s bb -w gol -n 70 --steps 6", 0},
                 {"-s bb -w gol -n 70 --steps 7", 0},
                 {"-s bb -w life -n 70 --steps 8", 0},
                 {"-s bb -w life -n 71 --steps 7", 0},
                 {"-s bb -w life -n 70 --steps 7 --seed 2", 0},
                 {"-s bb -w life -n 70 --steps 7 --set density=0.9", 0},
                 {"-s bb -w life -n 70 --steps 7 --set domain=square", 0},
                 {"-s bb -w life -n 60 --steps 7", 0}};
    keep_last("-s bb -w life -n 70 --steps 7", 'a', 0);
    keep_last("-s bb -w gol -n 70 --steps 6 --set rule=2333", 'b', 0);
    keep_last("-s bb -w life -n 60 --steps 7", 'c', 35); /* a part of the rows is never kept */
    for (size_t i = 0; i < COUNT(cases); i++) {
        assert_int_equal(found(cases[i].line), cases[i].byte);
    }
}

int main(void)
{
    td_tests_surround(open_device, close_device);
    return td_tests_run(NULL, NULL);
}
