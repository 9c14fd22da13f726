/* check_table.c - what checks and advances the cells of each workload, made from the lists. */
#include "check_table.h"

#include "workloads/workloads.h"

/* clang-format off */
#define CHECK(w, A) [TD_WORKLOAD_##w] = td_##w##_check,
#define TILED_CHECK(w, stem, ...) [TD_WORKLOAD_##w] = td_##stem##_check,
static td_check_fn *const checks[TD_WORKLOAD_COUNT] = {
    TD_WORKLOADS_2D(CHECK, ) TD_TILED_2D(TILED_CHECK, ) TD_TILED_AS_2D(TILED_CHECK, )};

#define VARIANT(w, name) [TD_WORKLOAD_##w] = {td_##name##_reference, td_##w##_paint},
#define TILED_VARIANT(w, stem, name) [TD_WORKLOAD_##w] = {td_##name##_reference, td_##stem##_paint},
#define VARIANT_TILED_AS(w, stem, variant, name) TILED_VARIANT(w, stem, name)
static const td_cpu_steps_fns steps[TD_WORKLOAD_COUNT] = {
    TD_EACH_PLAIN_VARIANT_2D(VARIANT)
        TD_EACH_TILED_VARIANT_2D(TILED_VARIANT) TD_EACH_VARIANT_TILED_AS_2D(VARIANT_TILED_AS)};
#define CHECK_3D(w, A) [TD_WORKLOAD_##w] = td_##w##_check,
static td_check3_fn *const checks_3d[TD_WORKLOAD_COUNT] = {TD_WORKLOADS_3D(CHECK_3D, )};
/* clang-format on */

const td_cpu_steps_fns *td_cpu_steps(const td_workload *workload)
{
    return &steps[workload->id];
}

td_check_fn *td_cpu_check(const td_workload *workload)
{
    return checks[workload->id];
}

td_check3_fn *td_cpu_check_3d(const td_workload *workload)
{
    return checks_3d[workload->id];
}
