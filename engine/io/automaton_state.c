#include "automaton_state.h"

#include <stdlib.h>
#include <string.h>

#include "engine/core/error.h"

td_status td_state_download(const td_buffers *b, const void *from, void *state, td_error *error)
{
    const uint64_t bytes = b->output[0].bytes;
    const uint64_t first = b->elements.first * td_element_bytes(b->workload->element);
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

/* The first row and column of a pattern. */
typedef struct corner {
    uint64_t row, col;
} corner;

/*
 * Choose the corner of a pattern's box; false if the box does not fit. In the triangle it is `margin` cells away from
 * the left and the lower edge, and at least that many cells of its first row lie between its right end and the
 * diagonal.
 */
static bool place(const td_pattern *p, bool square, uint64_t n, corner *at)
{
    if (square) {
        at->row = (n - p->height) / 2;
        at->col = (n - p->width) / 2;
        return p->height <= n && p->width <= n;
    }
    if ((uint64_t)p->width + p->height - 1 > n) {
        return false;
    }
    const uint64_t margin = (n - p->width - p->height + 1) / 3;
    at->row = n - p->height - margin;
    at->col = margin;
    return true;
}

static uint64_t cells_before(bool square, uint64_t n, uint64_t row)
{
    return square ? row * n : td_triangle(row);
}

td_status td_state_place(const td_pattern *p, bool square, uint32_t n, uint8_t **state,
                         td_error *error)
{
    corner at = {0, 0};
    if (!place(p, square, n, &at)) {
        const uint64_t larger = p->width > p->height ? p->width : p->height;
        const uint64_t least = square ? larger : (uint64_t)p->width + p->height - 1;
        return td_fail(error, TD_USAGE,
                       "holds a pattern of %u x %u cells, which needs --n %llu or more, got %u",
                       p->width, p->height, (unsigned long long)least, n);
    }
    TRY(td_allocate(state, cells_before(square, n, n), 1, error, "a state of N = %u", n));
    for (uint32_t row = 0; row < p->height; row++) {
        memcpy(*state + cells_before(square, n, at.row + row) + at.col,
               p->cells + (uint64_t)row * p->width, p->width);
    }
    return TD_OK;
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

td_status td_state_check(const td_workload *workload, uint32_t n, const uint8_t *state,
                         td_error *error)
{
    /* with two tiles per cell, the last cell of a row has only the first */
    const uint8_t most = workload->automaton->most, last = most > 1 ? 1 : most;
    if (workload->dimension == 3) {
        return check_solid(workload, n, state, error);
    }
    for (uint32_t row = 0; row < n; row++) {
        const uint8_t *cell = state + td_triangle(row);
        const uint32_t col = first_beyond(cell, row, most);
        const uint8_t here = col < row ? most : last;
        if (cell[col] > here) {
            return td_fail(error, TD_USAGE,
                           "has the byte %u in cell (%u, %u), where %s accepts 0..%u", cell[col],
                           row, col, workload->name, here);
        }
    }
    return TD_OK;
}
