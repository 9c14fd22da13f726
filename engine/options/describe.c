#include "describe.h"

#include <stdio.h>
#include <string.h>

#include "engine/core/parameter.h"
#include "engine/core/suggest.h"
#include "name_lists.h"
#include "parameters.h"

const char td_about[] = "Run and time maps of thread blocks on triangular and tetrahedral domains.";
const char td_about_lists[] =
    "A LIST is a,b,...; numbers may be ranges start:stop:step or start:stop:*factor.";
const char *const td_examples[] = {"tribench -s bb,ltm-i,rb-b -w edm4 -n 8192",
                                   "tribench -s all -w all -n 1024:30720:1024 -o sweep.json", NULL};
static const char *const titles[] = {
    [TD_GROUP_RUN] = "What to run",           [TD_GROUP_MEASURE] = "How to measure",
    [TD_GROUP_FILES] = "Input and output",    [TD_GROUP_AUTOMATA] = "Automata",
    [TD_GROUP_CLUSTERS] = "Clusters",         [TD_GROUP_TUNING] = "Tuning",
    [TD_GROUP_INSTEAD] = "Instead of running"};

const char *td_group_title(td_option_group group)
{
    return titles[group];
}

const td_exit_status td_exit_statuses[] = {
    {"0", "every run ok"},
    {"1", "a run failed or the result could not be written"},
    {"2", "usage"},
    {"3", "a verification failed"},
    {"4", "engine or device not there"},
    {"5", "out of memory"},
    {"128+signal", "when interrupted"},
    {NULL, NULL},
};

/* ---- words ---- */

/* A workload in 2D and one in 3D may have the same name; it is added once. */
static void add_word(char words[TD_ALL_WORDS_SIZE], const char *word)
{
    const size_t used = strlen(words);
    if (td_place_of(word, words, NULL) >= 0) {
        return;
    }
    snprintf(words + used, TD_ALL_WORDS_SIZE - used, "%s%s", used > 0 ? "|" : "", word);
}

static void add_strategies(char words[TD_ALL_WORDS_SIZE])
{
    for (size_t i = 0; i < td_strategy_count; i++) {
        add_word(words, td_strategies[i]->name);
        if (td_strategies[i]->alias != NULL) {
            add_word(words, td_strategies[i]->alias);
        }
    }
}

static void add_workloads(char words[TD_ALL_WORDS_SIZE])
{
    for (size_t i = 0; i < td_workload_count; i++) {
        add_word(words, td_workloads[i]->name);
    }
}

static void describe_names(const td_option *o, td_description *d)
{
    if (o->parse == td_parse_strategies) {
        add_word(d->words, td_strategy_sets);
        add_strategies(d->words);
    } else if (o->parse == td_parse_workloads) {
        add_word(d->words, td_workload_sets);
        add_workloads(d->words);
    } else if (o->parse == td_parse_baseline) {
        add_word(d->words, "none");
        add_strategies(d->words);
    }
    d->is_list = o->parse == td_parse_strategies || o->parse == td_parse_workloads;
}

static td_takes takes(const char *argument)
{
    return argument[0] == '\0'                 ? TD_TAKES_NOTHING
           : strncmp(argument, "FILE", 4) == 0 ? TD_TAKES_FILE
           : strncmp(argument, "DIR", 3) == 0  ? TD_TAKES_FOLDER
                                               : TD_TAKES_TEXT;
}

/* ---- options of the table ---- */

/* Copy the argument; "[WHAT]" loses its brackets. */
static void describe_argument(const char *argument, td_description *d)
{
    d->may_be_left_out = argument != NULL && argument[0] == '[';
    if (argument != NULL) {
        snprintf(d->argument, sizeof d->argument, "%s", argument + d->may_be_left_out);
        d->argument[strlen(d->argument) - d->may_be_left_out] = '\0';
    }
    d->takes = takes(d->argument);
}

