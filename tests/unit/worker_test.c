/* worker_test.c - an engine with a fault: crashes, hangs and broken devices cost one run, and nothing is left. */
#include "test.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "engine/core/clock.h"
#include "engine/core/process.h"
#include "engine/core/signals.h"
#include "engine/cpu/row.h"
#include "engine/sweep/sweep.h"
#include "run/driver.h"

/* ---------------------------------------------------------------- the engine */

typedef enum place { NOWHERE, AT_ALLOCATE, AT_LAUNCH, AT_PREPARE, AT_RELEASE } place;
typedef enum act { CRASH, LEAVE, HANG, BREAK, FAIL } act;

enum { MOST_RUNS = 8 };

/* Shared with the workers, so that the test can read their notes. */
typedef struct fault {
    place where;
    act what;
    const char *strategy; /* the strategy that fails; NULL: all */
    int opened;           /* engines so far */
    int openings;         /* number of openings that succeed; 0: all */
    int left;             /* faults left */
    bool interrupts;      /* a hang begins with Ctrl-C */
    pid_t broken;         /* the process whose engine is unusable */
    double hang_start_s;
    td_result results[MOST_RUNS]; /* as they were reported, without their samples */
    int reports;
} fault;

static fault *shared;

static td_status strike(td_error *error)
{
    shared->left--;
    switch (shared->what) {
    case CRASH:
        raise(SIGKILL);
        break;
    case LEAVE:
        _exit(7);
    case HANG:
        shared->hang_start_s = td_now_s();
        if (shared->interrupts) {
            kill(getppid(), SIGINT);
        }
        for (;;) {
            pause();
        }
    case BREAK:
        shared->broken = getpid();
        break;
    case FAIL:
        break;
    }
    return td_fail(error, TD_FAILED, "an illegal address was read");
}

static bool hits(place where, const td_strategy *strategy)
{
    return shared->where == where && shared->left > 0 &&
           (shared->strategy == NULL || strategy == NULL ||
            strcmp(shared->strategy, strategy->name) == 0);
}

static td_engine_ops faulty;

static td_status faulty_open(const td_engine_config *config, td_engine **engine, td_error *error)
{
    shared->opened++;
    if (shared->openings > 0 && shared->opened > shared->openings) {
        return td_fail(error, TD_UNAVAILABLE, "the device has fallen off the bus");
    }
    const td_status status = td_cpu_ops.open(config, engine, error);
    if (status == TD_OK) {
        (*engine)->ops = &faulty;
    }
    return status;
}

/* The real measurement takes a second. */
static td_status no_bandwidth(td_engine *engine, td_environment *environment, td_error *error)
{
    (void)engine;
    (void)error;
    environment->peaks.fill_gb_per_s = 1.0;
    return TD_OK;
}

static td_status faulty_allocate(td_engine *engine, uint64_t bytes, void **memory, td_error *error)
{
    return hits(AT_ALLOCATE, NULL) ? strike(error)
                                   : td_cpu_ops.allocate(engine, bytes, memory, error);
}

static td_status faulty_launch(td_engine *engine, const td_execution *execution, td_error *error)
{
    return hits(AT_LAUNCH, execution->strategy) ? strike(error)
                                                : td_cpu_ops.launch(engine, execution, error);
}

static td_status faulty_prepare(td_engine *engine, const td_execution *execution, uint32_t batch,
                                bool graph, td_prepared **prepared, td_error *error)
{
    return hits(AT_PREPARE, execution->strategy)
               ? strike(error)
               : td_cpu_ops.prepare(engine, execution, batch, graph, prepared, error);
}

static void faulty_release(td_engine *engine, void *memory)
{
    if (hits(AT_RELEASE, NULL)) {
        strike(NULL);
    }
    td_cpu_ops.release(engine, memory);
}

static bool faulty_is_healthy(td_engine *engine)
{
    (void)engine;
    return shared->broken != getpid();
}

/* ---------------------------------------------------------------- a sweep of one group */

/* In place of the report: whichever process reports, the test has the results. */
td_status __wrap_td_report_group(td_report *report, const td_group *group, const td_result *results,
                                 td_error *error);

td_status __wrap_td_report_group(td_report *report, const td_group *group, const td_result *results,
                                 td_error *error)
{
    (void)report, (void)error;
    memcpy(shared->results, results, group->count * sizeof *results);
    shared->reports++;
    return TD_OK;
}

typedef struct fixture {
    td_options options;
    td_sweep_drive *drive;
    td_status status;
    td_error error;
} fixture;

