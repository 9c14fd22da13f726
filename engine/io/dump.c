#include "dump.h"

#include <stdlib.h>
#include <string.h>

#include "automaton_state.h"
#include "engine/core/error.h"
#include "engine/prepare/planning.h"
#include "npy.h"
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
    return (form){w->element, w->traits.has_layouts && problem->layout == TD_FULL,
                  problem->layout == TD_BLOCKED ? td_workload_cells(w, problem)
                                                : td_workload_output_elements(w, problem)};
}

/* Write the header of one output, or of a stack of `states`. Returns the place of the first element. */
static uint64_t begin_file(td_new_file *file, const td_run *run, const form *f, uint32_t states)
{
    const uint64_t n = run->problem.n, shape[4] = {states, f->is_full ? n : f->count, n, n};
    const uint32_t stacked = states > 0 ? 1 : 0;
    return td_npy_begin(file, td_element_numpy(f->element),
                        stacked + (f->is_full ? (uint32_t)run->workload->dimension : 1),
                        shape + 1 - stacked);
}

/* ---- pieces of a part ---- */

enum { PIECE_BYTES = 64 << 20 };

/* A part of the output, as stored in the file. */
typedef struct part {
    td_run run; /* as the process of this part sees it */
    td_share share;
    bool is_state;
    form form;
    uint64_t element; /* [bytes] */
} part;

/* A contiguous range of the file's elements of one part: those of rows [first_row, end_row). */
typedef struct piece {
    uint32_t first_row, end_row;
    uint64_t first, end;
} piece;

static part part_of(const td_run *run, uint32_t index)
{
    part p = {.run = *run};
    p.run.part = index;
    p.share = td_run_share(&p.run);
    p.is_state = run->workload->automaton != NULL;
    p.form = form_of(run);
    p.element = td_element_bytes(p.form.element);
    return p;
}

static uint64_t row_start(const part *p, uint32_t row)
{
    td_data data = {0};
    if (p->is_state) {
        return td_triangle(row);
    }
    td_workload_setup(p->run.workload, &p->run.problem, &data);
    return td_row_start(&data, row);
}

/* The elements of a row. In the full layout, the part that has the row's last cell also has what follows it. */
static piece row_piece(const part *p, uint32_t row)
{
    const uint32_t cells = p->run.workload->traits.no_diagonal ? row : row + 1;
    const uint32_t begin = td_share_begin(&p->share, row, cells);
    const uint32_t last = td_share_end(&p->share, row, cells);
    const uint64_t start = row_start(p, row);
    piece one = {row, row + 1, start + begin, start + last};
    if (p->form.is_full && last == cells) {
        one.end = start + p->run.problem.n;
    }
    return one;
}

/* The piece that starts with a row. It takes in more rows, up to PIECE_BYTES, as long as nothing lies between them. A
 * domain that is not cut is one piece. */
static piece piece_from(const part *p, uint32_t row)
{
    if (p->run.parts <= 1) {
        return (piece){0, p->run.problem.n, 0, p->form.count};
    }
    piece all = row_piece(p, row);
    while (all.end_row < p->share.end_row && (all.end - all.first) * p->element < PIECE_BYTES) {
        const piece next = row_piece(p, all.end_row);
        if (next.first != all.end) {
            break;
        }
        all.end = next.end;
        all.end_row = next.end_row;
    }
    return all;
}

/* ---- from the engine ---- */

