/* registry.c - the workloads as a table, made from the list. */
#include <string.h>

#include "workloads.h"

#define ROW(id, ...) &td_##id##_workload,
const td_workload *const td_workloads[] = {TD_WORKLOADS_LISTED(ROW, )};
#undef ROW

const size_t td_workload_count = sizeof td_workloads / sizeof td_workloads[0];

const td_workload *td_workload_find(const char *name, int dimension)
{
    for (size_t i = 0; i < td_workload_count; i++) {
        const td_workload *w = td_workloads[i];
        if (strcmp(w->name, name) == 0 && (dimension == 0 || dimension == w->dimension)) {
            return w;
        }
    }
    return NULL;
}

bool td_workload_takes_tile(const td_workload *workload, uint32_t tile, td_dim3 block)
{
    const uint32_t threads = block.x * block.y * block.z;
    const bool any = workload->threads_multiple == 0;
    return workload->has_tiles && tile % workload->tile_multiple == 0 &&
           tile <= workload->tile_most &&
           (any ||
            (threads % workload->threads_multiple == 0 && threads <= workload->threads_most));
}

const td_workload *td_workload_that_counts(int dimension)
{
    for (size_t i = 0; i < td_workload_count; i++) {
        if (td_workloads[i]->counts_visits && td_workloads[i]->dimension == dimension) {
            return td_workloads[i];
        }
    }
    return NULL;
}

const td_parameter *td_workload_parameter(const td_workload *workload, const char *name)
{
    for (size_t p = 0; p < workload->parameter_count; p++) {
        if (strcmp(workload->parameters[p].name, name) == 0) {
            return &workload->parameters[p];
        }
    }
    return NULL;
}

uint32_t td_workload_steps(const td_workload *workload, const td_problem *problem)
{
    return workload->steps != NULL ? workload->steps(problem) : 0;
}

uint64_t td_workload_state_bytes(const td_workload *workload, const td_problem *problem)
{
    const uint32_t bytes = workload->state_bytes > 0 ? workload->state_bytes : 1;
    return td_workload_cells(workload, problem) * bytes;
}

uint64_t td_workload_saved_bytes(const td_workload *workload, const td_problem *problem)
{
    return td_workload_cells(workload, problem) * td_element_bytes(workload->saved);
}

bool td_workload_is_square(const td_workload *workload, const td_problem *problem)
{
    return workload->is_square != NULL && workload->is_square(problem);
}

static const struct {
    size_t bytes;
    const char *numpy;
} elements[] = {
    [TD_U8] = {1, "|u1"},  [TD_U32] = {4, "<u4"}, [TD_I32] = {4, "<i4"},
    [TD_F32] = {4, "<f4"}, [TD_F64] = {8, "<f8"},
};

size_t td_element_bytes(td_element element)
{
    return elements[element].bytes;
}

const char *td_element_numpy(td_element element)
{
    return elements[element].numpy;
}

uint64_t td_workload_int_ops(const td_workload *workload, const td_problem *problem)
{
    const uint64_t generations =
        workload->generations > 0 ? td_workload_steps(workload, problem) : 1;
    const uint64_t cells = td_workload_cells(workload, problem) * generations;
    const size_t bytes = td_element_bytes(workload->element);
    const uint32_t in_a_word = bytes < 4 ? (uint32_t)(4 / bytes) : 1;
    const uint32_t at_once = workload->cells_per_op > 0 ? workload->cells_per_op : in_a_word;
    return (cells * workload->int_ops + at_once - 1) / at_once;
}

uint64_t td_workload_cells(const td_workload *workload, const td_problem *problem)
{
    if (workload->dimension == 3) {
        return td_tetrahedron(problem->n);
    }
    if (td_workload_is_square(workload, problem)) {
        return (uint64_t)problem->n * problem->n;
    }
    return td_triangle(workload->no_diagonal ? problem->n - 1 : problem->n);
}
