/* tune_test.c - the winners of --tune, with simulated times. */
#include "test.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "engine/core/signals.h"
#include "engine/cpu/row.h"
#include "run/tune.h"
#include "tune_space.h"

enum { MOST = 64 };

/* A device with known times: run i of the space takes brief[i] in short trials and full[i] in full ones. */
typedef struct device {
    const td_group *space;
    double brief[MOST], full[MOST];
    size_t broken;     /* the run with a wrong result; MOST: none */
    size_t remembered; /* runs below this were measured earlier */
    size_t stop_after; /* groups; 0: never */
    size_t groups, full_groups, short_runs, full_runs;
    td_protocol protocol;
    uint32_t rounds;     /* of short trials: their samples double */
    uint32_t samples;    /* of the last round */
    uint32_t most_steps; /* of all runs */
    size_t small_runs;   /* at a smaller N than the space has */
    double full_s;       /* the limit on the time of a full trial */
    bool mixed;          /* a group had runs of different storage */
    bool split;          /* runs of one storage were in two groups of full trials */
    const td_workload *full_storages[MOST];
} device;

static size_t place_of(const device *d, const td_run *run)
{
    size_t r = 0;
    while (strcmp(d->space->runs[r].key, run->key) != 0) {
        r++;
    }
    return r;
}

/* Trials at a quarter of N. */
static td_status measure_small(device *d, const td_group *group, const td_protocol *protocol,
                               td_result *results)
{
    assert_true(protocol->samples == 1 && protocol->verify);
    for (size_t i = 0; i < group->count; i++) {
        const size_t r = place_of(d, &group->runs[i]);
        assert_int_equal(group->runs[i].problem.n, d->space->runs[r].problem.n / 4);
        d->small_runs++;
        results[i].status = r == d->broken ? TD_RUN_FAILED : TD_RUN_OK;
        results[i].sample_ms = calloc(1, sizeof(double));
        results[i].sample_count = 1;
        results[i].sample_ms[0] = d->brief[r] / 16;
    }
    return TD_OK;
}

/* The functions that the search calls instead of td_worker_set_protocol, td_worker_group and td_done_trial. */
void __wrap_td_worker_set_protocol(td_worker *worker, const td_protocol *protocol);
td_status __wrap_td_worker_group(td_worker *worker, const td_group *group, td_result *results,
                                 td_error *error);
bool __wrap_td_done_trial(const td_done_set *done, td_trial *trial);

void __wrap_td_worker_set_protocol(td_worker *worker, const td_protocol *protocol)
{
    ((device *)(void *)worker)->protocol = *protocol;
}

td_status __wrap_td_worker_group(td_worker *worker, const td_group *group, td_result *results,
                                 td_error *error)
{
    device *d = (void *)worker;
    const td_protocol *protocol = &d->protocol;
    const bool is_full = protocol->samples == 51;
    (void)error;
    assert_false(protocol->energy);
    if (++d->groups == d->stop_after) {
        raise(SIGINT);
    }
    if (group->runs[0].problem.n != d->space->runs[0].problem.n) {
        return measure_small(d, group, protocol, results);
    }
    if (protocol->samples != d->samples) {
        assert_true(is_full || d->samples == 0 || protocol->samples == 2 * d->samples);
        assert_int_equal(protocol->verify, is_full || d->samples == 0);
        d->samples = protocol->samples;
        d->rounds += !is_full;
    }
    for (size_t g = 0; is_full && g < d->full_groups; g++) {
        d->split = d->split || d->full_storages[g] == group->runs[0].workload;
    }
    if (is_full) {
        d->full_s = protocol->max_time_s;
        d->full_storages[d->full_groups++] = group->runs[0].workload;
    }
    for (size_t i = 0; i < group->count; i++) {
        const size_t r = place_of(d, &group->runs[i]);
        d->mixed = d->mixed || group->runs[i].workload != group->runs[0].workload;
        *(is_full ? &d->full_runs : &d->short_runs) += 1;
        const uint32_t steps = td_workload_steps(group->runs[i].workload, &group->runs[i].problem);
        d->most_steps = steps > d->most_steps ? steps : d->most_steps;
        if (r == d->broken) {
            results[i].status = TD_RUN_FAILED;
            results[i].error = TD_WRONG;
            results[i].verified = TD_VERIFIED_FAIL;
            continue;
        }
        const double ms = is_full ? d->full[r] : d->brief[r];
        results[i].sample_ms = calloc(protocol->samples, sizeof(double));
        results[i].sample_count = is_full ? 4 : protocol->samples;
        results[i].verified = protocol->verify ? TD_VERIFIED_PASS : TD_VERIFIED_NONE;
        /* median: the middle pair of an even count, whatever the order */
        const double samples[] = {9 * ms, 1.5 * ms, 0.1 * ms, 0.5 * ms};
        for (uint32_t s = 0; s < results[i].sample_count; s++) {
            results[i].sample_ms[s] = is_full ? samples[s] : ms;
        }
    }
    return TD_OK;
}

