/* utm - the upper-triangular map on threads, reflected through the centre so that stores stay contiguous; and utm-t,
 * transposed to the lower triangle, whose stores scatter. */
#ifndef TD_STRATEGIES_UTM_H
#define TD_STRATEGIES_UTM_H

#include "utm_index.h"

/*
 * td_utm_map - thread k is the pair (a, b), its cell the point reflection (N - 1 - a, N - 1 - b).
 *
 * Shape   ceil(N (N - 1) / 2 / threads) blocks, and ceil(N / threads) for the diagonal
 * Exact   for every N up to 2^20: the guess is repaired in integers
 * Source  Avril, Gouranton and Arnaldi 2012; see td_utm_pair
 */
TD_FN td_cell td_utm_map(const td_launch *launch, td_thread t)
{
    return td_utm_thread_cell(launch, t, true);
}

TD_DESCRIPTOR td_strategy td_utm = {
    .id = TD_STRATEGY_utm,
    .name = "utm",
    .summary = "upper-triangular map, reflected, contiguous stores",
    .source = "Avril et al. 2012",
    .exact_n = 1048576,
    .dimension = 2,
    .unit = TD_MAPS_THREADS,
    .in_paper = true,
    .plan = td_utm_threads_plan,
    .thread_map = td_utm_map,
};

/* td_utm_t_map - the same, but the cell is the transposition (b, a). */
TD_FN td_cell td_utm_t_map(const td_launch *launch, td_thread t)
{
    return td_utm_thread_cell(launch, t, false);
}

TD_DESCRIPTOR td_strategy td_utm_t = {
    .id = TD_STRATEGY_utm_t,
    .name = "utm-t",
    .summary = "upper-triangular map, transposed, scattered stores",
    .source = "Avril et al. 2012",
    .exact_n = 1048576,
    .dimension = 2,
    .unit = TD_MAPS_THREADS,
    .in_paper = true,
    .plan = td_utm_threads_plan,
    .thread_map = td_utm_t_map,
};

#endif
