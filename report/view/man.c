/* man.c - generates the man page. */
#include <string.h>

#include "engine/engine.h"
#include "engine/options/describe.h"
#include "generate.h"
#include "report/build.h"

/* Escape every '-', so that readers can copy it to a command line; and no text may start a roff request. */
static void print_text(FILE *out, const char *text)
{
    fputs(*text == '.' || *text == '\'' ? "\\&" : "", out);
    for (; *text != '\0'; text++) {
        switch (*text) {
        case '-':
            fputs("\\-", out);
            break;
        case '\\':
            fputs("\\e", out);
            break;
        case '|':
            fputs("|\\:", out); /* a long choice may break here */
            break;
        default:
            fputc(*text, out);
        }
    }
}

static void print_line(FILE *out, const char *text)
{
    print_text(out, text);
    fputc('\n', out);
}

static void print_item(FILE *out, const char *name, const char *text)
{
    fputs(".TP\n.B ", out);
    print_line(out, name);
    print_line(out, text);
}

static void print_option(FILE *out, const td_description *d)
{
    char text[TD_SENTENCE_SIZE];
    td_describe_in_words(d, text);
    fputs(".TP\n", out);
    if (d->letter != 0) {
        fprintf(out, "\\fB\\-%c\\fR, ", d->letter);
    }
    fputs("\\fB\\-\\-", out);
    print_text(out, d->name);
    fputs("\\fR", out);
    if (d->argument[0] != '\0') {
        fputs(d->may_be_left_out ? "[=\\fI" : " \\fI", out);
        print_text(out, d->argument);
        fputs(d->may_be_left_out ? "\\fR]" : "\\fR", out);
    }
    fputc('\n', out);
    print_line(out, text);
}

static void print_options(FILE *out)
{
    td_description d;
    fputs(".SH OPTIONS\n", out);
    print_line(out, td_about_lists);
    int group = -1;
    for (size_t i = 0; td_describe_option(i, &d); i++) {
        if ((int)d.group != group) {
            group = (int)d.group;
            fputs(".SS ", out);
            print_line(out, td_group_title(d.group));
        }
        print_option(out, &d);
    }
}

static void print_strategies(FILE *out)
{
    fputs(".SH STRATEGIES\n", out);
    for (size_t i = 0; i < td_strategy_count; i++) {
        const td_strategy *s = td_strategies[i];
        char text[TD_SENTENCE_SIZE], name[64];
        snprintf(name, sizeof name, "%s%s%s", s->name, s->alias != NULL ? ", " : "",
                 s->alias != NULL ? s->alias : "");
        snprintf(text, sizeof text, "%dD: %s; exact up to n = %u %s", s->dimension, s->summary,
                 s->exact_n, s->unit == TD_MAPS_THREADS ? "cells" : "tiles");
        print_item(out, name, text);
    }
}

static void print_workloads(FILE *out)
{
    fputs(".SH WORKLOADS\n", out);
    for (size_t i = 0; i < td_workload_count; i++) {
        const td_workload *w = td_workloads[i];
        char text[TD_SENTENCE_SIZE];
        snprintf(text, sizeof text, "%dD: %s%s%s", w->dimension, w->summary,
                 td_workload_takes_input(w) ? "; input: " : "",
                 td_workload_takes_input(w) ? w->input->takes : "");
        print_item(out, w->name, text);
    }
}

void td_man_print(FILE *out)
{
    const td_build_info *build = td_build();
    fprintf(out, ".TH TRIBENCH 1 \"%s\" \"tribench %s\" \"User Commands\"\n", build->released,
            build->version);
    fputs(".SH NAME\ntribench \\- benchmark of maps from a GPU grid to triangles\n"
          ".SH SYNOPSIS\n.B tribench\n.RI [ OPTION ]...\n.SH DESCRIPTION\n",
          out);
    print_line(out, td_about);
    fputs("Every result is verified before it is timed. Standard output carries the result and\n"
          "nothing else; progress and errors go to standard error.\n",
          out);
    print_options(out);
    print_strategies(out);
    print_workloads(out);
    fputs(".SH EXIT STATUS\n", out);
    for (const td_exit_status *e = td_exit_statuses; e->status != NULL; e++) {
        print_item(out, e->status, e->meaning);
    }
    fputs(".SH EXAMPLES\n.nf\n", out);
    for (const char *const *example = td_examples; *example != NULL; example++) {
        print_line(out, *example);
    }
    fputs(".fi\n", out);
}
