/* waiting.c - GOMP_SPINCOUNT, and the program once more. */
#include "waiting.h"

#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

/* 15 to 70 us, by the processor's pause: longer than a short loop's threads wait, and some times what waking takes. */
static const char spins[] = "1000";

void td_cpu_settle_waiting(char *const *argv)
{
    char program[PATH_MAX];
    if (getenv("OMP_WAIT_POLICY") != NULL || getenv("GOMP_SPINCOUNT") != NULL) {
        return;
    }
    /* by its name: executed as /proc/self/exe it would be called that */
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length > 0 && setenv("GOMP_SPINCOUNT", spins, 1) == 0) {
        program[length] = '\0';
        execv(program, argv);
    }
}
