/* race_test.c - what --tune drops, measures and keeps, with known times. */
#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/bench/race.h"
#include "engine/cpu/row.h"
#include "command.h"

enum { MOST = 64, FINALISTS = 5 };

/* A race in a space of at most MOST runs: run i takes brief[i] in short measurements and full[i] in full ones. */
typedef struct racing {
    command f;
    td_races races;
    const td_group *space;
    double brief[MOST], full[MOST];
    td_result results[MOST];

    /* what td_group_run was asked for */
    size_t full_groups, short_runs, full_runs;
    uint32_t rounds;        /* of short measurements: their samples double */
    uint32_t samples;       /* of the last round */
    uint32_t most_launches; /* in a sample of all short runs */
} racing;

static racing *the;

void __wrap_td_group_run(td_engine *engine, const td_protocol *protocol, const td_group *group,
                         const td_observer *observer, td_result *results);

/* Only full measurements are verified. All runs of a group have one storage, since they share an input and outputs. */
void __wrap_td_group_run(td_engine *engine, const td_protocol *protocol, const td_group *group,
                         const td_observer *observer, td_result *results)
{
    const bool is_full = protocol->samples == 51;
    const td_workload *storage = NULL;
    (void)engine, (void)observer;
    assert_int_equal(protocol->verify, is_full);
    assert_int_equal(protocol->energy, is_full);
    assert_ptr_equal(group, the->space);
    if (!is_full && protocol->samples != the->samples) {
        assert_true(the->samples == 0 || protocol->samples == 2 * the->samples);
        the->samples = protocol->samples;
        the->rounds++;
    }
    if (protocol->launches > the->most_launches) {
        the->most_launches = protocol->launches;
    }
    for (size_t r = 0; r < group->count; r++) {
        if (results[r].status == TD_RUN_OK) {
            assert_true(storage == NULL || group->runs[r].workload == storage);
            storage = group->runs[r].workload;
            *(is_full ? &the->full_runs : &the->short_runs) += 1;
            results[r].verified = is_full ? TD_VERIFIED_PASS : TD_VERIFIED_NONE;
            results[r].sample_count = protocol->samples;
            results[r].sample_ms = calloc(protocol->samples, sizeof(double));
            for (uint32_t s = 0; s < protocol->samples; s++) {
                results[r].sample_ms[s] = is_full ? the->full[r] : the->brief[r];
            }
        }
    }
    the->full_groups += is_full;
    td_group_summarise(group, results);
}

static void free_results(racing *s)
{
    for (size_t r = 0; r < s->space->count; r++) {
        td_result_free(&s->results[r]);
    }
}

/* Continue with a group of the sweep. In short measurements, later runs are faster. In full ones, the fifth best of
 * them is the fastest. */
static void enter(racing *s, size_t group)
{
    const command f = s->f;
    const td_races races = s->races;
    *s = (racing){.f = f, .races = races, .space = &s->f.sweep.groups[group]};
    const size_t n = s->space->count;
    assert_true(n <= MOST);
    for (size_t r = 0; r < n; r++) {
        s->brief[r] = (double)(n - r);
        s->full[r] = r == n - 5 ? 0.5 : 0.9 * (double)(n - r);
    }
}

static void begin(racing *s, const td_engine_ops *engine, const char *line)
{
    s->races = (td_races){NULL, 0};
    make_search(engine, line, &s->f);
    enter(s, 0);
}

static void race(racing *s)
{
    static const td_protocol full = {
        .samples = 51, .warmup = 3, .max_time_s = 10, .verify = true, .energy = true};
    the = s;
    td_race_run(NULL, &full, s->space, NULL, &s->races, s->results);
}

static void over(racing *s)
{
    free_results(s);
    td_races_forget(&s->races);
    done(&s->f);
}

static size_t with_reason(const racing *s, const char *words)
{
    size_t count = 0;
    for (size_t r = 0; r < s->space->count; r++) {
        count += strstr(s->results[r].reason, words) != NULL;
    }
    return count;
}

