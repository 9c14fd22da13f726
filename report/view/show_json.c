#include "show_json.h"

#include <stdlib.h>

/* Writes a list of places per element, [[x, y, z], ...], which is empty for a wasted element. */
typedef struct place_writer {
    const td_small_map *map;
    td_text *text;
    bool first; /* the next element is the first of its launch */
} place_writer;

static void add_places(void *context, size_t launch, td_dim3 element, td_tile at)
{
    place_writer *writer = context;
    const uint32_t columns = at.active ? td_small_map_columns(writer->map, launch, at) : 0;
    (void)element;
    td_text_add(writer->text, writer->first ? "[" : ", [");
    writer->first = false;
    for (uint32_t c = 0; c < columns; c++) {
        td_text_print(writer->text, "%s[%u, %u, %u]", c > 0 ? ", " : "", at.x + c, at.y, at.z);
    }
    td_text_add(writer->text, "]");
}

static void add_dim3(td_text *text, const char *name, td_dim3 size)
{
    td_text_print(text, "\"%s\": [%u, %u, %u], ", name, size.x, size.y, size.z);
}

static void add_launch(const td_small_map *map, size_t launch, uint32_t generation, td_text *text)
{
    place_writer writer = {map, text, true};
    td_text_print(text, "{\"generation\": %u, ", generation);
    add_dim3(text, "grid", map->plan.launches[launch].grid);
    add_dim3(text, "elements", td_small_map_extent(map, launch));
    td_text_add(text, "\"places\": [");
    td_small_map_each(map, launch, add_places, &writer);
    td_text_add(text, "]}");
}

td_status td_show_json(const td_small_map *map, td_text *text, td_error *error)
{
    const td_strategy *s = map->strategy;
    const td_plan *plan = &map->plan;
    uint32_t *generations = NULL;
    TRY(td_allocate(&generations, plan->count, sizeof *generations, error, "the launches of %s",
                    s->name));
    td_small_map_generations(map, generations);
    td_text_print(text, "{\"strategy\": \"%s\", \"dimension\": %d, \"maps\": \"%s\", \"n\": %u, ",
                  s->name, s->dimension, s->unit == TD_MAPS_BLOCKS ? "block" : "thread", map->n);
    td_text_print(text, "\"tree\": %s, \"blocks\": %llu, \"blocks_wasted\": %llu, \"launches\": [",
                  s->tree != NULL ? "true" : "false", (unsigned long long)plan->blocks,
                  (unsigned long long)(plan->blocks - plan->blocks_needed));
    for (size_t i = 0; i < plan->count; i++) {
        td_text_add(text, i > 0 ? ", " : "");
        add_launch(map, i, generations[i], text);
    }
    td_text_add(text, "]}");
    free(generations);
    return text->failed ? td_fail(error, TD_NO_MEMORY, "not enough memory to show %s", s->name)
                        : TD_OK;
}
