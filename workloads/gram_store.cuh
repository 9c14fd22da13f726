/* gram_store.cuh - how a warpgroup stores 128 x 128 sums: in parts of 16 KB, turned in shared memory from the order of
 * the tensor cores into rows. */
#ifndef TD_WORKLOADS_GRAM_STORE_CUH
#define TD_WORKLOADS_GRAM_STORE_CUH

#include "gram_tile.cuh"

/* A part: 64 rows of 256 bytes, or of mirrored bf16, 128 of 128. Element: uint16_t stands for bf16. */
template <typename Element, bool Mirrored>
struct td_gram_shape {
    static constexpr uint32_t pitch = Mirrored && sizeof(Element) == 2 ? 128 : 256; /* [bytes] */
    static constexpr uint32_t rows = TD_GRAM_PART / pitch, cols = pitch / sizeof(Element);

    /* Where 16 bytes of a row lie: swizzled, so that eight rows fill all banks. */
    __device__ static uint32_t unit(uint32_t row, uint32_t number)
    {
        return row * pitch + ((number ^ (row & 7)) << 4);
    }

    __device__ static uint32_t cell(uint32_t row, uint32_t col)
    {
        constexpr uint32_t per_unit = 16 / sizeof(Element);
        return unit(row, col / per_unit) + col % per_unit * (uint32_t)sizeof(Element);
    }
};

/* ---- from registers to shared memory ---- */

/* As bf16: 64 rows by 128 columns. */
template <bool Mirrored>
__device__ inline void td_gram_turn(const float *sums, uint8_t *part, const uint16_t *)
{
    typedef td_gram_shape<uint16_t, Mirrored> shape;
    const uint32_t lane = threadIdx.x % 32, warp = threadIdx.x / 32 % 4;
#pragma unroll
    for (uint32_t j = 0; j < 8; j++) { /* 16 x 16: four matrices of 8 x 8 */
        uint32_t m[4];
#pragma unroll
        for (uint32_t q = 0; q < 4; q++) {
            const __nv_bfloat162 pair =
                __floats2bfloat162_rn(sums[8 * j + 2 * q], sums[8 * j + 2 * q + 1]);
            m[q] = *(const uint32_t *)&pair;
        }
        if (Mirrored) {
            const uint32_t row = 16 * j + lane / 16 * 8 + lane % 8;
            td_store_mirrored(part + shape::unit(row, 2 * warp + lane / 8 % 2), m);
        } else {
            td_store_matrices(part + shape::unit(16 * warp + lane % 16, 2 * j + lane / 16), m);
        }
    }
}

/* As they are: 64 rows by 64 columns. */
template <bool Mirrored>
__device__ inline void td_gram_turn(const float *sums, uint8_t *part, const float *)
{
    typedef td_gram_shape<float, Mirrored> shape;
    const uint32_t lane = threadIdx.x % 32, warp = threadIdx.x / 32 % 4;
#pragma unroll
    for (uint32_t i = 0; i < 32; i += 2) {
        const uint32_t row = 16 * warp + lane / 4 + i % 4 / 2 * 8, col = i / 4 * 8 + lane % 4 * 2;
        if (Mirrored) {
            *(float *)(part + shape::cell(col, row)) = sums[i];
            *(float *)(part + shape::cell(col + 1, row)) = sums[i + 1];
        } else {
            *(float2 *)(part + shape::cell(row, col)) = make_float2(sums[i], sums[i + 1]);
        }
    }
}

/* ---- from shared memory to memory ---- */

/* Store a whole row that starts anywhere: a warp. Of 16 bits, two words per lane: where the row starts in the middle of
 * a word, a word has the second half of one in shared memory and the first of the next. */
__device__ inline void td_gram_store_row(uint16_t *to, const uint8_t *part, uint32_t r)
{
    typedef td_gram_shape<uint16_t, false> shape;
    const uint32_t lane = threadIdx.x % 32;
    const uint32_t low = *(const uint32_t *)(part + shape::cell(r, 2 * lane));
    const uint32_t high = *(const uint32_t *)(part + shape::cell(r, 2 * lane + 64));
    const uint32_t before_low = __shfl_up_sync(~0u, low, 1);
    const uint32_t before_high = __shfl_sync(~0u, lane == 31 ? low : high, lane + 31);
    const bool is_odd = (uintptr_t)to % 4 != 0;
    uint32_t *const words = (uint32_t *)(to - is_odd) + lane;
    if (!is_odd || lane > 0) {
        __stcs(words, is_odd ? __funnelshift_l(before_low, low, 16) : low);
    } else {
        to[0] = (uint16_t)low;
    }
    __stcs(words + 32, is_odd ? __funnelshift_l(before_high, high, 16) : high);
    if (is_odd && lane == 31) {
        to[127] = (uint16_t)(high >> 16);
    }
}
__device__ inline void td_gram_store_row(float *to, const uint8_t *part, uint32_t r)
{
    typedef td_gram_shape<float, false> shape;
    const uint32_t lane = threadIdx.x % 32;
    __stcs(to + lane, *(const float *)(part + shape::cell(r, lane)));
    __stcs(to + lane + 32, *(const float *)(part + shape::cell(r, lane + 32)));
}

