/* report.c - which text goes to the output when, for each of the four formats. */
#include "report.h"

#include <stdlib.h>
#include <string.h>

#include "engine/core/error.h"
#include "engine/core/signals.h"
#include "engine/io/file.h"
#include "report/format/csv.h"
#include "report/format/json.h"
#include "output.h"
#include "report/format/record.h"
#include "report/format/table.h"
#include "report/format/text.h"
#include "report/format/tuning.h"

struct td_report {
    td_output *output;
    td_format format;
    td_cache cache;
    char *const *argv;
    int argc;
    char started[TD_NUMBER_SIZE];
    const td_sweep *shard; /* NULL: the sweep is whole */
    td_environment environment;
    bool has_environment;
    td_text runs, tunings; /* json: what becomes of "runs" and "tuning" in the document */
    uint64_t counts[TD_RUN_STATUS_COUNT];
    td_timing timing;
};

/* A file that goes on where it stopped is jsonl, asked for or not: it is the one format that can. */
static td_status choose_format(const td_options *options, td_format *format, bool *same,
                               td_error *error)
{
    *same = options->resume != NULL && options->output != NULL &&
            td_same_file(options->resume, options->output);
    *format = *same && !td_option_is_given(options, "format") ? TD_FORMAT_JSONL : options->format;
    if (*same && options->overwrite) {
        return td_fail(error, TD_USAGE,
                       "--overwrite: '%s' is also the file that --resume goes on with",
                       options->output);
    }
    if (*same && options->action == TD_ACTION_DRY_RUN) {
        return td_fail(error, TD_USAGE,
                       "--dry-run does not write to '%s', the file that --resume reads: leave out "
                       "--output or name another",
                       options->output);
    }
    if (*same && *format != TD_FORMAT_JSONL) {
        return td_fail(error, TD_USAGE,
                       "--output '%s' is the file that --resume reads: it can only go on as jsonl "
                       "(--format jsonl)",
                       options->output);
    }
    return TD_OK;
}

static td_output_mode mode_of(td_format format, bool same, bool overwrite)
{
    if (format != TD_FORMAT_JSONL) {
        return TD_OUTPUT_WHOLE;
    }
    return same ? TD_OUTPUT_APPEND : overwrite ? TD_OUTPUT_OVER : TD_OUTPUT_LINES;
}

td_status td_report_open(const td_options *options, td_report **report, td_error *error)
{
    bool same;
    td_format format;
    TRY(choose_format(options, &format, &same, error));
    td_report *r = calloc(1, sizeof *r);
    if (r == NULL) {
        return td_fail(error, TD_NO_MEMORY, "out of memory for the report");
    }
    r->format = format;
    r->cache = options->protocol.cache;
    r->argv = options->argv;
    r->argc = options->argc;
    td_time_text(r->started);
    const td_status status = td_output_open(
        options->output, mode_of(r->format, same, options->overwrite), &r->output, error);
    if (status != TD_OK) {
        free(r);
        return status;
    }
    *report = r;
    return TD_OK;
}

td_status td_report_open_sink(const td_options *options, td_sink *sink, td_error *error)
{
    td_report *report = NULL;
    TRY(td_report_open(options, &report, error));
    const td_sink opened = {.context = report,
                            .shard = td_report_shard,
                            .environment = td_report_environment,
                            .group = td_report_group,
                            .trial = td_report_trial,
                            .tuning = td_report_tuning,
                            .timing = td_report_timing,
                            .close = td_report_close};
    *sink = opened;
    return TD_OK;
}

/* Write a text and free it. Only the lines of a sweep that may be resumed must be on the disk at once. */
static td_status send(td_report *report, td_text *text, td_error *error)
{
    td_status status = TD_OK;
    if (text->failed) {
        status = td_fail(error, TD_NO_MEMORY, "out of memory for the text of the result");
    } else if (text->size > 0 && report->format == TD_FORMAT_JSONL) {
        status = td_output_commit(report->output, text->data, text->size, error);
    } else if (text->size > 0) {
        status = td_output_write(report->output, text->data, text->size, error);
    }
    td_text_free(text);
    return status;
}

static td_json_head head_of(const td_report *report, const char *finished)
{
    const td_json_head head = {report->argv,  report->argc,         report->started, finished,
                               report->shard, &report->environment, &report->timing};
    return head;
}

void td_report_shard(void *context, const td_sweep *sweep)
{
    ((td_report *)context)->shard = sweep;
}

