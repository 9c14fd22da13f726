/* document_test.c - whole reports: the JSON document, the lines of CSV, the table. */
#include "test.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/core/parameter.h"
#include "json_at.h"
#include "report/format/document.h"
#include "report/format/table.h"
#include "report_file.h"
#include "sample_group.h"

/* The line of the names, or of a record. */
static void csv_line(const sample_group *g, const td_record *record, td_text *text)
{
    const td_options options = sample_options("-", TD_FORMAT_CSV);
    const td_document document = {.options = &options, .environment = g->environment};
    if (record == NULL) {
        td_csv_begin(&document, text);
    } else {
        td_csv_runs(&document, record, 1, text);
    }
    assert_false(text->failed);
}

static void csv_row_has_a_field_for_every_name(void **state)
{
    (void)state;
    static sample_group g;
    sample_make(&g);
    td_text names = {0}, row = {0};
    td_record record;
    csv_line(&g, NULL, &names);
    assert_int_equal(
        td_record_make(&g.group, g.results, 2, TD_CACHE_WARM, &g.environment, &record, NULL),
        TD_OK);
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
    td_text_free(&names);
    td_text_free(&row);
}

/* Prints the table of the recorded runs. */
static void put_table(const sample_group *g, td_text *text)
{
    td_record records[4];
    for (size_t i = 0; i < COUNT(records); i++) {
        assert_int_equal(td_record_make(&g->group, g->results, i, TD_CACHE_WARM, &g->environment,
                                        &records[i], NULL),
                         TD_OK);
    }
    td_table_group(records, COUNT(records), &(td_table_style){0}, text);
}

static void table_is_aligned_and_has_no_empty_column(void **state)
{
    (void)state;
    static sample_group g;
    sample_make(&g);
    td_text text = {0};
    put_table(&g, &text);
    assert_non_null(
        strstr(text.data, "edm4, N = 64, 16x16 threads per block, tile 16, packed, cpu\n"));
    assert_non_null(strstr(text.data, "2.000"));
    assert_non_null(strstr(text.data, "skipped: dp needs a GPU\n"));
    assert_null(strstr(text.data, "of fill"));
    assert_null(strstr(text.data, "nan"));
    td_text_free(&text);
}

/* A table must show which times belong to unverified output. Runs that never ran have no mark. */
static void table_says_which_runs_were_not_verified(void **state)
{
    (void)state;
    static sample_group g;
    sample_make(&g);
    g.results[0].verified = TD_VERIFIED_NONE;
    td_text text = {0};
    put_table(&g, &text);
    const char *none = strstr(text.data, "  none");
    assert_non_null(none);
    assert_null(strstr(none + 1, "  none"));
    assert_non_null(strstr(text.data, "  pass"));
    td_text_free(&text);
}

/* CSV names each column once, and each parameter of each workload once. */
static void csv_names_every_parameter_of_every_workload_once(void **state)
{
    (void)state;
    static sample_group g;
    td_text names = {0};
    sample_make(&g);
    csv_line(&g, NULL, &names);
    for (size_t w = 0; w < td_workload_count; w++) {
        for (size_t p = 0; p < td_workloads[w]->parameter_count; p++) {
            char name[64];
            snprintf(name, sizeof name, ",parameters.%s,", td_workloads[w]->parameters[p].name);
            const char *first = strstr(names.data, name);
            assert_non_null(first);
            assert_null(strstr(first + 1, name));
        }
    }
    td_text_free(&names);
}

