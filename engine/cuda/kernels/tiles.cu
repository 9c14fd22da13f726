/* tiles.cu - the workloads' own kernels for whole tiles, one block per tile. */
#include "whole_tiles.cuh"

void td_add_grid_tiles(td_kernel_tables *to)
{
    td_add_tiles<TD_TILES>(to);
}
