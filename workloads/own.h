/*
 * own.h - all that a workload needs in order to be one small file: `tribench --workload ./mine.h`, or a header of this
 * folder.
 *
 * A cell function, td_NAME_cell, and a descriptor, td_NAME_workload, are enough. What the descriptor leaves out has a
 * default: each cell has an element of its own, bytes and operations are unknown, input columns are generated.
 */
#ifndef TD_WORKLOADS_OWN_H
#define TD_WORKLOADS_OWN_H

#include "generate.h"
#include "half.h"
#include "layout.h"
#include "layout3.h"
#include "place.h"
#include "points.h"

/* Tables of 1 to 8 columns of float32: `.input = &td_columns[3]` takes 3. */
/* clang-format off */
TD_DESCRIPTOR td_workload_input td_columns[] = {
    {.columns = 0},
    {.takes = "table (.csv, .npy) of N rows and 1 column", .columns = 1},
    {.takes = "table (.csv, .npy) of N rows and 2 columns", .columns = 2},
    {.takes = "table (.csv, .npy) of N rows and 3 columns", .columns = 3},
    {.takes = "table (.csv, .npy) of N rows and 4 columns", .columns = 4},
    {.takes = "table (.csv, .npy) of N rows and 5 columns", .columns = 5},
    {.takes = "table (.csv, .npy) of N rows and 6 columns", .columns = 6},
    {.takes = "table (.csv, .npy) of N rows and 7 columns", .columns = 7},
    {.takes = "table (.csv, .npy) of N rows and 8 columns", .columns = 8},
};
/* clang-format on */

/* The number in row `row` of column `column` of the input. */
TD_FN float td_input(const td_data *data, uint32_t column, uint32_t row)
{
    return td_load((const float *)data->input + (size_t)column * data->n + row);
}

/* TD_FOUR_BYTES(type): index 0, if the type has 4 bytes. The host's compiler comes first, so that C++ need not ask. */
#ifdef __cplusplus
#define TD_FOUR_BYTES 0 * sizeof
#else
#define TD_FOUR_BYTES(type)                                                                        \
    (0 * sizeof(struct {                                                                           \
         _Static_assert(sizeof(type) == 4, "TD_ELEMENT is for types of 4 bytes");                  \
         type unused;                                                                              \
     }))
#endif

/* A cell's own 4-byte element, in 2D and in 3D. In 2D, an element of any size has index td_row_start(data, row) +
 * col. */
#define TD_ELEMENT(type, data, row, col) (((type *)td_cell_4(data, row, col))[TD_FOUR_BYTES(type)])
#define TD_ELEMENT_3D(type, data, x, y, z)                                                         \
    (((type *)td_cell3_4(data, x, y, z))[TD_FOUR_BYTES(type)])

/* Adds to an element that several cells add to. The descriptor must set `.traits = {.from_zero = true}`. */
#ifdef __CUDA_ARCH__
#define TD_ATOMIC_ADD(at, value) atomicAdd(at, value)
#else
#define TD_ATOMIC_ADD(at, value)                                                                   \
    do {                                                                                           \
        _Pragma("omp atomic") * (at) += (value);                                                   \
    } while (0)
#endif

#endif
