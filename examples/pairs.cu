/*
 * pairs.cu - the sums of all pairs of numbers: a kernel of your own over a triangle, under ltm-i.
 *
 * nvcc $(pkg-config --cflags tribench) pairs.cu $(pkg-config --libs tribench) -o pairs
 */
#include <cstdio>
#include <tribench/ltm_i.h>

constexpr uint32_t N = 5000, SIDE = 16;

__managed__ float number[N], sum[size_t(N) * (N + 1) / 2];

/* The kernel: the map says which tile this block has, and each thread takes one cell of it. */
__global__ void add_pairs(td_launch launch)
{
    const td_dim3 first = launch.first;
    const td_dim3 block = {first.x + blockIdx.x, first.y + blockIdx.y, first.z + blockIdx.z};
    const td_tile tile = td_ltm_i_map(&launch, block);
    const uint32_t row = tile.y * SIDE + threadIdx.y, col = tile.x * SIDE + threadIdx.x;
    if (tile.active && row < N && col <= row) {
        sum[td_triangle(row) + col] += number[row] + number[col];
    }
}

/* Says what went wrong, and whether something did. */
static bool failed(cudaError_t error)
{
    if (error != cudaSuccess) {
        fprintf(stderr, "pairs: %s\n", cudaGetErrorString(error));
    }
    return error != cudaSuccess;
}

int main()
{
    const td_domain domain = {
        .cells = N, .tiles = td_ceil_div(N, SIDE), .tile = SIDE, .block = {SIDE, SIDE, 1}};
    td_plan plan = {};
    if (td_plan_make(&td_ltm_i, &domain, false, &plan) != TD_PLAN_MADE ||
        failed(cudaFree(nullptr))) {
        return 1; // cudaFree: is there a device at all?
    }
    for (uint32_t i = 0; i < N; i++) {
        number[i] = float(i * 7919 % N + 1);
    }
    for (size_t l = 0; l < plan.count; l++) { // ltm-i has one grid, rec several
        const td_dim3 grid = plan.launches[l].grid;
        add_pairs<<<dim3(grid.x, grid.y, grid.z), dim3(SIDE, SIDE)>>>(plan.launches[l]);
    }
    if (failed(cudaDeviceSynchronize())) {
        return 1;
    }
    unsigned wrong = 0; // cells that no thread has visited, or more than one
    for (uint32_t row = 0; row < N; row++) {
        for (uint32_t col = 0; col <= row; col++) {
            wrong += sum[td_triangle(row) + col] != number[row] + number[col];
        }
    }
    printf("%.0f pairs in %.0f blocks, %u wrong\n", double(plan.cells), double(plan.blocks), wrong);
    td_plan_free(&plan);
    return wrong != 0;
}
