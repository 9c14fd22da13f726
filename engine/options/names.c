/* names.c - the options that take names of strategies and workloads. */
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/compile/own_load.h"
#include "engine/core/suggest.h"
#include "engine/core/vector.h"
#include "option_table.h"

typedef struct choices {
    td_choice *items;
    size_t count;
} choices;

/* Add an item once. What is asked for both by its name and through a set counts as asked for by name. */
static td_status choose(const td_given *given, choices *list, td_choice choice)
{
    choice.by_name &= td_option_is_given(given->options, given->option->name);
    for (size_t i = 0; i < list->count; i++) {
        td_choice *other = &list->items[i];
        if (other->strategy == choice.strategy && other->workload == choice.workload) {
            other->by_name |= choice.by_name;
            return TD_OK;
        }
    }
    return td_vector_add(&list->items, &list->count, sizeof choice, &choice)
               ? TD_OK
               : td_reject_memory(given);
}

/* If an option is given twice, the last one counts. */
static td_status take_names(const td_given *given, td_add_word_fn *add, td_choice **items,
                            size_t *count)
{
    choices list = {0};
    const td_status status = td_each_word(given, add, &list);
    free(*items);
    *items = list.items;
    *count = list.count;
    return status;
}

static bool is_pattern(const char *word)
{
    return strpbrk(word, "*?[") != NULL;
}

/* A word that is no pattern matches only itself. */
static bool matches(const char *word, const char *name)
{
    return name != NULL && fnmatch(word, name, FNM_NOESCAPE) == 0;
}

/* ---- names that are not known ---- */

typedef struct known_names {
    char text[256];
    td_suggestion best;
} known_names;

static void add_name(known_names *known, const char *word, const char *name)
{
    const size_t used = strlen(known->text);
    snprintf(known->text + used, sizeof known->text - used, "%s%s", used > 0 ? ", " : "", name);
    td_suggest(&known->best, td_span_of(word), td_span_of(name));
}

static td_status reject(const td_given *given, const char *kind, const char *word,
                        const known_names *known)
{
    return td_fail(given->error, TD_USAGE, "--%s: unknown %s '%s'%s (known: %s)",
                   given->option->name, kind, td_show_value(td_span_of(word)).text,
                   td_suggest_text(&known->best).text, known->text);
}

/* ---- strategies ---- */

static td_status reject_strategy(const td_given *given, const char *word)
{
    known_names known = {.text = ""};
    for (size_t i = 0; i < td_strategy_count; i++) {
        add_name(&known, word, td_strategies[i]->name);
        if (td_strategies[i]->alias != NULL) {
            td_suggest(&known.best, td_span_of(word), td_span_of(td_strategies[i]->alias));
        }
    }
    return reject(given, "strategy", word, &known);
}

static bool is_in_set(const td_strategy *strategy, const char *word)
{
    return strcmp(word, "all") == 0 || (strcmp(word, "paper") == 0 && strategy->in_paper) ||
           strcmp(word, strategy->dimension == 2 ? "2d" : "3d") == 0;
}

static td_status add_strategies(const td_given *given, const char *word, void *list)
{
    bool found = false;
    for (size_t i = 0; i < td_strategy_count; i++) {
        const td_strategy *s = td_strategies[i];
        const bool is_set = is_in_set(s, word);
        if (is_set || matches(word, s->name) || matches(word, s->alias)) {
            found = true;
            TRY(choose(given, list,
                       (td_choice){.strategy = s, .by_name = !is_set && !is_pattern(word)}));
        }
    }
    return found ? TD_OK : reject_strategy(given, word);
}

td_status td_take_strategies(const td_given *given)
{
    return take_names(given, add_strategies, &given->options->strategies,
                      &given->options->strategy_count);
}

td_status td_take_baseline(const td_given *given)
{
    td_options *o = given->options;
    o->no_baseline = strcmp(given->value, "none") == 0;
    o->baseline = td_strategy_find(given->value);
    return o->no_baseline || o->baseline != NULL ? TD_OK : reject_strategy(given, given->value);
}

/* ---- workloads ---- */

static td_status reject_workload(const td_given *given, const char *word)
{
    known_names known = {.text = ""};
    for (size_t i = 0; i < td_workload_count; i++) {
        const td_workload *w = td_workloads[i];
        if (w->own == NULL && td_workload_find(w->name, 0) == w) { /* each name once */
            add_name(&known, word, w->name);
        }
    }
    return reject(given, "workload", word, &known);
}

/* Choose the workloads of a name, in 2D and 3D. */
static td_status choose_both(const td_given *given, const char *name, bool by_name, choices *list)
{
    for (int dimension = 2; dimension <= 3; dimension++) {
        const td_workload *workload = td_workload_find(name, dimension);
        TRY(workload == NULL
                ? TD_OK
                : choose(given, list, (td_choice){.workload = workload, .by_name = by_name}));
    }
    return TD_OK;
}

static td_status add_file(const td_given *given, const char *path, choices *list)
{
    size_t first = 0, count = 0;
    const td_status status = td_own_load(path, &first, &count, given->error);
    TRY(td_name_option(given->error, status, given->option->name));
    for (size_t w = first; w < first + count; w++) {
        TRY(choose(given, list, (td_choice){.workload = td_workloads[w], .by_name = true}));
    }
    return TD_OK;
}

static td_status add_workloads(const td_given *given, const char *word, void *list)
{
    const size_t length = strlen(word);
    const bool all = strcmp(word, "all") == 0;
    bool found = false;
    if (strchr(word, '/') != NULL || (length > 2 && strcmp(word + length - 2, ".h") == 0)) {
        return add_file(given, word, list);
    }
    for (size_t i = 0; i < td_workload_count; i++) {
        const td_workload *w = td_workloads[i];
        if ((all && w->own == NULL) || matches(word, w->name)) {
            found = true;
            TRY(choose_both(given, w->name, !all && !is_pattern(word), list));
        }
    }
    return found ? TD_OK : reject_workload(given, word);
}

td_status td_workloads_choose(td_options *options, td_error *error)
{
    const td_given given = {td_option_named("workload"), options->workload_list, options, error};
    return take_names(&given, add_workloads, &options->workloads, &options->workload_count);
}
