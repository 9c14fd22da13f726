/* schema_test.c - a run has each field of the schema. tests/cli checks documents against it. */
#include "test.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <string.h>

#include "record_run.h"

static cJSON *read_schema(void)
{
    static char text[1 << 20];
    FILE *file = fopen("report/schema/tribench-2.schema.json", "r");
    assert_non_null(file);
    assert_true(fread(text, 1, sizeof text - 1, file) > 0);
    fclose(file);
    cJSON *schema = cJSON_Parse(text);
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

TEST(everything_in_the_schema_is_a_field)
{
    static const char *const objects[] = {"launch",  "ranks",        "verified",   "time_ms",
                                          "samples", "throughput",   "storage",    "roofline",
                                          "energy",  "device_state", "improvement"};
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
