/* kernels.c - the functions of every workload, generated from the lists. */
#include "automaton_rows.h"
#include "cell_fns.h"
#include "engine/core/own.h"
#include "workloads/automata/life3_host.h"
#include "workloads/workloads.h"

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
    static TD_CLONES td_cpu_run_fn host_##name##_##technique##_##width;                            \
    TD_INLINE td_stored_cells stored_##name##_##technique##_##width(void)                          \
    {                                                                                              \
        return (td_stored_cells){&td_##name##_cells, td_host_cells[TD_WORKLOAD_##name],            \
                                 host_##name##_##technique##_##width,                              \
                                 td_techniques[TD_TECHNIQUE_##technique].storage,                  \
                                 TD_WIDTH_##width};                                                \
    }                                                                                              \
    static TD_CLONES __attribute__((noinline)) void host_##name##_##technique##_##width(           \
        const td_data *data, uint32_t row, uint32_t col, uint32_t end)                             \
    {                                                                                              \
        td_host_row(data, row, col, end, td_##name##_##technique##_##width##_cell,                 \
                    stored_##name##_##technique##_##width());                                      \
    }                                                                                              \
    TD_INLINE void row_##name##_##technique##_##width(                                             \
        const td_data *data, uint32_t first, uint32_t end, uint32_t y, uint32_t z)                 \
    {                                                                                              \
        (void)z;                                                                                   \
        td_automaton_row(data, y, first, end, td_##name##_##technique##_##width##_cell,            \
                         stored_##name##_##technique##_##width());                                 \
    }                                                                                              \
    TILE(name##_##technique##_##width, TD_ROWS_OF_TRIANGLE)                                        \
    static TD_CLONES void square_##name##_##technique##_##width(                                   \
        const td_launch *launch, const td_data *data, td_tile tile)                                \
    {                                                                                              \
        const td_data local = *data;                                                               \
        const td_box box = td_box_of(launch, &local, tile, TD_ROWS_OF_SQUARE);                     \
        td_each_row(&local, &box, TD_ROWS_OF_SQUARE, row_##name##_##technique##_##width);          \
    }                                                                                              \
    static TD_CLONES void run_##name##_##technique##_##width(const td_data *data, uint32_t row,    \
                                                             uint32_t col, uint32_t end)           \
    {                                                                                              \
        const td_data local = *data;                                                               \
        row_##name##_##technique##_##width(&local, col, end, row, 0);                              \
    }
#define CELL_FNS(name, technique, width, ...)                                                      \
    {tile_##name##_##technique##_##width, square_##name##_##technique##_##width,                   \
     run_##name##_##technique##_##width},
#define AUTOMATON(name, A)                                                                         \
    td_##name##_table(CELLS)                                                                       \
    static const td_cpu_fns fns_##name[] = {td_##name##_table(CELL_FNS)};
#define ROWS_3D(name, technique, width, ...)                                                       \
    TD_INLINE void row_##name##_##technique##_##width(                                             \
        const td_data *data, uint32_t first, uint32_t end, uint32_t y, uint32_t z)                 \
    {                                                                                              \
        td_##name##_row_of_tile(data, first, end, y, z,                                            \
                                td_techniques[TD_TECHNIQUE_##technique].storage);                  \
    }                                                                                              \
    TILE(name##_##technique##_##width, TD_ROWS_OF_TETRAHEDRON)
#define ROW_FNS(name, technique, width, ...) {.tile = tile_##name##_##technique##_##width},
#define STEPS_3D(name, A)                                                                          \
    td_##name##_table(ROWS_3D)                                                                     \
    static const td_cpu_fns fns_##name[] = {td_##name##_table(ROW_FNS)};
#define FNS(w, A) [TD_WORKLOAD_##w] = fns_##w,
/* clang-format on */

TD_PLAIN_2D(PLAIN_2D, )
TD_AUTOMATA(AUTOMATON, )
TD_PLAIN_3D(PLAIN_3D, )
TD_STEPS_3D(STEPS_3D, )
TD_SUMS_3D(SUM_3D, )

static const td_cpu_fns *const fns[TD_WORKLOAD_COUNT] = {TD_WORKLOADS(FNS, )};

const td_cpu_fns *td_cpu_fns_of(const td_workload *workload)
{
    return workload->own != NULL ? workload->own->fns
                                 : fns[td_workload_id(workload)] + td_workload_row(workload);
}

const char *td_cpu_isa(void)
{
#if TD_HAS_CLONES
    const bool v4 = __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512cd") &&
                    __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
    return v4 ? "avx512" : __builtin_cpu_supports("avx2") ? "avx2" : "sse2";
#elif defined __x86_64__
    return "sse2";
#elif defined __ARM_NEON
    return "neon";
#else
    return "plain";
#endif
}
