#include "parameters.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/core/error.h"
#include "engine/core/parameter.h"
#include "engine/core/suggest.h"
#include "engine/core/vector.h"
#include "option_table.h"

/* The parameters of all workloads. Each name occurs once, with its first row, in the order of the workloads. */
typedef struct parameter_list {
    const td_parameter *rows[TD_WORKLOADS_MOST * TD_PARAMETERS];
    size_t count;
    size_t workloads; /* the number of workloads that are in the list */
} parameter_list;

static const td_parameter *find(const parameter_list *list, const char *name)
{
    for (size_t i = 0; i < list->count; i++) {
        if (strcmp(list->rows[i]->name, name) == 0) {
            return list->rows[i];
        }
    }
    return NULL;
}

/* Built on the first call, and extended when workloads have been added, while there is only one thread. */
static const parameter_list *parameters(void)
{
    static parameter_list list;
    for (; list.workloads < td_workload_count; list.workloads++) {
        const size_t w = list.workloads;
        for (size_t p = 0; p < td_workloads[w]->parameter_count; p++) {
            const td_parameter *row = &td_workloads[w]->parameters[p];
            if (find(&list, row->name) == NULL) {
                list.rows[list.count++] = row;
            }
        }
    }
    return &list;
}

const td_parameter *td_parameter_named(const char *name)
{
    return find(parameters(), name);
}

const td_parameter *td_parameter_option(size_t i)
{
    return i < parameters()->count ? parameters()->rows[i] : NULL;
}

/* ---- values ---- */

void td_parameter_label(const char *name, char label[TD_WORD_SIZE])
{
    snprintf(label, TD_WORD_SIZE, "%s%s", td_option_named(name) != NULL ? "" : "set ", name);
}

/* Keep a value, of `length` bytes. If it is given twice, the last one counts. */
static td_status keep(td_options *options, td_span name, td_span value, td_error *error)
{
    td_setting setting = {strndup(name.text, name.length), strndup(value.text, value.length)};
    for (size_t s = 0; s < options->setting_count; s++) {
        if (td_span_is(name, options->settings[s].name) && setting.word != NULL) {
            free(setting.name);
            free(options->settings[s].word);
            options->settings[s].word = setting.word;
            return TD_OK;
        }
    }
    if (setting.name != NULL && setting.word != NULL &&
        td_vector_add(&options->settings, &options->setting_count, sizeof setting, &setting)) {
        return TD_OK;
    }
    free(setting.name);
    free(setting.word);
    return td_fail(error, TD_NO_MEMORY, "not enough memory for the values of --set");
}

td_status td_parse_parameter(const td_option *option, const char *value, td_options *options,
                             td_error *error)
{
    return keep(options, td_span_of(option->name), td_span_of(value), error);
}

td_status td_parse_set(const td_option *option, const char *value, td_options *options,
                       td_error *error)
{
    for (td_span rest = td_span_of(value); rest.text != NULL;) {
        td_span word = td_span_until(&rest, ',');
        const td_span name = td_span_until(&word, '=');
        if (word.text == NULL || name.length == 0) {
            return td_fail(error, TD_USAGE, "--%s: expected %s, got '%s'", option->name,
                           option->argument, td_show_value(td_span_of(value)).text);
        }
        TRY(keep(options, name, word, error));
    }
    return TD_OK;
}

/* ---- checks ---- */

/* Reject a name that no workload has; the message lists the parameters of the selected workloads. */
static td_status reject_name(const td_options *options, const char *name, td_error *error)
{
    char names[256] = "";
    td_suggestion best = {0};
    for (size_t p = 0; td_parameter_option(p) != NULL; p++) {
        const char *known = td_parameter_option(p)->name;
        bool is_selected = false;
        for (size_t w = 0; w < options->workload_count && !is_selected; w++) {
            is_selected = td_workload_parameter(options->workloads[w].workload, known) != NULL;
        }
        td_suggest(&best, td_span_of(name), td_span_of(known));
        if (is_selected) {
            const size_t used = strlen(names);
            snprintf(names + used, sizeof names - used, "%s%s", used > 0 ? ", " : "", known);
        }
    }
    return td_fail(
        error, TD_USAGE, "--set: unknown parameter '%s'%s (%s%s)",
        td_show_value(td_span_of(name)).text, td_suggest_text(&best).text,
        names[0] != '\0' ? "the selected workloads have " : "no selected workload has any", names);
}

/*
 * It is enough if one workload accepts the word: the others say in the sweep why they do not. The error comes from the
 * workload with the most choices, or else from the first one.
 */
static td_status check_word(const char *name, const char *word, td_error *error)
{
    td_status status = TD_OK;
    uint64_t most = 0;
    for (size_t w = 0; w < td_workload_count; w++) {
        td_value value;
        const td_parameter *row = td_workload_parameter(td_workloads[w], name);
        if (row == NULL) {
            continue;
        }
        const uint64_t choices = row->kind == TD_PARAMETER_CHOICE ? td_parameter_choices(row) : 0;
        const bool says = status == TD_OK || choices > most;
        if (td_parameter_read(row, word, &value, says ? error : NULL) == TD_OK) {
            return TD_OK;
        }
        most = choices > most ? choices : most;
        status = TD_USAGE;
    }
    return status;
}

td_status td_parameters_check(const td_options *options, td_error *error)
{
    char word[TD_WORD_SIZE], label[TD_WORD_SIZE];
    for (size_t s = 0; s < options->setting_count; s++) {
        const td_setting *setting = &options->settings[s];
        const td_parameter *parameter = td_parameter_named(setting->name);
        if (parameter == NULL) {
            return reject_name(options, setting->name, error);
        }
        td_parameter_label(setting->name, label);
        for (size_t k = 0; td_parameter_word(parameter, setting->word, k, word); k++) {
            if (strlen(word) == TD_WORD_SIZE - 1) { /* it may have been cut */
                return td_fail(error, TD_USAGE, "--%s: '%s...' is too long", label, word);
            }
            TRY(check_word(setting->name, word, error));
        }
    }
    return TD_OK;
}

td_status td_parameter_read(const td_parameter *parameter, const char *word, td_value *value,
                            td_error *error)
{
    char label[TD_WORD_SIZE];
    td_parameter row = *parameter;
    td_parameter_label(parameter->name, label);
    row.name = label;
    return td_parameter_parse(&row, word, value, error);
}

void td_setting_text(const char *name, const char *word, char text[TD_SETTING_SIZE])
{
    const bool is_option = td_option_named(name) != NULL;
    snprintf(text, TD_SETTING_SIZE, "--%s%s%s%s", is_option ? "" : "set ", name,
             is_option ? " " : "=", word);
}

void td_settings_free(td_options *options)
{
    for (size_t s = 0; s < options->setting_count; s++) {
        free(options->settings[s].name);
        free(options->settings[s].word);
    }
    free(options->settings);
}
