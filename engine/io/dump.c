#include "dump.h"

#include <stdlib.h>
#include <string.h>

#include "engine/core/error.h"
#include "engine/prepare/planning.h"
#include "workloads/place.h"

/* The array in the file. */
typedef struct form {
    td_element element; /* one per cell: of a state, however a variant stores a cell */
    bool is_full;       /* rows are as long as those of the matrix */
    uint64_t count;     /* of elements */
} form;

static form form_of(const td_run *run)
{
    const td_workload *w = run->workload;
    const td_problem *problem = &run->problem;
    if (w->automaton != NULL) {
        const td_element saved = w->automaton->saved;
        return (form){saved, td_run_is_square(run),
                      td_workload_saved_bytes(w, problem) / td_element_bytes(saved)};
    }
    return (form){w->element,
                  w->traits.has_layouts &&
                      (problem->layout == TD_FULL || problem->layout == TD_MIRRORED),
                  problem->layout == TD_BLOCKED ? td_workload_cells(w, problem)
                                                : td_workload_output_elements(w, problem)};
}

void td_npy_begin(td_new_file *output, const char *dtype, uint32_t ndim, const uint64_t *shape)
{
    char header[512]; /* 8 dimensions of 20 digits and the words around them fit */
    int at = snprintf(header, sizeof header,
                      "%10s{'descr': '%s', 'fortran_order': False, 'shape': (", "", dtype);
    for (uint32_t i = 0; i < ndim; i++) {
        at += snprintf(header + at, sizeof header - (size_t)at, i == 0 ? "%llu" : ", %llu",
                       (unsigned long long)shape[i]);
    }
    at += snprintf(header + at, sizeof header - (size_t)at, ndim == 1 ? ",), }" : "), }");
    const size_t size = ((size_t)at + 1 + 63) / 64 * 64; /* data starts on a multiple of 64 */
    memset(header + at, ' ', size - (size_t)at);
    header[size - 1] = '\n';
    const uint16_t length = (uint16_t)(size - 10);
    memcpy(header, "\x93NUMPY\x01", 8); /* version 1.0: the minor is the string's NUL */
    memcpy(header + 8, &length, sizeof length);
    fwrite(header, 1, size, output->stream);
}

/* Write the header of one output, or of a stack of `states`. */
static void begin_file(td_new_file *file, const td_run *run, const form *f, uint32_t states)
{
    const uint64_t n = run->problem.n, shape[4] = {states, f->is_full ? n : f->count, n, n};
    const uint32_t stacked = states > 0 ? 1 : 0, cube = run->workload->dimension == 3 ? 3 : 2;
    td_npy_begin(file, td_element_numpy(f->element), stacked + (f->is_full ? cube : 1),
                 shape + 1 - stacked);
}

/* ---- from the engine ---- */

/* Elements of the file that one process holds: those of its rows, which follow each other. */
typedef struct piece {
    uint64_t first, count;
} piece;

static uint64_t row_start(const td_run *run, uint32_t row)
{
    td_data data = {0};
    if (run->workload->automaton != NULL) {
        return td_triangle(row);
    }
    td_workload_setup(run->workload, &run->problem, &data);
    return td_row_start(&data, row);
}

static piece piece_of(const td_run *run, const form *f, uint32_t part)
{
    td_run other = *run;
    other.part = part;
    if (run->parts <= 1) {
        return (piece){0, f->count};
    }
    const td_share share = td_run_share(&other);
    const uint64_t first = row_start(run, share.first_row);
    return (piece){first, row_start(run, share.end_row) - first};
}

/* Download a state, one element per cell, row by row of the domain, whatever the workload's own storage. Of a part of
 * the domain only its rows are written, and the others need not exist. */
static td_status download_state(const td_buffers *b, const void *from, void *state, td_error *error)
{
    uint8_t *host = NULL;
    const uint64_t first = b->stored.first, bytes = b->output[0].bytes;
    TRY(td_allocate(&host, bytes, 1, error, "a state of %s", b->workload->name));
    const td_status status = b->engine->ops->download(
        b->engine, host, (const void *)((uintptr_t)from + first), bytes, error);
    if (status == TD_OK) {
        td_workload_save(b->workload, &b->problem, (const void *)((uintptr_t)host - first), state);
    }
    free(host);
    return status;
}

/* Copy the cells of a blocked output in the order of a packed one, without the padding of its tiles. */
static void pack(const td_buffers *b, int dimension, const uint8_t *stored, uint8_t *to)
{
    const td_data *data = &b->data;
    const uint32_t n = data->n, side = data->blocked;
    for (uint32_t z = 0; z < (dimension == 3 ? n : 1); z++) {
        for (uint32_t y = 0; y < (dimension == 3 ? z + 1 : n); y++) {
            const uint32_t cells = dimension == 3 ? z - y + 1 : y + 1;
            for (uint32_t x = 0; x < cells; x += side) {
                const uint64_t place =
                    dimension == 3 ? td_place_3d(data, x, y, z) : td_place_2d(data, y, x);
                const size_t bytes = 4 * (size_t)(cells - x < side ? cells - x : side);
                memcpy(to, stored + 4 * place, bytes);
                to += bytes;
            }
        }
    }
}

