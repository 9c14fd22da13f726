#include "automaton_state.h"

#include <stdlib.h>
#include <string.h>

#include "engine/core/error.h"

td_status td_state_download(const td_buffers *b, const void *from, void *state, td_error *error)
{
    const uint64_t bytes = b->output[0].bytes;
    const uint64_t first = b->stored.first;
    uint8_t *host = NULL;
    TRY(td_allocate(&host, bytes, 1, error, "a state of %s", b->workload->name));
    const td_status status = b->engine->ops->download(
        b->engine, host, (const void *)((uintptr_t)from + first), bytes, error);
    if (status == TD_OK) {
        td_workload_save(b->workload, &b->problem, (const void *)((uintptr_t)host - first), state);
    }
    free(host);
    return status;
}

/* The first cell of a row that is more than `most`; `cells` if there is none. */
static uint32_t first_beyond(const uint8_t *row, uint32_t cells, uint8_t most)
{
    uint32_t col = 0;
    while (col < cells && row[col] <= most) {
        col++;
    }
    return col;
}

static td_status check_solid(const td_workload *workload, uint32_t n, const uint8_t *row,
                             td_error *error)
{
    const uint8_t most = workload->automaton->most;
    for (uint32_t z = 0; z < n; z++) {
        for (uint32_t y = 0; y <= z; row += z - y + 1, y++) {
            const uint32_t x = first_beyond(row, z - y + 1, most);
            if (x <= z - y) {
                return td_fail(error, TD_USAGE,
                               "has the byte %u in cell (%u, %u, %u), where %s accepts 0..%u",
                               row[x], x, y, z, workload->name, most);
            }
        }
    }
    return TD_OK;
}

td_status td_state_check(const td_workload *workload, td_state_form form, uint32_t n,
                         const uint8_t *state, td_error *error)
{
    /* with two tiles per cell, the last cell of a triangle's row has only the first */
    const uint8_t most = workload->automaton->most, last = most > 1 ? 1 : most;
    if (form == TD_STATE_TETRAHEDRON) {
        return check_solid(workload, n, state, error);
    }
    for (uint32_t row = 0; row < n; row++) {
        const uint32_t cells = form == TD_STATE_SQUARE ? n : row + 1;
        const uint32_t col = first_beyond(state, cells - 1, most);
        const uint8_t here = col < cells - 1 ? most : last;
        if (state[col] > here) {
            return td_fail(error, TD_USAGE,
                           "has the byte %u in cell (%u, %u), where %s accepts 0..%u", state[col],
                           row, col, workload->name, here);
        }
        state += cells;
    }
    return TD_OK;
}
