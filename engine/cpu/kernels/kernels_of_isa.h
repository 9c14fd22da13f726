/*
 * kernels_of_isa.h - defines one td_cpu_kernels: every workload for the instruction set that the including file is
 * compiled for. Include it once per file, after defining TD_KERNELS as the name of the table.
 */
#include "automaton_loop.h"
#include "cell_fns.h"
#include "workloads/automata/life3_host.h"
#include "workloads/workloads.h"

#if defined __AVX512F__
static const char isa[] = "avx512";
#elif defined __AVX2__
static const char isa[] = "avx2";
#elif defined __AVX__
static const char isa[] = "avx";
#elif defined __x86_64__
static const char isa[] = "sse2";
#elif defined __ARM_NEON
static const char isa[] = "neon";
#else
static const char isa[] = "plain";
#endif

/* clang-format off */
/* Rows of an automaton's table with the same storage compute the same, and the compiler keeps one of their
 * functions. */
#define CELLS(name, technique, width, ...)                                                         \
    TD_INLINE void td_##name##_##technique##_##width##_cell(const td_data *data, uint32_t row,     \
                                                            uint32_t col)                          \
    {                                                                                              \
        td_next_cell(data, row, col, &td_##name##_cells,                                           \
                     td_techniques[TD_TECHNIQUE_##technique].storage, TD_WIDTH_##width);           \
    }                                                                                              \
    static td_cpu_run_fn host_##name##_##technique##_##width;                                      \
    TD_INLINE td_stored_cells stored_##name##_##technique##_##width(void)                          \
    {                                                                                              \
        return (td_stored_cells){&td_##name##_cells, td_host_cells[TD_WORKLOAD_##name],            \
                                 host_##name##_##technique##_##width,                              \
                                 td_techniques[TD_TECHNIQUE_##technique].storage,                  \
                                 TD_WIDTH_##width};                                                \
    }                                                                                              \
    static __attribute__((noinline)) void host_##name##_##technique##_##width(                     \
        const td_data *data, uint32_t row, uint32_t col, uint32_t end)                             \
    {                                                                                              \
        td_host_row(data, row, col, end, td_##name##_##technique##_##width##_cell,                 \
                    stored_##name##_##technique##_##width());                                      \
    }                                                                                              \
    TILE(name##_##technique##_##width, td_automaton_tile,                                          \
         td_##name##_##technique##_##width##_cell, stored_##name##_##technique##_##width())        \
    TILE(square_##name##_##technique##_##width, td_automaton_square,                               \
         td_##name##_##technique##_##width##_cell, stored_##name##_##technique##_##width())        \
    static void run_##name##_##technique##_##width(const td_data *data, uint32_t row,              \
                                                   uint32_t col, uint32_t end)                     \
    {                                                                                              \
        td_automaton_run(data, row, col, end, td_##name##_##technique##_##width##_cell,            \
                         stored_##name##_##technique##_##width());                                 \
    }
#define CELL_FNS(name, technique, width, ...)                                                      \
    {tile_##name##_##technique##_##width, tile_square_##name##_##technique##_##width,              \
     run_##name##_##technique##_##width},
#define AUTOMATON(name, A)                                                                         \
    td_##name##_table(CELLS)                                                                        \
    static const td_cpu_fns fns_##name[] = {td_##name##_table(CELL_FNS)};
/* The same in 3D, layer by layer of a tile. */
#define LAYERS(name, technique, width, ...)                                                        \
    TD_INLINE void td_##name##_##technique##_##width##_layer(                                      \
        const td_data *data, uint32_t first, uint32_t end, uint32_t y, uint32_t end_y, uint32_t z) \
    {                                                                                              \
        td_##name##_layer_of_tile(data, first, end, y, end_y, z,                                   \
                                  td_techniques[TD_TECHNIQUE_##technique].storage,                 \
                                  TD_WIDTH_##width);                                               \
    }                                                                                              \
    TILE(name##_##technique##_##width, td_loop_layers3, td_##name##_##technique##_##width##_layer)
#define LAYER_FNS(name, technique, width, ...) {.tile = tile_##name##_##technique##_##width},
#define STEPS_3D(name, A)                                                                          \
    td_##name##_table(LAYERS)                                                                      \
    static const td_cpu_fns fns_##name[] = {td_##name##_table(LAYER_FNS)};
/* clang-format on */

TD_PLAIN_2D(PLAIN_2D, )
TD_AUTOMATA(AUTOMATON, )
TD_PLAIN_3D(PLAIN_3D, )
TD_STEPS_3D(STEPS_3D, )
TD_SUMS_3D(SUM_3D, )

#define FNS(w, A) [TD_WORKLOAD_##w] = fns_##w,
#ifdef TD_ISA_FLAGS /* the Makefile passes the flags of this file */
static const char *const flags[] = {TD_ISA_FLAGS NULL};
#else
static const char *const flags[] = {NULL};
#endif
const td_cpu_kernels TD_KERNELS = {.isa = isa, .flags = flags, .fns = {TD_WORKLOADS(FNS, )}};
