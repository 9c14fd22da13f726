/* bounded.cuh - whole-tile kernels, each made from one function and limited to a given number of registers. */
#ifndef TD_ENGINE_CUDA_KERNELS_BOUNDED_CUH
#define TD_ENGINE_CUDA_KERNELS_BOUNDED_CUH

#include <type_traits>

#include "kernels.cuh"
#include "pick.cuh"
#include "workloads/tile_of.cuh"

/* The function that a whole-tile kernel calls; the strategy is the same for all threads of a grid. */
typedef void td_run_fn(const td_launch &launch, const td_data &data, uint32_t strategy);
typedef void td_run_kernel(const td_launch launch, const td_data data, const uint32_t strategy);

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

/* Registers: per thread; 0: as many as it takes. */
template <td_run_fn *Run, int Registers>
constexpr td_run_kernel *td_kernel_of()
{
    if constexpr (Registers == 0) {
        return td_free_kernel<Run>;
    } else {
        return td_bounded_kernel<Run, Registers>;
    }
}

/* Whether a workload has a whole-tile kernel of its own, and that kernel's registers per thread. */
template <uint32_t Workload, uint32_t Row = 0>
inline constexpr bool td_has_tile =
    !std::is_null_pointer_v<std::remove_const_t<decltype(td_tile_of<Workload, Row>)>>;
template <uint32_t Workload, uint32_t Row = 0>
inline constexpr int td_registers_of = td_workload_by_id<Workload>->tiles->registers;
#define TD_REGISTERS(w, A)                                                                         \
    template <uint32_t Row>                                                                        \
    inline constexpr int td_registers_of<TD_WORKLOAD_##w, Row> = td_##w##_variants[Row].registers;
TD_STEPS_3D(TD_REGISTERS, ) /* their descriptors exist on the host only */

#endif
