/* cuda_check.c - launches the kernels that check a result cell by cell, bytes that must stay untouched, and maps. */
#include "cuda.h"

/* Clear the device's counts, launch, read them back. */
static td_status count_with(td_cuda_engine *cuda, const void *kernel, dim3 grid, void **arguments,
                            td_device_counts *sum, td_error *error)
{
    const dim3 block = {TD_CHECK_THREADS, 1, 1};
    TRY_CUDA(error, cudaMemsetAsync(cuda->counts, 0, sizeof *cuda->counts, cuda->stream));
    TRY_CUDA(error, cudaLaunchKernel(kernel, grid, block, arguments, 0, cuda->stream));
    TRY_CUDA(error, cudaGetLastError());
    return cuda->base.ops->download(&cuda->base, sum, cuda->counts, sizeof *sum, error);
}

/* The grid of a kernel whose blocks take TD_CHECK_ROWS rows, or one, at a time. There are more blocks than fit on the
 * SMs at once, so that all SMs end together. */
static dim3 rows_grid(const td_cuda_engine *cuda, uint64_t rows)
{
    const uint64_t most = 32 * (uint64_t)cuda->sms;
    const uint64_t all = (rows + TD_CHECK_ROWS - 1) / TD_CHECK_ROWS,
                   blocks = all < most ? all : most;
    const dim3 grid = {blocks > 0 ? (uint32_t)blocks : 1, 1, 1}; /* a part may have no rows */
    return grid;
}

static td_check_shape shape_of(td_engine *engine, const td_workload *workload, const td_data *data)
{
    const td_share share = td_engine_share(engine, data->n);
    const bool in_3d = workload->dimension == 3;
    const uint32_t after = workload->automaton != NULL && share.end_row == data->n;
    return (td_check_shape){
        .rows = in_3d ? (uint64_t)data->n * data->n : share.end_row - share.first_row + after,
        .in_3d = in_3d,
        .no_diagonal = workload->traits.no_diagonal,
        .poisoned_outside = td_workload_is_untouched_outside(workload, data),
        .poison = td_workload_poison(workload),
        .element_bytes = (uint32_t)td_element_bytes(workload->element),
        .columns = data->batch > 0                            ? data->batch
                   : td_workload_fills_square(workload, data) ? data->n
                                                              : 0,
        .first_row = share.first_row,
    };
}

static const void *kernel_of(const td_cuda_engine *cuda, const td_workload *workload, td_form form)
{
    const td_kernels *own = td_cuda_own_kernels(cuda, workload, NULL);
    const td_kernels *kernels = own != NULL ? own : td_kernels_of(workload, false);
    return kernels->of[form][0];
}

td_status td_cuda_check(td_engine *engine, const td_workload *workload, const td_data *data,
                        td_check_counts *counts, td_error *error)
{
    td_cuda_engine *cuda = td_cuda_of(engine);
    td_data copy = *data;
    td_check_shape shape = shape_of(engine, workload, data);
    void *arguments[] = {&copy, &shape, &cuda->counts};
    const void *kernel = kernel_of(cuda, workload, TD_CHECK_CELLS);
    td_device_counts sum;
    TRY(count_with(cuda, kernel, rows_grid(cuda, shape.rows), arguments, &sum, error));
    counts->checked += sum.checked;
    counts->mismatches += sum.mismatches;
    counts->touched_outside += sum.touched_outside;
    counts->found += sum.found;
    if (sum.before_wrong != 0) { /* one kernel checks all cells: there is no earlier one to keep */
        counts->first_wrong = ~sum.before_wrong + 1;
    }
    if (sum.max_abs_error > counts->max_abs_error) {
        counts->max_abs_error = sum.max_abs_error;
    }
    return TD_OK;
}

td_status td_cuda_count_other(td_engine *engine, const void *memory, uint8_t byte, uint64_t bytes,
                              uint64_t *count, td_error *error)
{
    td_cuda_engine *cuda = td_cuda_of(engine);
    uint32_t value = byte;
    void *arguments[] = {&memory, &value, &bytes, &cuda->counts};
    const dim3 grid = {(unsigned)(4 * cuda->sms), 1, 1};
    td_device_counts sum;
    TRY(count_with(cuda, td_count_other_kernel, grid, arguments, &sum, error));
    *count = sum.touched_outside;
    return TD_OK;
}

