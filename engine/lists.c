#include "lists.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "suggest.h"

enum { MAX_BLOCK_THREADS = 1024, MAX_BLOCK_Z = 64, NAMES_SIZE = 256 };

/* ---- numbers and ranges ---- */

typedef struct range {
    uint64_t start, stop, step;
} range;

typedef struct list_rules {
    const char *option;
    const char *value; /* the whole list, for messages */
    uint64_t low, high;
} list_rules;

static td_status refuse_number(const list_rules *rules, td_span item, td_error *error)
{
    return td_fail(error, TD_USAGE,
                   "%s wants whole numbers in %llu..%llu, a comma-separated list of them or ranges "
                   "start:stop:step, got '%s'",
                   rules->option, (unsigned long long)rules->low, (unsigned long long)rules->high,
                   td_show_value(item).text);
}

static td_status refuse_range(const list_rules *rules, td_span item, const char *why,
                              td_error *error)
{
    return td_fail(error, TD_USAGE,
                   "%s: the range '%s' %s; a range is start:stop:step, stop included",
                   rules->option, td_show_value(item).text, why);
}

static td_status parse_range(const list_rules *rules, td_span item, range *r, td_error *error)
{
    td_span rest = item;
    const td_span start = td_span_until(&rest, ':');
    if (rest.text == NULL) {
        if (!td_parse_u64(item, rules->low, rules->high, &r->start)) {
            return refuse_number(rules, item, error);
        }
        r->stop = r->start;
        r->step = 1;
        return TD_OK;
    }
    const td_span stop = td_span_until(&rest, ':');
    if (rest.text == NULL) {
        return refuse_range(rules, item, "has no step", error);
    }
    if (!td_parse_u64(start, rules->low, rules->high, &r->start) ||
        !td_parse_u64(stop, rules->low, rules->high, &r->stop)) {
        return refuse_number(rules, item, error);
    }
    if (!td_parse_u64(rest, 0, UINT32_MAX, &r->step)) {
        return refuse_range(rules, item, "has a step that is no whole number", error);
    }
    if (r->step == 0) {
        return refuse_range(rules, item, "has step 0", error);
    }
    return r->start > r->stop ? refuse_range(rules, item, "is empty", error) : TD_OK;
}

static bool contains(const uint32_t *list, size_t count, uint32_t value)
{
    for (size_t i = 0; i < count; i++) {
        if (list[i] == value) {
            return true;
        }
    }
    return false;
}

static td_status add_range(const list_rules *rules, const range *r, uint32_t *list, size_t *count,
                           td_error *error)
{
    for (uint64_t value = r->start; value <= r->stop; value += r->step) {
        if (contains(list, *count, (uint32_t)value)) {
            continue;
        }
        if (*count == TD_LIST_MAX) {
            return td_fail(error, TD_USAGE, "%s: '%s' gives more than %d values", rules->option,
                           td_show_value(td_span_of(rules->value)).text, TD_LIST_MAX);
        }
        list[(*count)++] = (uint32_t)value;
    }
    return TD_OK;
}

static td_status parse_ranges(const list_rules *rules, uint32_t *list, size_t *count,
                              td_error *error)
{
    for (td_span rest = td_span_of(rules->value); rest.text != NULL;) {
        const td_span item = td_span_until(&rest, ',');
        range r = {0};
        td_status status = parse_range(rules, item, &r, error);
        if (status == TD_OK) {
            status = add_range(rules, &r, list, count, error);
        }
        if (status != TD_OK) {
            return status;
        }
    }
    return TD_OK;
}

static td_status no_memory(const char *option, td_error *error)
{
    return td_fail(error, TD_NO_MEMORY, "not enough memory for the values of %s", option);
}

td_status td_parse_u32_list(const char *option, const char *value, uint32_t low, uint32_t high,
                            uint32_t **list, size_t *count, td_error *error)
{
    const list_rules rules = {option, value, low, high};
    uint32_t *values = malloc(TD_LIST_MAX * sizeof *values);
    size_t found = 0;
    if (values == NULL) {
        return no_memory(option, error);
    }
    const td_status status = parse_ranges(&rules, values, &found, error);
    if (status != TD_OK) {
        free(values);
        return status;
    }
    free(*list); /* an option given twice: the last one counts */
    *list = values;
    *count = found;
    return TD_OK;
}

/* ---- blocks ---- */

static td_status refuse_block(const char *option, td_span item, td_error *error)
{
    return td_fail(
        error, TD_USAGE,
        "%s wants a side such as 16, a shape such as 64x4 or 8x8x8, or a list of them; at most %d "
        "threads and z at most %d; got '%s'",
        option, MAX_BLOCK_THREADS, MAX_BLOCK_Z, td_show_value(item).text);
}

