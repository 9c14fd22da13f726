/* rescue.h - a file that grows line by line, and that somebody deletes, moves, replaces or cuts meanwhile. */
#ifndef TD_REPORT_RESCUE_H
#define TD_REPORT_RESCUE_H

#include "engine/core/error.h"

/* Whether an open file is still what its name stands for. */
bool td_is_under_its_name(int fd, const char *path);

/*
 * td_rescue - say where the lines of a file are that is no longer under its name.
 *
 * A file that was moved has them. What was deleted is copied beside where it was, as PATH.rescued-PID.
 *
 * Output  fd: of the copy, where one was made; what is still to be written belongs there
 * Errors  always TD_FAILED, with the sentence
 */
td_status td_rescue(int *fd, const char *path, td_error *error);

/*
 * td_rescue_text - the same of a file that was cut: what was written to it goes to PATH.rescued-PID.
 *
 * Input   text of size [bytes]: all that was written
 */
td_status td_rescue_text(int *fd, const char *path, const char *text, size_t size, td_error *error);

#endif
