/* process.h - what processes have in common: memory, and whole values that go through a pipe. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Zeroed memory that processes share which were forked since. NULL with errno set: there is none. */
void *td_shared_calloc(size_t bytes);

/* Unmap the memory in this process; NULL is fine. */
void td_shared_free(void *memory);

/* Transfer all `size` bytes: one read or write may transfer only a part, or be interrupted. False if the other end is
 * gone. */
bool td_pipe_put(int fd, const void *data, size_t size);
bool td_pipe_get(int fd, void *data, size_t size);
