/*
 * outside_clock_test.c - compares the cpu engine's samples with a clock and a counter outside the engine.
 *
 * The test has its own kernel, which sleeps, counts its calls and records when the first began and the last ended. The
 * bounds hold on a busy machine: the engine's time contains all calls and lies within the time that the caller sees.
 */
#include "test.h"

#include <time.h>

#include "command.h"
#include "engine/cpu/cpu.h"
#include "engine/prepare/planning.h"

enum { BATCH = 5, SLEEP_NS = 4000000 };

static uint32_t calls;
static double began_ms, ended_ms;

static double outside_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

static void sleep_and_count(const td_data *data, const td_box *box, const void *restrict input,
                            void *restrict output)
{
    const struct timespec length = {.tv_nsec = SLEEP_NS};
    (void)data, (void)box, (void)input, (void)output;
    began_ms = calls == 0 ? outside_ms() : began_ms;
    nanosleep(&length, NULL);
    ended_ms = outside_ms();
    calls++;
}

td_cpu_cells_fn *__wrap_td_cpu_cells_of(const td_workload *workload);

td_cpu_cells_fn *__wrap_td_cpu_cells_of(const td_workload *workload)
{
    (void)workload;
    return sleep_and_count;
}

TEST(a_sample_is_all_of_its_launches_and_nothing_else)
{
    const td_engine_config config = {.threads = 1};
    command c;
    td_engine *engine = NULL;
    td_plan plan = {0};
    td_buffers buffers = {0};
    td_prepared *prepared = NULL;
    double batch_ms = 0.0;
    make_ok("-s bb -w write -n 16 -e cpu", &c);
    const td_run *run = &c.sweep.runs[0];
    td_status status = td_cpu_ops.open(&config, &engine, &c.error);
    status |= td_run_plan(run, false, &plan, &c.error);
    status |= td_buffers_open(engine, run->workload, &run->problem, &buffers, &c.error);
    const td_execution execution = td_execution_of(&buffers, run, &plan);
    status |= td_cpu_ops.prepare(engine, &execution, BATCH, false, &prepared, &c.error);
    assert_int_equal(status, TD_OK);
    calls = 0;
    const double before_ms = outside_ms();
    assert_int_equal(td_cpu_ops.sample(engine, prepared, &batch_ms, &c.error), TD_OK);
    const double after_ms = outside_ms();
    td_cpu_ops.discard(engine, prepared);
    td_plan_free(&plan);
    td_buffers_close(&buffers);
    td_cpu_ops.close(engine);
    done(&c);
    assert_int_equal(calls, BATCH); /* one tile, one grid */
    assert_true(ended_ms - began_ms >= BATCH * SLEEP_NS * 1e-6);
    assert_true(batch_ms >= ended_ms - began_ms);
    assert_true(batch_ms <= after_ms - before_ms);
}
