/* map_fault.c - what is wrong with a map, in words. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "map_check.h"

td_map_place td_place_in_words(const td_strategy *strategy, td_tile tile)
{
    td_map_place place;
    const int32_t x = (int32_t)tile.x, y = (int32_t)tile.y, z = (int32_t)tile.z;
    if (strategy->dimension == 3) {
        snprintf(place.text, sizeof place.text, "(%d, %d, %d)", x, y, z);
    } else {
        snprintf(place.text, sizeof place.text, "(%d, %d)", y, x);
    }
    return place;
}

__attribute__((format(printf, 2, 3))) static void add(td_fault_text *to, const char *format, ...)
{
    const size_t used = strlen(to->text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(to->text + used, sizeof to->text - used, format, arguments);
    va_end(arguments);
}

void td_map_check_end(td_map_check *check, const char *why)
{
    check->first_failing_n = check->asked_n;
    check->failure = (td_coverage){0};
    check->fault = (td_map_fault){0};
    snprintf(check->ended, sizeof check->ended, "%s", why);
}

td_fault_text td_map_fault_text(const td_map_check *c)
{
    const td_map_fault *f = &c->fault;
    td_fault_text to = {""};
    add(&to, "n = %u", c->first_failing_n);
    if (c->ended[0] != '\0') {
        add(&to, ": %s", c->ended);
    }
    if (f->known) {
        add(&to, ", %s %llu", c->strategy->unit == TD_MAPS_THREADS ? "thread" : "block",
            (unsigned long long)f->number);
    }
    if (f->known && !f->is_first) {
        add(&to, " of those asked");
    }
    if (f->known && c->many_launches) {
        add(&to, " of launch %zu", f->launch);
    }
    if (f->too_few) {
        add(&to, ", which has fewer blocks than tiles");
    }
    if (f->known) {
        add(&to, ": got %s, %s", td_place_in_words(c->strategy, f->got).text,
            f->outside ? "which is outside" : "as an earlier one");
    }
    if (f->has_missing) {
        add(&to, "; nothing computes %s", td_place_in_words(c->strategy, f->missing).text);
    }
    return to;
}
