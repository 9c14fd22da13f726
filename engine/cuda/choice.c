/* choice.c - chooses the kernel of a launch. */
#include "cuda.h"
#include "engine/core/coverage.h"

static bool is_cut(const td_launch *launch)
{
    return (launch->first.x | launch->first.y | launch->first.z) != 0;
}

bool td_cuda_is_square(const td_execution *execution)
{
    return td_workload_fills_square(execution->workload, &execution->data);
}

static bool is_packed(const td_execution *execution)
{
    return execution->data.row_scale == TD_PACKED_ROW_SCALE &&
           execution->data.row_offset == TD_PACKED_ROW_OFFSET;
}

/*
 * Whether a launch loops over tiles in the loop kernel. Only block maps do: thread maps have kernels of their own
 * instead. Whole rows have a kernel of their own, too, if each tile has a block. Of the kernels with one cell per
 * thread, only those for packed outputs know where a part ends, but no automaton's: each of them has a single kind of
 * row.
 */
static bool uses_loop_kernel(const td_execution *execution, const td_launch *launch)
{
    const bool knows_parts = execution->workload->automaton == NULL && is_packed(execution);
    return execution->strategy->unit == TD_MAPS_BLOCKS && execution->kernel != TD_KERNEL_TILE &&
           !td_cuda_is_square(execution) &&
           ((execution->kernel == TD_KERNEL_LOOP && !execution->strategy->whole_rows) ||
            execution->schedule != TD_SCHEDULE_GRID || is_cut(launch) ||
            (launch->is_part != 0 && !knows_parts));
}

/* Whether a part can use the kernel of the whole domain: it begins where the domain does, has one block per tile, and
 * wastes no block. */
static bool is_as_the_whole(const td_launch *launch)
{
    return (launch->origin_x | launch->origin_y | launch->rectangle) == 0 &&
           td_launch_blocks(launch) == td_triangle(launch->n);
}

/* Whether clusters take the tiles: only compute capability 9.0 has such code. Without it, their workloads have a kernel
 * like any other. */
static bool is_in_clusters(const td_cuda_engine *cuda, const td_execution *execution)
{
    const td_workload *w = execution->workload;
    return execution->kernel == TD_KERNEL_TILE && w->tiles->cluster_shared > 0 &&
           cuda->compute_major == 9 &&
           (execution->strategy->own != NULL ||
            td_kernels_of(w, false)->of[TD_CLUSTERS][0] != NULL);
}

/* The form for whole tiles. Those of a whole square may be flat; in 3D a tile may be wider than high because its rows
 * are whole. */
static td_form form_of_tiles(const td_execution *execution, const td_launch *launch)
{
    const bool is_flat = td_cuda_is_square(execution) && launch->width != launch->tile;
    return is_flat                                      ? TD_FLAT_TILES
           : execution->schedule == TD_SCHEDULE_DYNAMIC ? TD_DYNAMIC_TILES
           : execution->schedule == TD_SCHEDULE_GRID    ? TD_TILES
                                                        : TD_PERSISTENT_TILES;
}

/* The form with one cell per thread. In 3D, blocks and tiles of 8 x 8 x 8 have kernels of their own. */
static td_form form_of_cells(const td_execution *execution, const td_launch *launch)
{
    const td_dim3 block = launch->block;
    if (execution->strategy->dimension == 2) {
        return is_packed(execution) ? TD_PACKED_CELLS : TD_ANY_CELLS;
    }
    return launch->tile != 8 || block.x != 8 || block.y != 8 || block.z != 8 ? TD_ANY_CELLS
           : execution->data.full != 0                                       ? TD_EIGHT_FULL
                                                                             : TD_EIGHT_PACKED;
}

td_form td_cuda_form(const td_cuda_engine *cuda, const td_execution *execution,
                     const td_launch *launch)
{
    const bool loops = uses_loop_kernel(execution, launch);
    if (is_in_clusters(cuda, execution)) {
        return TD_CLUSTERS;
    }
    if (execution->kernel == TD_KERNEL_TILE) {
        return form_of_tiles(execution, launch);
    }
    if (loops && execution->schedule == TD_SCHEDULE_DYNAMIC) {
        return execution->strategy->by_rows ? TD_DYNAMIC_ROWS : TD_DYNAMIC;
    }
    if (td_cuda_is_square(execution)) {
        return TD_SQUARE_CELLS;
    }
    if (launch->is_part && !is_as_the_whole(launch)) {
        return launch->rectangle ? (loops ? TD_RECTANGLE_LOOPS : TD_RECTANGLE)
                                 : (loops ? TD_LOOPS : TD_PART_CELLS);
    }
    return loops || is_cut(launch) ? TD_LOOPS : form_of_cells(execution, launch);
}

const void *td_cuda_kernel(const td_cuda_engine *cuda, const td_execution *execution,
                           const td_launch *launch)
{
    const td_workload *workload = execution->workload;
    const td_strategy *strategy = execution->strategy;
    const td_form form = td_cuda_form(cuda, execution, launch);
    const td_kernels *own = td_cuda_own_kernels(cuda, workload, strategy);
    if (own != NULL) {
        return own->of[form][strategy->own != NULL || form > TD_LOOPS ? 0 : strategy->id];
    }
    const td_kernels *kernels = td_kernels_of(workload, execution->data.blocked != 0);
    return kernels->of[form][form > TD_LOOPS ? 0 : strategy->id];
}

bool td_cuda_loops(const td_execution *execution, const td_launch *launch)
{
    return uses_loop_kernel(execution, launch) ||
           (execution->kernel == TD_KERNEL_TILE && execution->schedule != TD_SCHEDULE_GRID);
}
