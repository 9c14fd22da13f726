#include "number_lists.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_BLOCK_THREADS = 1024, MAX_BLOCK_Z = 64 };

/* ---- numbers and ranges ---- */

/* start, and from each value the next: value * factor + step. */
typedef struct range {
    uint64_t start, stop, step, factor;
} range;

typedef struct list_rules {
    const char *option;
    const char *value; /* the whole list, for messages */
    uint64_t low, high;
} list_rules;

static td_status reject_number(const list_rules *rules, td_span item, td_error *error)
{
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

/* ---- shapes ---- */

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

/* ---- lists ---- */

/* A list in the making: each value once, which a bit for each possible value tells without a search. */
typedef struct number_list {
    uint32_t *values;
    uint32_t *widths; /* of tiles: of flat ones along x, else 0; NULL: they are numbers */
    size_t count;
    uint8_t *seen;
} number_list;

/* Whether a value is new; from now on it is not. */
static bool is_new(number_list *list, uint64_t value)
{
    uint8_t *byte = &list->seen[value / 8];
    const uint8_t bit = (uint8_t)(1U << value % 8);
    const bool fresh = (*byte & bit) == 0;
    *byte |= bit;
    return fresh;
}

static uint64_t next(const range *r, uint64_t value)
{
    return value * r->factor + r->step; /* both below 2^32, so the sum fits */
}

static td_status too_many(const list_rules *rules, td_error *error)
{
    return td_fail(error, TD_USAGE, "--%s: '%s' gives more than %d values", rules->option,
                   td_show_value(td_span_of(rules->value)).text, TD_LIST_MAX);
}

static td_status add_range(const list_rules *rules, const range *r, number_list *list,
                           td_error *error)
{
    for (uint64_t value = r->start; value <= r->stop; value = next(r, value)) {
        if (!is_new(list, value)) {
            continue;
        }
        if (list->count == TD_LIST_MAX) {
            return too_many(rules, error);
        }
        list->values[list->count++] = (uint32_t)value;
    }
    return TD_OK;
}

static bool has_flat(const number_list *list, td_dim3 tile)
{
    for (size_t i = 0; i < list->count; i++) {
        if (list->widths[i] == tile.x && list->values[i] == tile.y) {
            return true;
        }
    }
    return false;
}

/* 64x4; 16x16 is another spelling of 16. */
static td_status add_tile(const list_rules *rules, td_span item, number_list *list, td_error *error)
{
    td_dim3 tile;
    if (!parse_shape(item, &tile) || tile.z != 0) {
        return td_fail(error, TD_USAGE,
                       "--%s: expected a side such as 64, or a shape such as 64x4 of at most %d "
                       "cells, got '%s'",
                       rules->option, MAX_BLOCK_THREADS, td_show_value(item).text);
    }
    if (tile.x == tile.y) {
        const range side = {tile.x, tile.x, 1, 1};
        return add_range(rules, &side, list, error);
    }
    if (has_flat(list, tile)) {
        return TD_OK;
    }
    if (list->count == TD_LIST_MAX) {
        return too_many(rules, error);
    }
    list->widths[list->count] = tile.x;
    list->values[list->count++] = tile.y;
    return TD_OK;
}

static td_status parse_ranges(const list_rules *rules, number_list *list, td_error *error)
{
    for (td_span rest = td_span_of(rules->value); rest.text != NULL;) {
        const td_span item = td_span_until(&rest, ',');
        range r = {0};
        if (list->widths != NULL && memchr(item.text, 'x', item.length) != NULL) {
            TRY(add_tile(rules, item, list, error));
        } else {
            TRY(parse_range(rules, item, &r, error));
            TRY(add_range(rules, &r, list, error));
        }
    }
    return TD_OK;
}

static td_status no_memory(const char *option, td_error *error)
{
    return td_fail(error, TD_NO_MEMORY, "not enough memory for the values of --%s", option);
}

static td_status parse_list(const list_rules *rules, number_list *list, td_error *error)
{
    list->values = malloc(TD_LIST_MAX * sizeof *list->values);
    list->seen = calloc(rules->high / 8 + 1, 1);
    const td_status status = list->values == NULL || list->seen == NULL
                                 ? no_memory(rules->option, error)
                                 : parse_ranges(rules, list, error);
    free(list->seen);
    if (status != TD_OK) {
        free(list->values);
    }
    return status;
}

td_status td_parse_u32_list(const char *option, const char *value, uint32_t low, uint32_t high,
                            uint32_t **list, size_t *count, td_error *error)
{
    const list_rules rules = {option, value, low, high};
    number_list found = {0};
    TRY(parse_list(&rules, &found, error));
    free(*list); /* an option given twice: the last one counts */
    *list = found.values;
    *count = found.count;
    return TD_OK;
}

td_status td_parse_tiles(const td_option *option, const char *value, td_options *options,
                         td_error *error)
{
    const list_rules rules = {option->name, value, (uint64_t)option->low, (uint64_t)option->high};
    number_list found = {.widths = calloc(TD_LIST_MAX, sizeof *found.widths)};
    const td_status status =
        found.widths == NULL ? no_memory(option->name, error) : parse_list(&rules, &found, error);
    if (status != TD_OK) {
        free(found.widths);
        return status;
    }
    free(options->tiles);
    free(options->tile_widths);
    options->tiles = found.values;
    options->tile_widths = found.widths;
    options->tile_count = found.count;
    return TD_OK;
}

/* ---- blocks ---- */

static td_status reject_block(const char *option, td_span item, td_error *error)
{
    return td_fail(error, TD_USAGE,
                   "--%s: expected a side such as 16, a shape such as 64x4 or 8x8x8, or a list of "
                   "them, at most %d threads and z at most %d, got '%s'",
                   option, MAX_BLOCK_THREADS, MAX_BLOCK_Z, td_show_value(item).text);
}

enum { MAX_SIDE = 32 /* 32 x 32 = 1024 threads */ };

typedef struct block_list {
    td_dim3 *blocks;
    bool *is_side;
    size_t count;
} block_list;

static bool add_block(block_list *list, td_dim3 block, bool is_side)
{
    if (list->count == TD_LIST_MAX) {
        return false;
    }
    list->blocks[list->count] = block;
    list->is_side[list->count++] = is_side;
    return true;
}

static td_status add_sides(const char *option, td_span item, block_list *list, td_error *error)
{
    const list_rules rules = {option, item.text, 1, MAX_SIDE};
    range r = {0};
    if (memchr(item.text, ':', item.length) == NULL) {
        if (!td_parse_u64(item, rules.low, rules.high, &r.start)) {
            return reject_block(option, item, error);
        }
        r.stop = r.start;
        r.step = r.factor = 1;
    } else {
        TRY(parse_range(&rules, item, &r, error));
    }
    for (uint64_t side = r.start; side <= r.stop; side = next(&r, side)) {
        const td_dim3 block = {(uint32_t)side, (uint32_t)side, 0};
        if (!add_block(list, block, true)) {
            return reject_block(option, item, error);
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
            TRY(add_sides(option, item, list, error));
        } else if (!parse_shape(item, &block) || !add_block(list, block, false)) {
            return reject_block(option, item, error);
        }
    }
    return TD_OK;
}

td_status td_parse_blocks(const td_option *option, const char *value, td_options *options,
                          td_error *error)
{
    block_list list = {malloc(TD_LIST_MAX * sizeof *list.blocks),
                       malloc(TD_LIST_MAX * sizeof *list.is_side), 0};
    const td_status status = list.blocks == NULL || list.is_side == NULL
                                 ? no_memory(option->name, error)
                                 : parse_block_list(option->name, value, &list, error);
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
