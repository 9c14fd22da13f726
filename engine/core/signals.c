#include "signals.h"

#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

static volatile sig_atomic_t stop_signal; /* the signal that asked to stop; 0: none */

static const int stops[] = {SIGINT, SIGTERM, SIGHUP};

static void on_stop(int signal_number)
{
    stop_signal = signal_number;
}

void td_signals_catch(void)
{
    signal(SIGPIPE, SIG_IGN); /* writing to a closed pipe fails, with a message */
    signal(SIGXFSZ, SIG_IGN); /* so does writing past ulimit -f */
    signal(SIGINT, SIG_DFL);  /* a script's background processes start with these ignored */
    signal(SIGTERM, SIG_DFL);
}

void td_signals_catch_stops(void)
{
    const struct sigaction action = {.sa_handler = on_stop};
    struct sigaction before;
    stop_signal = 0;
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGHUP, &action, &before);
    if (before.sa_handler == SIG_IGN) { /* nohup */
        sigaction(SIGHUP, &before, NULL);
    }
}

void td_signals_hold(sigset_t *before)
{
    sigset_t held;
    struct sigaction action;
    sigemptyset(&held);
    for (size_t i = 0; i < sizeof stops / sizeof stops[0]; i++) {
        if (sigaction(stops[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN) {
            sigaddset(&held, stops[i]);
        }
    }
    sigprocmask(SIG_BLOCK, &held, before);
}

bool td_signals_are_held(void)
{
    sigset_t held;
    sigpending(&held);
    return sigismember(&held, SIGINT) == 1 || sigismember(&held, SIGTERM) == 1 ||
           sigismember(&held, SIGHUP) == 1;
}

int td_signals_stop(void)
{
    return stop_signal;
}

const char *td_signals_name(int signal_number)
{
    return signal_number == SIGINT ? "SIGINT" : signal_number == SIGTERM ? "SIGTERM" : "SIGHUP";
}

static FILE *standard_output; /* NULL: it is `stdout`, in tests and where it was closed */

void td_open_standard_files(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        if (fcntl(fd, F_GETFD) < 0) { /* open returns the lowest free number */
            (void)!open("/dev/null", fd == STDOUT_FILENO ? O_RDONLY : O_RDWR);
        }
    }
    const int result = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    standard_output = result >= 0 ? fdopen(result, "w") : NULL; /* not for reading only */
    if (standard_output != NULL) {
        (void)dup2(STDERR_FILENO, STDOUT_FILENO);
        setlinebuf(stdout);
    } else if (result >= 0) {
        close(result);
    }
}

FILE *td_standard_output(void)
{
    return standard_output != NULL ? standard_output : stdout;
}