static void document_holds_every_recorded_run(void **state)
{
    (void)state;
    char path[] = "/tmp/td_json_XXXXXX";
    close(mkstemp(path));
    report_to(path, TD_FORMAT_JSON, false);
    char *content = content_of(path);
    unlink(path);
    cJSON *document = cJSON_Parse(content);
    const bool names_unrecorded = strstr(content, "utm") != NULL;
    free(content);
    assert_non_null(document);
    assert_int_equal(cJSON_GetArraySize(at(document, "runs")), 4);
    assert_false(names_unrecorded);
    assert_int_equal(cJSON_GetArraySize(at(document, "command")), 4);
    assert_text(document, "environment.host.name", "node1");
    assert_null_at(document, "environment.gpu");
    assert_null_at(document, "environment.peak_bandwidth.fill_gb_per_s");
    assert_null_at(document, "environment.peak_bandwidth.fill_bytes");
    assert_null_at(document, "environment.idle_power_w");
    assert_number(document, "schema.major", 2);
    cJSON_Delete(document);
}

static void empty_report_is_a_document_without_runs(void **state)
{
    (void)state;
    char path[] = "/tmp/td_json_XXXXXX";
    close(mkstemp(path));
    const td_options options = sample_options(path, TD_FORMAT_JSON);
    const td_environment environment = {.host = "node1"};
    td_report *report = NULL;
    assert_int_equal(td_report_open(&options, NULL, &report, NULL), TD_OK);
    assert_int_equal(td_report_environment(report, &environment, NULL), TD_OK);
    assert_int_equal(td_report_close(report, &(td_timing){0}, NULL), TD_OK);
    char *content = content_of(path);
    unlink(path);
    cJSON *document = cJSON_Parse(content);
    free(content);
    assert_non_null(document);
    assert_int_equal(cJSON_GetArraySize(at(document, "runs")), 0);
    cJSON_Delete(document);
}

static void report_that_never_began_leaves_no_trace(void **state)
{
    (void)state;
    const char *path = "/tmp/td_json_never_began";
    unlink(path);
    for (int format = TD_FORMAT_JSON; format <= TD_FORMAT_MD; format++) {
        const td_options options = sample_options(path, (td_format)format);
        td_report *report = NULL;
        assert_int_equal(td_report_open(&options, NULL, &report, NULL), TD_OK);
        assert_int_equal(td_report_close(report, &(td_timing){0}, NULL), TD_OK);
        assert_int_not_equal(access(path, F_OK), 0);
    }
}

/* A field of a CSV row by its name. The test's rows have no quoted field before it. */
static double csv_value(const td_text *names, const td_text *row, const char *name)
{
    const char *field = row->data;
    for (const char *at = names->data; at != NULL; at = strchr(at, ',')) {
        at += *at == ',';
        if (strncmp(at, name, strlen(name)) == 0 && strchr(",\n", at[strlen(name)]) != NULL) {
            return strtod(field, NULL);
        }
        field = strchr(field, ',');
        field = field != NULL ? field + 1 : "";
    }
    fail_msg("no column %s", name);
    return 0.0;
}

/* Computed by hand from samples of 0.5 (1 + s / 100) ms for s = 0 ... 50, the last changed to 100 ms. The mean then
 * differs from the median, and the ends of the interval from the largest sample. */
