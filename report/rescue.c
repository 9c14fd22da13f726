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

/* Copy a whole file; its descriptor may be write-only. */
static bool copy(int fd, int to)
{
    char link[64], buffer[65536];
    ssize_t size = -1;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    const int from = open(link, O_RDONLY | O_CLOEXEC);
    while (from >= 0 && (size = read(from, buffer, sizeof buffer)) > 0 &&
           td_pipe_put(to, buffer, (size_t)size)) {
    }
    const int reason = errno;
    if (from >= 0) {
        close(from);
    }
    errno = reason;
    return size == 0;
}

static bool save(int fd, const char *text, size_t size, int to)
{
    return to >= 0 && (text != NULL ? td_pipe_put(to, text, size) : copy(fd, to)) && fsync(to) == 0;
}

td_status td_rescue(int *fd, const char *path, const char *text, size_t size, td_error *error)
{
    const char *what = text != NULL ? "cut" : "deleted";
    char place[TD_PATH_SIZE], beside[TD_PATH_SIZE];
    if (text == NULL && find(*fd, place)) {
        return td_fail(error, TD_FAILED,
                       "--output '%.160s' was moved or replaced by another process; what was "
                       "measured is in '%.160s'",
                       path, place);
    }
    snprintf(beside, sizeof beside, "%.*s.rescued-%ld", TD_PATH_SIZE - 64, path, (long)getpid());
    const int rescued = open(beside, O_RDWR | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666);
    if (!save(*fd, text, size, rescued)) {
        const char *why = strerror(errno);
        if (rescued >= 0) {
            close(rescued);
            unlink(beside);
        }
        return td_fail(error, TD_FAILED,
                       "--output '%.160s' was %s by another process, and what was measured could "
                       "not be saved beside it: %s",
                       path, what, why);
    }
    close(*fd);
    *fd = rescued;
    return td_fail(error, TD_FAILED,
                   "--output '%.160s' was %s by another process; what %s is in '%.160s'", path,
                   what, text != NULL ? "this invocation measured" : "was measured", beside);
}
