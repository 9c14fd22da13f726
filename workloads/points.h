/* points.h - the range of the numbers in a user's table of points. */
#ifndef TD_WORKLOADS_POINTS_H
#define TD_WORKLOADS_POINTS_H

#include <math.h>

#include "workload.h"

/* The largest square that float32 can hold whatever rounding adds to it: a little below the largest float32. */
#define TD_LARGEST_SQUARE (0x1p128 * (1.0 - 0x1p-20))

/* The smallest and the largest number of a column, and the first row that has each. */
typedef struct td_extent {
    float low, high;
    uint32_t low_row, high_row;
} td_extent;

/* Input: first: the column's number in row 0; columns: numbers per row; rows: at least one. */
static inline td_extent td_column_extent(const float *first, uint32_t rows, uint32_t columns)
{
    td_extent extent = {first[0], first[0], 0, 0};
    for (uint32_t row = 1; row < rows; row++) {
        const float value = first[(size_t)row * columns];
        if (value < extent.low) {
            extent.low = value;
            extent.low_row = row;
        }
        if (value > extent.high) {
            extent.high = value;
            extent.high_row = row;
        }
    }
    return extent;
}

/*
 * Rejects points with a distance whose square overflows float32, which would come out infinite. No distance has a
 * larger square than the diagonal of the box around all points.
 *
 * Input   axes: the coordinates, which are the first numbers of a row
 */
static inline bool td_are_far_apart(const float *points, uint32_t rows, uint32_t columns,
                                    uint32_t axes, td_unfit *unfit)
{
    double box = 0.0;
    unfit->why = "is so far from others that the square of a distance leaves the range of float32: "
                 "distances up to 1.8e19 can be computed";
    for (uint32_t k = 0; k < axes && box <= TD_LARGEST_SQUARE; k++) {
        const td_extent extent = td_column_extent(points + k, rows, columns);
        const double side = (double)extent.high - (double)extent.low;
        box += side * side;
        unfit->row = extent.high_row;
    }
    return box > TD_LARGEST_SQUARE;
}

/* Rejects points with a number beyond `most`. */
static inline bool td_are_beyond(const float *points, uint32_t rows, uint32_t columns, float most,
                                 td_unfit *unfit)
{
    for (unfit->row = 0; unfit->row < rows; unfit->row++, points += columns) {
        for (uint32_t k = 0; k < columns; k++) {
            if (fabsf(points[k]) > most) {
                return true;
            }
        }
    }
    return false;
}

/* Rejects points that are beyond f16, or in bf16 so large that sums of products might overflow float32, whatever the
 * number of columns or rows. */
static inline bool td_are_beyond_halves(const float *points, uint32_t rows, uint32_t columns,
                                        bool is_f16, td_unfit *unfit)
{
    unfit->why = is_f16 ? "has a number beyond 65504, the largest that f16 can hold"
                        : "has a number beyond 2^40: sums of products might overflow float32";
    return td_are_beyond(points, rows, columns, is_f16 ? 65504.0f : 0x1p40f, unfit);
}

#endif
