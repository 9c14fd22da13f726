/* check_kernels.cu - the kernels that check, without a map: cells, automata, bytes that must stay untouched. */
#include <cub/block/block_reduce.cuh>

#include "check.cuh"
#include "pick.cuh"
#include "workloads/attention/check.cuh"
#include "workloads/gram/check.cuh"
#include "workloads/rowsum_tile.cuh"

static __global__ void count_other_kernel(const uint8_t *memory, uint32_t byte, uint64_t bytes,
                                          td_device_counts *sum)
{
    td_device_counts mine = {};
    const uint64_t stride = (uint64_t)gridDim.x * blockDim.x;
    for (uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; i < bytes; i += stride) {
        mine.touched_outside += memory[i] != byte;
    }
    td_sum_counts(sum, mine);
}

const void *const td_count_other_kernel = (const void *)count_other_kernel;

template <auto *Check, typename Outside = td_poison_outside>
__global__ void __launch_bounds__(TD_CHECK_THREADS, TD_CHECK_BLOCKS)
    td_check_kernel(const td_data data, const td_check_shape shape, td_device_counts *sum)
{
    td_run_check<Check, Outside>(data, shape, sum);
}

/* A workload's own check, and what lies beside its rows. */
template <uint32_t Id>
__global__ void __launch_bounds__(TD_CHECK_THREADS)
    td_own_check_kernel(const td_data data, const td_check_shape shape, td_device_counts *sum)
{
    typedef td_own_check<Id> check;
    const uint32_t end_row = shape.first_row + (uint32_t)shape.rows;
    td_device_counts mine = {};
    for (uint32_t first = shape.first_row + blockIdx.x * check::rows; first < end_row;
         first += gridDim.x * check::rows) {
        const uint32_t end = min(first + check::rows, end_row);
        check::run(data, first, end, [&](const td_verdict &verdict, uint32_t row, uint32_t col) {
            if (!td_is_padding(&data, row, col)) {
                td_add_fault(mine, verdict, td_cell_number(col, row, 0));
            }
        });
        for (uint32_t number = first - shape.first_row; number < end - shape.first_row; number++) {
            const td_check_row row(data, shape, number);
            const td_elements outside = td_poison_outside::of(data, row);
            for (uint32_t x = threadIdx.x; x < row.end; x += TD_CHECK_THREADS) {
                mine.checked += !td_is_padding(&data, row.y, x);
            }
            for (uint64_t at = outside.begin + threadIdx.x; at < outside.end;
                 at += TD_CHECK_THREADS) {
                mine.touched_outside += td_poison_outside::touched(data, shape, at);
            }
        }
    }
    td_sum_counts(sum, mine);
}

template <auto *Cell>
__global__ void td_task_kernel(const td_data data, const td_check_shape shape)
{
    td_run_task<Cell>(data, shape);
}

/* An automaton's cells outside of the domain must stay dead. */
template <typename Automaton, typename Technique, typename Width>
struct td_dead_outside {
    __device__ static td_elements of(const td_data &data, const td_check_row &row)
    {
        constexpr td_cells cells = td_facts_of<Automaton>::cells;
        constexpr td_storage storage = td_techniques[Technique::value].storage;
        return td_outside_before(&data, row.y, &cells, storage, Width::value);
    }

    __device__ static uint32_t touched(const td_data &data, const td_check_shape &, uint64_t at)
    {
        constexpr td_cells cells = td_facts_of<Automaton>::cells;
        return td_stored_state(data.output, at, &cells, Width::value) != 0;
    }
};

template <typename Row>
void td_add_checks_of_row(td_kernels *to)
{
    typedef typename Row::automaton automaton;
    typedef typename Row::technique technique;
    typedef typename Row::width width;
    to->of[TD_CHECK_CELLS][0] =
        (const void *)td_check_kernel<td_check_of<automaton, technique, width>,
                                      td_dead_outside<automaton, technique, width>>;
    to->of[TD_REFERENCE_CELLS][0] =
        (const void *)td_task_kernel<td_facts_of<automaton>::cells.reference>;
    to->of[TD_POISON_CELLS][0] =
        (const void *)td_task_kernel<td_paint_of<automaton, technique, width>>;
}

/* Of a workload that is no automaton of the plane: the same for all rows of its table. */
template <uint32_t Id>
void td_add_checks_with(td_kernels *to)
{
    if constexpr (td_own_check<Id>::exists) {
        to->of[TD_CHECK_CELLS][0] = (const void *)td_own_check_kernel<Id>;
    } else if constexpr (td_check_by_id<Id> != nullptr) {
        to->of[TD_CHECK_CELLS][0] = (const void *)td_check_kernel<td_check_by_id<Id>>;
    }
    if constexpr (td_reference_by_id<Id> != nullptr) {
        to->of[TD_REFERENCE_CELLS][0] = (const void *)td_task_kernel<td_reference_by_id<Id>>;
        to->of[TD_POISON_CELLS][0] = (const void *)td_task_kernel<td_paint_by_id<Id>>;
    }
}

void td_add_checks(td_kernel_tables *to)
{
    td_for_ids<TD_WORKLOAD_COUNT>([&]<uint32_t Id>() {
        if constexpr (td_is_automaton<Id>) {
            td_for_rows<Id>(
                [&]<typename Row>(uint32_t row) { td_add_checks_of_row<Row>(&to->rows[Id][row]); });
        } else {
            for (td_kernels &row : to->rows[Id]) {
                td_add_checks_with<Id>(&row);
            }
        }
    });
}

/* ---- the total of a sum ---- */

/*
 * The order of the sum depends only on the count. Each thread takes every 1024th element in turn, into four sums so
 * that memory can run ahead; then the sums of the block's threads are added.
 */
static __global__ void __launch_bounds__(1024) total_kernel(double *output, uint64_t count)
{
    enum { THREADS = 1024, SUMS = 4 };
    typedef cub::BlockReduce<double, THREADS, cub::BLOCK_REDUCE_RAKING> reduce;
    __shared__ reduce::TempStorage shared;
    const double *terms = output + 1;
    double part[SUMS] = {0.0, 0.0, 0.0, 0.0};
    for (uint64_t i = threadIdx.x; i < count; i += SUMS * THREADS) {
        for (int s = 0; s < SUMS; s++) {
            const uint64_t at = i + (uint64_t)s * THREADS;
            part[s] += at < count ? terms[at] : 0.0;
        }
    }
    const double sum = reduce(shared).Sum((part[0] + part[1]) + (part[2] + part[3]));
    if (threadIdx.x == 0) {
        output[0] = sum;
    }
}

const void *const td_total_kernel = (const void *)total_kernel;
