/*
 * kernels_of_isa.h - the definition of one td_cpu_kernels: every workload for the instruction set that the including
 * file is compiled for. To be included once in a file, behind a definition of TD_KERNELS, the name of the table.
 */
#include "kernels.h"
#include "tile_loop.h"
#include "tile_loop_3d.h"
#include "workloads/workloads.h"

#if defined __AVX512F__
#define ISA "avx512"
#elif defined __AVX2__
#define ISA "avx2"
#elif defined __AVX__
#define ISA "avx"
#elif defined __x86_64__
#define ISA "sse2"
#elif defined __ARM_NEON
#define ISA "neon"
#else
#define ISA "plain"
#endif

/* clang-format off */
/* What computes cells in groups, where they may be computed again: of those with a descriptor in their header it says
 * so, of the others nothing is known. */
#define KNOWN(w) (td_##w##_workload.own_element ? groups_##w : NULL)
#define UNKNOWN(w) NULL

#define GROUPS(w, A)                                                                               \
    static __attribute__((noinline)) void groups_##w(                                              \
        const td_data *data, const td_group_rows *rows, const void *restrict input,                \
        void *restrict output)                                                                     \
    {                                                                                              \
        const size_t element = td_##w##_workload.element == TD_U8 ? 1 : 4; /* a constant */        \
        td_loop_groups(data, rows, input, output, td_##w##_cell, element);                         \
    }
#define TILE(w, groups)                                                                            \
    static void tile_##w(const td_launch *launch, const td_data *data, td_tile tile, bool left)    \
    {                                                                                              \
        td_loop_tile(launch, data, tile, left, td_##w##_cell, groups(w));                          \
    }
#define RUN(w, groups)                                                                             \
    static void run_##w(const td_data *data, uint32_t row, uint32_t col, uint32_t end)             \
    {                                                                                              \
        if (end == col + 1) { /* of maps that scatter, every run */                                \
            td_##w##_cell(data, row, col);                                                         \
            return;                                                                                \
        }                                                                                          \
        const td_data local = *data;                                                               \
        td_loop_row(&local, row, col, end, td_##w##_cell, groups(w) != NULL);                      \
    }
#define SQUARE(w, A)                                                                               \
    static void square_##w(const td_launch *launch, const td_data *data, td_tile tile, bool left)  \
    {                                                                                              \
        (void)left;                                                                                \
        td_loop_square(launch, data, tile, td_##w##_cell);                                         \
    }
#define TILE_3D(w, A)                                                                              \
    static void tile_##w(const td_launch *launch, const td_data *data, td_tile tile, bool left)    \
    {                                                                                              \
        (void)left;                                                                                \
        td_loop_tile3(launch, data, tile, td_##w##_cell);                                          \
    }
#define SUM_3D(w, A)                                                                               \
    static void tile_##w(const td_launch *launch, const td_data *data, td_tile tile, bool left)    \
    {                                                                                              \
        (void)left;                                                                                \
        td_sum_block3(launch, data, tile, td_##w##_cell);                                          \
    }

#define TILE_AND_RUN(w, groups) TILE(w, groups) RUN(w, groups)
TD_DOMAIN_2D(GROUPS, )
TD_POINTS_2D(GROUPS, )
TD_DOMAIN_2D(TILE_AND_RUN, KNOWN)
TD_POINTS_2D(TILE_AND_RUN, KNOWN)
TD_VARIANTS_2D(TILE_AND_RUN, UNKNOWN)
TD_STEMS_2D(TILE, UNKNOWN)
TD_VARIANTS_2D(SQUARE, )
TD_STEMS_2D(SQUARE, )
TD_WORKLOADS_3D(TILE_3D, )
TD_SUMS_3D(SUM_3D, )

#define TILE_OF(w, A) [TD_WORKLOAD_##w] = tile_##w,
#define TILE_OF_STEM(w, stem, ...) [TD_WORKLOAD_##w] = tile_##stem,
#define RUN_OF(w, A) [TD_WORKLOAD_##w] = run_##w,
#define SQUARE_OF(w, A) [TD_WORKLOAD_##w] = square_##w,
#define SQUARE_OF_STEM(w, stem, ...) [TD_WORKLOAD_##w] = square_##stem,

const td_cpu_kernels TD_KERNELS = {
    .isa = ISA,
    .tile = {TD_WORKLOADS_2D(TILE_OF, ) TD_TILED_2D(TILE_OF_STEM, ) TD_TILED_AS_2D(TILE_OF_STEM, )
             TD_WORKLOADS_3D(TILE_OF, ) TD_SUMS_3D(TILE_OF, )},
    .square = {TD_VARIANTS_2D(SQUARE_OF, ) TD_TILED_2D(SQUARE_OF_STEM, ) TD_TILED_AS_2D(SQUARE_OF_STEM, )},
    .run = {TD_WORKLOADS_2D(RUN_OF, )},
};
/* clang-format on */
