#include "pipe.h"

#include <errno.h>
#include <unistd.h>

bool td_pipe_put(int fd, const void *data, size_t size)
{
    for (size_t done = 0; done < size;) {
        const ssize_t n = write(fd, (const char *)data + done, size - done);
        if (n < 0 && errno == EINTR) {
            continue;
        }
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
        const ssize_t n = read(fd, (char *)data + done, size - done);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n <= 0) {
            return false;
        }
        done += (size_t)n;
    }
    return true;
}

static void close_both(const int ends[2])
{
    const int reason = errno;
    close(ends[0]);
    close(ends[1]);
    errno = reason;
}

bool td_pipes_open(td_pipes *pipes)
{
    if (pipe(pipes->to_child) != 0) {
        return false;
    }
    if (pipe(pipes->to_parent) != 0) {
        close_both(pipes->to_child);
        return false;
    }
    return true;
}

void td_pipes_close(const td_pipes *pipes)
{
    close_both(pipes->to_child);
    close_both(pipes->to_parent);
}
