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
    const td_group *space;
    double brief[MOST], full[MOST];
    size_t broken; /* the run with a wrong result; MOST: none */
    td_result results[MOST];
    bool phases[MOST]; /* which runs were announced */

    /* what td_group_run was asked for */
    size_t groups, short_runs, full_runs;
    uint32_t rounds;        /* of short measurements: their samples double */
    uint32_t samples;       /* of the last round */
    uint32_t most_launches; /* in a sample of all short runs */
    bool mixed;             /* a group had runs of different storage */
    bool split;             /* runs of one storage were in two groups of full measurements */
    const td_workload *full_storages[MOST];
    size_t full_groups;
} racing;

static racing *the;

static void note_group(const td_protocol *protocol, const td_workload *storage, bool is_full)
{
    the->groups++;
    if (!is_full && protocol->samples != the->samples) {
        assert_true(the->samples == 0 || protocol->samples == 2 * the->samples);
        the->samples = protocol->samples;
        the->rounds++;
    }
    for (size_t g = 0; is_full && g < the->full_groups; g++) {
        the->split = the->split || the->full_storages[g] == storage;
    }
    if (is_full) {
        the->full_storages[the->full_groups++] = storage;
    }
}

static void sample(const td_protocol *protocol, double ms, td_result *result)
{
    result->sample_count = protocol->samples;
    result->sample_ms = calloc(protocol->samples, sizeof(double));
    for (uint32_t s = 0; s < protocol->samples; s++) {
        result->sample_ms[s] = ms;
    }
}

void __wrap_td_group_run(td_engine *engine, const td_protocol *protocol, const td_group *group,
                         const td_observer *observer, td_result *results);

/* Only full measurements are verified. */
void __wrap_td_group_run(td_engine *engine, const td_protocol *protocol, const td_group *group,
                         const td_observer *observer, td_result *results)
{
    const bool is_full = protocol->samples == 51;
    const td_workload *storage = NULL;
    (void)engine;
    assert_int_equal(protocol->verify, is_full);
    assert_int_equal(protocol->energy, is_full);
    assert_ptr_equal(group, the->space);
    for (size_t r = 0; r < group->count; r++) {
        if (results[r].status != TD_RUN_OK) {
            continue;
        }
        observer->phase(observer->context, r, "sample");
        the->mixed = the->mixed || (storage != NULL && group->runs[r].workload != storage);
        storage = group->runs[r].workload;
        *(is_full ? &the->full_runs : &the->short_runs) += 1;
        the->most_launches =
            protocol->launches > the->most_launches ? protocol->launches : the->most_launches;
        results[r].verified = is_full ? TD_VERIFIED_PASS : TD_VERIFIED_NONE;
        if (r == the->broken && is_full) {
            results[r] = (td_result){
                .status = TD_RUN_FAILED, .error = TD_WRONG, .verified = TD_VERIFIED_FAIL};
        } else {
            sample(protocol, is_full ? the->full[r] : the->brief[r], &results[r]);
        }
    }
    note_group(protocol, storage, is_full);
    td_group_summarise(group, results);
}

/* In short measurements, later runs are faster. In full ones, the fifth best of them is the fastest. */
static void begin(racing *s, const char *line)
{
    *s = (racing){.broken = MOST};
    make_search(&td_cpu_ops, line, &s->f);
    s->space = &s->f.sweep.groups[0];
    const size_t n = s->space->count;
    assert_true(n <= MOST);
    for (size_t r = 0; r < n; r++) {
        s->brief[r] = (double)(n - r);
        s->full[r] = r == n - 5 ? 0.5 : 0.9 * (double)(n - r);
    }
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
    the = s;
    td_race_run(NULL, &full, s->space, &observer, s->results);
}

static void over(racing *s)
{
    for (size_t r = 0; r < s->space->count; r++) {
        td_result_free(&s->results[r]);
    }
    done(&s->f);
}

