#include "process.h"

#include <errno.h>
#include <stddef.h>
#include <sys/mman.h>
#include <unistd.h>

/* In front of shared memory: what munmap needs. */
typedef struct mapping {
    size_t bytes;
    max_align_t memory[];
} mapping;

void *td_shared_calloc(size_t bytes)
{
    const size_t all = sizeof(mapping) + bytes;
    mapping *m = mmap(NULL, all, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (m == MAP_FAILED) {
        return NULL;
    }
    m->bytes = all;
    return m->memory;
}

void td_shared_free(void *memory)
{
    if (memory != NULL) {
        mapping *m = (mapping *)((char *)memory - offsetof(mapping, memory));
        munmap(m, m->bytes);
    }
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
