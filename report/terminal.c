#include "terminal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

size_t td_terminal_columns(int fd)
{
    struct winsize window = {0};
    if (isatty(fd) == 0) {
        return 0;
    }
    return ioctl(fd, TIOCGWINSZ, &window) == 0 && window.ws_col > 0 ? window.ws_col : 80;
}

bool td_terminal_is_smart(int fd)
{
    const char *term = getenv("TERM");
    return isatty(fd) != 0 && (term == NULL || strcmp(term, "dumb") != 0);
}

bool td_terminal_wants_color(td_color when)
{
    return when == TD_COLOR_ALWAYS ||
           (when == TD_COLOR_AUTO && td_terminal_is_smart(STDOUT_FILENO) &&
            getenv("NO_COLOR") == NULL);
}

/* Bytes of an escape sequence such as "\033[32m" at the start of a text; 0 if there is none. */
static size_t escape_of(const char *text)
{
    return text[0] == '\033' && text[1] == '[' ? strcspn(text, "m\n") + 1 : 0;
}

/* Bytes that fit in `columns` columns: continuation bytes of UTF-8 and colours take none. */
static size_t bytes_of(const char *text, size_t length, size_t columns)
{
    size_t bytes = 0, taken = 0;
    for (; bytes < length; bytes++) {
        const size_t escape = escape_of(text + bytes);
        if (escape > 0) {
            bytes += escape - 1;
            continue;
        }
        taken += ((unsigned char)text[bytes] & 0xc0) != 0x80;
        if (taken > columns) {
            break;
        }
    }
    return bytes;
}

/* Bytes of the next piece of a text that is longer than `room` bytes. A blank after the piece is dropped. */
static size_t piece_of(const char *text, size_t room)
{
    size_t blank = room, bar = room;
    while (blank > 0 && text[blank] != ' ') {
        blank--;
    }
    while (bar > 0 && strchr("/|,", text[bar - 1]) == NULL) {
        bar--;
    }
    const size_t words = strspn(text, " ");
    return blank > words ? blank : bar > words ? bar : room;
}

static void fold_line(const char *line, size_t length, size_t columns, td_text *text)
{
    const size_t start = strspn(line, " ");
    const size_t indent = start + 4 < columns / 2 ? start + 4 : columns / 2;
    size_t room = bytes_of(line, length, columns);
    while (room < length) {
        const size_t piece = piece_of(line, room);
        size_t end = piece; /* drop the blanks before a break, such as those after a column */
        while (end > 0 && line[end - 1] == ' ') {
            end--;
        }
        td_text_add_bytes(text, line, end);
        td_text_print(text, "\n%*s", (int)indent, "");
        line += piece;
        length -= piece;
        const size_t blanks = strspn(line, " ");
        line += blanks;
        length -= blanks;
        room = bytes_of(line, length, columns - indent);
    }
    td_text_add_bytes(text, line, length);
}

void td_terminal_fold(const char *lines, size_t columns, td_text *text)
{
    while (*lines != '\0') {
        const size_t length = strcspn(lines, "\n");
        fold_line(lines, length, columns > 0 ? columns : length, text);
        lines += length;
        if (*lines == '\n') {
            td_text_add(text, "\n");
            lines++;
        }
    }
}

td_status td_terminal_print(td_text *text, bool fold, const char *what, td_error *error)
{
    td_text folded = {0};
    const bool is_wide = fold && isatty(STDOUT_FILENO) != 0 && text->data != NULL;
    if (is_wide) {
        td_terminal_fold(text->data, td_terminal_columns(STDOUT_FILENO), &folded);
    }
    const bool failed = text->failed || folded.failed;
    const td_text *shown = is_wide ? &folded : text;
    if (!failed && shown->size > 0) {
        fwrite(shown->data, 1, shown->size, stdout);
    }
    td_text_free(&folded);
    td_text_free(text);
    return failed ? td_fail(error, TD_NO_MEMORY, "not enough memory for %s", what) : TD_OK;
}