static bool parse_shape(td_span item, td_dim3 *block)
{
    uint64_t sides[3] = {1, 1, 1};
    size_t count = 0;
    for (td_span rest = item; rest.text != NULL; count++) {
        const td_span side = td_span_until(&rest, 'x');
        if (count == 3 || !td_parse_u64(side, 1, MAX_BLOCK_THREADS, &sides[count])) {
            return false;
        }
    }
    block->x = (uint32_t)sides[0];
    block->y = (uint32_t)sides[1];
    block->z = count == 3 ? (uint32_t)sides[2] : 0;
    return sides[0] * sides[1] * sides[2] <= MAX_BLOCK_THREADS && sides[2] <= MAX_BLOCK_Z;
}

typedef struct block_list {
    td_dim3 *blocks;
    bool *is_side;
    size_t count;
} block_list;

static bool has_block(const block_list *list, td_dim3 block, bool is_side)
{
    for (size_t i = 0; i < list->count; i++) {
        const td_dim3 *b = &list->blocks[i];
        if (list->is_side[i] == is_side && b->x == block.x && b->y == block.y && b->z == block.z) {
            return true;
        }
    }
    return false;
}

static bool add_block(block_list *list, td_dim3 block, bool is_side)
{
    if (has_block(list, block, is_side)) {
        return true;
    }
    if (list->count == TD_LIST_MAX) {
        return false;
    }
    list->blocks[list->count] = block;
    list->is_side[list->count++] = is_side;
    return true;
}

static td_status add_sides(const char *option, td_span item, block_list *list, td_error *error)
{
    const list_rules rules = {option, item.text, 1, 32}; /* 32 x 32 = 1024 threads */
    range r = {0};
    if (memchr(item.text, ':', item.length) == NULL) {
        if (!td_parse_u64(item, rules.low, rules.high, &r.start)) {
            return refuse_block(option, item, error);
        }
        r.stop = r.start;
        r.step = 1;
    } else {
        const td_status status = parse_range(&rules, item, &r, error);
        if (status != TD_OK) {
            return status;
        }
    }
    for (uint64_t side = r.start; side <= r.stop; side += r.step) {
        const td_dim3 block = {(uint32_t)side, (uint32_t)side, 0};
        if (!add_block(list, block, true)) {
            return refuse_block(option, item, error);
        }
    }
    return TD_OK;
}

static td_status parse_block_list(const char *option, const char *value, block_list *list,
                                  td_error *error)
{
    for (td_span rest = td_span_of(value); rest.text != NULL;) {
        const td_span item = td_span_until(&rest, ',');
        td_dim3 block = {0};
        if (memchr(item.text, 'x', item.length) == NULL) {
            const td_status status = add_sides(option, item, list, error);
            if (status != TD_OK) {
                return status;
            }
        } else if (!parse_shape(item, &block) || !add_block(list, block, false)) {
            return refuse_block(option, item, error);
        }
    }
    return TD_OK;
}

td_status td_parse_blocks(const char *option, const char *value, td_options *options,
                          td_error *error)
{
    block_list list = {malloc(TD_LIST_MAX * sizeof *list.blocks),
                       malloc(TD_LIST_MAX * sizeof *list.is_side), 0};
    const td_status status = list.blocks == NULL || list.is_side == NULL
                                 ? no_memory(option, error)
                                 : parse_block_list(option, value, &list, error);
    if (status != TD_OK) {
        free(list.blocks);
        free(list.is_side);
        return status;
    }
    free(options->blocks);
    free(options->block_is_side);
    options->blocks = list.blocks;
    options->block_is_side = list.is_side;
    options->block_count = list.count;
    return TD_OK;
}

/* ---- names ---- */

typedef struct choices {
    td_choice *items;
    size_t count, capacity;
    bool failed;
} choices;

/* Once each; asked for by name and by a set is asked for by name. */
static void choose(choices *list, const char *name, bool by_name)
{
    for (size_t i = 0; i < list->count; i++) {
        if (strcmp(list->items[i].name, name) == 0) {
            list->items[i].by_name |= by_name;
            return;
        }
    }
    if (list->count == list->capacity) {
        td_choice *grown = realloc(list->items, (list->capacity + 64) * sizeof *grown);
        list->failed |= grown == NULL;
        if (grown == NULL) {
            return;
        }
        list->items = grown;
        list->capacity += 64;
    }
    list->items[list->count].name = name;
    list->items[list->count++].by_name = by_name;
}

static void append_name(char names[NAMES_SIZE], const char *name)
{
    const size_t used = strlen(names);
    snprintf(names + used, NAMES_SIZE - used, "%s%s", used > 0 ? ", " : "", name);
}

static td_status refuse_strategy(const char *option, td_span name, td_error *error)
{
    char names[NAMES_SIZE] = "";
    td_suggestion best = {0};
    for (size_t i = 0; i < td_strategy_count; i++) {
        const td_strategy *s = &td_strategies[i];
        append_name(names, s->name);
        td_suggest(&best, name, s->name);
        if (s->alias != NULL) {
            td_suggest(&best, name, s->alias);
        }
    }
    return td_fail(error, TD_USAGE, "%s: unknown strategy '%s'%s (known: %s)", option,
                   td_show_value(name).text, td_suggest_text(&best).text, names);
}

