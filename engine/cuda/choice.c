/* choice.c - which kernel a launch takes. */
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

/* A part ends where packed rows do. Kernels of automata, which have one kind of rows each, know no parts. */
static bool knows_parts(const td_execution *execution)
{
    return execution->workload->automaton == NULL && is_packed(execution);
}

/* Block maps loop over tiles in the loop kernel. A thread map has a kernel of its own in its place, and so have rows
 * where each tile has a block. Of kernels with a cell per thread only packed ones know the ends of a part. */
static bool uses_loop_kernel(const td_execution *execution, const td_launch *launch)
{
    return execution->strategy->unit == TD_MAPS_BLOCKS && execution->kernel != TD_KERNEL_TILE &&
           !td_cuda_is_square(execution) &&
           ((execution->kernel == TD_KERNEL_LOOP && !execution->strategy->whole_rows) ||
            execution->schedule != TD_SCHEDULE_GRID || is_cut(launch) ||
            (launch->is_part != 0 && !knows_parts(execution)));
}

/* In 3D a tile may be wider than high because its rows are whole. */
static bool is_flat(const td_execution *execution, const td_launch *launch)
{
    return td_cuda_is_square(execution) && launch->width != launch->tile;
}

/* Kernels for tiles have other forms for that. */
static bool tiles_stay(const td_execution *execution)
{
    return execution->kernel == TD_KERNEL_TILE && execution->schedule != TD_SCHEDULE_GRID;
}

/* The first part of a domain, with a block for each tile and none to waste, needs no other kernel than the whole. */
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
