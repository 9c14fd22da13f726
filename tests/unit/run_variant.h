/* run_variant.h - a variant of a workload run on the cpu engine, for tests. */
#ifndef TD_TESTS_UNIT_RUN_VARIANT_H
#define TD_TESTS_UNIT_RUN_VARIANT_H

#include "test.h"

#include <stdlib.h>

#include "engine/bench/group.h"
#include "engine/cpu/row.h"
#include "engine/io/automaton_state.h"
#include "engine/prepare/execution.h"
#include "engine/prepare/planning.h"
#include "engine/bench/verify.h"

/* The state after `steps` generations from `start`; the caller frees it. NULL: the engine failed. */
static inline uint8_t *run_variant(const td_workload *workload, td_problem problem,
                                   const char *strategy)
{
    const td_engine_config config = {.threads = 2};
    td_error error = {""};
    td_engine *engine = NULL;
    td_buffers buffers = {0};
    td_plan plan = {0};
    td_result result = {0};
    td_run run = {
        .strategy = td_strategy_find(strategy), .workload = workload, .engine = &td_cpu_ops};
    run.problem = problem;
    run.block = (td_dim3){32, 32, 1};
    run.tile = 32;
    run.tiled = td_workload_only_tiles(workload) != NULL;
    uint8_t *state = malloc(td_workload_saved_bytes(workload, &problem));
    td_status status = td_cpu_ops.open(&config, &engine, &error);
    status = status == TD_OK ? td_run_plan(&run, false, &plan, &error) : status;
    status =
        status == TD_OK ? td_buffers_open(engine, workload, &problem, &buffers, &error) : status;
    if (status == TD_OK) {
        const td_execution execution = td_execution_of(&buffers, &run, &plan);
        status = td_verify(&buffers, &execution, &result, &error);
    }
    if (status == TD_OK) {
        status = td_state_download(&buffers, td_buffers_result(&buffers), state, &error);
    }
    if (status != TD_OK || result.verified != TD_VERIFIED_PASS) {
        print_message("%s %u N=%u: %s%s\n", workload->name, td_workload_id(workload), problem.n,
                      error.text, result.reason);
        free(state);
        state = NULL;
    }
    td_buffers_close(&buffers);
    td_plan_free(&plan);
    td_cpu_ops.close(engine);
    return state;
}

#endif
