/* schema_test.c - the documents fit the schema, and the schema has a field for each of theirs. */
#include "test.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/core/parameter.h"
#include "json_at.h"
#include "report/format/fields.h"
#include "report_file.h"
#include "sample_group.h"

static void emitted_documents_fit_the_schema(void **state)
{
    (void)state;
    const char *given = getenv("PYTHON"); /* from tests/run */
    const char *python = given != NULL ? given : "build/venv/bin/python";
    if (access(python, X_OK) != 0) {
        print_message("no Python environment for the schema checker: %s\n", python);
        skip();
    }
    for (int i = 0; i < 4; i++) {
        char path[] = "/tmp/td_json_XXXXXX";
        char command[1024];
        close(mkstemp(path));
        report_to(path, i % 2 == 0 ? TD_FORMAT_JSON : TD_FORMAT_JSONL, i >= 2);
        snprintf(command, sizeof command, "'%s' tests/schema_check.py %s", python, path);
        const int status = system(command);
        unlink(path);
        assert_int_equal(status, 0);
    }
}

static cJSON *read_schema(void)
{
    char *text = content_of("report/schema/tribench-2.schema.json");
    cJSON *schema = cJSON_Parse(text);
    free(text);
    assert_non_null(schema);
    return schema;
}

/* The definition of a run or of an object in it; definitions have the object's name. */
static const cJSON *definition_of(const cJSON *schema, const char *object)
{
    return at(at(schema, "$defs"), object[0] != '\0' ? object : "run_fields");
}

static bool is_required(const cJSON *definition, const char *name)
{
    const cJSON *word = NULL;
    cJSON_ArrayForEach(word, at(definition, "required"))
    {
        if (strcmp(word->valuestring, name) == 0) {
            return true;
        }
    }
    return false;
}

/* True for a field of a later minor version, which older files do not have. */
static bool is_newer(const cJSON *definition, const char *name)
{
    const cJSON *description =
        cJSON_GetObjectItem(at(at(definition, "properties"), name), "description");
    return description != NULL && strstr(description->valuestring, "since minor version") != NULL;
}

static void every_field_is_in_the_schema(void **state)
{
    (void)state;
    cJSON *schema = read_schema();
    for (size_t i = 0; i < td_field_count; i++) {
        const td_field *field = &td_fields[i];
        const bool is_object = field->kind == TD_FIELD_OBJECT;
        const char *name = is_object ? field->object : field->name;
        const cJSON *definition = definition_of(schema, is_object ? "" : field->object);
        if ((!is_required(definition, name) && !is_newer(definition, name)) ||
            at(at(definition, "properties"), name) == NULL) {
            fail_msg("%s is not required", name);
        }
    }
    cJSON_Delete(schema);
}

static bool has_field(const char *object, const char *name)
{
    for (size_t i = 0; i < td_field_count; i++) {
        const td_field *field = &td_fields[i];
        const bool is_member = field->name != NULL && strcmp(field->object, object) == 0 &&
                               strcmp(field->name, name) == 0;
        if (is_member || (object[0] == '\0' && strcmp(field->object, name) == 0)) {
            return true;
        }
    }
    return false;
}

static void everything_in_the_schema_is_a_field(void **state)
{
    (void)state;
    cJSON *schema = read_schema();
    for (size_t i = 0; i < td_field_count; i++) {
        const cJSON *name = NULL;
        cJSON_ArrayForEach(name, at(definition_of(schema, td_fields[i].object), "required"))
        {
            if (!has_field(td_fields[i].object, name->valuestring)) {
                fail_msg("no field %s", name->valuestring);
            }
        }
    }
    cJSON_Delete(schema);
}

/* A jsonl file with a run of each workload with default parameters. */
static void parameters_of_every_workload_fit_the_schema(void **state)
{
    (void)state;
    const char *python = getenv("PYTHON"); /* from tests/run */
    if (python == NULL) {
        skip();
    }
    static sample_group g;
    char path[] = "/tmp/td_json_XXXXXX";
    char command[1024];
    close(mkstemp(path));
    const td_options options = sample_options(path, TD_FORMAT_JSONL);
    td_report *report = NULL;
    sample_make(&g);
    g.group.count = 1;
    assert_int_equal(td_report_open(&options, NULL, &report, NULL), TD_OK);
    assert_int_equal(td_report_environment(report, &g.environment, NULL), TD_OK);
    for (size_t w = 0; w < td_workload_count; w++) {
        g.runs[0].workload = td_workloads[w];
        td_parameters_preset(td_workloads[w], g.runs[0].problem.parameters);
        assert_int_equal(td_report_group(report, &g.group, g.results, NULL), TD_OK);
    }
    assert_int_equal(td_report_close(report, &(td_timing){0}, NULL), TD_OK);
    snprintf(command, sizeof command, "'%s' tests/schema_check.py %s", python, path);
    const int status = system(command);
    unlink(path);
    assert_int_equal(status, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(emitted_documents_fit_the_schema),
        cmocka_unit_test(every_field_is_in_the_schema),
        cmocka_unit_test(everything_in_the_schema_is_a_field),
        cmocka_unit_test(parameters_of_every_workload_fit_the_schema),
    };
    return cmocka_run_group_tests_name("schema", tests, NULL, NULL);
}
