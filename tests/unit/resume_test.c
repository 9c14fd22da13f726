/* resume_test.c - the finished runs of a jsonl file. */
#include "test.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "run/resume.h"

#define HEADER "{\"type\":\"header\",\"schema\":{\"name\":\"tribench\",\"major\":2,\"minor\":0}}\n"
#define RUN(key, status) "{\"type\":\"run\",\"key\":\"" key "\",\"status\":\"" status "\"}\n"

/* A file for one test, with a name that no other process uses. */
static const char *file_with(const char *content)
{
    static char path[64];
    snprintf(path, sizeof path, "/tmp/td_resume_%ld.jsonl", (long)getpid());
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(content != NULL ? content : "", file) >= 0);
    assert_int_equal(fclose(file), 0);
    if (content == NULL) {
        unlink(path);
    }
    return path;
}

/* Four runs, called a, b, s and S. The last two have one key, as runs that cannot work may; S can work now. */
typedef struct planned {
    td_run runs[4];
    td_sweep sweep;
    td_options options;
} planned;

static void plan(planned *p, const char *content)
{
    *p = (planned){
        .runs = {{.key = "a"}, {.key = "b"}, {.key = "s", .skip = "cannot work"}, {.key = "s"}},
        .options = {.resume = file_with(content), .protocol.verify = true}};
    p->sweep = (td_sweep){.runs = p->runs, .run_count = COUNT(p->runs)};
}

#define VERIFIED(key, how)                                                                         \
    "{\"type\":\"run\",\"key\":\"" key "\",\"status\":\"ok\",\"verified\":{\"status\":\"" how      \
    "\"}}\n"

TEST(what_a_file_says_is_done)
{
    static const struct {
        enum { PLAIN, SEARCH, UNVERIFIED } how;
        const char *content, *unrecorded;
        size_t done;
    } cases[] = {
        {PLAIN, "", "", 0},
        {PLAIN, NULL, "", 0}, /* there is no file */
        {PLAIN, HEADER RUN("b", "ok") RUN("a", "ok") RUN("ab", "ok"), "ab", 2},
        {PLAIN, HEADER RUN("a", "failed") RUN("b", "interrupted"), "", 0},
        {PLAIN, HEADER RUN("a", "skipped") RUN("b", "planned"), "", 0},
        /* the last line of a key counts, unless it is a skip, which undoes no measurement */
        {PLAIN, HEADER RUN("a", "failed") RUN("b", "ok") HEADER RUN("a", "ok") RUN("b", "failed"),
         "a", 1},
        {PLAIN, HEADER RUN("a", "ok") RUN("b", "skipped") RUN("b", "ok") RUN("a", "skipped"), "ab",
         2},
        {PLAIN, HEADER RUN("s", "failed") RUN("s", "skipped"), "", 0},
        /* what cannot work is not reported twice; it may work now, on another device */
        {PLAIN, HEADER RUN("s", "skipped"), "s", 0},
        {PLAIN, HEADER RUN("s", "ok"), "sS", 2},
        /* what a search has dropped is done for a search only: its output was not verified */
        {PLAIN, HEADER RUN("a", "dropped") RUN("b", "ok"), "b", 1},
        {SEARCH, HEADER RUN("a", "dropped") RUN("b", "ok"), "ab", 2},
        {PLAIN, HEADER VERIFIED("a", "none") VERIFIED("b", "pass"), "b", 1},
        {UNVERIFIED, HEADER VERIFIED("a", "none") VERIFIED("b", "pass"), "ab", 2},
        /* a line without an end is torn */
        {PLAIN, HEADER RUN("a", "ok") "{\"type\":\"run\",\"key\":\"b\",\"sta", "a", 1},
        {PLAIN, HEADER RUN("a", "ok") "{\"type\":\"run\",\"key\":\"b\",\"status\":\"ok\"}", "a", 1},
        {PLAIN, HEADER RUN("a", "ok") "{", "a", 1},
        {PLAIN, "{\"type\":\"hea", "", 0},
        /* lines of other types */
        {PLAIN, HEADER "{\"type\":\"note\"}\n" RUN("a", "ok") "{\"type\":\"footer\"}\n", "a", 1},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        planned p;
        td_done_set done = {0};
        td_error error = {""};
        char unrecorded[COUNT(p.runs) + 1] = "";
        size_t length = 0;
        plan(&p, cases[i].content);
        p.options.tune = cases[i].how == SEARCH;
        p.options.protocol.verify = cases[i].how != UNVERIFIED;
        const td_status status = td_done_mark(&p.options, &p.sweep, &done, &error);
        const size_t count = done.count;
        unlink(p.options.resume);
        td_done_free(&done);
        for (size_t r = 0; r < COUNT(p.runs); r++) {
            unrecorded[length] = "absS"[r];
            length += p.runs[r].unrecorded;
        }
        unrecorded[length] = '\0';
        if (status != TD_OK || strcmp(unrecorded, cases[i].unrecorded) != 0) {
            fail_msg("%s: '%s' are done, %s", cases[i].content, unrecorded, error.text);
        }
        assert_int_equal(count, cases[i].done);
    }
}

