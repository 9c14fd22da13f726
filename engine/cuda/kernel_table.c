/* kernel_table.c - the workloads' kernel tables side by side. */
#include "kernel_table.h"

#include "workloads/workloads.h"

#define DECLARE(w, A) extern const td_kernels td_kernels_##w;
TD_WORKLOADS_2D(DECLARE, )
TD_WORKLOADS_3D(DECLARE, )
TD_SUMS_3D(DECLARE, )

#define ROW(w, A) [TD_WORKLOAD_##w] = &td_kernels_##w,
static const td_kernels *const kernels[TD_WORKLOAD_COUNT] = {
    TD_WORKLOADS_2D(ROW, ) TD_WORKLOADS_3D(ROW, ) TD_SUMS_3D(ROW, )};

const td_kernels *td_kernels_of(const td_workload *workload)
{
    return kernels[workload->id];
}

#define DECLARE_TILED(w, ...) extern const void *const td_tiles_##w, *const td_persistent_tiles_##w;
TD_TILED_2D(DECLARE_TILED, )
TD_ALSO_TILED_2D(DECLARE_TILED, )
TD_ALSO_TILED_3D(DECLARE_TILED, )

typedef struct tile_pair {
    const void *const *grid, *const *persistent;
} tile_pair;

#define PAIR(variant)                                                                              \
    {                                                                                              \
        &td_tiles_##variant, &td_persistent_tiles_##variant                                        \
    }
#define TILED(w, ...) [TD_WORKLOAD_##w] = PAIR(w),
#define TILED_AS(w, stem, variant, A) [TD_WORKLOAD_##w] = PAIR(variant),
static const tile_pair tiles[TD_WORKLOAD_COUNT] = {TD_TILED_2D(TILED, ) TD_TILED_AS_2D(
    TILED_AS, ) TD_ALSO_TILED_2D(TILED, ) TD_ALSO_TILED_3D(TILED, )};

td_tile_kernels td_tile_kernels_of(const td_workload *workload)
{
    const tile_pair pair = tiles[workload->id];
    td_tile_kernels of = {NULL, NULL};
    if (pair.grid != NULL) {
        of.grid = *pair.grid;
        of.persistent = *pair.persistent;
    }
    return of;
}

#define DECLARE_SQUARE(w, A) extern const void *const td_square_##w;
TD_VARIANTS_2D(DECLARE_SQUARE, )

#define SQUARE(w, A) [TD_WORKLOAD_##w] = &td_square_##w,
static const void *const *const squares[TD_WORKLOAD_COUNT] = {TD_VARIANTS_2D(SQUARE, )};

const void *td_square_of(const td_workload *workload)
{
    const void *const *square = squares[workload->id];
    return square != NULL ? *square : NULL;
}
