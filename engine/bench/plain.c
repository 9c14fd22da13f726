#include "plain.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/core/error.h"
#include "engine/core/own.h"
#include "workloads/half.h"
#include "workloads/place.h"

bool td_is_proven_by_output(const td_workload *workload, const td_problem *problem)
{
    const td_own *own = workload->own;
    return own != NULL && (problem->expected != NULL || (own->loop != NULL && !own->has_check));
}

bool td_is_proven_by_loop(const td_workload *workload, const td_problem *problem)
{
    return td_is_proven_by_output(workload, problem) && problem->expected == NULL;
}

bool td_shows_unwritten(const td_workload *workload)
{
    return !workload->traits.from_zero && td_element_bytes(workload->element) > 1;
}

bool td_shows_whole_output(const td_run *run)
{
    return run->workload->traits.has_layouts || run->parts == 0;
}

/* ---- elements and cells ---- */

/* The cell whose element this is, as td_place_text takes it; 0: it is beside the domain. */
static uint64_t place_of(const td_buffers *b, uint64_t element)
{
    const bool solid = b->workload->dimension == 3;
    const uint64_t n = b->problem.n;
    uint64_t x = element, y = 0, z = 0;
    if (!b->workload->traits.has_layouts) {
        return element + 1;
    }
    if (b->data.full) {
        x = element % n, y = element / n % n, z = element / n / n;
    } else if (solid) {
        for (; td_tetrahedron(z + 1) <= element; z++) {
        }
        for (x -= td_tetrahedron(z); x > z - y; y++) {
            x -= z - y + 1;
        }
    } else {
        y = (uint64_t)fmax(0.0, sqrt(2.0 * (double)element) - 2.0); /* its row or one before */
        for (; td_row_start(&b->data, (uint32_t)y + 1) <= element; y++) {
        }
        x -= td_row_start(&b->data, (uint32_t)y);
    }
    const bool is_cell = solid ? x + y <= z : x + b->workload->traits.no_diagonal <= y;
    return is_cell ? td_cell_number((uint32_t)x, (uint32_t)y, (uint32_t)z) + 1 : 0;
}

bool td_counts_elements(const td_buffers *b)
{
    return !b->workload->traits.has_layouts && td_is_proven_by_output(b->workload, &b->problem);
}

void td_place_text(const td_buffers *b, uint64_t place, char text[TD_PLACE_SIZE])
{
    const td_workload *w = b->workload;
    const uint64_t cell = place - 1;
    const uint32_t x = td_cell_coordinate(cell, 0), y = td_cell_coordinate(cell, 1);
    if (td_counts_elements(b)) {
        snprintf(text, TD_PLACE_SIZE, "element %llu", (unsigned long long)cell);
    } else if (w->dimension == 3) {
        snprintf(text, TD_PLACE_SIZE, "layer %u, row %u, column %u", td_cell_coordinate(cell, 2), y,
                 x);
    } else {
        snprintf(text, TD_PLACE_SIZE, "row %u, column %u", y, x);
    }
}

/* ---- values ---- */

static bool holds_only(const uint8_t *at, uint64_t bytes, uint8_t byte)
{
    return bytes > 0 && at[0] == byte && memcmp(at, at + 1, bytes - 1) == 0;
}

/* An element's value; and of a float its place among all floats, so that neighbours are 1 apart. */
static double value_of(const void *at, td_element element, int64_t *place)
{
    union {
        double f64;
        int64_t i64;
        float f32;
        int32_t i32;
        uint32_t u32;
        int16_t i16;
        uint16_t u16;
        uint8_t u8;
    } v;
    memcpy(&v, at, td_element_bytes(element));
    switch (element) {
    case TD_F64:
        *place = v.i64 >= 0 ? v.i64 : INT64_MIN - v.i64;
        return v.f64;
    case TD_F32:
        *place = v.i32 >= 0 ? v.i32 : INT32_MIN - v.i32;
        return (double)v.f32;
    case TD_BF16:
    case TD_F16:
        *place = v.i16 >= 0 ? v.i16 : INT16_MIN - v.i16;
        return (double)td_half_number(v.u16, element == TD_F16);
    case TD_I64:
        return (double)v.i64;
    case TD_I32:
        return (double)v.i32;
    case TD_U8:
        return (double)v.u8;
    default:
        return (double)v.u32;
    }
}

/* How far two floats are apart, in units in the last place: 0 for two that are not a number; UINT64_MAX if one is not,
 * or is infinite, and the other one differs. */
static uint64_t ulps_between(const uint8_t *a, const uint8_t *b, td_element element)
{
    int64_t from = 0, to = 0;
    const double x = value_of(a, element, &from), y = value_of(b, element, &to);
    if (!isfinite(x) || !isfinite(y)) {
        return x == y || (isnan(x) && isnan(y)) ? 0 : UINT64_MAX;
    }
    return from < to ? (uint64_t)to - (uint64_t)from : (uint64_t)from - (uint64_t)to;
}

