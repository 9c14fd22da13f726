/* schema_test.c - the documents fit the schema, and the schema has a field for each of theirs. */
#include "test.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/core/parameter.h"
#include "record_run.h"
#include "report_file.h"

/* Checks a document and removes it. */
static void assert_fits(const char *path)
{
    char command[1024];
    snprintf(command, sizeof command, "'%s' tests/schema_check.py %s", getenv("PYTHON"), path);
    const int status = system(command);
    unlink(path);
    assert_int_equal(status, 0);
}

static void emitted_documents_fit_the_schema(void **state)
{
    (void)state;
    if (getenv("PYTHON") == NULL) { /* from tests/run */
        skip();
    }
    for (int i = 0; i < 4; i++) {
        char path[] = "/tmp/td_json_XXXXXX";
        close(mkstemp(path));
        report_to(path, i % 2 == 0 ? TD_FORMAT_JSON : TD_FORMAT_JSONL, i >= 2);
        assert_fits(path);
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

/* Fails if a property has no member in a run. Those of later minor versions are not required, but written. */
static void assert_members(const cJSON *definition, const cJSON *object)
{
    const cJSON *property = NULL;
    cJSON_ArrayForEach(property, at(definition, "properties"))
    {
        const char *name = property->string;
        const bool is_readers = strcmp(name, "source") == 0 || strcmp(name, "peer") == 0;
        if (!is_readers && !cJSON_HasObjectItem(object, name)) {
            fail_msg("no field %s", name);
        }
    }
}

static void everything_in_the_schema_is_a_field(void **state)
{
    static const char *const objects[] = {"launch",  "ranks",        "verified",   "time_ms",
                                          "samples", "throughput",   "storage",    "roofline",
                                          "energy",  "device_state", "improvement"};
    (void)state;
    static sample_group g;
    sample_make(&g);
    g.runs[0].parts = 1;
    g.results[0].stored_bytes = 1;
    g.results[0].energy.asked = true;
    cJSON *schema = read_schema(), *run = run_of(&g, 0);
    const cJSON *definitions = at(schema, "$defs");
    assert_members(at(definitions, "run_fields"), run);
    for (size_t i = 0; i < COUNT(objects); i++) {
        assert_members(at(definitions, objects[i]), at(run, objects[i]));
    }
    cJSON_Delete(run);
    cJSON_Delete(schema);
}

/* A jsonl file with a run of each workload with default parameters. */
static void parameters_of_every_workload_fit_the_schema(void **state)
{
    (void)state;
    if (getenv("PYTHON") == NULL) {
        skip();
    }
    static sample_group g;
    char path[] = "/tmp/td_json_XXXXXX";
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
    assert_fits(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(emitted_documents_fit_the_schema),
        cmocka_unit_test(everything_in_the_schema_is_a_field),
        cmocka_unit_test(parameters_of_every_workload_fit_the_schema),
    };
    return cmocka_run_group_tests_name("schema", tests, NULL, NULL);
}
