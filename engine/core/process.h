/* process.h - what processes have in common: memory, whole values that go through a pipe, and how one has ended. */
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

/* "was killed by signal 11 (Segmentation fault)" */
enum { TD_ENDING_SIZE = 80 };

/* How a process has ended, from what waitpid tells. */
void td_process_ending(int status, char how[TD_ENDING_SIZE]);

/*
 * td_process_try - run in a process of its own what may crash, end the program or never return, and wait for it.
 *
 * Input   limit_s: from the start, or from *beat_s, which the task sets in shared memory; 0: none. beat_s: or NULL
 * Output  how: why it has not returned
 */
typedef void td_task_fn(void *context);
bool td_process_try(td_task_fn *task, void *context, double limit_s, const double *beat_s,
                    char how[TD_ENDING_SIZE]);
