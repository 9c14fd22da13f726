/* launch.c - the OpenMP loop over the blocks of a grid, written once, and the loops over an execution's steps and grids
 * around it. */
#include "cpu.h"

#include <stdlib.h>

#include "engine/core/clock.h"
#include "engine/core/error.h"
#include "workloads/layout3.h"

struct td_prepared {
    td_execution execution;
    uint32_t batch;
};

/* Cells that a thread takes at a time: enough to make wasted blocks cheap, few enough not to leave other threads
 * idle. */
enum { CELLS_AT_A_TIME = 65536 };

/* CELLS_AT_A_TIME in blocks, at least 1. */
static uint64_t blocks_at_a_time(const td_launch *launch, const td_strategy *strategy)
{
    const uint64_t threads = (uint64_t)launch->block.x * launch->block.y * launch->block.z;
    const uint64_t cells = strategy->unit == TD_MAPS_THREADS ? threads
                           : strategy->dimension == 3
                               ? (uint64_t)launch->tile * launch->tile * launch->width
                               : (uint64_t)launch->tile * launch->width / launch->bands;
    return cells < CELLS_AT_A_TIME ? CELLS_AT_A_TIME / cells : 1;
}

/* The schedule is dynamic because a wasted block costs next to nothing. A thread without blocks goes on to the next
 * grid: the boxes of a tree are many and small. */
void td_cpu_grids(const td_plan *plan, size_t from, size_t to, const td_data *data,
                  const td_cpu_work *work)
{
#pragma omp parallel num_threads(work->team) if (work->team > 1)
    for (size_t i = from; i < to; i++) {
        const td_launch *launch = &plan->launches[i];
        const uint64_t blocks = td_launch_blocks(launch) * launch->bands;
        const uint64_t step = blocks_at_a_time(launch, work->strategy);
#pragma omp for schedule(dynamic, 1) nowait
        for (uint64_t first = 0; first < blocks; first += step) {
            td_cpu_walk(launch, data, work, first, blocks - first < step ? blocks : first + step);
        }
    }
}

/* ---- an execution ---- */

/* The team is the same for all grids, chosen for the largest one. */
static td_cpu_work work_of(td_cpu_engine *cpu, const td_execution *execution)
{
    const td_workload *workload = execution->workload;
    uint64_t most = 0;
    for (size_t i = 0; i < execution->plan->count; i++) {
        const uint64_t blocks = td_launch_blocks(&execution->plan->launches[i]);
        most = blocks > most ? blocks : most;
    }
    return (td_cpu_work){
        .strategy = execution->strategy,
        .cells = td_cpu_cells_of(workload),
        .square = td_workload_fills_square(workload, &execution->data),
        .in_tile = execution->data.blocked != 0,
        .is_sum = workload->sum != NULL,
        .team = td_cpu_team(&cpu->base, most),
    };
}

static void begin_exchange(td_cpu_engine *cpu, const td_halo *halo, void *state)
{
    td_swap swaps[2];
    for (int i = 0; i < 2; i++) {
        const td_halo_rows *rows = &halo->side[i];
        const uintptr_t at = (uintptr_t)state;
        swaps[i] = (td_swap){rows->with, (const void *)(at + rows->give), (void *)(at + rows->take),
                             rows->give_bytes, rows->take_bytes};
    }
    td_ranks_swap_begin(cpu->base.ranks, swaps);
}

/* Compute the rows at the cuts first, then exchange them while all other rows are computed. The last step exchanges
 * nothing, because no step follows. */
static void run_part(td_cpu_engine *cpu, const td_execution *execution, uint32_t step,
                     const td_data *data, const td_cpu_work *work)
{
    const td_plan *plan = execution->plan;
    const bool exchanges = execution->halo.exists && step + 1 < execution->steps;
    td_cpu_grids(plan, 0, plan->edges, data, work);
    const double start_ms = td_now_ms();
    if (exchanges) {
        begin_exchange(cpu, &execution->halo, data->output);
    }
    const double begun_ms = td_now_ms();
    td_cpu_grids(plan, plan->edges, plan->count, data, work);
    if (exchanges) {
        const double inner_ms = td_now_ms();
        td_ranks_swap_end(cpu->base.ranks);
        cpu->exchange_ms += begun_ms - start_ms + td_now_ms() - inner_ms;
        cpu->exchanges++;
    }
}

/* Add by halves, down to eight elements: the rounding error grows with the logarithm of the count. */
static double sum_tree(const double *terms, uint64_t count)
{
    if (count > 8) {
        return sum_tree(terms, count / 2) + sum_tree(terms + count / 2, count - count / 2);
    }
    double sum = 0.0;
    for (uint64_t i = 0; i < count; i++) {
        sum += terms[i];
    }
    return sum;
}

/* Set element 0 of a sum's output to the sum of the elements after it. */
static void add_up(const td_data *data)
{
    double *output = data->output;
    output[0] = sum_tree(output + 1, td_tetrahedron(data->params[0]));
}

static void run_once(td_cpu_engine *cpu, const td_execution *execution)
{
    const td_cpu_work work = work_of(cpu, execution);
    for (uint32_t step = 0; step < execution->steps; step++) {
        const td_data data = td_execution_step(execution, step);
        run_part(cpu, execution, step, &data, &work);
        if (work.is_sum) {
            add_up(&data);
        }
    }
}

/* The mean time of an exchange [ms], without the part that overlapped with the work; negative if there was none. */
double td_cpu_exchange_ms(td_engine *engine)
{
    const td_cpu_engine *cpu = td_cpu_of(engine);
    return cpu->exchanges > 0 ? cpu->exchange_ms / cpu->exchanges : -1.0;
}

td_status td_cpu_launch(td_engine *engine, const td_execution *execution, td_error *error)
{
    (void)error;
    run_once(td_cpu_of(engine), execution);
    return TD_OK;
}

td_status td_cpu_prepare(td_engine *engine, const td_execution *execution, uint32_t batch,
                         bool graph, td_prepared **prepared, td_error *error)
{
    (void)engine;
    (void)graph;
    TRY(td_allocate(prepared, 1, sizeof **prepared, error, "a run"));
    (*prepared)->execution = *execution;
    (*prepared)->batch = batch;
    return TD_OK;
}

void td_cpu_discard(td_engine *engine, td_prepared *prepared)
{
    (void)engine;
    free(prepared);
}

td_status td_cpu_sample(td_engine *engine, td_prepared *prepared, double *batch_ms, td_error *error)
{
    (void)error;
    td_cpu_of(engine)->exchange_ms = 0.0;
    td_cpu_of(engine)->exchanges = 0;
    const double start = td_now_ms();
    for (uint32_t launch = 0; launch < prepared->batch; launch++) {
        run_once(td_cpu_of(engine), &prepared->execution);
    }
    *batch_ms = td_now_ms() - start;
    return TD_OK;
}
