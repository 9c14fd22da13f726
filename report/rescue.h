/* rescue.h - save the lines of a growing file that somebody deletes, moves, replaces or cuts. */
#pragma once

#include "engine/core/error.h"

/* Whether an open file is still the one at `path`. */
bool td_is_under_its_name(int fd, const char *path);

/*
 * td_rescue - report where the lines of a file are after it lost its name, or was cut.
 *
 * A file that was moved still has them. A file that was deleted is copied next to its old place, as PATH.rescued-PID.
 * The lines of a file that was cut are written there, too.
 *
 * Input   text of size [bytes]: all that was written to a file that was cut; NULL: it lost its name
 * Output  fd: the copy, if one was made; later lines belong there
 * Errors  always TD_FAILED, with that message
 */
td_status td_rescue(int *fd, const char *path, const char *text, size_t size, td_error *error);
