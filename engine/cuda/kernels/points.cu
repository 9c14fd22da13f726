/* points.cu - workloads on pairs of points. */
#include "table_2d.cuh"

TD_POINTS_2D(TD_KERNELS_2D, )
