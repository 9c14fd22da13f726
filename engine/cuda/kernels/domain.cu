/* domain.cu - workloads that are about the map: what reaches a cell, and how often. */
#include "table_2d.cuh"

TD_DOMAIN_2D(TD_KERNELS_2D, )
