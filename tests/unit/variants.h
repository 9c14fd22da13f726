/* variants.h - problems for every workload and every variant that its parameters choose, for tests. */
#ifndef TD_TESTS_UNIT_VARIANTS_H
#define TD_TESTS_UNIT_VARIANTS_H

#include <stdio.h>
#include <string.h>

#include "engine/core/parameter.h"

typedef struct variant {
    const td_workload *workload;
    td_problem problem;
    char name[96];
} variant;

enum { MOST_VARIANTS = 128 };

/* A workload without this parameter is unchanged. */
static inline void set_parameter(const td_workload *workload, td_problem *problem, const char *name,
                                 const char *word)
{
    const td_parameter *p = td_workload_parameter(workload, name);
    td_error error;
    if (p != NULL && td_parameter_parse(p, word, &problem->parameters[p - workload->parameters],
                                        &error) != TD_OK) {
        printf("%s\n", error.text);
    }
}

/* An automaton on the triangle, or on the whole square. */
static inline bool is_flat_automaton(const td_workload *workload)
{
    return workload->automaton != NULL && workload->dimension == 2;
}

static inline void add_variant(const td_workload *workload, td_problem problem, variant *list,
                               size_t *count)
{
    const char *why = NULL;
    variant *v = &list[*count];
    v->workload = td_workload_variant(workload, &problem, &why);
    if (v->workload == NULL) {
        return;
    }
    v->problem = problem;
    snprintf(v->name, sizeof v->name, "%s", workload->name);
    for (size_t p = 0; workload->automaton != NULL && p < workload->parameter_count; p++) {
        const td_shown word = td_parameter_text(&workload->parameters[p], problem.parameters[p]);
        const size_t used = strlen(v->name);
        snprintf(v->name + used, sizeof v->name - used, "/%s", word.text);
    }
    (*count)++;
}

/* All variants of a workload by --memory and --cell; all other parameters are preset. */
static inline size_t all_variants(variant list[MOST_VARIANTS])
{
    size_t count = 0;
    for (size_t w = 0; w < td_workload_count; w++) {
        const td_workload *workload = td_workloads[w];
        td_problem problem = {0};
        td_parameters_preset(workload, problem.parameters);
        const td_parameter *memory = td_workload_parameter(workload, "memory");
        const td_parameter *cell = td_workload_parameter(workload, "cell");
        const uint64_t memories = memory != NULL ? td_parameter_choices(memory) : 1;
        const uint64_t cells = cell != NULL ? td_parameter_choices(cell) : 1;
        for (uint64_t m = memory != NULL; m < memories; m++) {
            for (uint64_t c = cell != NULL; c < cells; c++) {
                if (memory != NULL) {
                    problem.parameters[memory - workload->parameters].count = m;
                }
                if (cell != NULL) {
                    problem.parameters[cell - workload->parameters].count = c;
                }
                add_variant(workload, problem, list, &count);
            }
        }
    }
    return count;
}

#endif
