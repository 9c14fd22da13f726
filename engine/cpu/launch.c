/* launch.c - the OpenMP loop over the blocks of a grid, written once, the tasks of a tree, and the loops over an
 * execution's steps and grids around them. */
#include "cpu.h"

#include <stdlib.h>

#include "engine/core/clock.h"
#include "engine/core/error.h"
#include "strategies/tree.h"
#include "workloads/layout3.h"

/* The work of an execution's blocks. */
typedef struct cpu_job {
    const td_strategy *strategy;
    td_cpu_walk_fn *walk;
    td_cpu_work work;
    int team; /* threads */
} cpu_job;

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

/* Run the blocks of one grid, in any order. The schedule is dynamic because a wasted block costs next to nothing. One
 * thread bypasses OpenMP: clang's runtime takes a microsecond to find out that it is alone. */
static void run_grid(const td_launch *launch, const td_data *data, const cpu_job *job, int threads)
{
    td_cpu_walk_fn *const walk = launch->rectangle ? td_cpu_walk_square : job->walk;
    const uint64_t blocks = td_launch_blocks(launch) * launch->bands;
    const uint64_t step = blocks_at_a_time(launch, job->strategy);
    if (threads == 1) {
        walk(launch, data, &job->work, 0, blocks);
        return;
    }
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1)
    for (uint64_t first = 0; first < blocks; first += step) {
        walk(launch, data, &job->work, first, blocks - first < step ? blocks : first + step);
    }
}

/* The team size for all grids of an execution, chosen for the largest one. */
static int team_of(td_cpu_engine *cpu, const td_execution *execution)
{
    uint64_t most = 0;
    for (size_t i = 0; i < execution->plan->count; i++) {
        const uint64_t blocks = td_launch_blocks(&execution->plan->launches[i]);
        most = blocks > most ? blocks : most;
    }
    return td_cpu_team(&cpu->base, most);
}

static cpu_job job_of(td_cpu_engine *cpu, const td_execution *execution)
{
    const td_cpu_fns *fns = cpu->fns_of(execution->workload);
    const bool square = td_workload_fills_square(execution->workload, &execution->data);
    return (cpu_job){
        .strategy = execution->strategy,
        .walk = square ? td_cpu_walk_square : td_cpu_walk,
        .work = {execution->strategy->id, square ? fns->square : fns->tile, fns->run,
                 execution->data.blocked != 0 && execution->workload->automaton == NULL},
        .team = team_of(cpu, execution),
    };
}

static void run_grids(const td_execution *execution, const td_data *data, const cpu_job *job,
                      size_t first, size_t end)
{
    for (size_t i = first; i < end; i++) {
        run_grid(&execution->plan->launches[i], data, job, job->team);
    }
}

/* ---- trees of boxes, as OpenMP tasks ---- */

/* State shared by all nodes of a tree. */
typedef struct tree {
    const td_tree *shape;
    const td_data *data;
    td_cpu_walk_fn *walk;
    const td_cpu_work *work;
    td_launch launch; /* of the root; every node has its block and tile */
    uint32_t leaf;    /* [tiles] */
} tree;

/* Rows of blocks per task: the root's box alone is half of the work, so boxes are divided as well. */
enum { ROWS = 64 };

static void run_rows(const tree *t, const td_launch *box, uint64_t first, uint64_t end)
{
    t->walk(box, t->data, t->work, first * box->grid.x, end * box->grid.x);
}

static void run_box(const tree *t, td_launch box)
{
    const uint64_t rows = (uint64_t)box.grid.y * box.grid.z;
    for (uint64_t first = 0; first < rows; first += ROWS) {
        const uint64_t end = rows - first < ROWS ? rows : first + ROWS;
#pragma omp task firstprivate(t, box, first, end)
        run_rows(t, &box, first, end);
    }
}

static void run_node(const tree *t, td_node node)
{
    const uint32_t split = td_tree_split(node, t->leaf);
    for (uint32_t c = 0; c < t->shape->children && split > 0; c++) {
        const td_node child = t->shape->child(node, split, c);
#pragma omp task firstprivate(t, child)
        run_node(t, child);
    }
    run_box(t, t->shape->box(t->launch, node, split));
}

void td_cpu_tree(const td_execution *execution, const td_data *data, td_cpu_walk_fn *walk,
                 const td_cpu_work *work, int threads)
{
    const td_launch *root = &execution->plan->launches[0];
    const tree t = {execution->strategy->tree,
                    data,
                    walk,
                    work,
                    *root,
                    td_tree_leaf(execution->cutoff, root->tile)};
#pragma omp parallel num_threads(threads)
#pragma omp single
    run_node(&t, td_tree_root(root->n));
}

/* ---- an execution ---- */

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
                     const td_data *data, const cpu_job *job)
{
    const td_plan *plan = execution->plan;
    const bool exchanges = execution->halo.exists && step + 1 < execution->steps;
    run_grids(execution, data, job, 0, plan->edges);
    const double start_ms = td_now_ms();
    if (exchanges) {
        begin_exchange(cpu, &execution->halo, data->output);
    }
    const double begun_ms = td_now_ms();
    run_grids(execution, data, job, plan->edges, plan->count);
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
    const cpu_job job = job_of(cpu, execution);
    for (uint32_t step = 0; step < execution->steps; step++) {
        const td_data data = td_execution_step(execution, step);
        if (execution->strategy->tree) {
            td_cpu_tree(execution, &data, job.walk, &job.work, job.team);
        } else {
            run_part(cpu, execution, step, &data, &job);
        }
        if (execution->workload->sum != NULL) {
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
