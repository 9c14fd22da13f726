#include "command.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_SECONDS = 60, MOST_BYTES = 256 << 20, NOT_FOUND = 127 };

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

static void limit(unsigned resource, rlim_t most)
{
    struct rlimit limits;
    if (getrlimit(resource, &limits) == 0 && limits.rlim_cur > most) {
        limits.rlim_cur = most;
        (void)setrlimit(resource, &limits);
    }
}

/* Runs in the child. It prints nothing itself, so that only the compiler's messages appear. */
static void become(const td_command *command, int in, int out)
{
    const int none = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (dup2(in >= 0 ? in : none, STDIN_FILENO) >= 0 &&
        dup2(out >= 0 ? out : STDERR_FILENO, STDOUT_FILENO) >= 0) {
        limit(RLIMIT_CPU, MOST_SECONDS);
        limit(RLIMIT_FSIZE, MOST_BYTES);
        limit(RLIMIT_CORE, 0);
        execvp(command->words[0], (char *const *)(uintptr_t)command->words);
    }
    _exit(errno == ENOENT ? NOT_FOUND : 1);
}

td_status td_command_run(const td_command *command, int in, int out, td_error *error)
{
    int status = 0;
    const char *name = command->words[0];
    const pid_t pid = fork();
    if (pid == 0) {
        become(command, in, out);
    }
    if (pid < 0) {
        return td_fail(error, TD_FAILED, "cannot start '%s': %s", name, strerror(errno));
    }
    while (waitpid(pid, &status, 0) < 0) {
        if (errno != EINTR) {
            return td_fail(error, TD_FAILED, "cannot wait for '%s': %s", name, strerror(errno));
        }
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