bool __wrap_td_done_trial(const td_done_set *done, td_trial *trial)
{
    const device *d = (const void *)done;
    const size_t r = place_of(d, trial->run);
    if (r >= d->remembered) {
        return false;
    }
    trial->status = TD_RUN_OK;
    trial->median_ms = d->brief[r];
    trial->samples = 51;
    return true;
}

static const td_protocol full = {
    .samples = 51, .warmup = 3, .max_time_s = 10, .verify = true, .energy = true};

/* A search in a space of at most MOST runs, on a device that the test sets up between begin and search. */
typedef struct searching {
    fixture f;
    device d;
    td_tuning tuning;
    td_options options;
    td_sweep_drive drive;
} searching;

/* In short trials, later runs are faster. In full trials, the fifth best of them is the fastest. */
static void begin_on(searching *s, const td_engine_ops *engine, const char *line)
{
    made(&s->f, engine, line);
    s->options = (td_options){.protocol = full};
    s->drive = (td_sweep_drive){.options = &s->options,
                                .worker = (void *)&s->d,
                                .done = (void *)&s->d,
                                .progress.quiet = true};
    const size_t n = s->f.space.run_count;
    s->d = (device){.space = &s->f.space.groups[0], .broken = MOST};
    assert_true(s->d.space->count <= MOST);
    for (size_t r = 0; r < n; r++) {
        s->d.brief[r] = (double)(n - r);
        s->d.full[r] = r == n - 5 ? 0.5 : 0.9 * (double)(n - r);
    }
}

static void begin(searching *s, const char *line)
{
    begin_on(s, &td_cpu_ops, line);
}

static void search(searching *s)
{
    td_error error = {""};
    td_signals_catch_stops(); /* forgets the last search's interrupt */
    assert_int_equal(td_tune(&s->drive, s->d.space, &s->tuning, &error), TD_OK);
}

static void over(searching *s)
{
    td_tuning_free(&s->tuning);
    td_earlier_forget(&s->drive.earlier);
    end(&s->f);
}

static const char edm[] = "-s bb -w edm1 -n 1000 --block 16,32x8,32";

static void the_fastest_of_the_full_trials_wins(void **state)
{
    (void)state;
    searching s;
    begin(&s, edm);
    const size_t n = s.f.space.run_count;
    search(&s);
    const td_run *winner = s.tuning.winner;
    const size_t count = s.tuning.count;
    const double short_ms = s.tuning.trials[0].median_ms;
    td_tuning_free(&s.tuning);
    td_earlier_forget(&s.drive.earlier);
    assert_ptr_equal(winner, &s.f.space.runs[n - 5]);
    assert_int_equal(s.d.short_runs, n); /* the fifth best is beyond 1.5 times the best */
    assert_int_equal(s.d.full_runs, TD_FINALISTS_ON_HOST);
    assert_int_equal(count, n + TD_FINALISTS_ON_HOST);
    assert_int_equal(s.drive.progress.done, s.d.short_runs + s.d.full_runs);
    assert_int_equal(s.drive.progress.total, s.drive.progress.done - n);
    assert_true(fabs(short_ms - s.d.brief[0]) < 1e-9);
    end(&s.f);
}

static void what_fails_does_not_win(void **state)
{
    (void)state;
    searching s;
    begin(&s, edm);
    const size_t n = s.f.space.run_count;
    s.d.broken = n - 1;
    s.d.full[n - 5] = 99;
    search(&s);
    assert_ptr_equal(s.tuning.winner, &s.f.space.runs[n - 2]);
    assert_int_equal(s.tuning.trials[n - 1].status, TD_RUN_FAILED);
    assert_string_not_equal(s.tuning.trials[n - 1].reason, "");
    assert_true(isnan(s.tuning.trials[n - 1].median_ms));
    over(&s);
}

