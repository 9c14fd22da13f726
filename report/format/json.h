/*
 * json.h - the result as JSON text: a whole document, or the lines of a jsonl file. The shapes are
 * those of report/schema/tribench-2.schema.json.
 *
 * The functions append to a td_text; when memory ran out, its `failed` is set.
 */
#pragma once

#include "engine/options/options.h"
#include "json_value.h"
#include "record.h"
#include "text.h"

/* Major: raised when a reader of the old form would go wrong; minor: raised when fields are added. */
enum { TD_SCHEMA_MAJOR = 2, TD_SCHEMA_MINOR = 5 };

/* The facts around the runs. */
typedef struct td_json_head {
    const td_options *options; /* the command line, and the labels */
    const char *started;
    const char *finished;  /* NULL at the beginning: not known yet */
    const td_sweep *shard; /* the shard that this is the output of; NULL: the sweep is whole */
    const td_environment *environment;
    const td_timing *timing; /* likewise */
} td_json_head;

/* One run, without a newline: as an element of a document or, with its "type", as a line of jsonl. */
void td_json_run(const td_record *record, bool is_line, td_text *text);

/* The first line of a jsonl file, newline included. */
void td_json_header(const td_json_head *head, td_text *text);

/* The facts that all rows of a CSV file share: the document around the runs, without the shard. */
td_json_object td_json_around(const td_json_head *head, bool *failed);

/* The last line of a jsonl file, newline included. counts: runs by td_run_status. */
void td_json_footer(const td_json_head *head, const uint64_t counts[TD_RUN_STATUS_COUNT],
                    td_text *text);

/*
 * td_json_begin, td_json_end - a document around its runs: each is made by td_json_run, the first after a newline, the
 * others after a comma and a newline.
 */
void td_json_begin(const td_json_head *head, td_text *text);
void td_json_end(const td_json_head *head, bool has_runs, td_text *text);
