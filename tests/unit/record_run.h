/* record_run.h - the JSON and the CSV of one run of the sample group, for tests. */
#ifndef TD_TESTS_UNIT_RECORD_RUN_H
#define TD_TESTS_UNIT_RECORD_RUN_H

#include "engine/core/parameter.h"
#include "json_at.h"
#include "report/format/document.h"
#include "sample_group.h"

/* Run 0 of the sample, with something in every field. Its samples are 0.5 (1 + s / 100) ms for s = 0 ... 50, the last
 * changed to 100 ms: the mean then differs from the median, and the ends of the interval from the largest sample. */
static inline void make_full(sample_group *g, td_part_result ranks[2])
{
    sample_make(g);
    td_run *run = &g->runs[0];
    td_result *result = &g->results[0];
    run->workload = td_workload_find("life", 2);
    td_parameters_preset(run->workload, run->problem.parameters);
    run->problem
        .parameters[td_workload_parameter(run->workload, "steps") - run->workload->parameters]
        .count = 10;
    run->cutoff = 64;
    run->group = 4;
    run->parts = 2;
    ranks[0] = (td_part_result){.host = "a", .cells = 10, .median_ms = 1.0};
    ranks[1] = (td_part_result){.host = "b", .cells = 30, .median_ms = 4.0};
    result->part_results = ranks;
    result->part_count = 2;
    result->exchange_ms = 0.034;
    result->mismatches = 5;
    result->max_abs_error = 0.75;
    result->kernels = 7;
    result->checked = 2079;
    result->precision = 0.02;
    result->stored_bytes = 8320;
    result->needed_bytes = 8100;
    result->launch_bytes = 10344;
    result->working_set_bytes = 9345;
    result->sampling = TD_SAMPLING_HOST;
    result->before = result->after = (td_telemetry){1500, 2600, 50, 310.2, 2, 0};
    result->energy = (td_energy){.asked = true,
                                 .windows = TD_ENERGY_WINDOWS,
                                 .launch_j = {0.3, 0.1, 0.2, 0.4, 1.6, 0.5},
                                 .launches = 100,
                                 .joules = 30.0,
                                 .seconds = 2.5};
    g->ms[0][50] = 100.0;
    g->environment.peaks.fill_gb_per_s = 0.5;
    g->environment.l2_bytes = g->environment.cpu_cache_bytes = 1172;
}

static inline td_record record_of(sample_group *g, size_t index)
{
    td_record record;
    td_group_summarise(&g->group, g->results);
    assert_int_equal(
        td_record_make(&g->group, g->results, index, TD_CACHE_COLD, &g->environment, &record, NULL),
        TD_OK);
    return record;
}

/* A line of CSV: the columns, without a record. */
static inline void csv_line(const sample_group *g, const td_record *record, td_text *text)
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

/* To be deleted. */
static inline cJSON *run_of(sample_group *g, size_t index)
{
    const td_record record = record_of(g, index);
    td_text text = {0};
    td_writer w = td_writer_open(&text, TD_JSON_LINE);
    td_put_fields(&w, &record);
    td_writer_close(&w);
    assert_false(text.failed);
    cJSON *run = cJSON_Parse(text.data);
    td_text_free(&text);
    assert_non_null(run);
    return run;
}

#endif