TEST(what_is_no_sweep_of_this_major_is_rejected)
{
    static const struct {
        const char *content, *words;
    } cases[] = {
        {HEADER "{\"type\":\"run\",\"key\n" RUN("a", "ok"), "line 2"},
        {HEADER RUN("a", "ok") "\n" RUN("b", "ok"), "line 3"},
        {HEADER "{\"type\":\"run\",\"status\":\"ok\"}\n", "line 2"},
        {HEADER "[]\n", "line 2"},
        {HEADER RUN("a", "ok") "{} {}\n", "line 3"},
        {RUN("a", "ok"), "line 1"},
        {"{\"type\":\"header\",\"schema\":{\"name\":\"other\",\"major\":2}}\n", "line 1"},
        {"{\"type\":\"header\",\"schema\":{\"name\":\"tribench\",\"major\":1}}\n", "major"},
        {HEADER "{\"type\":\"header\",\"schema\":{\"name\":\"tribench\",\"major\":1}}\n", "line 2"},
        {"key,strategy\n", "jsonl"},
        {"{\n\"schema\": {}}\n", "jsonl"},
        {"garbage", "jsonl"},
    };
    for (size_t i = 0; i <= COUNT(cases); i++) {
        planned p;
        td_done_set done = {0};
        td_error error = {""};
        const bool is_folder = i == COUNT(cases);
        const char *words = is_folder ? "/tmp" : cases[i].words;
        plan(&p, is_folder ? "" : cases[i].content);
        if (is_folder) {
            unlink(p.options.resume);
            p.options.resume = words;
        }
        const td_status status = td_done_mark(&p.options, &p.sweep, &done, &error);
        unlink(p.options.resume); /* a folder stays */
        assert_int_equal(status, TD_USAGE);
        td_done_free(&done);
        if (strstr(error.text, words) == NULL) {
            fail_msg("'%s' does not say '%s'", error.text, words);
        }
    }
}

TEST(runs_of_another_device_are_not_gone_on_with)
{
    static const char z80[] =
        "{\"type\":\"header\",\"schema\":{\"name\":\"tribench\",\"major\":2,\"minor\":0},"
        "\"environment\":{\"gpu\":null,\"cpu\":{\"model\":\"Z80\",\"threads\":2}}}\n";
    static const struct {
        const char *line, *device;
        td_status status;
    } cases[] = {
        {RUN("a", "ok"), "Z80, 2 threads", TD_OK}, {RUN("a", "ok"), "Z80, 4 threads", TD_USAGE},
        {RUN("a", "ok"), "H100", TD_USAGE},        {RUN("a", "ok"), "", TD_OK}, /* nobody knows */
        {RUN("s", "skipped"), "H100", TD_OK},      {HEADER RUN("a", "ok"), "H100", TD_OK},
        {RUN("d", "ok"), "H100", TD_OK},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        planned p;
        td_done_set done = {0};
        td_error error = {""};
        char content[512];
        snprintf(content, sizeof content, "%s%s", z80, cases[i].line);
        plan(&p, content);
        assert_int_equal(td_done_mark(&p.options, &p.sweep, &done, &error), TD_OK);
        const td_status status = td_done_check_device(&done, cases[i].device, &error);
        td_done_free(&done);
        unlink(p.options.resume);
        assert_int_equal(status, cases[i].status);
        assert_true(status == TD_OK || (strstr(error.text, "has a from Z80, 2 thr") &&
                                        strstr(error.text, cases[i].device)));
    }
}
