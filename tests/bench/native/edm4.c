#include "loops.h"

#include <math.h>
#include <stddef.h>

void edm4_loop(int n, int threads, const float *input, float *output)
{
#pragma omp parallel for num_threads(threads) schedule(dynamic, 16)
    for (int row = 0; row < n; row++) {
        float *out = output + (size_t)row * (size_t)(row + 1) / 2;
#pragma omp simd
        for (int col = 0; col <= row; col++) {
            float sum = 0.0f;
            for (int k = 0; k < 4; k++) {
                const float difference = input[k * n + row] - input[k * n + col];
                sum += difference * difference;
            }
            out[col] = sqrtf(sum);
        }
    }
}
