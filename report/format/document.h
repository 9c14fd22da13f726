/*
 * document.h - a whole result: the runs, and the facts around them, as a JSON document, as lines of jsonl or as CSV.
 * The shapes are those of report/schema/tribench-2.schema.json.
 *
 * The functions append to a td_text; when memory ran out, its `failed` is set.
 */
#pragma once

#include "engine/options/options.h"
#include "record.h"
#include "writer.h"

/* Major: raised when a reader of the old form would go wrong; minor: raised when fields are added. */
enum { TD_SCHEMA_MAJOR = 2, TD_SCHEMA_MINOR = 5 };

/* The facts around the runs. Those of the end are zeroed until then. */
typedef struct td_document {
    const td_options *options; /* the command line, and the labels */
    char started[TD_NUMBER_SIZE], finished[TD_NUMBER_SIZE];
    const td_sweep *shard; /* the shard that this is the output of; NULL: the sweep is whole */
    td_environment environment;
    td_timing timing;
    uint64_t counts[TD_RUN_STATUS_COUNT]; /* of the runs so far */
} td_document;

/* What --list says of a GPU, too, after its name. */
void td_put_gpu(td_writer *w, const td_environment *environment);

/* A parameter of a workload: numbers are numbers, digits and choices are text. */
void td_put_parameter(td_writer *w, const char *name, const td_parameter *parameter,
                      const td_value *value);

/* The fields of a run, the same ones whatever happened: a member that has no value is null. The unit of a number is in
 * its name. */
void td_put_fields(td_writer *w, const td_record *record);

/* Before the first run: the start of a JSON document, a line of jsonl, the columns of CSV. */
void td_json_begin(const td_document *document, td_text *text);
void td_jsonl_begin(const td_document *document, td_text *text);

/* The columns are paths in the JSON of the run, then the device, the host and the version, then paths in the document
 * around it, such as "document.started". */
void td_csv_begin(const td_document *document, td_text *text);

/* The runs of a group. */
void td_json_runs(const td_document *document, const td_record *records, size_t count,
                  td_text *text);
void td_jsonl_runs(const td_document *document, const td_record *records, size_t count,
                   td_text *text);
void td_csv_runs(const td_document *document, const td_record *records, size_t count,
                 td_text *text);

/* After the last run. */
void td_json_end(const td_document *document, td_text *text);
void td_jsonl_end(const td_document *document, td_text *text);
