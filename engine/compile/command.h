/* command.h - a compiler as a process. */
#ifndef TD_ENGINE_COMPILE_COMMAND_H
#define TD_ENGINE_COMPILE_COMMAND_H

#include "engine/core/error.h"

enum { TD_COMMAND_WORDS = 48 };

/* The words of a command, the last one NULL. They are not copied. */
typedef struct td_command {
    const char *words[TD_COMMAND_WORDS + 1];
    size_t count;
} td_command;

/* Beyond TD_COMMAND_WORDS words are lost, and the compiler says what is missing. */
void td_command_add(td_command *command, const char *word);

/*
 * td_command_run - run a command to its end; what it has to say goes to standard error.
 *
 * It may take a minute of processor time and write files of 256 MB, because a text may be without end.
 *
 * Input   in, out: its standard input and output, files that are open; -1: /dev/null, standard error
 * Errors  TD_UNAVAILABLE: there is no such program; TD_USAGE: it failed, and has said why; TD_FAILED
 */
td_status td_command_run(const td_command *command, int in, int out, td_error *error);

#endif
