/* map_report.c - the findings of --check-maps, as text and as a document. */
#include <string.h>

#include "report/build.h"
#include "report/format/json_value.h"
#include "map_report.h"

static void add_check(td_text *text, const td_map_check *check, bool *failed)
{
    const td_strategy *s = check->strategy;
    td_json_object object = td_json_new(failed);
    td_json_add_text(object, "strategy", s->name);
    td_json_add_u64(object, "dimension", (uint64_t)s->dimension);
    td_json_add_text(object, "maps", s->unit == TD_MAPS_BLOCKS ? "block" : "thread");
    td_json_add_u64(object, "stated_exact_n", s->exact_n);
    td_json_add_u64(object, "checked_n", check->checked_n);
    td_json_add_u64(object, "asked", check->asked);
    td_json_add_bool(object, "exact", check->first_failing_n == 0);
    td_json_add_known_u64(object, "first_failing_n", check->first_failing_n);
    if (check->first_failing_n != 0 && check->failure.wrong > 0) {
        td_json_add_u64(object, "first_failing_index", check->failure.first_wrong);
    } else {
        td_json_add_null(object, "first_failing_index");
    }
    td_json_add_u64(object, "wrong_places", check->failure.wrong);
    td_json_add_u64(object, "outside", check->failure.outside);
    td_json_finish(object, text);
}

td_status td_map_report_json(FILE *out, const td_map_report *r, td_error *error)
{
    bool failed = false;
    td_text text = {0};
    td_json_object head = td_json_new(&failed);
    td_json_add_text(head, "check", "maps");
    td_json_add_text(head, "version", td_build()->version);
    td_json_add_text(head, "engine", r->engine);
    td_json_add_text(head, "gpu", r->environment->gpu_name);
    td_json_add_text(head, "driver", r->environment->driver_name);
    td_json_add_u64(head, "largest_n", r->largest);
    td_json_finish_open(head, &text);
    td_text_add(&text, " \"strategies\": [\n  ");
    for (size_t i = 0; i < r->count; i++) {
        td_text_add(&text, i > 0 ? ",\n  " : "");
        add_check(&text, &r->checks[i], &failed);
    }
    td_text_add(&text, "\n ]}\n");
    const bool lost = text.failed;
    const bool written =
        !lost && fwrite(text.data, 1, text.size, out) == text.size && fflush(out) == 0;
    td_text_free(&text);
    return lost      ? td_fail(error, TD_NO_MEMORY, "not enough memory for the document")
           : written ? TD_OK
                     : td_fail(error, TD_FAILED, "standard output cannot be written");
}

void td_map_report_line(FILE *out, const td_map_check *c)
{
    const td_strategy *s = c->strategy;
    const char *unit = s->unit == TD_MAPS_THREADS ? "cells" : "tiles";
    fprintf(out, "%-10s ", s->name);
    if (c->first_failing_n == 0) {
        fprintf(out, "exact for every n up to %u %s per side (%llu checked)\n", c->checked_n, unit,
                (unsigned long long)c->asked);
    } else {
        fprintf(out, "fails first at n = %u %s per side, L = %llu; stated exact up to %u%s\n",
                c->first_failing_n, unit, (unsigned long long)c->failure.first_wrong, s->exact_n,
                c->first_failing_n <= s->exact_n ? ": NOT TRUE HERE" : "");
    }
}
