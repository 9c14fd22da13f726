/*
 * own_unit.h - the host half of a workload given as a file. The text that is compiled includes it after that file.
 * engine/compile/ writes one TD_OWN_ line per workload and loads what it defines.
 */
#pragma once

#include "cell_fns.h"
#include "engine/core/own.h"

/* The type of td_own_unit_ID, the symbol that a compiled file defines. */
typedef struct td_own_unit {
    uint64_t shape; /* TD_OWN_SHAPE of the headers that it was compiled with */
    const td_workload *workload;
    int dimension;
    td_cpu_cells_fn *cells;
    td_cpu_checks checks;
    td_plain_loop_fn *loop; /* NULL for a sum */
} td_own_unit;

/* Differs between headers whose structs differ in size. */
#define TD_OWN_SHAPE                                                                               \
    ((((sizeof(td_workload) * 1009 + sizeof(td_data)) * 1009 + sizeof(td_launch)) * 1009 +         \
      sizeof(td_problem)) *                                                                        \
         1009 +                                                                                    \
     sizeof(td_own_unit))

/* Makes the digest of the preprocessed text depend on the compiler. */
static const char td_own_compiler[] __attribute__((unused)) = __VERSION__;

static inline void td_plain_row(const td_data *data, uint32_t row, uint32_t first, uint32_t end,
                                td_cell_fn *cell)
{
    for (uint32_t col = first; col < end; col++) {
        cell(data, row, col);
    }
}

static inline void td_plain_slice(const td_data *data, uint32_t z, uint32_t first, uint32_t end,
                                  td_cell3_fn *cell)
{
    for (uint32_t y = first; y < end; y++) {
        for (uint32_t x = 0; x <= z - y; x++) {
            cell(data, x, y, z);
        }
    }
}

/* clang-format off */
#define TD_OWN_UNIT(w, d, ...)                                                                     \
    const td_own_unit td_own_unit_##w = {.shape = TD_OWN_SHAPE, .workload = &td_##w##_workload,    \
                                         .dimension = d, .cells = cells_##w, __VA_ARGS__};

/* For a cell of the triangle, a cell of the tetrahedron, and a term of a sum. checked_by: td_ID_check, or NULL. */
#define TD_OWN_2D(w, checked_by)                                                                   \
    PLAIN_2D(w, )                                                                                  \
    static void loop_##w(const td_data *data, uint32_t row, uint32_t first, uint32_t end)          \
    {                                                                                              \
        td_plain_row(data, row, first, end, td_##w##_cell);                                        \
    }                                                                                              \
    TD_OWN_UNIT(w, 2, .checks = {.check = checked_by}, .loop = loop_##w)
#define TD_OWN_3D(w, checked_by)                                                                   \
    PLAIN_3D(w, )                                                                                  \
    static void loop_##w(const td_data *data, uint32_t z, uint32_t first, uint32_t end)            \
    {                                                                                              \
        td_plain_slice(data, z, first, end, td_##w##_cell);                                        \
    }                                                                                              \
    TD_OWN_UNIT(w, 3, .checks = {.check_3d = checked_by}, .loop = loop_##w)
#define TD_OWN_SUM(w, checked_by)                                                                  \
    SUM_3D(w, )                                                                                    \
    TD_OWN_UNIT(w, 3, .loop = NULL)
/* clang-format on */
