/* names.c - the options that take names of strategies and workloads. */
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/compile/own_load.h"
#include "engine/core/span.h"
#include "option_table.h"

/* A strategy or a workload that a word may stand for. */
typedef struct candidate {
    td_choice choice;
    const char *name, *alias; /* NULL: none */
    bool is_listed;           /* among the known names: not one of a file, and each name once */
    bool is_in_set;           /* that the word names */
} candidate;

/* Candidate i; false past the last. */
typedef bool candidate_fn(size_t i, const char *word, candidate *found);

static bool strategy_at(size_t i, const char *word, candidate *found)
{
    if (i >= td_strategy_count) {
        return false;
    }
    const td_strategy *s = td_strategies[i];
    *found = (candidate){.choice = {.strategy = s},
                         .name = s->name,
                         .alias = s->alias,
                         .is_listed = true,
                         .is_in_set = strcmp(word, "all") == 0 ||
                                      (strcmp(word, "paper") == 0 && s->in_paper) ||
                                      strcmp(word, s->dimension == 2 ? "2d" : "3d") == 0};
    return true;
}

/* Each name in 2D, then in 3D. */
static bool workload_at(size_t i, const char *word, candidate *found)
{
    if (i / 2 >= td_workload_count) {
        return false;
    }
    const td_workload *one = td_workloads[i / 2],
                      *w = td_workload_find(one->name, i % 2 == 0 ? 2 : 3);
    const bool is_own = one->own != NULL;
    *found = (candidate){.choice = {.workload = w},
                         .name = w != NULL ? w->name : NULL,
                         .is_listed = w == one && !is_own && td_workload_find(w->name, 0) == w,
                         .is_in_set = w != NULL && !is_own && strcmp(word, "all") == 0};
    return true;
}

static td_status reject(const td_given *given, candidate_fn *at, const char *word)
{
    char known[256] = "";
    candidate c;
    td_suggestion best = {0};
    for (size_t i = 0; at(i, word, &c); i++) {
        const size_t used = strlen(known);
        if (c.is_listed) {
            snprintf(known + used, sizeof known - used, "%s%s", used > 0 ? ", " : "", c.name);
            td_suggest(&best, td_span_of(word), td_span_of(c.name));
            td_suggest(&best, td_span_of(word), td_span_of(c.alias != NULL ? c.alias : ""));
        }
    }
    return td_fail(given->error, TD_USAGE, "--%s: unknown %s '%s'%s (known: %s)",
                   given->option->name, at == strategy_at ? "strategy" : "workload",
                   td_show_value(td_span_of(word)).text, td_suggest_text(&best).text, known);
}

/* ---- lists ---- */

typedef struct choices {
    candidate_fn *at;
    td_choice *items;
    size_t count;
} choices;

/* Add an item once. What is asked for both by its name and through a set counts as asked for by name. */
static td_status choose(const td_given *given, choices *list, td_choice choice)
{
    for (size_t i = 0; i < list->count; i++) {
        td_choice *other = &list->items[i];
        if (other->strategy == choice.strategy && other->workload == choice.workload) {
            other->by_name |= choice.by_name;
            return TD_OK;
        }
    }
    return td_append(&list->items, &list->count, sizeof choice, &choice) ? TD_OK
                                                                         : td_reject_memory(given);
}

/* A word that is no pattern matches only itself. */
static bool matches(const char *word, const char *name)
{
    return name != NULL && fnmatch(word, name, FNM_NOESCAPE) == 0;
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

static td_status add_word(const td_given *given, const char *word, void *to)
{
    choices *list = to;
    const bool is_pattern = strpbrk(word, "*?[") != NULL;
    bool found = false;
    candidate c;
    if (list->at == workload_at && (strchr(word, '/') != NULL || fnmatch("?*.h", word, 0) == 0)) {
        return add_file(given, word, list);
    }
    for (size_t i = 0; list->at(i, word, &c); i++) {
        if (c.is_in_set || matches(word, c.name) || matches(word, c.alias)) {
            found = true;
            c.choice.by_name = !c.is_in_set && !is_pattern;
            TRY(choose(given, list, c.choice));
        }
    }
    return found ? TD_OK : reject(given, list->at, word);
}

static td_status take_names(const td_given *given, candidate_fn *at, td_choice **items,
                            size_t *count)
{
    choices list = {.at = at};
    const td_status status = td_each_word(given, add_word, &list);
    free(*items);
    *items = list.items;
    *count = list.count;
    return status;
}

td_status td_take_strategies(const td_given *given)
{
    td_options *o = given->options;
    return take_names(given, strategy_at, &o->strategies, &o->strategy_count);
}

td_status td_take_baseline(const td_given *given)
{
    td_options *o = given->options;
    o->no_baseline = strcmp(given->value, "none") == 0;
    o->baseline = td_strategy_find(given->value);
    return o->no_baseline || o->baseline != NULL ? TD_OK : reject(given, strategy_at, given->value);
}

td_status td_workloads_choose(td_options *o, td_error *error)
{
    const td_given given = {td_option_named("workload"), o->workload_list, o, error};
    return take_names(&given, workload_at, &o->workloads, &o->workload_count);
}
