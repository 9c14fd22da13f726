#include "dump.h"

#include <stdlib.h>

#include "automaton_state.h"
#include "dump_parts.h"
#include "engine/core/error.h"
#include "npy.h"

/* States are dumped as one element per cell, whatever a variant makes of a cell. */
static td_status dump_state(td_new_file *file, const td_run *run, td_buffers *b, td_error *error)
{
    const uint64_t n = run->problem.n;
    const uint64_t cells = td_workload_cells(run->workload, &run->problem);
    const uint64_t square[2] = {n, n};
    const bool is_square = td_run_is_square(run);
    const uint64_t bytes = td_workload_saved_bytes(run->workload, &run->problem);
    void *state = malloc(bytes);
    if (state == NULL) {
        return td_fail(error, TD_NO_MEMORY, "cannot allocate %llu bytes on the host for --dump",
                       (unsigned long long)bytes);
    }
    td_status status = td_state_download(b, td_buffers_result(b), state, error);
    if (status == TD_OK) {
        status = td_npy_finish(file, td_element_numpy(run->workload->automaton->saved),
                               is_square ? 2 : 1, is_square ? square : &cells, state, bytes, error);
    }
    free(state);
    return status;
}

td_status td_dump_write(td_new_file *file, const td_run *run, td_buffers *b, td_error *error)
{
    if (run->ranks > 1) {
        return td_dump_parts(file, run, b, error);
    }
    if (run->workload->automaton != NULL) {
        return dump_state(file, run, b, error);
    }
    const uint64_t bytes = b->output[0].bytes;
    const uint64_t n = run->problem.n;
    const bool full = run->workload->has_layouts && run->problem.layout == TD_FULL;
    const uint64_t square[3] = {n, n, n};
    const uint64_t packed[1] = {bytes / td_element_bytes(run->workload->element)};
    void *host = malloc(bytes > 0 ? bytes : 1);
    if (host == NULL) {
        return td_fail(error, TD_NO_MEMORY, "cannot allocate %llu bytes on the host for --dump",
                       (unsigned long long)bytes);
    }
    td_status status =
        b->engine->ops->download(b->engine, host, td_buffers_result(b), bytes, error);
    if (status == TD_OK) {
        status = td_npy_finish(file, td_element_numpy(run->workload->element),
                               full ? (uint32_t)run->workload->dimension : 1,
                               full ? square : packed, host, bytes, error);
    }
    free(host);
    return status;
}