td_status td_parse_strategy(const char *option, td_span name, const td_strategy **strategy,
                            td_error *error)
{
    for (size_t i = 0; i < td_strategy_count; i++) {
        const td_strategy *s = &td_strategies[i];
        if (td_span_is(name, s->name) || (s->alias != NULL && td_span_is(name, s->alias))) {
            *strategy = s;
            return TD_OK;
        }
    }
    return refuse_strategy(option, name, error);
}

/* What the paper on triangular domains compares. */
static bool is_in_paper(const td_strategy *s)
{
    static const char *const names[] = {"bb", "ltm-r", "utm", "rb", "rec"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(names[i], s->name) == 0) {
            return true;
        }
    }
    return false;
}

/* False when the word is not the name of a set. */
static bool choose_set(td_span word, choices *list)
{
    const bool all = td_span_is(word, "all"), paper = td_span_is(word, "paper");
    const int dimension = td_span_is(word, "2d") ? 2 : td_span_is(word, "3d") ? 3 : 0;
    for (size_t i = 0; i < td_strategy_count; i++) {
        const td_strategy *s = &td_strategies[i];
        if (all || s->dimension == dimension || (paper && is_in_paper(s))) {
            choose(list, s->name, false);
        }
    }
    return all || paper || dimension != 0;
}

static td_status finish(const char *option, const char *value, choices *list, td_choice **items,
                        size_t *count, td_error *error)
{
    if (list->failed) {
        return no_memory(option, error);
    }
    if (list->count == 0) {
        return td_fail(error, TD_USAGE, "%s: this build has nothing in the set '%s'", option,
                       td_show_value(td_span_of(value)).text);
    }
    free(*items);
    *items = list->items;
    *count = list->count;
    return TD_OK;
}

td_status td_parse_strategies(const char *option, const char *value, td_options *options,
                              td_error *error)
{
    choices list = {0};
    td_status status = TD_OK;
    for (td_span rest = td_span_of(value); rest.text != NULL && status == TD_OK;) {
        const td_span word = td_span_until(&rest, ',');
        const td_strategy *strategy = NULL;
        if (word.length == 0) {
            status = td_fail(error, TD_USAGE,
                             "%s wants names from --list strategies, or all, paper, 2d, 3d; got an "
                             "empty name in '%s'",
                             option, td_show_value(td_span_of(value)).text);
        } else if (!choose_set(word, &list)) {
            status = td_parse_strategy(option, word, &strategy, error);
        }
        if (strategy != NULL) {
            choose(&list, strategy->name, true);
        }
    }
    if (status == TD_OK) {
        status =
            finish(option, value, &list, &options->strategies, &options->strategy_count, error);
    }
    if (status != TD_OK) {
        free(list.items);
    }
    return status; /* NOLINT(clang-analyzer-unix.Malloc): finish gave the items to the options */
}

/* False when no workload has this name. A name may stand for a workload in 2D and one in 3D. */
static bool choose_workload(td_span word, choices *list)
{
    bool found = false;
    const bool all = td_span_is(word, "all");
    for (size_t i = 0; i < td_workload_count; i++) {
        if (all || td_span_is(word, td_workloads[i].name)) {
            choose(list, td_workloads[i].name, !all);
            found = true;
        }
    }
    return found;
}

static td_status refuse_workload(const char *option, td_span name, td_error *error)
{
    choices unique = {0};
    char names[NAMES_SIZE] = "";
    td_suggestion best = {0};
    choose_workload(td_span_of("all"), &unique);
    for (size_t i = 0; i < unique.count; i++) {
        append_name(names, unique.items[i].name);
        td_suggest(&best, name, unique.items[i].name);
    }
    free(unique.items);
    return td_fail(error, TD_USAGE, "%s: unknown workload '%s'%s (known: %s; or all)", option,
                   td_show_value(name).text, td_suggest_text(&best).text, names);
}

td_status td_parse_workloads(const char *option, const char *value, td_options *options,
                             td_error *error)
{
    choices list = {0};
    td_status status = TD_OK;
    for (td_span rest = td_span_of(value); rest.text != NULL && status == TD_OK;) {
        const td_span word = td_span_until(&rest, ',');
        if (!choose_workload(word, &list)) {
            status = refuse_workload(option, word, error);
        }
    }
    if (status == TD_OK) {
        status = finish(option, value, &list, &options->workloads, &options->workload_count, error);
    }
    if (status != TD_OK) {
        free(list.items);
    }
    return status; /* NOLINT(clang-analyzer-unix.Malloc): finish gave the items to the options */
}
