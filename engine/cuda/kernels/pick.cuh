/*
 * pick.cuh - what the tables of kernels are made from: the functions of each workload and of each row of its table, by
 * id. For nvcc only, because NVRTC comes without <utility>.
 */
#ifndef TD_ENGINE_CUDA_KERNELS_PICK_CUH
#define TD_ENGINE_CUDA_KERNELS_PICK_CUH

#include <type_traits>
#include <utility>

#include "engine/cuda/kernel_table.h"
#include "workloads/automata/variants.cuh"
#include "workloads/workloads.h"

/* Calls f.operator()<Id>() for each Id below Count. */
template <uint32_t... Ids, typename F>
void td_for_ids_of(std::integer_sequence<uint32_t, Ids...>, F f)
{
    (f.template operator()<Ids>(), ...);
}
template <uint32_t Count, typename F>
void td_for_ids(F f)
{
    td_for_ids_of(std::make_integer_sequence<uint32_t, Count>(), f);
}

/* The functions and the descriptor of a workload. NULL: all of them for an automaton, the check of a sum, and the
 * reference and the poison of a workload without steps. Row: of the table of a workload in 3D with steps, whose cell is
 * NULL where it has only a kernel for tiles; its descriptors exist on the host only. td_registers_of: per
 * thread of its own kernel for whole tiles. */
template <uint32_t Workload, uint32_t Row = 0>
inline constexpr auto td_cell_by_id = nullptr;
template <uint32_t Workload>
inline constexpr uint32_t td_rows_3d = 1;
template <uint32_t Workload>
inline constexpr auto td_check_by_id = nullptr;
template <uint32_t Workload>
inline constexpr auto td_reference_by_id = nullptr;
template <uint32_t Workload>
inline constexpr auto td_paint_by_id = nullptr;
template <uint32_t Workload>
inline constexpr const td_workload *td_workload_by_id = nullptr;
template <uint32_t Workload, uint32_t Row = 0>
inline constexpr int td_registers_of = td_workload_by_id<Workload>->tiles->registers;
#define TD_SUM_TERM(w, A)                                                                          \
    template <>                                                                                    \
    inline constexpr auto td_cell_by_id<TD_WORKLOAD_##w> = td_##w##_cell;                          \
    template <>                                                                                    \
    inline constexpr const td_workload *td_workload_by_id<TD_WORKLOAD_##w> = &td_##w##_workload;
#define TD_PLAIN_CELL(w, A)                                                                        \
    TD_SUM_TERM(w, A)                                                                              \
    template <>                                                                                    \
    inline constexpr auto td_check_by_id<TD_WORKLOAD_##w> = td_##w##_check;
#define TD_STEPPING_CELLS(w, A)                                                                    \
    template <uint32_t Row>                                                                        \
    inline constexpr auto td_cell_by_id<TD_WORKLOAD_##w, Row> = td_##w##_cells[Row];               \
    template <>                                                                                    \
    inline constexpr uint32_t td_rows_3d<TD_WORKLOAD_##w> =                                        \
        sizeof td_##w##_variants / sizeof(td_variant);                                             \
    template <uint32_t Row>                                                                        \
    inline constexpr int td_registers_of<TD_WORKLOAD_##w, Row> = td_##w##_variants[Row].registers; \
    template <>                                                                                    \
    inline constexpr auto td_check_by_id<TD_WORKLOAD_##w> = td_##w##_check;                        \
    template <>                                                                                    \
    inline constexpr auto td_reference_by_id<TD_WORKLOAD_##w> = td_##w##_reference;                \
    template <>                                                                                    \
    inline constexpr auto td_paint_by_id<TD_WORKLOAD_##w> = td_##w##_paint;
TD_PLAIN_2D(TD_PLAIN_CELL, )
TD_PLAIN_3D(TD_PLAIN_CELL, )
TD_STEPS_3D(TD_STEPPING_CELLS, )
TD_SUMS_3D(TD_SUM_TERM, )

template <uint32_t Workload>
inline constexpr bool td_is_automaton = !std::is_void_v<td_automaton_by_id<Workload>>;
template <uint32_t Workload>
inline constexpr bool td_is_2d =
    std::is_same_v<decltype(td_cell_by_id<Workload>), td_cell_fn *const>;
/* A tile's rows may go to several blocks. */
template <uint32_t Workload>
constexpr bool td_has_bands()
{
    constexpr const td_workload *w = td_workload_by_id<Workload>;
    return w != NULL && w->tiles != NULL && w->tiles->banded;
}
/* Works cell by cell. */
template <uint32_t Workload>
inline constexpr bool td_is_plain_2d =
    td_is_2d<Workload> && !td_workload_by_id<Workload>->traits.by_rows;
template <uint32_t Workload>
inline constexpr bool td_is_3d = !td_is_2d<Workload> && !td_is_automaton<Workload>;

/* Calls f.operator()<Row>(place) for each row of an automaton's table. */
template <typename None, typename... Rows, typename F>
void td_for_rows_in(td_row_list<None, Rows...>, F f)
{
    static_assert(sizeof...(Rows) <= TD_KERNEL_ROWS);
    uint32_t place = 0;
    (f.template operator()<Rows>(place++), ...);
}
template <uint32_t Workload, typename F>
void td_for_rows(F f)
{
    td_for_rows_in(typename td_facts_of<td_automaton_by_id<Workload>>::rows(), f);
}

#endif
