/* store.cuh - how a warpgroup stores its sums: in parts of 16 KB, turned in shared memory from the order of the
 * tensor cores into rows. Parts away from the diagonal go to a square output as bulk copies, which nobody waits for. */
#ifndef TD_WORKLOADS_GRAM_STORE_CUH
#define TD_WORKLOADS_GRAM_STORE_CUH

#include <cuda_bf16.h>

#include "workloads/gram.h"
#include "workloads/hopper.cuh"

enum {
    TD_GRAM_TEAM = 128, /* threads of a warpgroup */
    TD_GRAM_SUMS = 128, /* of a thread */
    TD_GRAM_OUT_BOX =
        64 * 128 /* 64 rows of a part, 128 bytes each; a part is two of them [bytes] */
};

/* The sums of a warpgroup, 64 rows by 256 columns. Thread t of warp w has of rows 16 w + t / 4 and 8 further the
 * columns 8 j + t % 4 * 2 and the next: at 4 j and 4 j + 2. */
typedef float td_gram_sums[TD_GRAM_SUMS];
typedef uint8_t td_gram_part[2 * TD_GRAM_OUT_BOX];

/* Named barriers: one for each warpgroup by itself. */
__device__ inline void td_gram_team_sync(uint32_t team)
{
    asm volatile("bar.sync %0, %1;" ::"r"(1 + team), "n"((int)TD_GRAM_TEAM) : "memory");
}

/* A part: 64 rows of 256 bytes, or of mirrored bf16, 128 of 128. Element: uint16_t stands for bf16. Its boxes lie side
 * by side, or one below the other. */
template <typename Element, bool Mirrored>
struct td_gram_shape {
    static constexpr bool is_tall = Mirrored && sizeof(Element) == 2;
    static constexpr uint32_t rows = is_tall ? 128 : 64;
    static constexpr uint32_t box_cols = 128 / sizeof(Element),
                              cols = is_tall ? box_cols : 2 * box_cols;

    /* Where 16 bytes lie, as bulk copies take them: swizzled, so that eight rows fill all banks. */
    __device__ static uint32_t unit(uint32_t row, uint32_t number)
    {
        const uint32_t box = row / 64 + number / 8;
        return box * TD_GRAM_OUT_BOX + row % 64 * 128 + ((number % 8 ^ row % 8) << 4);
    }

    __device__ static uint32_t cell(uint32_t row, uint32_t col)
    {
        constexpr uint32_t per_unit = 16 / sizeof(Element);
        return unit(row, col / per_unit) + col % per_unit * (uint32_t)sizeof(Element);
    }
};

/* ---- from registers to shared memory ---- */

/* 64 rows by 128 columns: pairs of sums, four for each 16 columns. */
template <bool Mirrored>
__device__ inline void td_gram_turn(uint8_t *part, const uint32_t *pairs)
{
    typedef td_gram_shape<uint16_t, Mirrored> shape;
    const uint32_t thread = td_thread_now(), lane = thread % 32, warp = thread / 32 % 4;
#pragma unroll
    for (uint32_t j = 0; j < 8; j++) { /* four matrices of 8 x 8 */
        if (Mirrored) {
            const uint32_t row = 16 * j + lane / 16 * 8 + lane % 8;
            td_store_mirrored(part + shape::unit(row, 2 * warp + lane / 8 % 2), pairs + 4 * j);
        } else {
            td_store_matrices(part + shape::unit(16 * warp + lane % 16, 2 * j + lane / 16),
                              pairs + 4 * j);
        }
    }
}