/* The slowest of twelve takes twelve times as long as the fastest. A failed run has a trial with the reason. */
static void what_is_hopeless_at_a_quarter_of_n_has_no_trial(void **state)
{
    static const char line[] =
        "-s bb -w edm1 -n 24576 --kernel loop --schedule grid --tile 32,64,128 "
        "--block 8x8,16x8,16x16,32x8";
    td_engine_ops gpu = td_cpu_ops;
    gpu.can.device_memory = true;
    (void)state;
    for (size_t remembered = 0; remembered <= 4; remembered += 4) {
        searching s;
        begin_on(&s, &gpu, line);
        const size_t n = s.d.space->count;
        assert_int_equal(n, 12);
        s.d.remembered = remembered;
        s.d.broken = 5;
        search(&s);
        assert_int_equal(s.d.small_runs, n); /* remembered runs are compared */
        for (size_t i = remembered; i < n; i++) {
            const td_trial *t = &s.tuning.trials[i];
            const bool is_hopeless = i != 5 && s.d.brief[i] > 2.5;
            assert_int_equal(t->status, i == 5        ? TD_RUN_FAILED
                                        : is_hopeless ? TD_RUN_SKIPPED
                                                      : TD_RUN_OK);
            assert_true(isfinite(t->median_ms) == (t->status == TD_RUN_OK));
            assert_true(!is_hopeless || strstr(t->reason, "at N = 6144 it takes ") == t->reason);
        }
        assert_ptr_equal(s.tuning.winner, &s.d.space->runs[n - 1]);
        over(&s);
    }
}

static void a_small_domain_and_a_host_are_not_screened(void **state)
{
    static const char small[] = "-s bb -w edm1 -n 24572 --kernel loop --block 8x8 --tile 32,64,128",
                      large[] = "-s bb -w edm1 -n 24576 --kernel loop --block 8x8 --tile 32,64,128";
    td_engine_ops gpu = td_cpu_ops;
    searching s;
    (void)state;
    gpu.can.device_memory = true;
    begin_on(&s, &gpu, small);
    search(&s);
    assert_int_equal(s.d.small_runs, 0);
    over(&s);
    begin(&s, large);
    search(&s);
    assert_int_equal(s.d.small_runs, 0);
    over(&s);
}

static void what_is_remembered_is_not_measured_again(void **state)
{
    (void)state;
    searching s;
    begin(&s, edm);
    const size_t n = s.f.space.run_count;
    s.d.remembered = n - 2;
    search(&s);
    assert_ptr_equal(s.tuning.winner, &s.f.space.runs[n - 5]);
    assert_int_equal(s.d.short_runs, 2);
    assert_int_equal(s.drive.progress.done, 2 + TD_FINALISTS_ON_HOST);
    over(&s);
}

static void an_interrupted_search_has_no_winner(void **state)
{
    (void)state;
    for (size_t after = 1; after <= 2; after++) {
        searching s;
        begin(&s, edm);
        s.d.stop_after = after;
        search(&s);
        assert_null(s.tuning.winner);
        assert_int_equal(s.d.groups, after);
        over(&s);
    }
}

/* Nearly all are equally fast; each time the samples double, half of them drop out. */
static void half_of_the_candidates_go_as_often_as_samples_double(void **state)
{
    (void)state;
    searching s;
    begin(&s, edm);
    const size_t n = s.f.space.run_count;
    for (size_t r = 0; r < n; r++) {
        s.d.brief[r] = 1.0 + 1e-6 * (double)r;
    }
    search(&s);
    size_t runs = n, left = n;
    for (uint32_t round = 1; round < s.d.rounds; round++) {
        left = (left + 1) / 2;
        runs += left;
    }
    assert_int_equal(s.d.short_runs, runs);
    assert_true((left + 1) / 2 <= TD_FINALISTS_ON_HOST && left > TD_FINALISTS_ON_HOST);
    for (size_t i = 0; i < s.tuning.count; i++) {
        assert_int_equal(s.tuning.trials[i].verified, TD_VERIFIED_PASS);
    }
    over(&s);
}

/* All but the finalists take twice as long in the first sample, so they have no second one. */
static void what_is_far_behind_is_asked_for_one_sample(void **state)
{
    (void)state;
    searching s;
    begin(&s, edm);
    const size_t n = s.f.space.run_count;
    for (size_t r = 0; r < n; r++) {
        s.d.brief[r] = r < TD_FINALISTS_ON_HOST ? 1.0 : 2.0;
    }
    search(&s);
    assert_int_equal(s.d.rounds, 1);
    assert_int_equal(s.d.short_runs, n);
    over(&s);
}

