/* worker_test.c - crashes, hangs and broken devices cost one run, and the end of a worker leaves nothing behind. */
#include "faulty_engine.h"

#include <sys/resource.h>

#include "engine/core/signals.h"

static const char *const strategies[] = {"bb", "ltm-r", "rec"}; /* in this order */

#define CRASHED "the worker process was killed by signal 9 (Killed) "
#define BROKEN "an illegal address was read"
#define GONE "the device has fallen off the bus"

static void a_fault_costs_the_run_that_it_hits(void **state)
{
    static const struct {
        place where;
        act what;
        const char *strategy; /* NULL: any */
        int faults, openings; /* how many there are at most; 0 openings: any number */
        double timeout_s;
        const char *reasons[3]; /* why each run has failed; NULL: it has not */
        int opened;             /* how often the device was */
    } cases[] = {
        {NOWHERE, FAIL, NULL, 1, 0, 0, {NULL, NULL, NULL}, 1},
        {AT_LAUNCH, CRASH, "ltm-r", 1, 0, 0, {NULL, CRASHED "(verify)", NULL}, 2},
        {AT_PREPARE, CRASH, "ltm-r", 1, 0, 0, {NULL, CRASHED "(warm up)", NULL}, 2},
        {AT_SAMPLE, CRASH, "ltm-r", 1, 0, 0, {NULL, CRASHED "(warm up)", NULL}, 2},
        {AT_LAUNCH, LEAVE, "ltm-r", 1, 0, 0, {NULL, "ended with status 7", NULL}, 2},
        {AT_LAUNCH, HANG, "ltm-r", 1, 0, 2, {NULL, "within --timeout 2 s (verify)", NULL}, 2},
        {AT_LAUNCH, BREAK, "ltm-r", 1, 0, 0, {NULL, BROKEN, NULL}, 2},
        {AT_LAUNCH, FAIL, "ltm-r", 1, 0, 0, {NULL, BROKEN, NULL}, 1}, /* it heals */
        /* before any run */
        {AT_ALLOCATE, BREAK, NULL, 1, 0, 0, {BROKEN, NULL, NULL}, 2},
        {AT_ALLOCATE, FAIL, NULL, 1, 0, 0, {BROKEN, BROKEN, BROKEN}, 1},
        /* none is tried twice */
        {AT_LAUNCH, CRASH, NULL, 9, 0, 0, {CRASHED, CRASHED, CRASHED}, 3},
        /* outside all phases an open run must be blamed, or the sweep would never end */
        {AT_RELEASE, CRASH, NULL, 9, 0, 0, {CRASHED, CRASHED, CRASHED}, 3},
        {AT_LAUNCH, CRASH, "bb", 1, 1, 0, {CRASHED, GONE, GONE}, 2},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        fixture f;
        make(&f,
             (fault){.where = cases[i].where,
                     .what = cases[i].what,
                     .strategy = cases[i].strategy,
                     .left = cases[i].faults,
                     .openings = cases[i].openings},
             cases[i].timeout_s);
        run(&f);
        for (size_t r = 0; r < COUNT(strategies); r++) {
            const td_result *result = result_of(&f, strategies[r]);
            const char *reason = cases[i].reasons[r];
            if (strstr(result->reason, reason != NULL ? reason : "") == NULL) {
                fail_msg("%zu, %s: '%s'", i, strategies[r], result->reason);
            }
            assert_int_equal(result->status, reason != NULL ? TD_RUN_FAILED : TD_RUN_OK);
            assert_int_equal(result->error, reason != NULL ? TD_FAILED : TD_OK);
            assert_int_equal(result->sample_count, reason != NULL ? 0 : 6);
        }
        assert_int_equal(f.status, cases[i].openings == 0 ? TD_OK : TD_UNAVAILABLE);
        assert_true(f.status == TD_OK || strstr(f.error.text, GONE) != NULL);
        assert_int_equal(shared->opened, cases[i].opened);
        assert_int_equal(shared->reports, 1);
        if (cases[i].timeout_s > 0.0) {
            assert_true(td_now_s() - shared->hang_start_s >= cases[i].timeout_s - 0.1);
        }
        end(&f);
    }
}

static void time_is_noted_by_phase_and_a_skipped_run_is_never_blamed(void **state)
{
    fixture f;
    (void)state;
    make(&f, (fault){.where = AT_RELEASE, .what = CRASH, .left = 100}, 0.0);
    f.drive->results[0].status = TD_RUN_SKIPPED;
    run(&f);
    const td_timing timing = f.drive->heartbeat.timing;
    assert_int_equal(f.status, TD_OK);
    assert_int_equal(shared->results[0].status, TD_RUN_SKIPPED);
    assert_int_equal(shared->results[2].status, TD_RUN_FAILED);
    assert_true(timing.verify_s > 0.0 && timing.warm_up_s > 0.0 && timing.sample_s > 0.0);
    end(&f);
}

/* ---------------------------------------------------------------- the end of a worker */

static int next_descriptor(void)
{
    const int next = dup(STDIN_FILENO); /* the lowest free one */
    close(next);
    return next;
}

/* The worker would hang forever, so the test passes if it ends. */
static void stop_in_the_middle_of_a_hang_ends_it(void **state)
{
    (void)state;
    fixture f;
    const int next = next_descriptor();
    td_signals_catch_stops();
    make(&f, (fault){.where = AT_SAMPLE, .what = HANG, .strategy = "ltm-r", .interrupts = true},
         0.0);
    run(&f);
    td_signals_catch_stops(); /* forgets the interrupt */
    for (size_t r = 0; r < f.drive->sweep.run_count; r++) {
        assert_int_equal(shared->results[r].status, TD_RUN_INTERRUPTED);
        assert_string_equal(shared->results[r].reason, "interrupted");
    }
    assert_int_equal(shared->reports, 1);
    end(&f);
    assert_int_equal(next_descriptor(), next);
}

static void worker_that_cannot_be_started_leaves_no_pipe(void **state)
{
    (void)state;
    fixture f;
    struct rlimit before, few;
    const int next = next_descriptor();
    make(&f, (fault){.where = NOWHERE}, 0.0);
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    few = before;
    few.rlim_cur = (rlim_t)next + 1; /* half a pipe */
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
    run(&f);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
    end(&f);
    assert_int_equal(f.status, TD_FAILED);
    assert_non_null(strstr(f.error.text, "Too many open files"));
    assert_int_equal(next_descriptor(), next);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fault_costs_the_run_that_it_hits),
        cmocka_unit_test(time_is_noted_by_phase_and_a_skipped_run_is_never_blamed),
        cmocka_unit_test(stop_in_the_middle_of_a_hang_ends_it),
        cmocka_unit_test(worker_that_cannot_be_started_leaves_no_pipe),
    };
    return share_the_fault() ? cmocka_run_group_tests_name("worker", tests, NULL, NULL) : 1;
}
