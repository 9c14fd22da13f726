/* kernels.c - the functions of every workload, generated from the lists. */
#include "automaton_rows.h"
#include "cell_fns.h"
#include "engine/core/own.h"
#include "workloads/automata/life3_host.h"
#include "workloads/workloads.h"

/* clang-format off */
#define STORED(technique) td_techniques[TD_TECHNIQUE_##technique].storage
/* Rows of an automaton's table with the same storage compute the same, and the compiler keeps one of their
 * functions. */
#define ROW_2D(name, technique, width, ...)                                                        \
    TD_CELLS_FN(name##_##technique##_##width, td_automaton_cells,                                  \
                (td_stored_cells){&td_##name##_cells, td_host_cells[TD_WORKLOAD_##name],           \
                                  STORED(technique), TD_WIDTH_##width})
#define ROW_3D(name, technique, width, ...)                                                        \
    TD_CELLS_FN(name##_##technique##_##width, td_rows_3d, td_##name##_row_of_tile,                 \
                STORED(technique))
#define TABLE_2D(w, A) td_##w##_table(ROW_2D)
#define TABLE_3D(w, A) td_##w##_table(ROW_3D)
TD_PLAIN_2D(PLAIN_2D, ) TD_AUTOMATA(TABLE_2D, )
TD_PLAIN_3D(PLAIN_3D, ) TD_STEPS_3D(TABLE_3D, ) TD_SUMS_3D(SUM_3D, )

#define ROW_FN(name, technique, width, ...) cells_##name##_##technique##_##width,
#define FN(w, A) [TD_WORKLOAD_##w] = (td_cpu_cells_fn *const[]){cells_##w},
#define TABLE_FNS(w, A) [TD_WORKLOAD_##w] = (td_cpu_cells_fn *const[]){td_##w##_table(ROW_FN)},
static td_cpu_cells_fn *const *const fns[TD_WORKLOAD_COUNT] = {
    TD_PLAIN_2D(FN, ) TD_PLAIN_3D(FN, ) TD_SUMS_3D(FN, )
    TD_AUTOMATA(TABLE_FNS, ) TD_STEPS_3D(TABLE_FNS, )
};
/* clang-format on */

td_cpu_cells_fn *td_cpu_cells_of(const td_workload *workload)
{
    return workload->own != NULL ? workload->own->cells
                                 : fns[td_workload_id(workload)][td_workload_row(workload)];
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
