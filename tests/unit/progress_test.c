/* progress_test.c - what a sweep says while it runs and at its end, word for word; each look at the clock moves it. */
#include "test.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "command.h"
#include "engine/bench/group.h"
#include "report/view/view.h"
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

/* Six samples around a median; their interval goes from the smallest to the largest. */
enum { SAMPLES = 6, MOST_RUNS = 8 };

static const struct {
    td_run_status status;
    td_verified verified;
    double low, high; /* samples; 0: none */
} outcomes[] = {
    /* a clear winner, and what is faster and not verified */
    {TD_RUN_OK, TD_VERIFIED_PASS, 2.0, 2.1},
    {TD_RUN_OK, TD_VERIFIED_PASS, 1.0, 1.1},
    {TD_RUN_OK, TD_VERIFIED_NONE, 0.5, 0.6},
    {TD_RUN_FAILED, TD_VERIFIED_NONE, 0.0, 0.0},
    {TD_RUN_OK, TD_VERIFIED_NONE, 0.0, 0.0},
    {TD_RUN_INTERRUPTED, TD_VERIFIED_NONE, 0.0, 0.0},
    /* intervals that meet */
    {TD_RUN_OK, TD_VERIFIED_PASS, 1.0, 1.2},
    {TD_RUN_OK, TD_VERIFIED_PASS, 1.1, 1.3},
    {TD_RUN_OK, TD_VERIFIED_PASS, 5.0, 5.1},
    /* less than a percent apart */
    {TD_RUN_OK, TD_VERIFIED_PASS, 1.005, 1.0051},
    {TD_RUN_OK, TD_VERIFIED_PASS, 1.0, 1.0001},
    {TD_RUN_DROPPED, TD_VERIFIED_NONE, 0.1, 0.1},
};

static void run_group(td_progress *p, const td_group *group, size_t first)
{
    static const char *const phases[] = {"verify", "warm up", "sample", "sample", "energy"};
    td_result results[MOST_RUNS] = {0};
    double samples[MOST_RUNS][SAMPLES];
    now_ms += 7000;
    assert_true(group->count <= MOST_RUNS);
    for (size_t phase = 0; phase < COUNT(phases); phase++) {
        for (size_t r = 0; r < group->count; r++) {
            td_progress_phase(p, &group->runs[r], phases[phase]);
        }
    }
    for (size_t r = 0; r < group->count; r++) {
        const size_t o = (first + r) % COUNT(outcomes);
        for (size_t s = 0; s < SAMPLES; s++) {
            samples[r][s] = s < SAMPLES / 2 ? outcomes[o].low : outcomes[o].high;
        }
        results[r] = (td_result){.status = outcomes[o].status,
                                 .verified = outcomes[o].verified,
                                 .kernel = o == 1 ? TD_KERNEL_TILE : TD_KERNEL_CELL,
                                 .sample_ms = samples[r],
                                 .sample_count = outcomes[o].low > 0.0 ? SAMPLES : 0};
        snprintf(results[r].reason, TD_REASON_SIZE, "the device said no");
    }
    td_group_summarise(group, results);
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

/* Its standard output goes to standard error, too. */
static void check_maps(const char *line)
{
    const int before = dup(STDOUT_FILENO);
    command c;
    now_ms = 0;
    parse(line, &c);
    fprintf(stderr, "== %s\n", line);
    fflush(stdout);
    (void)dup2(STDERR_FILENO, STDOUT_FILENO);
    c.status = td_check_maps(&c.options, &c.error);
    (void)dup2(before, STDOUT_FILENO);
    close(before);
    td_options_free(&c.options);
    assert_int_equal(c.status, TD_OK);
}

TEST(progress_is_as_shown)
{
    static const char runs[] = "-s bb,ltm-r,utm -w edm1,life -n 64,100",
                      search[] = "--tune -s bb,rb-b -w edm1 -n 64,128 -b 8,16 --tile 16";
    static const struct {
        const char *option, *line;
        bool on_terminal;
    } cases[] = {{"-q", runs, false}, {"", runs, false},   {"", runs, true},
                 {"-v", runs, false}, {"", search, false}, {"", search, true}};
    static char said[1 << 16];
    td_text text = {0};
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
    check_maps("--check-maps=40 -e cpu --threads 1 -s ltm-i,bb-tetra,utm -f table");
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

/* A hundred steps take longer than one launch over as many cells, and no sample is shorter than a millisecond. */
TEST(the_time_left_is_in_proportion_to_the_work_left)
{
    static const struct {
        const char *line;
        double least, most; /* left after the first of two groups, which took a second [s] */
    } cases[] = {{"-q -s bb -w edm1,life -n 4096 --steps 100", 5.0, 100.0},
                 {"-q -s bb -w edm1 -n 64,128", 0.5, 2.0}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        const td_result result = {.status = TD_RUN_OK};
        td_progress p;
        command c;
        make_ok(cases[i].line, &c);
        assert_int_equal(td_progress_start(&p, &c.sweep, &c.options, &c.error), TD_OK);
        const double unknown_s = td_progress_left_s(&p, 1.0);
        td_progress_group(&p, &c.sweep.groups[0], &result);
        const double half_s = td_progress_left_s(&p, 1.0);
        td_progress_group(&p, &c.sweep.groups[1], &result);
        const double none_s = td_progress_left_s(&p, 1.0);
        done(&c);
        assert_true(unknown_s <= 0.0 && none_s < 1e-6);
        if (half_s < cases[i].least || half_s > cases[i].most) {
            fail_msg("%s: %g s", cases[i].line, half_s);
        }
    }
}
