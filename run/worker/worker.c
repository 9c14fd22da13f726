/* worker.c - the parent's side: starts the worker, follows it, blames a run when it breaks. */
#include "worker.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "engine/core/clock.h"
#include "engine/core/error.h"
#include "engine/core/pipe.h"
#include "in_process.h"
#include "phases.h"
#include "worker_process.h"

struct td_worker {
    td_worker_config config;
    td_in_process *rank; /* --ranks: used in place of everything below */
    pid_t pid;           /* 0: none is running */
    int to;              /* requests; -1: closed */
    int from;            /* messages */
    size_t last;         /* run and phase that a crash is blamed on */
    td_phases phases;
};

static const double opening_s = 120.0; /* a device that takes longer never opens */
static const double patience_s = 1.0;  /* an interrupted sweep should end within two seconds */

static bool stopped(const td_worker *worker)
{
    return td_progress_stopped(worker->config.progress);
}

static td_status start(td_worker *worker, bool measure, td_error *error)
{
    const pid_t parent = getpid();
    fflush(NULL);
    const pid_t pid = td_fork(&worker->to, &worker->from);
    if (pid < 0) {
        return td_fail(error, TD_FAILED, "cannot start a worker: %s", strerror(errno));
    }
    if (pid == 0) {
        signal(SIGINT, SIG_IGN); /* the parent decides what an interrupt ends */
        signal(SIGTERM, SIG_IGN);
        signal(SIGHUP, SIG_IGN);
        signal(SIGUSR1, SIG_IGN);
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() == parent) { /* else the parent died before prctl */
            td_worker_serve(&worker->config, measure, worker->from, worker->to);
        }
        _exit(0);
    }
    worker->pid = pid;
    return TD_OK;
}

/* False if it is still there after limit_s: a process inside a driver call dies only when the call returns. */
static bool wait_for_end(pid_t pid, double limit_s, int *status)
{
    const double start_s = td_now_s();
    const struct timespec pause = {.tv_nsec = 2000000};
    for (;;) {
        const pid_t got = waitpid(pid, status, limit_s > 0.0 ? WNOHANG : 0);
        if (got == pid || (got < 0 && errno != EINTR)) {
            return true;
        }
        if (limit_s > 0.0 && td_now_s() - start_s > limit_s) {
            return false;
        }
        if (limit_s > 0.0) {
            nanosleep(&pause, NULL);
        }
    }
}

/* The worker then ends at its next read. */
static void close_requests(td_worker *worker)
{
    if (worker->to >= 0) {
        close(worker->to);
    }
    worker->to = -1;
}

/* End the worker and wait at most limit_s for that (0: as long as it takes); `how` says how it ended. */
static void reap(td_worker *worker, bool kill_it, double limit_s, char *how, size_t size)
{
    int status = 0;
    if (worker->pid <= 0) {
        return;
    }
    if (kill_it) {
        kill(worker->pid, SIGKILL);
    }
    close_requests(worker);
    close(worker->from);
    (void)wait_for_end(worker->pid, limit_s, &status);
    worker->pid = 0;
    if (how != NULL && WIFSIGNALED(status)) {
        snprintf(how, size, "was killed by signal %d (%s)", WTERMSIG(status),
                 strsignal(WTERMSIG(status)));
    } else if (how != NULL) {
        snprintf(how, size, "ended with status %d", WEXITSTATUS(status));
    }
}

typedef enum outcome { HAVE_MESSAGE, WORKER_DIED, TIMED_OUT, STOPPED } outcome;

/* Receive the next message. Wakes ten times a second to see whether the user wants to stop. */
static outcome receive(td_worker *worker, double limit_s, td_message *m)
{
    const double start_s = td_now_s();
    for (;;) {
        struct pollfd wait_for = {.fd = worker->from, .events = POLLIN};
        const int ready = poll(&wait_for, 1, 100);
        if (stopped(worker)) {
            return STOPPED;
        }
        if (ready > 0) {
            return td_pipe_get(worker->from, m, sizeof *m) ? HAVE_MESSAGE : WORKER_DIED;
        }
        if (limit_s > 0.0 && td_now_s() - start_s > limit_s) {
            return TIMED_OUT;
        }
    }
}

