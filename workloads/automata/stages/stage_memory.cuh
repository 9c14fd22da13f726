/* stage_memory.cuh - how the cells to stage lie in memory: in planes, or in pairs. */
#ifndef TD_WORKLOADS_AUTOMATA_STAGES_STAGE_MEMORY_CUH
#define TD_WORKLOADS_AUTOMATA_STAGES_STAGE_MEMORY_CUH

#include "workloads/automata/state/cells.h"

/* One element per cell and plane. Walled: the planes after the state are infinite outside of the domain. */
template <typename T, td_row_fn *Row, int Planes = 1, typename Saved = T, int Ring = 1,
          bool Walled = false>
struct td_planes {
    typedef T element;
    typedef Saved saved;
    static constexpr int planes = Planes, ring = Ring;
    const T *at[Planes];

    __device__ td_planes(const td_data &data, uint32_t row)
    {
        const uint64_t start = Row(&data, row);
        at[0] = (const T *)data.input + start;
        for (int p = 1; p < Planes; p++) {
            at[p] = (const T *)data.origin + p * data.plane + start;
        }
    }

    __device__ void load(int32_t col, T (&v)[Planes]) const
    {
        for (int p = 0; p < Planes; p++) {
            v[p] = at[p][col];
        }
    }

    __device__ static T outside(int plane)
    {
        return Walled && plane > 0 ? (T)INFINITY : (T)0;
    }

    __device__ static Saved *output(const td_data &data, uint32_t row)
    {
        return (Saved *)data.output + Row(&data, row);
    }
};

/* The two floats of a cell side by side. */
template <td_row_fn *Row>
struct td_pairs {
    typedef float element;
    typedef float saved;
    static constexpr int planes = 2, ring = 1;
    const float2 *at;

    __device__ td_pairs(const td_data &data, uint32_t row)
        : at((const float2 *)data.input + Row(&data, row))
    {
    }

    __device__ void load(int32_t col, float (&v)[2]) const
    {
        const float2 pair = at[col];
        v[0] = pair.x;
        v[1] = pair.y;
    }

    __device__ static float outside(int)
    {
        return 0.0f;
    }

    __device__ static float *output(const td_data &data, uint32_t row)
    {
        return (float *)data.output + Row(&data, row);
    }
};

__device__ inline uint32_t td_bits_of(uint32_t state)
{
    return state;
}

__device__ inline uint32_t td_bits_of(uint8_t state)
{
    return state;
}

__device__ inline uint32_t td_bits_of(float value)
{
    return __float_as_uint(value);
}

#endif
