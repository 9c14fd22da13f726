/*
 * pairs.c - the sums of all pairs of numbers: the blocks of a triangle, dealt out to the host's cores by ltm-i.
 *
 * cc -std=c11 -O2 -fopenmp $(pkg-config --cflags tribench) pairs.c $(pkg-config --libs tribench) -o pairs
 */
#include <stdio.h>
#include <tribench/ltm_i.h>

enum { N = 5000, SIDE = 64 };

static float number[N], sum[(size_t)N * (N + 1) / 2];

/* The kernel: the map says which tile this block has; its cells up to the diagonal are the work. */
static void add_pairs(const td_launch *launch, td_dim3 block)
{
    const td_tile tile = td_ltm_i_map(launch, block);
    for (uint32_t row = tile.y * SIDE; tile.active && row < (tile.y + 1) * SIDE && row < N; row++) {
        for (uint32_t col = tile.x * SIDE; col < (tile.x + 1) * SIDE && col <= row; col++) {
            sum[td_triangle(row) + col] += number[row] + number[col];
        }
    }
}

int main(void)
{
    const td_domain domain = {
        .cells = N, .tiles = td_ceil_div(N, SIDE), .tile = SIDE, .block = {SIDE, 1, 1}};
    td_plan plan = {0};
    for (uint32_t i = 0; i < N; i++) {
        number[i] = (float)(i * 7919 % N + 1);
    }
    if (td_plan_make(&td_ltm_i, &domain, false, &plan) != TD_PLAN_MADE) {
        return 1;
    }
    for (size_t l = 0; l < plan.count; l++) { /* ltm-i has one grid, rec several */
        const td_launch launch = plan.launches[l];
        const td_dim3 grid = launch.grid, first = launch.first;
#pragma omp parallel for schedule(static)
        for (uint32_t b = 0; b < grid.x * grid.y * grid.z; b++) {
            const td_dim3 block = {first.x + b % grid.x, first.y + b / grid.x % grid.y,
                                   first.z + b / grid.x / grid.y};
            add_pairs(&launch, block);
        }
    }
    unsigned wrong = 0; /* cells that were visited twice, or never */
    for (uint32_t row = 0; row < N; row++) {
        for (uint32_t col = 0; col <= row; col++) {
            wrong += sum[td_triangle(row) + col] != number[row] + number[col];
        }
    }
    printf("%.0f pairs in %.0f blocks, %u wrong\n", (double)plan.cells, (double)plan.blocks, wrong);
    td_plan_free(&plan);
    return wrong != 0;
}
