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
    td_shown started, finished;
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

/* What a format writes before the first run, of the runs of a group, and after the last run; NULL: nothing. */
typedef struct td_document_form {
    void (*begin)(const td_document *document, td_text *text);
    void (*runs)(const td_document *document, const td_record *records, size_t count,
                 td_text *text);
    void (*end)(const td_document *document, td_text *text);
} td_document_form;

/* For people, each group is a table of its own (table.h), and there is nothing around them. */
extern const td_document_form td_document_forms[TD_FORMAT_MD + 1];
