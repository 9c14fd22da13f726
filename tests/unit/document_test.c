/* document_test.c - whole reports: the JSON document, the lines of CSV, the table. */
#include "test.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <string.h>

#include "engine/options/parameters.h"
#include "record_run.h"
#include "report/format/table.h"

static void csv_row_has_a_field_for_every_name_and_each_parameter_has_one(void **state)
{
    (void)state;
    static sample_group g;
    sample_make(&g);
    td_text names = {0}, row = {0};
    const td_record record = record_of(&g, 2);
    csv_line(&g, NULL, &names);
    csv_line(&g, &record, &row);
    int commas[2] = {0, 0};
    bool quoted = false;
    for (const char *c = names.data; *c != '\0'; c++) {
        commas[0] += *c == ',';
    }
    assert_non_null(strstr(names.data, ",device,host,version,document.schema.name,"));
    assert_non_null(strstr(row.data, ",node1,"));
    assert_non_null(strstr(row.data, ",2026-01-02T03:04:05.250Z,"));
    for (const char *c = row.data; *c != '\0'; c++) {
        quoted = quoted != (*c == '"');
        commas[1] += *c == ',' && !quoted;
    }
    assert_int_equal(commas[0], commas[1]);
    assert_non_null(strstr(
        row.data, ",failed,\"the device said \"\"no\"\", twice\",2026-01-02T03:04:05.250Z,none,"));
    assert_true(strncmp(names.data, "key,strategy,", 13) == 0);
    assert_null(strstr(row.data, "nan"));
    for (size_t p = 0; td_parameter_option(p) != NULL; p++) {
        char name[64];
        snprintf(name, sizeof name, ",parameters.%s,", td_parameter_option(p)->name);
        const char *first = strstr(names.data, name);
        assert_non_null(first);
        assert_null(strstr(first + 1, name));
    }
    td_text_free(&names);
    td_text_free(&row);
}

/* A table must show which times belong to unverified output. Runs that never ran have no mark. */
static void table_has_no_empty_column_and_says_what_was_not_verified(void **state)
{
    (void)state;
    static sample_group g;
    td_record records[4];
    td_text text = {0};
    sample_make(&g);
    g.results[0].verified = TD_VERIFIED_NONE;
    for (size_t i = 0; i < COUNT(records); i++) {
        records[i] = record_of(&g, i);
    }
    td_table_group(records, COUNT(records), &(td_table_style){0}, &text);
    assert_non_null(
        strstr(text.data, "edm4, N = 64, 16x16 threads per block, tile 16, packed, cpu\n"));
    assert_non_null(strstr(text.data, "2.000"));
    assert_non_null(strstr(text.data, "skipped: dp needs a GPU\n"));
    assert_null(strstr(text.data, "of fill"));
    assert_null(strstr(text.data, "nan"));
    const char *none = strstr(text.data, "  none");
    assert_non_null(none);
    assert_null(strstr(none + 1, "  none"));
    assert_non_null(strstr(text.data, "  pass"));
    td_text_free(&text);
}

static void a_note_on_every_row_is_told_once_below_them(void **state)
{
    (void)state;
    static const char *const others[] = {"busy host", "busy host, wide interval"};
    static sample_group g;
    sample_make(&g);
    for (size_t i = 0; i < COUNT(others); i++) {
        td_text text = {0};
        td_record records[2];
        for (size_t r = 0; r < COUNT(records); r++) {
            records[r] = record_of(&g, 0);
            snprintf(records[r].caveats, sizeof records[r].caveats, "%s",
                     r == 0 ? "busy host" : others[i]);
        }
        td_table_group(records, COUNT(records), &(td_table_style){0}, &text);
        assert_int_equal(strstr(text.data, "\n  all: busy host\n") != NULL, i == 0);
        assert_int_equal(strstr(text.data, "notes") != NULL, i == 1);
        td_text_free(&text);
    }
}

static void document_holds_every_run_and_null_for_what_is_not_there(void **state)
{
    (void)state;
    static const char *const names[] = {"ltm-r", "bb", "rec", "dp"};
    static sample_group g;
    td_text text = {0};
    sample_make(&g);
    g.environment.has_gpu = false;
    const td_options options = sample_options("-", TD_FORMAT_JSON);
    td_document document = {.options = &options, .environment = g.environment};
    td_json_begin(&document, &text);
    for (size_t i = 0; i < COUNT(names); i++) {
        const td_record record = record_of(&g, i);
        td_json_runs(&document, &record, 1, &text);
        document.counts[record.result->status]++;
    }
    td_json_end(&document, &text);
    cJSON *parsed = cJSON_ParseWithOpts(text.data, NULL, true);
    td_text_free(&text);
    assert_non_null(parsed);
    assert_int_equal(cJSON_GetArraySize(at(parsed, "runs")), COUNT(names));
    for (int i = 0; i < (int)COUNT(names); i++) {
        assert_text(cJSON_GetArrayItem(at(parsed, "runs"), i), "strategy", names[i]);
    }
    assert_int_equal(cJSON_GetArraySize(at(parsed, "command")), 4);
    assert_text(parsed, "environment.host.name", "node1");
    assert_null_at(parsed, "environment.gpu");
    assert_null_at(parsed, "environment.peak_bandwidth.fill_gb_per_s");
    assert_null_at(parsed, "environment.peak_bandwidth.fill_bytes");
    assert_null_at(parsed, "environment.idle_power_w");
    assert_number(parsed, "schema.major", 2);
    cJSON_Delete(parsed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(csv_row_has_a_field_for_every_name_and_each_parameter_has_one),
        cmocka_unit_test(table_has_no_empty_column_and_says_what_was_not_verified),
        cmocka_unit_test(a_note_on_every_row_is_told_once_below_them),
        cmocka_unit_test(document_holds_every_run_and_null_for_what_is_not_there),
    };
    return cmocka_run_group_tests_name("document", tests, NULL, NULL);
}
