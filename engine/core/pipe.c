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

pid_t td_fork(int *to, int *from)
{
    int down[2], up[2]; /* [0] is the end to read, [1] the end to write */
    if (pipe(down) != 0) {
        return -1;
    }
    if (pipe(up) != 0) {
        close_both(down);
        return -1;
    }
    const pid_t pid = fork();
    if (pid < 0) {
        close_both(down);
        close_both(up);
        return pid;
    }
    *to = pid == 0 ? up[1] : down[1];
    *from = pid == 0 ? down[0] : up[0];
    close(pid == 0 ? down[1] : down[0]);
    close(pid == 0 ? up[0] : up[1]);
    return pid;
}
