#include "loops.h"

#include <stddef.h>

enum { LONGEST_ROW = 1 << 16 };

static const uint8_t no_row[LONGEST_ROW];

static size_t row_start(size_t y, size_t z)
{
    return z * (z + 1) * (z + 2) / 6 + y * (z + 1) - y * (y - 1) / 2;
}

static uint8_t next(uint8_t alive, uint8_t neighbours)
{
    return (neighbours == 5) | (alive & (neighbours == 4));
}

static void one_row(int n, int y, int z, const uint8_t *input, uint8_t *out)
{
    const uint8_t *rows[9];
    int cells[9];
    for (int r = 0; r < 9; r++) {
        const int j = y + r % 3 - 1, k = z + r / 3 - 1;
        const int exists = j >= 0 && j <= k && k < n;
        rows[r] = exists ? input + row_start((size_t)j, (size_t)k) : no_row;
        cells[r] = exists ? k - j + 1 : 0;
    }
    const int end =
        z - y - 2; /* cells [1, end) have neighbours on both sides in each row that exists */
#pragma omp simd
    for (int x = 1; x < end; x++) {
        uint8_t sum = 0;
        for (int r = 0; r < 9; r++) {
            sum += (uint8_t)(rows[r][x - 1] + rows[r][x] + rows[r][x + 1]);
        }
        out[x] = next(rows[4][x], (uint8_t)(sum - rows[4][x]));
    }
    for (int x = 0; x < cells[4]; x = x == 0 && end > 1 ? end : x + 1) {
        int sum = 0;
        for (int r = 0; r < 9; r++) {
            for (int i = x - 1; i <= x + 1; i++) {
                sum += i >= 0 && i < cells[r] ? rows[r][i] : 0;
            }
        }
        out[x] = next(rows[4][x], (uint8_t)(sum - rows[4][x]));
    }
}

void life3_loop(int n, int threads, const uint8_t *input, uint8_t *output)
{
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1)
    for (int z = 0; z < n; z++) {
        for (int y = 0; y <= z; y++) {
            one_row(n, y, z, input, output + row_start((size_t)y, (size_t)z));
        }
    }
}
