#include "driver.h"

#include <errno.h>
#include <math.h>
#include <omp.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "engine/core/clock.h"
#include "engine/core/error.h"
#include "engine/core/process.h"
#include "engine/core/signals.h"

static const double opening_s = 120.0; /* a device that takes longer never opens */
static const double patience_s = 1.0;  /* an interrupted sweep should end within two seconds */
static const int look_ms = 100;        /* how often the watcher looks */
/* The other ranks time out this much later, so that rank 0, which has a result to write, sees the timeout itself. */
static const double grace_s = 2.0;

typedef enum outcome { GOES_ON, ENDED, TIMED_OUT, STOPPED } outcome;

/* Whether a run is in a phase that may hang. */
static bool is_busy(const td_sweep_drive *d)
{
    return d->heartbeat.phase[0] != '\0' && strcmp(d->heartbeat.phase, TD_PHASE_WRITE) != 0;
}

/* --timeout is about runs; the driver alone may take seconds to wake up. */
static bool is_late(const td_sweep_drive *d)
{
    const td_heartbeat *h = &d->heartbeat;
    const double wanted_s = d->options->timeout_s;
    const double limit_s =
        (h->ready ? wanted_s : fmax(wanted_s, opening_s)) + (td_drive_is_first(d) ? 0.0 : grace_s);
    return wanted_s > 0.0 && is_busy(d) && td_now_s() - h->since_s > limit_s;
}

static outcome look(const td_sweep_drive *d)
{
    return td_signals_stop() != 0 ? STOPPED : is_late(d) ? TIMED_OUT : GOES_ON;
}

/* ---- what becomes of the runs of the group ---- */

static void end_run(td_result *result, td_run_status status, const char *reason)
{
    *result = (td_result){.status = status,
                          .error = status == TD_RUN_FAILED ? TD_FAILED : TD_OK,
                          .started_unix_s = result->started_unix_s};
    snprintf(result->reason, sizeof result->reason, "%s", reason);
}

static void end_open_runs(td_sweep_drive *d, td_run_status status, const char *reason)
{
    const td_group *group = td_drive_group(d);
    for (size_t r = 0; group != NULL && r < group->count; r++) {
        if (d->results[r].status == TD_RUN_OK) {
            end_run(&d->results[r], status, reason);
        }
    }
}

/* Why the phase under way did not end. status: of a process that has ended */
static void explain(const td_sweep_drive *d, outcome seen, int status, char reason[TD_REASON_SIZE])
{
    char how[TD_ENDING_SIZE];
    const char *who = "";
    if (seen == TIMED_OUT) {
        snprintf(how, sizeof how, "did not finish within --timeout %g s", d->options->timeout_s);
    } else if (seen == STOPPED) {
        snprintf(how, sizeof how, "was interrupted");
    } else {
        who = "the worker process ";
        td_process_ending(status, how);
    }
    snprintf(reason, TD_REASON_SIZE, "%s%s (%s)", who, how, d->heartbeat.phase);
}

/* Fail the run whose phase was the last, or the first that is open: one must be blamed, or the next attempt would end
 * in the same way. */
static void blame(td_sweep_drive *d, outcome seen, const char *reason)
{
    size_t blamed = d->heartbeat.run;
    if (td_drive_open_runs(d) == 0) {
        return;
    }
    for (size_t r = 0; d->results[blamed].status != TD_RUN_OK; r++) {
        blamed = r;
    }
    end_run(&d->results[blamed], TD_RUN_FAILED, reason);
    if (seen == ENDED) {
        td_tell_bounds(&td_drive_group(d)->runs[blamed], &d->results[blamed]);
    }
}

/* ---- a process of its own ---- */

typedef struct worker {
    pid_t pid;
    outcome ended; /* how the watcher saw it end */
    int status;    /* as waitpid tells it, once it has ended */
} worker;

/* Blocked in the watcher, so that it can wait for this signal. */
static sigset_t child_signal(void)
{
    sigset_t child;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    return child;
}

/* Without its destructor, clang's OpenMP would leave a file in /dev/shm. */
static void end_worker(void)
{
    (void)omp_pause_resource_all(omp_pause_hard);
    _exit(0);
}

