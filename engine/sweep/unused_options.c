#include "unused_options.h"

#include <stdio.h>
#include <string.h>

#include "engine/core/error.h"

/* An option that only some workloads, or only some strategies, take. */
typedef struct special_option {
    const char *name;
    bool (*workload_takes)(const td_workload *workload);
    bool (*strategy_takes)(const td_strategy *strategy);
} special_option;

static bool advances_in_steps(const td_workload *workload)
{
    return workload->generations > 0;
}

static bool has_variants(const td_workload *workload)
{
    return workload->variant != NULL;
}

static bool divides_down_to_cutoff(const td_strategy *strategy)
{
    return strategy->uses_cutoff;
}

static const special_option special_options[] = {
    {"memory", has_variants, NULL},       {"cell", has_variants, NULL},
    {"steps", advances_in_steps, NULL},   {"rule", advances_in_steps, NULL},
    {"density", advances_in_steps, NULL}, {"cutoff", NULL, divides_down_to_cutoff},
};

static bool is_taken(const special_option *option, const td_sweep *sweep)
{
    for (size_t r = 0; r < sweep->run_count; r++) {
        const td_run *run = &sweep->runs[r];
        if (option->workload_takes != NULL ? option->workload_takes(run->workload)
                                           : option->strategy_takes(run->strategy)) {
            return true;
        }
    }
    return false;
}

typedef struct name_list {
    char text[128];
} name_list;

static void append(name_list *names, const char *name)
{
    const size_t used = strlen(names->text);
    snprintf(names->text + used, sizeof names->text - used, "%s%s", used > 0 ? ", " : "", name);
}

static name_list names_of_takers(const special_option *option)
{
    name_list names = {""};
    for (size_t w = 0; option->workload_takes != NULL && w < td_workload_count; w++) {
        if (option->workload_takes(td_workloads[w])) {
            append(&names, td_workloads[w]->name);
        }
    }
    for (size_t s = 0; option->strategy_takes != NULL && s < td_strategy_count; s++) {
        if (option->strategy_takes(td_strategies[s])) {
            append(&names, td_strategies[s]->name);
        }
    }
    return names;
}

static td_status check_one(const special_option *option, const td_sweep *sweep, td_error *error)
{
    if (is_taken(option, sweep)) {
        return TD_OK;
    }
    const char *kind = option->workload_takes != NULL ? "workload" : "strategy";
    return td_fail(error, TD_USAGE, "--%s: no selected %s takes it; these do: %s", option->name,
                   kind, names_of_takers(option).text);
}

td_status td_check_unused_options(const td_options *options, const td_sweep *sweep, td_error *error)
{
    for (size_t i = 0; i < sizeof special_options / sizeof special_options[0]; i++) {
        if (td_option_is_given(options, special_options[i].name)) {
            TRY(check_one(&special_options[i], sweep, error));
        }
    }
    return TD_OK;
}