static td_status open_worker(td_worker *worker, td_environment *environment, td_error *error)
{
    td_message m;
    TRY(start(worker, environment != NULL, error));
    /* --timeout is about runs; the driver alone may take seconds to wake up */
    const double limit_s = worker->config.timeout_s;
    const outcome got = receive(worker, limit_s > 0.0 ? fmax(limit_s, opening_s) : 0.0, &m);
    if (got != HAVE_MESSAGE) {
        char how[80] = "";
        reap(worker, true, patience_s, how, sizeof how);
        return td_fail(error, TD_FAILED, "the worker %s while it opened the device",
                       got == STOPPED     ? "was interrupted"
                       : got == TIMED_OUT ? "gave no answer for minutes"
                                          : how);
    }
    if (m.status != TD_OK) {
        reap(worker, false, 0.0, NULL, 0);
        *error = m.error;
        return m.status;
    }
    if (environment != NULL) {
        *environment = m.environment;
    }
    return TD_OK;
}

td_status td_worker_open(const td_worker_config *config, td_worker **worker,
                         td_environment *environment, td_error *error)
{
    td_worker *w = NULL;
    TRY(td_allocate(&w, 1, sizeof *w, error, "a worker"));
    w->config = *config;
    const td_status status = config->ranks != NULL
                                 ? td_in_process_open(config, &w->rank, environment, error)
                                 : open_worker(w, environment, error);
    if (status != TD_OK) {
        free(w);
        return status;
    }
    *worker = w;
    return TD_OK;
}

static void fail_one(td_result *result, const char *format, const char *detail, const char *phase)
{
    td_result_free(result);
    result->status = TD_RUN_FAILED;
    result->error = TD_FAILED;
    snprintf(result->reason, sizeof result->reason, format, detail, phase);
}

static bool take_result(td_worker *worker, const td_message *m, td_result *result)
{
    const size_t bytes = m->result.sample_count * sizeof(double);
    const double started_unix_s = result->started_unix_s;
    td_result_free(result);
    *result = m->result;
    result->started_unix_s = started_unix_s;
    result->sample_ms = malloc(bytes > 0 ? bytes : 1);
    return result->sample_ms != NULL && td_pipe_get(worker->from, result->sample_ms, bytes);
}

/* Follow one execution of a group to its end. */
static outcome follow(td_worker *worker, const td_group *group, td_result *results)
{
    for (;;) {
        td_message m;
        const outcome got = receive(worker, worker->config.timeout_s, &m);
        if (got != HAVE_MESSAGE) {
            return got;
        }
        if (m.kind == TD_MESSAGE_PHASE) {
            worker->last = m.run;
            td_phases_enter(&worker->phases, m.phase);
            if (td_phase_is_first(m.phase)) {
                results[m.run].started_unix_s = td_unix_s();
            }
            if (worker->config.progress != NULL) {
                td_progress_phase(worker->config.progress, &group->runs[m.run],
                                  worker->phases.name);
            }
        } else if (m.kind == TD_MESSAGE_RESULT && !take_result(worker, &m, &results[m.run])) {
            return WORKER_DIED;
        } else if (m.kind == TD_MESSAGE_DONE) {
            return HAVE_MESSAGE;
        }
    }
}

/* Runs whose results have arrived are finished, even if the rest of the group is not. */
static void interrupt_open(const td_group *group, td_result *results)
{
    for (size_t r = 0; r < group->count; r++) {
        if (results[r].status == TD_RUN_OK && results[r].sample_ms == NULL) {
            results[r].status = TD_RUN_INTERRUPTED;
            snprintf(results[r].reason, sizeof results[r].reason, "interrupted");
        }
    }
}

static size_t count_open(const td_group *group, const td_result *results)
{
    size_t count = 0;
    for (size_t r = 0; r < group->count; r++) {
        count += results[r].status == TD_RUN_OK;
    }
    return count;
}

