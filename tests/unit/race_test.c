/* race_test.c - what --tune drops, measures and keeps, with known times. */
#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/bench/race.h"
#include "engine/cpu/row.h"
#include "tune_space.h"

enum { MOST = 64, FINALISTS = 5 };

/* A device with known times: run i of the space takes brief[i] in short measurements and full[i] in full ones. */
typedef struct device {
    const td_group *space;
    double brief[MOST], full[MOST];
    size_t broken; /* the run with a wrong result; MOST: none */
    size_t groups, short_runs, full_runs;
    uint32_t rounds;     /* of short measurements: their samples double */
    uint32_t samples;    /* of the last round */
    uint32_t most_steps; /* of all short runs */
    bool mixed;          /* a group had runs of different storage */
    bool split;          /* runs of one storage were in two groups of full measurements */
    size_t full_groups;
    const td_workload *full_storages[MOST];
} device;

static device *the;

static size_t place_of(const td_run *run)
{
    size_t r = 0;
    while (strcmp(the->space->runs[r].key, run->key) != 0) {
        r++;
    }
    return r;
}

void __wrap_td_group_run(td_engine *engine, const td_protocol *protocol, const td_group *group,
                         const td_observer *observer, td_result *results);

static void note_group(const td_protocol *protocol, const td_group *group, bool is_full)
{
    the->groups++;
    if (!is_full && protocol->samples != the->samples) {
        assert_true(the->samples == 0 || protocol->samples == 2 * the->samples);
        the->samples = protocol->samples;
        the->rounds++;
    }
    for (size_t g = 0; is_full && g < the->full_groups; g++) {
        the->split = the->split || the->full_storages[g] == group->runs[0].workload;
    }
    if (is_full) {
        the->full_storages[the->full_groups++] = group->runs[0].workload;
    }
}

/* Only full measurements are verified. */
void __wrap_td_group_run(td_engine *engine, const td_protocol *protocol, const td_group *group,
                         const td_observer *observer, td_result *results)
{
    const bool is_full = protocol->samples == 51;
    (void)engine;
    assert_int_equal(protocol->verify, is_full);
    assert_int_equal(protocol->energy, is_full);
    note_group(protocol, group, is_full);
    for (size_t i = 0; i < group->count; i++) {
        const td_run *run = &group->runs[i];
        const size_t r = place_of(run);
        const uint32_t steps = td_workload_steps(run->workload, &run->problem);
        observer->phase(observer->context, i, "sample");
        the->mixed = the->mixed || run->workload != group->runs[0].workload;
        *(is_full ? &the->full_runs : &the->short_runs) += 1;
        the->most_steps = !is_full && steps > the->most_steps ? steps : the->most_steps;
        if (r == the->broken && is_full) {
            results[i].status = TD_RUN_FAILED;
            results[i].error = TD_WRONG;
            results[i].verified = TD_VERIFIED_FAIL;
            continue;
        }
        results[i].sample_count = protocol->samples;
        results[i].sample_ms = calloc(protocol->samples, sizeof(double));
        results[i].kernels = 1;
        results[i].verified = is_full ? TD_VERIFIED_PASS : TD_VERIFIED_NONE;
        for (uint32_t s = 0; s < protocol->samples; s++) {
            results[i].sample_ms[s] = is_full ? the->full[r] : the->brief[r];
        }
    }
    td_group_summarise(group, results);
}

/* A race in a space of at most MOST runs, on a device that the test sets up between begin and race. */
typedef struct racing {
    fixture f;
    device d;
    td_races races;
    td_result results[MOST];
    bool phases[MOST]; /* which runs were announced */
} racing;

/* In short measurements, later runs are faster. In full ones, the fifth best of them is the fastest. */
static void enter(racing *s, size_t group)
{
    s->d = (device){.space = &s->f.space.groups[group], .broken = MOST};
    const size_t n = s->d.space->count;
    assert_true(n <= MOST);
    for (size_t r = 0; r < n; r++) {
        s->d.brief[r] = (double)(n - r);
        s->d.full[r] = r == n - 5 ? 0.5 : 0.9 * (double)(n - r);
        s->phases[r] = false;
    }
}

static void begin_on(racing *s, const td_engine_ops *engine, const char *line)
{
    memset(s, 0, sizeof *s);
    made(&s->f, engine, line);
    enter(s, 0);
}

static void begin(racing *s, const char *line)
{
    begin_on(s, &td_cpu_ops, line);
}

