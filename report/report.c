/* report.c - which text goes to the outputs at which point, for each format. */
#include "report.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/core/clock.h"
#include "engine/core/error.h"
#include "engine/core/process.h"
#include "engine/core/signals.h"
#include "engine/io/file.h"
#include "output.h"
#include "report/format/document.h"
#include "report/format/table.h"
#include "report/terminal.h"

typedef enum step { BEGIN, RUNS, END } step;

typedef struct sink {
    td_output *output;
    td_format format;
    td_table_style style;
    bool failed; /* it gets no more; the other outputs go on */
} sink;

/* In shared memory: any process that was forked since may report the next group. */
struct td_report {
    td_document document;
    bool has_environment;
    size_t sink_count;
    sink sinks[]; /* one per output of the options; none in processes other than the first */
};

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
    return !asked && td_terminal_columns(fileno(td_standard_output())) > 0 ? TD_FORMAT_TABLE
                                                                           : target->format;
}

static td_status open_sink(td_report *report, const td_target *target, td_error *error)
{
    const td_options *options = report->document.options;
    sink *opened = &report->sinks[report->sink_count];
    if (target->resumes && options->action == TD_ACTION_DRY_RUN) {
        return td_fail(error, TD_USAGE,
                       "--dry-run does not write to '%s', the file that --resume reads: leave out "
                       "--output or name another",
                       target->path);
    }
    opened->format = format_of(options, target);
    opened->style.is_markdown = opened->format == TD_FORMAT_MD;
    if (td_path_is_stdout(target->path) && opened->format == TD_FORMAT_TABLE) {
        opened->style.columns = td_terminal_columns(fileno(td_standard_output()));
        opened->style.color = td_terminal_wants_color(options->color);
    }
    TRY(td_output_open(target->path, mode_of(target, options), &opened->output, error));
    report->sink_count++;
    return TD_OK;
}

td_status td_report_open(const td_options *options, const td_sweep *shard, td_report **report,
                         td_error *error)
{
    const size_t count = options->part == 0 ? options->output_count : 0;
    td_status status = TD_OK;
    td_report *r = NULL;
    TRY(td_allocate_shared(&r, sizeof *r + count * sizeof *r->sinks, "the report", error));
    r->document.options = options;
    r->document.shard = shard;
    r->document.started = td_time_text(td_unix_s());
    for (size_t i = 0; i < count && status == TD_OK; i++) {
        status = open_sink(r, &options->outputs[i], error);
    }
    *report = r;
    return status;
}

static void add_text(const td_report *report, const sink *to, step at, td_record *records,
                     size_t count, td_text *text)
{
    const td_document *document = &report->document;
    const td_document_form *form = &td_document_forms[to->format];
    if (at == BEGIN && form->begin != NULL) {
        form->begin(document, text);
    } else if (at == RUNS && form->runs != NULL) {
        form->runs(document, records, count, text);
    } else if (at == RUNS) {
        td_table_group(records, count, &to->style, text);
    } else if (at == END && form->end != NULL) {
        form->end(document, text);
    }
}

/* Only the lines of a sweep that can be resumed must be on the disk at once, each for itself: where the disk fills up,
 * those before it stay. */
static td_status put_text(const sink *to, const td_text *text, td_error *error)
{
    if (text->failed) {
        return td_fail(error, TD_NO_MEMORY, "out of memory for the text of the result");
    }
    if (to->format != TD_FORMAT_JSONL) {
        return text->size > 0 ? td_output_write(to->output, text->data, text->size, error) : TD_OK;
    }
    for (size_t at = 0; at < text->size;) {
        const size_t length = strcspn(text->data + at, "\n") + 1;
        TRY(td_output_write(to->output, text->data + at, length, error));
        at += length;
    }
    return TD_OK;
}

/* Write the text of a step to each output that has not failed. The first failure is reported. */
static td_status write_all(td_report *report, step at, td_record *records, size_t count,
                           td_error *error)
{
    td_status first = TD_OK;
    for (size_t i = 0; i < report->sink_count; i++) {
        sink *to = &report->sinks[i];
        td_text text = {0};
        if (to->failed) {
            continue;
        }
        add_text(report, to, at, records, count, &text);
        const td_status status = put_text(to, &text, first == TD_OK ? error : NULL);
        td_text_free(&text);
        to->failed = status != TD_OK;
        first = first != TD_OK ? first : status;
    }
    return first;
}

td_status td_report_environment(td_report *report, const td_environment *environment,
                                td_error *error)
{
    report->document.environment = *environment;
    report->has_environment = true;
    return write_all(report, BEGIN, NULL, 0, error);
}

td_status td_report_group(td_report *report, const td_group *group, const td_result *results,
                          td_error *error)
{
    td_document *document = &report->document;
    td_record *records = NULL;
    TRY(td_allocate(&records, group->count + 1, sizeof *records, error, "the report"));
    size_t count = 0;
    td_status status = TD_OK;
    for (size_t i = 0; i < group->count && status == TD_OK; i++) {
        if (!group->runs[i].unrecorded) {
            status = td_record_make(group, results, i, document->options->protocol.cache,
                                    &document->environment, &records[count++], error);
        }
    }
    if (status == TD_OK) {
        status = write_all(report, RUNS, records, count, error);
        for (size_t i = 0; i < count; i++) {
            document->counts[records[i].result->status]++;
        }
    }
    free(records);
    return status;
}

td_status td_report_close(td_report *report, const td_timing *timing, td_error *error)
{
    td_document *document = &report->document;
    /* a plan may be long, and half of one is worth nothing */
    const bool half_a_plan =
        document->options->action == TD_ACTION_DRY_RUN && td_signals_stop() != 0;
    const bool keep = report->has_environment && !half_a_plan;
    document->finished = td_time_text(td_unix_s());
    document->timing = *timing;
    td_status first = keep ? write_all(report, END, NULL, 0, error) : TD_OK;
    for (size_t i = 0; i < report->sink_count; i++) {
        const sink *p = &report->sinks[i];
        const td_status closed =
            td_output_close(p->output, keep && !p->failed, first == TD_OK ? error : NULL);
        first = first != TD_OK ? first : closed;
    }
    return first;
}
