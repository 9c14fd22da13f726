#include "plain_loop.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/core/error.h"
#include "engine/core/own.h"

/* [bytes] around the output, where writes of a wrong cell do no harm */
enum { AROUND = 1 << 16 };

bool td_is_proven_by_loop(const td_workload *workload)
{
    return workload->own != NULL && !workload->own->has_check && workload->own->loop != NULL;
}

/* Visit the cells of this process's part, in order. */
static void loop_over(td_buffers *b, const td_data *data)
{
    td_plain_loop_fn *const loop = b->workload->own->loop;
    const td_share share = td_engine_share(b->engine, b->problem.n);
    for (uint32_t row = share.first_row; row < share.end_row; row++) { /* in 3D, a layer */
        const uint32_t end = b->workload->traits.no_diagonal ? row : row + 1;
        const uint32_t first = td_share_begin(&share, row, end);
        const uint32_t last = td_share_end(&share, row, end);
        loop(data, row, first, last);
        b->plain_cells += last > first ? last - first : 0;
    }
    if (b->workload->dimension == 3) {
        b->plain_cells = td_workload_cells(b->workload, &b->problem);
    }
}

static bool holds_only(const uint8_t *at, uint64_t bytes, uint8_t byte)
{
    return bytes > 0 && at[0] == byte && memcmp(at, at + 1, bytes - 1) == 0;
}

/* Make the plain loop's output, once for all strategies of a group. */
static td_status make_plain(td_buffers *b, td_error *error)
{
    void *input = NULL;
    const uint8_t poison = td_workload_poison(b->workload);
    const uint64_t bytes = b->output[0].bytes;
    td_data data = b->data;
    free(b->plain); /* left by an earlier run whose cells wrote nothing */
    TRY(td_allocate(&b->plain, bytes + 2 * (uint64_t)AROUND, 1, error, "the verification of %s",
                    b->workload->name));
    TRY(td_buffers_host_input(b, &input, error));
    memset(b->plain, poison, bytes + 2 * (uint64_t)AROUND);
    data.input = data.origin = input;
    data.output = (void *)((uintptr_t)b->plain + AROUND - b->stored.first);
    for (uint32_t i = 0; i <= b->workload->traits.twice; i++) {
        b->plain_cells = 0;
        loop_over(b, &data);
    }
    free(input);
    /* an output that starts as zeros does not show whether anything was written */
    b->reference_ready = b->workload->traits.from_zero || b->plain_cells == 0 ||
                         !holds_only(b->plain + AROUND, bytes, poison);
    return !b->reference_ready
               ? td_fail(error, TD_WRONG, "%s: its cells write nothing into the output",
                         b->workload->name)
               : TD_OK;
}

/* An element's value; and of a float its place among all floats, so that neighbours are 1 apart. */
static double value_of(const uint8_t *at, td_element element, int64_t *place)
{
    union {
        double f64;
        int64_t i64;
        float f32;
        int32_t i32;
        uint32_t u32;
        uint8_t u8;
    } v;
    memcpy(&v, at, td_element_bytes(element));
    switch (element) {
    case TD_F64:
        *place = v.i64 >= 0 ? v.i64 : INT64_MIN - v.i64;
        return v.f64;
    case TD_F32:
        *place = v.i32 >= 0 ? v.i32 : (int64_t)INT32_MIN - v.i32;
        return (double)v.f32;
    case TD_I32:
        return (double)v.i32;
    case TD_U8:
        return (double)v.u8;
    default:
        return (double)v.u32;
    }
}

/* Elements that differ: in any byte, or floats by more than the workload allows. */
static void compare(const td_workload *w, const uint8_t *found, const uint8_t *expected,
                    uint64_t bytes, td_check_counts *counts)
{
    const size_t step = td_element_bytes(w->element);
    const bool is_float = w->element == TD_F32 || w->element == TD_F64;
    for (uint64_t at = 0; at < bytes; at += step) {
        int64_t from = 0, to = 0;
        const double a = value_of(found + at, w->element, &from);
        const double b = value_of(expected + at, w->element, &to);
        const uint64_t apart = (uint64_t)to - (uint64_t)from + w->ulp; /* modulo 2^64 */
        const bool is_close =
            is_float && w->ulp > 0 &&
            (isnan(a) || isnan(b) ? isnan(a) && isnan(b) : apart <= 2 * (uint64_t)w->ulp);
        counts->mismatches += memcmp(found + at, expected + at, step) != 0 && !is_close;
        counts->max_abs_error = fmax(counts->max_abs_error, fabs(a - b));
    }
}

td_status td_plain_loop_check(td_buffers *b, td_check_counts *counts, td_error *error)
{
    const td_guarded *output = &b->output[0];
    uint8_t *found = NULL;
    if (!b->reference_ready) {
        TRY(make_plain(b, error));
    }
    TRY(td_allocate(&found, output->bytes, 1, error, "the verification of %s", b->workload->name));
    const td_status status =
        b->engine->ops->download(b->engine, found, output->kept, output->bytes, error);
    if (status == TD_OK && memcmp(found, b->plain + AROUND, output->bytes) != 0) {
        compare(b->workload, found, b->plain + AROUND, output->bytes, counts);
    }
    counts->checked = b->plain_cells;
    free(found);
    return status;
}
