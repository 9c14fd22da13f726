/* resume.h - the runs of a sweep that an earlier, perhaps interrupted one has finished, according to its jsonl file. */
#pragma once

#include "engine/options/options.h"
#include "engine/sweep/sweep.h"
#include "report/format/record.h"

/* What the file says. Zeroed: there is none. */
typedef struct td_done_set {
    const td_options *options;
    const td_sweep *sweep;
    void *findings; /* of all keys of the file, a tree of tsearch */
    size_t count;   /* of the sweep's runs that are done */
    size_t line;    /* that is being read */
    bool has_header;
    char device[TD_DEVICE_SIZE]; /* of the last header */
} td_done_set;

/*
 * td_done_mark - set `unrecorded` for the runs of a sweep that need not be reported again.
 *
 * These are the runs whose last line has status `ok`, in a search also those that an earlier one has dropped, and those
 * that cannot work and are in the file as skipped. Runs that were not verified are done only if --verify is none.
 *
 * Input   options: resume: a jsonl file; if it does not exist, nothing is done
 * Output  done: call td_done_free, also after an error; text after the last newline is a torn line, and is not read
 * Errors  TD_USAGE when the file cannot be read, is not a tribench jsonl file, has another schema major, or has a
 *         malformed line (with its number); TD_NO_MEMORY
 */
td_status td_done_mark(const td_options *options, td_sweep *sweep, td_done_set *done,
                       td_error *error);

/*
 * td_done_check_device - check that the runs that are done were measured on this device.
 *
 * Input   device: of this invocation, see td_device_of
 * Errors  TD_USAGE: another device; one file would mix the measurements of two
 */
td_status td_done_check_device(const td_done_set *done, const char *device, td_error *error);

void td_done_free(td_done_set *done);
