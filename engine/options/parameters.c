#include "parameters.h"

#include <string.h>

#include "engine/core/parameter.h"
#include "engine/core/vector.h"

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
        if (td_parameter_parse(row, word, &value, says ? error : NULL) == TD_OK) {
            return TD_OK;
        }
        most = choices > most ? choices : most;
        status = TD_USAGE;
    }
    return status;
}

td_status td_parameter_give(const char *name, const char *given, td_options *options,
                            td_error *error)
{
    char word[TD_WORD_SIZE];
    for (size_t k = 0; td_parameter_word(td_parameter_named(name), given, k, word); k++) {
        if (strlen(word) == TD_WORD_SIZE - 1) { /* it may have been cut */
            return td_fail(error, TD_USAGE, "--%s: '%s...' is too long", name, word);
        }
        TRY(check_word(name, word, error));
    }
    for (size_t s = 0; s < options->setting_count; s++) {
        if (strcmp(options->settings[s].name, name) == 0) {
            options->settings[s].word = given;
            return TD_OK;
        }
    }
    const td_setting setting = {name, given};
    return td_vector_add(&options->settings, &options->setting_count, sizeof setting, &setting)
               ? TD_OK
               : td_fail(error, TD_NO_MEMORY, "not enough memory for the value of --%s", name);
}