/* A hundred generations in the record, a few in each trial. A trial reports the time of a hundred. */
static void a_trial_of_an_automaton_has_few_generations(void **state)
{
    (void)state;
    searching s;
    begin(&s, "-s bb -w life -n 64 --block 16 --tile 16,32 --memory halo --steps 100");
    for (size_t r = 0; r < s.f.space.run_count; r++) {
        s.d.brief[r] *= 1e-3;
    }
    search(&s);
    assert_non_null(s.tuning.winner);
    assert_int_equal(s.d.most_steps, 16);
    assert_int_equal(td_workload_steps(s.tuning.winner->workload, &s.tuning.winner->problem), 100);
    const td_trial *last = &s.tuning.trials[s.tuning.count - 1];
    const double ms = last->stage == TD_STAGE_FULL ? s.d.full[place_of(&s.d, last->run)] : 0.0;
    assert_true(fabs(last->median_ms - ms * 100 / 16) < 1e-9);
    over(&s);
}

/* If two launches take long enough, no trial makes more. */
static void a_trial_of_a_slow_automaton_has_fewer(void **state)
{
    (void)state;
    searching s;
    begin(&s, "-s bb -w life -n 64 --block 16 --tile 16,32 --memory halo --steps 100");
    for (size_t r = 0; r < s.f.space.run_count; r++) {
        s.d.brief[r] += 10.0; /* for each generation: a first sample has one */
    }
    search(&s);
    assert_non_null(s.tuning.winner);
    assert_int_equal(s.d.most_steps, 2);
    over(&s);
}

static td_engine_ops steady_gpu(void)
{
    td_engine_ops gpu = td_cpu_ops;
    gpu.can.device_memory = true;
    gpu.can.persistent = true;
    return gpu;
}

static size_t trials_with(const searching *s, const char *words)
{
    size_t count = 0;
    for (size_t i = 0; i < s->d.space->count; i++) {
        count += strstr(s->tuning.trials[i].reason, words) != NULL;
    }
    return count;
}

/* Half of the grids take three times as long as the others, and so would their persistent blocks. */
static void what_is_hopeless_as_a_grid_is_not_tried_persistent(void **state)
{
    const td_engine_ops gpu = steady_gpu();
    searching s;
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
    search(&s);
    assert_int_equal(trials_with(&s, "as a grid, at N = 1000 it takes 3.0 times as long"), slow);
    assert_int_equal(s.tuning.winner->schedule, TD_SCHEDULE_PERSISTENT);
    over(&s);
}

/* Except on small domains, the second map skips choices that took more than 2.5 times as long as the fastest under the
 * first map, or that were skipped there. */
static void what_was_hopeless_under_another_map_is_not_tried(void **state)
{
    static const struct {
        const char *line;
        size_t left_out;
    } cases[] = {{"-s bb,ltm-i -w edm1 -n 24576 --kernel loop --tile 32 --block "
                  "8x8,16x8,16x16,32x8 --schedule grid,persistent",
                  2},
                 {"-s bb,ltm-i -w edm1 -n 6144 --kernel loop --tile 32 --block 8x8,16x8,16x16,32x8 "
                  "--schedule grid,persistent",
                  2},
                 {"-s bb,ltm-i -w edm1 -n 6112 --kernel loop --tile 32 --block 8x8,16x8,16x16,32x8 "
                  "--schedule grid,persistent",
                  0}};
    const td_engine_ops gpu = steady_gpu();
    (void)state;
    for (size_t c = 0; c < 3; c++) {
        searching s;
        begin_on(&s, &gpu, cases[c].line);
        const size_t count = s.d.space->count;
        assert_int_equal(s.f.space.groups[1].count, count);
        for (size_t r = 0; r < count; r++) {
            s.d.brief[r] = r == 0 ? 1.0 : r == 1 ? 2.4 : r == 2 ? 2.6 : 1.5;
        }
        search(&s);
        assert_int_equal(trials_with(&s, "under "), 0);
        td_tuning_free(&s.tuning);
        s.d = (device){.space = &s.f.space.groups[1], .broken = MOST};
        for (size_t r = 0; r < count; r++) {
            s.d.brief[r] = s.d.full[r] = 1.0;
        }
        search(&s);
        assert_int_equal(trials_with(&s, "under bb, at N = 6144 it takes 2.6 times as long"),
                         cases[c].left_out);
        assert_true(s.d.small_runs == 0 || s.d.small_runs == count - cases[c].left_out);
        assert_int_equal(s.tuning.trials[2].status,
                         cases[c].left_out > 0 ? TD_RUN_SKIPPED : TD_RUN_OK);
        over(&s);
    }
}