/* The next process gets the other runs. */
static void leave(void *drive, size_t run, const td_result *result)
{
    td_sweep_drive *d = drive;
    d->results[run] = *result;
    d->heartbeat.told = true;
    end_worker();
}

static void be_worker(td_sweep_drive *d, pid_t parent)
{
    const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
        signal(signals[i], SIG_IGN); /* the parent decides what an interrupt ends */
    }
    const sigset_t child = child_signal();
    sigprocmask(SIG_UNBLOCK, &child, NULL);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() == parent) { /* else the parent died before prctl */
        td_work(d, leave);
    }
    end_worker();
}

static td_status start(td_sweep_drive *d, worker *w, td_error *error)
{
    const pid_t parent = getpid();
    const sigset_t child = child_signal();
    fflush(NULL);
    d->heartbeat.ready = d->heartbeat.told = d->heartbeat.finished = false;
    d->heartbeat.run = 0;
    sigprocmask(SIG_BLOCK, &child, NULL); /* for has_ended */
    w->pid = fork();
    if (w->pid == 0) {
        be_worker(d, parent);
    }
    return w->pid > 0 ? TD_OK
                      : td_fail(error, TD_FAILED, "cannot start a worker: %s", strerror(errno));
}

/* Whether the process has ended. Waits for that, unless another signal arrives. */
static bool has_ended(worker *w, int wait_ms)
{
    const struct timespec wait = {.tv_sec = wait_ms / 1000, .tv_nsec = wait_ms % 1000 * 1000000L};
    const sigset_t child = child_signal();
    sigtimedwait(&child, NULL, &wait);
    return waitpid(w->pid, &w->status, WNOHANG) != 0; /* negative: a launcher ignores SIGCHLD */
}

/* End the process. One that is inside a driver call dies only when the call returns, and a user who has asked to stop
 * does not wait for that; but for a record that is being written, unless nobody reads it. */
static void end_process(const td_sweep_drive *d, worker *w)
{
    const double start_s = td_now_s();
    while (w->ended == STOPPED && strcmp(d->heartbeat.phase, TD_PHASE_WRITE) == 0 &&
           td_now_s() - start_s < patience_s) {
        if (has_ended(w, 10)) {
            return;
        }
    }
    kill(w->pid, SIGKILL);
    if (w->ended == STOPPED) {
        (void)has_ended(w, (int)(1e3 * patience_s));
    } else {
        while (waitpid(w->pid, &w->status, 0) < 0 && errno == EINTR) {
        }
    }
}

/* Forget the samples of the group, which were in the memory of a process that is gone. */
static void forget_samples(td_sweep_drive *d)
{
    const td_group *group = td_drive_group(d);
    for (size_t r = 0; group != NULL && r < group->count; r++) {
        td_result *result = &d->results[r];
        result->sample_ms = NULL;
        result->sample_count = 0;
        result->part_results = NULL;
        result->part_count = 0;
        if (result->status == TD_RUN_OK) {
            *result = (td_result){.started_unix_s = result->started_unix_s};
        }
    }
}

/*
 * One process, from its start to its end.
 *
 * Errors  why the process or its device did not start; the error that has ended the sweep
 */
static td_status attempt(td_sweep_drive *d, worker *w, td_error *error)
{
    char reason[TD_REASON_SIZE];
    TRY(start(d, w, error));
    while (w->ended == GOES_ON) {
        w->ended = has_ended(w, look_ms) ? ENDED : look(d);
    }
    if (w->ended != ENDED) {
        end_process(d, w);
    }
    if (d->heartbeat.finished) {
        *error = d->heartbeat.error;
        return d->heartbeat.status;
    }
    forget_samples(d);
    explain(d, w->ended, w->status, reason);
    return d->heartbeat.ready ? TD_OK : td_fail(error, TD_FAILED, "%s", reason);
}

