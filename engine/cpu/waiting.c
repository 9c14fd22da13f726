/* waiting.c - sets GOMP_SPINCOUNT and restarts the program. */
#include "waiting.h"

#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

/* 15 to 70 us, depending on the processor's pause instruction: longer than the threads of a short loop wait, and a few
 * times the cost of a wake-up. */
static const char spins[] = "1000";

void td_cpu_settle_waiting(char *const *argv)
{
    char program[PATH_MAX];
    if (getenv("OMP_WAIT_POLICY") != NULL || getenv("GOMP_SPINCOUNT") != NULL) {
        return;
    }
    /* by its path: started as /proc/self/exe, the process would have that name */
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length > 0 && setenv("GOMP_SPINCOUNT", spins, 1) == 0) {
        program[length] = '\0';
        execv(program, argv);
    }
}
