#include "name_lists.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/core/error.h"
#include "engine/compile/own_load.h"
#include "engine/core/suggest.h"
#include "engine/core/vector.h"

enum { NAMES_SIZE = 256 };

const char td_strategy_sets[] = "all|paper|2d|3d";
const char td_workload_sets[] = "all";

typedef struct choices {
    const char *value; /* the whole list, for messages */
    td_choice *items;
    size_t count;
    bool failed;
} choices;

/* Add an item once. What is asked for both by its name and through a set counts as asked for by name. */
static void choose(choices *list, td_choice choice)
{
    for (size_t i = 0; i < list->count; i++) {
        td_choice *other = &list->items[i];
        if (other->strategy == choice.strategy && other->workload == choice.workload) {
            other->by_name |= choice.by_name;
            return;
        }
    }
    list->failed |= !td_vector_add(&list->items, &list->count, sizeof choice, &choice);
}

static void append_name(char names[NAMES_SIZE], const char *name)
{
    const size_t used = strlen(names);
    snprintf(names + used, NAMES_SIZE - used, "%s%s", used > 0 ? ", " : "", name);
}

static td_status reject_strategy(const char *option, td_span name, td_error *error)
{
    char names[NAMES_SIZE] = "";
    td_suggestion best = {0};
    for (size_t i = 0; i < td_strategy_count; i++) {
        const td_strategy *s = td_strategies[i];
        append_name(names, s->name);
        td_suggest(&best, name, td_span_of(s->name));
        if (s->alias != NULL) {
            td_suggest(&best, name, td_span_of(s->alias));
        }
    }
    return td_fail(error, TD_USAGE, "--%s: unknown strategy '%s'%s (known: %s)", option,
                   td_show_value(name).text, td_suggest_text(&best).text, names);
}

static td_status parse_strategy(const char *option, td_span name, const td_strategy **strategy,
                                td_error *error)
{
    for (size_t i = 0; i < td_strategy_count; i++) {
        const td_strategy *s = td_strategies[i];
        if (td_span_is(name, s->name) || (s->alias != NULL && td_span_is(name, s->alias))) {
            *strategy = s;
            return TD_OK;
        }
    }
    return reject_strategy(option, name, error);
}

td_status td_parse_baseline(const td_option *option, const char *value, td_options *options,
                            td_error *error)
{
    options->no_baseline = strcmp(value, "none") == 0;
    options->baseline = NULL;
    return options->no_baseline
               ? TD_OK
               : parse_strategy(option->name, td_span_of(value), &options->baseline, error);
}

/* Match a shell pattern such as 'ltm*'; a word without *, ? and [ matches only itself. */
static bool matches(td_span word, const char *name)
{
    char pattern[NAMES_SIZE];
    if (name == NULL || word.length >= sizeof pattern) {
        return false;
    }
    memcpy(pattern, word.text, word.length);
    pattern[word.length] = '\0';
    return fnmatch(pattern, name, 0) == 0;
}

static bool is_pattern(td_span word)
{
    return memchr(word.text, '*', word.length) != NULL ||
           memchr(word.text, '?', word.length) != NULL ||
           memchr(word.text, '[', word.length) != NULL;
}

/* Choose the strategies of a set or a pattern. False when the word is neither the name of a set nor a pattern that
 * something matches. */
static bool choose_set(td_span word, choices *list)
{
    const bool all = td_span_is(word, "all"), paper = td_span_is(word, "paper");
    const int dimension = td_span_is(word, "2d") ? 2 : td_span_is(word, "3d") ? 3 : 0;
    const bool pattern = is_pattern(word);
    bool found = all || paper || dimension != 0;
    for (size_t i = 0; i < td_strategy_count; i++) {
        const td_strategy *s = td_strategies[i];
        const bool matched = pattern && (matches(word, s->name) || matches(word, s->alias));
        if (all || s->dimension == dimension || (paper && s->in_paper) || matched) {
            choose(list, (td_choice){.strategy = s});
        }
        found = found || matched;
    }
    return found;
}

static td_status add_strategies(const char *option, td_span word, choices *list, td_error *error)
{
    const td_strategy *strategy = NULL;
    if (word.length == 0) {
        return td_fail(
            error, TD_USAGE,
            "--%s: expected names from --list strategies, or all, paper, 2d, 3d, got an empty "
            "name in '%s'",
            option, td_show_value(td_span_of(list->value)).text);
    }
    if (choose_set(word, list)) {
        return TD_OK;
    }
    const td_status status = parse_strategy(option, word, &strategy, error);
    if (strategy != NULL) {
        choose(list, (td_choice){.strategy = strategy, .by_name = true});
    }
    return status;
}

