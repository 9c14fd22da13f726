#include <math.h>

#include "workload.h"

bool td_halves_unfit(const float *points, uint32_t rows, uint32_t columns, td_unfit *unfit)
{
    const float most = 65504.0f;
    unfit->why = "has a number beyond 65504, the largest that f16 can hold";
    for (unfit->row = 0; unfit->row < rows; unfit->row++) {
        for (uint32_t k = 0; k < columns; k++) {
            if (fabsf(points[(size_t)unfit->row * columns + k]) > most) {
                return true;
            }
        }
    }
    return false;
}
