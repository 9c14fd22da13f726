/*
 * output.h - where the bytes of a result go: standard output, a file that is either complete or absent, or a file that
 * grows line by line. Opened before the first run, so that a bad name costs nothing.
 */
#pragma once

#include "engine/core/error.h"

typedef enum td_output_mode {
    TD_OUTPUT_WHOLE,     /* a temporary file beside FILE, renamed over it at the end */
    TD_OUTPUT_WHOLE_NEW, /* likewise, but FILE must not hold anything yet */
    TD_OUTPUT_LINES,     /* FILE itself, which must not hold anything yet */
    TD_OUTPUT_APPEND, /* FILE itself, after its content; the first write cuts off a torn last line */
} td_output_mode;

/* Shared with the processes that are forked after it was opened: each writes where another has stopped. */
typedef struct td_output td_output;

/*
 * td_output_open - open an output without touching what FILE holds so far.
 *
 * Input   path: NULL or "-" is standard output; anything but a regular file is written directly in any mode
 * Output  *output: to be closed with td_output_close
 * Errors  TD_USAGE when the file cannot be written, TD_FAILED when standard output is closed, TD_NO_MEMORY
 */
td_status td_output_open(const char *path, td_output_mode mode, td_output **output,
                         td_error *error);

/*
 * td_output_write - write all of the data, in one system call if the kernel takes it whole; unless the file is made
 * whole at the end, the bytes are on the disk when it returns.
 *
 * Errors  TD_FAILED with the system's message (disk full, closed pipe): a file of its own is then cut back to where it
 *         was, so that it stays readable, as it is at the next text where a process was killed while it wrote. Also
 *         when a growing file is no longer under its name, or was cut; a copy of one that was deleted is in TMPDIR
 */
td_status td_output_write(td_output *output, const char *data, size_t size, td_error *error);

/*
 * td_output_close - finish and free.
 *
 * Input   keep: false, as after an error, leaves FILE as it was before td_output_open, unless something was written
 *         directly
 * Errors  TD_FAILED when the last bytes or the rename did not reach the disk; a temporary file is removed. A copy of
 *         one that was deleted, as with its folder, is in TMPDIR
 */
td_status td_output_close(td_output *output, bool keep, td_error *error);
