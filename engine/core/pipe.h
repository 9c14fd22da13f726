/* pipe.h - whole values between processes: a pipe may take or give a part, or be interrupted. */
#ifndef TD_ENGINE_CORE_PIPE_H
#define TD_ENGINE_CORE_PIPE_H

#include <stdbool.h>
#include <stddef.h>

/* All `size` bytes; false when the other end is gone. */
bool td_pipe_put(int fd, const void *data, size_t size);
bool td_pipe_get(int fd, void *data, size_t size);

/* A pipe each way, for a child that is about to be made; of either the end to read comes first. */
typedef struct td_pipes {
    int to_child[2];
    int to_parent[2];
} td_pipes;

/* Both or none; false with a reason in errno. */
bool td_pipes_open(td_pipes *pipes);

/* All four ends, and errno as it was. */
void td_pipes_close(const td_pipes *pipes);

#endif
