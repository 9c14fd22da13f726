/* signals.h - signals to a running sweep, and the standard files that it relies on. */
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>

/*
 * td_signals_catch - from here on writing to a closed pipe or past a file's limit fails.
 *
 * SIGINT and SIGTERM end the process, even if they were ignored before.
 */
void td_signals_catch(void);

/*
 * td_signals_catch_stops - from here on SIGINT, SIGTERM and SIGHUP are recorded, not obeyed.
 *
 * Call it when there is something to finish; until then these signals end the process at once, whatever it is doing.
 * If SIGHUP is ignored (nohup), it stays ignored. One recorded by an earlier call is forgotten.
 */
void td_signals_catch_stops(void);

/* The signal that asked to stop; 0: none. */
int td_signals_stop(void);

/* Delay SIGINT, SIGTERM and SIGHUP, unless they are ignored, until *before is the mask of signals again. */
void td_signals_hold(sigset_t *before);

/* Whether one of them has arrived since. */
bool td_signals_are_held(void);

/* The name of a signal that td_signals_catch_stops catches, such as "SIGINT". */
const char *td_signals_name(int signal_number);

/*
 * td_open_standard_files - open /dev/null for each standard file that is closed, and keep standard output for the
 * result alone.
 *
 * Otherwise the first files that the program opens would get these numbers: messages on stderr would end up in the
 * result, and the result in a dump. A closed standard output is opened for reading only, so that writing to it still
 * fails. From here on `stdout` is standard error, line by line: what a library, a kernel or a user's map prints there
 * is not the result.
 */
void td_open_standard_files(void);

/* Where the result goes: standard output, as it was when the program began. */
FILE *td_standard_output(void);
