/* check_3d.c - checks the cells of a tetrahedron. */
#include "check_3d.h"

#include "check_counts.h"
#include "check_table.h"
#include "workloads/layout3.h"

/* The number of bytes in row (y, z) of the cube, from x on, that no longer hold the poison. */
static uint64_t touched_from(const td_workload *workload, const td_data *data, uint32_t x,
                             uint32_t y, uint32_t z)
{
    const size_t element = td_element_bytes(workload->element);
    const uint8_t *output = data->output;
    const uint64_t start = ((uint64_t)z * data->n + y) * data->n + x;
    return td_count_other(output + start * element, td_workload_poison(workload),
                          (data->n - x) * element);
}

static void check_slice(const td_workload *workload, const td_data *data, uint32_t z,
                        td_check_counts *counts)
{
    td_check3_fn *check = td_cpu_checks_of(workload)->check_3d;
    const bool cube = td_workload_is_untouched_outside(workload, data);
    for (uint32_t y = 0; y < (cube ? data->n : z + 1); y++) {
        const uint32_t end = y <= z ? z - y + 1 : 0;
        for (uint32_t x = 0; x < end; x++) {
            td_counts_add_verdict(counts, check(data, x, y, z), td_cell_number(x, y, z));
        }
        if (cube) {
            counts->touched_outside += touched_from(workload, data, end, y, z);
        }
    }
}

void td_cpu_check_tetrahedron(const td_workload *workload, const td_data *data, int threads,
                              td_check_counts *counts)
{
#pragma omp parallel num_threads(threads)
    {
        td_check_counts mine = {0};
#pragma omp for schedule(dynamic, 1)
        for (uint32_t z = 0; z < data->n; z++) {
            check_slice(workload, data, data->n - 1 - z, &mine);
        }
#pragma omp critical
        td_counts_add(counts, &mine);
    }
}

void td_cpu_each_of_tetrahedron(td_cell3_fn *cell, const td_data *data, int threads)
{
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1)
    for (uint32_t k = 0; k < data->n; k++) {
        const uint32_t z = data->n - 1 - k;
        for (uint32_t y = 0; y <= z; y++) {
            for (uint32_t x = 0; x <= z - y; x++) {
                cell(data, x, y, z);
            }
        }
    }
}
