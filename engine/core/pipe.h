/* pipe.h - whole values between processes: a pipe may take or give a part, or be interrupted. */
#ifndef TD_ENGINE_CORE_PIPE_H
#define TD_ENGINE_CORE_PIPE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* All `size` bytes; false when the other end is gone. */
bool td_pipe_put(int fd, const void *data, size_t size);
bool td_pipe_get(int fd, void *data, size_t size);

/* fork, with a pipe each way. Output: the ends of this process, parent or child; -1 with a reason in errno. */
pid_t td_fork(int *to, int *from);

#endif
