/* progress_test.c - what a sweep says while it runs, and at its end, word for word, by a clock that every look moves. */
#include "test.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "command.h"
#include "engine/bench/group.h"
#include "run/progress.h"
#include "shown.h"

static int64_t now_ms;

int __wrap_clock_gettime(clockid_t clock, struct timespec *time);
int __wrap_clock_gettime(clockid_t clock, struct timespec *time)
{
    (void)clock;
    now_ms += 64;
    *time = (struct timespec){now_ms / 1000, now_ms % 1000 * 1000000};
    return 0;
}

static const td_result outcomes[] = {
    {.status = TD_RUN_OK, .verified = TD_VERIFIED_PASS, .sample_count = 1, .time_ms.median = 1.25},
    {.status = TD_RUN_OK, .verified = TD_VERIFIED_PASS, .sample_count = 1, .time_ms.median = 1.26},
    {.status = TD_RUN_OK, .sample_count = 0},
    {.status = TD_RUN_FAILED, .reason = "the device said no"},
    {.status = TD_RUN_INTERRUPTED},
    {.status = TD_RUN_DROPPED},
    {.status = TD_RUN_OK, .verified = TD_VERIFIED_PASS, .sample_count = 1, .time_ms.median = 0.5},
};

static void run_group(td_progress *p, const td_group *group, size_t first)
{
    static const char *const phases[] = {"verify", "warm up", "sample", "sample", "energy"};
    td_result results[COUNT(outcomes)];
    now_ms += 7000;
    for (size_t phase = 0; phase < COUNT(phases); phase++) {
        for (size_t r = 0; r < group->count; r++) {
            td_progress_phase(p, &group->runs[r], phases[phase]);
        }
    }
    for (size_t r = 0; r < group->count; r++) {
        results[r] = outcomes[(first + r) % COUNT(outcomes)];
    }
    td_progress_group(p, group, results);
}

static void play(const char *line, bool on_terminal)
{
    command c;
    td_progress p;
    now_ms = 100000;
    make_ok(line, &c);
    c.sweep.runs[4].unrecorded = true;
    snprintf(c.sweep.runs[5].skip, sizeof c.sweep.runs[5].skip, "cannot work");
    assert_int_equal(td_progress_start(&p, &c.sweep, &c.options, &c.error), TD_OK);
    p.terminal = on_terminal;
    for (size_t g = 0, first = 0; g < c.sweep.group_count; g++) {
        run_group(&p, &c.sweep.groups[g], first);
        first += c.sweep.groups[g].count;
    }
    td_progress_clear(&p);
    td_progress_summarise(&p, 12.5, stderr);
    done(&c);
}

static void progress_is_as_shown(void **state)
{
    static const char runs[] = "-s bb,ltm-r,utm -w edm1,life -n 64,100",
                      search[] = "--tune -s bb,rb-b -w edm1 -n 64 -b 8,16 --tile 16,32";
    static const struct {
        const char *option, *line;
        bool on_terminal;
    } cases[] = {{"-q", runs, false}, {"", runs, false},   {"", runs, true},
                 {"-v", runs, false}, {"", search, false}, {"", search, true}};
    static char said[1 << 16];
    td_text text = {0};
    (void)state;
    FILE *file = tmpfile();
    const int before = dup(STDERR_FILENO);
    assert_true(file != NULL && before >= 0);
    (void)dup2(fileno(file), STDERR_FILENO);
    for (size_t i = 0; i < COUNT(cases); i++) {
        char line[LINE_SIZE];
        snprintf(line, sizeof line, "%s %s", cases[i].option, cases[i].line);
        fprintf(stderr, "== %s%s\n", line, cases[i].on_terminal ? " on a terminal" : "");
        play(line, cases[i].on_terminal);
    }
    (void)dup2(before, STDERR_FILENO);
    close(before);
    rewind(file);
    said[fread(said, 1, sizeof said - 1, file)] = '\0';
    fclose(file);
    for (char *c = said; *c != '\0'; c++) { /* control characters are hard to read */
        *c = *c == '\r' ? '\n' : *c == '\033' ? '^' : *c;
    }
    td_text_add(&text, said);
    is_as_shown(&text, "tests/data/shown/progress.txt");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(progress_is_as_shown)};
    return cmocka_run_group_tests_name("progress", tests, NULL, NULL);
}
