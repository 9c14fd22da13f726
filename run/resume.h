/*
 * resume.h - the runs that an earlier, perhaps interrupted sweep has finished, according to its jsonl file.
 */
#pragma once

#include "engine/sweep/sweep.h"

typedef struct td_done_set td_done_set;

/*
 * td_done_load - load the keys whose last line in the file has status `ok`, and those that were skipped.
 *
 * Input   path: a jsonl file; if it does not exist, nothing is done
 *         want_verified: runs that were not verified do not count as done
 * Output  *done: to be freed with td_done_free; text after the last newline is a torn line and is not read
 * Errors  TD_USAGE when the file cannot be read, is not a tribench jsonl file, has another schema major,
 *         or has a malformed line (with its number); TD_NO_MEMORY
 */
td_status td_done_load(const char *path, bool want_verified, td_done_set **done, td_error *error);

/* Whether the run with this key is done. A NULL set contains nothing. */
bool td_done_contains(const td_done_set *done, const char *key);

/*
 * td_done_mark - set `unrecorded` for the runs of a sweep that need not be reported again: those that are done, and
 * those that cannot work and are in the file as skipped.
 *
 * Input   is_search: a run that an earlier search has dropped is done, too
 * Output  how many of the sweep's runs are done
 */
size_t td_done_mark(const td_done_set *done, bool is_search, td_sweep *sweep);

/*
 * td_done_check_device - check that the runs of a sweep that are done were measured on this device.
 *
 * Input   path: of the file, for the message; device: of this invocation, see td_device_of
 * Errors  TD_USAGE: another device; one file would mix the measurements of two
 */
td_status td_done_check_device(const td_done_set *done, const td_sweep *sweep, const char *path,
                               const char *device, td_error *error);

size_t td_done_count(const td_done_set *done);

void td_done_free(td_done_set *done);
