/* record_run.h - the record of one run of the sample group, for tests. */
#ifndef TD_TESTS_UNIT_RECORD_RUN_H
#define TD_TESTS_UNIT_RECORD_RUN_H

#include "json_at.h"
#include "report/format/document.h"
#include "sample_group.h"

static inline td_record record_of(sample_group *g, size_t index)
{
    td_record record;
    td_group_summarise(&g->group, g->results);
    assert_int_equal(
        td_record_make(&g->group, g->results, index, TD_CACHE_COLD, &g->environment, &record, NULL),
        TD_OK);
    return record;
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
