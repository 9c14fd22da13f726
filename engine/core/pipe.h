/* pipe.h - pass whole values between processes: one read or write may transfer only a part, or be interrupted. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Transfer all `size` bytes; false if the other end is gone. */
bool td_pipe_put(int fd, const void *data, size_t size);
bool td_pipe_get(int fd, void *data, size_t size);

/* fork, with a pipe in each direction. Output: the pipe ends of this process, parent or child; -1 with errno set. */
pid_t td_fork(int *to, int *from);
