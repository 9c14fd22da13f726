/* shared.h - memory that processes share: written by one, it is read by the others that were forked since. */
#pragma once

#include <stddef.h>

/* Zeroed memory of `bytes` bytes; NULL with errno set: there is none. Release it with td_shared_free. */
void *td_shared_calloc(size_t bytes);

/* Unmap the memory in this process; NULL is fine. */
void td_shared_free(void *memory, size_t bytes);