td_status td_report_environment(void *context, const td_environment *environment, td_error *error)
{
    td_report *report = context;
    report->environment = *environment;
    td_text text = {0};
    if (report->format == TD_FORMAT_JSONL) {
        const td_json_head head = head_of(report, NULL);
        td_json_header(&head, &text);
    } else if (report->format == TD_FORMAT_CSV) {
        td_csv_header(&text);
    }
    const td_status status = send(report, &text, error);
    report->has_environment = status == TD_OK; /* an end without a beginning would be no result */
    return status;
}

static td_status put_record(td_report *report, const td_record *record, td_error *error)
{
    td_text text = {0};
    switch (report->format) {
    case TD_FORMAT_JSON:
        td_text_add(&report->runs, report->runs.size > 0 ? ",\n  " : "  ");
        td_json_run(record, false, &report->runs);
        break;
    case TD_FORMAT_JSONL:
        td_json_run(record, true, &text);
        td_text_add(&text, "\n");
        break;
    case TD_FORMAT_CSV:
        td_csv_row(record, &text);
        break;
    case TD_FORMAT_TABLE: /* a group at a time: columns are as wide as their widest cell */
        break;
    }
    return send(report, &text, error);
}

static td_status put_records(td_report *report, const td_record *records, size_t count,
                             td_error *error)
{
    td_status status = TD_OK;
    for (size_t i = 0; i < count && status == TD_OK; i++) {
        report->counts[records[i].result->status]++;
        status = put_record(report, &records[i], error);
    }
    if (status == TD_OK && report->format == TD_FORMAT_TABLE && count > 0) {
        td_text text = {0};
        td_table_group(records, count, &text);
        status = send(report, &text, error);
    }
    return status;
}

td_status td_report_group(void *context, const td_group *group, const td_result *results,
                          td_error *error)
{
    td_report *report = context;
    td_record *records = calloc(group->count + 1, sizeof *records);
    if (records == NULL) {
        return td_fail(error, TD_NO_MEMORY, "out of memory for the report");
    }
    size_t count = 0;
    td_status status = TD_OK;
    for (size_t i = 0; i < group->count && status == TD_OK; i++) {
        if (!group->runs[i].unrecorded) {
            status = td_record_make(group, results, i, report->cache, &report->environment,
                                    &records[count++], error);
        }
    }
    if (status == TD_OK) {
        status = put_records(report, records, count, error);
    }
    free(records);
    return status;
}

td_status td_report_trial(void *context, const td_trial *trial, td_error *error)
{
    td_report *report = context;
    td_text text = {0};
    if (report->format == TD_FORMAT_JSONL) {
        td_json_trial_line(trial, &text);
    }
    return send(report, &text, error);
}

/* A search that was interrupted is none in a file that goes on with it. */
td_status td_report_tuning(void *context, const td_tuning *tuning, td_error *error)
{
    td_report *report = context;
    td_text text = {0};
    if (report->format == TD_FORMAT_JSON) {
        td_text_add(&report->tunings, report->tunings.size > 0 ? ",\n  " : "  ");
        td_json_tuning(tuning, false, &report->tunings);
    } else if (report->format == TD_FORMAT_JSONL && tuning->winner != NULL) {
        td_json_tuning(tuning, true, &text);
    } else if (report->format == TD_FORMAT_TABLE) {
        td_table_tuning(tuning, &text);
    }
    return send(report, &text, error);
}

void td_report_timing(void *context, const td_timing *timing)
{
    ((td_report *)context)->timing = *timing;
}

uint64_t td_report_count(const td_report *report, td_run_status status)
{
    return report->counts[status];
}

static td_status put_end(td_report *report, td_error *error)
{
    char finished[TD_NUMBER_SIZE];
    td_time_text(finished);
    const td_json_head head = head_of(report, finished);
    td_text text = {0};
    if (report->format == TD_FORMAT_JSON) {
        td_json_document(&head, &report->runs, &report->tunings, &text);
    } else if (report->format == TD_FORMAT_JSONL) {
        td_json_footer(&head, report->counts, &text);
    }
    return send(report, &text, error);
}

td_status td_report_close(void *context, td_error *error)
{
    td_report *report = context;
    if (report == NULL) {
        return TD_OK;
    }
    /* a plan may be long, and half of one is worth nothing */
    const bool half_a_plan = report->counts[TD_RUN_PLANNED] > 0 && td_signals_stop() != 0;
    const bool keep = report->has_environment && !half_a_plan;
    td_status status = keep ? put_end(report, error) : TD_OK;
    /* The first failure is the one to tell. */
    const td_status closed =
        td_output_close(report->output, keep && status == TD_OK, status == TD_OK ? error : NULL);
    td_text_free(&report->runs);
    td_text_free(&report->tunings);
    free(report);
    return status != TD_OK ? status : closed;
}
