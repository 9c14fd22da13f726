/* tile_rows.h - the rows of one tile, for the cpu engine: cells are constants wherever this is inlined. */
#ifndef TD_ENGINE_CPU_KERNELS_TILE_ROWS_H
#define TD_ENGINE_CPU_KERNELS_TILE_ROWS_H

#include "strategies/map.h"
#include "workloads/layout3.h"
#include "workloads/workload.h"

#define TD_INLINE static inline __attribute__((always_inline))

/*
 * TD_CLONES stands before a function that the compiler makes for several instruction sets; the widest that the
 * processor has is chosen when the program starts. All of them compute the same bits: they differ only in the width of
 * a vector, and -ffp-contract=off forbids fused multiply-adds. What such a function calls is inlined (flatten), because
 * it would otherwise be compiled for the plain set alone. clang has only the plain set: it does not take both
 * attributes, and with clones alone clang 14 computes wrong cells. TD_SIMD stands before a loop over cells, which do
 * not depend on each other.
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

TD_INLINE uint32_t td_least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

typedef enum td_rows_of {
    TD_ROWS_OF_TRIANGLE,
    TD_ROWS_OF_SQUARE,
    TD_ROWS_OF_TETRAHEDRON
} td_rows_of;

/* Compute the cells [first, end) of row y, in 3D of layer z; there are none if first >= end. */
typedef void td_tile_row_fn(const td_data *data, uint32_t first, uint32_t end, uint32_t y,
                            uint32_t z);

/* A tile's columns, rows and layers, up to the end of the tile or, of rows in 2D and of layers, of the domain. */
typedef struct td_box {
    uint32_t x, y, z, end_x, end_y, end_z;
} td_box;

TD_INLINE td_box td_box_of(const td_launch *launch, const td_data *data, td_tile tile,
                           td_rows_of of)
{
    const uint32_t side = launch->tile;
    td_box box;
    box.x = tile.x * (of == TD_ROWS_OF_SQUARE ? launch->width : side);
    box.end_x = box.x + launch->width;
    if (of == TD_ROWS_OF_TETRAHEDRON) {
        box.y = tile.y * side;
        box.end_y = box.y + side;
        box.z = tile.z * side;
        box.end_z = td_least(box.z + side, data->n);
    } else {
        box.y = tile.y * side + tile.z * launch->rows;
        box.end_y = td_least(box.y + launch->rows, data->n);
        box.z = 0;
        box.end_z = 1;
    }
    return box;
}

/* Call `row` for the rows of a box, layer by layer, without the cells that are not in the domain. */
TD_INLINE void td_each_row(const td_data *data, const td_box *box, td_rows_of of,
                           td_tile_row_fn *row)
{
    const bool solid = of == TD_ROWS_OF_TETRAHEDRON;
    for (uint32_t z = box->z; z < box->end_z; z++) {
        const uint32_t end_y = solid ? td_least(box->end_y, z + 1) : box->end_y;
        for (uint32_t y = box->y; y < end_y; y++) {
            const uint32_t cells = of == TD_ROWS_OF_SQUARE ? data->n : solid ? z - y + 1 : y + 1;
            row(data, box->x, td_least(box->end_x, cells), y, z);
        }
    }
}

#endif
