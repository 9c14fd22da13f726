/* draft.h - a group in the making: the kernel, the block and the tile that its runs share. */
#pragma once

#include "input.h"

typedef struct td_draft {
    td_run run; /* still without a strategy; tile 0: as large as the block */
    td_kernel_choice kernel;
    bool block_is_given, tile_is_given;
    bool block_fits;     /* it has the shape of the workload's dimension */
    td_error unresolved; /* why the workload rejects the parameters; empty: it accepts them */
} td_draft;

/* The number of combinations of the words given for a workload's parameters: 1 unless there are lists. */
size_t td_draft_combinations(const td_options *options, const td_workload *workload);

/*
 * td_draft_resolve - all of a draft's problem but the tile: the workload's defaults, overridden by given values.
 *
 * Input   workload: from the registry; combination: below td_draft_combinations
 * Output  draft->run.workload: the descriptor that the parameters choose, or `workload` itself if it rejects them;
 *         draft->unresolved
 */
void td_draft_resolve(td_draft *draft, const td_options *options, const td_input *input,
                      const td_workload *workload, size_t combination, uint32_t n);

enum { TD_SHAPES_TO_TRY = 64 }; /* blocks are 22 in 2D and 39 in 3D, tiles fewer */

/* The blocks or tiles of a sweep. One with x = 0 stands for the usual one. */
typedef struct td_shape_list {
    const td_shape *shapes; /* as given, or `to_try` */
    size_t count;
    td_shape to_try[TD_SHAPES_TO_TRY];
} td_shape_list;

/* The blocks or tiles given; the usual one if there are none; or all that can be tried, first the usual one. */
void td_blocks_of(const td_shapes *given, int dimension, td_shape_list *list);
void td_tiles_of(const td_shapes *given, int dimension, uint32_t n, td_shape_list *list);

/* Set the block of a draft that has a workload and a kernel. tile_is_given: there is a list of tiles. */
void td_draft_set_block(td_draft *draft, const td_shape *given, bool tile_is_given);

/* Set its tile, once it has a block. */
void td_draft_set_tile(td_draft *draft, const td_shape *given);
