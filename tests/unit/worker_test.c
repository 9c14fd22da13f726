/* worker_test.c - crashes, hangs and broken devices cost one run: an engine with faults in a worker
 * process. */
#include "test.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/cpu/row.h"
#include "engine/core/clock.h"
#include "engine/sweep/sweep.h"
#include "engine/worker/worker.h"

/* ---------------------------------------------------------------- the cpu engine, with one fault
 */

typedef enum place { NOWHERE, AT_ALLOCATE, AT_LAUNCH, AT_PREPARE, AT_SAMPLE, AT_RELEASE } place;
typedef enum act { CRASH, LEAVE, HANG, BREAK, FAIL } act;

/* Shared with the workers: what they note, the test reads. */
typedef struct fault {
    place where;
    act what;
    const char *strategy; /* whose runs it hits; NULL: all */
    int opened;           /* engines so far */
    int openings;         /* that succeed, 0: all */
    int left;             /* times that it strikes */
    bool broken_pid;      /* the engine of the process `pid` is beyond use */
    pid_t pid;
    double hang_start_s;
} fault;

static fault *shared;
static td_prepared *marked; /* the prepared run that the fault is about */

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
        shared->pid = getpid();
        for (;;) {
            pause();
        }
    case BREAK:
        shared->broken_pid = true;
        shared->pid = getpid();
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

/* The real one takes a second. */
static td_status no_bandwidth(td_engine *engine, td_environment *environment, td_error *error)
{
    (void)engine;
    (void)error;
    environment->fill_gb_per_s = 1.0;
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
    if (hits(AT_PREPARE, execution->strategy)) {
        return strike(error);
    }
    const td_status status = td_cpu_ops.prepare(engine, execution, batch, graph, prepared, error);
    if (hits(AT_SAMPLE, execution->strategy)) {
        marked = *prepared;
    }
    return status;
}

static td_status faulty_sample(td_engine *engine, td_prepared *prepared, double *ms,
                               td_error *error)
{
    if (marked != NULL && marked == prepared && hits(AT_SAMPLE, NULL)) {
        return strike(error);
    }
    return td_cpu_ops.sample(engine, prepared, ms, error);
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
    return !(shared->broken_pid && shared->pid == getpid());
}

/* ---------------------------------------------------------------- a sweep of one group */

enum { MOST_RUNS = 8 };

typedef struct fixture {
    td_options options;
    td_sweep sweep;
    td_worker *worker;
    td_result results[MOST_RUNS];
    td_status status;
    td_error error;
} fixture;

static bool (*stop_when)(void *context);

static void make(fixture *f, fault wanted, double timeout_s)
{
    static char *argv[] = {"tribench", "-s",  "bb,ltm-r,rec", "-w", "dummy",     "-n", "128",
                           "-e",       "cpu", "--samples",    "6",  "--threads", "1",  "--warmup",
                           "0",        NULL};
    memset(f, 0, sizeof *f);
    marked = NULL;
    *shared = wanted;
    shared->left = wanted.left > 0 ? wanted.left : 1;
    faulty = td_cpu_ops;
    faulty.open = faulty_open;
    faulty.peak_bandwidth = no_bandwidth;
    faulty.allocate = faulty_allocate;
    faulty.launch = faulty_launch;
    faulty.prepare = faulty_prepare;
    faulty.sample = faulty_sample;
    faulty.release = faulty_release;
    faulty.is_healthy = faulty_is_healthy;
    assert_int_equal(td_options_parse(15, argv, &f->options, &f->error), TD_OK);
    assert_int_equal(td_sweep_make(&f->options, &td_cpu_ops, &f->sweep, &f->error), TD_OK);
    assert_int_equal(f->sweep.group_count, 1);
    const td_worker_config config = {.ops = &faulty,
                                     .engine_config = {.threads = 1},
                                     .protocol = f->options.protocol,
                                     .timeout_s = timeout_s,
                                     .stopped = stop_when};
    td_environment environment = {0};
    assert_int_equal(td_worker_open(&config, &f->worker, &environment, &f->error), TD_OK);
}

