/* collision - which of N spheres touch: one byte per pair, the strictly lower triangle. */
#ifndef TD_WORKLOADS_COLLISION_H
#define TD_WORKLOADS_COLLISION_H

#include <math.h>
#include <string.h>

#include "generate.h"
#include "layout.h"
#include "points.h"

/* A sphere, in the order of the input's columns; aligned to 16 bytes, so that a GPU reads it in one load. */
typedef struct __attribute__((aligned(16))) td_sphere {
    float x, y, z, r;
} td_sphere;

/*
 * td_spheres_touch - |c_a - c_b|^2 <= (r_a + r_b)^2 in float32.
 *
 * Exact   the same on every engine; on generated spheres also the same as in real numbers
 */
TD_FN bool td_spheres_touch(const td_sphere *a, const td_sphere *b)
{
    const float x = a->x - b->x;
    const float y = a->y - b->y;
    const float z = a->z - b->z;
    const float reach = a->r + b->r;
    return td_product(x, x) + td_product(y, y) + td_product(z, z) <= td_product(reach, reach);
}

/* td_collision_cell - whether sphere `row` touches sphere `col`; the diagonal has no work. */
TD_FN void td_collision_cell(const td_data *data, uint32_t row, uint32_t col)
{
    const td_sphere *spheres = (const td_sphere *)data->input;
    const td_sphere a = spheres[row], b = spheres[col];
    if (col < row) {
        td_store_byte((uint8_t *)data->output + td_row_start(data, row) + col,
                      td_spheres_touch(&a, &b));
    }
}

/* td_spheres_meet - whether two spheres touch, for the check: it shares no code with td_spheres_touch. */
TD_FN bool td_spheres_meet(td_sphere a, td_sphere b)
{
    const float sides[] = {b.x - a.x, b.y - a.y, b.z - a.z}, reach = b.r + a.r;
    float square = 0.0f;
    for (int k = 0; k < 3; k++) {
        square += td_product(sides[k], sides[k]);
    }
    return td_product(reach, reach) >= square;
}

TD_FN td_verdict td_collision_check(const td_data *data, uint32_t row, uint32_t col)
{
    const td_sphere *spheres = (const td_sphere *)data->input;
    const uint64_t place = (uint64_t)row * (row - 1) / 2 + col;
    const uint32_t found = ((const uint8_t *)data->output)[place];
    td_verdict verdict;
    verdict.ok = found == (uint32_t)td_spheres_meet(spheres[row], spheres[col]);
    verdict.error = verdict.ok ? 0.0 : 1.0;
    verdict.found = found == 1;
    return verdict;
}

/*
 * The radius with which a sphere touches about 8 others: centres are uniform, so (N - 1) 4/3 pi (2r)^3 of them are
 * expected within 2r, fewer near the walls of the cube. A multiple of 2^-10, and at least 2^-10.
 */
static inline float td_collision_radius(uint32_t n)
{
    const double volume = 8.0 / (n > 1 ? n - 1 : 1) * 3.0 / (4.0 * 3.14159265358979323846);
    const double r = 0.5 * cbrt(volume);
    const double steps = floor(r * 1024.0 + 0.5);
    return (float)(steps < 1.0 ? 1.0 : steps > 512.0 ? 512.0 : steps) * (1.0f / 1024.0f);
}

/* Rejects a radius below 0, and spheres so far apart or so large that a square overflows float32: infinity would touch
 * infinity. */
static inline bool td_collision_unfit(const td_problem *problem, const float *points, uint32_t rows,
                                      uint32_t columns, td_unfit *unfit)
{
    (void)problem;
    const td_extent radius = td_column_extent(points + 3, rows, columns);
    if (td_are_far_apart(points, rows, columns, 3, unfit)) {
        return true;
    }
    unfit->row = radius.low < 0.0f ? radius.low_row : radius.high_row;
    unfit->why =
        radius.low < 0.0f
            ? "has a radius below 0"
            : "is so large that the square of a sum of radii leaves the range of float32: sums "
              "up to 1.8e19 can be computed";
    return radius.low < 0.0f || 4.0 * (double)radius.high * (double)radius.high > TD_LARGEST_SQUARE;
}

static inline void td_collision_fill(const td_problem *problem, void *input)
{
    float *sphere = (float *)input;
    const float radius = td_collision_radius(problem->n);
    for (uint32_t i = 0; i < problem->n; i++, sphere += 4) {
        for (uint32_t k = 0; k < 3; k++) {
            sphere[k] = td_random_float(problem->seed, k, i);
        }
        sphere[3] = radius;
        if (problem->numbers != NULL) {
            memcpy(sphere, problem->numbers + (size_t)i * 4, 4 * sizeof(float));
        }
    }
}

/* Row i starts at i (i - 1) / 2. */
static inline void td_collision_setup(const td_problem *problem, td_data *data)
{
    data->n = problem->n;
    data->row_scale = 2;
    data->row_offset = (uint32_t)-2;
}

static inline uint64_t td_collision_elements(const td_problem *problem)
{
    return td_triangle(problem->n - 1);
}

static inline uint64_t td_collision_input_bytes(const td_problem *problem)
{
    return sizeof(td_sphere) * (uint64_t)problem->n;
}

static inline uint64_t td_collision_flops(const td_problem *problem)
{
    return 10 * td_collision_elements(problem);
}

TD_DESCRIPTOR td_workload_input td_collision_input = {
    .takes = "table (.csv, .npy) of N rows x, y, z, r",
    .columns = 4,
    .bytes = td_collision_input_bytes,
    .fill = td_collision_fill,
    .unfit = td_collision_unfit,
};

TD_DESCRIPTOR td_tiles td_collision_tiles = {
    .multiple = 64,
    .most = 384,
    .side = 256,
    .threads_multiple = 32,
    .threads_most = 1024,
    .small = {{2560, {.tile = {0, 64, 1}, .block = {16, 16, 1}}},
              {4608, {.tile = {0, 128, 1}, .block = {16, 16, 1}}},
              {6656, {.tile = {0, 192, 1}, .block = {32, 8, 1}}}},
    .registers = 64,
};

TD_DESCRIPTOR td_workload td_collision_workload = {
    .name = "collision",
    .summary = "which spheres touch: one byte per pair, and how many pairs do",
    .dimension = 2,
    .finding = {"pairs", TD_FINDS_COUNT},
    .element = TD_U8,
    .traits = {.no_diagonal = true, .own_element = true},
    .input = &td_collision_input,
    .tiles = &td_collision_tiles,
    .output_elements = td_collision_elements,
    .setup = td_collision_setup,
    .model = {.flops = td_collision_flops},
};

#endif
