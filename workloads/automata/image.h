/* image.h - the first state of an automaton out of an image given as --input. */
#ifndef TD_WORKLOADS_AUTOMATA_IMAGE_H
#define TD_WORKLOADS_AUTOMATA_IMAGE_H

#include "blur.h"

/* Members of a descriptor. */
#define TD_TAKES_IMAGE                                                                             \
    .input = "image (.npy, .png), N x N", .takes_image = true, .image_most = TD_IMAGE_MOST

/* Whether the domain has a cell. */
static inline bool td_image_has(const td_problem *problem, bool square, int64_t row, int64_t col)
{
    const int64_t n = problem->n;
    return row >= 0 && row < n && col >= 0 && col < (square ? n : row + 1);
}

/* A pixel of the image blurred `times` times on the domain. */
static inline float td_blurred_on(const td_problem *problem, bool square, uint32_t times,
                                  int64_t row, int64_t col)
{
    float sums[3], cells[3];
    if (!td_image_has(problem, square, row, col)) {
        return 0.0f;
    }
    if (times == 0) {
        return problem->image[row * (int64_t)problem->n + col];
    }
    for (int64_t r = 0; r < 3; r++) {
        for (int64_t c = 0; c < 3; c++) {
            cells[c] = td_blurred_on(problem, square, times - 1, row + r - 1, col + c - 1);
        }
        sums[r] = td_blur_three(cells[0], cells[1], cells[2]);
    }
    return td_blur_rows(sums[0], sums[1], sums[2]);
}

/* For workloads whose parameter TD_IMAGE_DOMAIN is the domain. */
enum { TD_IMAGE_DOMAIN = 2 };

static inline float td_blurred(const td_problem *problem, uint32_t times, uint32_t row,
                               uint32_t col)
{
    const bool square = problem->parameters[TD_IMAGE_DOMAIN].count != 0;
    return td_blurred_on(problem, square, times, row, col);
}

#endif
