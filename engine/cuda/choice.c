/* choice.c - chooses the kernel of a launch. */
#include "choice.h"

bool td_cuda_is_eight(const td_launch *launch)
{
    return launch->tile == 8 && launch->block.x == 8 && launch->block.y == 8 &&
           launch->block.z == 8;
}

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

/* Whether the kernels with one cell per thread know where a part ends. Only packed ones do, and not those of automata,
 * which have a single kind of rows each. */
static bool knows_parts(const td_execution *execution)
{
    return execution->workload->automaton == NULL && is_packed(execution);
}

/* Whether a launch loops over tiles in the loop kernel. Only block maps do: a thread map has a kernel of its own in
 * that place. Whole rows have a kernel of their own, too, if each tile has a block. Of the kernels with one cell per
 * thread, only packed ones know where a part ends. */
static bool uses_loop_kernel(const td_execution *execution, const td_launch *launch)
{
    return execution->strategy->unit == TD_MAPS_BLOCKS && execution->kernel != TD_KERNEL_TILE &&
           !td_cuda_is_square(execution) &&
           ((execution->kernel == TD_KERNEL_LOOP && !execution->strategy->whole_rows) ||
            execution->schedule != TD_SCHEDULE_GRID || is_cut(launch) ||
            (launch->is_part != 0 && !knows_parts(execution)));
}

/* Whether the tiles of a whole square are flat. In 3D a tile may be wider than high because its rows are whole. */
static bool is_flat(const td_execution *execution, const td_launch *launch)
{
    return td_cuda_is_square(execution) && launch->width != launch->tile;
}

/* Whether the blocks of a whole-tile kernel stay on the device: such kernels have forms of their own for that. */
static bool tiles_stay(const td_execution *execution)
{
    return execution->kernel == TD_KERNEL_TILE && execution->schedule != TD_SCHEDULE_GRID;
}

/* Whether a part can use the kernel of the whole domain: it begins where the domain does, has one block per tile, and
 * wastes no block. */
static bool is_as_the_whole(const td_launch *launch)
{
    const uint64_t blocks = (uint64_t)launch->grid.x * launch->grid.y * launch->grid.z;
    return (launch->origin_x | launch->origin_y | launch->rectangle) == 0 &&
           blocks == td_triangle(launch->n);
}

const void *const *td_cuda_kernel_place(const td_kernels *kernels, const td_tile_kernels *tiles,
                                        const td_execution *execution, const td_launch *launch)
{
    const uint32_t s = execution->strategy->id;
    const bool loops = uses_loop_kernel(execution, launch);
    if (execution->kernel == TD_KERNEL_TILE) {
        return is_flat(execution, launch)                   ? &tiles->flat
               : execution->schedule == TD_SCHEDULE_DYNAMIC ? &tiles->dynamic
               : tiles_stay(execution)                      ? &tiles->persistent
                                                            : &tiles->grid;
    }
    if (loops && execution->schedule == TD_SCHEDULE_DYNAMIC) {
        return &kernels->dynamic;
    }
    if (td_cuda_is_square(execution)) {
        return &kernels->square;
    }
    if (launch->is_part && !is_as_the_whole(launch)) {
        return launch->rectangle ? (loops ? &kernels->rectangle_loop : &kernels->rectangle)
                                 : (loops ? &kernels->loop[s] : &kernels->part[s]);
    }
    if (loops || is_cut(launch)) {
        return &kernels->loop[s];
    }
    if (execution->strategy->dimension == 3) {
        return td_cuda_is_eight(&execution->plan->launches[0])
                   ? &kernels->eight[execution->data.full != 0][s]
                   : &kernels->cell[s];
    }
    return is_packed(execution) ? &kernels->packed[s] : &kernels->cell[s];
}

bool td_cuda_loops(const td_execution *execution, const td_launch *launch)
{
    return uses_loop_kernel(execution, launch) || tiles_stay(execution);
}