static void make(fixture *f, fault wanted, double timeout_s)
{
    static char *argv[] = {"tribench", "-s",  "bb,ltm-r,rec", "-w", "dummy",     "-n", "128",
                           "-e",       "cpu", "--samples",    "6",  "--threads", "1",  "--warmup",
                           "0",        "-o",  "/dev/null",    NULL};
    memset(f, 0, sizeof *f);
    *shared = wanted;
    shared->left = wanted.left > 0 ? wanted.left : 1;
    faulty = td_cpu_ops;
    faulty.open = faulty_open;
    faulty.peak_bandwidth = no_bandwidth;
    faulty.allocate = faulty_allocate;
    faulty.launch = faulty_launch;
    faulty.prepare = faulty_prepare;
    faulty.release = faulty_release;
    faulty.is_healthy = faulty_is_healthy;
    assert_int_equal(td_options_parse(17, argv, &f->options, &f->error), TD_OK);
    f->options.timeout_s = timeout_s;
    f->options.verbosity = -1;
    assert_int_equal(td_allocate_shared(&f->drive, sizeof *f->drive, "a test", &f->error), TD_OK);
    *f->drive = (td_sweep_drive){
        .options = &f->options, .engine = &faulty, .progress.options = &f->options};
    assert_int_equal(td_sweep_make(&f->options, NULL, &td_cpu_ops, &f->drive->sweep, &f->error),
                     TD_OK);
    assert_int_equal(td_report_open(&f->options, NULL, &f->drive->report, &f->error), TD_OK);
    assert_int_equal(f->drive->sweep.group_count, 1);
    assert_string_equal(f->drive->sweep.runs[1].strategy->name, "ltm-r");
    assert_int_equal(td_drive_begin(f->drive, &f->error), TD_OK);
}

static void run(fixture *f)
{
    f->status = td_watch(f->drive, &f->error);
}

static void end(fixture *f)
{
    assert_int_equal(td_report_close(f->drive->report, &(td_timing){0}, &f->error), TD_OK);
    td_sweep_free(&f->drive->sweep);
    td_options_free(&f->options);
}

/* ---------------------------------------------------------------- a fault */

#define CRASHED "the worker process was killed by signal 9 (Killed) "
#define BROKEN "an illegal address was read"
#define GONE "the device has fallen off the bus"

TEST(a_fault_costs_the_run_that_it_hits)
{
    static const struct {
        place where;
        act what;
        const char *strategy; /* NULL: any */
        int faults, openings; /* how many there are at most; 0 openings: any number */
        double timeout_s;
        const char *reasons[3]; /* why bb, ltm-r and rec have failed; NULL: it has not */
        int opened;             /* how often the device was */
    } cases[] = {
        {NOWHERE, FAIL, NULL, 1, 0, 0, {NULL, NULL, NULL}, 1},
        {AT_LAUNCH, CRASH, "ltm-r", 1, 0, 0, {NULL, CRASHED "(verify)", NULL}, 2},
        {AT_PREPARE, CRASH, "ltm-r", 1, 0, 0, {NULL, CRASHED "(warm up)", NULL}, 2},
        {AT_LAUNCH, LEAVE, "ltm-r", 1, 0, 0, {NULL, "ended with status 7", NULL}, 2},
        {AT_LAUNCH, HANG, "ltm-r", 1, 0, 1, {NULL, "within --timeout 1 s (verify)", NULL}, 2},
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
        for (size_t r = 0; r < f.drive->sweep.run_count; r++) {
            const td_result *result = &shared->results[r];
            const char *reason = cases[i].reasons[r];
            if (strstr(result->reason, reason != NULL ? reason : "") == NULL) {
                fail_msg("case %zu, run %zu: '%s'", i, r, result->reason);
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

TEST(time_is_noted_by_phase_and_a_skipped_run_is_never_blamed)
{
    fixture f;
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

/* The worker would hang forever, so the test passes if it ends. */
TEST(stop_in_the_middle_of_a_hang_ends_it)
{
    fixture f;
    td_signals_catch_stops();
    make(&f, (fault){.where = AT_PREPARE, .what = HANG, .strategy = "ltm-r", .interrupts = true},
         0.0);
    run(&f);
    td_signals_catch_stops(); /* forgets the interrupt */
    for (size_t r = 0; r < f.drive->sweep.run_count; r++) {
        assert_int_equal(shared->results[r].status, TD_RUN_INTERRUPTED);
        assert_string_equal(shared->results[r].reason, "interrupted");
    }
    assert_int_equal(shared->reports, 1);
    end(&f);
}

int main(void)
{
    return td_allocate_shared(&shared, sizeof *shared, "the tests", NULL) == TD_OK
               ? td_tests_run(NULL, NULL)
               : 1;
}
