/* rows.cuh - how the rows of a state lie in a buffer: elements, or bits in planes. */
#ifndef TD_WORKLOADS_AUTOMATA_STRIPS_ROWS_CUH
#define TD_WORKLOADS_AUTOMATA_STRIPS_ROWS_CUH

#include "workloads/automata/state/bits.h"

/* Elements one after the other, in lines of `LineCells` cells: 128 bytes for most, 256 for elements of eight bytes.
 * Ring: width of the ring stored around the domain [cells]. */
template <uint32_t Bytes, uint32_t LineCells = Bytes == 1 ? TD_LINE_U8 : TD_LINE_U32, int Ring = 1>
struct td_row_of_elements {
    static constexpr int32_t ring = Ring;
    static constexpr uint32_t element_bytes = Bytes;
    static constexpr uint32_t line_cells = LineCells, line_bytes = LineCells * Bytes;

    __device__ static int32_t bytes(int32_t count)
    {
        return count * (int32_t)Bytes;
    }
};

template <int Planes>
struct td_row_of_bits {
    static constexpr int32_t ring = 1;
    static constexpr uint32_t element_bytes = 4;
    static constexpr uint32_t line_cells = TD_LINE_BITS / Planes, line_bytes = TD_LINE_BITS / 8;

    __device__ static int32_t bytes(int32_t count)
    {
        return count / 8 * Planes;
    }
};

#endif
