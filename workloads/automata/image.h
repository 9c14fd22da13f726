/* image.h - the first state of an automaton from an image given as --input. */
#ifndef TD_WORKLOADS_AUTOMATA_IMAGE_H
#define TD_WORKLOADS_AUTOMATA_IMAGE_H

#include "workloads/automata/state/floats.h"

static const td_workload_input td_image_input = {.takes = "image (.npy), N x N",
                                                 .image_most = TD_IMAGE_MOST};

/* The place of the parameter `domain`, the same in all workloads that use this header. */
enum { TD_IMAGE_DOMAIN = 2 };

/* A pixel, 0 where the domain has no cell. */
static inline float td_pixel(const td_problem *problem, int64_t row, int64_t col)
{
    const int64_t n = problem->n;
    const int64_t end = problem->parameters[TD_IMAGE_DOMAIN].count != 0 ? n : row + 1;
    const bool has = row >= 0 && row < n && col >= 0 && col < end;
    return has ? problem->numbers[row * n + col] : 0.0f;
}

enum { TD_MOST_SMOOTHING = 8 };

/* weights[i] is the weight, after `times` blurs, of the pixel i - times away along a row: C(2 times, i) / 4^times,
 * exact. */
static inline void td_smoothing_weights(int times, double weights[2 * TD_MOST_SMOOTHING + 1])
{
    double count = 1.0, total = 1.0;
    for (int i = 0; i < times; i++) {
        total *= 4.0;
    }
    for (int i = 0; i <= 2 * times; i++) {
        weights[i] = count / total;
        count = count * (2 * times - i) / (i + 1);
    }
}

/*
 * td_smoothed - a pixel of the image after `times` blurs, all at once by their combined weights.
 *
 * Exact for an image of whole numbers up to 255: 8 bits, and 4 for each of 8 blurs, fit into a double.
 */
static inline double td_smoothed(const td_problem *problem, int times, uint32_t row, uint32_t col)
{
    double weights[2 * TD_MOST_SMOOTHING + 1], sum = 0.0;
    td_smoothing_weights(times, weights);
    for (int64_t r = -times; r <= times; r++) {
        for (int64_t c = -times; c <= times; c++) {
            sum += weights[r + times] * weights[c + times] * td_pixel(problem, row + r, col + c);
        }
    }
    return sum;
}

#endif
