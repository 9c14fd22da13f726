#include "unused_options.h"

#include <stdio.h>
#include <string.h>

#include "engine/core/error.h"
#include "engine/options/parameters.h"

typedef struct name_list {
    char text[128];
} name_list;

static void append(name_list *names, const char *name)
{
    const size_t used = strlen(names->text);
    snprintf(names->text + used, sizeof names->text - used, "%s%s", used > 0 ? ", " : "", name);
}

static td_status reject(const char *option, const char *kind, const name_list *takers,
                        td_error *error)
{
    return td_fail(error, TD_USAGE, "--%s: no selected %s takes it; these do: %s", option, kind,
                   takers->text);
}

/* ---- parameters of workloads ---- */

static bool has_taker(const td_sweep *sweep, const char *parameter)
{
    for (size_t r = 0; r < sweep->run_count; r++) {
        if (td_workload_parameter(sweep->runs[r].workload, parameter) != NULL) {
            return true;
        }
    }
    return false;
}

/* A name may stand for two workloads, in 2D and in 3D. */
static name_list workloads_with(const char *parameter)
{
    name_list names = {""};
    for (size_t w = 0; w < td_workload_count; w++) {
        const td_workload *workload = td_workloads[w];
        if (td_workload_parameter(workload, parameter) != NULL &&
            td_workload_find(workload->name, 0) == workload) {
            append(&names, workload->name);
        }
    }
    return names;
}

/* Where workloads without a parameter cannot follow its values, they have said so themselves, and the default is what
 * they do. */
static td_status check_parameter(const td_parameter *parameter, const td_sweep *sweep,
                                 td_error *error)
{
    if (parameter->lacking != NULL || has_taker(sweep, parameter->name)) {
        return TD_OK;
    }
    const name_list takers = workloads_with(parameter->name);
    return reject(parameter->name, "workload", &takers, error);
}

/* ---- options that only some strategies take ---- */

typedef struct special_option {
    const char *name;
    bool (*is_taken)(const td_strategy *strategy);
} special_option;

static bool divides_down_to_cutoff(const td_strategy *strategy)
{
    return strategy->uses_cutoff;
}

static const special_option special_options[] = {{"cutoff", divides_down_to_cutoff}};

static td_status check_special(const special_option *option, const td_sweep *sweep, td_error *error)
{
    name_list takers = {""};
    for (size_t r = 0; r < sweep->run_count; r++) {
        if (option->is_taken(sweep->runs[r].strategy)) {
            return TD_OK;
        }
    }
    for (size_t s = 0; s < td_strategy_count; s++) {
        if (option->is_taken(td_strategies[s])) {
            append(&takers, td_strategies[s]->name);
        }
    }
    return reject(option->name, "strategy", &takers, error);
}

td_status td_check_unused_options(const td_options *options, const td_sweep *sweep, td_error *error)
{
    for (size_t s = 0; s < options->setting_count; s++) {
        TRY(check_parameter(td_parameter_named(options->settings[s].name), sweep, error));
    }
    for (size_t i = 0; i < sizeof special_options / sizeof special_options[0]; i++) {
        if (td_option_is_given(options, special_options[i].name)) {
            TRY(check_special(&special_options[i], sweep, error));
        }
    }
    return TD_OK;
}