/* 64 rows by 64 columns. */
template <bool Mirrored>
__device__ inline void td_gram_turn(uint8_t *part, const float *sums)
{
    typedef td_gram_shape<float, Mirrored> shape;
    const uint32_t thread = td_thread_now(), lane = thread % 32, warp = thread / 32 % 4;
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

/* ---- from shared memory to memory, by the threads ---- */

/* Store a whole row that starts anywhere: a warp. Of 16 bits, two words per lane: where the row starts in the middle of
 * a word, a word has the second half of one in shared memory and the first of the next. */
__device__ inline void td_gram_store_row(uint16_t *to, const uint8_t *part, uint32_t r)
{
    typedef td_gram_shape<uint16_t, false> shape;
    const uint32_t lane = td_thread_now() % 32;
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
    const uint32_t lane = td_thread_now() % 32;
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

/* Store a part: rows from y on, columns from x on. */
template <typename Element, bool Mirrored>
__device__ inline void td_gram_store(const td_data &data, const uint8_t *part, uint32_t y,
                                     uint32_t x)
{
    typedef td_gram_shape<Element, Mirrored> shape;
    const uint32_t thread = td_thread_now() % TD_GRAM_TEAM, lane = thread % 32;
    Element *const first = (Element *)data.output + x;
    if (!Mirrored && x + shape::cols <= y + 1 && y + shape::rows <= data.n) {
#pragma unroll 4
        for (uint32_t r = thread / 32; r < shape::rows; r += 4) {
            td_gram_store_row(first + td_row_start(&data, y + r), part, r);
        }
        return;
    }
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

/* ---- what a warpgroup does with its sums ---- */

/* A warpgroup's way to memory. boxes: of the output, 64 rows by 128 bytes, if its rows start at multiples of 16. */
class td_gram_way
{
    const td_data &data;
    const void *const boxes;
    uint8_t *const part;
    const uint32_t team;

  public:
    __device__ td_gram_way(const td_data &of, const void *output_boxes, uint8_t *by, uint32_t whose)
        : data(of), boxes(output_boxes), part(by), team(whose)
    {
    }

    __device__ bool mirrors() const
    {
        return data.full == 2;
    }

    /* A part from row y and column x on, which Mirrored exchanges. */
    template <typename Element, bool Mirrored, typename Numbers>
    __device__ void store(uint32_t y, uint32_t x, const Numbers *numbers) const
    {
        typedef td_gram_shape<Element, Mirrored> shape;
        const bool is_first = td_thread_now() % TD_GRAM_TEAM == 0;
        const uint32_t row = Mirrored ? x : y, col = Mirrored ? y : x;
        const bool is_whole = Mirrored ? row + shape::rows <= col : col + shape::cols <= row + 1;
        const bool is_empty = Mirrored ? col + shape::cols <= row + 1 : row + shape::rows <= col;
        if (is_empty || row >= data.n || col >= data.n) {
            return;
        }
        if (is_first) {
            td_boxes_wait();
        }
        td_gram_team_sync(team); /* what was there is stored */
        td_gram_turn<Mirrored>(part, numbers);
        if (is_whole && data.full != 0 && data.n * sizeof(Element) % 16 == 0) {
            td_boxes_are_written();
            td_gram_team_sync(team);
            if (is_first) {
                td_store_box(boxes, col, row, part);
                td_store_box(boxes, col + (shape::is_tall ? 0 : shape::box_cols),
                             row + (shape::is_tall ? 64 : 0), part + TD_GRAM_OUT_BOX);
                td_boxes_commit();
            }
        } else {
            td_gram_team_sync(team);
            td_gram_store<Element, Mirrored>(data, part, row, col);
        }
    }

    /* Before a thread ends: its bulk copies still read shared memory. */
    __device__ void end() const
    {
        td_boxes_wait();
    }
};

/* What becomes of sums. As bf16 they stay in registers, until the tensor cores have work for the next square. */
template <typename Element>
class td_gram_output
{
    const td_gram_way way;
    const uint32_t parts; /* two of 64 rows by 128 columns, and the same mirrored */
    uint32_t y = 0, x = 0, next;
    uint32_t pairs[TD_GRAM_SUMS / 2];

  public:
    __device__ explicit td_gram_output(const td_gram_way &by)
        : way(by), parts(by.mirrors() ? 4 : 2), next(parts)
    {
    }

    __device__ void take(uint32_t row, uint32_t col, const td_gram_sums &sums)
    {
        y = row;
        x = col;
        next = 0;
#pragma unroll
        for (uint32_t i = 0; i < TD_GRAM_SUMS / 2; i++) {
            const __nv_bfloat162 pair = __floats2bfloat162_rn(sums[2 * i], sums[2 * i + 1]);
            pairs[i] = *(const uint32_t *)&pair;
        }
    }

    /* Store one more part, if there is one. */
    __device__ void go_on()
    {
        if (next < parts) {
            next == 0   ? way.store<Element, false>(y, x, pairs)
            : next == 1 ? way.store<Element, false>(y, x + 128, pairs + 32)
            : next == 2 ? way.store<Element, true>(y, x, pairs)
                        : way.store<Element, true>(y, x + 128, pairs + 32);
            next++;
        }
    }

    /* Store all that is left. */
    __device__ void finish()
    {
        while (next < parts) {
            go_on();
        }
    }

    __device__ void end() const
    {
        way.end();
    }
};

template <>
class td_gram_output<float>
{
    const td_gram_way way;

  public:
    __device__ explicit td_gram_output(const td_gram_way &by) : way(by)
    {
    }

    __device__ void take(uint32_t y, uint32_t x, const td_gram_sums &sums) const
    {
#pragma unroll
        for (uint32_t part = 0; part < 4; part++) {
            way.store<float, false>(y, x + 64 * part, sums + 32 * part);
            if (way.mirrors()) {
                way.store<float, true>(y, x + 64 * part, sums + 32 * part);
            }
        }
    }

    __device__ void go_on() const
    {
    }
    __device__ void finish() const
    {
    }
    __device__ void end() const
    {
        way.end();
    }
};

#endif
