#include "drive.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/core/clock.h"
#include "engine/core/error.h"
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

static outcome look(td_sweep_drive *d)
{
    if (td_signals_take_progress() && td_drive_is_first(d)) {
        td_progress_print(&d->progress);
    }
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

/* Fail the run whose phase was the last, or the first that is open: one must be blamed, or the next attempt would end
 * in the same way. */
static void blame(td_sweep_drive *d, outcome ended, const char *how)
{
    const char *phase = d->heartbeat.phase;
    char reason[TD_REASON_SIZE];
    td_result *blamed = &d->results[d->heartbeat.run];
    for (td_result *first = d->results; blamed->status != TD_RUN_OK; first++) {
        blamed = first->status == TD_RUN_OK ? first : blamed;
    }
    if (ended == TIMED_OUT) {
        snprintf(reason, sizeof reason, "did not finish within --timeout %g s (%s)",
                 d->options->timeout_s, phase);
    } else {
        snprintf(reason, sizeof reason, "the worker process %s (%s)", how, phase);
    }
    end_run(blamed, TD_RUN_FAILED, reason);
    if (ended == ENDED) {
        td_tell_bounds(&td_drive_group(d)->runs[blamed - d->results], blamed);
    }
}

/* ---- a process of its own ---- */

typedef struct worker {
    pid_t pid;
    int alive;     /* a pipe that closes when the process ends */
    outcome ended; /* how the watcher saw it end */
    char how[80];  /* its exit status, or the signal that killed it */
} worker;

/* The next process gets the other runs. */
static void leave(void *drive, size_t run, const td_result *result)
{
    td_sweep_drive *d = drive;
    d->results[run] = *result;
    d->heartbeat.told = true;
    _exit(0);
}

static void be_worker(td_sweep_drive *d, pid_t parent)
{
    const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGUSR1};
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
        signal(signals[i], SIG_IGN); /* the parent decides what an interrupt ends */
    }
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() == parent) { /* else the parent died before prctl */
        td_work(d, leave);
    }
    _exit(0);
}

static td_status start(td_sweep_drive *d, worker *w, td_error *error)
{
    int ends[2]; /* to read, to write */
    const pid_t parent = getpid();
    fflush(NULL);
    d->heartbeat.ready = d->heartbeat.told = d->heartbeat.finished = false;
    d->heartbeat.run = 0;
    if (pipe2(ends, O_CLOEXEC) != 0) {
        return td_fail(error, TD_FAILED, "cannot start a worker: %s", strerror(errno));
    }
    w->pid = fork();
    w->alive = ends[0];
    if (w->pid == 0) {
        close(ends[0]);
        be_worker(d, parent);
    }
    close(ends[1]);
    if (w->pid < 0) {
        close(ends[0]);
        return td_fail(error, TD_FAILED, "cannot start a worker: %s", strerror(errno));
    }
    return TD_OK;
}

static bool has_ended(const worker *w, int wait_ms)
{
    struct pollfd end = {.fd = w->alive, .events = POLLIN};
    return poll(&end, 1, wait_ms) > 0;
}

/* Wait for a record that is being written, unless nobody reads it. */
static void let_it_write(const td_sweep_drive *d, const worker *w)
{
    const double start_s = td_now_s();
    while (strcmp(d->heartbeat.phase, TD_PHASE_WRITE) == 0 && td_now_s() - start_s < patience_s &&
           !has_ended(w, 10)) {
    }
}

/* End the process. One that is inside a driver call dies only when the call returns, and a user who has asked to stop
 * does not wait for that. */