static void run(fixture *f)
{
    f->status = td_worker_group(f->worker, &f->sweep.groups[0], f->results, &f->error);
}

static void end(fixture *f)
{
    td_worker_close(f->worker);
    for (size_t r = 0; r < MOST_RUNS; r++) {
        td_result_free(&f->results[r]);
    }
    td_sweep_free(&f->sweep);
    td_options_free(&f->options);
}

static td_result *result_of(fixture *f, const char *strategy)
{
    size_t r = 0;
    while (r + 1 < f->sweep.run_count && strcmp(f->sweep.runs[r].strategy->name, strategy) != 0) {
        r++;
    }
    assert_string_equal(f->sweep.runs[r].strategy->name, strategy);
    return &f->results[r];
}

static void assert_only_ltm_failed(fixture *f, const char *reason)
{
    assert_int_equal(f->status, TD_OK);
    assert_int_equal(result_of(f, "bb")->status, TD_RUN_OK);
    assert_int_equal(result_of(f, "bb")->sample_count, 6);
    assert_int_equal(result_of(f, "rec")->status, TD_RUN_OK);
    assert_int_equal(result_of(f, "rec")->sample_count, 6);
    assert_int_equal(result_of(f, "ltm-r")->status, TD_RUN_FAILED);
    assert_int_equal(result_of(f, "ltm-r")->error, TD_FAILED);
    if (strstr(result_of(f, "ltm-r")->reason, reason) == NULL) {
        fail_msg("'%s' does not say '%s'", result_of(f, "ltm-r")->reason, reason);
    }
}

/* ---------------------------------------------------------------- tests */

static void healthy_engine_is_opened_once(void **state)
{
    (void)state;
    fixture f;
    make(&f, (fault){NOWHERE}, 0.0);
    run(&f);
    const td_timing timing = td_worker_timing(f.worker);
    const int opened = shared->opened;
    const uint32_t samples = result_of(&f, "ltm-r")->sample_count;
    end(&f);
    assert_int_equal(f.status, TD_OK);
    assert_int_equal(samples, 6);
    assert_int_equal(opened, 1);
    assert_true(timing.verify_s > 0.0 && timing.warm_up_s > 0.0 && timing.sample_s > 0.0);
}

