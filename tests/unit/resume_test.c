/* resume_test.c - the finished runs of a jsonl file, and a sweep that continues where the file was torn. */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/report.h"
#include "engine/options/outputs.h"
#include "run/resume.h"
#include "sample_group.h"

#define HEADER "{\"type\":\"header\",\"schema\":{\"name\":\"tribench\",\"major\":2,\"minor\":0}}\n"
#define RUN(key, status) "{\"type\":\"run\",\"key\":\"" key "\",\"status\":\"" status "\"}\n"

/* A file for one test, with a name that no other process uses. */
static const char *file_with(const char *content)
{
    static char path[64];
    snprintf(path, sizeof path, "/tmp/td_resume_%ld.jsonl", (long)getpid());
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(content, file) >= 0);
    assert_int_equal(fclose(file), 0);
    return path;
}

static td_done_set *done_in(const char *content)
{
    td_done_set *done = NULL;
    td_error error = {""};
    const char *path = file_with(content);
    const td_status status = td_done_load(path, true, &done, &error);
    unlink(path);
    if (status != TD_OK) {
        fail_msg("%s", error.text);
    }
    return done;
}

static void missing_file_means_nothing_is_done(void **state)
{
    (void)state;
    td_done_set *done = NULL;
    assert_int_equal(td_done_load("/tmp/td_resume_is_not_there", true, &done, NULL), TD_OK);
    assert_int_equal(td_done_count(done), 0);
    assert_false(td_done_contains(done, "a"));
    td_done_free(done);
    assert_false(td_done_contains(NULL, "a"));
}

static void empty_file_means_nothing_is_done(void **state)
{
    (void)state;
    td_done_set *done = done_in("");
    assert_int_equal(td_done_count(done), 0);
    td_done_free(done);
}

static void only_ok_runs_are_done(void **state)
{
    (void)state;
    td_done_set *done = done_in(HEADER RUN("b", "ok") RUN("a", "ok") RUN("c", "failed") RUN(
        "d", "skipped") RUN("e", "interrupted") RUN("f", "planned"));
    assert_int_equal(td_done_count(done), 2);
    assert_true(td_done_contains(done, "a"));
    assert_true(td_done_contains(done, "b"));
    assert_false(td_done_contains(done, "c"));
    assert_false(td_done_contains(done, "d"));
    assert_false(td_done_contains(done, "ab"));
    td_done_free(done);
}

static void last_line_of_a_key_wins(void **state)
{
    (void)state;
    td_done_set *done = done_in(HEADER RUN("a", "failed") RUN("b", "ok") HEADER RUN("a", "ok")
                                    RUN("b", "failed") "{\"type\":\"footer\"}\n");
    assert_int_equal(td_done_count(done), 1);
    assert_true(td_done_contains(done, "a"));
    assert_false(td_done_contains(done, "b"));
    td_done_free(done);
}

static void skipped_line_does_not_undo_a_measured_one(void **state)
{
    (void)state;
    td_done_set *done = done_in(HEADER RUN("a", "ok") RUN("a", "skipped") RUN("b", "skipped")
                                    RUN("b", "ok") RUN("c", "failed") RUN("c", "skipped"));
    td_run runs[3] = {{.key = "a"}, {.key = "b"}, {.key = "c", .skip = "cannot work"}};
    td_sweep sweep = {.runs = runs, .run_count = 3};
    const size_t count = td_done_mark(done, false, &sweep);
    td_done_free(done);
    assert_int_equal(count, 2);
    assert_true(runs[0].unrecorded && runs[1].unrecorded);
    assert_false(runs[2].unrecorded);
}

static void torn_last_line_is_not_done(void **state)
{
    (void)state;
    static const char *const tails[] = {"{\"type\":\"run\",\"key\":\"b\",\"sta", "{",
                                        "{\"type\":\"run\",\"key\":\"b\",\"status\":\"ok\"}"};
    for (size_t i = 0; i < sizeof tails / sizeof tails[0]; i++) {
        char content[512];
        snprintf(content, sizeof content, "%s%s", HEADER RUN("a", "ok"), tails[i]);
        td_done_set *done = done_in(content);
        assert_int_equal(td_done_count(done), 1);
        assert_true(td_done_contains(done, "a"));
        td_done_free(done);
    }
}

