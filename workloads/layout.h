/* layout.h - where the cells of a domain lie in memory, shared by the workloads that have an output a cell. */
#ifndef TD_WORKLOADS_LAYOUT_H
#define TD_WORKLOADS_LAYOUT_H

#include "workload.h"

/* Rows of the lower triangle one after the other, or of the whole square. */
static inline void td_setup_triangle(const td_problem *problem, td_data *data)
{
    data->n = problem->n;
    data->full = problem->layout == TD_FULL;
    data->row_scale = data->full ? 0 : TD_PACKED_ROW_SCALE;
    data->row_offset = data->full ? 4 * problem->n : TD_PACKED_ROW_OFFSET;
}

static inline uint64_t td_triangle_elements(const td_problem *problem)
{
    return problem->layout == TD_FULL ? (uint64_t)problem->n * problem->n : td_triangle(problem->n);
}

/*
 * Where the cell of a 4-byte output lies: the fourth in td_row_start and the four bytes cancel.
 *
 * The column goes through an empty instruction, or nvcc shares its product with the size of an element
 * among all arrays
 * of a cell, which costs two additions for each and saves one multiply-add.
 */
TD_FN void *td_cell_4(const td_data *data, uint32_t row, uint32_t col)
{
    char *start =
        (char *)data->output + (uint64_t)row * (uint32_t)(row * data->row_scale + data->row_offset);
#ifdef __CUDA_ARCH__
    asm("mov.b64 %0, %0;" : "+l"(start));
    __builtin_assume(__isGlobal(start));
#endif
    return start + (uint64_t)col * 4;
}

/*
 * Write a result that nothing in the launch reads back, past L1: results kept there push out the input, which many
 * cells share. Maps whose blocks jump gain most (H200, N = 30720, edm1: rec 10 %, rb-b 8 %, ltm-i nothing).
 */
TD_FN void td_store_float(float *at, float value)
{
#ifdef __CUDA_ARCH__
    asm volatile("st.global.L1::no_allocate.f32 [%0], %1;" ::"l"(at), "f"(value) : "memory");
#else
    *at = value;
#endif
}

TD_FN void td_store_byte(uint8_t *at, uint32_t value)
{
#ifdef __CUDA_ARCH__
    asm volatile("st.global.L1::no_allocate.u8 [%0], %1;" ::"l"(at), "r"(value) : "memory");
#else
    *at = (uint8_t)value;
#endif
}

/* Read what no cell of a launch writes: the compiler may then move it ahead of stores. */
TD_FN float td_load(const float *value)
{
#ifdef __CUDA_ARCH__
    return __ldg(value);
#else
    return *value;
#endif
}

#endif