static const char edm[] = "-s bb -w edm1 -n 1000 --block 16,32x8,32";

TEST(the_last_few_are_measured_in_full_and_verified)
{
    racing s;
    begin(&s, &td_cpu_ops, edm);
    const size_t n = s.space->count;
    race(&s);
    assert_int_equal(s.rounds, 1); /* the fifth best is beyond 1.5 times the best */
    assert_int_equal(s.short_runs, n);
    assert_int_equal(s.full_runs, FINALISTS);
    for (size_t r = 0; r < n; r++) {
        const td_result *result = &s.results[r];
        const bool is_ok = r >= n - FINALISTS;
        assert_int_equal(result->status, is_ok ? TD_RUN_OK : TD_RUN_DROPPED);
        assert_int_equal(result->verified, is_ok ? TD_VERIFIED_PASS : TD_VERIFIED_NONE);
        assert_int_equal(result->sample_count, is_ok ? 51 : 1);
        assert_true(fabs(result->time_ms.median - (is_ok ? s.full[r] : s.brief[r])) < 1e-9);
    }
    char reason[64];
    snprintf(reason, sizeof reason, "%zu.0 times as long as the fastest", n);
    assert_string_equal(s.results[0].reason, reason);
    over(&s);
}

TEST(what_is_done_or_skipped_does_not_take_part)
{
    racing s;
    begin(&s, &td_cpu_ops, edm);
    const size_t n = s.space->count;
    for (size_t r = 2; r < n; r++) {
        s.results[r].status = TD_RUN_SKIPPED;
    }
    race(&s);
    assert_int_equal(s.short_runs + s.full_runs, 4);
    for (size_t r = 0; r < n; r++) {
        assert_int_equal(s.results[r].status, r < 2 ? TD_RUN_OK : TD_RUN_SKIPPED);
    }
    over(&s);
}

/* Nearly all are equally fast; each time the samples double, half of them drop out. */
TEST(half_of_the_candidates_go_as_often_as_samples_double)
{
    racing s;
    begin(&s, &td_cpu_ops, edm);
    const size_t n = s.space->count;
    for (size_t r = 0; r < n; r++) {
        s.brief[r] = 1.0 + 1e-6 * (double)r;
    }
    race(&s);
    size_t runs = n, left = n;
    for (uint32_t round = 1; round < s.rounds; round++) {
        left = (left + 1) / 2;
        runs += left;
    }
    assert_int_equal(s.short_runs, runs);
    assert_true((left + 1) / 2 <= FINALISTS && left > FINALISTS);
    over(&s);
}

/* One sample may be off by half: what is within that of the fastest has another chance, and nothing else. */
TEST(what_is_beyond_the_limit_goes_even_if_it_is_in_the_better_half)
{
    enum { WITHIN = 8 };
    racing s;
    begin(&s, &td_cpu_ops, edm);
    const size_t n = s.space->count;
    assert_true(n / 2 > WITHIN);
    for (size_t r = 0; r < n; r++) {
        s.brief[r] = (r < WITHIN ? 1.0 : 1.6) + 1e-6 * (double)r;
    }
    race(&s);
    assert_int_equal(s.rounds, 2);
    assert_int_equal(s.short_runs, n + WITHIN);
    over(&s);
}