static void reap(worker *w)
{
    int status = 0;
    if (w->ended != ENDED) {
        kill(w->pid, SIGKILL);
    }
    if (w->ended != STOPPED || has_ended(w, (int)(1e3 * patience_s))) {
        while (waitpid(w->pid, &status, 0) < 0 && errno == EINTR) {
        }
    }
    close(w->alive);
    if (WIFSIGNALED(status)) {
        snprintf(w->how, sizeof w->how, "was killed by signal %d (%s)", WTERMSIG(status),
                 strsignal(WTERMSIG(status)));
    } else {
        snprintf(w->how, sizeof w->how, "ended with status %d", WEXITSTATUS(status));
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
    const td_heartbeat *h = &d->heartbeat;
    TRY(start(d, w, error));
    while (w->ended == GOES_ON) {
        w->ended = has_ended(w, look_ms) ? ENDED : look(d);
    }
    if (w->ended == STOPPED) {
        let_it_write(d, w);
    }
    reap(w);
    if (h->finished) {
        *error = h->error;
        return h->status;
    }
    forget_samples(d);
    return h->ready ? TD_OK
                    : td_fail(error, TD_FAILED, "the worker %s while it opened the device",
                              w->ended == STOPPED     ? "was interrupted"
                              : w->ended == TIMED_OUT ? "gave no answer for minutes"
                                                      : w->how);
}

/* The process ended too soon: settle the group, so that the next process, if there is one, has less to do. */
static td_status settle(td_sweep_drive *d, const worker *w, td_error *error)
{
    if (w->ended == STOPPED) {
        end_open_runs(d, TD_RUN_INTERRUPTED, "interrupted");
    } else if (!d->heartbeat.told && td_drive_open_runs(d) > 0) {
        blame(d, w->ended, w->how);
    }
    td_drive_enter(d, 0, "");
    return td_drive_group(d) != NULL && td_drive_open_runs(d) == 0 ? td_drive_end_group(d, error)
                                                                   : TD_OK;
}

/* No process can be started for the remaining runs: they fail with the device's error. */
static td_status give_up(td_sweep_drive *d, td_status status, const td_error *error)
{
    td_error ignored;
    char reason[TD_REASON_SIZE];
    snprintf(reason, sizeof reason, "%.280s (starting a worker)", error->text);
    end_open_runs(d, TD_RUN_FAILED, reason);
    (void)td_drive_end_group(d, &ignored);
    return status;
}

static td_status watch_processes(td_sweep_drive *d, td_error *error)
{
    const td_heartbeat *h = &d->heartbeat;
    worker w = {.ended = GOES_ON};
    while (!h->finished && w.ended != STOPPED && td_drive_group(d) != NULL) {
        w = (worker){.ended = GOES_ON};
        const td_status status = attempt(d, &w, error);
        const bool is_stopped = h->recorded && !h->finished && w.ended == STOPPED;
        if (status != TD_OK && !is_stopped) {
            return h->recorded && !h->ready ? give_up(d, status, error) : status;
        }
        TRY(h->finished ? TD_OK : settle(d, &w, error));
    }
    return TD_OK;
}

/* ---- a rank, which is watched by a thread ---- */

/* MPI and fork do not work together, and a fault in one rank ends all of them anyway: what costs one run elsewhere ends
 * a rank, after what was measured has been reported. */

typedef struct rank {
    td_sweep_drive *d;
    bool is_over; /* the thread may end */
} rank;

/* Report what was measured, and end this rank, and with it every rank. The caller holds the lock: the main thread hangs
 * where it hangs, or waits at its next phase. */
static void end_rank(td_sweep_drive *d, int status)
{
    td_error error;
    td_timing timing = d->heartbeat.timing;
    const td_group *group = td_drive_group(d);
    timing.wall_s = td_now_s() - d->start_s;
    end_open_runs(d, TD_RUN_INTERRUPTED, "interrupted");
    if (group != NULL && d->heartbeat.ready) {
        (void)td_report_group(d->report, group, d->results, &error);
    }
    if (td_report_close(d->report, &timing, &error) != TD_OK) {
        td_say("%s", error.text);
    }
    fflush(NULL);
    _exit(status);
}

static void end_late_rank(td_sweep_drive *d)
{
    td_drive_hold();
    td_say("rank %u: did not finish within --timeout %g s (%s)", td_ranks_index(d->ranks),
           d->options->timeout_s, d->heartbeat.phase);
    if (td_drive_open_runs(d) > 0) {
        blame(d, TIMED_OUT, "");
    }
    end_rank(d, TD_FAILED);
}

static void end_stopped_rank(td_sweep_drive *d)
{
    const int stopped_by = td_signals_stop();
    td_drive_hold();
    if (td_drive_is_first(d)) {
        td_say("stopped by %s: what was measured is in the result", td_signals_name(stopped_by));
    } else { /* let rank 0 write first: the launcher kills it when we exit */
        sleep(1);
    }
    end_rank(d, 128 + stopped_by);
}

/* This rank, and therefore every rank, can compute nothing more. */
static void end_broken_rank(void *drive, size_t run, const td_result *result)
{
    td_sweep_drive *d = drive;
    (void)run;
    td_drive_hold();
    td_say("rank %u: %s", td_ranks_index(d->ranks), result->reason);
    end_rank(d, TD_FAILED);
}

/* Between groups the main thread sees a signal itself. */
static void *watch_rank(void *context)
{
    const rank *r = context;
    while (!__atomic_load_n(&r->is_over, __ATOMIC_ACQUIRE)) {
        const outcome seen = is_busy(r->d) ? look(r->d) : GOES_ON;
        if (seen == TIMED_OUT) {
            end_late_rank(r->d);
        } else if (seen == STOPPED) {
            end_stopped_rank(r->d);
        }
        poll(NULL, 0, look_ms / 2);
    }
    return NULL;
}

static td_status run_as_rank(td_sweep_drive *d, td_error *error)
{
    rank r = {.d = d};
    pthread_t watcher;
    const bool is_watched = pthread_create(&watcher, NULL, watch_rank, &r) == 0;
    td_work(d, end_broken_rank);
    __atomic_store_n(&r.is_over, true, __ATOMIC_RELEASE);
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
