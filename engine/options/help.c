/* help.c - the text of --help. */
#include <stdio.h>
#include <string.h>

#include "describe.h"
#include "options.h"

enum { WIDTH = 80, INDENT = 30 };

/* Print the option's usage, with " LIST" or "[=WHAT]" after its name. */
static void print_usage(FILE *out, const td_description *d)
{
    char usage[64];
    const char letter[] = {d->letter != 0 ? '-' : ' ', d->letter != 0 ? d->letter : ' ',
                           d->letter != 0 ? ',' : ' ', '\0'};
    const char *before = d->argument[0] == '\0' ? "" : d->may_be_left_out ? "[=" : " ";
    snprintf(usage, sizeof usage, "  %s --%s%s%s%s", letter, d->name, before, d->argument,
             d->may_be_left_out ? "]" : "");
    fprintf(out, "%-*s", INDENT - 2, usage);
    fputs(strlen(usage) > INDENT - 2 ? "\n" : "  ", out);
    if (strlen(usage) > INDENT - 2) {
        fprintf(out, "%*s", INDENT, "");
    }
}

/* Print a text; lines break at blanks, and after the bars of a long choice. */
static void print_wrapped(FILE *out, size_t indent, size_t column, const char *text)
{
    bool blank = false;
    while (*text != '\0') {
        size_t word = strcspn(text, " |");
        word += text[word] == '|';
        if (column > indent && column + blank + word > WIDTH) {
            fprintf(out, "\n%*s", (int)indent, "");
            column = indent;
            blank = false;
        }
        fprintf(out, "%s%.*s", blank ? " " : "", (int)word, text);
        column += word + blank;
        text += word;
        blank = *text == ' ';
        text += strspn(text, " ");
    }
    fputc('\n', out);
}

static void print_option(FILE *out, const td_description *d, td_help what)
{
    char text[TD_SENTENCE_SIZE];
    print_usage(out, d);
    if (what == TD_HELP_ALL) {
        td_describe_in_words(d, text);
    } else {
        snprintf(text, sizeof text, d->preset[0] != '\0' ? "%s (default: %s)" : "%s", d->brief,
                 d->preset);
    }
    print_wrapped(out, INDENT, INDENT, text);
}

/* Print the groups in order, each with the options that this help shows. Returns the number of all options. */
static size_t print_options(FILE *out, td_help what)
{
    td_description d;
    size_t i = 0;
    int group = -1;
    for (; td_describe_option(i, &d); i++) {
        if (what == TD_HELP_USUAL && d.brief == NULL) {
            continue;
        }
        if ((int)d.group != group) {
            group = (int)d.group;
            fprintf(out, "%s%s:\n", what == TD_HELP_ALL ? "\n" : "", td_group_title(d.group));
        }
        print_option(out, &d, what);
    }
    return i;
}

/* "Exit status: 0 every run ok, 1 ..." */
static void print_exit_statuses(FILE *out)
{
    char text[TD_SENTENCE_SIZE] = "Exit status:";
    for (const td_exit_status *e = td_exit_statuses; e->status != NULL; e++) {
        const size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, " %s %s%s", e->status, e->meaning,
                 e[1].status != NULL ? "," : ".");
    }
    print_wrapped(out, 0, 0, text);
}

void td_help_print(FILE *out, td_help what)
{
    fprintf(out, "Usage: tribench [OPTION]...\n%s\n", td_about);
    for (const char *const *example = td_examples; *example != NULL; example++) {
        fprintf(out, "  %s\n", *example);
    }
    const size_t count = print_options(out, what);
    if (what == TD_HELP_ALL) {
        fprintf(out, "\n%s\n", td_about_lists);
        print_exit_statuses(out);
    } else {
        fprintf(out, "These are the usual ones of %zu options: see tribench --help=all.\n", count);
    }
}