static void note_phase(void *context, size_t run, const char *phase)
{
    (void)phase;
    ((racing *)context)->phases[run] = true;
}

static void race(racing *s)
{
    static const td_protocol full = {
        .samples = 51, .warmup = 3, .max_time_s = 10, .verify = true, .energy = true};
    const td_observer observer = {.context = s, .phase = note_phase};
    the = &s->d;
    memset(s->results, 0, sizeof s->results);
    td_race_run(NULL, &full, s->d.space, &observer, &s->races, s->results);
}

static void free_results(racing *s)
{
    for (size_t r = 0; r < s->d.space->count; r++) {
        td_result_free(&s->results[r]);
    }
}

static void over(racing *s)
{
    free_results(s);
    td_races_forget(&s->races);
    end(&s->f);
}

static size_t with_status(const racing *s, td_run_status status)
{
    size_t count = 0;
    for (size_t r = 0; r < s->d.space->count; r++) {
        count += s->results[r].status == status;
    }
    return count;
}

static size_t with_reason(const racing *s, const char *words)
{
    size_t count = 0;
    for (size_t r = 0; r < s->d.space->count; r++) {
        count += strstr(s->results[r].reason, words) != NULL;
    }
    return count;
}

/* The run that a reader would choose: the fastest that is ok; its count: none. */
static size_t winner(const racing *s)
{
    size_t best = s->d.space->count;
    for (size_t r = 0; r < s->d.space->count; r++) {
        if (s->results[r].status == TD_RUN_OK &&
            (best == s->d.space->count ||
             s->results[r].time_ms.median < s->results[best].time_ms.median)) {
            best = r;
        }
    }
    return best;
}

static const char edm[] = "-s bb -w edm1 -n 1000 --block 16,32x8,32";

static void the_last_few_are_measured_in_full_and_verified(void **state)
{
    (void)state;
    racing s;
    begin(&s, edm);
    const size_t n = s.d.space->count;
    race(&s);
    assert_int_equal(winner(&s), n - 5);
    assert_int_equal(s.d.short_runs, n); /* the fifth best is beyond 1.5 times the best */
    assert_int_equal(s.d.full_runs, FINALISTS);
    assert_int_equal(with_status(&s, TD_RUN_OK), FINALISTS);
    assert_int_equal(with_status(&s, TD_RUN_DROPPED), n - FINALISTS);
    for (size_t r = 0; r < n; r++) {
        const td_result *result = &s.results[r];
        const bool is_ok = result->status == TD_RUN_OK;
        assert_int_equal(result->verified, is_ok ? TD_VERIFIED_PASS : TD_VERIFIED_NONE);
        assert_int_equal(result->sample_count, is_ok ? 51 : 1);
        assert_int_equal(result->kernels,
                         is_ok ? 1 : 0); /* a short launch is not that of the run */
        assert_true(is_ok || fabs(result->time_ms.median - s.d.brief[r]) < 1e-9);
        assert_true(s.phases[r]);
    }
    char reason[64];
    snprintf(reason, sizeof reason, "%zu.0 times as long as the fastest", n);
    assert_string_equal(s.results[0].reason, reason);
    over(&s);
}

static void what_fails_does_not_win(void **state)
{
    (void)state;
    racing s;
    begin(&s, edm);
    const size_t n = s.d.space->count;
    s.d.broken = n - 1;
    s.d.full[n - 5] = 99;
    race(&s);
    assert_int_equal(winner(&s), n - 2);
    assert_int_equal(s.results[n - 1].status, TD_RUN_FAILED);
    assert_int_equal(s.results[n - 1].error, TD_WRONG);
    over(&s);
}

static void what_is_done_or_skipped_does_not_take_part(void **state)
{
    (void)state;
    racing s;
    begin(&s, edm);
    const size_t n = s.d.space->count;
    const td_observer observer = {.context = &s, .phase = note_phase};
    const td_protocol full = {.samples = 51, .verify = true, .energy = true, .max_time_s = 1};
    the = &s.d;
    for (size_t r = 2; r < n; r++) {
        s.results[r].status = TD_RUN_SKIPPED;
    }
    td_race_run(NULL, &full, s.d.space, &observer, &s.races, s.results);
    assert_int_equal(s.d.short_runs + s.d.full_runs, 4);
    assert_int_equal(with_status(&s, TD_RUN_OK), 2);
    assert_int_equal(with_status(&s, TD_RUN_SKIPPED), n - 2);
    over(&s);
}