static void describe_row(const td_option *o, td_description *d)
{
    char room[TD_WORDS_SIZE];
    const char *words = td_option_words(o, room);
    d->name = o->name;
    d->letter = o->letter;
    d->help = o->help;
    d->group = o->group;
    d->brief = o->brief;
    describe_argument(o->argument, d);
    snprintf(d->preset, sizeof d->preset, "%s", o->preset != NULL ? o->preset : "");
    if (words != NULL) {
        snprintf(d->accepted, sizeof d->accepted, "one of %s", words);
        add_word(d->words, words);
    } else if (o->argument != NULL && o->high > 0 && o->high < UINT64_MAX) {
        snprintf(d->accepted, sizeof d->accepted, "%llu..%llu", (unsigned long long)o->low,
                 (unsigned long long)o->high);
    }
    describe_names(o, d);
}

/* ---- parameters of workloads ---- */

typedef void fact_fn(const td_parameter *row, char text[TD_FACT_SIZE]);

static void preset_of(const td_parameter *row, char text[TD_FACT_SIZE])
{
    snprintf(text, TD_FACT_SIZE, "%s", row->preset);
}

static void accepted_of(const td_parameter *row, char text[TD_FACT_SIZE])
{
    td_parameter_accepted(row, text, TD_FACT_SIZE);
}

/* The fact alone, such as "100", if all workloads with the parameter agree; otherwise the name of each with its
 * fact. */
static void describe_fact(const td_parameter *parameter, fact_fn *fact, char text[TD_FACT_SIZE])
{
    char one[TD_FACT_SIZE], other[TD_FACT_SIZE];
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
        if (used < TD_FACT_SIZE) {
            used += (size_t)snprintf(text + used, TD_FACT_SIZE - used, "%s%s%s %s",
                                     used > 0 ? ", " : "", td_workloads[w]->name,
                                     td_workloads[w]->dimension == 3 ? " in 3D" : "", other);
        }
    }
    if (all_agree) {
        snprintf(text, TD_FACT_SIZE, "%s", one);
    }
}

/* Add the choices that any workload accepts. */
static void add_choices(const td_parameter *parameter, char words[TD_ALL_WORDS_SIZE])
{
    for (size_t w = 0; w < td_workload_count; w++) {
        const td_parameter *row = td_workload_parameter(td_workloads[w], parameter->name);
        td_span rest = td_span_of(row != NULL ? row->choices : "");
        while (rest.text != NULL && rest.length > 0) {
            const td_span word = td_span_until(&rest, '|');
            char text[TD_VALUE_SIZE];
            snprintf(text, sizeof text, "%.*s", (int)word.length, word.text);
            add_word(words, text);
        }
    }
}

static void describe_parameter(const td_parameter *p, td_description *d)
{
    char accepted[TD_FACT_SIZE];
    d->name = p->name;
    d->help = p->help;
    d->group = TD_GROUP_AUTOMATA;
    describe_argument(p->argument, d);
    describe_fact(p, accepted_of, accepted);
    snprintf(d->accepted, sizeof d->accepted, "%s%s",
             p->kind == TD_PARAMETER_CHOICE ? "one of " : "", accepted);
    describe_fact(p, preset_of, d->preset);
    if (p->kind == TD_PARAMETER_CHOICE) {
        add_choices(p, d->words);
    }
}

/* ---- both ---- */

/* The number of rows before the workloads' own options, which open their chapter. */
static size_t rows_before_parameters(void)
{
    size_t row = 0;
    while (row < td_option_count && td_option_table[row].group < TD_GROUP_AUTOMATA) {
        row++;
    }
    return row;
}

static size_t parameter_count(void)
{
    size_t count = 0;
    while (td_parameter_option(count) != NULL) {
        count++;
    }
    return count;
}

bool td_describe_option(size_t i, td_description *description)
{
    const size_t before = rows_before_parameters(), parameters = parameter_count();
    *description = (td_description){0};
    if (i >= before && i < before + parameters) {
        describe_parameter(td_parameter_option(i - before), description);
        return true;
    }
    const size_t row = i < before ? i : i - parameters;
    if (row >= td_option_count) {
        return false;
    }
    describe_row(&td_option_table[row], description);
    return true;
}

void td_describe_in_words(const td_description *d, char text[TD_SENTENCE_SIZE])
{
    snprintf(text, TD_SENTENCE_SIZE, "%s%s%s%s%s%s", d->help, d->accepted[0] != '\0' ? "; " : "",
             d->accepted, d->preset[0] != '\0' ? " (default: " : "", d->preset,
             d->preset[0] != '\0' ? ")" : "");
}