/* The process ended too soon: settle the group, so that the next process, if there is one, has less to do. */
static td_status settle(td_sweep_drive *d, const worker *w, td_error *error)
{
    char reason[TD_REASON_SIZE];
    explain(d, w->ended, w->status, reason);
    if (w->ended == STOPPED) {
        end_open_runs(d, TD_RUN_INTERRUPTED, "interrupted");
    } else if (!d->heartbeat.told) {
        blame(d, w->ended, reason);
    }
    td_drive_enter(d, 0, "");
    return td_drive_group(d) != NULL && td_drive_open_runs(d) == 0 ? td_drive_end_group(d, error)
                                                                   : TD_OK;
}

static td_status watch_processes(td_sweep_drive *d, td_error *error)
{
    const td_heartbeat *h = &d->heartbeat;
    worker w = {.ended = GOES_ON};
    while (w.ended != STOPPED && td_drive_group(d) != NULL) {
        w = (worker){.ended = GOES_ON};
        const td_status status = attempt(d, &w, error);
        const bool is_stopped = h->recorded && !h->finished && w.ended == STOPPED;
        const bool is_over = !is_stopped && (h->finished || status != TD_OK);
        if (is_over && h->recorded && !h->ready) { /* the remaining runs have no process */
            td_error ignored;
            char reason[TD_REASON_SIZE];
            snprintf(reason, sizeof reason, "%.280s (starting a worker)", error->text);
            end_open_runs(d, TD_RUN_FAILED, reason);
            (void)td_drive_end_group(d, &ignored);
        }
        if (is_over) {
            return status;
        }
        TRY(settle(d, &w, error));
    }
    return TD_OK;
}

/* ---- a rank, which is watched by a thread ---- */

/*
 * Report what was measured, and end this rank, and with it every rank.
 *
 * MPI and fork do not work together, and a fault in one rank ends all of them anyway: what costs one run elsewhere ends
 * a rank. From here on the main thread hangs where it hangs, or waits at its next phase.
 */
static void end_rank(td_sweep_drive *d, outcome seen, const char *reason)
{
    td_error error;
    const int stopped_by = td_signals_stop();
    td_drive_hold();
    if (seen != STOPPED) {
        td_say("rank %u: %s", td_ranks_index(d->ranks), reason);
    } else if (td_drive_is_first(d)) {
        td_say("stopped by %s: what was measured is in the result", td_signals_name(stopped_by));
    } else { /* let rank 0 write first: the launcher kills it when we exit */
        sleep(1);
    }
    if (seen == TIMED_OUT) {
        blame(d, seen, reason);
    }
    td_timing timing = d->heartbeat.timing;
    timing.wall_s = td_now_s() - d->start_s;
    end_open_runs(d, TD_RUN_INTERRUPTED, "interrupted");
    if (td_drive_group(d) != NULL && d->heartbeat.ready) {
        (void)td_report_group(d->report, td_drive_group(d), d->results, &error);
    }
    if (td_report_close(d->report, &timing, &error) != TD_OK) {
        td_say("%s", error.text);
    }
    fflush(NULL);
    _exit(seen == STOPPED ? 128 + stopped_by : TD_FAILED);
}

static void end_broken_rank(void *drive, size_t run, const td_result *result)
{
    (void)run;
    end_rank(drive, ENDED, result->reason);
}

/* Between groups the main thread sees a signal itself. */
static void *watch_rank(void *drive)
{
    td_sweep_drive *d = drive;
    while (!__atomic_load_n(&d->heartbeat.finished, __ATOMIC_ACQUIRE)) {
        const outcome seen = is_busy(d) ? look(d) : GOES_ON;
        if (seen != GOES_ON) {
            char reason[TD_REASON_SIZE];
            explain(d, seen, 0, reason);
            end_rank(d, seen, reason);
        }
        poll(NULL, 0, look_ms / 2);
    }
    return NULL;
}

static td_status run_as_rank(td_sweep_drive *d, td_error *error)
{
    pthread_t watcher;
    const bool is_watched = pthread_create(&watcher, NULL, watch_rank, d) == 0;
    td_work(d, end_broken_rank);
    if (is_watched) {
        pthread_join(watcher, NULL);
    }
    *error = d->heartbeat.error;
    return d->heartbeat.status;
}

td_status td_watch(td_sweep_drive *d, td_error *error)
{
    return d->ranks != NULL ? run_as_rank(d, error) : watch_processes(d, error);
}
