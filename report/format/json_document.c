/* json_document.c - what stands around the runs, in both forms. */
#include "json.h"

#include <math.h>

#include "report/build.h"
#include "json_environment.h"
#include "json_value.h"

/* Device work, by kind, beside the whole: what is outside of it is what the tool itself costs. */
static void add_timing(td_json_object object, const td_timing *t)
{
    const double device_s = t->verify_s + t->warm_up_s + t->sample_s;
    const td_json_object timing = td_json_add_object(object, "timing");
    td_json_add_double(timing, "wall_s", t->wall_s, TD_DIGITS_MEASURED);
    td_json_add_double(timing, "device_s", device_s, TD_DIGITS_MEASURED);
    td_json_add_double(timing, "verify_s", t->verify_s, TD_DIGITS_MEASURED);
    td_json_add_double(timing, "warm_up_s", t->warm_up_s, TD_DIGITS_MEASURED);
    td_json_add_double(timing, "sample_s", t->sample_s, TD_DIGITS_MEASURED);
    td_json_add_double(timing, "outside_s", fmax(t->wall_s - device_s, 0.0), TD_DIGITS_MEASURED);
}

static void add_head(td_json_object object, const td_json_head *head)
{
    const td_json_object schema = td_json_add_object(object, "schema");
    td_json_add_text(schema, "name", "tribench");
    td_json_add_u64(schema, "major", TD_SCHEMA_MAJOR);
    td_json_add_u64(schema, "minor", TD_SCHEMA_MINOR);
    const td_json_object tool = td_json_add_object(object, "tool");
    td_json_add_text(tool, "name", "tribench");
    td_json_add_text(tool, "version", td_build()->version);
    td_json_add_text(tool, "git_commit", td_build()->commit);
    const td_json_object command = td_json_add_array(object, "command");
    for (int i = 0; i < head->argc; i++) {
        td_json_append_text(command, head->argv[i]);
    }
    td_json_add_text(object, "started", head->started);
    if (head->finished != NULL) {
        td_json_add_text(object, "finished", head->finished);
        add_timing(object, head->timing);
    }
    td_json_add_environment(object, head->environment);
}

void td_json_header(const td_json_head *head, td_text *text)
{
    bool failed = false;
    const td_json_object line = td_json_new(&failed);
    td_json_add_text(line, "type", "header");
    add_head(line, head);
    td_json_finish(line, text);
    td_text_add(text, "\n");
}

void td_json_footer(const td_json_head *head, const uint64_t counts[TD_RUN_STATUS_COUNT],
                    td_text *text)
{
    bool failed = false;
    const td_json_object line = td_json_new(&failed);
    td_json_add_text(line, "type", "footer");
    td_json_add_text(line, "finished", head->finished);
    add_timing(line, head->timing);
    uint64_t runs = 0;
    for (int s = 0; s < TD_RUN_STATUS_COUNT; s++) {
        runs += counts[s];
    }
    td_json_add_u64(line, "runs", runs);
    const td_json_object by_status = td_json_add_object(line, "status_counts");
    for (int s = 0; s < TD_RUN_STATUS_COUNT; s++) {
        td_json_add_u64(by_status, td_run_status_name((td_run_status)s), counts[s]);
    }
    td_json_finish(line, text);
    td_text_add(text, "\n");
}

/* One member or run per line: a diff of two results, or grep, still means something. */
void td_json_document(const td_json_head *head, const td_text *runs, td_text *text)
{
    bool failed = false;
    const td_json_object object = td_json_new(&failed);
    add_head(object, head);
    td_json_finish_open(object, text);
    td_text_add(text, " \"runs\": [");
    if (runs->size > 0) {
        td_text_add(text, "\n");
        td_text_add_bytes(text, runs->data, runs->size);
        td_text_add(text, "\n ");
    }
    td_text_add(text, "]}\n");
    text->failed = text->failed || runs->failed;
}
