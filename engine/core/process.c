#include "process.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

td_status td_allocate_shared(void *memory, size_t bytes, const char *purpose, td_error *error)
{
    void *const shared =
        mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) {
        return td_fail(error, TD_NO_MEMORY, "not enough memory for %s", purpose);
    }
    memcpy(memory, &shared, sizeof shared);
    return TD_OK;
}

bool td_pipe_put(int fd, const void *data, size_t size)
{
    for (size_t done = 0; done < size;) {
        const ssize_t n = TEMP_FAILURE_RETRY(write(fd, (const char *)data + done, size - done));
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
        const ssize_t n = TEMP_FAILURE_RETRY(read(fd, (char *)data + done, size - done));
        if (n <= 0) {
            return false;
        }
        done += (size_t)n;
    }
    return true;
}