void td_plain_values(const td_workload *workload, const td_check_counts *counts,
                     char text[TD_VALUES_SIZE])
{
    int64_t place;
    const int digits = workload->element == TD_F32 ? 9 : 17;
    snprintf(text, TD_VALUES_SIZE, ": found %.*g, expected %.*g", digits,
             value_of(&counts->found_bits, workload->element, &place), digits,
             value_of(&counts->expected_bits, workload->element, &place));
}

/* ---- the plain loop's output ---- */

static td_output_facts facts_of(const td_buffers *b)
{
    const td_workload *w = b->workload;
    const size_t bytes = td_element_bytes(w->element);
    const uint64_t elements = b->output[0].bytes / bytes;
    const uint64_t others = elements > b->plain_cells ? elements - b->plain_cells : 0;
    td_output_facts facts = {.host_ulp = -1.0};
    uint64_t untouched = 0;
    for (uint64_t e = 0; e < elements; e++) {
        const uint8_t *at = b->plain + e * bytes;
        int64_t unused;
        if (td_shows_unwritten(w) && holds_only(at, bytes, td_workload_poison(w))) {
            untouched++;
            if (facts.first_unwritten == 0 && b->problem.end_row == 0) {
                facts.first_unwritten = place_of(b, e);
            }
        } else { /* an integer is finite */
            facts.not_finite += isfinite(value_of(at, w->element, &unused)) ? 0 : 1;
        }
    }
    /* beside the domain and beside this part nothing is written */
    facts.unwritten = !w->traits.has_layouts ? untouched
                      : untouched > others   ? untouched - others
                                             : 0;
    return facts;
}

/* An engine and the host compute functions such as sinf differently: tell by how much, in a sample of a triangle's
 * cells. The host's output has all elements, but only these pages are touched. */
static td_status ask_host(td_buffers *b, td_error *error)
{
    enum { AROUND = 1 << 16, ROWS = 64 }; /* [bytes] where writes of a wrong cell do no harm */
    const td_workload *w = b->workload;
    const size_t bytes = td_element_bytes(w->element);
    void *input = NULL;
    uint8_t *output = NULL;
    td_data data = b->data;
    if (!b->engine->ops->can.device_memory || !td_element_is_float(w->element) ||
        w->dimension == 3 || !w->traits.has_layouts || w->traits.from_zero ||
        b->problem.end_row > 0) {
        return TD_OK;
    }
    TRY(td_buffers_host_input(b, &input, error));
    const td_status status = td_allocate(&output, b->output[0].bytes + 2 * (uint64_t)AROUND, 1,
                                         error, "the verification of %s", w->name);
    data.input = data.origin = input;
    data.output = output + AROUND;
    for (uint64_t i = 0; status == TD_OK && i < ROWS * ROWS; i++) {
        const uint32_t y = (uint32_t)(b->problem.n * (i / ROWS) / ROWS);
        const uint32_t x = (uint32_t)(y * (i % ROWS) / ROWS);
        const uint64_t at = (td_row_start(&data, y) + x) * bytes;
        const uint8_t *found = b->plain + at;
        if (!holds_only(found, bytes, td_workload_poison(w))) {
            w->own->loop(&data, y, x, x + 1);
            const uint64_t apart = ulps_between(output + AROUND + at, found, w->element);
            b->plain_facts.host_ulp = fmax(b->plain_facts.host_ulp, (double)apart);
        }
    }
    free(output);
    free(input);
    return status;
}

/* ---- the array of --verify ---- */

/* Put its elements where an engine puts them. */
static td_status put_expected(const td_buffers *b, td_error *error)
{
    const td_workload *w = b->workload;
    const bool solid = w->dimension == 3;
    const uint64_t n = b->problem.n, size = td_element_bytes(w->element);
    const uint64_t given = b->problem.expected_elements, elements = b->output[0].bytes / size;
    const td_data array = {.n = b->problem.n, .full = given == (solid ? n * n * n : n * n)};
    const uint8_t *from = b->problem.expected;
    if (!w->traits.has_layouts) {
        if (given != elements) {
            return td_fail(error, TD_FAILED,
                           "%s: its output has %llu elements, the array of --verify has %llu",
                           w->name, (unsigned long long)elements, (unsigned long long)given);
        }
        memcpy(b->plain, from, b->output[0].bytes);
        return TD_OK;
    }
    for (uint64_t z = 0; z < (solid ? n : 1); z++) {
        for (uint64_t y = 0; y < (solid ? z + 1 : n); y++) {
            const uint64_t cells = solid ? z - y + 1 : y + 1 - w->traits.no_diagonal;
            const uint64_t to =
                solid ? td_place_3d(&b->data, 0, y, z) : td_place_2d(&b->data, y, 0);
            const uint64_t at = solid ? td_place_3d(&array, 0, y, z) : td_place_2d(&array, y, 0);
            memcpy(b->plain + to * size, from + at * size, cells * size);
        }
    }
    return TD_OK;
}

