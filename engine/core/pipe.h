/* pipe.h - pass whole values between processes: one read or write may transfer only a part, or be interrupted. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Transfer all `size` bytes; false if the other end is gone. */
bool td_pipe_put(int fd, const void *data, size_t size);
bool td_pipe_get(int fd, void *data, size_t size);
