/* kernels.h - the cpu engine's functions on cells: one for each workload, or row of an automaton's table. */
#ifndef TD_ENGINE_CPU_KERNELS_KERNELS_H
#define TD_ENGINE_CPU_KERNELS_KERNELS_H

#include "strategies/map.h"
#include "workloads/workload.h"

/* Columns, rows and, in 3D, layers. Of these cells only those exist that are in the domain. */
typedef struct td_box {
    uint32_t x, y, z, end_x, end_y, end_z;
    bool square; /* the domain is the whole square */
} td_box;

/* Compute the cells of a box. Input and output are those of `data`; they are parameters because compilers heed
 * `restrict` only there, and only if the function is not inlined. */
typedef void td_cpu_cells_fn(const td_data *data, const td_box *box, const void *restrict input,
                             void *restrict output);

/* The functions that check a workload's cells, and advance them. One of the checks is set, or none: a sum has no check
 * of cells, and an automaton in 2D has td_check. */
typedef struct td_cpu_checks {
    td_check_fn *check;
    td_check3_fn *check_3d;
    td_cell3_fn *reference_3d, *paint_3d; /* of a workload that advances in steps */
} td_cpu_checks;

/* The function of a workload. */
td_cpu_cells_fn *td_cpu_cells_of(const td_workload *workload);

/* The instruction set whose functions this processor runs, such as "avx512". */
const char *td_cpu_isa(void);

#define TD_INLINE static inline __attribute__((always_inline))

/*
 * TD_CELLS_FN defines the td_cpu_cells_fn cells_ID, which calls `cells`(data, box, ...).
 *
 * The compiler makes it for several instruction sets; the widest that the processor has is chosen when the program
 * starts. All of them compute the same bits: they differ only in the width of a vector, and -ffp-contract=off forbids
 * fused multiply-adds. What such a function calls is inlined (flatten), because it would otherwise be compiled for the
 * plain set alone. clang has only the plain set: it does not take both attributes, and with clones alone clang 14
 * computes wrong cells. TD_SIMD stands before a loop over cells, which do not depend on each other.
 */
#if defined __x86_64__ && defined __GLIBC__ && !defined __clang__ && __GNUC__ >= 12 &&             \
    !defined TD_NO_CLONES
#define TD_HAS_CLONES 1
#define TD_CLONES __attribute__((target_clones("default", "avx2", "arch=x86-64-v4"), flatten))
#else
#define TD_HAS_CLONES 0
#define TD_CLONES
#endif
#ifdef __clang__
#pragma clang diagnostic ignored "-Wpass-failed" /* no vectors of cells that count or branch */
#endif
#define TD_SIMD _Pragma("omp simd")
/* clang-format off */
#define TD_CELLS_FN(ID, cells, ...)                                                                \
    static TD_CLONES void cells_##ID(const td_data *data, const td_box *box,                       \
                                     const void *restrict input, void *restrict output)            \
    {                                                                                              \
        td_data local = *data; /* stays in registers: stores of cells cannot alias it */           \
        local.input = input;                                                                       \
        local.output = output;                                                                     \
        cells(&local, box, __VA_ARGS__);                                                           \
    }
/* clang-format on */

TD_INLINE uint32_t td_least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* Where the row of a box in 2D ends. */
TD_INLINE uint32_t td_row_end(const td_data *data, const td_box *box, uint32_t row)
{
    return td_least(box->end_x, box->square ? data->n : row + 1);
}

#endif
