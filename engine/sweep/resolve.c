#include "resolve.h"

#include "engine/core/parameter.h"
#include "engine/options/parameters.h"

/* The text given for a parameter; NULL: none. --tune leaves open what is not given. */
static const char *given_for(const td_options *options, const td_parameter *parameter)
{
    const char *word = td_options_word(options, parameter->name);
    return word == NULL && options->tune && parameter->is_tuned ? "all" : word;
}

static size_t count_words(const td_parameter *parameter, const char *given)
{
    char word[TD_WORD_SIZE];
    size_t count = 1; /* there is always a first word, which may be empty */
    while (td_parameter_word(parameter, given, count, word)) {
        count++;
    }
    return count;
}

size_t td_parameters_combinations(const td_options *options, const td_workload *workload)
{
    size_t combinations = 1;
    for (size_t p = 0; p < workload->parameter_count; p++) {
        const char *given = given_for(options, &workload->parameters[p]);
        combinations *= given != NULL ? count_words(&workload->parameters[p], given) : 1;
    }
    return combinations;
}

static td_status read_words(const td_options *options, size_t combination,
                            const td_workload *workload, td_value values[TD_PARAMETERS],
                            td_error *error)
{
    for (size_t p = 0; p < workload->parameter_count; p++) {
        const td_parameter *parameter = &workload->parameters[p];
        const char *given = given_for(options, parameter);
        char word[TD_WORD_SIZE];
        if (given == NULL) {
            continue;
        }
        const size_t count = count_words(parameter, given);
        (void)td_parameter_word(parameter, given, combination % count, word);
        combination /= count;
        if (td_parameter_read(parameter, word, &values[p], error) != TD_OK) {
            const td_error expected = *error;
            return td_fail(error, TD_USAGE, "%s: %s", workload->name, expected.text);
        }
    }
    return TD_OK;
}

td_status td_parameters_resolve(const td_options *options, size_t combination,
                                const td_workload *workload, td_problem *problem,
                                const td_workload **variant, td_error *error)
{
    const char *why = NULL;
    *variant = workload;
    td_parameters_preset(workload, problem->parameters);
    TRY(read_words(options, combination, workload, problem->parameters, error));
    const td_workload *chosen = td_workload_variant(workload, problem, &why);
    if (chosen == NULL) {
        return td_fail(error, TD_USAGE, "%s", why);
    }
    *variant = chosen;
    return TD_OK;
}
