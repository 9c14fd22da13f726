#include "rescue.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/core/pipe.h"
#include "engine/io/file.h"

bool td_is_under_its_name(int fd, const char *path)
{
    struct stat open, named;
    return fstat(fd, &open) == 0 && stat(path, &named) == 0 && open.st_dev == named.st_dev &&
           open.st_ino == named.st_ino;
}

/* Find the current path of an open file; false if it has no name. NFS keeps a deleted file as ".nfs..." until it is
 * closed. */
static bool find(int fd, char found[TD_PATH_SIZE])
{
    char itself[64];
    struct stat about;
    snprintf(itself, sizeof itself, "/proc/self/fd/%d", fd);
    const ssize_t length = readlink(itself, found, TD_PATH_SIZE - 1);
    if (fstat(fd, &about) != 0 || about.st_nlink == 0 || length <= 0) {
        return false;
    }
    found[length] = '\0';
    const char *slash = strrchr(found, '/');
    return td_is_under_its_name(fd, found) && (slash == NULL || strncmp(slash, "/.nfs", 5) != 0);
}

static bool copy(int from, int to)
{
    char buffer[65536];
    off_t at = 0;
    for (;;) {
        const ssize_t n = pread(from, buffer, sizeof buffer, at);
        if (n <= 0) {
            return n == 0 && fsync(to) == 0;
        }
        if (!td_pipe_put(to, buffer, (size_t)n)) {
            return false;
        }
        at += n;
    }
}

static void name_beside(const char *path, char beside[TD_PATH_SIZE])
{
    snprintf(beside, TD_PATH_SIZE, "%.*s.rescued-%ld", TD_PATH_SIZE - 64, path, (long)getpid());
}

static int create(const char *path)
{
    return open(path, O_RDWR | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666);
}

/* Copy the lines to a new file. Returns its descriptor, or -1 with the reason in `why`. */
static int copy_beside(int fd, const char *path, const char **why)
{
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd); /* the descriptor may be write-only */
    const int from = open(link, O_RDONLY | O_CLOEXEC);
    const int to = create(path);
    const bool done = from >= 0 && to >= 0 && copy(from, to);
    *why = strerror(errno);
    if (from >= 0) {
        close(from);
    }
    if (!done && to >= 0) {
        close(to);
        unlink(path);
    }
    return done ? to : -1;
}

td_status td_rescue(int *fd, const char *path, td_error *error)
{
    char place[TD_PATH_SIZE], beside[TD_PATH_SIZE];
    const char *why = "";
    if (find(*fd, place)) {
        return td_fail(error, TD_FAILED,
                       "--output '%.160s' was moved or replaced by another process; what was "
                       "measured is in '%.160s'",
                       path, place);
    }
    name_beside(path, beside);
    const int rescued = copy_beside(*fd, beside, &why);
    if (rescued < 0) {
        return td_fail(error, TD_FAILED,
                       "--output '%.160s' was deleted by another process, and what was measured "
                       "could not be saved beside it: %s",
                       path, why);
    }
    close(*fd);
    *fd = rescued;
    return td_fail(error, TD_FAILED,
                   "--output '%.160s' was deleted by another process; what was measured is in "
                   "'%.160s'",
                   path, beside);
}

td_status td_rescue_text(int *fd, const char *path, const char *text, size_t size, td_error *error)
{
    char beside[TD_PATH_SIZE];
    name_beside(path, beside);
    const int rescued = create(beside);
    if (rescued < 0 || !td_pipe_put(rescued, text, size) || fsync(rescued) != 0) {
        const char *why = strerror(errno);
        if (rescued >= 0) {
            close(rescued);
            unlink(beside);
        }
        return td_fail(error, TD_FAILED,
                       "--output '%.160s' was cut by another process, and what was measured could "
                       "not be saved beside it: %s",
                       path, why);
    }
    close(*fd);
    *fd = rescued;
    return td_fail(error, TD_FAILED,
                   "--output '%.160s' was cut by another process; what this invocation measured is "
                   "in '%.160s'",
                   path, beside);
}
