#include "keeper.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/core/error.h"
#include "engine/core/pipe.h"

struct td_keeper {
    pid_t pid;
    int to, from;
};

/* The keeper's message, sent once after locking and once after restoring. */
typedef struct answer {
    td_status status;
    td_error error;
} answer;

/* Survive whatever ends the parent, such as Ctrl-C or a signal to its whole process group. */
static void stand_aside(void)
{
    const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGPIPE};
    setsid();
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
        signal(signals[i], SIG_IGN);
    }
}

static void keep(const td_engine_ops *ops, const char *device, const char *clocks, int from, int to)
{
    answer said = {.status = TD_OK};
    void *lock = NULL;
    char word;
    said.status = ops->lock_clocks(device, clocks, &lock, &said.error);
    td_pipe_put(to, &said, sizeof said);
    if (said.status == TD_OK) {
        (void)td_pipe_get(from, &word, sizeof word); /* or the parent is gone */
        said.status = ops->unlock_clocks(lock, &said.error);
        td_pipe_put(to, &said, sizeof said);
    }
}

static td_status start(td_keeper *keeper, const td_engine_ops *ops, const char *device,
                       const char *clocks, td_error *error)
{
    const pid_t pid = td_fork(&keeper->to, &keeper->from);
    if (pid < 0) {
        return td_fail(error, TD_FAILED, "cannot start a keeper of the clocks: %s",
                       strerror(errno));
    }
    if (pid == 0) {
        stand_aside();
        keep(ops, device, clocks, keeper->from, keeper->to);
        _exit(0);
    }
    keeper->pid = pid;
    return TD_OK;
}

static td_status ask(td_keeper *keeper, td_error *error)
{
    answer said;
    if (!td_pipe_get(keeper->from, &said, sizeof said)) {
        return td_fail(error, TD_FAILED, "the keeper of the clocks ended without a word");
    }
    if (said.status != TD_OK) {
        *error = said.error;
    }
    return said.status;
}

static void release(td_keeper *keeper)
{
    if (keeper->pid > 0) {
        close(keeper->to);
        close(keeper->from);
        while (waitpid(keeper->pid, NULL, 0) < 0 && errno == EINTR) {
        }
    }
    free(keeper);
}

td_status td_keeper_check(const td_engine_ops *ops, td_error *error)
{
    if (ops->lock_clocks == NULL) {
        return td_fail(error, TD_USAGE,
                       "--lock-gpu-clocks: the %s engine%s has no clocks that could be locked",
                       ops->name, ops->can.device_memory ? " of this build" : "");
    }
    return TD_OK;
}

td_status td_keeper_open(const td_engine_ops *ops, const char *device, const char *clocks,
                         td_keeper **keeper, td_error *error)
{
    td_keeper *k = NULL;
    TRY(td_allocate(&k, 1, sizeof *k, error, "a keeper of the clocks"));
    td_status status = start(k, ops, device, clocks, error);
    if (status == TD_OK) {
        status = ask(k, error);
    }
    if (status != TD_OK) {
        release(k);
        return status;
    }
    *keeper = k;
    return TD_OK;
}

/* Send a word: closing the pipe is not enough, because a worker that hangs in the driver holds a copy of it. */
td_status td_keeper_close(td_keeper *keeper, td_error *error)
{
    if (keeper == NULL) {
        return TD_OK;
    }
    (void)td_pipe_put(keeper->to, "", 1);
    const td_status status = ask(keeper, error);
    release(keeper);
    return status;
}