static void csv_says_what_was_measured(void **state)
{
    static const struct {
        const char *name;
        double value;
    } expected[] = {
        {"time_ms.median", 0.625},
        {"time_ms.ci95.low", 0.59},
        {"time_ms.ci95.high", 0.66},
        {"time_ms.min", 0.5},
        {"time_ms.max", 100.0},
        {"time_ms.mean", 2.571078},
        {"per_step_ms", 0.0625},
        {"samples.count", 51},
        {"samples.warmup", 3},
        {"samples.batch", 10},
        {"launch.blocks", 16},
        {"launch.blocks_needed", 10},
        {"launch.blocks_wasted", 6},
        {"launch.threads", 4096},
        {"launch.cells", 2080},
        {"verified.checked", 2080},
        {"throughput.bytes", 9344},
        {"device_state.sm_mhz", 1500},
        {"device_state.memory_mhz", 2600},
        {"device_state.temperature_c", 50},
        {"device_state.power_w", 300},
    };
    static sample_group g;
    td_text names = {0}, row = {0};
    td_record record;
    (void)state;
    sample_make(&g);
    const td_workload *life = td_workload_find("life", 2);
    g.runs[0].workload = life;
    td_parameters_preset(life, g.runs[0].problem.parameters);
    g.runs[0].problem.parameters[td_workload_parameter(life, "steps") - life->parameters].count =
        10;
    g.ms[0][50] = 100.0;
    td_group_summarise(&g.group, g.results);
    g.results[0].before = g.results[0].after = (td_telemetry){1500, 2600, 50, 300, 0, 0};
    csv_line(&g, NULL, &names);
    assert_int_equal(
        td_record_make(&g.group, g.results, 0, TD_CACHE_WARM, &g.environment, &record, NULL),
        TD_OK);
    csv_line(&g, &record, &row);
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        const double found = csv_value(&names, &row, expected[i].name);
        if (!(fabs(found - expected[i].value) <= 1e-4 * expected[i].value)) {
            fail_msg("%s is %g and not %g", expected[i].name, found, expected[i].value);
        }
    }
    td_text_free(&names);
    td_text_free(&row);
}

/* Every number of a record is different, in the order of the columns. */
static void every_number_is_in_the_column_of_its_name(void **state)
{
    static const char *const names_in_order[] = {"launch.kernels",
                                                 "launch.threads",
                                                 "launch.cells",
                                                 "verified.checked",
                                                 "verified.mismatches",
                                                 "verified.max_abs_error",
                                                 "time_ms.median",
                                                 "time_ms.ci95.low",
                                                 "time_ms.ci95.high",
                                                 "time_ms.min",
                                                 "time_ms.max",
                                                 "time_ms.mean",
                                                 "time_ms.stddev",
                                                 "per_step_ms",
                                                 "samples.count",
                                                 "samples.warmup",
                                                 "samples.batch",
                                                 "throughput.cells_per_s",
                                                 "throughput.bytes",
                                                 "throughput.gb_per_s",
                                                 "throughput.fraction_of_peak",
                                                 "throughput.flops",
                                                 "throughput.flops_per_s",
                                                 "roofline.bytes",
                                                 "roofline.operations",
                                                 "roofline.operations_per_byte",
                                                 "roofline.gop_per_s",
                                                 "roofline.bound_ms",
                                                 "roofline.fraction_of_bound",
                                                 "working_set_bytes",
                                                 "ranks.count",
                                                 "ranks.imbalance",
                                                 "ranks.imbalance_time",
                                                 "ranks.exchange_ms",
                                                 "improvement.factor",
                                                 "improvement.ci95.low",
                                                 "improvement.ci95.high",
                                                 "device_state.sm_mhz",
                                                 "device_state.memory_mhz",
                                                 "device_state.temperature_c",
                                                 "device_state.power_w",
                                                 "energy_j",
                                                 "energy.launch_j",
                                                 "energy.ci95.low",
                                                 "energy.ci95.high",
                                                 "energy.nj_per_cell",
                                                 "energy.nj_per_cell_ci95.low",
                                                 "energy.nj_per_cell_ci95.high",
                                                 "energy.power_w",
                                                 "energy.launches",
                                                 "energy.seconds"};
    static sample_group g;
    double v = 0.0, ms[15] = {0};
    (void)state;
    sample_make(&g);
    g.runs[0].parts = 31;
    const td_result result = {.verified = TD_VERIFIED_PASS,
                              .kernels = 1,
                              .threads = 2,
                              .cells = 3,
                              .checked = 4,
                              .mismatches = 5,
                              .max_abs_error = 6,
                              .sample_count = 15,
                              .sample_ms = ms,
                              .warmup = 16,
                              .batch = 17,
                              .bytes = 19,
                              .flops = 22,
                              .working_set_bytes = 30,
                              .exchange_ms = 34,
                              .energy = {.asked = true, .launches = 50, .seconds = 51}};
    const td_record record = {.run = &g.runs[0],
                              .result = &result,
                              .planned = true,
                              .measured = true,
                              .baseline = "bb",
                              .time_ms = {15, 7, 10, 11, 12, 13, {true, 8, 9}, false},
                              .per_step_ms = 14,
                              .cells_per_s = 18,
                              .gb_per_s = 20,
                              .fraction_of_peak = 21,
                              .flops_per_s = 23,
                              .roofline = {24, 25, NULL, 26, 27, NULL, 28, 29, false},
                              .imbalance = 32,
                              .imbalance_time = 33,
                              .improvement = {15, 35, 0, 0, 0, 0, {true, 36, 37}, false},
                              .device = {38, 39, 40, 41, 0, 0},
                              .energy_j = 42,
                              .launch_j = {6, 43, 0, 0, 0, 0, {true, 44, 45}, false},
                              .nj_per_cell = {6, 46, 0, 0, 0, 0, {true, 47, 48}, false},
                              .power_w = 49,
                              .has = {.check = true,
                                      .improvement = true,
                                      .energy = true,
                                      .parts = true,
                                      .exchange = true,
                                      .flops = true,
                                      .model = true}};
    td_text names = {0}, row = {0};
    csv_line(&g, NULL, &names);
    csv_line(&g, &record, &row);
    for (size_t i = 0; i < COUNT(names_in_order); i++) {
        v += 1.0;
        const double found = csv_value(&names, &row, names_in_order[i]);
        if (!(found >= v && found <= v)) {
            fail_msg("%s is %g and not %g", names_in_order[i], found, v);
        }
    }
    td_text_free(&names);
    td_text_free(&row);
}

