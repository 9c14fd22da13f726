/* csv.c - rows and their header from one pass over the table of fields, so that they cannot disagree. */
#include "csv.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "engine/core/parameter.h"
#include "fields.h"

/* A line that is being written: of names, or of values. */
typedef struct line {
    td_text *text;
    bool names;
    size_t count;
} line;

/* Spreadsheets and parsers take a field as it is unless it holds one of these. */
static void put_field(line *l, const char *field)
{
    td_text_add(l->text, l->count++ > 0 ? "," : "");
    if (strpbrk(field, ",\"\r\n") == NULL) {
        td_text_add(l->text, field);
        return;
    }
    td_text_add(l->text, "\"");
    for (const char *at = field; *at != '\0'; at++) {
        td_text_add(l->text, *at == '"' ? "\"" : "");
        td_text_add_bytes(l->text, at, 1);
    }
    td_text_add(l->text, "\"");
}

static void put(line *l, const char *name, const char *value)
{
    put_field(l, l->names ? name : value == NULL ? "" : value);
}

static void put_value(line *l, const char *name, td_field_value value)
{
    char number[TD_NUMBER_SIZE] = "";
    if (value.type == TD_VALUE_COUNT) {
        snprintf(number, sizeof number, "%" PRIu64, value.count);
    } else if (value.type == TD_VALUE_REAL) {
        td_number_text(value.real, TD_DIGITS_MEASURED, number);
    }
    put(l, name,
        value.type == TD_VALUE_TEXT   ? value.text
        : value.type == TD_VALUE_FLAG ? (value.flag ? "true" : "false")
                                      : number);
}

/* Whether no workload before this one has a parameter of this name. */
static bool is_first(size_t workload, const char *name)
{
    size_t before = 0;
    while (td_workload_parameter(td_workloads[before], name) == NULL) {
        before++;
    }
    return before == workload;
}

/* A column per parameter that any workload has, in the order in which the workloads name them. */
static void put_parameters(line *l, const td_run *run)
{
    for (size_t w = 0; w < td_workload_count; w++) {
        for (size_t i = 0; i < td_workloads[w]->parameter_count; i++) {
            const char *name = td_workloads[w]->parameters[i].name;
            char text[TD_VALUE_SIZE] = "";
            const td_parameter *p = run != NULL ? td_workload_parameter(run->workload, name) : NULL;
            if (p != NULL) {
                td_parameter_text(p, run->problem.parameters[p - run->workload->parameters], text);
            }
            if (is_first(w, name)) {
                put(l, name, text);
            }
        }
    }
}

static void put_finding(line *l, const td_record *record)
{
    char number[TD_NUMBER_SIZE] = "";
    const td_result *result = record != NULL ? record->result : NULL;
    const bool found = result != NULL && result->has_finding;
    const td_finding *finding = found ? &record->run->workload->finding : NULL;
    if (found && finding->kind == TD_FINDS_REAL) {
        td_number_text(result->finding.real, TD_DIGITS_ALL, number);
    } else if (found) {
        snprintf(number, sizeof number, "%" PRIu64, result->finding.count);
    }
    put(l, "result_name", found ? finding->name : NULL);
    put(l, "result", number);
}

/* record: NULL where only the names are written. */
static void put_line(line *l, const td_record *record)
{
    for (size_t i = 0; i < td_field_count; i++) {
        const td_field *field = &td_fields[i];
        if (field->kind == TD_FIELD_PARAMETERS) {
            put_parameters(l, record != NULL ? record->run : NULL);
        } else if (field->kind == TD_FIELD_FINDING) {
            put_finding(l, record);
        } else if (field->column != NULL) {
            const td_field_value none = {.type = TD_VALUE_NULL};
            put_value(l, field->column, record != NULL ? td_field_read(field, record) : none);
        }
    }
    td_text_add(l->text, "\n");
}

void td_csv_header(td_text *text)
{
    line l = {text, true, 0};
    put_line(&l, NULL);
}

void td_csv_row(const td_record *record, td_text *text)
{
    line l = {text, false, 0};
    put_line(&l, record);
}
