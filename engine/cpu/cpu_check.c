#include "cpu_check.h"

#include "check_3d.h"
#include "check_counts.h"
#include "check_table.h"
#include "cpu.h"
#include "engine/core/error.h"
#include "workloads/automata/family/family.h"

/* What an automaton's cells are; NULL for other workloads. */
static const td_cells *cells_of(const td_workload *workload)
{
    return workload->automaton != NULL ? workload->automaton->family->cells : NULL;
}

/* Bytes right of the domain in a row of the full layout that no longer hold the poison, and an automaton's stored cells
 * before the row that are alive. */
static uint64_t touched_beside(const td_workload *workload, const td_data *data, uint32_t row,
                               uint32_t end)
{
    const size_t element = td_element_bytes(workload->element);
    const uint8_t *output = data->output;
    uint64_t touched = 0;
    if (workload->automaton != NULL) {
        const td_cells *cells = workload->automaton->family->cells;
        const td_cpu_stored stored = td_cpu_stored_of(workload);
        const td_elements outside =
            td_outside_before(data, row, cells, stored.storage, stored.width);
        for (uint64_t at = outside.begin; at < outside.end; at++) {
            touched += td_stored_state(output, at, cells, stored.width) != 0;
        }
    }
    return td_workload_is_untouched_outside(workload, data)
               ? td_count_other(output + ((uint64_t)row * data->n + end) * element,
                                td_workload_poison(workload), (data->n - end) * element)
               : touched;
}

/* The number of cells in a row. */
static uint32_t end_of(const td_workload *workload, const td_data *data, uint32_t row)
{
    if (row == data->n) { /* of an automaton: see td_outside_before */
        return 0;
    }
    if (td_workload_fills_square(workload, data)) {
        return data->n;
    }
    return workload->traits.no_diagonal ? row : row + 1;
}

td_status td_cpu_check_cells(td_engine *engine, const td_workload *workload, const td_data *data,
                             td_check_counts *counts, td_error *error)
{
    (void)error;
    if (workload->dimension == 3) {
        td_cpu_check_tetrahedron(workload, data, td_cpu_team(engine, data->n), counts);
        return TD_OK;
    }
    td_check_fn *check = td_cpu_checks_of(workload)->check;
    const td_cells *cells = cells_of(workload);
    const td_cpu_stored stored = td_cpu_stored_of(workload);
    const td_share share = td_engine_share(engine, data->n);
    const uint32_t after = workload->automaton != NULL && share.end_row == data->n;
#pragma omp parallel num_threads(td_cpu_team(engine, data->n))
    {
        td_check_counts mine = {0};
#pragma omp for schedule(dynamic, 16)
        for (uint32_t row = share.first_row; row < share.end_row + after; row++) {
            const uint32_t end = end_of(workload, data, row);
            const uint32_t last = td_share_end(&share, row, end);
            for (uint32_t col = td_share_begin(&share, row, end); col < last; col++) {
                const td_verdict verdict =
                    cells != NULL ? td_check(data, row, col, cells, stored.storage, stored.width)
                                  : check(data, row, col);
                td_counts_add_verdict(&mine, verdict, td_cell_number(col, row, 0));
            }
            mine.touched_outside += touched_beside(workload, data, row, end);
        }
#pragma omp critical
        td_counts_add(counts, &mine);
    }
    return TD_OK;
}

td_status td_cpu_count_other(td_engine *engine, const void *memory, uint8_t byte, uint64_t bytes,
                             uint64_t *count, td_error *error)
{
    (void)engine;
    (void)error;
    *count = td_count_other(memory, byte, bytes);
    return TD_OK;
}

td_status td_cpu_for_each_cell(td_engine *engine, const td_workload *workload, td_cell_task task,
                               const td_data *data, td_error *error)
{
    const td_cells *cells = cells_of(workload);
    td_cell3_fn *cell_3d = task == TD_TASK_POISON ? td_cpu_checks_of(workload)->paint_3d
                                                  : td_cpu_checks_of(workload)->reference_3d;
    if (cell_3d != NULL) {
        td_cpu_each_of_tetrahedron(cell_3d, data, td_cpu_team(engine, data->n));
        return TD_OK;
    }
    const td_cpu_stored stored = td_cpu_stored_of(workload);
    if (cells == NULL) {
        return td_fail(error, TD_FAILED, "%s does not advance in steps", workload->name);
    }
    const td_share share = td_engine_share(engine, data->n);
#pragma omp parallel for num_threads(td_cpu_team(engine, data->n)) schedule(dynamic, 16)
    for (uint32_t row = share.first_row; row < share.end_row; row++) {
        const uint32_t end = end_of(workload, data, row);
        const uint32_t last = td_share_end(&share, row, end);
        for (uint32_t col = td_share_begin(&share, row, end); col < last; col++) {
            if (task == TD_TASK_POISON) {
                td_paint(data, row, col, cells, stored.storage, stored.width);
            } else {
                cells->reference(data, row, col);
            }
        }
    }
    return TD_OK;
}
