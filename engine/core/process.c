#include "process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"

td_status td_allocate_shared(void *memory, size_t bytes, const char *purpose, td_error *error)
{
    void *const shared =
        mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) {
        return td_fail(error, TD_NO_MEMORY, "not enough memory for %s", purpose);
    }
    memcpy(memory, &shared, sizeof shared);
    return TD_OK;
}

bool td_pipe_put(int fd, const void *data, size_t size)
{
    for (size_t done = 0; done < size;) {
        const ssize_t n = TEMP_FAILURE_RETRY(write(fd, (const char *)data + done, size - done));
        if (n <= 0) {
            return false;
        }
        done += (size_t)n;
    }
    return true;
}

bool td_pipe_get(int fd, void *data, size_t size)
{
    for (size_t done = 0; done < size;) {
        const ssize_t n = TEMP_FAILURE_RETRY(read(fd, (char *)data + done, size - done));
        if (n <= 0) {
            return false;
        }
        done += (size_t)n;
    }
    return true;
}

void td_process_ending(int status, char how[TD_ENDING_SIZE])
{
    if (WIFSIGNALED(status)) {
        snprintf(how, TD_ENDING_SIZE, "was killed by signal %d (%s)", WTERMSIG(status),
                 strsignal(WTERMSIG(status)));
    } else {
        snprintf(how, TD_ENDING_SIZE, "ended with status %d", WEXITSTATUS(status));
    }
}

/* Run the task in a child. Its last word, which a task that ends the process does not say, goes into the pipe. */
static pid_t start(td_task_fn *task, void *context, int end)
{
    const pid_t parent = getpid();
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() == parent) { /* else the parent died before prctl */
            task(context);
        }
        _exit(td_pipe_put(end, "1", 1) ? 0 : 1);
    }
    return child;
}

/* Wait until the task has returned, its process has ended, or the time is over. Whether it is. */
static bool is_late(int end, double limit_s, const double *beat_s)
{
    enum { LOOK_MS = 100 };
    const double start_s = td_now_s();
    struct pollfd word = {.fd = end, .events = POLLIN};
    while (poll(&word, 1, LOOK_MS) != 1) {
        const double since_s = beat_s != NULL && *beat_s > start_s ? *beat_s : start_s;
        if (limit_s > 0.0 && td_now_s() - since_s > limit_s) {
            return true;
        }
    }
    return false;
}

bool td_process_try(td_task_fn *task, void *context, double limit_s, const double *beat_s,
                    char how[TD_ENDING_SIZE])
{
    int ends[2] = {-1, -1}, status = 0;
    char returned = 0;
    pid_t child = -1;
    if (pipe2(ends, O_CLOEXEC) == 0) {
        child = start(task, context, ends[1]);
        close(ends[1]);
    }
    if (child < 0) {
        snprintf(how, TD_ENDING_SIZE, "cannot be started: %s", strerror(errno));
        close(ends[0]);
        return false;
    }
    const bool late = is_late(ends[0], limit_s, beat_s);
    const bool ok = !late && td_pipe_get(ends[0], &returned, 1);
    close(ends[0]);
    kill(child, SIGKILL);
    (void)TEMP_FAILURE_RETRY(waitpid(child, &status, 0));
    if (late) {
        snprintf(how, TD_ENDING_SIZE, "did not return within %g s", limit_s);
    } else {
        td_process_ending(status, how);
    }
    return ok;
}