/* ---- making it, comparing with it ---- */

td_status td_plain_make(td_buffers *b, uint64_t cells, td_error *error)
{
    const td_engine_ops *ops = b->engine->ops;
    const td_guarded *output = &b->output[0];
    const void *expected = b->problem.expected;
    free(b->plain); /* left by an earlier run whose cells wrote nothing */
    TRY(td_allocate(&b->plain, output->bytes, 1, error, "the verification of %s",
                    b->workload->name));
    TRY(td_buffers_poison(b, error));
    for (uint32_t i = 0; expected == NULL && i <= b->workload->traits.twice; i++) {
        TRY(ops->for_each_cell(b->engine, b->workload, TD_TASK_PLAIN, &b->data, error));
    }
    TRY(ops->download(b->engine, b->plain, output->kept, output->bytes, error));
    b->plain_cells = cells;
    if (expected != NULL) {
        b->plain_facts = (td_output_facts){.host_ulp = -1.0};
        return put_expected(b, error);
    }
    b->plain_facts = facts_of(b);
    return ask_host(b, error);
}

/*
 * By how much floats may differ [ulp]. Cells add to an output that starts as zeros in any order. Each of T - 1 sums of
 * terms of one sign is off by half an ulp of the result, so two orders differ by at most T - 1, or twice as many of the
 * smaller ulp below a power of two. An element has the terms of a row of cells, or an equal part of all.
 */
static uint64_t allowed_ulps(const td_buffers *b)
{
    const td_workload *w = b->workload;
    const uint64_t n = b->problem.n, elements = b->output[0].bytes / td_element_bytes(w->element);
    const uint64_t row = w->dimension == 3 ? n * n : n, part = b->plain_cells / elements + 1;
    return w->ulp == 0 && w->traits.from_zero ? 2 * (row > part ? row : part) : w->ulp;
}

/* Whether a float is within what is allowed. One that is not a number is as good as any other, but not the poison. */
static bool is_near(const td_workload *w, const uint8_t *found, const uint8_t *expected,
                    uint64_t allowed)
{
    const size_t step = td_element_bytes(w->element);
    const bool unwritten = !w->traits.from_zero && holds_only(found, step, td_workload_poison(w));
    return td_element_is_float(w->element) && !unwritten &&
           ulps_between(found, expected, w->element) <= allowed;
}

/* Count elements that differ, and bytes of those beside the domain. */
static void compare(const td_buffers *b, const uint8_t *found, td_check_counts *counts)
{
    const td_workload *w = b->workload;
    const size_t step = td_element_bytes(w->element);
    const uint64_t allowed = allowed_ulps(b);
    for (uint64_t at = 0; at < b->output[0].bytes; at += step) {
        int64_t unused;
        const uint8_t *expected = b->plain + at;
        const uint64_t element = (b->stored.first + at) / step;
        if (memcmp(found + at, expected, step) == 0) {
            continue;
        }
        if (place_of(b, element) == 0) { /* beside the domain */
            counts->touched_outside += step;
            continue;
        }
        counts->max_abs_error =
            fmax(counts->max_abs_error, fabs(value_of(found + at, w->element, &unused) -
                                             value_of(expected, w->element, &unused)));
        if (is_near(w, found + at, expected, allowed)) {
            continue;
        }
        counts->mismatches++;
        if (counts->first_wrong == 0) {
            counts->first_wrong = place_of(b, element);
            memcpy(&counts->found_bits, found + at, step);
            memcpy(&counts->expected_bits, expected, step);
        }
    }
}

td_status td_plain_compare(td_buffers *b, td_check_counts *counts, td_error *error)
{
    const td_guarded *output = &b->output[0];
    uint8_t *found = NULL;
    TRY(td_allocate(&found, output->bytes, 1, error, "the verification of %s", b->workload->name));
    const td_status status =
        b->engine->ops->download(b->engine, found, output->kept, output->bytes, error);
    if (status == TD_OK && memcmp(found, b->plain, output->bytes) != 0) {
        compare(b, found, counts);
    }
    /* an output that starts as zeros does not show whether anything was written */
    const bool is_untouched = status == TD_OK && !b->workload->traits.from_zero &&
                              b->plain_cells > 0 &&
                              holds_only(found, output->bytes, td_workload_poison(b->workload));
    counts->checked = b->plain_cells;
    counts->output = b->plain_facts;
    free(found);
    return is_untouched ? td_fail(error, TD_WRONG, "%s: its cells write nothing into the output",
                                  b->workload->name)
                        : status;
}