static td_status fetch_state(td_buffers *b, const piece *rows, uint8_t *bytes, td_error *error)
{
    td_problem problem = b->problem;
    problem.first_row = rows->first_row;
    problem.end_row = rows->end_row;
    const uint64_t first = td_row_bytes(b->workload, &problem, rows->first_row);
    const uint64_t end = rows->end_row < problem.n
                             ? td_row_bytes(b->workload, &problem, rows->end_row)
                             : b->stored.end;
    return td_state_rows(b, &problem, td_buffers_result(b), first, end - first,
                         (uint8_t *)((uintptr_t)bytes - rows->first), error);
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

static td_status fetch(const part *p, td_buffers *b, const piece *rows, uint8_t *bytes,
                       td_error *error)
{
    const uintptr_t from = (uintptr_t)td_buffers_result(b);
    if (p->is_state) {
        return p->run.parts > 1 ? fetch_state(b, rows, bytes, error)
                                : td_state_download(b, (const void *)from, bytes, error);
    }
    if (p->run.problem.layout == TD_BLOCKED) {
        return fetch_blocked(b, bytes, error);
    }
    return b->engine->ops->download(b->engine, bytes,
                                    (const void *)(from + rows->first * p->element),
                                    (rows->end - rows->first) * p->element, error);
}

/* ---- to the file ---- */

static void write_piece(td_new_file *file, const part *p, uint64_t data_at, const piece *rows,
                        const uint8_t *bytes)
{
    if (!file->straight) { /* a failure of either call stays in the stream, and the commit sees it */
        (void)fseeko(file->stream, (off_t)(data_at + rows->first * p->element), SEEK_SET);
    }
    fwrite(bytes, p->element, rows->end - rows->first, file->stream);
}

/* Move all pieces of one rank into the file: that rank sends them, and rank 0 receives and writes them. Rank 0 writes
 * its own. */
static td_status dump_part(td_new_file *file, uint64_t data_at, const part *p, uint32_t own_rank,
                           td_buffers *b, td_error *error)
{
    td_ranks *ranks = b->engine->ranks;
    td_status status = TD_OK;
    for (uint32_t row = p->share.first_row; status == TD_OK && row < p->share.end_row;) {
        const piece rows = piece_from(p, row);
        const uint64_t size = (rows.end - rows.first) * p->element;
        uint8_t *bytes = NULL;
        TRY(td_allocate(&bytes, size, 1, error, "--dump"));
        if (p->run.part == own_rank) {
            status = fetch(p, b, &rows, bytes, error);
        } else {
            td_ranks_receive(ranks, p->run.part, bytes, size);
        }
        if (status == TD_OK && own_rank == 0) {
            write_piece(file, p, data_at, &rows, bytes);
        } else if (status == TD_OK) {
            td_ranks_send(ranks, 0, bytes, size);
        }
        free(bytes);
        row = rows.end_row;
    }
    return status;
}

/* Rank 0, which owns the file, writes what the others send, part by part. */
td_status td_dump_write(td_new_file *file, const td_run *run, td_buffers *b, td_error *error)
{
    const part own = part_of(run, run->part);
    td_status status = TD_OK;
    if (run->parts > 1) {
        const bool cut = run->part == 0 && file->straight && run->partition == TD_BY_BLOCKS;
        status =
            cut ? td_fail(error, TD_USAGE,
                          "--dump: a partition by blocks is not contiguous: expected a file, got "
                          "a pipe")
                : TD_OK;
        TRY(td_ranks_agree(b->engine->ranks, status, error));
    }
    if (run->part != 0) {
        return dump_part(file, 0, &own, run->part, b, error);
    }
    const uint64_t data_at = begin_file(file, run, &own.form, 0);
    for (uint32_t index = 0; status == TD_OK && (index == 0 || index < run->parts); index++) {
        const part p = part_of(run, index);
        status = dump_part(file, data_at, &p, 0, b, error);
    }
    return status == TD_OK ? td_new_file_commit(file, error) : status; /* sees failed writes */
}

/* ---- a stack of states ---- */

/* A run that is repeated piece by piece, from one state of the stack to the next. */
typedef struct replay {
    td_new_file *file;
    td_buffers *buffers;
    td_execution execution;
    const void *now; /* where the state after `steps` steps lies */
    uint32_t steps;
    uint64_t bytes; /* of a state in the file */
    uint8_t *state;
} replay;

static td_status write_state(replay *r, td_error *error)
{
    td_engine_beat(r->buffers->engine);
    TRY(td_state_download(r->buffers, r->now, r->state, error));
    return fwrite(r->state, 1, r->bytes, r->file->stream) == r->bytes
               ? TD_OK
               : td_new_file_commit(r->file, error); /* which says what went wrong */
}

/* Advance from buffer to buffer. The first step never writes the buffer that it reads. */
static td_status advance(replay *r, uint32_t steps, td_error *error)
{
    const td_buffers *b = r->buffers;
    const int first = r->now == b->output[0].output ? 1 : 0;
    r->execution.data.input = r->now;
    r->execution.double_buffer[0] = b->output[first].output;
    r->execution.double_buffer[1] = b->output[1 - first].output;
    r->execution.generations = steps;
    r->execution.steps = td_ceil_div(steps, r->execution.per_launch);
    TRY(b->engine->ops->launch(b->engine, &r->execution, error));
    r->now = r->execution.double_buffer[(r->execution.steps - 1) % 2];
    r->steps += steps;
    return TD_OK;
}

static td_status write_states(replay *r, uint32_t last, uint32_t every, td_error *error)
{
    TRY(write_state(r, error));
    while (r->steps < last) {
        const uint32_t left = last - r->steps;
        TRY(advance(r, left < every ? left : every, error));
        TRY(write_state(r, error));
    }
    return td_new_file_commit(r->file, error);
}

td_status td_dump_states(td_new_file *file, uint32_t every, const td_run *run, td_buffers *buffers,
                         td_error *error)
{
    const form f = form_of(run);
    const uint32_t last = td_workload_steps(run->workload, &run->problem);
    td_plan plan = {0};
    replay r = {.file = file,
                .buffers = buffers,
                .now = buffers->input,
                .bytes = f.count * td_element_bytes(f.element)};
    td_status status = td_plan_for(buffers->engine, run, true, &plan, error);
    if (status == TD_OK) {
        status = td_allocate(&r.state, r.bytes, 1, error, "--dump");
    }
    if (status == TD_OK) {
        r.execution = td_execution_of(buffers, run, &plan);
        begin_file(file, run, &f, td_ceil_div(last, every) + 1);
        status = write_states(&r, last, every, error);
    }
    free(r.state);
    td_plan_release(buffers->engine, &plan);
    return status;
}
