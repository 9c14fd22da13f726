#include "terminal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "engine/core/signals.h"

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
           (when == TD_COLOR_AUTO && td_terminal_is_smart(fileno(td_standard_output())) &&
            getenv("NO_COLOR") == NULL);
}

td_status td_terminal_print(td_text *text, const char *what, td_error *error)
{
    const bool failed = text->failed;
    if (!failed && text->size > 0) {
        fwrite(text->data, 1, text->size, td_standard_output());
    }
    td_text_free(text);
    return failed ? td_fail(error, TD_NO_MEMORY, "not enough memory for %s", what) : TD_OK;
}
