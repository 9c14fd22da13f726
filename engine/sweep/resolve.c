#include "resolve.h"

#include "engine/core/parameter.h"

static td_status read_words(const td_options *options, const td_workload *workload,
                            td_value values[TD_PARAMETERS], td_error *error)
{
    for (size_t p = 0; p < workload->parameter_count; p++) {
        const td_parameter *parameter = &workload->parameters[p];
        const char *word = td_options_word(options, parameter->name);
        if (word != NULL && td_parameter_parse(parameter, word, &values[p], error) != TD_OK) {
            const td_error expected = *error;
            return td_fail(error, TD_USAGE, "%s: %s", workload->name, expected.text);
        }
    }
    return TD_OK;
}

td_status td_parameters_resolve(const td_options *options, const td_workload *workload,
                                td_problem *problem, const td_workload **variant, td_error *error)
{
    const char *why = NULL;
    *variant = workload;
    td_parameters_preset(workload, problem->parameters);
    if (options->pattern_rule != 0 && td_workload_takes_input(workload) &&
        workload->input->takes_patterns) {
        problem->parameters[workload->input->rule].count = options->pattern_rule;
    }
    TRY(read_words(options, workload, problem->parameters, error));
    const td_workload *chosen = td_workload_variant(workload, problem, &why);
    if (chosen == NULL) {
        return td_fail(error, TD_USAGE, "%s", why);
    }
    *variant = chosen;
    return TD_OK;
}
