/* persistent_tiles.cu - the workloads' own kernels for whole tiles, each block looping over tiles. */
#include "whole_tiles.cuh"

void td_add_persistent_tiles(td_kernel_tables *to)
{
    td_add_tiles<TD_PERSISTENT_TILES>(to);
}
