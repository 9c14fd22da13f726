/* registry.c - the workloads as a table, made from the list. */
#include <string.h>

#include "workloads.h"

#define ROW(id_, name_, ...) {.name = name_, .id = TD_WORKLOAD_##id_, TD_FACTS_##id_},
const td_workload td_workloads[] = {TD_WORKLOADS(ROW, )};
#undef ROW

const size_t td_workload_count = sizeof td_workloads / sizeof td_workloads[0];

const td_workload *td_workload_find(const char *name, int dimension)
{
    for (size_t i = 0; i < td_workload_count; i++) {
        const td_workload *w = &td_workloads[i];
        if (strcmp(w->name, name) == 0 && (dimension == 0 || dimension == w->dimension)) {
            return w;
        }
    }
    return NULL;
}

const td_workload *td_workload_variant(const td_workload *workload, td_memory memory,
                                       td_cell_width width)
{
    for (size_t i = 0; i < td_workload_count; i++) {
        const td_workload *w = &td_workloads[i];
        if (strcmp(w->name, workload->name) == 0 && w->dimension == workload->dimension &&
            w->memory == memory && w->width == width) {
            return w;
        }
    }
    return NULL;
}

bool td_workload_is_listed(const td_workload *workload)
{
    return td_workload_find(workload->name, workload->dimension) == workload;
}

const char *td_memory_name(td_memory memory)
{
    static const char *const names[] = {NULL,       "conditional",    "halo",
                                        "shared",   "aligned",        "rect",
                                        "two-cell", "two-generation", "strip"};
    return names[memory];
}

const char *td_cell_width_name(td_cell_width width)
{
    static const char *const names[] = {NULL, "u32", "u8", "bit"};
    return names[width];
}

const char *td_domain_shape_name(td_domain_shape domain)
{
    return domain == TD_DOMAIN_SQUARE ? "square" : "triangle";
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

uint64_t td_workload_cells(const td_workload *workload, const td_problem *problem)
{
    if (workload->dimension == 3) {
        return td_tetrahedron(problem->n);
    }
    if (problem->domain == TD_DOMAIN_SQUARE && workload->has_domains) {
        return (uint64_t)problem->n * problem->n;
    }
    return td_triangle(workload->no_diagonal ? problem->n - 1 : problem->n);
}
