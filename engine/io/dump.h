/* dump.h - --dump: the output of one verified run as a .npy file, or with :K all its states. */
#pragma once

#include "file.h"
#include "engine/prepare/buffers.h"

/*
 * td_npy_begin - write the header of an array; its bytes follow, in any number of pieces.
 *
 * A write that fails leaves its mark in the stream, which td_new_file_commit sees.
 *
 * Input   dtype such as "<f4", in this machine's byte order; shape of ndim <= 8 dimensions, the data in C order
 * Output  a version 1.0 header
 */
void td_npy_begin(td_new_file *output, const char *dtype, uint32_t ndim, const uint64_t *shape);

/*
 * td_dump_write - download the result of a run and write it to the file that was opened for it.
 *
 * Shape   packed: one dimension, row after row; full: N x N, or N x N x N with z slowest. States of cellular automata
 *         are one byte per cell, N x N on the whole square
 * Errors  TD_NO_MEMORY, TD_FAILED
 */
td_status td_dump_write(td_new_file *file, const td_run *run, td_buffers *buffers, td_error *error);

/*
 * td_dump_states - write the states after 0, every, 2 every ... steps of a run, and after its last step, as one stack.
 *
 * The run is launched once more, piece by piece; afterwards its buffers hold the last state, as before. One state at a
 * time is in memory. It beats before each.
 *
 * Shape   one dimension more than td_dump_write, in front: ceil(steps / every) + 1 states
 * Input   run: of the whole domain
 * Errors  those of the engine; TD_NO_MEMORY, TD_FAILED
 */
td_status td_dump_states(td_new_file *file, uint32_t every, const td_run *run, td_buffers *buffers,
                         td_error *error);
