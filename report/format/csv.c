/* csv.c - rows and their header from one pass over the table of fields, so that they cannot disagree. */
#include "csv.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/core/parameter.h"
#include "engine/options/parameters.h"
#include "fields.h"
#include "report/build.h"

/* A line that is being written: names or values. */
typedef struct line {
    td_text *text;
    bool names;
    size_t count;
} line;

/* Whether a spreadsheet would take a field for a formula. A number is not one, whatever its sign. */
static bool is_formula(const char *field)
{
    const char *at = field + strspn(field, "'");
    char *end;
    if (*at == '\0' || strchr("=+-@\t\r", *at) == NULL) {
        return false;
    }
    (void)strtod(field, &end);
    return *end != '\0' || field[strspn(field, "-+.eE0123456789")] != '\0' || end == field;
}

/* Quote a field only if it holds one of these; spreadsheets and parsers take any other field as it is. */
static void put_field(line *l, const char *field)
{
    const char *text = is_formula(field) ? "'" : ""; /* marks it as text */
    td_text_add(l->text, l->count++ > 0 ? "," : "");
    if (strpbrk(field, ",\"\r\n") == NULL) {
        td_text_add(l->text, text);
        td_text_add(l->text, field);
        return;
    }
    td_text_add(l->text, "\"");
    td_text_add(l->text, text);
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

/* A column per parameter that any workload has. */
static void put_parameters(line *l, const td_run *run)
{
    const td_parameter *any;
    for (size_t i = 0; (any = td_parameter_option(i)) != NULL; i++) {
        char text[TD_VALUE_SIZE] = "", column[64];
        const td_parameter *own =
            run != NULL ? td_workload_parameter(run->workload, any->name) : NULL;
        if (own != NULL) {
            td_parameter_text(own, run->problem.parameters[own - run->workload->parameters], text);
        }
        snprintf(column, sizeof column, "parameters.%s", any->name);
        put(l, column, text);
    }
}

/* Whether no workload before this one has a finding of its name. */
static bool is_first_finding(size_t workload)
{
    size_t before = 0;
    const char *name = td_workloads[workload]->finding.name;
    while (td_workloads[before]->finding.name == NULL ||
           strcmp(td_workloads[before]->finding.name, name) != 0) {
        before++;
    }
    return before == workload;
}

static void finding_text(const td_record *record, const char *name, char number[TD_NUMBER_SIZE])
{
    const td_result *result = record != NULL ? record->result : NULL;
    const td_finding *finding = record != NULL ? &record->run->workload->finding : NULL;
    if (result == NULL || !result->has_finding || strcmp(finding->name, name) != 0) {
        return;
    }
    if (finding->kind == TD_FINDS_REAL) {
        td_number_text(result->finding.real, TD_DIGITS_ALL, number);
    } else {
        snprintf(number, TD_NUMBER_SIZE, "%" PRIu64, result->finding.count);
    }
}

static void put_findings(line *l, const td_record *record)
{
    for (size_t w = 0; w < td_workload_count; w++) {
        const char *name = td_workloads[w]->finding.name;
        char number[TD_NUMBER_SIZE] = "", column[64];
        if (name != NULL && is_first_finding(w)) {
            finding_text(record, name, number);
            snprintf(column, sizeof column, "result.%s", name);
            put(l, column, number);
        }
    }
}

static void put_samples(line *l, const char *name, const td_record *record)
{
    td_text all = {0};
    char number[TD_NUMBER_SIZE];
    const td_result *result = record != NULL ? record->result : NULL;
    for (uint32_t i = 0; result != NULL && i < result->sample_count; i++) {
        td_number_text(result->sample_ms[i], TD_DIGITS_MEASURED, number);
        td_text_print(&all, i > 0 ? " %s" : "%s", number);
    }
    put(l, name, all.data);
    l->text->failed = l->text->failed || all.failed;
    td_text_free(&all);
}

/* record: NULL to write only the names. */
static void put_run(line *l, const td_record *record)
{
    for (size_t i = 0; i < td_field_count; i++) {
        const td_field *field = &td_fields[i];
        if (field->kind == TD_FIELD_PARAMETERS) {
            put_parameters(l, record != NULL ? record->run : NULL);
        } else if (field->kind == TD_FIELD_FINDING) {
            put_findings(l, record);
        } else if (field->kind == TD_FIELD_PARTS) {
            continue; /* what each process did is in JSON only */
        } else if (field->kind == TD_FIELD_SAMPLES) {
            put_samples(l, field->column, record);
        } else {
            const td_field_value none = {.type = TD_VALUE_NULL};
            put_value(l, field->column, record != NULL ? td_field_read(field, record) : none);
        }
    }
}

static void put_leaf(void *l, const char *name, const char *value)
{
    put(l, name, value);
}

/* record: NULL to write only the names. */
static void put_line(line *l, const td_record *record, const td_json_head *head)
{
    bool failed = false;
    char device[TD_DEVICE_SIZE];
    td_device_of(head->environment, device);
    put_run(l, record);
    put(l, "device", device);
    put(l, "host", head->environment->host);
    put(l, "version", td_build()->version);
    td_json_flatten(td_json_around(head, &failed), "document", put_leaf, l);
    td_text_add(l->text, "\n");
    l->text->failed = l->text->failed || failed;
}

void td_csv_header(const td_json_head *head, td_text *text)
{
    line l = {text, true, 0};
    put_line(&l, NULL, head);
}

void td_csv_row(const td_record *record, const td_json_head *head, td_text *text)
{
    line l = {text, false, 0};
    put_line(&l, record, head);
}