static size_t first_open(const td_result *results)
{
    size_t r = 0;
    while (results[r].status != TD_RUN_OK) {
        r++;
    }
    return r;
}

/* The worker is lost: blame one run for it, or the next attempt would end in the same way. */
static void blame(const td_worker *worker, outcome got, const char *how, const char *phase,
                  td_result *results)
{
    const bool last_is_open = results[worker->last].status == TD_RUN_OK;
    td_result *blamed = &results[last_is_open ? worker->last : first_open(results)];
    if (got == TIMED_OUT) {
        char limit[32];
        snprintf(limit, sizeof limit, "%g s", worker->config.timeout_s);
        fail_one(blamed, "did not finish within --timeout %s (%s)", limit, phase);
    } else {
        fail_one(blamed, "the worker process %s (%s)", how, phase);
    }
}

/* Run the group once; false if the worker was lost and the rest has to be run again. */
static bool attempt(td_worker *worker, const td_group *group, td_result *results)
{
    char how[80] = "ended";
    char phase[sizeof worker->phases.name];
    const td_request wanted = {worker->config.protocol, group->count};
    const size_t runs_bytes = group->count * sizeof *group->runs;
    const size_t bytes = group->count * sizeof *results;
    const size_t open = count_open(group, results);
    worker->last = first_open(results); /* until the worker says otherwise */
    td_phases_enter(&worker->phases, "setting up");
    const bool sent = td_pipe_put(worker->to, &wanted, sizeof wanted) &&
                      td_pipe_put(worker->to, group->runs, runs_bytes) &&
                      td_pipe_put(worker->to, results, bytes);
    const outcome got = sent ? follow(worker, group, results) : WORKER_DIED;
    memcpy(phase, worker->phases.name, sizeof phase);
    td_phases_enter(&worker->phases, "");
    if (got == HAVE_MESSAGE) {
        return true;
    }
    reap(worker, got != WORKER_DIED, got == STOPPED ? patience_s : 0.0, how, sizeof how);
    if (got == STOPPED) {
        interrupt_open(group, results);
        return true;
    }
    if (count_open(group, results) == open) { /* else the worker has said which run broke it */
        blame(worker, got, how, phase, results);
    }
    return false;
}

/* No worker can be started for the remaining runs: they fail with the device's error. */
static td_status give_up(const td_group *group, td_status status, const td_error *error,
                         td_result *results)
{
    for (size_t r = 0; r < group->count; r++) {
        if (results[r].status == TD_RUN_OK) {
            fail_one(&results[r], "%.280s (%s)", error->text, "starting a worker");
        }
    }
    return status;
}

td_status td_worker_group(td_worker *worker, const td_group *group, td_result *results,
                          td_error *error)
{
    if (worker->rank != NULL) {
        if (count_open(group, results) > 0) {
            td_in_process_group(worker->rank, &worker->config.protocol, group, results);
        }
        return TD_OK;
    }
    while (count_open(group, results) > 0) {
        const td_status status = worker->pid == 0 ? open_worker(worker, NULL, error) : TD_OK;
        if (status != TD_OK && stopped(worker)) {
            interrupt_open(group, results);
            break;
        }
        if (status != TD_OK) {
            return give_up(group, status, error, results);
        }
        if (attempt(worker, group, results)) {
            break;
        }
    }
    return TD_OK;
}

void td_worker_set_protocol(td_worker *worker, const td_protocol *protocol)
{
    worker->config.protocol = *protocol;
}

td_timing td_worker_timing(const td_worker *worker)
{
    const td_timing none = {0};
    return worker == NULL         ? none
           : worker->rank != NULL ? td_in_process_timing(worker->rank)
                                  : worker->phases.timing;
}

void td_worker_close(td_worker *worker)
{
    if (worker != NULL && worker->rank != NULL) {
        td_in_process_close(worker->rank);
        free(worker);
    } else if (worker != NULL) {
        close_requests(worker);
        reap(worker, stopped(worker), patience_s, NULL, 0);
        free(worker);
    }
}