static void assert_rejected(const char *content, const char *words)
{
    td_done_set *done = NULL;
    td_error error = {""};
    const char *path = file_with(content);
    const td_status status = td_done_load(path, true, &done, &error);
    unlink(path);
    assert_int_equal(status, TD_USAGE);
    assert_null(done);
    if (strstr(error.text, words) == NULL) {
        fail_msg("'%s' does not say '%s'", error.text, words);
    }
}

static void malformed_line_is_rejected_with_its_number(void **state)
{
    (void)state;
    assert_rejected(HEADER "{\"type\":\"run\",\"key\n" RUN("a", "ok"), "line 2");
    assert_rejected(HEADER RUN("a", "ok") "\n" RUN("b", "ok"), "line 3");
    assert_rejected(HEADER "{\"type\":\"run\",\"status\":\"ok\"}\n", "line 2");
    assert_rejected(HEADER "[]\n", "line 2");
    assert_rejected(HEADER RUN("a", "ok") "{} {}\n", "line 3");
}

static void what_is_no_sweep_of_this_major_is_rejected(void **state)
{
    (void)state;
    assert_rejected(RUN("a", "ok"), "line 1");
    assert_rejected("{\"type\":\"header\",\"schema\":{\"name\":\"other\",\"major\":2}}\n",
                    "line 1");
    assert_rejected("{\"type\":\"header\",\"schema\":{\"name\":\"tribench\",\"major\":1}}\n",
                    "major");
    assert_rejected(HEADER "{\"type\":\"header\",\"schema\":{\"name\":\"tribench\",\"major\":1}}\n",
                    "line 2");
    assert_rejected("key,strategy\n", "jsonl");
    assert_rejected("{\n\"schema\": {}}\n", "jsonl");
    assert_rejected("garbage", "jsonl");
    td_done_free(done_in("{\"type\":\"hea")); /* cut off by a kill */
}

static void runs_of_another_device_are_not_gone_on_with(void **state)
{
    (void)state;
    td_done_set *done = done_in(
        "{\"type\":\"header\",\"schema\":{\"name\":\"tribench\",\"major\":2,\"minor\":0},"
        "\"environment\":{\"gpu\":null,\"cpu\":{\"model\":\"Z80\",\"threads\":2}}}\n" RUN("a", "ok")
            RUN("b", "skipped") HEADER RUN("c", "ok"));
    static const struct {
        const char *key, *device;
        td_status status;
    } cases[] = {
        {"a", "Z80, 2 threads", TD_OK}, {"a", "Z80, 4 threads", TD_USAGE},
        {"a", "H100", TD_USAGE},        {"a", "", TD_OK}, /* nobody knows */
        {"b", "H100", TD_OK},           {"c", "H100", TD_OK},
        {"d", "H100", TD_OK},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        td_run run = {0};
        td_error error = {""};
        snprintf(run.key, sizeof run.key, "%s", cases[i].key);
        const td_sweep sweep = {.runs = &run, .run_count = 1};
        const td_status status =
            td_done_check_device(done, &sweep, "old.jsonl", cases[i].device, &error);
        assert_int_equal(status, cases[i].status);
        assert_true(status == TD_OK || (strstr(error.text, "'old.jsonl' has a from Z80, 2 thr") &&
                                        strstr(error.text, cases[i].device)));
    }
    td_done_free(done);
}

static void unverified_runs_count_only_where_that_is_wanted(void **state)
{
    (void)state;
    const char *path = file_with(
        HEADER
        "{\"type\":\"run\",\"key\":\"a\",\"status\":\"ok\",\"verified\":{\"status\":\"none\"}}\n"
        "{\"type\":\"run\",\"key\":\"b\",\"status\":\"ok\",\"verified\":{\"status\":\"pass\"}}\n");
    for (int verify = 0; verify < 2; verify++) {
        td_done_set *done = NULL;
        assert_int_equal(td_done_load(path, verify != 0, &done, NULL), TD_OK);
        assert_int_equal(td_done_contains(done, "a"), verify == 0);
        assert_true(td_done_contains(done, "b"));
        td_done_free(done);
    }
    unlink(path);
}

