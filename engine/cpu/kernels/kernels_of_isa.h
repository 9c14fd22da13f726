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
#define GROUPS(w, A)                                                                               \
    static __attribute__((noinline)) void groups_##w(                                              \
        const td_data *data, const td_group_rows *rows, const void *restrict input,                \
        void *restrict output)                                                                     \
    {                                                                                              \
        td_loop_groups(data, rows, input, output, td_##w##_cell, &td_##w##_workload);              \
    }
#define TILE(w, loop, ...)                                                                         \
    static void tile_##w(const td_launch *launch, const td_data *data, td_tile tile, bool left)    \
    {                                                                                              \
        (void)left;                                                                                \
        loop(launch, data, tile, __VA_ARGS__);                                                     \
    }
#define RUN(w, groups)                                                                             \
    static void run_##w(const td_data *data, uint32_t row, uint32_t col, uint32_t end)             \
    {                                                                                              \
        if (end == col + 1) { /* of maps that scatter, every run */                                \
            td_##w##_cell(data, row, col);                                                         \
            return;                                                                                \
        }                                                                                          \
        const td_data local = *data;                                                               \
        td_loop_row(&local, row, col, end, td_##w##_cell, (groups) != NULL);                       \
    }
/* Computes cells in groups where they may be computed again. */
#define PLAIN_2D(w, A)                                                                             \
    GROUPS(w, A)                                                                                   \
    TILE(w, td_loop_tile, left, td_##w##_cell, td_##w##_workload.own_element ? groups_##w : NULL)  \
    RUN(w, td_##w##_workload.own_element ? groups_##w : NULL)                                      \
    static const td_cpu_fns fns_##w[] = {{.tile = tile_##w, .run = run_##w}};
#define PLAIN_3D(w, A)                                                                             \
    TILE(w, td_loop_tile3, td_##w##_cell)                                                          \
    static const td_cpu_fns fns_##w[] = {{.tile = tile_##w}};
#define SUM_3D(w, A)                                                                               \
    TILE(w, td_sum_block3, td_##w##_cell)                                                          \
    static const td_cpu_fns fns_##w[] = {{.tile = tile_##w}};

/* Rows of an automaton's table that store alike compute alike: the compiler keeps one of such functions. */
#define CELLS(name, technique, width, ...)                                                         \
    TD_INLINE void td_##name##_##technique##_##width##_cell(const td_data *data, uint32_t row,     \
                                                            uint32_t col)                          \
    {                                                                                              \
        td_next_cell(data, row, col, &td_##name##_cells, td_techniques[TD_TECHNIQUE_##technique].storage,              \
                     TD_WIDTH_##width);                                                            \
    }                                                                                              \
    TILE(name##_##technique##_##width, td_loop_tile, left,                                         \
         td_##name##_##technique##_##width##_cell, NULL)                                           \
    TILE(square_##name##_##technique##_##width, td_loop_square,                                    \
         td_##name##_##technique##_##width##_cell)                                                 \
    RUN(name##_##technique##_##width, NULL)
#define CELL_FNS(name, technique, width, ...)                                                      \
    {tile_##name##_##technique##_##width, tile_square_##name##_##technique##_##width,              \
     run_##name##_##technique##_##width},
#define AUTOMATON(name, A)                                                                         \
    td_##name##_table(CELLS)                                                                        \
    static const td_cpu_fns fns_##name[] = {td_##name##_table(CELL_FNS)};
/* clang-format on */

TD_PLAIN_2D(PLAIN_2D, )
TD_AUTOMATA(AUTOMATON, )
TD_PLAIN_3D(PLAIN_3D, )
TD_SUMS_3D(SUM_3D, )

#define FNS(w, A) [TD_WORKLOAD_##w] = fns_##w,
const td_cpu_kernels TD_KERNELS = {.isa = ISA, .fns = {TD_WORKLOADS(FNS, )}};
