/* terminal.h - what the terminal can show, and what is printed in place of a sweep. */
#pragma once

#include "engine/core/error.h"
#include "engine/options/options.h"
#include "report/format/text.h"

/* Columns of the terminal at a descriptor, 80 if it does not know; 0: not a terminal. */
size_t td_terminal_columns(int fd);

/* Whether there is a terminal that obeys control sequences; TERM=dumb is one that does not. */
bool td_terminal_is_smart(int fd);

/* Whether standard output gets colours, by --color: auto means on a smart terminal, unless NO_COLOR is set. */
bool td_terminal_wants_color(td_color when);

/*
 * td_terminal_print - print a text on standard output, and free it. main reports if it cannot be written.
 *
 * Input   what: the option, for the message
 * Errors  TD_NO_MEMORY, if the text failed
 */
td_status td_terminal_print(td_text *text, const char *what, td_error *error);
