/* help.c - the text of --help, from the table of options and from those of the workloads' parameters. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "engine/core/parameter.h"
#include "option_table.h"
#include "parameters.h"

enum { WIDTH = 80, INDENT = 28, TEXT_SIZE = 768, FACT_SIZE = 256 };

/* The workloads' own options come where the output's storage has been said. */
static const char before_parameters[] = "layout";

/* What the reader learns about one option, of the engine or of workloads. */
typedef struct entry {
    const char *name;
    char letter;
    const char *argument, *help;
    char accepted[FACT_SIZE + 8], preset[FACT_SIZE]; /* empty: nothing to say */
} entry;

/* What follows the option's name: " LIST", or "[=WHAT]". */
static void print_usage(FILE *out, const entry *e)
{
    char usage[64];
    const char *argument = e->argument != NULL ? e->argument : "";
    const char *before = e->argument == NULL ? "" : argument[0] == '[' ? "[=" : " ";
    const char letter[] = {e->letter != 0 ? '-' : ' ', e->letter != 0 ? e->letter : ' ',
                           e->letter != 0 ? ',' : ' ', '\0'};
    snprintf(usage, sizeof usage, "  %s --%s%s%s", letter, e->name, before,
             argument + (argument[0] == '['));
    fprintf(out, "%-*s", INDENT - 2, usage);
    fputs(strlen(usage) > INDENT - 2 ? "\n" : "  ", out);
    if (strlen(usage) > INDENT - 2) {
        fprintf(out, "%*s", INDENT, "");
    }
}

/* Lines break at blanks, and behind the bars of a long choice. */
static void print_wrapped(FILE *out, const char *text)
{
    size_t column = INDENT;
    bool blank = false;
    while (*text != '\0') {
        size_t word = strcspn(text, " |");
        word += text[word] == '|';
        if (column > INDENT && column + blank + word > WIDTH) {
            fprintf(out, "\n%*s", INDENT, "");
            column = INDENT;
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

static void print_entry(FILE *out, const entry *e)
{
    char text[TEXT_SIZE];
    snprintf(text, sizeof text, "%s%s%s%s%s%s", e->help, e->accepted[0] != '\0' ? "; " : "",
             e->accepted, e->preset[0] != '\0' ? " (default: " : "", e->preset,
             e->preset[0] != '\0' ? ")" : "");
    print_usage(out, e);
    print_wrapped(out, text);
}

static void print_option(FILE *out, const td_option *o)
{
    entry e = {.name = o->name, .letter = o->letter, .argument = o->argument, .help = o->help};
    char room[TD_WORDS_SIZE];
    const char *words = td_option_words(o, room);
    if (words != NULL) {
        snprintf(e.accepted, sizeof e.accepted, "one of %s", words);
    } else if (o->argument != NULL && o->high > 0 && o->high < UINT64_MAX) {
        snprintf(e.accepted, sizeof e.accepted, "%llu..%llu", (unsigned long long)o->low,
                 (unsigned long long)o->high);
    }
    snprintf(e.preset, sizeof e.preset, "%s", o->preset != NULL ? o->preset : "");
    print_entry(out, &e);
}

/* ---- parameters of workloads ---- */

typedef void fact_fn(const td_parameter *row, char text[FACT_SIZE]);

static void preset_of(const td_parameter *row, char text[FACT_SIZE])
{
    snprintf(text, FACT_SIZE, "%s", row->preset);
}

static void accepted_of(const td_parameter *row, char text[FACT_SIZE])
{
    td_parameter_accepted(row, text, FACT_SIZE);
}

static bool all_agree(const td_parameter *parameter, fact_fn *fact)
{
    char one[FACT_SIZE], other[FACT_SIZE];
    fact(parameter, one);
    for (size_t w = 0; w < td_workload_count; w++) {
        const td_parameter *row = td_workload_parameter(td_workloads[w], parameter->name);
        if (row != NULL) {
            fact(row, other);
            if (strcmp(one, other) != 0) {
                return false;
            }
        }
    }
    return true;
}

/* "100" where all workloads with the parameter say so, else the names with what each says. */
static void describe(const td_parameter *parameter, fact_fn *fact, char text[FACT_SIZE])
{
    char one[FACT_SIZE];
    size_t used = 0;
    if (all_agree(parameter, fact)) {
        fact(parameter, text);
        return;
    }
    for (size_t w = 0; w < td_workload_count && used < FACT_SIZE; w++) {
        const td_parameter *row = td_workload_parameter(td_workloads[w], parameter->name);
        if (row != NULL) {
            fact(row, one);
            used += (size_t)snprintf(text + used, FACT_SIZE - used, "%s%s %s", used > 0 ? ", " : "",
                                     td_workloads[w]->name, one);
        }
    }
}

static void print_parameter(FILE *out, const td_parameter *p)
{
    entry e = {.name = p->name, .argument = p->argument, .help = p->help};
    char accepted[FACT_SIZE];
    describe(p, accepted_of, accepted);
    snprintf(e.accepted, sizeof e.accepted, "%s%s", p->kind == TD_PARAMETER_CHOICE ? "one of " : "",
             accepted);
    describe(p, preset_of, e.preset);
    print_entry(out, &e);
}

static void print_options(FILE *out)
{
    for (size_t i = 0; i < td_option_count; i++) {
        print_option(out, &td_option_table[i]);
        if (strcmp(td_option_table[i].name, before_parameters) == 0) {
            for (size_t p = 0; td_parameter_option(p) != NULL; p++) {
                print_parameter(out, td_parameter_option(p));
            }
        }
    }
}

void td_help_print(FILE *out)
{
    fputs("Usage: tribench [OPTION]...\n"
          "Run and time maps of thread blocks on triangular and tetrahedral domains.\n\n"
          "  tribench --strategy paper --n 8192\n"
          "  tribench -s all -w all -n 1024:30720:1024 -o sweep.json\n\n",
          out);
    print_options(out);
    fputs("\nA LIST is comma-separated; numbers in it may be ranges start:stop:step.\n"
          "Exit status: 0 every run ok, 1 a run failed or the result could not be written,\n"
          "2 usage, 3 a verification failed, 4 engine or device not there, 5 out of memory,\n"
          "128+signal when interrupted.\n",
          out);
}
