/* dynamic_tiles.cu - the workloads' own kernels for whole tiles, each block taking the next tile from a counter. */
#include "dynamic.cuh"
#include "whole_tiles.cuh"

const void *td_dynamic_tiles(uint32_t workload, uint32_t row)
{
    return td_tile_kernel_with<td_dynamic>(workload, row);
}