/* The columns of a part that belong to the result in a row: up to the diagonal, or mirrored, after it. */
template <typename Shape, bool Mirrored>
__device__ inline void td_gram_bounds(uint32_t n, uint32_t row, uint32_t x, uint32_t *begin,
                                      uint32_t *end)
{
    const uint32_t here = row < x ? 0 : min(row - x + 1, Shape::cols);
    *begin = Mirrored ? here : 0;
    *end = row >= n ? 0 : !Mirrored ? here : x < n ? min(n - x, Shape::cols) : 0;
}

/* Store a part: rows from y on, columns from x on. A thread waits for the instruction before, so that short ways for
 * whole rows are worth their code. What is stored is not read again: A may stay in the L2 cache in its place. */
template <typename Element, bool Mirrored>
__device__ inline void td_gram_store_part(const td_data &data, const uint8_t *part, uint32_t y,
                                          uint32_t x)
{
    typedef td_gram_shape<Element, Mirrored> shape;
    constexpr uint32_t units = shape::pitch / 16, at_once = TD_GRAM_TEAM / units;
    const uint32_t thread = threadIdx.x % TD_GRAM_TEAM, lane = thread % 32, unit = thread % units;
    Element *const first = (Element *)data.output + x;
    const bool is_whole = Mirrored ? y + shape::rows <= x && x + shape::cols <= data.n
                                   : x + shape::cols <= y + 1 && y + shape::rows <= data.n;
    if (is_whole && data.full != 0 && data.n * sizeof(Element) % 16 == 0) {
        uint8_t *to = (uint8_t *)(first + td_row_start(&data, y + thread / units)) + 16 * unit;
#pragma unroll
        for (uint32_t r = thread / units; r < shape::rows; r += at_once) {
            __stcs((uint4 *)to, *(const uint4 *)(part + shape::unit(r, unit)));
            to += at_once * data.n * sizeof(Element);
        }
    } else if (is_whole && !Mirrored) {
#pragma unroll 4
        for (uint32_t r = thread / 32; r < shape::rows; r += 4) {
            td_gram_store_row(first + td_row_start(&data, y + r), part, r);
        }
    } else {
#pragma unroll 4
        for (uint32_t r = thread / 32; r < shape::rows; r += 4) {
            uint32_t begin, end;
            Element *const to = first + td_row_start(&data, y + r);
            td_gram_bounds<shape, Mirrored>(data.n, y + r, x, &begin, &end);
#pragma unroll
            for (uint32_t c = lane; c < shape::cols; c += 32) {
                if (begin <= c && c < end) {
                    to[c] = *(const Element *)(part + shape::cell(r, c));
                }
            }
        }
    }
}

/* Turn and store part `i` of the sums, or mirror it. */
template <typename Element, bool Mirrored>
__device__ inline void td_gram_put(const td_data &data, const td_gram_run &run,
                                   const td_gram_sums_of_team &sums, uint32_t i, uint8_t *part,
                                   uint32_t team)
{
    constexpr uint32_t COLS = td_gram_shape<Element, false>::cols, PARTS = TD_GRAM_ROWS / COLS;
    const uint32_t y = run.y + 64 * (i / PARTS), x = run.x + i % PARTS * COLS;
    td_gram_team_sync(team); /* what was there is stored */
#pragma unroll
    for (uint32_t k = 0; k < 2 * PARTS; k++) {
        if (k == i) {
            td_gram_turn<Mirrored>(sums + 64 * (k / PARTS) + k % PARTS * (COLS / 2), part,
                                   (const Element *)0);
        }
    }
    td_gram_team_sync(team);
    td_gram_store_part<Element, Mirrored>(data, part, Mirrored ? x : y, Mirrored ? y : x);
}

template <typename Element>
__device__ inline void td_gram_store(const td_data &data, const td_gram_run &run,
                                     const td_gram_sums_of_team &sums, uint8_t *part, uint32_t team)
{
    constexpr uint32_t COUNT = sizeof(Element) * TD_GRAM_ROWS * TD_GRAM_ROWS / TD_GRAM_PART;
    if (run.y + TD_GRAM_ROWS <= run.x || run.y >= data.n) {
        return; /* above the diagonal, or below the last row */
    }
#pragma unroll 1 /* but where sums are registers: one copy of the stores is enough */
    for (uint32_t i = 0; i < COUNT; i++) {
        td_gram_put<Element, false>(data, run, sums, i, part, team);
        if (data.full == 2) {
            td_gram_put<Element, true>(data, run, sums, i, part, team);
        }
    }
}

#endif
