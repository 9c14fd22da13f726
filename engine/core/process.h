/* process.h - what processes have in common: memory, and whole values that go through a pipe. */
#pragma once

#include "error.h"

/*
 * td_allocate_shared - zeroed memory that this process shares with those it forks later. It stays until they end.
 *
 * Output  memory: the address of the caller's pointer
 * Errors  TD_NO_MEMORY: not enough for `purpose`
 */
td_status td_allocate_shared(void *memory, size_t bytes, const char *purpose, td_error *error);

/* Transfer all `size` bytes: one read or write may transfer only a part, or be interrupted. False if the other end is
 * gone. */
bool td_pipe_put(int fd, const void *data, size_t size);
bool td_pipe_get(int fd, void *data, size_t size);
