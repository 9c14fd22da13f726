/*
 * life3_chunks.cuh - the bytes of a state of life on a tetrahedron, in chunks of 32 cells, each a word of bits here.
 *
 * A unit is a cell's place. Rows start anywhere.
 */
#ifndef TD_WORKLOADS_AUTOMATA_LIFE3_CHUNKS_CUH
#define TD_WORKLOADS_AUTOMATA_LIFE3_CHUNKS_CUH

#include "life3_bits.cuh"

/* The lowest bits of eight bytes to the uppermost eight. Nothing carries: no two of the product's bits meet. */
__device__ inline uint32_t td_life3_pack_eight(int32_t low, int32_t high)
{
    const uint32_t both = ((uint32_t)low & 0x01010101) | ((uint32_t)high << 4 & 0x10101010);
    return both * 0x01020408;
}

__device__ inline uint32_t td_life3_pack_half(int4 v)
{
    return td_permute<0x0073>(td_life3_pack_eight(v.x, v.y), td_life3_pack_eight(v.z, v.w));
}

/* The lowest four bits to a byte each. */
__device__ inline int32_t td_life3_unpack_four(uint32_t bits)
{
    return (int32_t)((bits & 15) * 0x00204081 & 0x01010101);
}

struct td_life3_chunks {
    /* The units of the first rows, which have 1, 2, 3 ... cells. */
    __device__ static uint32_t units_of_rows(uint32_t rows)
    {
        return rows * (rows + 1) / 2;
    }

    /* From a row to the next. */
    __device__ static uint32_t units_of(const td_data &data, int32_t cells)
    {
        return data.full ? data.n : (uint32_t)cells;
    }

    __device__ static uint64_t position(const td_data &data, uint32_t y, uint32_t z)
    {
        return data.full ? (uint64_t)(z * data.row_scale + y) * data.n : td_tetra_index(0, y, z);
    }

    __device__ static uint32_t get(const td_data &data, uint64_t chunk)
    {
        const int4 *const at = (const int4 *)data.input + 2 * chunk;
        const int4 low = at[0], high = at[1];
        return td_permute<0x5410>(td_life3_pack_half(low), td_life3_pack_half(high));
    }

    /* Which cells are a row's, from the one before x on: `left` from x on, and in each further row 1 less. */
    struct inside {
        uint32_t low, high, beside;

        __device__ inside(int32_t x, int32_t left)
            : low(td_lowest_bits(left + 1)), high(td_lowest_bits(left - 31)),
              beside(x > 0 ? ~0u : ~1u)
        {
        }

        /* 32 cells, and what is left and right of each. `at`: of the first one in the stage */
        __device__ void window(const uint32_t *stage, uint32_t at, int32_t row, bool exists,
                               uint32_t *left, uint32_t *here, uint32_t *right) const
        {
            const uint32_t *const words = stage + (at - 1) / 32;
            const uint32_t first = __funnelshift_r(low, high, (uint32_t)row) & beside;
            const uint32_t before = __funnelshift_r(words[0], words[1], at - 1);
            const uint32_t behind = __funnelshift_r(words[1], words[2], at - 1);
            *left = exists ? before & first : 0;
            const uint32_t last = exists ? behind & high >> row : 0;
            *here = __funnelshift_r(*left, last, 1);
            *right = __funnelshift_r(*left, last, 2);
        }
    };

    /* To what is to be written. */
    __device__ static void put(uint32_t *stage, uint32_t at, uint32_t bits)
    {
        atomicOr(&stage[at / 32], bits << at % 32);
        atomicOr(&stage[at / 32 + 1], __funnelshift_l(bits, 0, at));
    }

    /* The cells [begin, end) of a chunk. */
    __device__ static void write(const td_data &data, uint64_t chunk, uint32_t bits, int32_t begin,
                                 int32_t end)
    {
        int4 *const to = (int4 *)data.output + 2 * chunk;
        if (begin <= 0 && end >= 32) {
#pragma unroll
            for (uint32_t i = 0; i < 2; i++, bits >>= 16) {
                to[i] =
                    make_int4(td_life3_unpack_four(bits), td_life3_unpack_four(bits >> 4),
                              td_life3_unpack_four(bits >> 8), td_life3_unpack_four(bits >> 12));
            }
            return;
        }
#pragma unroll 1
        for (int32_t i = max(begin, 0); i < min(end, 32);) {
            if (i % 4 == 0 && i + 4 <= end) {
                ((int32_t *)to)[i / 4] = td_life3_unpack_four(bits >> i);
                i += 4;
            } else {
                ((uint8_t *)to)[i] = bits >> i & 1;
                i++;
            }
        }
    }
};

#endif
