/* names.c - the options that take names of strategies and workloads. */
#include <fnmatch.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/compile/own_load.h"
#include "engine/compile/own_map.h"
#include "engine/core/span.h"
#include "option_table.h"

typedef enum kind { STRATEGY, WORKLOAD } kind;

/* The strategy or workload with number i; false past the last. */
static bool choice_at(kind of, size_t i, td_choice *choice)
{
    const bool exists = i < (of == STRATEGY ? td_strategy_count : td_workload_count);
    *choice = (td_choice){.strategy = exists && of == STRATEGY ? td_strategies[i] : NULL,
                          .workload = exists && of == WORKLOAD ? td_workloads[i] : NULL};
    return exists;
}

static const char *name_of(const td_choice *c)
{
    return c->strategy != NULL ? c->strategy->name : c->workload != NULL ? c->workload->name : "";
}

static const char *alias_of(const td_choice *c)
{
    return c->strategy != NULL && c->strategy->alias != NULL ? c->strategy->alias : "";
}

/* Whether a choice belongs to the set of this name. */
static bool is_in_set(const td_choice *c, const char *set)
{
    if (strcmp(set, "all") == 0) {
        return c->strategy != NULL ? c->strategy->own == NULL
                                   : c->workload != NULL && c->workload->own == NULL;
    }
    return c->strategy != NULL && c->strategy->own == NULL &&
           (strcmp(set, "paper") == 0
                ? c->strategy->in_paper
                : strcmp(set, c->strategy->dimension == 2 ? "2d" : "3d") == 0);
}

static td_status reject(const td_given *given, kind of, const char *word)
{
    char known[256] = "";
    td_choice c;
    td_suggestion best = {0};
    for (size_t i = 0; choice_at(of, i, &c); i++) {
        const size_t used = strlen(known);
        if (of == WORKLOAD && td_workload_find(name_of(&c), 0) != c.workload) {
            continue; /* the same name in 3D */
        }
        snprintf(known + used, sizeof known - used, "%s%s", used > 0 ? ", " : "", name_of(&c));
        td_suggest(&best, td_span_of(word), td_span_of(name_of(&c)));
        td_suggest(&best, td_span_of(word), td_span_of(alias_of(&c)));
    }
    return td_fail(given->error, TD_USAGE, "--%s: unknown %s '%s'%s (known: %s)",
                   given->option->name, of == STRATEGY ? "strategy" : "workload",
                   td_show_value(td_span_of(word)).text, td_suggest_text(&best).text, known);
}

/* ---- lists ---- */

typedef struct choices {
    kind of;
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

static bool is_file(const char *word)
{
    return strchr(word, '/') != NULL || fnmatch("?*.h", word, 0) == 0;
}

static td_status load_map(const td_given *given, const char *path, const td_strategy **strategy)
{
    const td_status status = td_own_map_load(path, strategy, given->error);
    return td_name_option(given->error, status, given->option->name);
}

static td_status add_file(const td_given *given, const char *path, choices *list)
{
    size_t first = 0, count = 0;
    if (list->of == STRATEGY) {
        td_choice own = {.by_name = true};
        TRY(load_map(given, path, &own.strategy));
        return choose(given, list, own);
    }
    const td_status status = td_own_load(path, &first, &count, given->error);
    TRY(td_name_option(given->error, status, given->option->name));
    for (size_t w = first; w < first + count; w++) {
        TRY(choose(given, list, (td_choice){.workload = td_workloads[w], .by_name = true}));
    }
    return TD_OK;
}

/* All files that match a pattern, or the one that a word names. */
static td_status add_files(const td_given *given, const char *word, choices *list)
{
    glob_t found = {0};
    td_status status = TD_OK;
    if (glob(word, GLOB_NOMAGIC | GLOB_NOCHECK, NULL, &found) != 0) {
        return td_reject_memory(given);
    }
    for (size_t i = 0; i < found.gl_pathc && status == TD_OK; i++) {
        status = add_file(given, found.gl_pathv[i], list);
    }
    globfree(&found);
    return status;
}

/* A word that is no pattern matches only itself. */
static td_status add_word(const td_given *given, const char *word, void *to)
{
    choices *list = to;
    const bool is_name = strpbrk(word, "*?[") == NULL;
    bool found = false;
    td_choice c;
    if (is_file(word)) {
        return add_files(given, word, list);
    }
    for (size_t i = 0; choice_at(list->of, i, &c); i++) {
        const bool in_set = is_in_set(&c, word);
        if (in_set || fnmatch(word, name_of(&c), FNM_NOESCAPE) == 0 ||
            (alias_of(&c)[0] != '\0' && fnmatch(word, alias_of(&c), FNM_NOESCAPE) == 0)) {
            found = true;
            c.by_name = is_name && !in_set;
            TRY(choose(given, list, c));
            if (list->of == WORKLOAD && td_workload_find(name_of(&c), 3) != NULL) {
                c.workload = td_workload_find(name_of(&c), 3); /* after its namesake in 2D */
                TRY(choose(given, list, c));
            }
        }
    }
    return found ? TD_OK : reject(given, list->of, word);
}

static td_status take_names(const td_given *given, kind of, td_choice **items, size_t *count)
{
    choices list = {.of = of};
    const td_status status = td_each_word(given, add_word, &list);
    free(*items);
    *items = list.items;
    *count = list.count;
    return status;
}

td_status td_take_strategies(const td_given *given)
{
    td_options *o = given->options;
    return take_names(given, STRATEGY, &o->strategies, &o->strategy_count);
}

td_status td_take_baseline(const td_given *given)
{
    td_options *o = given->options;
    o->no_baseline = strcmp(given->value, "none") == 0;
    o->baseline = td_strategy_find(given->value);
    if (is_file(given->value)) {
        return load_map(given, given->value, &o->baseline);
    }
    return o->no_baseline || o->baseline != NULL ? TD_OK : reject(given, STRATEGY, given->value);
}

/* Whether a strategy maps the domain of a selected workload. */
static bool suits_any(const td_strategy *s, const td_options *o)
{
    bool suits = false;
    for (size_t i = 0; i < o->workload_count; i++) {
        const td_workload *w = o->workloads[i].workload;
        suits |= s->dimension == w->dimension && (s->by_rows || !w->traits.by_rows);
    }
    return suits;
}

/* If no strategy was named, and the usual ones suit none of the workloads: all that do. */
static td_status choose_usual(const td_given *given, td_options *o)
{
    td_choice c;
    bool suited = td_option_is_given(o, "strategy");
    for (size_t i = 0; i < o->strategy_count; i++) {
        suited |= suits_any(o->strategies[i].strategy, o);
    }
    choices list = {.of = STRATEGY, .items = o->strategies};
    td_status status = TD_OK;
    for (size_t i = 0; !suited && choice_at(STRATEGY, i, &c) && status == TD_OK; i++) {
        if (c.strategy->own == NULL && suits_any(c.strategy, o)) {
            status = choose(given, &list, c);
        }
    }
    o->strategies = list.items;
    o->strategy_count = suited ? o->strategy_count : list.count;
    return status;
}

td_status td_workloads_choose(td_options *o, td_error *error)
{
    const td_given given = {td_option_named("workload"), o->workload_list, o, error};
    TRY(take_names(&given, WORKLOAD, &o->workloads, &o->workload_count));
    return choose_usual(&given, o);
}
