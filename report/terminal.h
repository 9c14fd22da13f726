/* terminal.h - the width of the terminal, and text folded to it. */
#pragma once

#include <stdio.h>

#include "engine/core/error.h"
#include "engine/options/options.h"
#include "report/format/text.h"

/* Columns of the terminal at a descriptor, 80 if it does not know; 0: not a terminal. */
size_t td_terminal_columns(int fd);

/* Whether standard output gets colours, according to --color: auto means on a terminal, unless NO_COLOR is set. */
bool td_terminal_wants_color(td_color when);

/*
 * td_terminal_fold - append lines, broken at blanks where they are wider than `columns`.
 *
 * Input   columns: 0 breaks nothing; text after a break is indented, and a word without a blank is broken after a
 *         slash, a bar or a comma, else where the room ends. Colours take no room
 */
void td_terminal_fold(const char *lines, size_t columns, td_text *text);

/* Text for people, on its way to standard output. */
typedef struct td_words {
    FILE *stream;
    char *text; /* NULL: the stream is standard output itself */
    size_t size;
} td_words;

/*
 * td_words_open - choose where to print the text.
 *
 * Input   fold: false for text that only a program reads
 * Output  words->stream: standard output or, if that is a terminal, a buffer that td_words_close prints folded
 * Errors  TD_NO_MEMORY
 */
td_status td_words_open(td_words *words, bool fold, td_error *error);
void td_words_close(td_words *words);
