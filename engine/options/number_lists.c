#include "number_lists.h"

#include <stdlib.h>
#include <string.h>

enum {
    MAX_THREADS = 1024,  /* threads of a block */
    MAX_BLOCK_SIDE = 32, /* 32 x 32 = 1024 threads */
    MAX_BLOCK_Z = 64
};

/* A range begins at start; after each value comes value * factor + step. */
typedef struct range {
    uint64_t start, stop, step, factor;
} range;

typedef struct list_rules {
    const char *option;
    const char *value;  /* the whole list, for messages */
    uint64_t low, high; /* bounds of each number */
    size_t sides;       /* the most that a shape may have; 1: numbers only */
} list_rules;

enum { NUMBERS = 1, TILES = 2, BLOCKS = 3 };

/* A list being built; each shape occurs once. */
typedef struct shape_list {
    td_shape *shapes;
    size_t count;
    uint8_t *seen; /* a bit for each possible number, so that ranges need no search */
} shape_list;

/* ---- one item of a list ---- */

static td_status reject_shape(const list_rules *rules, td_span item, td_error *error)
{
    const char *got = td_show_value(item).text;
    return rules->sides == BLOCKS
               ? td_fail(error, TD_USAGE,
                         "--%s: expected a side such as 16, a shape such as 64x4 or 8x8x8, or a "
                         "list of them, at most %d threads and z at most %d, or all, got '%s'",
                         rules->option, MAX_THREADS, MAX_BLOCK_Z, got)
               : td_fail(error, TD_USAGE,
                         "--%s: expected a side such as 64, or a shape such as 64x4, with sides in "
                         "%llu..%llu, a list of them, or all, got '%s'",
                         rules->option, (unsigned long long)rules->low,
                         (unsigned long long)rules->high, got);
}

static td_status reject_number(const list_rules *rules, td_span item, td_error *error)
{
    if (rules->sides == BLOCKS) {
        return reject_shape(rules, item, error);
    }
    return td_fail(
        error, TD_USAGE,
        "--%s: expected whole numbers in %llu..%llu, a comma-separated list of them or ranges "
        "start:stop:step or start:stop:*factor, got '%s'",
        rules->option, (unsigned long long)rules->low, (unsigned long long)rules->high,
        td_show_value(item).text);
}

static td_status reject_range(const list_rules *rules, td_span item, const char *why,
                              td_error *error)
{
    return td_fail(
        error, TD_USAGE,
        "--%s: the range '%s' %s; a range is start:stop:step or start:stop:*factor, stop "
        "included",
        rules->option, td_show_value(item).text, why);
}

static td_status parse_range(const list_rules *rules, td_span item, range *r, td_error *error)
{
    td_span rest = item;
    const td_span start = td_span_until(&rest, ':');
    if (rest.text == NULL) {
        if (!td_parse_u64(item, rules->low, rules->high, &r->start)) {
            return reject_number(rules, item, error);
        }
        r->stop = r->start;
        r->step = 1;
        r->factor = 1;
        return TD_OK;
    }
    const td_span stop = td_span_until(&rest, ':');
    if (rest.text == NULL) {
        return reject_range(rules, item, "has no step", error);
    }
    if (!td_parse_u64(start, rules->low, rules->high, &r->start) ||
        !td_parse_u64(stop, rules->low, rules->high, &r->stop)) {
        return reject_number(rules, item, error);
    }
    if (rest.length > 0 && rest.text[0] == '*') {
        const td_span factor = {rest.text + 1, rest.length - 1};
        if (!td_parse_u64(factor, 2, UINT32_MAX, &r->factor)) {
            return reject_range(rules, item, "has a factor that is not a whole number from 2 on",
                                error);
        }
    } else if (!td_parse_u64(rest, 0, UINT32_MAX, &r->step)) {
        return reject_range(rules, item, "has a step that is not a whole number below 2^32", error);
    } else if (r->step == 0) {
        return reject_range(rules, item, "has step 0", error);
    } else {
        r->factor = 1;
    }
    return r->start > r->stop ? reject_range(rules, item, "is empty", error) : TD_OK;
}

static bool parse_shape(const list_rules *rules, td_span item, td_shape *shape)
{
    uint64_t sides[3] = {1, 1, 1};
    size_t count = 0;
    const bool is_tile = rules->sides == TILES;
    for (td_span rest = item; rest.text != NULL; count++) {
        const td_span side = td_span_until(&rest, 'x');
        if (count == rules->sides ||
            !td_parse_u64(side, 1, is_tile ? rules->high : MAX_THREADS, &sides[count])) {
            return false;
        }
    }
    *shape = (td_shape){(uint32_t)sides[0], (uint32_t)sides[1], count == 3 ? (uint32_t)sides[2] : 0,
                        is_tile && sides[0] == sides[1]};
    return is_tile || (sides[0] * sides[1] * sides[2] <= MAX_THREADS && sides[2] <= MAX_BLOCK_Z);
}

