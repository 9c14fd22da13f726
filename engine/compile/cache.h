/* cache.h - compiled files, by the digest of all that they were made from. */
#ifndef TD_ENGINE_COMPILE_CACHE_H
#define TD_ENGINE_COMPILE_CACHE_H

#include "engine/core/digest.h"
#include "engine/core/error.h"

/* Write the whole of a file that is not there yet. */
typedef td_status td_cache_make_fn(void *context, const char *path, td_error *error);

/*
 * td_cache_open - the entry of a digest, open for reading; made where it is missing.
 *
 * Entries are in ${XDG_CACHE_HOME:-~/.cache}/tribench, whole or not at all, whoever writes them at the same time. A
 * folder or an entry that is another user's, or that others may write to, is not used: code is made from it. Where no
 * folder can be used the entry is made, and gone when it is closed.
 *
 * Input   suffix: ".so"; keep: false: do not look, and keep nothing
 * Output  *fd, closed by a later exec; the caller closes it
 * Errors  those of make; TD_FAILED
 */
td_status td_cache_open(td_digest digest, const char *suffix, bool keep, td_cache_make_fn *make,
                        void *context, int *fd, td_error *error);

#endif
