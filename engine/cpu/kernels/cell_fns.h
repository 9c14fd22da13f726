/* cell_fns.h - makes the functions of a workload from its cell, td_ID_cell, for the flags of the including file. */
#pragma once

#include "kernels.h"
#include "tile_loop.h"
#include "tile_loop_3d.h"

/* clang-format off */
#define GROUPS(w, A)                                                                               \
    static __attribute__((noinline)) void groups_##w(                                              \
        const td_data *data, const td_group_rows *rows, const void *restrict input,                \
        void *restrict output)                                                                     \
    {                                                                                              \
        td_loop_groups(data, rows, input, output, td_##w##_cell, &td_##w##_workload);              \
    }
#define TILE(w, loop, ...)                                                                         \
    static void tile_##w(const td_launch *launch, const td_data *data, td_tile tile, bool left)    \
    {                                                                                              \
        (void)left;                                                                                \
        loop(launch, data, tile, __VA_ARGS__);                                                     \
    }
#define RUN(w)                                                                                     \
    static void run_##w(const td_data *data, uint32_t row, uint32_t col, uint32_t end)             \
    {                                                                                              \
        if (end == col + 1) { /* every run under maps that scatter */                              \
            td_##w##_cell(data, row, col);                                                         \
            return;                                                                                \
        }                                                                                          \
        const td_data local = *data;                                                               \
        td_loop_row(&local, row, col, end, td_##w##_cell, &td_##w##_workload);                     \
    }
#define PLAIN_2D(w, A)                                                                             \
    GROUPS(w, A)                                                                                   \
    TILE(w, td_loop_tile, left, td_##w##_cell, groups_##w, &td_##w##_workload)                     \
    RUN(w)                                                                                         \
    static const td_cpu_fns fns_##w[] = {{.tile = tile_##w, .run = run_##w}};
#define PLAIN_3D(w, A)                                                                             \
    TILE(w, td_loop_tile3, td_##w##_cell, td_##w##_workload.own_element)                           \
    static const td_cpu_fns fns_##w[] = {{.tile = tile_##w}};
#define SUM_3D(w, A)                                                                               \
    TILE(w, td_sum_block3, td_##w##_cell)                                                          \
    static const td_cpu_fns fns_##w[] = {{.tile = tile_##w}};
/* clang-format on */
