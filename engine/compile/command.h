/* command.h - run a compiler as a process. */
#pragma once

#include <limits.h>

#include "engine/core/error.h"

enum { TD_COMMAND_WORDS = 48 };

/* The words of a command, ended by NULL. They are not copied. */
typedef struct td_command {
    const char *words[TD_COMMAND_WORDS + 1];
    size_t count;
} td_command;

/* Append words, the last one followed by NULL. Words beyond TD_COMMAND_WORDS are dropped, and the compiler reports what
 * is missing. */
void td_command_add(td_command *command, ...) __attribute__((sentinel));

/* Find the first program of this name on PATH; false: there is none. */
bool td_command_find(const char *name, char path[PATH_MAX]);

/* An unnamed file that holds a text, positioned at its start. Errors: TD_FAILED */
td_status td_command_file(const char *text, int *fd, td_error *error);

/*
 * td_command_run - run a command and wait for its end; its messages go to standard error.
 *
 * Input   input: the text of its standard input; out: an open file for its standard output; -1: standard error
 * Errors  TD_UNAVAILABLE: there is no such program; TD_USAGE: it failed, and has said why; TD_FAILED
 */
td_status td_command_run(const td_command *command, const char *input, int out, td_error *error);
