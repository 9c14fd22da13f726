#include "automaton_state.h"

#include "engine/core/error.h"

/* The first of a row's cells that is more than `most`, or the last one if it is more than `last`; `cells`: none is. */
static uint32_t first_beyond(const uint8_t *row, uint32_t cells, uint8_t most, uint8_t last)
{
    uint32_t x = 0;
    while (x < cells && row[x] <= (x + 1 < cells ? most : last)) {
        x++;
    }
    return x;
}

td_status td_state_check(const td_workload *workload, td_state_form form, uint32_t n,
                         const uint8_t *state, td_error *error)
{
    /* with two tiles per cell, the last cell of a triangle's row has only the first */
    const uint8_t most = workload->automaton->most, last = most > 1 ? 1 : most;
    const bool solid = form == TD_STATE_TETRAHEDRON;
    for (uint32_t z = 0; z < (solid ? n : 1); z++) {
        for (uint32_t y = 0; y < (solid ? z + 1 : n); y++) {
            const uint32_t cells = solid ? z - y + 1 : form == TD_STATE_SQUARE ? n : y + 1;
            const uint32_t x = first_beyond(state, cells, most, last);
            if (x < cells) {
                char cell[48];
                snprintf(cell, sizeof cell, solid ? "%u, %u, %u" : "%u, %u", solid ? x : y,
                         solid ? y : x, z);
                return td_fail(error, TD_USAGE,
                               "has the byte %u in cell (%s), where %s accepts 0..%u", state[x],
                               cell, workload->name, x + 1 < cells ? most : last);
            }
            state += cells;
        }
    }
    return TD_OK;
}
