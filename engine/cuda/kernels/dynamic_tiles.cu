/* dynamic_tiles.cu - the workloads' own kernels for whole tiles, each block taking the next tile from a counter. */
#include "whole_tiles.cuh"

void td_add_dynamic_tiles(td_kernel_tables *to)
{
    td_add_tiles<TD_DYNAMIC_TILES>(to);
}