/* Two ranks: one has three times the cells and takes four times as long. The memory and caches of both count. */
static void ranks_are_held_against_their_mean_and_against_all_devices(void **state)
{
    static const td_workload that_counts = {
        .name = "a", .dimension = 2, .traits = {.counts_visits = true}};
    td_part_result ranks[2] = {{.cells = 10, .median_ms = 1.0}, {.cells = 30, .median_ms = 4.0}};
    const td_environment e = {
        .peaks.copy_gb_per_s = 5.0, .l2_bytes = 100000, .cpu_cache_bytes = 100000};
    static sample_group g;
    td_record record;
    td_error error;
    (void)state;
    sample_make(&g);
    g.results[0].part_results = ranks;
    g.results[0].part_count = 2;
    g.results[0].launch_bytes = 1200000;
    g.runs[0].workload = &that_counts;
    assert_int_equal(td_record_make(&g.group, g.results, 0, TD_CACHE_WARM, &e, &record, &error),
                     TD_OK);
    assert_true(fabs(record.imbalance - 1.5) < 1e-12);
    assert_true(fabs(record.imbalance_time - 1.6) < 1e-12);
    assert_true(fabs(record.roofline.bound_ms - 0.1) < 1e-12);  /* 1 MB at 10 GB/s */
    assert_true(fabs(record.gb_per_s - 9344 / 0.625e6) < 1e-9); /* of the output, not of launches */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_number_is_in_the_column_of_its_name),
        cmocka_unit_test(ranks_are_held_against_their_mean_and_against_all_devices),
        cmocka_unit_test(csv_says_what_was_measured),
        cmocka_unit_test(csv_row_has_a_field_for_every_name),
        cmocka_unit_test(table_is_aligned_and_has_no_empty_column),
        cmocka_unit_test(table_says_which_runs_were_not_verified),
        cmocka_unit_test(document_holds_every_recorded_run),
        cmocka_unit_test(empty_report_is_a_document_without_runs),
        cmocka_unit_test(report_that_never_began_leaves_no_trace),
        cmocka_unit_test(csv_names_every_parameter_of_every_workload_once),
    };
    return cmocka_run_group_tests_name("document", tests, NULL, NULL);
}