static void folder_is_rejected(void **state)
{
    (void)state;
    td_done_set *done = NULL;
    td_error error = {""};
    assert_int_equal(td_done_load("/tmp", true, &done, &error), TD_USAGE);
    assert_non_null(strstr(error.text, "/tmp"));
}

static void unknown_types_of_a_later_minor_are_passed_over(void **state)
{
    (void)state;
    td_done_set *done = done_in(HEADER "{\"type\":\"note\"}\n" RUN("a", "ok"));
    assert_int_equal(td_done_count(done), 1);
    td_done_free(done);
}

static void sweep_on(const char *path, bool resume)
{
    static sample_group g;
    sample_make(&g);
    td_options options = sample_options(path, TD_FORMAT_JSONL);
    options.resume = resume ? path : NULL;
    options.outputs[0].resumes = resume;
    if (!resume) {
        assert_int_equal(truncate(path, 0), 0);
    }
    td_report *report = NULL;
    assert_int_equal(td_report_open(&options, NULL, &report, NULL), TD_OK);
    assert_int_equal(td_report_environment(report, &g.environment, NULL), TD_OK);
    assert_int_equal(td_report_group(report, &g.group, g.results, NULL), TD_OK);
    assert_int_equal(td_report_close(report, &(td_timing){0}, NULL), TD_OK);
}

static long size_of(const char *path)
{
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    const long size = ftell(file);
    fclose(file);
    return size;
}

/* Wherever the first sweep is cut, the second can read the file, repair it and continue. */
static void sweep_torn_at_any_byte_goes_on(void **state)
{
    (void)state;
    const char *path = file_with("");
    sweep_on(path, false);
    const long whole = size_of(path);
    for (long size = 0; size <= whole; size += size + 300 < whole ? 37 : 1) {
        sweep_on(path, false);
        assert_int_equal(truncate(path, size), 0);
        td_done_set *torn = NULL, *done = NULL;
        assert_int_equal(td_done_load(path, true, &torn, NULL), TD_OK);
        sweep_on(path, true);
        td_error error = {""};
        if (td_done_load(path, true, &done, &error) != TD_OK) {
            fail_msg("torn at %ld: %s", size, error.text);
        }
        assert_true(td_done_count(torn) <= td_done_count(done));
        assert_int_equal(td_done_count(done), 2);
        td_done_free(torn);
        td_done_free(done);
    }
    unlink(path);
}

/* The file that a sweep resumes from, as its output with `format`. */
static td_status open_resumed(td_format format, bool given, td_action action, long *size,
                              td_error *error)
{
    const char *path = file_with(HEADER);
    td_options options = sample_options(path, format);
    options.resume = path;
    options.given = given ? UINT64_MAX : 0;
    options.action = action;
    td_report *report = NULL;
    td_status status = td_outputs_settle(&options, error);
    if (status == TD_OK) {
        status = td_report_open(&options, NULL, &report, error);
    }
    td_report_close(report, &(td_timing){0}, NULL);
    *size = size_of(path);
    unlink(path);
    return status;
}

static void resumed_file_must_go_on_as_jsonl(void **state)
{
    (void)state;
    long size = 0;
    td_error error = {""};
    assert_int_equal(open_resumed(TD_FORMAT_JSON, true, TD_ACTION_RUN, &size, &error), TD_USAGE);
    assert_non_null(strstr(error.text, "--format jsonl"));
    assert_int_equal(size, (long)strlen(HEADER));
    assert_int_equal(open_resumed(TD_FORMAT_JSON, false, TD_ACTION_RUN, &size, &error), TD_OK);
    assert_int_equal(size, (long)strlen(HEADER));
}

static void dry_run_leaves_the_resumed_file_alone(void **state)
{
    (void)state;
    long size = 0;
    td_error error = {""};
    assert_int_equal(open_resumed(TD_FORMAT_JSONL, true, TD_ACTION_DRY_RUN, &size, &error),
                     TD_USAGE);
    assert_non_null(strstr(error.text, "--dry-run"));
    assert_int_equal(size, (long)strlen(HEADER));
}

