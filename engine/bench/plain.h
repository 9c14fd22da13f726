/*
 * plain.h - workloads from files whose whole output is compared: without a check of their own with that of a plain loop
 * over the domain on the same engine, which proves the map, not the formula; or with the array of --verify.
 */
#pragma once

#include "engine/prepare/buffers.h"

/* Whether a workload is verified so: byte for byte or, for floats, within workload->ulp. */
bool td_is_proven_by_output(const td_workload *workload, const td_problem *problem);

/* Whether that is the output of a plain loop. */
bool td_is_proven_by_loop(const td_workload *workload, const td_problem *problem);

/* Whether what it shows is about the whole output: of one of its own kind no rank has all elements. */
bool td_shows_whole_output(const td_run *run);

/* Whether an element tells that no cell wrote it: not in an output that starts as zeros, nor if it has one byte, any
 * value of which a cell may write. */
bool td_shows_unwritten(const td_workload *workload);

/*
 * td_plain_make - make the output to compare with, and what a plain loop shows: once per group.
 *
 * Input   cells: of this process's part
 * Output  buffers: plain, plain_facts; the engine's output no longer holds its poison
 * Errors  TD_WRONG if the cells write nothing; TD_NO_MEMORY; those of the engine
 */
td_status td_plain_make(td_buffers *buffers, uint64_t cells, td_error *error);

/* Compare the engine's output with it. Adds to *counts. */
td_status td_plain_compare(td_buffers *buffers, td_check_counts *counts, td_error *error);

/* The first wrong element's value and the expected one, for the end of a sentence. */
enum { TD_VALUES_SIZE = 96 };
void td_plain_values(const td_workload *workload, const td_check_counts *counts,
                     char text[TD_VALUES_SIZE]);

/* Whether what differs are elements of an output that is not one per cell. */
bool td_counts_elements(const td_buffers *buffers);

/* "row 3, column 4", "layer 2, ..." in 3D, or of an output that is not one element per cell "element 5".
 *
 * Input   place: see td_check_counts.first_wrong; not 0 */
enum { TD_PLACE_SIZE = 64 };
void td_place_text(const td_buffers *buffers, uint64_t place, char text[TD_PLACE_SIZE]);
