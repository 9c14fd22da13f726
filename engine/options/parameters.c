#include "parameters.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/core/span.h"
#include "option_table.h"
#include "strategies/triangle.h"

const td_parameter *td_parameter_named(const char *name)
{
    const td_parameter *row = NULL;
    for (size_t w = 0; w < td_workload_count && row == NULL; w++) {
        row = td_workload_parameter(td_workloads[w], name);
    }
    return row;
}

const td_parameter *td_parameter_option(size_t i)
{
    for (size_t w = 0; w < td_workload_count; w++) {
        for (size_t p = 0; p < td_workloads[w]->parameter_count; p++) {
            const td_parameter *row = &td_workloads[w]->parameters[p];
            if (td_parameter_named(row->name) == row && i-- == 0) {
                return row;
            }
        }
    }
    return NULL;
}

/* ---- values ---- */

static td_status keep(const td_given *given, td_span name, const char *text)
{
    return td_keep_setting(given, name, text, &given->options->settings,
                           &given->options->setting_count);
}

td_status td_take_parameter(const td_given *given)
{
    return keep(given, td_span_of(given->option->name), given->value);
}

static td_status take_file(const td_given *given)
{
    char **const path = td_field_of(given);
    free(*path);
    *path = strdup(given->value);
    return *path == NULL             ? td_reject_memory(given)
           : given->value[0] != '\0' ? TD_OK
                                     : td_reject(given, given->value, "%s", "FILE");
}

/* The parameters of strategies have values as some options do. */
static const td_option of_strategies[] = {
    {.name = "set " TD_GROUP_PARAMETER,
     .take = td_take_list,
     .offset = offsetof(td_options, groups),
     .sides = 1,
     .low = 1,
     .high = TD_TRIANGLE_32},
    {.name = "set " TD_ORDER_PARAMETER,
     .take = td_take_words,
     .offset = offsetof(td_options, orders),
     .words = TD_ORDER_WORDS,
     .help = "the order of the rows that a map looks up"},
    {.name = "set " TD_TABLE_PARAMETER, .take = take_file, .offset = offsetof(td_options, table)},
    {.name = "set " TD_LENGTHS_PARAMETER,
     .take = take_file,
     .offset = offsetof(td_options, lengths)},
};
enum { OF_STRATEGIES = sizeof of_strategies / sizeof of_strategies[0] };

static const char *name_of(const td_option *of_strategy)
{
    return of_strategy->name + strlen("set ");
}

/* NULL: it is none of a strategy. */
static const td_option *of_strategy(td_span name)
{
    for (size_t i = 0; i < OF_STRATEGIES; i++) {
        if (td_span_is(name, name_of(&of_strategies[i]))) {
            return &of_strategies[i];
        }
    }
    return NULL;
}

static td_status add_setting(const td_given *given, td_span name, td_span value)
{
    char *text = strndup(value.text, value.length);
    const td_option *own = of_strategy(name);
    const td_status status = text == NULL ? td_reject_memory(given)
                             : own != NULL
                                 ? own->take(&(td_given){own, text, given->options, given->error})
                                 : keep(given, name, text);
    free(text);
    return status;
}

/* A value ends at the last comma before the next "=": it may be a list. */
td_status td_take_set(const td_given *given)
{
    td_span rest = td_span_of(given->value);
    while (rest.text != NULL) {
        const td_span name = td_span_until(&rest, '=');
        if (rest.text == NULL || name.length == 0) {
            return td_reject(given, given->value, "%s", given->option->argument);
        }
        td_span value = rest;
        const char *next = memchr(rest.text, '=', rest.length);
        const char *comma =
            next != NULL ? memrchr(rest.text, ',', (size_t)(next - rest.text)) : NULL;
        rest = comma != NULL ? td_span_of(comma + 1) : (td_span){NULL, 0};
        value.length -= comma != NULL ? rest.length + 1 : 0;
        TRY(add_setting(given, name, value));
    }
    return TD_OK;
}

/* ---- checks ---- */

static td_status reject_name(const char *name, td_error *error)
{
    td_suggestion best = {0};
    const td_parameter *known;
    for (size_t i = 0; i < OF_STRATEGIES; i++) {
        td_suggest(&best, td_span_of(name), td_span_of(name_of(&of_strategies[i])));
    }
    for (size_t p = 0; (known = td_parameter_option(p)) != NULL; p++) {
        td_suggest(&best, td_span_of(name), td_span_of(known->name));
    }
    return td_fail(error, TD_USAGE, "--set: unknown parameter '%s'%s (see --list workloads)",
                   td_show_value(td_span_of(name)).text, td_suggest_text(&best).text);
}

/* It is enough if one selected workload accepts the word: the others say in the sweep why they do not. */
static td_status check_word(const td_options *options, const char *name, const char *word,
                            td_error *error)
{
    td_status status = TD_OK;
    for (size_t w = 0; w < options->workload_count; w++) {
        td_value value;
        const td_parameter *row = td_workload_parameter(options->workloads[w].workload, name);
        if (row != NULL &&
            td_parameter_read(row, word, &value, status == TD_OK ? error : NULL) == TD_OK) {
            return TD_OK;
        }
        status = row != NULL ? TD_USAGE : status; /* with the first one's sentence */
    }
    return status;
}

td_status td_parameters_check(const td_options *options, td_error *error)
{
    for (size_t s = 0; s < options->setting_count; s++) {
        char word[TD_WORD_SIZE];
        const char *name = options->settings[s].name, *text = options->settings[s].text;
        const td_parameter *parameter = td_parameter_named(name);
        if (parameter == NULL) {
            return reject_name(name, error);
        }
        if (parameter->is_tuned && strcmp(text, "all") == 0) {
            continue; /* each workload takes all of its own words */
        }
        for (size_t k = 0; td_parameter_word(parameter, text, k, word); k++) {
            if (strlen(word) == TD_WORD_SIZE - 1) { /* it may have been cut */
                return td_fail(error, TD_USAGE, "--%s: '%s...' is too long",
                               td_parameter_label(name).text, word);
            }
            TRY(check_word(options, name, word, error));
        }
    }
    return TD_OK;
}

/* ---- words for a parameter ---- */

td_shown td_parameter_label(const char *name)
{
    td_shown label;
    snprintf(label.text, sizeof label.text, "%s%s", td_option_named(name) != NULL ? "" : "set ",
             name);
    return label;
}

td_status td_parameter_read(const td_parameter *parameter, const char *word, td_value *value,
                            td_error *error)
{
    const td_shown label = td_parameter_label(parameter->name);
    td_parameter row = *parameter;
    row.name = label.text;
    return td_parameter_parse(&row, word, value, error);
}
