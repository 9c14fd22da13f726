#include "halo_swap.h"

#include <stdlib.h>

/* Buffers on the host for the rows in transit. */
typedef struct staged {
    uint8_t *give[2], *take[2];
} staged;

static td_status open_staged(const td_halo *halo, staged *s, td_error *error)
{
    for (int i = 0; i < 2; i++) {
        if (halo->side[i].with >= 0) {
            TRY(td_allocate(&s->give[i], halo->side[i].give_bytes, 1, error, "a halo"));
            TRY(td_allocate(&s->take[i], halo->side[i].take_bytes, 1, error, "a halo"));
        }
    }
    return TD_OK;
}

static void close_staged(staged *s)
{
    for (int i = 0; i < 2; i++) {
        free(s->give[i]);
        free(s->take[i]);
    }
}

static td_status swap(td_engine *engine, const td_halo *halo, uintptr_t state, const staged *s,
                      td_error *error)
{
    const td_engine_ops *ops = engine->ops;
    td_swap swaps[2];
    for (int i = 0; i < 2; i++) {
        const td_halo_rows *rows = &halo->side[i];
        swaps[i] =
            (td_swap){rows->with, s->give[i], s->take[i], rows->give_bytes, rows->take_bytes};
        if (rows->with >= 0) {
            TRY(ops->download(engine, s->give[i], (const void *)(state + rows->give),
                              rows->give_bytes, error));
        }
    }
    td_ranks_swap_begin(engine->ranks, swaps);
    td_ranks_swap_end(engine->ranks);
    for (int i = 0; i < 2; i++) {
        const td_halo_rows *rows = &halo->side[i];
        if (rows->with >= 0) {
            TRY(ops->upload(engine, (void *)(state + rows->take), s->take[i], rows->take_bytes,
                            error));
        }
    }
    return TD_OK;
}

td_status td_halo_swap(td_engine *engine, const td_halo *halo, void *state, td_error *error)
{
    staged s = {0};
    if (!halo->exists) {
        return TD_OK;
    }
    td_status status = open_staged(halo, &s, error);
    if (status == TD_OK) {
        status = swap(engine, halo, (uintptr_t)state, &s, error);
    }
    close_staged(&s);
    return status;
}
