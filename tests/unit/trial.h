/* trial.h - a run on the cpu engine, launched once and verified, for tests; its buffers stay open. */
#ifndef TD_TESTS_UNIT_TRIAL_H
#define TD_TESTS_UNIT_TRIAL_H

#include "test.h"

#include "engine/bench/verify.h"
#include "engine/cpu/row.h"
#include "engine/prepare/planning.h"

typedef struct trial {
    td_engine *engine;
    td_plan plan;
    td_buffers buffers;
    td_result result;
    td_error error;
    td_status status;
} trial;

/* Prints what is not right. */
static inline void open_trial_of(const td_run *run, trial *t)
{
    const td_engine_config config = {.threads = 2};
    *t = (trial){.status = TD_FAILED};
    assert_int_equal(td_cpu_ops.open(&config, &t->engine, &t->error), TD_OK);
    t->status = td_run_plan(run, false, &t->plan, &t->error);
    if (t->status == TD_OK) {
        t->status =
            td_buffers_open(t->engine, run->workload, &run->problem, &t->buffers, &t->error);
    }
    if (t->status == TD_OK) {
        const td_execution execution = td_execution_of(&t->buffers, run, &t->plan);
        t->status = td_verify(&t->buffers, &execution, NULL, &t->result, &t->error);
    }
    if (t->status != TD_OK || t->result.verified != TD_VERIFIED_PASS) {
        print_message("%s/%u %s N=%u block %u tile %u: %s%s\n", run->workload->name,
                      td_workload_id(run->workload), run->strategy->name, run->problem.n,
                      run->block.x, run->tile, t->error.text, t->result.reason);
    }
}

/* The same of an automaton in 2D, in blocks and tiles of 32 x 32. */
static inline void open_trial(const td_workload *workload, const td_problem *problem,
                              const char *strategy, trial *t)
{
    td_run run = {.strategy = td_strategy_find(strategy),
                  .workload = workload,
                  .engine = &td_cpu_ops,
                  .problem = *problem,
                  .tile = 32,
                  .tiled = td_workload_only_tiles(workload) != NULL};
    run.block = (td_dim3){32, 32, 1};
    open_trial_of(&run, t);
}

/* Whether the run passed. */
static inline bool close_trial(trial *t)
{
    td_buffers_close(&t->buffers);
    td_plan_free(&t->plan);
    td_cpu_ops.close(t->engine);
    return t->status == TD_OK && t->result.verified == TD_VERIFIED_PASS;
}

#endif
