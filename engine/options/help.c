/* help.c - the text of --help, made from the table of options and from the parameters of workloads. */
#include <stdio.h>
#include <string.h>

#include "engine/core/parameter.h"
#include "option_table.h"
#include "parameters.h"

enum { WIDTH = 80, INDENT = 30, FACT_SIZE = 256, TEXT_SIZE = 1024 };

static const char *const titles[] = {
    [TD_GROUP_RUN] = "What to run",           [TD_GROUP_MEASURE] = "How to measure",
    [TD_GROUP_FILES] = "Input and output",    [TD_GROUP_PARAMETERS] = "Parameters of workloads",
    [TD_GROUP_CLUSTERS] = "Clusters",         [TD_GROUP_TUNING] = "Tuning",
    [TD_GROUP_INSTEAD] = "Instead of running"};

/* What help says of an option. */
typedef struct description {
    const char *name;
    char letter;          /* of the short option, or 0 */
    const char *argument; /* "LIST"; "[WHAT]": may be left out; NULL: takes none */
    const char *help, *brief;
    char accepted[FACT_SIZE + 8], preset[FACT_SIZE]; /* empty: nothing to say */
} description;

/* ---- options of the table ---- */

static description describe_row(const td_option *o)
{
    char room[TD_WORDS_SIZE];
    const char *words = td_option_words(o, room);
    description d = {.name = o->name,
                     .letter = o->letter,
                     .argument = o->argument,
                     .help = o->help,
                     .brief = o->brief};
    snprintf(d.preset, sizeof d.preset, "%s", o->preset != NULL ? o->preset : "");
    if (words != NULL) {
        snprintf(d.accepted, sizeof d.accepted, "one of %s", words);
    } else if (o->argument != NULL && o->high > 0 && o->high < UINT64_MAX) {
        snprintf(d.accepted, sizeof d.accepted, "%llu..%llu", (unsigned long long)o->low,
                 (unsigned long long)o->high);
    }
    return d;
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

/* The fact alone, such as "100", if all workloads with the parameter agree; otherwise the name of each with its
 * fact. */
static void describe_fact(const td_parameter *parameter, fact_fn *fact, char text[FACT_SIZE])
{
    char one[FACT_SIZE], other[FACT_SIZE];
    size_t used = 0;
    bool all_agree = true;
    fact(parameter, one);
    for (size_t w = 0; w < td_workload_count; w++) {
        const td_parameter *row = td_workload_parameter(td_workloads[w], parameter->name);
        if (row == NULL) {
            continue;
        }
        fact(row, other);
        all_agree = all_agree && strcmp(one, other) == 0;
        if (used < FACT_SIZE) {
            used += (size_t)snprintf(text + used, FACT_SIZE - used, "%s%s%s %s",
                                     used > 0 ? ", " : "", td_workloads[w]->name,
                                     td_workloads[w]->dimension == 3 ? " in 3D" : "", other);
        }
    }
    if (all_agree) {
        snprintf(text, FACT_SIZE, "%s", one);
    }
}

static void describe_parameter(const td_parameter *p, description *d)
{
    char accepted[FACT_SIZE];
    d->help = p->help;
    describe_fact(p, accepted_of, accepted);
    snprintf(d->accepted, sizeof d->accepted, "%s%s",
             p->kind == TD_PARAMETER_CHOICE ? "one of " : "", accepted);
    describe_fact(p, preset_of, d->preset);
}

/* ---- the text ---- */

/* Print what is typed, and go to the column of the text. */
static void print_column(FILE *out, const char *usage)
{
    fprintf(out, "%-*s", INDENT - 2, usage);
    fputs(strlen(usage) > INDENT - 2 ? "\n" : "  ", out);
    if (strlen(usage) > INDENT - 2) {
        fprintf(out, "%*s", INDENT, "");
    }
}

/* Print the option's usage, with " LIST" or "[=WHAT]" after its name. */
static void print_usage(FILE *out, const description *d)
{
    char usage[64];
    const bool has_letter = d->letter != 0;
    const bool may_be_left_out = d->argument != NULL && d->argument[0] == '[';
    snprintf(usage, sizeof usage, "  %c%c%c --%s%s%s", has_letter ? '-' : ' ',
             has_letter ? d->letter : ' ', has_letter ? ',' : ' ', d->name,
             d->argument == NULL ? ""
             : may_be_left_out   ? "[="
                                 : " ",
             d->argument == NULL ? "" : d->argument + may_be_left_out);
    print_column(out, usage);
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

static void print_text(FILE *out, const description *d, td_help what)
{
    char text[TEXT_SIZE];
    const char *before = d->preset[0] != '\0' ? " (default: " : "";
    const char *after = d->preset[0] != '\0' ? ")" : "";
    if (what == TD_HELP_ALL) {
        snprintf(text, sizeof text, "%s%s%s%s%s%s", d->help, d->accepted[0] != '\0' ? "; " : "",
                 d->accepted, before, d->preset, after);
    } else {
        snprintf(text, sizeof text, "%s%s%s%s", d->brief, before, d->preset, after);
    }
    print_wrapped(out, INDENT, INDENT, text);
}

static void print_option(FILE *out, const td_option *o, td_help what)
{
    description d = describe_row(o);
    if (o->help == NULL) {
        describe_parameter(td_parameter_named(o->name), &d);
    }
    print_usage(out, &d);
    print_text(out, &d, what);
}

/* The parameters that have no option of their own: "rule=ABCD". */
static void print_parameters(FILE *out)
{
    for (size_t p = 0; td_parameter_option(p) != NULL; p++) {
        const td_parameter *parameter = td_parameter_option(p);
        char usage[64];
        description d = {.name = parameter->name};
        if (td_option_named(parameter->name) == NULL) {
            describe_parameter(parameter, &d);
            snprintf(usage, sizeof usage, "        %s=%s", parameter->name, parameter->argument);
            print_column(out, usage);
            print_text(out, &d, TD_HELP_ALL);
        }
    }
}

/* Print the groups in order, each with the options that this help shows. */
static void print_options(FILE *out, td_help what)
{
    int group = -1;
    for (size_t i = 0; i < td_option_count; i++) {
        const td_option *o = &td_option_table[i];
        if (what == TD_HELP_USUAL && o->brief == NULL) {
            continue;
        }
        if ((int)o->group != group) {
            group = (int)o->group;
            fprintf(out, "%s%s:\n", what == TD_HELP_ALL ? "\n" : "", titles[group]);
        }
        print_option(out, o, what);
        if (o->parse == td_parse_set) {
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
        print_wrapped(out, 0, 0,
                      "Exit status: 0 every run ok, 1 a run failed or the result could not be "
                      "written, 2 usage, 3 a verification failed, 4 engine or device not there, 5 "
                      "out of memory, 128+signal when interrupted.");
    } else {
        fprintf(out, "These are the usual ones of %zu options: see tribench --help=all.\n",
                td_option_count);
    }
}
