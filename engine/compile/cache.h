/* cache.h - compiled files, found by the digest of everything that they were made from. */
#pragma once

#include "engine/core/digest.h"
#include "engine/core/error.h"

/* Write a complete new file. */
typedef td_status td_cache_make_fn(void *context, const char *path, td_error *error);

/*
 * td_cache_open - open the entry of a digest for reading; make it if it is missing.
 *
 * Entries are in ${XDG_CACHE_HOME:-~/.cache}/tribench. They are always complete, even if several processes write them
 * at the same time. A folder or an entry that belongs to another user, or that others may write to, is not used,
 * because entries are run as code. If no folder can be used, the entry is made, and disappears when it is closed.
 *
 * Input   suffix: such as ".so"
 * Output  *fd: close-on-exec; the caller closes it
 * Errors  those of make; TD_FAILED
 */
td_status td_cache_open(td_digest digest, const char *suffix, td_cache_make_fn *make, void *context,
                        int *fd, td_error *error);
