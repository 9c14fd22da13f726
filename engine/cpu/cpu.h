/* cpu.h - declarations shared by the files of the cpu engine, which runs on the host's cores. */
#pragma once

#include "engine/core/coverage.h"
#include "engine/engine.h"
#include "engine/cpu/kernels/kernels.h"
#include "row.h"

typedef struct td_cpu_engine {
    td_engine base;
    int threads, cores;
    uint8_t *flush;     /* larger than any cache; allocated on first use */
    double exchange_ms; /* total over the exchanges since the last sample began */
    uint32_t exchanges;
} td_cpu_engine;

static inline td_cpu_engine *td_cpu_of(td_engine *engine)
{
    return (td_cpu_engine *)engine;
}

/*
 * td_cpu_team - the number of threads that share `pieces` pieces of work.
 *
 * Up to the number of cores, every thread takes part whatever the number of pieces: a team that keeps its size from one
 * grid to the next starts no threads while the clock runs. Threads beyond the cores take part only if there is a piece
 * for each, because otherwise they would only wait for each other.
 */
int td_cpu_team(td_engine *engine, uint64_t pieces);

/* What the blocks of a grid do. */
typedef struct td_cpu_work {
    const td_strategy *strategy;
    td_cpu_cells_fn *cells;
    bool square;  /* blocks cover the whole square, without a map */
    bool in_tile; /* the cells of a tile see only that tile of a blocked output */
    bool is_sum;  /* the output has a sum for each tile */
    int team;     /* threads */
} td_cpu_work;

/* The cells of a tile, up to the end of the tile or, of rows in 2D and of layers, of the domain. */
td_box td_cpu_box_of(const td_launch *launch, const td_data *data, const td_cpu_work *work,
                     td_tile tile);

/* Run blocks [first, end) of a grid, counted along x, then y, then z. */
void td_cpu_walk(const td_launch *launch, const td_data *data, const td_cpu_work *work,
                 uint64_t first, uint64_t end);

/* Run the grids [from, to) of a plan, their blocks in any order. Of a tree, a plan has the boxes of all nodes. */
void td_cpu_grids(const td_plan *plan, size_t from, size_t to, const td_data *data,
                  const td_cpu_work *work);

/* ---- operations of td_engine_ops: see engine.h ---- */

td_status td_cpu_check_cells(td_engine *engine, const td_workload *workload, const td_data *data,
                             td_check_counts *counts, td_error *error);
td_status td_cpu_count_other(td_engine *engine, const void *memory, uint8_t byte, uint64_t bytes,
                             uint64_t *count, td_error *error);
td_status td_cpu_for_each_cell(td_engine *engine, const td_workload *workload, td_cell_task task,
                               const td_data *data, td_error *error);
td_status td_cpu_ask(td_engine *engine, const td_strategy *strategy, const td_launch *launch,
                     const uint64_t *numbers, uint64_t count, td_tile *tiles, td_error *error);
td_status td_cpu_coverage(td_engine *engine, const td_strategy *strategy, const td_plan *plan,
                          uint32_t *visits, uint64_t places, td_coverage *coverage,
                          td_error *error);
double td_cpu_exchange_ms(td_engine *engine);
td_status td_cpu_launch(td_engine *engine, const td_execution *execution, td_error *error);
td_status td_cpu_prepare(td_engine *engine, const td_execution *execution, uint32_t batch,
                         bool graph, td_prepared **prepared, td_error *error);
void td_cpu_discard(td_engine *engine, td_prepared *prepared);
td_status td_cpu_sample(td_engine *engine, td_prepared *prepared, double *batch_ms,
                        td_error *error);
