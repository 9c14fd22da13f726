/* persistent_tiles.cu - the workloads' own kernels for whole tiles, each block looping over tiles. */
#include "whole_tiles.cuh"

const void *td_persistent_tiles(uint32_t workload, uint32_t row)
{
    return td_tile_kernel_with<td_persistent>(workload, row);
}
