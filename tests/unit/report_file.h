/* report_file.h - a finished report in a file, for tests. */
#ifndef TD_TESTS_UNIT_REPORT_FILE_H
#define TD_TESTS_UNIT_REPORT_FILE_H

#include "test.h"

#include <stdio.h>
#include <stdlib.h>

#include "report/report.h"
#include "sample_group.h"

/* A finished report on the sample group in a file. */
static inline void report_to(const char *path, td_format format, bool dry)
{
    static sample_group g;
    sample_make(&g);
    if (dry) {
        for (int i = 0; i < SAMPLE_RUNS; i++) {
            g.results[i] = (td_result){.status = i == 3 ? TD_RUN_SKIPPED : TD_RUN_PLANNED};
        }
    }
    g.environment.has_gpu = format == TD_FORMAT_JSONL;
    const td_options options = sample_options(path, format);
    td_report *report = NULL;
    td_error error = {""};
    assert_int_equal(td_report_open(&options, NULL, &report, &error), TD_OK);
    assert_int_equal(td_report_environment(report, &g.environment, &error), TD_OK);
    assert_int_equal(td_report_group(report, &g.group, g.results, &error), TD_OK);
    assert_int_equal(td_report_close(report, &(td_timing){0}, &error), TD_OK);
}

static inline char *content_of(const char *path)
{
    char *content = calloc(1, 1 << 20);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_true(fread(content, 1, (1 << 20) - 1, file) > 0);
    fclose(file);
    return content;
}

#endif
