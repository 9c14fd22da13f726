/* rank_start.h - the driver's part of --ranks: join the other ranks, choose this rank's device and threads. */
#pragma once

#include "engine/engine.h"
#include "engine/options/options.h"

enum { TD_RANK_DEVICE_SIZE = 16 };

/*
 * td_rank_start - with --ranks, join the other ranks, which must have the same program, engine and command line.
 *
 * Output  options: part, part_count; device: the ordinal for this rank, empty if there is none
 * Errors  TD_USAGE: built without MPI, or ranks that differ; TD_FAILED
 */
td_status td_rank_start(td_options *options, const td_engine_ops *engine, td_ranks **ranks,
                        char device[TD_RANK_DEVICE_SIZE], td_error *error);

/* Threads of the cpu engine on this rank; 0: all available. */
uint32_t td_rank_threads(const td_options *options, const td_ranks *ranks);
