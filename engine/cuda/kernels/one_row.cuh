/*
 * one_row.cuh - the functions of one row of a built-in workload's table, by the workload's id and the row's place, for
 * kernels under a map from a file.
 */
#ifndef TD_ENGINE_CUDA_KERNELS_ONE_ROW_CUH
#define TD_ENGINE_CUDA_KERNELS_ONE_ROW_CUH

#include "cells.cuh"
#include "whole_tiles.cuh"
#include "workloads/host_only.cuh"

/* The row of an automaton's table at a place. */
template <uint32_t Place, typename Rows>
struct td_row_at;
template <uint32_t Place, typename None, typename First, typename... Rest>
struct td_row_at<Place, td_row_list<None, First, Rest...>>
    : td_row_at<Place - 1, td_row_list<None, Rest...>> {
};
template <typename None, typename First, typename... Rest>
struct td_row_at<0, td_row_list<None, First, Rest...>> {
    typedef First type;
};
template <uint32_t Workload, uint32_t Place>
using td_row_numbered =
    typename td_row_at<Place, typename td_facts_of<td_automaton_by_id<Workload>>::rows>::type;

template <uint32_t Workload, uint32_t Row>
constexpr auto td_cell_of_row()
{
    if constexpr (td_is_automaton<Workload>) {
        typedef td_row_numbered<Workload, Row> row;
        constexpr td_cell_fn *cell =
            td_cell_of<typename row::automaton, typename row::technique, typename row::width>;
        return cell;
    } else {
        return td_cell_by_id<Workload, Row>;
    }
}

template <uint32_t Workload, uint32_t Row>
constexpr auto td_tile_of_row()
{
    if constexpr (td_is_automaton<Workload>) {
        typedef td_row_numbered<Workload, Row> row;
        constexpr td_tile_fn *tile =
            td_automaton_tile<typename row::automaton, td_technique_of<row>, typename row::width>;
        return tile;
    } else {
        return td_tile_of<Workload, Row>;
    }
}

/* Cells that a thread computes at a time, and whether tiles have bands. */
template <uint32_t Workload>
inline constexpr int td_unroll_of_row =
    td_is_automaton<Workload> ? td_unroll<TD_OTHER_ROWS> : td_unroll<TD_EITHER_ROWS>;

template <uint32_t Workload, uint32_t Row>
constexpr bool td_is_banded()
{
    if constexpr (td_is_automaton<Workload>) {
        return td_techniques[td_row_numbered<Workload, Row>::like].banded;
    } else {
        return td_has_bands<Workload>();
    }
}

#endif