/* Runs that would have been dropped at a quarter of N, or with their grid, have a sample each. */
static void an_exhaustive_search_leaves_nothing_out(void **state)
{
    const td_engine_ops gpu = steady_gpu();
    searching s;
    (void)state;
    begin_on(&s, &gpu,
             "-s bb -w edm1 -n 24576 --kernel loop --tile 32,64 --block 8x8,16x8,16x16 --schedule "
             "grid,persistent");
    s.options.exhaustive = true;
    search(&s);
    assert_int_equal(s.d.small_runs, 0);
    assert_true(s.d.short_runs >= s.d.space->count);
    for (size_t i = 0; i < s.d.space->count; i++) {
        assert_int_equal(s.tuning.trials[i].status, TD_RUN_OK);
    }
    over(&s);
}

/* All runs of a group share one input and one output, but an automaton's storages differ. */
static void groups_have_one_storage(void **state)
{
    (void)state;
    searching s;
    begin(&s, "-s bb -w life -n 64 --block 16 --tile 16,32");
    search(&s);
    assert_non_null(s.tuning.winner);
    assert_true(s.d.groups > 3);
    assert_false(s.d.mixed);
    over(&s);
}

/* If the finalists of one storage were in several groups, drift between groups would decide. */
static void finalists_of_one_storage_are_one_group(void **state)
{
    (void)state;
    searching s;
    begin(&s, "-s bb -w life -n 64 --block 16 --tile 16,32");
    const double turns[] = {0, 2, 1, 3}; /* two storages with two runs each */
    for (size_t r = 0; r < s.f.space.run_count; r++) {
        s.d.brief[r] = r < 4 ? turns[r] : (double)r;
    }
    search(&s);
    assert_int_equal(s.d.full_runs, TD_FINALISTS_ON_HOST);
    assert_false(s.d.split);
    over(&s);
}

/* A dozen runs are about as fast as the fastest on a GPU. All are measured fully in the time that five had. */
static void a_gpu_has_more_finalists(void **state)
{
    (void)state;
    td_engine_ops gpu = td_cpu_ops;
    gpu.can.device_memory = true;
    searching s;
    begin_on(&s, &gpu, edm);
    const size_t n = s.d.space->count;
    assert_true(n > TD_FINALISTS);
    s.d.full[n - TD_FINALISTS] = 0.25;
    search(&s);
    assert_ptr_equal(s.tuning.winner, &s.d.space->runs[n - TD_FINALISTS]);
    assert_int_equal(s.d.full_runs, TD_FINALISTS);
    assert_true(s.d.full_s * (double)TD_FINALISTS < 1.251);
    over(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_fastest_of_the_full_trials_wins),
        cmocka_unit_test(what_fails_does_not_win),
        cmocka_unit_test(what_is_hopeless_at_a_quarter_of_n_has_no_trial),
        cmocka_unit_test(a_small_domain_and_a_host_are_not_screened),
        cmocka_unit_test(what_is_remembered_is_not_measured_again),
        cmocka_unit_test(an_interrupted_search_has_no_winner),
        cmocka_unit_test(half_of_the_candidates_go_as_often_as_samples_double),
        cmocka_unit_test(what_is_far_behind_is_asked_for_one_sample),
        cmocka_unit_test(a_trial_of_an_automaton_has_few_generations),
        cmocka_unit_test(a_trial_of_a_slow_automaton_has_fewer),
        cmocka_unit_test(what_is_hopeless_as_a_grid_is_not_tried_persistent),
        cmocka_unit_test(what_was_hopeless_under_another_map_is_not_tried),
        cmocka_unit_test(an_exhaustive_search_leaves_nothing_out),
        cmocka_unit_test(groups_have_one_storage),
        cmocka_unit_test(finalists_of_one_storage_are_one_group),
        cmocka_unit_test(a_gpu_has_more_finalists),
    };
    return cmocka_run_group_tests_name("tune", tests, NULL, NULL);
}
