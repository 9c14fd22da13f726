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

/* A difference, sum or product of two float32, computed in double and rounded as a GPU rounds it: the rounding in
 * double never shows. */
TD_FN double td_as_float(double exact)
{
    return (double)(float)exact;
}

/* How far two spheres are from touching: above 0 where they touch, below 0 where they do not. Within `doubt` of 0, only
 * rounding step by step can tell. */
typedef struct td_margin {
    float value, doubt;
} td_margin;

TD_FN bool td_is_sure(td_margin margin)
{
    return fabsf(margin.value) > margin.doubt;
}

/* Each way of rounding changes either side by less than 8 x 2^-24 of it, and a square that is too small for float32 by
 * at most 2^-150. */
TD_FN td_margin td_margin_of(td_sphere a, td_sphere b)
{
    const float x = b.x - a.x, y = b.y - a.y, z = b.z - a.z, r = a.r + b.r;
    const float squares = x * x + y * y + z * z, reach = r * r;
    td_margin margin;
    margin.value = reach - squares;
    margin.doubt = 0x1p-20f * (reach + squares) + 0x1p-146f;
    return margin;
}

/* td_spheres_meet - whether two spheres touch, for the check: it shares no code with td_spheres_touch. */
TD_FN bool td_spheres_meet(td_sphere a, td_sphere b)
{
    const td_margin margin = td_margin_of(a, b);
    if (td_is_sure(margin)) {
        return margin.value > 0.0f;
    }
    const double sides[] = {(double)b.x - (double)a.x, (double)b.y - (double)a.y,
                            (double)b.z - (double)a.z};
    double rounded = 0.0;
    for (int k = 0; k < 3; k++) {
        const double side = td_as_float(sides[k]);
        rounded = td_as_float(rounded + td_as_float(side * side));
    }
    const double reach = td_as_float((double)a.r + (double)b.r);
    return rounded <= td_as_float(reach * reach);
}

TD_FN uint32_t td_collision_found(const td_data *data, uint32_t row, uint32_t col)
{
    const uint64_t place = (uint64_t)row * (row - 1) / 2 + col;
    return ((const uint8_t *)data->output)[place];
}

TD_FN td_verdict td_collision_check(const td_data *data, uint32_t row, uint32_t col)
{
    const td_sphere *spheres = (const td_sphere *)data->input;
    const uint32_t expected = td_spheres_meet(spheres[row], spheres[col]);
    const uint32_t found = td_collision_found(data, row, col);
    td_verdict verdict;
    verdict.ok = found == expected;
    verdict.error = found == expected ? 0.0 : 1.0;
    verdict.found = found == 1;
    return verdict;
}

#ifdef __cplusplus
/* A pair whose answer is beyond doubt, as td_quick_check has it. */
TD_FN td_verdict td_collision_quick(const td_data *data, uint32_t row, uint32_t col)
{
    const td_sphere *spheres = (const td_sphere *)data->input;
    const td_margin margin = td_margin_of(spheres[row], spheres[col]);
    const uint32_t found = td_collision_found(data, row, col);
    const uint32_t expected = margin.value > 0.0f;
    return {td_is_sure(margin) && found == expected, 0.0, found};
}
template <>
inline constexpr td_check_fn *td_quick_check<td_collision_check> = td_collision_quick;
#endif

#ifdef __CUDACC__
/*
 * A sphere in steps of 1/255: its centre as bytes, and how far it reaches in the sum of the three differences of
 * centres. Spheres are apart if that sum is at least both reaches and 3.
 *
 * Exact   for all floats. A coordinate outside of 0..1 moves to 0 or 1, which brings no two of them further apart; then
 *         each is rounded, after which two of them differ by at most 1 more. So the sum of the true differences is at
 *         least both reaches, and the distance is at least 1/sqrt(3) of the sum. As 255 sqrt(3) is 441.7, it exceeds
 *         the sum of the radii by 0.1 % and by 10^-5, far more than rounding in td_spheres_touch could hide.
 */
struct td_sphere_in_bytes {
    uint32_t centre;
    int32_t reach;

    /* The integer nearest to v + 2^23, as a float's bits: for v from 0 to 2^22, these are those of 2^23, plus v. */
    __device__ static uint32_t nearest(float v, float scale)
    {
        return __float_as_uint(fmaf(v, scale, 0x1p23f));
    }

    __device__ static td_sphere_in_bytes of(const td_sphere &s)
    {
        const uint32_t x = nearest(__saturatef(s.x), 255.0f), y = nearest(__saturatef(s.y), 255.0f);
        const uint32_t z = nearest(__saturatef(s.z), 255.0f);
        /* rounded up, as the nearest integer is at most 0.5 less; no two bytes differ by 2^20, nor is NaN less */
        const uint32_t r = nearest(fminf(fmaf(fabsf(s.r), 442.2f, 0.51f), 0x1p20f), 1.0f);
        /* the fourth byte is the same for all spheres */
        return {td_permute<0x7410>(td_permute<0x0040>(x, y), z),
                (int32_t)(r - nearest(0.0f, 1.0f))};
    }
};

