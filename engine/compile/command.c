#include "command.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/core/process.h"
#include "engine/core/signals.h"

enum { NOT_FOUND = 127, LOOK_MS = 5 };

void td_command_add(td_command *command, ...)
{
    va_list words;
    va_start(words, command);
    for (const char *word; (word = va_arg(words, const char *)) != NULL;) {
        if (command->count < TD_COMMAND_WORDS) {
            command->words[command->count++] = word;
        }
    }
    va_end(words);
}

bool td_command_find(const char *name, char path[PATH_MAX])
{
    for (const char *rest = getenv("PATH"); rest != NULL && *rest != '\0';) {
        const size_t length = strcspn(rest, ":");
        snprintf(path, PATH_MAX, "%.*s/%s", (int)length, rest, name);
        if (access(path, X_OK) == 0) {
            return true;
        }
        rest += length + (rest[length] == ':');
    }
    return false;
}

/* Runs in the child, as the first process of a group. It prints nothing itself, so that only the compiler's messages
 * appear. */
static void become(const td_command *command, int in, int out)
{
    sigset_t mask;
    sigemptyset(&mask);
    sigaddset(&mask, SIGTTOU); /* a terminal need not let this group write */
    sigprocmask(SIG_SETMASK, &mask, NULL);
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (dup2(in, STDIN_FILENO) >= 0 && dup2(out >= 0 ? out : STDERR_FILENO, STDOUT_FILENO) >= 0) {
        execvp(command->words[0], (char *const *)(uintptr_t)command->words);
    }
    _exit(errno == ENOENT ? NOT_FOUND : 1);
}

td_status td_command_file(const char *text, int *fd, td_error *error)
{
    *fd = memfd_create("tribench", MFD_CLOEXEC);
    if (*fd >= 0 && td_pipe_put(*fd, text, strlen(text)) && lseek(*fd, 0, SEEK_SET) == 0) {
        return TD_OK;
    }
    const int reason = errno;
    if (*fd >= 0) {
        close(*fd);
    }
    return td_fail(error, TD_FAILED, "cannot make a file: %s", strerror(reason));
}

td_status td_command_run(const td_command *command, const char *input, int out, td_error *error)
{
    int status = 0;
    pid_t ended = 0;
    sigset_t before;
    const char *name = command->words[0];
    int in;
    TRY(td_command_file(input, &in, error));
    td_signals_hold(&before);
    const pid_t pid = fork();
    if (pid == 0) {
        become(command, in, out);
    }
    while (pid > 0 && (ended = waitpid(pid, &status, WNOHANG)) == 0) {
        if (td_signals_are_held()) { /* the compiler ends with its own processes, and then this one */
            kill(-pid, SIGTERM);
        }
        poll(NULL, 0, LOOK_MS);
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
    close(in);
    if (ended != pid) {
        return td_fail(error, TD_FAILED, "cannot %s '%s': %s", pid < 0 ? "start" : "wait for", name,
                       strerror(errno));
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == NOT_FOUND) {
        return td_fail(error, TD_UNAVAILABLE, "'%s' is not there", name);
    }
    if (WIFSIGNALED(status)) {
        return td_fail(error, TD_USAGE, "'%s' was ended by signal %d (%s)", name, WTERMSIG(status),
                       strsignal(WTERMSIG(status)));
    }
    return WEXITSTATUS(status) == 0 ? TD_OK : td_fail(error, TD_USAGE, "'%s' failed", name);
}
