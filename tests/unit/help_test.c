/* help_test.c - the help text. */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/options/option_table.h"
#include "engine/options/options.h"

enum { LINE_SIZE = 512 };

/* The help text; the caller frees it. */
static char *help_text(td_help what)
{
    char *help = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&help, &size);
    if (out != NULL) {
        td_help_print(out, what);
        fclose(out);
    }
    return help;
}

static size_t longest_line_of(const char *text)
{
    size_t longest = 0;
    for (const char *line = text; *line != '\0'; line += strcspn(line, "\n") + 1) {
        const size_t length = strcspn(line, "\n");
        longest = length > longest ? length : longest;
    }
    return longest;
}

TEST(help_names_every_option_within_80_columns)
{
    char *help = help_text(TD_HELP_ALL);
    assert_non_null(help);
    for (size_t i = 0; i < td_option_count; i++) {
        char usage[LINE_SIZE];
        const char *title = td_option_table[i].title; /* of the group that it begins */
        snprintf(usage, sizeof usage, " --%s", td_option_table[i].name);
        assert_non_null(strstr(help, usage));
        assert_non_null(strstr(help, title != NULL ? title : ""));
    }
    assert_true(longest_line_of(help) <= 80);
    free(help);
}

TEST(usual_help_fits_one_screen_and_leads_to_the_rest)
{
    char *help = help_text(TD_HELP_USUAL);
    assert_non_null(help);
    size_t lines = 0;
    for (const char *end = help; (end = strchr(end, '\n')) != NULL; end++) {
        lines++;
    }
    assert_true(lines <= 23 && longest_line_of(help) <= 80);
    assert_non_null(strstr(help, "--strategy LIST"));
    assert_non_null(strstr(help, "--list"));
    assert_non_null(strstr(help, "--help=all"));
    assert_null(strstr(help, "--cutoff"));
    free(help);
}