/* Bit i is set if byte i is not 0. */
__device__ inline uint32_t td_bytes_set(uint32_t bytes)
{
    const uint32_t set = ((bytes & 0x7f7f7f7fu) + 0x7f7f7f7fu) | bytes;
    return (set >> 7 & 0x01010101u) * 0x10204080u >> 28;
}

template <>
struct td_chunk_check<td_collision_check> : td_chunk_facts {
    static constexpr uint32_t cells = 32, rows = 3, blocks = 2, grid_blocks = 14;
    static constexpr bool by_cell = true;
    uint32_t centres[32];
    int32_t reach = 0; /* the longest of the warp's */
    struct seen {
        td_sphere here;
        td_chunk_bytes<false> bytes;
    };
    struct taken {
        td_sphere_in_bytes here;
        uint32_t set; /* bit i, if cell i is not 0 */
    };

    /* Eight lanes have the 256 columns of a row, and the lanes of four rows share the work. */
    __device__ void begin(const td_data *data, uint32_t col)
    {
        const uint32_t lane = threadIdx.x % 32;
        uint32_t own[8];
#pragma unroll
        for (uint32_t k = 0; k < 8; k++) {
            const uint32_t at = min(col + lane / 8 * 8 + k, data->n - 1);
            const auto sphere = td_sphere_in_bytes::of(((const td_sphere *)data->input)[at]);
            own[k] = sphere.centre;
            reach = max(reach, sphere.reach);
        }
#pragma unroll
        for (uint32_t k = 0; k < 32; k++) {
            centres[k] = __shfl_sync(0xffffffffu, own[k % 8], lane % 8 + k / 8 * 8);
        }
        reach = td_warp_most(reach);
    }

    __device__ static seen read(const td_data *data, uint32_t row, uint32_t col)
    {
        const uint8_t *at = (const uint8_t *)data->output + (uint64_t)row * (row - 1) / 2 + col;
        return {((const td_sphere *)data->input)[row], td_chunk_bytes<false>::at(at)};
    }

    __device__ static taken take(const seen &of)
    {
        uint32_t words[8], set = 0;
        if (of.bytes.any()) {
            of.bytes.words(words);
#pragma unroll
            for (uint32_t k = 0; k < 8; k++) {
                set |= td_bytes_set(words[k]) << 4 * k;
            }
        }
        return {td_sphere_in_bytes::of(of.here), set};
    }

    /* Nearly all spheres are apart. */
    __device__ uint32_t doubts(const td_data *, uint32_t, uint32_t, const taken &of) const
    {
        const uint32_t less = (uint32_t)(-3 - of.here.reach - reach);
        uint32_t near = 0;
#pragma unroll
        for (uint32_t k = 32; k-- > 0;) { /* the sign of each */
            const uint32_t further = td_add_distances(of.here.centre, centres[k], less);
            near = __funnelshift_l(further, near, 1);
        }
        return near | of.set;
    }
};
#endif

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
static inline bool td_collision_unfit(const float *points, uint32_t rows, uint32_t columns,
                                      td_unfit *unfit)
{
    double box = 0.0;
    const td_extent radius = td_column_extent(points + 3, rows, columns);
    if (radius.low < 0.0f) {
        unfit->row = radius.low_row;
        unfit->why = "has a radius below 0";
        return true;
    }
    unfit->row = radius.high_row;
    for (uint32_t k = 0; k < 3; k++) {
        const td_extent extent = td_column_extent(points + k, rows, columns);
        const double side = (double)extent.high - (double)extent.low;
        box += side * side;
        unfit->row = box > TD_LARGEST_SQUARE ? extent.high_row : unfit->row;
    }
    unfit->why = "is so large, or so far from others, that the square of a distance leaves the "
                 "range of float32: distances and sums of radii up to 1.8e19 can be computed";
    return box > TD_LARGEST_SQUARE ||
           4.0 * (double)radius.high * (double)radius.high > TD_LARGEST_SQUARE;
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
        if (problem->points != NULL) {
            memcpy(sphere, problem->points + (size_t)i * 4, 4 * sizeof(float));
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

static inline uint64_t td_collision_bytes(const td_problem *problem)
{
    return td_collision_elements(problem) + td_collision_input_bytes(problem);
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
    .no_diagonal = true,
    .own_element = true,
    .input = &td_collision_input,
    .tiles = &td_collision_tiles,
    .output_elements = td_collision_elements,
    .setup = td_collision_setup,
    .bytes = td_collision_bytes,
    .flops = td_collision_flops,
};

#endif
