/* tile_registers.cuh - how many registers a thread of a kernel for whole tiles may have. */
#ifndef TD_WORKLOADS_TILE_REGISTERS_CUH
#define TD_WORKLOADS_TILE_REGISTERS_CUH

/* So few that the blocks that are to be resident are; 0: as many as it takes. Said beside td_ID_tile. */
template <auto *Tile>
inline constexpr int td_tile_registers = 0;

#define TD_TILE_REGISTERS(id, registers)                                                           \
    template <>                                                                                    \
    inline constexpr int td_tile_registers<td_##id##_tile> = registers;

#endif
