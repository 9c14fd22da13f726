/* check_table.c - what checks and advances the cells of each workload, made from the lists. */
#include "check_table.h"

#include "engine/core/own.h"
#include "workloads/workloads.h"

/* clang-format off */
#define PLAIN_2D(w, A) static const td_cpu_checks checks_##w[] = {{.check = td_##w##_check}};
#define PLAIN_3D(w, A) static const td_cpu_checks checks_##w[] = {{.check_3d = td_##w##_check}};
#define SUM_3D(w, A) static const td_cpu_checks checks_##w[] = {{NULL}};

#define CELLS(name, technique, width, ...)                                                         \
    static td_verdict check_##name##_##technique##_##width(const td_data *data, uint32_t row,      \
                                                           uint32_t col)                           \
    {                                                                                              \
        return td_check(data, row, col, &td_##name##_cells, td_techniques[TD_TECHNIQUE_##technique].storage, \
                        TD_WIDTH_##width);                                                         \
    }                                                                                              \
    static void paint_##name##_##technique##_##width(const td_data *data, uint32_t row,            \
                                                     uint32_t col)                                 \
    {                                                                                              \
        td_paint(data, row, col, &td_##name##_cells,                                               \
                 td_techniques[TD_TECHNIQUE_##technique].storage, TD_WIDTH_##width);               \
    }
#define CELL_CHECKS(name, technique, width, ...)                                                   \
    {.check = check_##name##_##technique##_##width, .reference = td_##name##_reference,            \
     .paint = paint_##name##_##technique##_##width},
#define AUTOMATON(name, A)                                                                         \
    td_##name##_table(CELLS)                                                                       \
    static const td_cpu_checks checks_##name[] = {td_##name##_table(CELL_CHECKS)};
/* clang-format on */

TD_PLAIN_2D(PLAIN_2D, )
TD_AUTOMATA(AUTOMATON, )
TD_PLAIN_3D(PLAIN_3D, )
TD_SUMS_3D(SUM_3D, )

#define CHECKS(w, A) [TD_WORKLOAD_##w] = checks_##w,
static const td_cpu_checks *const checks[TD_WORKLOAD_COUNT] = {TD_WORKLOADS(CHECKS, )};

const td_cpu_checks *td_cpu_checks_of(const td_workload *workload)
{
    return workload->own != NULL ? workload->own->checks
                                 : checks[td_workload_id(workload)] + td_workload_row(workload);
}
