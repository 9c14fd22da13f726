/* lists.c - the options that take a list of numbers, tiles or blocks. */
#include <stdlib.h>
#include <string.h>

#include "engine/core/span.h"
#include "engine/core/vector.h"
#include "option_table.h"

enum {
    MAX_THREADS = 1024,  /* threads of a block */
    MAX_BLOCK_SIDE = 32, /* 32 x 32 = 1024 threads */
    MAX_BLOCK_Z = 64
};

typedef enum list_form { NUMBERS, TILES, BLOCKS } list_form;

typedef struct shape_list {
    list_form form;
    td_shapes found;
    size_t given; /* with repetitions */
} shape_list;

/* The largest number. */
static uint64_t largest(const td_given *given, list_form form)
{
    return form == BLOCKS ? MAX_BLOCK_SIDE : given->option->high;
}

static td_status reject(const td_given *given, const char *item, list_form form)
{
    static const char *const words[] = {
        [NUMBERS] = "whole numbers",
        [TILES] = "sides such as 64, or shapes such as 64x4, with sides",
        [BLOCKS] = "shapes such as 64x4 or 8x8x8 of at most 1024 threads, z at most 64, or sides"};
    return td_reject(given, item,
                     "%s in 1..%llu, a comma-separated list of them, ranges start:stop:step or "
                     "start:stop:*factor with start <= stop, step >= 1 and factor >= 2%s",
                     words[form], (unsigned long long)largest(given, form),
                     form == NUMBERS ? "" : ", or all");
}

/* ---- one item of a list ---- */

static bool are_same(td_shape a, td_shape b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z && a.is_side == b.is_side;
}

static td_status add(const td_given *given, shape_list *list, td_shape shape)
{
    td_shapes *found = &list->found;
    if (list->given++ == TD_LIST_MAX) {
        return td_fail(given->error, TD_USAGE, "--%s: '%s' gives more than %d values",
                       given->option->name, td_show_value(td_span_of(given->value)).text,
                       TD_LIST_MAX);
    }
    for (size_t i = 0; i < found->count; i++) {
        if (are_same(found->shapes[i], shape)) {
            return TD_OK;
        }
    }
    return td_vector_add(&found->shapes, &found->count, sizeof shape, &shape)
               ? TD_OK
               : td_reject_memory(given);
}

/* "64x4" or "8x8x8". 16x16 is another spelling of a tile of side 16, but in 3D a block of side 16 is 16x16x16. */
static bool parse_shape(const char *item, list_form form, uint64_t most, td_shape *shape)
{
    const size_t most_sides = form == TILES ? 2 : 3;
    uint64_t sides[3] = {1, 1, 1};
    size_t count = 0;
    for (td_span rest = td_span_of(item); rest.text != NULL; count++) {
        if (count == most_sides ||
            !td_parse_u64(td_span_until(&rest, 'x'), 1, most, &sides[count])) {
            return false;
        }
    }
    *shape = (td_shape){(uint32_t)sides[0], (uint32_t)sides[1], count == 3 ? (uint32_t)sides[2] : 0,
                        form == TILES && sides[0] == sides[1]};
    return form == TILES ||
           (sides[0] * sides[1] * sides[2] <= MAX_THREADS && sides[2] <= MAX_BLOCK_Z);
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

static td_status add_item(const td_given *given, const char *item, void *to)
{
    shape_list *list = to;
    td_shape shape;
    range r;
    if (list->form != NUMBERS && strchr(item, 'x') != NULL) {
        const uint64_t most = list->form == TILES ? given->option->high : MAX_THREADS;
        return parse_shape(item, list->form, most, &shape) ? add(given, list, shape)
                                                           : reject(given, item, list->form);
    }
    if (!parse_range(item, largest(given, list->form), &r)) {
        return reject(given, item, list->form);
    }
    /* all are below 2^32, so the next value fits */
    for (uint64_t value = r.start; value <= r.stop; value = value * r.factor + r.step) {
        const uint32_t side = (uint32_t)value;
        TRY(add(given, list, (td_shape){side, side, 0, true}));
    }
    return TD_OK;
}

/* ---- lists ---- */

static td_status take_shapes(const td_given *given, list_form form, td_shapes *shapes)
{
    shape_list list = {.form = form};
    list.found.all = form != NUMBERS && strcmp(given->value, "all") == 0;
    const td_status status = list.found.all ? TD_OK : td_each_word(given, add_item, &list);
    free(shapes->shapes);
    *shapes = list.found;
    return status;
}

static td_status take_numbers(const td_given *given, uint32_t **numbers, size_t *count)
{
    td_shapes shapes = {0};
    td_status status = take_shapes(given, NUMBERS, &shapes);
    free(*numbers);
    *numbers = calloc(shapes.count + 1, sizeof **numbers);
    *count = *numbers != NULL ? shapes.count : 0;
    for (size_t i = 0; i < *count; i++) {
        (*numbers)[i] = shapes.shapes[i].x;
    }
    free(shapes.shapes);
    return *numbers != NULL ? status : td_reject_memory(given);
}

td_status td_take_n(const td_given *given)
{
    return take_numbers(given, &given->options->n, &given->options->n_count);
}

td_status td_take_cutoffs(const td_given *given)
{
    return take_numbers(given, &given->options->cutoffs, &given->options->cutoff_count);
}

td_status td_take_tiles(const td_given *given)
{
    return take_shapes(given, TILES, &given->options->tiles);
}

td_status td_take_blocks(const td_given *given)
{
    return take_shapes(given, BLOCKS, &given->options->blocks);
}
