/* check_table.c - the functions that check and advance the cells of each workload, generated from the lists. */
#include "check_table.h"

#include "engine/core/own.h"
#include "workloads/workloads.h"

/* clang-format off */
#define CHECK(w, member) [TD_WORKLOAD_##w] = {.member = td_##w##_check},
#define STEPS_3D(w, A)                                                                             \
    [TD_WORKLOAD_##w] = {.check_3d = td_##w##_check,                                               \
                         .reference_3d = td_##w##_reference,                                       \
                         .paint_3d = td_##w##_paint},
static const td_cpu_checks checks[TD_WORKLOAD_COUNT] = {
    TD_PLAIN_2D(CHECK, check) TD_PLAIN_3D(CHECK, check_3d) TD_STEPS_3D(STEPS_3D, )
};
/* clang-format on */

const td_cpu_checks *td_cpu_checks_of(const td_workload *workload)
{
    return workload->own != NULL ? workload->own->checks : &checks[td_workload_id(workload)];
}

td_cpu_stored td_cpu_stored_of(const td_workload *workload)
{
    td_cpu_stored stored = {0};
    if (workload->automaton != NULL) {
        stored.storage = td_techniques[workload->automaton->variant->technique].storage;
        stored.width = workload->automaton->variant->cell;
    }
    return stored;
}