static td_status fetch_blocked(td_buffers *b, uint8_t *bytes, td_error *error)
{
    uint8_t *stored = NULL;
    TRY(td_allocate(&stored, b->output[0].bytes, 1, error, "--dump"));
    const td_status status = b->engine->ops->download(b->engine, stored, td_buffers_result(b),
                                                      b->output[0].bytes, error);
    if (status == TD_OK) {
        pack(b, b->workload->dimension, stored, bytes);
    }
    free(stored);
    return status;
}

static td_status fetch(const td_run *run, uint64_t element, td_buffers *b, const piece *own,
                       uint8_t *bytes, td_error *error)
{
    const uintptr_t from = (uintptr_t)td_buffers_result(b);
    if (run->workload->automaton != NULL) {
        return download_state(b, (const void *)from, (void *)((uintptr_t)bytes - own->first),
                              error);
    }
    return run->problem.layout == TD_BLOCKED
               ? fetch_blocked(b, bytes, error)
               : b->engine->ops->download(b->engine, bytes,
                                          (const void *)(from + own->first * element),
                                          own->count * element, error);
}

/* ---- to the file ---- */

/* Move a part into the file: its rank sends it, and rank 0 receives and writes it. Rank 0 writes its own. */
static td_status dump_part(td_new_file *file, const td_run *run, const form *f, uint32_t part,
                           td_buffers *b, td_error *error)
{
    const piece own = piece_of(run, f, part);
    const uint64_t element = td_element_bytes(f->element), size = own.count * element;
    uint8_t *bytes = NULL;
    if (own.count == 0 || (run->part != 0 && run->part != part)) {
        return TD_OK;
    }
    TRY(td_allocate(&bytes, size, 1, error, "--dump"));
    td_status status = TD_OK;
    if (run->part == part) {
        status = fetch(run, element, b, &own, bytes, error);
    } else {
        td_ranks_receive(b->engine->ranks, part, bytes, size);
    }
    if (status == TD_OK && run->part > 0) {
        td_ranks_send(b->engine->ranks, 0, bytes, size);
    } else if (status == TD_OK) {
        fwrite(bytes, 1, size, file->stream);
    }
    free(bytes);
    return status;
}

td_status td_dump_write(td_new_file *file, const td_run *run, td_buffers *b, td_error *error)
{
    const form f = form_of(run);
    if (run->part == 0) {
        begin_file(file, run, &f, 0);
    }
    for (uint32_t part = 0; part == 0 || part < run->parts; part++) {
        TRY(dump_part(file, run, &f, part, b, error));
    }
    return run->part == 0 ? td_new_file_commit(file, error) : TD_OK; /* sees failed writes */
}

/* ---- a stack of states ---- */

/* Launch the next steps of a run from the state at *now, which moves on. The first step never writes the buffer that it
 * reads. */
static td_status advance(td_execution *e, uint32_t steps, const td_buffers *b, const void **now,
                         td_error *error)
{
    const int first = *now == b->output[0].output ? 1 : 0;
    e->data.input = *now;
    e->double_buffer[0] = b->output[first].output;
    e->double_buffer[1] = b->output[1 - first].output;
    e->generations = steps;
    e->steps = td_ceil_div(steps, e->per_launch);
    *now = e->double_buffer[(e->steps + 1) % 2];
    return b->engine->ops->launch(b->engine, e, error);
}

static td_status write_states(td_new_file *file, uint32_t every, const td_run *run,
                              td_execution *execution, const td_buffers *b, td_error *error)
{
    const form f = form_of(run);
    const uint64_t bytes = f.count * td_element_bytes(f.element);
    const uint32_t last = td_workload_steps(run->workload, &run->problem);
    const void *now = b->input;
    uint32_t steps = 0;
    uint8_t *state;
    td_status status = td_allocate(&state, bytes, 1, error, "--dump");
    begin_file(file, run, &f, td_ceil_div(last, every) + 1);
    while (status == TD_OK) {
        td_engine_beat(b->engine);
        status = download_state(b, now, state, error);
        if (status != TD_OK || fwrite(state, 1, bytes, file->stream) < bytes || steps == last) {
            break;
        }
        const uint32_t more = last - steps < every ? last - steps : every;
        status = advance(execution, more, b, &now, error);
        steps += more;
    }
    free(state);
    return status == TD_OK ? td_new_file_commit(file, error) : status; /* sees failed writes */
}

td_status td_dump_states(td_new_file *file, uint32_t every, const td_run *run, td_buffers *buffers,
                         td_error *error)
{
    td_plan plan = {0};
    td_status status = td_plan_for(buffers->engine, run, true, &plan, error);
    if (status == TD_OK) {
        td_execution execution = td_execution_of(buffers, run, &plan);
        status = write_states(file, every, run, &execution, buffers, error);
    }
    td_plan_release(buffers->engine, &plan);
    return status;
}
