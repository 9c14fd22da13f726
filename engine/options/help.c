/* help.c - the text of --help, made from the table of options and from the parameters of workloads. */
#include <stdio.h>
#include <string.h>

#include "option_table.h"
#include "parameters.h"

enum { WIDTH = 80, INDENT = 30, FACT_SIZE = 256, TEXT_SIZE = 1024 };

/* ---- facts about an option, or about a parameter of several workloads ---- */

typedef void fact_fn(const td_parameter *row, char text[FACT_SIZE]);

static void preset_of(const td_parameter *row, char text[FACT_SIZE])
{
    snprintf(text, FACT_SIZE, "%s", row->preset != NULL ? row->preset : "");
}

/* The words of a choice, or the bounds of a number if they say anything. */
static void accepted_of(const td_parameter *row, char text[FACT_SIZE])
{
    text[0] = '\0';
    if (row->choices != NULL || (row->high > 0 && row->high < UINT64_MAX)) {
        td_parameter_accepted(row, text, FACT_SIZE);
    }
}

/* The fact, such as "100", if all workloads with the parameter agree. */
static void describe_fact(const td_parameter *parameter, fact_fn *fact, const char *otherwise,
                          char text[FACT_SIZE])
{
    char other[FACT_SIZE];
    bool all_agree = true;
    fact(parameter, text);
    for (size_t w = 0; w < td_workload_count && all_agree; w++) {
        const td_parameter *row = td_workload_parameter(td_workloads[w], parameter->name);
        fact(row != NULL ? row : parameter, other);
        all_agree = strcmp(text, other) == 0;
    }
    if (!all_agree) {
        snprintf(text, FACT_SIZE, "%s", otherwise);
    }
}

/* ---- the text ---- */

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

/* Print what is typed, and beside it what it does: the text for beginners, or all there is to say. */
static void print_entry(FILE *out, const char *usage, const td_parameter *p, const char *brief)
{
    char text[TEXT_SIZE], accepted[FACT_SIZE], preset[FACT_SIZE];
    describe_fact(p, accepted_of, "", accepted);
    describe_fact(p, preset_of, "see --list workloads", preset);
    if (brief != NULL) {
        accepted[0] = '\0';
    }
    snprintf(text, sizeof text, "%s%s%s%s%s%s%s", brief != NULL ? brief : p->help,
             accepted[0] != '\0' ? "; " : "",
             accepted[0] != '\0' && p->kind == TD_PARAMETER_CHOICE ? "one of " : "", accepted,
             preset[0] != '\0' ? " (default: " : "", preset, preset[0] != '\0' ? ")" : "");
    if (strlen(usage) <= INDENT - 2) {
        fprintf(out, "%-*s", INDENT, usage);
    } else {
        fprintf(out, "%s\n%*s", usage, INDENT, "");
    }
    print_wrapped(out, INDENT, text);
}

/* Print an option, with " LIST" or "[=WHAT]" after its name. */
static void print_option(FILE *out, const td_option *o, td_help what)
{
    char usage[64], letter[] = "    ";
    const td_parameter p = td_option_parameter(o);
    const bool may_be_left_out = o->argument != NULL && o->argument[0] == '[';
    if (o->letter != 0) {
        snprintf(letter, sizeof letter, "-%c, ", o->letter);
    }
    snprintf(usage, sizeof usage, "  %s--%s%s%s", letter, o->name,
             o->argument == NULL ? ""
             : may_be_left_out   ? "[="
                                 : " ",
             o->argument == NULL ? "" : o->argument + may_be_left_out);
    print_entry(out, usage, &p, what == TD_HELP_USUAL ? o->brief : NULL);
}

/* The parameters that have no option of their own: "rule=ABCD". */
static void print_parameters(FILE *out)
{
    const td_parameter *p;
    for (size_t i = 0; (p = td_parameter_option(i)) != NULL; i++) {
        char usage[64];
        snprintf(usage, sizeof usage, "        %s=%s", p->name, p->argument);
        if (td_option_named(p->name) == NULL) {
            print_entry(out, usage, p, NULL);
        }
    }
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
        if (o->take == td_take_set) {
            print_parameters(out);
        }
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
