/* kernel.cuh - the kernels: each calls one function, and is limited to registers per thread or not. */
#ifndef TD_ENGINE_CUDA_KERNELS_KERNEL_CUH
#define TD_ENGINE_CUDA_KERNELS_KERNEL_CUH

#include "tile_loop_3d.cuh"

/* What a kernel runs. strategy: the map, where it is chosen at run time; with --schedule dynamic also a counter. */
typedef void td_run_fn(const td_launch &launch, const td_data &data, uint32_t strategy);

template <td_run_fn *Run>
__global__ void td_free_kernel(const td_launch launch, const td_data data, const uint32_t strategy)
{
    Run(launch, data, strategy);
}

template <td_run_fn *Run, int Registers>
__global__ void __maxnreg__(Registers)
    td_bounded_kernel(const td_launch launch, const td_data data, const uint32_t strategy)
{
    Run(launch, data, strategy);
}

/* Blocks: of the largest size, per SM. */
template <td_run_fn *Run, int Blocks>
__global__ void __launch_bounds__(1024, Blocks)
    td_resident_kernel(const td_launch launch, const td_data data, const uint32_t strategy)
{
    Run(launch, data, strategy);
}

/* Registers: per thread; 0: as many as it takes. */
template <td_run_fn *Run, int Registers = 0>
const void *td_kernel_of()
{
    if constexpr (Registers == 0) {
        return (const void *)td_free_kernel<Run>;
    } else {
        return (const void *)td_bounded_kernel<Run, Registers>;
    }
}

/* For what works cell by cell on a tetrahedron. */
template <auto *Cell, td_run_fn *Run>
const void *td_kernel_3d()
{
    return (const void *)td_resident_kernel<Run, td_blocks_3d<Cell>>;
}

#endif
