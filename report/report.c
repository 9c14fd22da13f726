/* report.c - which text goes to the outputs at which point, for each format. */
#include "report.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/core/error.h"
#include "engine/core/process.h"
#include "engine/core/signals.h"
#include "engine/io/file.h"
#include "report/format/csv.h"
#include "report/format/json.h"
#include "output.h"
#include "report/format/record.h"
#include "report/format/table.h"
#include "report/format/text.h"
#include "report/terminal.h"

/* An output; all outputs of one format get the same text. */
typedef struct sink {
    td_output *output;
    td_format format;
    td_table_style style;
    bool failed;   /* the other outputs go on */
    bool headless; /* its first lines could not be written, so it gets no others */
} sink;

/* In shared memory: any process that was forked since may report the next group. */
struct td_report {
    const td_options *options;
    char started[TD_NUMBER_SIZE];
    const td_sweep *shard; /* NULL: the sweep is whole */
    td_environment environment;
    bool has_environment;
    bool has_runs; /* else the next run is the first of the document */
    uint64_t counts[TD_RUN_STATUS_COUNT];
    size_t sink_count;
    sink sinks[]; /* one per output of the options */
};

static td_status check_resumed(const td_options *options, const td_target *target, td_error *error)
{
    if (target->resumes && options->action == TD_ACTION_DRY_RUN) {
        return td_fail(error, TD_USAGE,
                       "--dry-run does not write to '%s', the file that --resume reads: leave out "
                       "--output or name another",
                       target->path);
    }
    return TD_OK;
}

static td_output_mode mode_of(const td_target *target, const td_options *options)
{
    if (target->format != TD_FORMAT_JSONL) {
        return TD_OUTPUT_WHOLE;
    }
    if (options->action == TD_ACTION_DRY_RUN) { /* a plan is written whole or not at all */
        return TD_OUTPUT_WHOLE_NEW;
    }
    return target->resumes ? TD_OUTPUT_APPEND : TD_OUTPUT_LINES;
}

/* A terminal gets a table unless the user asked for something else. Processes that share a domain do not: mpirun gives
 * them a terminal of its own, wherever its output goes. */
static td_format format_of(const td_options *options, const td_target *target)
{
    const bool asked = td_option_is_given(options, "output") ||
                       td_option_is_given(options, "format") || options->part_count > 0;
    return !asked && td_terminal_columns(STDOUT_FILENO) > 0 ? TD_FORMAT_TABLE : target->format;
}

static td_status open_sink(td_report *report, const td_target *target, td_error *error)
{
    TRY(check_resumed(report->options, target, error));
    sink *opened = &report->sinks[report->sink_count];
    opened->format = format_of(report->options, target);
    opened->style.is_markdown = opened->format == TD_FORMAT_MD;
    if (td_path_is_stdout(target->path) && opened->format == TD_FORMAT_TABLE) {
        opened->style.columns = td_terminal_columns(STDOUT_FILENO);
        opened->style.color = td_terminal_wants_color(report->options->color);
    }
    TRY(td_output_open(target->path, mode_of(target, report->options), &opened->output, error));
    report->sink_count++;
    return TD_OK;
}

/* Leave the opened outputs as they were. */
static void abandon(td_report *report)
{
    for (size_t i = 0; i < report->sink_count; i++) {
        (void)td_output_close(report->sinks[i].output, false, NULL);
    }
    td_shared_free(report);
}

td_status td_report_open(const td_options *options, const td_sweep *shard, td_report **report,
                         td_error *error)
{
    td_status status = TD_OK;
    td_report *r = td_shared_calloc(sizeof *r + options->output_count * sizeof *r->sinks);
    if (r == NULL) {
        return td_fail(error, TD_NO_MEMORY, "out of memory for the report");
    }
    r->options = options;
    r->shard = shard;
    td_time_text(r->started);
    for (size_t i = 0; i < options->output_count && status == TD_OK; i++) {
        status = open_sink(r, &options->outputs[i], error);
    }
    if (status != TD_OK) {
        abandon(r);
        return status;
    }
    *report = r;
    return TD_OK;
}

static bool has_format(const td_report *report, td_format format)
{
    for (size_t i = 0; i < report->sink_count; i++) {
        if (report->sinks[i].format == format) {
            return true;
        }
    }
    return false;
}

static bool is_for_people(const sink *p)
{
    return p->format == TD_FORMAT_TABLE || p->format == TD_FORMAT_MD;
}

/* Only the first failure is reported. */
static td_error *unless(td_status before, td_error *error)
{
    return before == TD_OK ? error : NULL;
}

static td_status first_of(td_status one, td_status other)
{
    return one != TD_OK ? one : other;
}

/* Only the lines of a sweep that can be resumed must be on the disk at once. */
static td_status put_text(sink *to, const td_text *text, td_error *error)
{
    if (text->failed) {
        return td_fail(error, TD_NO_MEMORY, "out of memory for the text of the result");
    }
    if (text->size == 0) {
        return TD_OK;
    }
    return to->format == TD_FORMAT_JSONL
               ? td_output_commit(to->output, text->data, text->size, error)
               : td_output_write(to->output, text->data, text->size, error);
}

/* Write a text to every output of a format, and free it. If one output fails, the others still get their text. */
static td_status send(td_report *report, td_format format, td_text *text, td_error *error)
{
    td_status first = TD_OK;
    for (size_t i = 0; i < report->sink_count; i++) {
        sink *to = &report->sinks[i];
        if (to->format == format && !to->headless) {
            const td_status status = put_text(to, text, unless(first, error));
            to->failed = to->failed || status != TD_OK;
            first = first_of(first, status);
        }
    }
    td_text_free(text);
    return first;
}

