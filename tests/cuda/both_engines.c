/* both_engines.c - the two engines that are compared, and runs on them. */
#include "both_engines.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/cpu/row.h"
#include "engine/cuda/row.h"
#include "engine/prepare/start.h"
#include "engine/prepare/planning.h"
#include "engine/bench/verify.h"
#include "engine/sweep/key.h"

td_engine *td_gpu, *td_host;
variant td_variants[MOST_VARIANTS];
size_t td_variant_count;
static td_error why_not; /* no device answers */

int td_open_engines(void **state)
{
    const td_engine_config config = {0};
    td_error error;
    (void)state;
    if (td_cuda_ops.open(&config, &td_gpu, &why_not) != TD_OK) {
        td_gpu = NULL;
    }
    td_variant_count = all_variants(td_variants);
    return td_cpu_ops.open(&config, &td_host, &error) == TD_OK ? 0 : -1;
}

int td_close_engines(void **state)
{
    (void)state;
    if (td_gpu != NULL) {
        td_start_forget();
        td_cuda_ops.close(td_gpu);
    }
    td_cpu_ops.close(td_host);
    return 0;
}

void td_need_device(void)
{
    if (td_gpu == NULL) {
        print_message("no device: %s\n", why_not.text);
        skip();
    }
}

td_run td_make_run(const td_strategy *strategy, const td_workload *workload, uint32_t n, shape s)
{
    td_run run = {.strategy = strategy, .workload = workload};
    run.problem.n = n;
    run.problem.tile = s.tile;
    run.problem.seed = 7;
    td_parameters_preset(workload, run.problem.parameters);
    /* Two or four generations per launch leave one for the last. */
    set_parameter(workload, &run.problem, "steps", "5");
    set_parameter(workload, &run.problem, "density", "0.4");
    run.block = s.block;
    run.tile = s.tile;
    run.cutoff = strategy->uses_cutoff ? 64 : 0;
    return run;
}

td_run td_make_variant_run(const td_strategy *strategy, const variant *v, uint32_t n, shape s)
{
    td_run run = td_make_run(strategy, v->workload, n, s);
    for (size_t p = 0; p < v->workload->parameter_count; p++) {
        if (v->workload->parameters[p].kind == TD_PARAMETER_CHOICE) {
            run.problem.parameters[p] = v->problem.parameters[p];
        }
    }
    return run;
}

td_status td_verify_on(td_engine *engine, const td_run *run, td_proven *v)
{
    *v = (td_proven){.engine = engine, .run = *run};
    v->run.engine = engine->ops;
    TRY(td_plan_for(engine, &v->run, false, &v->plan, &v->error));
    TRY(td_buffers_open(engine, run->workload, &run->problem, &v->buffers, &v->error));
    v->has_room = true;
    const td_execution execution = td_execution_of(&v->buffers, &v->run, &v->plan);
    return td_verify(&v->buffers, &execution, NULL, &v->result, &v->error);
}

void td_proven_close(td_proven *v)
{
    td_buffers_close(&v->buffers);
    td_plan_release(v->engine, &v->plan);
}

/* The output of a launch on one engine over poisoned memory; the caller frees it. */
static uint8_t *output_of(td_engine *engine, const td_run *run, td_result *result, uint64_t *bytes)
{
    td_proven v;
    uint8_t *output = NULL;
    td_status status = td_verify_on(engine, run, &v);
    *result = v.result;
    *bytes = v.buffers.output[0].bytes;
    if (status == TD_OK) {
        output = malloc(*bytes);
        status =
            engine->ops->download(engine, output, td_buffers_result(&v.buffers), *bytes, &v.error);
    }
    td_proven_close(&v);
    if (status != TD_OK) {
        print_message("%s: %s\n", engine->ops->name, v.error.text);
        free(output);
        return NULL;
    }
    return output;
}

/*
 * The cpu engine's output does not depend on the map, the block or the schedule. Each output is computed once and kept
 * for the others, since the checks would otherwise spend most of their time on the cpu engine. The output does not
 * depend on the tile either, except in 3D, where `dummy` has one element per tile.
 */
typedef struct answer {
    const td_workload *workload;
    td_problem problem;
    td_result result;
    uint8_t *output;
    uint64_t bytes;
} answer;

static const answer *answer_of_the_host(const td_run *run)
{
    static answer kept[1024]; /* about 1.5 GB for all checks */
    static size_t next;
    td_problem problem = run->problem;
    problem.tile = run->strategy->dimension == 3 ? problem.tile : 0;
    for (size_t i = 0; i < COUNT(kept); i++) {
        const answer *a = &kept[i];
        if (a->workload == run->workload && memcmp(&a->problem, &problem, sizeof problem) == 0) {
            return a;
        }
    }
    answer *a = &kept[next++ % COUNT(kept)];
    free(a->output);
    *a = (answer){.workload = run->workload, .problem = problem};
    a->output = output_of(td_host, run, &a->result, &a->bytes);
    return a;
}

bool td_engines_agree(const td_run *run)
{
    td_result on_cuda = {0};
    uint64_t bytes = 0;
    const answer *host = answer_of_the_host(run);
    const td_result on_cpu = host->result;
    const uint8_t *b = host->output;
    uint8_t *a = output_of(td_gpu, run, &on_cuda, &bytes);
    bool same = a != NULL && b != NULL && bytes == host->bytes &&
                on_cuda.verified == TD_VERIFIED_PASS && on_cpu.verified == TD_VERIFIED_PASS;
    if (same && run->workload->sum != NULL) { /* the same terms, rounded in another order */
        same =
            fabs(on_cuda.finding.real - on_cpu.finding.real) <= 1e-12 * fabs(on_cpu.finding.real);
    } else if (same && !run->workload->traits.proven_by_count && /* any cell may write last */
               !run->workload->traits.is_rounded) {              /* in another order */
        same = memcmp(a, b, bytes) == 0 && on_cuda.finding.count == on_cpu.finding.count;
    }
    free(a);
    if (!same) {
        print_message("%s %s/%u%s N=%u block %ux%ux%u tile %u %s %s: cuda '%s', cpu '%s'\n",
                      run->strategy->name, run->workload->name, td_workload_id(run->workload),
                      td_run_is_square(run) ? "/square"
                      : run->tiled          ? "/tile"
                                            : "",
                      run->problem.n, run->block.x, run->block.y, run->block.z, run->tile,
                      run->problem.layout == TD_FULL ? "full" : "packed",
                      td_schedule_names[run->schedule], on_cuda.reason, on_cpu.reason);
    }
    return same;
}

bool td_is_right(td_engine *engine, const td_run *run)
{
    td_proven v;
    const td_status status = td_verify_on(engine, run, &v);
    td_proven_close(&v);
    if (status == TD_NO_MEMORY && !v.has_room) {
        print_message("%s: left out\n", v.error.text);
        return true;
    }
    const bool right = status == TD_OK && v.result.verified == TD_VERIFIED_PASS &&
                       v.result.checked == td_tetrahedron(run->problem.n);
    if (!right) {
        print_message("%s %s N=%u tile %u: %s %s\n", run->strategy->name, run->workload->name,
                      run->problem.n, run->tile, v.error.text, v.result.reason);
    }
    return right;
}
