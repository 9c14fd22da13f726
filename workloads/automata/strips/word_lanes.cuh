/* word_lanes.cuh - how a lane's cells become words of bits: elements of a byte or of four, or bits already. */
#ifndef TD_WORKLOADS_AUTOMATA_STRIPS_WORD_LANES_CUH
#define TD_WORKLOADS_AUTOMATA_STRIPS_WORD_LANES_CUH

#include "rows.cuh"

template <int Planes>
struct td_word_state {
    uint32_t word[Planes];
};

/* What all lanes of words have in common; Lanes is the class that derives from this one. */
template <int Planes, typename Lanes>
struct td_word_lanes {
    static constexpr int planes = Planes, halo = 1;
    typedef td_word_state<Planes> state, next;

    /* Rows loaded before they are needed. */
    __device__ static constexpr int ahead(int generations)
    {
        return generations == 1 ? Lanes::ahead_of_one : Lanes::ahead_of_more;
    }

    template <typename Strip, typename Loaded>
    __device__ static void load(const td_data &, const Strip &, const char *at, Loaded &cells)
    {
        cells = __ldg((const Loaded *)at);
    }

    template <typename Strip>
    __device__ static void beside(const Strip &, const state &now, state &left, state &right)
    {
        for (int p = 0; p < Planes; p++) {
            left.word[p] = Lanes::left(now.word[p], __shfl_up_sync(~0u, now.word[p], 1));
            right.word[p] = Lanes::right(now.word[p], __shfl_down_sync(~0u, now.word[p], 1));
        }
    }

    __device__ static void cut(next &all, int plane, uint32_t inside)
    {
        all.word[plane] &= inside;
    }

    __device__ static void store(char *at, const next &all, int strip)
    {
        *(typename Lanes::loaded *)at = Lanes::unpack(all, strip);
    }
};

__device__ inline uint32_t td_interleave(uint32_t even, uint32_t odd)
{
    return (even & 0x55555555u) | (odd & 0xaaaaaaaau);
}

/*
 * Elements of a byte or of four: 16 bytes of a row, from each of two strips at once, so that all bits of a word work.
 * Bit 2 m + s of byte k is cell 4 m + k of strip s; with four bytes per element, bit 2 m + s of the word is cell m.
 */
template <typename T, int Planes>
struct td_element_lanes : td_word_lanes<Planes, td_element_lanes<T, Planes>> {
    typedef td_word_state<Planes> state;
    static constexpr uint32_t cells = 16 / sizeof(T);
    static constexpr int strips = 2;
    /* An H200, N = 30720: of bytes 2 rows take 0.271 ms, 3 take 0.265 in more registers, 4 0.270. */
    static constexpr int ahead_of_one = sizeof(T) == 1 ? 3 : 2, ahead_of_more = 2;
    typedef td_row_of_elements<sizeof(T)> in, out;
    typedef uint4 loaded;

    __device__ static uint32_t packed(const uint4 &v)
    {
        return v.x + v.y * 4 + v.z * 16 + v.w * 64;
    }

    __device__ static state pack(const uint4 (&from)[2])
    {
        const uint32_t a = packed(from[0]), b = packed(from[1]);
        state all;
        if (Planes == 1) {
            all.word[0] = a + 2 * b;
        } else {
            all.word[0] = td_interleave(a, b << 1);
            all.word[Planes - 1] = td_interleave(a >> 1, b);
        }
        return all;
    }

    __device__ static uint4 unpack(const state &all, int strip)
    {
        const uint32_t ones = sizeof(T) == 1 ? 0x01010101u : 1u;
        if (Planes == 1) {
            const uint32_t w = all.word[0];
            return make_uint4((w >> strip) & ones, (w >> (2 + strip)) & ones,
                              (w >> (4 + strip)) & ones, (w >> (6 + strip)) & ones);
        }
        const uint32_t w = strip == 0 ? td_interleave(all.word[0], all.word[Planes - 1] << 1)
                                      : td_interleave(all.word[0] >> 1, all.word[Planes - 1]);
        const uint32_t threes = 3 * ones;
        return make_uint4(w & threes, (w >> 2) & threes, (w >> 4) & threes, (w >> 6) & threes);
    }

    /* Each cell's left and right neighbour; `before` and `behind` are the words of the lanes beside this one. */
    __device__ static uint32_t left(uint32_t word, uint32_t before)
    {
        if (sizeof(T) == 4) {
            return word << 2 | before >> 6;
        }
        return td_permute<0x2104>(word, __funnelshift_l(before, word >> 24, 2));
    }

    __device__ static uint32_t right(uint32_t word, uint32_t behind)
    {
        if (sizeof(T) == 4) {
            return word >> 2 | behind << 6;
        }
        return td_permute<0x7321>(word, __funnelshift_r(word << 24, behind, 2));
    }

    /* The first `count` cells of a strip. */
    __device__ static uint32_t mask(int32_t count, int strip)
    {
        const uint32_t v = (uint32_t)min(max(count, 0), (int32_t)cells);
        if (sizeof(T) == 4) {
            return (((1u << 2 * v) - 1) & 0x55u) << strip;
        }
        const uint32_t whole = ((1u << v / 4 * 2) - 1) * 0x01010101u & 0x55555555u;
        const uint32_t rest = ((1u << v % 4 * 8) - 1) & 0x01010101u;
        return (whole | rest << v / 4 * 2) << strip;
    }
};

template <int Words>
struct td_vector;
template <>
struct td_vector<1> {
    typedef uint32_t type;
};
template <>
struct td_vector<2> {
    typedef uint2 type;
};

/* Bits: 32 cells, one strip. */
template <int Planes>
struct td_bit_lanes : td_word_lanes<Planes, td_bit_lanes<Planes>> {
    typedef td_word_state<Planes> state;
    static constexpr uint32_t cells = 32;
    static constexpr int strips = 1;
    /* Life on an H200, N = 30720: 3 rows take 0.052 ms, 4 take 0.049, 6 0.046, and 8 have no registers left. */
    static constexpr int ahead_of_one = Planes == 1 ? 6 : 3, ahead_of_more = Planes == 1 ? 4 : 3;
    typedef td_row_of_bits<Planes> in, out;
    typedef typename td_vector<Planes>::type loaded;

    __device__ static state pack(const loaded (&from)[1])
    {
        state all;
        memcpy(&all, &from[0], sizeof all);
        return all;
    }

    __device__ static loaded unpack(const state &all, int)
    {
        loaded to;
        memcpy(&to, &all, sizeof to);
        return to;
    }

    __device__ static uint32_t left(uint32_t word, uint32_t before)
    {
        return __funnelshift_l(before, word, 1);
    }

    __device__ static uint32_t right(uint32_t word, uint32_t behind)
    {
        return __funnelshift_r(word, behind, 1);
    }

    __device__ static uint32_t mask(int32_t count, int)
    {
        const uint32_t missing = (uint32_t)max(32 - count, 0);
        return missing >= 32 ? 0u : ~0u >> missing;
    }
};

#endif