/* ---- lists ---- */

/* Whether a shape is new. A side counts as seen from then on. */
static bool is_new(shape_list *list, td_shape shape)
{
    if (shape.is_side) {
        uint8_t *byte = &list->seen[shape.x / 8];
        const uint8_t bit = (uint8_t)(1U << shape.x % 8);
        const bool fresh = (*byte & bit) == 0;
        *byte |= bit;
        return fresh;
    }
    for (size_t i = 0; i < list->count; i++) {
        const td_shape other = list->shapes[i];
        if (!other.is_side && other.x == shape.x && other.y == shape.y && other.z == shape.z) {
            return false;
        }
    }
    return true;
}

static td_status add(const list_rules *rules, td_shape shape, shape_list *list, td_error *error)
{
    if (!is_new(list, shape)) {
        return TD_OK;
    }
    if (list->count == TD_LIST_MAX) {
        return td_fail(error, TD_USAGE, "--%s: '%s' gives more than %d values", rules->option,
                       td_show_value(td_span_of(rules->value)).text, TD_LIST_MAX);
    }
    list->shapes[list->count++] = shape;
    return TD_OK;
}

static td_status add_item(const list_rules *rules, td_span item, shape_list *list, td_error *error)
{
    range r = {0};
    if (rules->sides != NUMBERS && memchr(item.text, 'x', item.length) != NULL) {
        td_shape shape;
        return parse_shape(rules, item, &shape) ? add(rules, shape, list, error)
                                                : reject_shape(rules, item, error);
    }
    TRY(parse_range(rules, item, &r, error));
    /* all are below 2^32, so the next value fits */
    for (uint64_t value = r.start; value <= r.stop; value = value * r.factor + r.step) {
        const uint32_t side = (uint32_t)value;
        TRY(add(rules, (td_shape){side, side, 0, true}, list, error));
    }
    return TD_OK;
}

static td_status no_memory(const char *option, td_error *error)
{
    return td_fail(error, TD_NO_MEMORY, "not enough memory for the values of --%s", option);
}

static td_status add_all(const list_rules *rules, shape_list *list, td_error *error)
{
    for (td_span rest = td_span_of(rules->value); rest.text != NULL;) {
        TRY(add_item(rules, td_span_until(&rest, ','), list, error));
    }
    return TD_OK;
}

static td_status parse_list(const list_rules *rules, shape_list *list, td_error *error)
{
    list->shapes = malloc(TD_LIST_MAX * sizeof *list->shapes);
    list->seen = calloc((rules->high > MAX_THREADS ? rules->high : MAX_THREADS) / 8 + 1, 1);
    const td_status status = list->shapes == NULL || list->seen == NULL
                                 ? no_memory(rules->option, error)
                                 : add_all(rules, list, error);
    free(list->seen);
    if (status != TD_OK) {
        free(list->shapes);
    }
    return status;
}

/* If an option is given twice, the last one counts. */
static td_status parse_shapes(const list_rules *rules, td_shapes *shapes, td_error *error)
{
    shape_list found = {0};
    const bool all = strcmp(rules->value, "all") == 0;
    TRY(all ? TD_OK : parse_list(rules, &found, error));
    free(shapes->shapes);
    *shapes = (td_shapes){found.shapes, found.count, all};
    return TD_OK;
}

static td_status parse_numbers(const td_option *option, const char *value, uint32_t **list,
                               size_t *count, td_error *error)
{
    const list_rules rules = {option->name, value, option->low, option->high, NUMBERS};
    shape_list found = {0};
    TRY(parse_list(&rules, &found, error));
    uint32_t *values = malloc(found.count * sizeof *values);
    for (size_t i = 0; i < found.count && values != NULL; i++) {
        values[i] = found.shapes[i].x;
    }
    free(found.shapes);
    if (values == NULL) {
        return no_memory(option->name, error);
    }
    free(*list);
    *list = values;
    *count = found.count;
    return TD_OK;
}

td_status td_parse_n(const td_option *option, const char *value, td_options *options,
                     td_error *error)
{
    return parse_numbers(option, value, &options->n, &options->n_count, error);
}

td_status td_parse_cutoffs(const td_option *option, const char *value, td_options *options,
                           td_error *error)
{
    return parse_numbers(option, value, &options->cutoffs, &options->cutoff_count, error);
}

td_status td_parse_tiles(const td_option *option, const char *value, td_options *options,
                         td_error *error)
{
    const list_rules rules = {option->name, value, option->low, option->high, TILES};
    return parse_shapes(&rules, &options->tiles, error);
}

td_status td_parse_blocks(const td_option *option, const char *value, td_options *options,
                          td_error *error)
{
    const list_rules rules = {option->name, value, 1, MAX_BLOCK_SIDE, BLOCKS};
    return parse_shapes(&rules, &options->blocks, error);
}
