/* terminal.h - how wide the terminal is, and text that is no wider. */
#ifndef TD_REPORT_TERMINAL_H
#define TD_REPORT_TERMINAL_H

#include <stdio.h>

#include "engine/core/error.h"
#include "engine/options/options.h"
#include "report/format/text.h"

/* Columns of the terminal behind a descriptor, 80 where it does not know; 0: it is none. */
size_t td_terminal_columns(int fd);

/* Whether standard output is to have colours, as --color says: auto is a terminal, unless NO_COLOR is set. */
bool td_terminal_wants_color(td_color when);

/*
 * td_terminal_fold - append lines, each broken at blanks where it is wider than `columns`.
 *
 * Input   columns: 0 breaks nothing; what follows a break is indented, and a word without a blank is broken behind a
 *         slash or a bar, else where the room ends. Colours take no room
 */
void td_terminal_fold(const char *lines, size_t columns, td_text *text);

/* Words for people on their way to standard output. */
typedef struct td_words {
    FILE *stream;
    char *text; /* NULL: the stream is standard output itself */
    size_t size;
} td_words;

/*
 * td_words_open - where to print them.
 *
 * Input   fold: false for what only a program reads
 * Output  words->stream: standard output, or where that is a terminal what td_words_close prints, folded
 * Errors  TD_NO_MEMORY
 */
td_status td_words_open(td_words *words, bool fold, td_error *error);
void td_words_close(td_words *words);

#endif
