/*
 * rows.h - which rows of its domain a run computes, and which it exchanges with its neighbours: the only place that
 * knows. A run without parts computes all rows.
 */
#pragma once

#include "engine/engine.h"

/* A part of a run's domain, in tiles; and the part that the run computes, in cells. */
td_part td_run_part(const td_run *run, uint32_t index);
td_share td_run_share(const td_run *run);

/* Whether the first, and the last, row of tiles go to a neighbour in every step. */
void td_run_edges(const td_run *run, bool edges[2]);

/* A run's problem with the rows that it computes. */
td_problem td_run_problem(const td_run *run);

/* The offset of a row [bytes], from where the first element would be: td_row_bytes of an output or a state as it is
 * stored, td_state_row_bytes of a state of the reference. */
typedef uint64_t td_row_bytes_fn(const td_workload *workload, const td_problem *problem,
                                 uint32_t row);
td_row_bytes_fn td_row_bytes, td_state_row_bytes;

/* The `depth` rows of an automaton that are exchanged with each neighbour after each launch. */
td_halo td_run_halo(const td_run *run, td_row_bytes_fn *bytes, uint32_t depth);
