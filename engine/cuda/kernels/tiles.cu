/* tiles.cu - the workloads' own kernels for whole tiles, one block per tile. */
#include "whole_tiles.cuh"

const void *td_grid_tiles(uint32_t workload, uint32_t row)
{
    return td_tile_kernel_with<td_grid_of>(workload, row);
}
