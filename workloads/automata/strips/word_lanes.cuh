/* word_lanes.cuh - how a lane's cells become words of bits: from elements of one or four bytes, or from bits. */
#ifndef TD_WORKLOADS_AUTOMATA_STRIPS_WORD_LANES_CUH
#define TD_WORKLOADS_AUTOMATA_STRIPS_WORD_LANES_CUH

#include "strip.cuh"

/* The words of a lane, side by side, one per plane. */
template <int Planes, int Words>
struct td_word_state {
    uint32_t word[Words][Planes];
};

/* The common part of all lanes of words; Lanes is the derived class. */
template <int Planes, int Words, typename Lanes>
struct td_word_lanes {
    static constexpr int planes = Planes, words = Words, halo = 1;
    static constexpr bool walled = false;
    typedef td_word_state<Planes, Words> state, given, next;
    struct inside {
        uint32_t word[Words];
    };

    template <typename Loaded>
    __device__ static void clear(Loaded &all)
    {
        memset((void *)all, 0, sizeof all);
    }

    template <typename Strip, typename Loaded>
    __device__ static void load(const td_data &, const Strip &, const char *at, Loaded &cells)
    {
        cells = __ldg((const Loaded *)at);
    }

    template <typename Strip>
    __device__ static void beside(const Strip &, const state &now, state &left, state &right)
    {
        constexpr int last = Words - 1;
        for (int p = 0; p < Planes; p++) {
            const uint32_t before = __shfl_up_sync(~0u, now.word[last][p], 1);
            const uint32_t after = __shfl_down_sync(~0u, now.word[0][p], 1);
            for (int w = 0; w < Words; w++) {
                const uint32_t here = now.word[w][p];
                left.word[w][p] = Lanes::left(here, w == 0 ? before : now.word[w - 1][p]);
                right.word[w][p] = Lanes::right(here, w == last ? after : now.word[w + 1][p]);
            }
        }
    }

    __device__ static const next &unchanged(const state &now)
    {
        return now;
    }

    /* Clears the bits of a word that no cell uses. */
    __device__ static void keep(next &all)
    {
        if constexpr (Lanes::full != ~0u) {
            for (int w = 0; w < Words; w++) {
                for (int p = 0; p < Planes; p++) {
                    all.word[w][p] &= Lanes::full;
                }
            }
        }
    }

    /* Clears the cells outside of the domain. Plane p has as many as plane 0 has in the row that is p rows above. */
    __device__ static void cut(next &all, const inside *rows)
    {
        for (int w = 0; w < Words; w++) {
            for (int p = 0; p < Planes; p++) {
                all.word[w][p] &= rows[0].word[w] & rows[p].word[w];
            }
        }
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
 * Elements of one or four bytes: 16 bytes of a row, from each of two strips at once, so that all bits of a word work.
 * Bit 2 m + s of byte k is cell 4 m + k of strip s; with four bytes per element, bit 2 m + s of the word is cell m.
 */
template <typename T, int Planes, int Rows = 0>
struct td_element_lanes : td_word_lanes<Planes, 1, td_element_lanes<T, Planes, Rows>> {
    typedef td_word_lanes<Planes, 1, td_element_lanes> base;
    typedef td_word_state<Planes, 1> state, given;
    static constexpr uint32_t cells = 16 / sizeof(T);
    static constexpr int width = 32, strips = 2, rows = Rows;
    static constexpr uint32_t full = sizeof(T) == 4 ? 0xffu : ~0u; /* the bits that are cells */

    __device__ static constexpr int ahead(int)
    {
        return 2;
    }

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
            all.word[0][0] = a + 2 * b;
        } else {
            all.word[0][0] = td_interleave(a, b << 1);
            all.word[0][Planes - 1] = td_interleave(a >> 1, b);
        }
        return all;
    }

    __device__ static uint4 unpack(const state &all, int strip)
    {
        const uint32_t ones = sizeof(T) == 1 ? 0x01010101u : 1u;
        if (Planes == 1) {
            const uint32_t w = all.word[0][0];
            return make_uint4((w >> strip) & ones, (w >> (2 + strip)) & ones,
                              (w >> (4 + strip)) & ones, (w >> (6 + strip)) & ones);
        }
        const uint32_t up = all.word[0][0], down = all.word[0][Planes - 1];
        const uint32_t w = strip == 0 ? td_interleave(up, down << 1) : td_interleave(up >> 1, down);
        const uint32_t threes = 3 * ones;
        return make_uint4(w & threes, (w >> 2) & threes, (w >> 4) & threes, (w >> 6) & threes);
    }

    /* Each cell's left and right neighbour; `before` and `after` are the words of the lanes beside this one. */
    __device__ static uint32_t left(uint32_t word, uint32_t before)
    {
        if (sizeof(T) == 4) {
            return word << 2 | before >> 6;
        }
        return td_permute<0x2104>(word, __funnelshift_l(before, word >> 24, 2));
    }

    __device__ static uint32_t right(uint32_t word, uint32_t after)
    {
        if (sizeof(T) == 4) {
            return word >> 2 | after << 6;
        }
        return td_permute<0x7321>(word, __funnelshift_r(word << 24, after, 2));
    }

    /* Mask of the first `count` cells of a strip. */
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

    __device__ static typename base::inside first_cells(const int32_t (&counts)[2])
    {
        return {{mask(counts[0], 0) | mask(counts[1], 1)}};
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
template <>
struct td_vector<4> {
    typedef uint4 type;
};

/*
 * Bits: 32 cells per word. Ahead: rows loaded before they are needed.
 *
 * The wider, the fewer sectors are cut, and the fewer lanes are a halo. Life on an H200, N = 30720, each with its best
 * band, rows and registers, in ms per generation: four words in each of 32 lanes 0.0330, of 16 lanes 0.0367, of 8 lanes
 * 0.0360; two words in each of 32 lanes 0.0353. gol, two planes: two words 0.0645, 0.0747, 0.0784.
 */
template <int Planes, int Words, int Width, int Ahead, int Rows = 0>
struct td_bit_lanes
    : td_word_lanes<Planes, Words, td_bit_lanes<Planes, Words, Width, Ahead, Rows>> {
    typedef td_word_lanes<Planes, Words, td_bit_lanes> base;
    typedef td_word_state<Planes, Words> state, given;
    static constexpr uint32_t cells = 32 * Words;
    static constexpr int width = Width, strips = 1, rows = Rows;
    static constexpr uint32_t full = ~0u;
    typedef td_row_of_bits<Planes> in, out;
    typedef typename td_vector<Planes * Words>::type loaded;

    __device__ static constexpr int ahead(int)
    {
        return Ahead;
    }

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

    __device__ static uint32_t right(uint32_t word, uint32_t after)
    {
        return __funnelshift_r(word, after, 1);
    }

    __device__ static typename base::inside first_cells(const int32_t (&counts)[1])
    {
        typename base::inside all;
        for (int w = 0; w < Words; w++) {
            all.word[w] = td_lowest_bits(counts[0] - 32 * w);
        }
        return all;
    }
};

#endif