/* Write a text to one output, and free it. Tables are made per output, because each is as wide as its terminal. */
static td_status put(sink *to, td_text *text, td_error *error)
{
    const td_status status = put_text(to, text, error);
    to->failed = to->failed || status != TD_OK;
    td_text_free(text);
    return status;
}

static td_status send_all(td_report *report, td_text *json, td_text *jsonl, td_text *csv,
                          td_error *error)
{
    const td_status status = send(report, TD_FORMAT_JSON, json, error);
    const td_status lines = send(report, TD_FORMAT_JSONL, jsonl, unless(status, error));
    const td_status rows = send(report, TD_FORMAT_CSV, csv, unless(first_of(status, lines), error));
    return first_of(first_of(status, lines), rows);
}

/* finished, timing: NULL at the start. */
static td_json_head head_of(const td_report *report, const char *finished, const td_timing *timing)
{
    return (td_json_head){report->options, report->started,      finished,
                          report->shard,   &report->environment, timing};
}

td_status td_report_environment(td_report *report, const td_environment *environment,
                                td_error *error)
{
    if (report == NULL) {
        return TD_OK;
    }
    report->environment = *environment;
    td_text document = {0}, lines = {0}, names = {0};
    const td_json_head head = head_of(report, NULL, NULL);
    if (has_format(report, TD_FORMAT_JSON)) {
        td_json_begin(&head, &document);
    }
    if (has_format(report, TD_FORMAT_JSONL)) {
        td_json_header(&head, &lines);
    }
    if (has_format(report, TD_FORMAT_CSV)) {
        td_csv_header(&head, &names);
    }
    const td_status status = send_all(report, &document, &lines, &names, error);
    report->has_environment = true;
    for (size_t i = 0; i < report->sink_count; i++) {
        report->sinks[i].headless = report->sinks[i].failed;
    }
    return status;
}

static td_status put_record(td_report *report, const td_record *record, td_error *error)
{
    td_text element = {0}, line = {0}, row = {0};
    const td_json_head head = head_of(report, NULL, NULL);
    if (has_format(report, TD_FORMAT_JSON)) {
        td_text_add(&element, report->has_runs ? ",\n  " : "\n  ");
        td_json_run(record, false, &element);
    }
    if (has_format(report, TD_FORMAT_JSONL)) {
        td_json_run(record, true, &line);
        td_text_add(&line, "\n");
    }
    if (has_format(report, TD_FORMAT_CSV)) {
        td_csv_row(record, &head, &row);
    }
    report->has_runs = true;
    return send_all(report, &element, &line, &row, error);
}

/* Of a search a table has the runs that were measured to the end. Returns how many. */
static size_t leave_out_dropped(td_record *records, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (records[i].result->status != TD_RUN_DROPPED) {
            records[kept++] = records[i];
        }
    }
    return kept;
}

/* Write all records of a group, even if the first one fails. A table is made one group at a time, because its
 * columns are as wide as their widest cell. */
static td_status put_records(td_report *report, td_record *records, size_t count, td_error *error)
{
    td_status first = TD_OK;
    for (size_t i = 0; i < count; i++) {
        report->counts[records[i].result->status]++;
        const td_status status = put_record(report, &records[i], unless(first, error));
        first = first_of(first, status);
    }
    count = leave_out_dropped(records, count);
    for (size_t i = 0; i < report->sink_count && count > 0; i++) {
        if (is_for_people(&report->sinks[i])) {
            td_text text = {0};
            td_table_group(records, count, &report->sinks[i].style, &text);
            first = first_of(first, put(&report->sinks[i], &text, unless(first, error)));
        }
    }
    return first;
}

td_status td_report_group(td_report *report, const td_group *group, const td_result *results,
                          td_error *error)
{
    if (report == NULL) {
        return TD_OK;
    }
    td_record *records = NULL;
    TRY(td_allocate(&records, group->count + 1, sizeof *records, error, "the report"));
    size_t count = 0;
    td_status status = TD_OK;
    for (size_t i = 0; i < group->count && status == TD_OK; i++) {
        if (!group->runs[i].unrecorded) {
            status = td_record_make(group, results, i, report->options->protocol.cache,
                                    &report->environment, &records[count++], error);
        }
    }
    if (status == TD_OK) {
        status = put_records(report, records, count, error);
    }
    free(records);
    return status;
}

static td_status put_end(td_report *report, const td_timing *timing, td_error *error)
{
    char finished[TD_NUMBER_SIZE];
    td_time_text(finished);
    const td_json_head head = head_of(report, finished, timing);
    td_text document = {0}, footer = {0}, none = {0};
    if (has_format(report, TD_FORMAT_JSON)) {
        td_json_end(&head, report->has_runs, &document);
    }
    if (has_format(report, TD_FORMAT_JSONL)) {
        td_json_footer(&head, report->counts, &footer);
    }
    return send_all(report, &document, &footer, &none, error);
}

td_status td_report_close(td_report *report, const td_timing *timing, td_error *error)
{
    if (report == NULL) {
        return TD_OK;
    }
    /* a plan may be long, and half of one is worth nothing */
    const bool half_a_plan = report->options->action == TD_ACTION_DRY_RUN && td_signals_stop() != 0;
    const bool keep = report->has_environment && !half_a_plan;
    td_status first = keep ? put_end(report, timing, error) : TD_OK;
    for (size_t i = 0; i < report->sink_count; i++) {
        const sink *p = &report->sinks[i];
        const td_status closed =
            td_output_close(p->output, keep && !p->failed, unless(first, error));
        first = first_of(first, closed);
    }
    td_shared_free(report);
    return first;
}
