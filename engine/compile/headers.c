#include "headers.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

td_status td_headers_find(char **folder, td_error *error)
{
    static const char *const places[] = {"", "/../..", "/include", "/../include/tribench/kernel"};
    char program[PATH_MAX], path[2 * PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    program[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(program, '/');
    if (slash != NULL) {
        *slash = '\0';
    }
    for (size_t i = 0; slash != NULL && i < sizeof places / sizeof places[0]; i++) {
        snprintf(path, sizeof path, "%s%s/workloads/own.h", program, places[i]);
        if (access(path, R_OK) == 0) {
            path[strlen(path) - strlen("/workloads/own.h")] = '\0';
            *folder = realpath(path, NULL);
            return *folder != NULL ? TD_OK : td_fail(error, TD_FAILED, "cannot resolve '%s'", path);
        }
    }
    return td_fail(error, TD_UNAVAILABLE,
                   "the headers of tribench are neither beside '%s/tribench' nor in "
                   "include/tribench/kernel: install it whole",
                   program);
}