/* A hundred generations in the record, a few in each short measurement. */
TEST(a_short_measurement_of_an_automaton_has_few_launches)
{
    static const struct {
        double ms; /* of a hundred launches */
        uint32_t most_launches;
    } cases[] = {{0.1, 4}, {1000.0, 2}}; /* if two launches take long enough, there are no more */
    for (size_t c = 0; c < COUNT(cases); c++) {
        racing s;
        begin(&s, &td_cpu_ops,
              "-s bb -w life -n 64 --block 8,16 --tile 16,32,64 --memory halo --steps 100");
        for (size_t r = 0; r < s.space->count; r++) {
            s.brief[r] = cases[c].ms * (1.0 + 1e-6 * (double)r);
        }
        race(&s);
        assert_true(s.rounds > 1);
        assert_int_equal(s.most_launches, cases[c].most_launches);
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
TEST(what_is_hopeless_as_a_grid_is_not_tried_persistent)
{
    const td_engine_ops gpu = steady_gpu();
    racing s;
    begin(&s, &gpu,
          "-s bb -w edm1 -n 6144 --kernel loop --tile 32,64 --block 8x8,16x8,16x16 --schedule "
          "grid,persistent");
    size_t grids = 0, slow = 0;
    for (size_t r = 0; r < s.space->count; r++) {
        const bool is_grid = s.space->runs[r].schedule == TD_SCHEDULE_GRID;
        const bool is_slow = is_grid && s.space->runs[r].tile == 64;
        grids += is_grid;
        slow += is_slow;
        s.brief[r] = is_slow ? 3.0 : is_grid ? 1.0 : 0.5;
    }
    assert_int_equal(s.space->count, 2 * grids);
    assert_true(slow > 0 && slow < grids);
    race(&s);
    assert_int_equal(with_reason(&s, "as a grid, 3.0 times as long"), slow);
    over(&s);
}

/* Except on small domains, a map leaves out what took more than twice as long as the fastest under all maps before
 * it; not what one of them is slow with. On a host, other work may have disturbed that. */
TEST(what_was_hopeless_under_other_maps_is_not_tried)
{
    static const struct {
        const char *n;
        bool on_gpu;
        size_t left_out; /* by the second map */
    } cases[] = {{"6144", true, 1}, {"5000", true, 0}, {"6144", false, 0}};
    static const double by_map[3][4] = {
        {1.0, 1.5, 2.1, 1.2}, {1.0, 1.2, 2.1, 3.0}, {1.0, 1.0, 2.1, 1.0}};
    const td_engine_ops gpu = steady_gpu();
    for (size_t c = 0; c < COUNT(cases); c++) {
        racing s;
        char line[128];
        snprintf(line, sizeof line,
                 "-s bb,ltm-i,rb-b -w edm1 -n %s --kernel loop --tile 32 --block "
                 "8x8,16x8,16x16,32x8 --schedule grid",
                 cases[c].n);
        begin(&s, cases[c].on_gpu ? &gpu : &td_cpu_ops, line);
        for (size_t map = 0; map < 3; map++) {
            const size_t left_out = map == 0 ? 0 : cases[c].left_out;
            enter(&s, map);
            assert_int_equal(s.space->count, 4);
            memcpy(s.brief, by_map[map], sizeof by_map[map]);
            memcpy(s.full, by_map[map], sizeof by_map[map]);
            race(&s);
            assert_int_equal(with_reason(&s, "under other maps at least 2.1 times"), left_out);
            assert_int_equal(s.full_runs, 4 - left_out);
            free_results(&s);
        }
        s.space = &s.f.sweep.groups[0];
        memset(s.results, 0, sizeof s.results);
        over(&s);
    }
}

/* If the finalists of one storage were in several groups, drift between groups would decide. */
TEST(finalists_of_one_storage_are_measured_together)
{
    racing s;
    begin(&s, &td_cpu_ops, "-s bb -w life -n 64 --block 16 --tile 16,32");
    const double turns[] = {0.5, 2, 1, 3}; /* two storages with two runs each */
    size_t storages = 0;
    const td_workload *before = NULL;
    for (size_t r = 0; r < s.space->count; r++) {
        s.brief[r] = r < 4 ? turns[r] : (double)r;
    }
    race(&s);
    for (size_t r = 0; r < s.space->count; r++) {
        const td_workload *storage = s.space->runs[r].workload;
        storages += s.results[r].status == TD_RUN_OK && storage != before;
        before = s.results[r].status == TD_RUN_OK ? storage : before;
    }
    assert_int_equal(s.full_runs, FINALISTS);
    assert_true(storages > 1 && s.full_groups == storages);
    over(&s);
}
