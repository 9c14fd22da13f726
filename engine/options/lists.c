/* lists.c - the options that take a list of numbers, tiles or blocks. */
#include <stdlib.h>
#include <string.h>

#include "engine/core/span.h"
#include "option_table.h"

enum { NUMBER_SIDES = 1, TILE_SIDES, BLOCK_SIDES };

enum { MAX_SQUARE = 32, MAX_THREADS = 1024, MAX_BLOCK_Z = 64 };

/* The largest number of a list. The table has none for blocks, which may have longer sides than a square. */
static uint64_t most_of(const td_option *o)
{
    return o->sides == BLOCK_SIDES ? MAX_SQUARE : o->high;
}

static td_status reject(const td_given *given, const char *item)
{
    static const char *const words[] = {
        [NUMBER_SIDES] = "whole numbers",
        [TILE_SIDES] = "sides such as 64, or shapes such as 64x4, with sides",
        [BLOCK_SIDES] =
            "shapes such as 64x4 or 8x8x8 of at most 1024 threads, z at most 64, or sides"};
    const td_option *o = given->option;
    return td_reject(given, item,
                     "%s in 1..%llu, a comma-separated list of them, ranges start:stop:step or "
                     "start:stop:*factor with start <= stop, step >= 1 and factor >= 2%s",
                     words[o->sides], (unsigned long long)most_of(o),
                     o->sides == NUMBER_SIDES ? "" : ", or all");
}

static td_status add(const td_given *given, td_shapes *list, td_shape shape)
{
    if (list->count == TD_LIST_MAX) {
        return td_fail(given->error, TD_USAGE, "--%s: '%s' gives more than %d values",
                       given->option->name, td_show_value(td_span_of(given->value)).text,
                       TD_LIST_MAX);
    }
    return td_append(&list->shapes, &list->count, sizeof shape, &shape) ? TD_OK
                                                                        : td_reject_memory(given);
}

/* "64x4" or "8x8x8". 16x16 is another spelling of a tile of side 16, but in 3D a block of side 16 is 16x16x16. */
static bool parse_shape(const td_option *o, const char *item, td_shape *shape)
{
    const bool is_tile = o->sides == TILE_SIDES;
    uint64_t sides[BLOCK_SIDES] = {1, 1, 1};
    int count = 0;
    for (td_span rest = td_span_of(item); rest.text != NULL; count++) {
        if (count == o->sides || !td_parse_u64(td_span_until(&rest, 'x'), 1,
                                               is_tile ? o->high : MAX_THREADS, &sides[count])) {
            return false;
        }
    }
    *shape = (td_shape){(uint32_t)sides[0], (uint32_t)sides[1], count == 3 ? (uint32_t)sides[2] : 0,
                        is_tile && sides[0] == sides[1]};
    return is_tile || (sides[0] * sides[1] * sides[2] <= MAX_THREADS && sides[2] <= MAX_BLOCK_Z);
}

/* After each value of a range comes value * factor + step. */
typedef struct range {
    uint64_t start, stop, step, factor;
} range;

/* "8", "8:64:8" or "8:64:*2". */
static bool parse_range(const char *item, uint64_t most, range *r)
{
    td_span rest = td_span_of(item);
    const td_span start = td_span_until(&rest, ':');
    const bool is_number = rest.text == NULL;
    const td_span stop = is_number ? start : td_span_until(&rest, ':');
    *r = (range){.step = 0, .factor = 1};
    if (!td_parse_u64(start, 1, most, &r->start) || !td_parse_u64(stop, r->start, most, &r->stop)) {
        return false;
    }
    if (rest.text != NULL && rest.text[0] == '*') {
        return td_parse_u64(td_span_of(rest.text + 1), 2, UINT32_MAX, &r->factor);
    }
    r->step = 1;
    return is_number || (rest.text != NULL && td_parse_u64(rest, 1, UINT32_MAX, &r->step));
}

static td_status add_item(const td_given *given, const char *item, void *list)
{
    td_shape shape;
    range r;
    if (strchr(item, 'x') != NULL) {
        return parse_shape(given->option, item, &shape) ? add(given, list, shape)
                                                        : reject(given, item);
    }
    if (!parse_range(item, most_of(given->option), &r)) {
        return reject(given, item);
    }
    /* all are below 2^32, so the next value fits */
    for (uint64_t value = r.start; value <= r.stop; value = value * r.factor + r.step) {
        TRY(add(given, list, (td_shape){(uint32_t)value, (uint32_t)value, 0, true}));
    }
    return TD_OK;
}

td_status td_take_list(const td_given *given)
{
    td_shapes *list = (td_shapes *)td_field_of(given);
    free(list->shapes);
    *list =
        (td_shapes){.all = given->option->sides > NUMBER_SIDES && strcmp(given->value, "all") == 0};
    return list->all ? TD_OK : td_each_word(given, add_item, list);
}
