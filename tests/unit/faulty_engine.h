/* faulty_engine.h - the cpu engine with one fault, and a sweep of one group that is run there. */
#ifndef TD_TESTS_UNIT_FAULTY_ENGINE_H
#define TD_TESTS_UNIT_FAULTY_ENGINE_H

#include "test.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "engine/core/clock.h"
#include "engine/core/process.h"
#include "engine/cpu/row.h"
#include "engine/sweep/sweep.h"
#include "run/watch.h"

/* ---------------------------------------------------------------- the engine */

typedef enum place { NOWHERE, AT_ALLOCATE, AT_LAUNCH, AT_PREPARE, AT_SAMPLE, AT_RELEASE } place;
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
    bool broken_pid;      /* the engine of process `pid` is unusable */
    pid_t pid;
    double hang_start_s;
    td_result results[MOST_RUNS]; /* as they were reported, without their samples */
    int reports;
} fault;

static fault *shared;
static td_prepared *marked; /* the prepared run that the fault is about */

static inline td_status strike(td_error *error)
{
    shared->left--;
    switch (shared->what) {
    case CRASH:
        raise(SIGKILL);
        break;
    case LEAVE:
        _exit(7);
    case HANG:
        shared->pid = getpid(); /* first, since readers of the time read the pid */
        shared->hang_start_s = td_now_s();
        if (shared->interrupts) {
            kill(getppid(), SIGINT);
        }
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

static inline bool hits(place where, const td_strategy *strategy)
{
    return shared->where == where && shared->left > 0 &&
           (shared->strategy == NULL || strategy == NULL ||
            strcmp(shared->strategy, strategy->name) == 0);
}

static td_engine_ops faulty;

static inline td_status faulty_open(const td_engine_config *config, td_engine **engine,
                                    td_error *error)
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
static inline td_status no_bandwidth(td_engine *engine, td_environment *environment,
                                     td_error *error)
{
    (void)engine;
    (void)error;
    environment->peaks.fill_gb_per_s = 1.0;
    return TD_OK;
}

static inline td_status faulty_allocate(td_engine *engine, uint64_t bytes, void **memory,
                                        td_error *error)
{
    return hits(AT_ALLOCATE, NULL) ? strike(error)
                                   : td_cpu_ops.allocate(engine, bytes, memory, error);
}

static inline td_status faulty_launch(td_engine *engine, const td_execution *execution,
                                      td_error *error)
{
    return hits(AT_LAUNCH, execution->strategy) ? strike(error)
                                                : td_cpu_ops.launch(engine, execution, error);
}

static inline td_status faulty_prepare(td_engine *engine, const td_execution *execution,
                                       uint32_t batch, bool graph, td_prepared **prepared,
                                       td_error *error)
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

static inline td_status faulty_sample(td_engine *engine, td_prepared *prepared, double *ms,
                                      td_error *error)
{
    if (marked != NULL && marked == prepared && hits(AT_SAMPLE, NULL)) {
        return strike(error);
    }
    return td_cpu_ops.sample(engine, prepared, ms, error);
}

static inline void faulty_release(td_engine *engine, void *memory)
{
    if (hits(AT_RELEASE, NULL)) {
        strike(NULL);
    }
    td_cpu_ops.release(engine, memory);
}

static inline bool faulty_is_healthy(td_engine *engine)
{
    (void)engine;
    return !(shared->broken_pid && shared->pid == getpid());
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

static inline void make(fixture *f, fault wanted, double timeout_s)
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
    f->options.timeout_s = timeout_s;
    f->options.verbosity = -1;
    f->drive = td_shared_calloc(sizeof *f->drive);
    assert_non_null(f->drive);
    *f->drive = (td_sweep_drive){.options = &f->options, .engine = &faulty, .progress.quiet = true};
    assert_int_equal(td_sweep_make(&f->options, NULL, &td_cpu_ops, &f->drive->sweep, &f->error),
                     TD_OK);
    assert_int_equal(f->drive->sweep.group_count, 1);
    assert_int_equal(td_drive_begin(f->drive, &f->error), TD_OK);
}

static inline void run(fixture *f)
{
    f->status = td_watch(f->drive, &f->error);
}

static inline void end(fixture *f)
{
    td_drive_end(f->drive);
    td_sweep_free(&f->drive->sweep);
    td_shared_free(f->drive);
    td_options_free(&f->options);
}

static inline const td_result *result_of(const fixture *f, const char *strategy)
{
    const td_sweep *sweep = &f->drive->sweep;
    size_t r = 0;
    while (r + 1 < sweep->run_count && strcmp(sweep->runs[r].strategy->name, strategy) != 0) {
        r++;
    }
    assert_string_equal(sweep->runs[r].strategy->name, strategy);
    return &shared->results[r];
}

/* Call before the first test. Returns false if there is no shared memory. */
static inline bool share_the_fault(void)
{
    shared = td_shared_calloc(sizeof *shared);
    return shared != NULL;
}

#endif