/* Choose the workloads of a name, in 2D and 3D. */
static void choose_both(const char *name, bool by_name, choices *list)
{
    for (int dimension = 2; dimension <= 3; dimension++) {
        const td_workload *workload = td_workload_find(name, dimension);
        if (workload != NULL) {
            choose(list, (td_choice){.workload = workload, .by_name = by_name});
        }
    }
}

/* Choose workloads. False when no workload has this name or matches the pattern. */
static bool choose_workload(td_span word, choices *list)
{
    bool found = false;
    const bool all = td_span_is(word, "all");
    for (size_t i = 0; i < td_workload_count; i++) {
        if ((all && td_workloads[i]->own == NULL) || matches(word, td_workloads[i]->name)) {
            choose_both(td_workloads[i]->name, !all && !is_pattern(word), list);
            found = true;
        }
    }
    return found;
}

static td_status reject_workload(const char *option, td_span name, td_error *error)
{
    char names[NAMES_SIZE] = "";
    td_suggestion best = {0};
    for (size_t i = 0; i < td_workload_count; i++) {
        const td_workload *w = td_workloads[i];
        if (w->own == NULL && td_workload_find(w->name, 0) == w) { /* each name once */
            append_name(names, w->name);
            td_suggest(&best, name, td_span_of(w->name));
        }
    }
    return td_fail(error, TD_USAGE, "--%s: unknown workload '%s'%s (known: %s; or all)", option,
                   td_show_value(name).text, td_suggest_text(&best).text, names);
}

static bool is_own_file(td_span word)
{
    return memchr(word.text, '/', word.length) != NULL ||
           (word.length > 2 && memcmp(word.text + word.length - 2, ".h", 2) == 0);
}

static td_status load_own_file(const char *option, td_span word, size_t *first, size_t *count,
                               td_error *error)
{
    char *path = strndup(word.text, word.length);
    if (path == NULL) {
        return td_fail(error, TD_NO_MEMORY, "not enough memory for the values of --%s", option);
    }
    const td_status status = td_own_load(path, first, count, error);
    free(path);
    return td_name_option(error, status, option);
}

static td_status add_workloads(const char *option, td_span word, choices *list, td_error *error)
{
    if (is_own_file(word)) {
        size_t first = 0, count = 0;
        TRY(load_own_file(option, word, &first, &count, error));
        for (size_t w = first; w < first + count; w++) {
            choose(list, (td_choice){.workload = td_workloads[w], .by_name = true});
        }
        return TD_OK;
    }
    return choose_workload(word, list) ? TD_OK : reject_workload(option, word, error);
}

/* ---- lists of names ---- */

typedef td_status add_word_fn(const char *option, td_span word, choices *list, td_error *error);

static td_status choose_all(const char *option, add_word_fn *add_word, choices *list,
                            td_error *error)
{
    for (td_span rest = td_span_of(list->value); rest.text != NULL;) {
        TRY(add_word(option, td_span_until(&rest, ','), list, error));
    }
    if (list->failed) {
        return td_fail(error, TD_NO_MEMORY, "not enough memory for the values of --%s", option);
    }
    if (list->count == 0) {
        return td_fail(error, TD_USAGE, "--%s: the set '%s' is empty in this build", option,
                       td_show_value(td_span_of(list->value)).text);
    }
    return TD_OK;
}

static td_status parse_names(const char *option, const char *value, add_word_fn *add_word,
                             td_choice **items, size_t *count, td_error *error)
{
    choices list = {.value = value};
    const td_status status = choose_all(option, add_word, &list, error);
    if (status != TD_OK) {
        free(list.items);
        return status;
    }
    free(*items); /* an option given twice: the last one counts */
    *items = list.items;
    *count = list.count;
    return TD_OK;
}

td_status td_parse_strategies(const td_option *option, const char *value, td_options *options,
                              td_error *error)
{
    return parse_names(option->name, value, add_strategies, &options->strategies,
                       &options->strategy_count, error);
}

/* Only kept: a file is compiled when all options are known to be right. */
td_status td_parse_workloads(const td_option *option, const char *value, td_options *options,
                             td_error *error)
{
    (void)option;
    (void)error;
    options->workload_list = value;
    return TD_OK;
}

td_status td_workloads_choose(td_options *options, td_error *error)
{
    static const char option[] = "workload";
    TRY(parse_names(option, options->workload_list, add_workloads, &options->workloads,
                    &options->workload_count, error));
    for (size_t w = 0; w < options->workload_count; w++) {
        options->workloads[w].by_name &= td_option_is_given(options, option);
    }
    return TD_OK;
}