td_status td_cuda_for_each_cell(td_engine *engine, const td_workload *workload, td_cell_task task,
                                const td_data *data, td_error *error)
{
    td_cuda_engine *cuda = td_cuda_of(engine);
    static const td_form forms[] = {[TD_TASK_REFERENCE] = TD_REFERENCE_CELLS,
                                    [TD_TASK_POISON] = TD_POISON_CELLS,
                                    [TD_TASK_PLAIN] = TD_PLAIN_CELLS};
    const void *kernel = kernel_of(cuda, workload, forms[task]);
    if (kernel == NULL) {
        return td_fail(error, TD_FAILED, "%s does not advance in steps", workload->name);
    }
    td_data copy = *data;
    td_check_shape shape = shape_of(engine, workload, data);
    void *arguments[] = {&copy, &shape};
    const dim3 block = {TD_CHECK_THREADS, 1, 1};
    const dim3 grid = rows_grid(cuda, shape.rows);
    TRY_CUDA(error, cudaLaunchKernel(kernel, grid, block, arguments, 0, cuda->stream));
    return TD_CUDA(error, cudaGetLastError());
}

/* The kernel of a map, which may be from a file. */
static const void *map_kernel(const td_cuda_engine *cuda, const td_strategy *strategy, td_form form)
{
    const td_kernels *own = td_cuda_own_kernels(cuda, NULL, strategy);
    return own != NULL ? own->of[form][0] : td_map_kernel(strategy, form);
}

static dim3 grid_of_maps(const td_cuda_engine *cuda)
{
    return (dim3){(unsigned)(8 * cuda->sms), 1, 1};
}

/* Count the visits of a launch. Adds to *coverage. */
static td_status cover(td_cuda_engine *cuda, const td_strategy *strategy, const td_plan *plan,
                       size_t which, uint32_t *visits, td_coverage *coverage, td_error *error)
{
    unsigned long long *found = &cuda->counts->checked, counts[2] = {0, UINT64_MAX};
    td_launch launch = plan->launches[which];
    void *arguments[] = {&launch, &visits, &found};
    const dim3 block = {TD_CHECK_THREADS, 1, 1};
    TRY(cuda->base.ops->upload(&cuda->base, found, counts, sizeof counts, error));
    TRY_CUDA(error, cudaLaunchKernel(map_kernel(cuda, strategy, TD_COVERAGE), grid_of_maps(cuda),
                                     block, arguments, 0, cuda->stream));
    TRY(cuda->base.ops->download(&cuda->base, counts, found, sizeof counts, error));
    if (coverage->outside == 0 && counts[0] > 0) {
        coverage->outside_launch = which;
        coverage->first_outside = counts[1];
    }
    coverage->outside += counts[0];
    coverage->asked += td_asked_count(strategy->unit == TD_MAPS_THREADS, &launch);
    return TD_OK;
}

td_status td_cuda_coverage(td_engine *engine, const td_strategy *strategy, const td_plan *plan,
                           uint32_t *visits, uint64_t places, td_coverage *coverage,
                           td_error *error)
{
    td_cuda_engine *cuda = td_cuda_of(engine);
    unsigned long long *found = &cuda->counts->checked, counts[3] = {0, UINT64_MAX, UINT64_MAX};
    const dim3 block = {TD_CHECK_THREADS, 1, 1};
    *coverage = (td_coverage){0};
    TRY(td_cuda_own_load_map(cuda, strategy, error));
    TRY(engine->ops->fill(engine, visits, 0, places * sizeof *visits, error));
    for (size_t i = 0; i < plan->count; i++) {
        TRY(cover(cuda, strategy, plan, i, visits, coverage, error));
    }
    void *arguments[] = {&visits, &places, &found};
    TRY(engine->ops->upload(engine, found, counts, sizeof counts, error));
    TRY_CUDA(error, cudaLaunchKernel(td_coverage_count, grid_of_maps(cuda), block, arguments, 0,
                                     cuda->stream));
    TRY(engine->ops->download(engine, counts, found, sizeof counts, error));
    coverage->wrong = counts[0];
    coverage->first_wrong = counts[1];
    coverage->first_missing = counts[2];
    return TD_OK;
}

td_status td_cuda_ask(td_engine *engine, const td_strategy *strategy, const td_launch *launch,
                      const uint64_t *numbers, uint64_t count, td_tile *tiles, td_error *error)
{
    td_cuda_engine *cuda = td_cuda_of(engine);
    const uint64_t bytes = count * sizeof *numbers;
    void *memory = NULL;
    TRY(td_cuda_own_load_map(cuda, strategy, error));
    TRY(engine->ops->allocate(engine, bytes + count * sizeof *tiles, &memory, error));
    void *answers = (char *)memory + bytes;
    td_launch copy = *launch;
    void *arguments[] = {&copy, &memory, &count, &answers};
    const dim3 block = {TD_CHECK_THREADS, 1, 1};
    td_status status = engine->ops->upload(engine, memory, numbers, bytes, error);
    if (status == TD_OK) {
        status =
            TD_CUDA(error, cudaLaunchKernel(map_kernel(cuda, strategy, TD_ASK), grid_of_maps(cuda),
                                            block, arguments, 0, cuda->stream));
    }
    if (status == TD_OK) {
        status = engine->ops->download(engine, tiles, answers, count * sizeof *tiles, error);
    }
    engine->ops->release(engine, memory);
    return status;
}
