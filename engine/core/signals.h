/* signals.h - what the terminal and the system ask of a running sweep, and the standard files it relies on. */
#ifndef TD_ENGINE_CORE_SIGNALS_H
#define TD_ENGINE_CORE_SIGNALS_H

#include <stdbool.h>

/*
 * td_signals_catch - from here on SIGUSR1 asks for progress; a closed pipe and a file at its limit are failed writes.
 *
 * SIGINT and SIGTERM end the process, also where they were ignored.
 */
void td_signals_catch(void);

/*
 * td_signals_catch_stops - from here on SIGINT, SIGTERM and SIGHUP are recorded, not obeyed.
 *
 * To be called when there is something to finish; until then they end the process at once, whatever it is busy with.
 * SIGHUP stays ignored where it is (nohup).
 */
void td_signals_catch_stops(void);

/* The signal that asked to stop, 0: none. */
int td_signals_stop(void);

/* "SIGINT" of a signal that td_signals_catch_stops catches. */
const char *td_signals_name(int signal_number);

/* Whether SIGUSR1 came since the last call. */
bool td_signals_take_progress(void);

/*
 * td_open_standard_files - what is closed of the standard files becomes /dev/null.
 *
 * Else the first files that are opened would be taken for them: messages on stderr would end up in the result, and the
 * result in a dump. A closed standard output cannot be written to afterwards either, so that nobody thinks that it was.
 */
void td_open_standard_files(void);

#endif
