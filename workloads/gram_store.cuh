/* gram_store.cuh - how a warpgroup stores 128 x 128 sums: 64 rows of 256 bytes at a time, turned in shared memory from
 * the order of the tensor cores into rows. */
#ifndef TD_WORKLOADS_GRAM_STORE_CUH
#define TD_WORKLOADS_GRAM_STORE_CUH

#include "gram_tile.cuh"

/* Where 16 bytes of a row lie: swizzled, so that eight rows fill all banks. */
__device__ inline uint32_t td_gram_turned(uint32_t row, uint32_t unit)
{
    return row * 256 + ((unit ^ (row & 7)) << 4);
}

/* A cell of a row. */
template <typename Element>
__device__ inline Element td_gram_at(const uint8_t *turn, uint32_t row, uint32_t col)
{
    constexpr uint32_t PER = 16 / sizeof(Element);
    return *(const Element *)(turn + td_gram_turned(row, col / PER) + col % PER * sizeof(Element));
}

/* Put 64 rows by 256 bytes of sums there. */
__device__ inline void td_gram_turn(const float *sums, uint8_t *turn, const uint16_t *)
{
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
        td_store_matrices(turn + td_gram_turned(16 * warp + lane % 16, 2 * j + lane / 16), m);
    }
}
__device__ inline void td_gram_turn(const float *sums, uint8_t *turn, const float *)
{
    const uint32_t lane = threadIdx.x % 32, warp = threadIdx.x / 32 % 4;
#pragma unroll
    for (uint32_t j = 0; j < 8; j++) {
#pragma unroll
        for (uint32_t h = 0; h < 2; h++) {
            uint8_t *const to =
                turn + td_gram_turned(16 * warp + lane / 4 + 8 * h, 2 * j + lane % 4 / 2);
            *(float2 *)(to + 8 * (lane % 2)) =
                make_float2(sums[4 * j + 2 * h], sums[4 * j + 2 * h + 1]);
        }
    }
}

/* Store a whole row that starts anywhere: a warp. Of 16 bits, two words per lane: where the row starts in the middle of
 * a word, a word has the second half of one in shared memory and the first of the next. */
__device__ inline void td_gram_store_row(uint16_t *to, const uint8_t *turn, uint32_t r)
{
    const uint32_t lane = threadIdx.x % 32;
    const uint32_t low = td_gram_at<uint32_t>(turn, r, lane);
    const uint32_t high = td_gram_at<uint32_t>(turn, r, lane + 32);
    const uint32_t before_low = __shfl_up_sync(~0u, low, 1);
    const uint32_t before_high = __shfl_sync(~0u, lane == 31 ? low : high, lane + 31);
    const bool is_odd = (uintptr_t)to % 4 != 0;
    uint32_t *const words = (uint32_t *)(to - is_odd) + lane;
    if (!is_odd || lane > 0) {
        words[0] = is_odd ? __funnelshift_l(before_low, low, 16) : low;
    } else {
        to[0] = (uint16_t)low;
    }
    words[32] = is_odd ? __funnelshift_l(before_high, high, 16) : high;
    if (is_odd && lane == 31) {
        to[127] = (uint16_t)(high >> 16);
    }
}
__device__ inline void td_gram_store_row(float *to, const uint8_t *turn, uint32_t r)
{
    const uint32_t lane = threadIdx.x % 32;
    to[lane] = td_gram_at<float>(turn, r, lane);
    to[lane + 32] = td_gram_at<float>(turn, r, lane + 32);
}

/* Store what a warpgroup has in shared memory: rows from y on, columns from x on. A thread waits for the instruction
 * before, so that short ways for whole rows are worth their code. */
template <typename Element>
__device__ inline void td_gram_store_part(const td_data &data, const uint8_t *turn, uint32_t y,
                                          uint32_t x)
{
    constexpr uint32_t COLS = 256 / sizeof(Element);
    const uint32_t thread = threadIdx.x % TD_GRAM_TEAM, lane = thread % 32, unit = thread % 16;
    Element *const first = (Element *)data.output + x;
    const bool is_whole = x + COLS <= y + 1 && y + 64 <= data.n;
    if (is_whole && data.full != 0 && data.n * sizeof(Element) % 16 == 0) {
        uint8_t *to = (uint8_t *)(first + td_row_start(&data, y + thread / 16)) + 16 * unit;
#pragma unroll
        for (uint32_t r = thread / 16; r < 64; r += 8, to += 8 * data.n * sizeof(Element)) {
            *(uint4 *)to = *(const uint4 *)(turn + td_gram_turned(r, unit));
        }
    } else if (is_whole) {
#pragma unroll 4
        for (uint32_t r = thread / 32; r < 64; r += 4) {
            td_gram_store_row(first + td_row_start(&data, y + r), turn, r);
        }
    } else {
#pragma unroll 4
        for (uint32_t r = thread / 32; r < 64; r += 4) {
            const uint32_t row = y + r, end = row < data.n && row >= x ? row - x + 1 : 0;
            Element *const to = first + td_row_start(&data, row);
#pragma unroll
            for (uint32_t c = lane; c < COLS; c += 32) {
                if (c < end) {
                    to[c] = td_gram_at<Element>(turn, r, c);
                }
            }
        }
    }
}

/* Element: uint16_t stands for bf16. */
template <typename Element>
__device__ inline void td_gram_store(const td_data &data, const td_gram_run &run,
                                     const td_gram_sums_of_team &sums, uint8_t *turn, uint32_t team)
{
    constexpr uint32_t COLS = 256 / sizeof(Element), PARTS = TD_GRAM_ROWS / COLS;
    if (run.y + TD_GRAM_ROWS <= run.x || run.y >= data.n) {
        return; /* above the diagonal, or below the last row */
    }
#pragma unroll 1 /* but where sums are registers: one copy of the stores is enough */
    for (uint32_t i = 0; i < 2 * PARTS; i++) {
        const uint32_t y = run.y + 64 * (i / PARTS), x = run.x + i % PARTS * COLS;
        td_gram_team_sync(team); /* what was there is stored */
#pragma unroll
        for (uint32_t k = 0; k < 2 * PARTS; k++) {
            if (k == i) {
                td_gram_turn(sums + 64 * (k / PARTS) + k % PARTS * (COLS / 2), turn,
                             (const Element *)0);
            }
        }
        td_gram_team_sync(team);
        td_gram_store_part<Element>(data, turn, y, x);
    }
}

#endif