/* Baselines are measured again, for I. Runs that cannot work are not reported twice. */
static void marked_runs_are_not_reported_again(void **state)
{
    (void)state;
    td_run runs[5] = {
        {.key = "done"}, {.key = "skipped"}, {.key = "skipped"}, {.key = "failed"}, {.key = "new"}};
    snprintf(runs[1].skip, sizeof runs[1].skip, "cannot work");
    td_sweep sweep = {.runs = runs, .run_count = 5};
    td_done_set *done =
        done_in(HEADER RUN("done", "ok") RUN("skipped", "skipped") RUN("failed", "failed"));
    const size_t count = td_done_mark(done, false, &sweep);
    td_done_free(done);
    assert_int_equal(count, 1);
    assert_true(runs[0].unrecorded);
    assert_true(runs[1].unrecorded);
    assert_false(
        runs[2].unrecorded); /* it can work now, on another device or with a newer version */
    assert_false(runs[3].unrecorded);
    assert_false(runs[4].unrecorded);
}

/* What a search has dropped is done for a search only: its output was not verified. */
static void dropped_runs_are_done_for_a_search(void **state)
{
    (void)state;
    for (int is_search = 0; is_search < 2; is_search++) {
        td_run runs[2] = {{.key = "a"}, {.key = "b"}};
        td_sweep sweep = {.runs = runs, .run_count = 2};
        td_done_set *done = done_in(HEADER RUN("a", "dropped") RUN("b", "ok"));
        const size_t count = td_done_mark(done, is_search == 1, &sweep);
        td_done_free(done);
        assert_int_equal(count, 1 + is_search);
        assert_int_equal(runs[0].unrecorded, is_search == 1);
        assert_true(runs[1].unrecorded);
    }
}

static void hundred_thousand_keys_are_told_apart(void **state)
{
    (void)state;
    const char *path = file_with(HEADER);
    FILE *file = fopen(path, "a");
    assert_non_null(file);
    for (int i = 0; i < 100000; i++) {
        fprintf(file, RUN("cuda/edm4/ltm-r/n%d", "%s"), i * 7919 % 100000,
                i % 2 == 0 ? "ok" : "failed");
    }
    assert_int_equal(fclose(file), 0);
    td_done_set *done = NULL;
    const td_status status = td_done_load(path, true, &done, NULL);
    unlink(path);
    assert_int_equal(status, TD_OK);
    assert_int_equal(td_done_count(done), 50000);
    assert_true(td_done_contains(done, "cuda/edm4/ltm-r/n0"));
    assert_false(td_done_contains(done, "cuda/edm4/ltm-r/n7919"));
    td_done_free(done);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(missing_file_means_nothing_is_done),
        cmocka_unit_test(empty_file_means_nothing_is_done),
        cmocka_unit_test(only_ok_runs_are_done),
        cmocka_unit_test(last_line_of_a_key_wins),
        cmocka_unit_test(skipped_line_does_not_undo_a_measured_one),
        cmocka_unit_test(torn_last_line_is_not_done),
        cmocka_unit_test(malformed_line_is_rejected_with_its_number),
        cmocka_unit_test(what_is_no_sweep_of_this_major_is_rejected),
        cmocka_unit_test(runs_of_another_device_are_not_gone_on_with),
        cmocka_unit_test(unverified_runs_count_only_where_that_is_wanted),
        cmocka_unit_test(folder_is_rejected),
        cmocka_unit_test(unknown_types_of_a_later_minor_are_passed_over),
        cmocka_unit_test(sweep_torn_at_any_byte_goes_on),
        cmocka_unit_test(resumed_file_must_go_on_as_jsonl),
        cmocka_unit_test(dry_run_leaves_the_resumed_file_alone),
        cmocka_unit_test(marked_runs_are_not_reported_again),
        cmocka_unit_test(dropped_runs_are_done_for_a_search),
        cmocka_unit_test(hundred_thousand_keys_are_told_apart),
    };
    return cmocka_run_group_tests_name("resume", tests, NULL, NULL);
}