/* Nearly all are equally fast; each time the samples double, half of them drop out. */
static void half_of_the_candidates_go_as_often_as_samples_double(void **state)
{
    (void)state;
    racing s;
    begin(&s, edm);
    const size_t n = s.d.space->count;
    for (size_t r = 0; r < n; r++) {
        s.d.brief[r] = 1.0 + 1e-6 * (double)r;
    }
    race(&s);
    size_t runs = n, left = n;
    for (uint32_t round = 1; round < s.d.rounds; round++) {
        left = (left + 1) / 2;
        runs += left;
    }
    assert_int_equal(s.d.short_runs, runs);
    assert_true((left + 1) / 2 <= FINALISTS && left > FINALISTS);
    over(&s);
}

/* All but the finalists take twice as long in the first sample, so they have no second one. */
static void what_is_far_behind_is_asked_for_one_sample(void **state)
{
    (void)state;
    racing s;
    begin(&s, edm);
    const size_t n = s.d.space->count;
    for (size_t r = 0; r < n; r++) {
        s.d.brief[r] = r < FINALISTS ? 1.0 : 2.0;
    }
    race(&s);
    assert_int_equal(s.d.rounds, 1);
    assert_int_equal(s.d.short_runs, n);
    over(&s);
}

/* A hundred generations in the record, a few in each short measurement, whose time is that of a hundred. */
static void a_short_measurement_of_an_automaton_has_few_generations(void **state)
{
    static const struct {
        double added; /* for each generation: a first sample has one */
        uint32_t most_steps;
    } cases[] = {{0.0, 4}, {10.0, 2}}; /* if two launches take long enough, there are no more */
    (void)state;
    for (size_t c = 0; c < COUNT(cases); c++) {
        racing s;
        begin(&s, "-s bb -w life -n 64 --block 8,16 --tile 16,32,64 --memory halo --steps 100");
        for (size_t r = 0; r < s.d.space->count; r++) {
            s.d.brief[r] = 1e-3 + 1e-9 * (double)r + cases[c].added;
        }
        race(&s);
        const td_run *best = &s.d.space->runs[winner(&s)];
        assert_int_equal(s.d.most_steps, cases[c].most_steps);
        assert_int_equal(td_workload_steps(best->workload, &best->problem), 100);
        for (size_t r = 0; r < s.d.space->count; r++) {
            const td_result *result = &s.results[r];
            assert_true(result->status != TD_RUN_DROPPED || result->sample_count > 1 ||
                        fabs(result->time_ms.median - 100 * s.d.brief[r]) < 1e-6);
        }
        over(&s);
    }
}

static td_engine_ops steady_gpu(void)
{
    td_engine_ops gpu = td_cpu_ops;
    gpu.can.device_memory = true;
    gpu.can.persistent = true;
    return gpu;
}

/* Half of the grids take three times as long as the others, and so would their persistent blocks. */
static void what_is_hopeless_as_a_grid_is_not_tried_persistent(void **state)
{
    const td_engine_ops gpu = steady_gpu();
    racing s;
    (void)state;
    begin_on(&s, &gpu,
             "-s bb -w edm1 -n 1000 --kernel loop --tile 32,64 --block 8x8,16x8,16x16 --schedule "
             "grid,persistent");
    size_t grids = 0, slow = 0;
    for (size_t r = 0; r < s.d.space->count; r++) {
        const bool is_grid = s.d.space->runs[r].schedule == TD_SCHEDULE_GRID;
        const bool is_slow = is_grid && s.d.space->runs[r].tile == 64;
        grids += is_grid;
        slow += is_slow;
        s.d.brief[r] = is_slow ? 3.0 : is_grid ? 1.0 : 0.5;
    }
    assert_int_equal(s.d.space->count, 2 * grids);
    assert_true(slow > 0 && slow < grids);
    race(&s);
    assert_int_equal(with_reason(&s, "as a grid, 3.0 times as long"), slow);
    assert_int_equal(s.d.space->runs[winner(&s)].schedule, TD_SCHEDULE_PERSISTENT);
    over(&s);
}

/* Except on small domains, the second map leaves out what took more than 1.6 times as long as the fastest under the
 * first map. On a host, other work may have disturbed that. */