static void crash_costs_one_run_in_any_phase(void **state)
{
    (void)state;
    const struct {
        place where;
        const char *phase;
    } cases[] = {{AT_LAUNCH, "(verify)"}, {AT_PREPARE, "(warm up)"}, {AT_SAMPLE, "(warm up)"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fixture f;
        make(&f, (fault){.where = cases[i].where, .what = CRASH, .strategy = "ltm-r"}, 0.0);
        run(&f);
        assert_only_ltm_failed(&f, "was killed by signal 9");
        assert_only_ltm_failed(&f, cases[i].phase);
        assert_int_equal(shared->opened, 2);
        end(&f);
    }
}

static void early_exit_of_the_worker_costs_one_run(void **state)
{
    (void)state;
    fixture f;
    make(&f, (fault){.where = AT_LAUNCH, .what = LEAVE, .strategy = "ltm-r"}, 0.0);
    run(&f);
    assert_only_ltm_failed(&f, "ended with status 7");
    end(&f);
}

static void hang_is_given_up_after_the_timeout(void **state)
{
    (void)state;
    fixture f;
    make(&f, (fault){.where = AT_LAUNCH, .what = HANG, .strategy = "ltm-r"}, 1.0);
    run(&f);
    const double waited_s = td_now_s() - shared->hang_start_s;
    assert_only_ltm_failed(&f, "did not finish within --timeout 1 s (verify)");
    assert_true(waited_s >= 0.9 && waited_s < 5.0);
    end(&f);
}

static void broken_device_costs_the_run_that_broke_it(void **state)
{
    (void)state;
    fixture f;
    make(&f, (fault){.where = AT_LAUNCH, .what = BREAK, .strategy = "ltm-r"}, 0.0);
    run(&f);
    assert_only_ltm_failed(&f, "an illegal address was read");
    assert_int_equal(shared->opened, 2);
    end(&f);
}

static void assert_bb_failed_and_others(fixture *f, td_run_status status)
{
    assert_int_equal(f->status, TD_OK);
    assert_int_equal(result_of(f, "bb")->status, TD_RUN_FAILED);
    assert_int_equal(result_of(f, "ltm-r")->status, status);
    assert_int_equal(result_of(f, "rec")->status, status);
}

static void device_that_breaks_before_any_run_costs_the_first(void **state)
{
    (void)state;
    fixture f;
    make(&f, (fault){.where = AT_ALLOCATE, .what = BREAK}, 0.0);
    run(&f);
    assert_string_equal(result_of(&f, "bb")->reason, "an illegal address was read");
    assert_bb_failed_and_others(&f, TD_RUN_OK);
    assert_int_equal(shared->opened, 2);
    end(&f);
}

static void memory_that_is_not_there_costs_the_group(void **state)
{
    (void)state;
    fixture f;
    make(&f, (fault){.where = AT_ALLOCATE, .what = FAIL}, 0.0);
    run(&f);
    assert_bb_failed_and_others(&f, TD_RUN_FAILED);
    assert_int_equal(shared->opened, 1);
    end(&f);
}

static void error_that_heals_needs_no_new_worker(void **state)
{
    (void)state;
    fixture f;
    make(&f, (fault){.where = AT_LAUNCH, .what = FAIL, .strategy = "ltm-r"}, 0.0);
    run(&f);
    assert_only_ltm_failed(&f, "an illegal address was read");
    assert_int_equal(shared->opened, 1);
    end(&f);
}

static void every_run_may_crash_and_none_is_tried_twice(void **state)
{
    (void)state;
    fixture f;
    make(&f, (fault){.where = AT_LAUNCH, .what = CRASH, .left = 100}, 0.0);
    run(&f);
    for (size_t r = 0; r < f.sweep.run_count; r++) {
        assert_int_equal(f.results[r].status, TD_RUN_FAILED);
    }
    assert_int_equal(shared->opened, 3);
    end(&f);
}

/* Then nobody is in a phase: the blame must still fall on an open run, or there is no end. */
static void crash_while_cleaning_up_ends(void **state)
{
    (void)state;
    fixture f;
    make(&f, (fault){.where = AT_RELEASE, .what = CRASH, .left = 100}, 0.0);
    f.results[0].status = TD_RUN_SKIPPED;
    run(&f);
    assert_int_equal(f.status, TD_OK);
    assert_int_equal(f.results[0].status, TD_RUN_SKIPPED);
    assert_int_equal(f.results[1].status, TD_RUN_FAILED);
    assert_int_equal(f.results[2].status, TD_RUN_FAILED);
    end(&f);
}

static void device_that_is_gone_fails_what_is_left(void **state)
{
    (void)state;
    fixture f;
    make(&f, (fault){.where = AT_LAUNCH, .what = CRASH, .strategy = "bb", .openings = 1}, 0.0);
    run(&f);
    assert_int_equal(f.status, TD_UNAVAILABLE);
    assert_non_null(strstr(f.error.text, "fallen off the bus"));
    assert_non_null(strstr(result_of(&f, "bb")->reason, "killed by signal 9"));
    assert_int_equal(result_of(&f, "rec")->status, TD_RUN_FAILED);
    assert_non_null(strstr(result_of(&f, "rec")->reason, "fallen off the bus"));
    end(&f);
}

static bool hang_has_begun(void *context)
{
    (void)context;
    return shared->hang_start_s > 0.0;
}

static void stop_in_the_middle_of_a_hang(fixture *f)
{
    stop_when = hang_has_begun;
    make(f, (fault){.where = AT_SAMPLE, .what = HANG, .strategy = "ltm-r"}, 0.0);
    run(f);
    stop_when = NULL;
}

static void stop_in_the_middle_of_a_hang_is_quick(void **state)
{
    (void)state;
    fixture f;
    stop_in_the_middle_of_a_hang(&f);
    const double waited_s = td_now_s() - shared->hang_start_s;
    for (size_t r = 0; r < f.sweep.run_count; r++) {
        assert_int_equal(f.results[r].status, TD_RUN_INTERRUPTED);
        assert_string_equal(f.results[r].reason, "interrupted");
    }
    assert_true(waited_s < 1.5);
    end(&f);
}

/* Files that were opened since have the numbers of its pipes. */
static void closing_a_worker_that_is_gone_closes_no_other_file(void **state)
{
    (void)state;
    fixture f;
    stop_in_the_middle_of_a_hang(&f);
    int files[4];
    for (size_t i = 0; i < 4; i++) {
        files[i] = open("/dev/null", O_RDONLY);
    }
    end(&f);
    bool open_still = true;
    for (size_t i = 0; i < 4; i++) {
        open_still = open_still && close(files[i]) == 0;
    }
    assert_true(open_still);
}

static void worker_that_cannot_be_started_leaves_no_pipe(void **state)
{
    (void)state;
    const td_worker_config config = {.ops = &td_cpu_ops, .engine_config = {.threads = 1}};
    struct rlimit before, few;
    td_worker *worker = NULL;
    td_error error;
    const int next = dup(STDIN_FILENO); /* the lowest number that is free */
    close(next);
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    few = before;
    few.rlim_cur = (rlim_t)next + 3; /* one pipe and a half */
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
    const td_status status = td_worker_open(&config, &worker, NULL, &error);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
    const int next_now = dup(STDIN_FILENO);
    close(next_now);
    assert_int_equal(status, TD_FAILED);
    assert_non_null(strstr(error.text, "Too many open files"));
    assert_int_equal(next_now, next);
}

/* The test adopts the worker when its parent is killed, and so learns of its end. */
static void worker_dies_with_its_parent(void **state)
{
    (void)state;
    fixture f;
    shared->hang_start_s = 0.0;
    assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
    const pid_t parent = fork();
    if (parent == 0) {
        make(&f, (fault){.where = AT_LAUNCH, .what = HANG, .strategy = "ltm-r"}, 0.0);
        run(&f);
        _exit(0);
    }
    while (!hang_has_begun(NULL)) {
        usleep(1000);
    }
    usleep(1000); /* the pid is noted behind the time */
    kill(parent, SIGKILL);
    int status = 0;
    assert_int_equal(waitpid(parent, NULL, 0), parent);
    const double start_s = td_now_s();
    assert_int_equal(waitpid(shared->pid, &status, 0), shared->pid);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    assert_true(td_now_s() - start_s < 1.0);
    prctl(PR_SET_CHILD_SUBREAPER, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(healthy_engine_is_opened_once),
        cmocka_unit_test(crash_costs_one_run_in_any_phase),
        cmocka_unit_test(early_exit_of_the_worker_costs_one_run),
        cmocka_unit_test(hang_is_given_up_after_the_timeout),
        cmocka_unit_test(broken_device_costs_the_run_that_broke_it),
        cmocka_unit_test(device_that_breaks_before_any_run_costs_the_first),
        cmocka_unit_test(memory_that_is_not_there_costs_the_group),
        cmocka_unit_test(error_that_heals_needs_no_new_worker),
        cmocka_unit_test(every_run_may_crash_and_none_is_tried_twice),
        cmocka_unit_test(crash_while_cleaning_up_ends),
        cmocka_unit_test(device_that_is_gone_fails_what_is_left),
        cmocka_unit_test(stop_in_the_middle_of_a_hang_is_quick),
        cmocka_unit_test(closing_a_worker_that_is_gone_closes_no_other_file),
        cmocka_unit_test(worker_that_cannot_be_started_leaves_no_pipe),
        cmocka_unit_test(worker_dies_with_its_parent),
    };
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return shared == MAP_FAILED ? 1 : cmocka_run_group_tests(tests, NULL, NULL);
}
