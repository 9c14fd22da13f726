/* help.c - the text of --help, made from the table of options. */
#include <stdio.h>
#include <string.h>

#include "option_table.h"

enum { WIDTH = 80, INDENT = 30, FACT_SIZE = 256, TEXT_SIZE = 1024 };

/* Print a text; lines break at blanks, and after the bars of a long choice. */
static void print_wrapped(FILE *out, size_t indent, const char *text)
{
    size_t column = indent;
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

/* What an option does: the text for beginners, or all there is to say. Workloads differ in what they accept for their
 * parameters. */
static void describe(const td_option *o, td_help what, char text[TEXT_SIZE])
{
    const td_parameter p = td_option_parameter(o);
    const char *words = what == TD_HELP_USUAL ? o->brief : p.help;
    const char *end = "", *accepts = "";
    char accepted[FACT_SIZE] = "";
    if (o->help == NULL) {
        end = " (see --list workloads)";
    } else if (what == TD_HELP_ALL && (p.choices != NULL || (p.high > 0 && p.high < UINT64_MAX))) {
        td_parameter_accepted(&p, accepted, sizeof accepted);
        accepts = p.kind == TD_PARAMETER_CHOICE ? "; one of " : "; ";
    }
    const bool has_default = o->help != NULL && p.preset != NULL;
    snprintf(text, TEXT_SIZE, "%s%s%s%s%s%s%s", words, accepts, accepted, end,
             has_default ? " (default: " : "", has_default ? p.preset : "", has_default ? ")" : "");
}

/* Print an option, with " LIST" or "[=WHAT]" after its name, and beside it what it does. */
static void print_option(FILE *out, const td_option *o, td_help what)
{
    char usage[64], letter[] = "    ", text[TEXT_SIZE];
    const bool may_be_left_out = o->argument != NULL && o->argument[0] == '[';
    if (o->letter != 0) {
        snprintf(letter, sizeof letter, "-%c, ", o->letter);
    }
    snprintf(usage, sizeof usage, "  %s--%s%s%s", letter, o->name,
             o->argument == NULL ? ""
             : may_be_left_out   ? "[="
                                 : " ",
             o->argument == NULL ? "" : o->argument + may_be_left_out);
    fprintf(out, "%-*s", INDENT, usage);
    if (strlen(usage) > INDENT - 2) {
        fprintf(out, "\n%*s", INDENT, "");
    }
    describe(o, what, text);
    print_wrapped(out, INDENT, text);
}

static void print_options(FILE *out, td_help what)
{
    const char *title = NULL;
    for (size_t i = 0; i < td_option_count; i++) {
        const td_option *o = &td_option_table[i];
        title = o->title != NULL ? o->title : title;
        if (what == TD_HELP_USUAL && o->brief == NULL) {
            continue;
        }
        if (title != NULL) {
            fprintf(out, "%s%s:\n", what == TD_HELP_ALL ? "\n" : "", title);
            title = NULL;
        }
        print_option(out, o, what);
    }
}

void td_help_print(FILE *out, td_help what)
{
    fputs("Usage: tribench [OPTION]...\n"
          "Run and time maps of thread blocks on triangular and tetrahedral domains.\n"
          "  tribench -s bb,ltm-i,rb-b -w edm4 -n 8192\n"
          "  tribench -s all -w all -n 1024:30720:1024 -o sweep.json\n",
          out);
    print_options(out, what);
    if (what == TD_HELP_ALL) {
        fputs("\nA LIST is a,b,...; numbers may be ranges start:stop:step or start:stop:*factor.\n",
              out);
        print_wrapped(out, 0,
                      "Exit status: 0 every run ok, 1 a run failed or the result could not be "
                      "written, 2 usage, 3 a verification failed, 4 engine or device not there, 5 "
                      "out of memory, 128+signal when interrupted.");
    } else {
        fprintf(out, "These are the usual ones of %zu options: see tribench --help=all.\n",
                td_option_count);
    }
}
