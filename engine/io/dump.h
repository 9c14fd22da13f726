/* dump.h - --dump: the output of one verified run as a .npy file. */
#pragma once

#include "file.h"
#include "engine/needs/buffers.h"

/*
 * td_dump_write - download the result of a run and write it to the file that was opened for it.
 *
 * Shape   packed: one dimension, row after row; full: N x N, or N x N x N with z slowest. States of cellular automata
 *         are one byte per cell, N x N on the whole square
 * Errors  TD_NO_MEMORY, TD_FAILED
 */
td_status td_dump_write(td_new_file *file, const td_run *run, td_buffers *buffers, td_error *error);