static size_t with_status(const racing *s, td_run_status status)
{
    size_t count = 0;
    for (size_t r = 0; r < s->space->count; r++) {
        count += s->results[r].status == status;
    }
    return count;
}

/* The run that a reader would choose: the fastest that is ok. */
static size_t winner(const racing *s)
{
    size_t best = MOST;
    for (size_t r = 0; r < s->space->count; r++) {
        if (s->results[r].status == TD_RUN_OK &&
            (best == MOST || s->results[r].time_ms.median < s->results[best].time_ms.median)) {
            best = r;
        }
    }
    assert_true(best < MOST);
    return best;
}

static const char edm[] = "-s bb -w edm1 -n 1000 --block 16,32x8,32";

static void the_last_few_are_measured_in_full_and_verified(void **state)
{
    (void)state;
    racing s;
    begin(&s, edm);
    const size_t n = s.space->count;
    race(&s);
    assert_int_equal(winner(&s), n - 5);
    assert_int_equal(s.rounds, 1); /* the fifth best is beyond 1.5 times the best */
    assert_int_equal(s.short_runs, n);
    assert_int_equal(s.full_runs, FINALISTS);
    assert_int_equal(with_status(&s, TD_RUN_OK), FINALISTS);
    assert_int_equal(with_status(&s, TD_RUN_DROPPED), n - FINALISTS);
    for (size_t r = 0; r < n; r++) {
        const td_result *result = &s.results[r];
        const bool is_ok = result->status == TD_RUN_OK;
        assert_int_equal(result->verified, is_ok ? TD_VERIFIED_PASS : TD_VERIFIED_NONE);
        assert_int_equal(result->sample_count, is_ok ? 51 : 1);
        assert_true(is_ok || fabs(result->time_ms.median - s.brief[r]) < 1e-9);
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
    const size_t n = s.space->count;
    s.broken = n - 1;
    s.full[n - 5] = 99;
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
    const size_t n = s.space->count;
    for (size_t r = 2; r < n; r++) {
        s.results[r].status = TD_RUN_SKIPPED;
    }
    race(&s);
    assert_int_equal(s.short_runs + s.full_runs, 4);
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

/* A hundred generations in the record, a few in each short measurement. */
static void a_short_measurement_of_an_automaton_has_few_launches(void **state)
{
    static const struct {
        double ms; /* of a hundred launches */
        uint32_t most_launches;
    } cases[] = {{0.1, 4}, {1000.0, 2}}; /* if two launches take long enough, there are no more */
    (void)state;
    for (size_t c = 0; c < COUNT(cases); c++) {
        racing s;
        begin(&s, "-s bb -w life -n 64 --block 8,16 --tile 16,32,64 --memory halo --steps 100");
        for (size_t r = 0; r < s.space->count; r++) {
            s.brief[r] = cases[c].ms * (1.0 + 1e-6 * (double)r);
        }
        race(&s);
        assert_true(s.rounds > 1);
        assert_int_equal(s.most_launches, cases[c].most_launches);
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
    for (size_t r = 0; r < s.space->count; r++) {
        s.brief[r] = r < 4 ? turns[r] : (double)r;
    }
    race(&s);
    assert_true(s.groups > 3);
    assert_false(s.mixed);
    assert_int_equal(s.full_runs, FINALISTS);
    assert_false(s.split);
    over(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_last_few_are_measured_in_full_and_verified),
        cmocka_unit_test(what_fails_does_not_win),
        cmocka_unit_test(what_is_done_or_skipped_does_not_take_part),
        cmocka_unit_test(half_of_the_candidates_go_as_often_as_samples_double),
        cmocka_unit_test(a_short_measurement_of_an_automaton_has_few_launches),
        cmocka_unit_test(groups_have_one_storage_and_finalists_of_one_are_together),
    };
    return cmocka_run_group_tests_name("race", tests, NULL, NULL);
}