static void what_was_hopeless_under_another_map_is_not_tried(void **state)
{
    static const struct {
        const char *line;
        bool on_gpu;
        size_t left_out;
    } cases[] = {{"-s bb,ltm-i -w edm1 -n 6144 --kernel loop --tile 32 --block 8x8,16x8,16x16,32x8 "
                  "--schedule grid",
                  true, 1},
                 {"-s bb,ltm-i -w edm1 -n 5000 --kernel loop --tile 32 --block 8x8,16x8,16x16,32x8 "
                  "--schedule grid",
                  true, 0},
                 {"-s bb,ltm-i -w edm1 -n 6144 --kernel loop --tile 32 --block 8x8,16x8,16x16,32x8 "
                  "--schedule grid",
                  false, 0}};
    const td_engine_ops gpu = steady_gpu();
    (void)state;
    for (size_t c = 0; c < COUNT(cases); c++) {
        racing s;
        begin_on(&s, cases[c].on_gpu ? &gpu : &td_cpu_ops, cases[c].line);
        const size_t count = s.d.space->count;
        assert_int_equal(count, 4);
        for (size_t r = 0; r < count; r++) {
            s.d.brief[r] = s.d.full[r] = r == 0 ? 1.0 : r == 1 ? 1.5 : r == 2 ? 1.7 : 1.2;
        }
        race(&s);
        assert_int_equal(with_reason(&s, "under another map"), 0);
        free_results(&s);
        enter(&s, 1);
        for (size_t r = 0; r < count; r++) {
            s.d.brief[r] = s.d.full[r] = 1.0;
        }
        race(&s);
        assert_int_equal(with_reason(&s, "under another map, 1.7 times"), cases[c].left_out);
        assert_int_equal(s.d.full_runs, count - cases[c].left_out);
        over(&s);
    }
}

/* One sample of a map that takes ten times as long as another says enough about it. */
static void a_hopeless_map_is_given_up_after_its_first_sample(void **state)
{
    const td_engine_ops gpu = steady_gpu();
    (void)state;
    for (double times = 9.0; times <= 11.0; times += 2.0) {
        racing s;
        begin_on(&s, &gpu,
                 "-s bb,ltm-i -w edm1 -n 6144 --kernel loop --tile 32 --block 8x8,16x8,16x16,32x8 "
                 "--schedule grid");
        const size_t count = s.d.space->count;
        for (size_t r = 0; r < count; r++) {
            s.d.brief[r] = s.d.full[r] = 1.0;
        }
        race(&s);
        free_results(&s);
        enter(&s, 1);
        for (size_t r = 0; r < count; r++) {
            s.d.brief[r] = s.d.full[r] = times;
        }
        race(&s);
        assert_int_equal(with_status(&s, TD_RUN_DROPPED), times > 10.0 ? count : 0);
        assert_int_equal(s.d.short_runs, times > 10.0 ? 1 : count);
        assert_int_equal(with_reason(&s, "the map takes 11 times as long"),
                         times > 10.0 ? count : 0);
        over(&s);
    }
}

/* All runs of a group share one input and one output, but an automaton's storages differ. If the finalists of one
 * storage were in several groups, drift between groups would decide. */
static void groups_have_one_storage_and_finalists_of_one_are_together(void **state)
{
    (void)state;
    racing s;
    begin(&s, "-s bb -w life -n 64 --block 16 --tile 16,32");
    const double turns[] = {0.5, 2, 1, 3}; /* two storages with two runs each */
    for (size_t r = 0; r < s.d.space->count; r++) {
        s.d.brief[r] = r < 4 ? turns[r] : (double)r;
    }
    race(&s);
    assert_true(winner(&s) < s.d.space->count);
    assert_true(s.d.groups > 3);
    assert_false(s.d.mixed);
    assert_int_equal(s.d.full_runs, FINALISTS);
    assert_false(s.d.split);
    over(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_last_few_are_measured_in_full_and_verified),
        cmocka_unit_test(what_fails_does_not_win),
        cmocka_unit_test(what_is_done_or_skipped_does_not_take_part),
        cmocka_unit_test(half_of_the_candidates_go_as_often_as_samples_double),
        cmocka_unit_test(what_is_far_behind_is_asked_for_one_sample),
        cmocka_unit_test(a_short_measurement_of_an_automaton_has_few_generations),
        cmocka_unit_test(what_is_hopeless_as_a_grid_is_not_tried_persistent),
        cmocka_unit_test(what_was_hopeless_under_another_map_is_not_tried),
        cmocka_unit_test(a_hopeless_map_is_given_up_after_its_first_sample),
        cmocka_unit_test(groups_have_one_storage_and_finalists_of_one_are_together),
    };
    return cmocka_run_group_tests_name("race", tests, NULL, NULL);
}
