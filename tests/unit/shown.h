/* shown.h - compares a text with a file of tests/data/shown. With RENEW=1 the file is written anew; then read what git
 * diff says. */
#ifndef TD_TESTS_UNIT_SHOWN_H
#define TD_TESTS_UNIT_SHOWN_H

#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/format/text.h"

/* Frees the text. Prints a piece of both around the first byte that differs. */
static inline void is_as_shown(td_text *text, const char *path)
{
    static char shown[1 << 18];
    const bool renew = getenv("RENEW") != NULL;
    size_t at = 0;
    assert_false(text->failed);
    FILE *file = fopen(path, renew ? "w+" : "r");
    assert_non_null(file);
    if (renew) {
        fputs(text->data, file);
        rewind(file);
    }
    shown[fread(shown, 1, sizeof shown - 1, file)] = '\0';
    fclose(file);
    while (shown[at] == text->data[at] && shown[at] != '\0') {
        at++;
    }
    const bool is_same = shown[at] == text->data[at];
    const size_t from = at > 60 ? at - 60 : 0;
    if (!is_same) {
        print_message("%s has '%.90s'\n", path, shown + from);
        print_message("and now it is '%.90s'; if that is meant: RENEW=1\n", text->data + from);
    }
    td_text_free(text);
    assert_true(is_same);
}

/* Plays each command line of a file, after "$ ", and compares what `play` writes of it with what follows there. */
static inline void lines_are_as_shown(void (*play)(const char *line, td_text *text),
                                      const char *path)
{
    char line[2048];
    td_text text = {0};
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file) != NULL) {
        if (line[0] == '$' || line[0] == '#') {
            td_text_add(&text, line);
        }
        if (line[0] == '$') {
            line[strcspn(line, "\n")] = '\0';
            play(line + 1 + (line[1] == ' '), &text);
        }
    }
    fclose(file);
    is_as_shown(&text, path);
}

/* In place: \n, \r, \t and \xNN, as in C. Returns the end. */
static inline char *unescape(char *text)
{
    char *to = text;
    for (const char *from = text; *from != '\0'; from++) {
        if (*from != '\\') {
            *to++ = *from;
        } else if (*++from == 'x') {
            const char digits[] = {from[1], from[2], '\0'};
            *to++ = (char)strtoul(digits, NULL, 16);
            from += 2;
        } else {
            *to++ = *from == 'n' ? '\n' : *from == 'r' ? '\r' : '\t';
        }
    }
    *to = '\0';
    return to;
}

#endif
