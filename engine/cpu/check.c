/* check.c - what a verification does on the host's cores: it visits every cell, and counts where a map sends blocks. */
#include "cpu.h"

#include <omp.h>

#include "engine/core/error.h"
#include "engine/core/own.h"
#include "workloads/automata/state/cells.h"
#include "workloads/workloads.h"

/* clang-format off */
#define CHECK(w, member) [TD_WORKLOAD_##w] = {.member = td_##w##_check},
#define STEPS_3D(w, A)                                                                             \
    [TD_WORKLOAD_##w] = {.check_3d = td_##w##_check,                                               \
                         .reference_3d = td_##w##_reference,                                       \
                         .paint_3d = td_##w##_paint},
static const td_cpu_checks checks[TD_WORKLOAD_COUNT] = {
    TD_PLAIN_2D(CHECK, check) TD_PLAIN_3D(CHECK, check_3d) TD_STEPS_3D(STEPS_3D, )
};
/* clang-format on */

/* ---- rows of cells ---- */

/* The cells that a verification visits. */
typedef struct visit {
    const td_workload *workload;
    const td_data *data;
    td_cpu_checks checks;
    const td_cells *cells; /* of an automaton in 2D, stored in this way; NULL for other workloads */
    td_storage storage;
    td_width width;
    td_share share;
    bool fills_square, is_untouched_outside;
    td_cell_task task; /* of do_task */
} visit;

static visit visit_of(td_engine *engine, const td_workload *workload, const td_data *data)
{
    visit v = {.workload = workload,
               .data = data,
               .checks = workload->own != NULL ? *workload->own->checks
                                               : checks[td_workload_id(workload)],
               .share = td_engine_share(engine, data->n),
               .fills_square = td_workload_fills_square(workload, data),
               .is_untouched_outside = td_workload_is_untouched_outside(workload, data)};
    if (workload->automaton != NULL && workload->dimension == 2) {
        v.cells = workload->automaton->cells;
        v.storage = td_techniques[workload->automaton->variant->technique].storage;
        v.width = workload->automaton->variant->cell;
    }
    return v;
}

/* A row of cells, in 2D of layer 0: all of them, and those of this process. */
typedef struct row {
    uint32_t y, z, end;
    uint32_t first, last;
} row;

static row row_of(const visit *v, uint32_t y, uint32_t z)
{
    row r = {.y = y, .z = z};
    if (v->workload->dimension == 3) {
        r.end = r.last = y <= z ? z - y + 1 : 0;
        return r;
    }
    r.end = y == v->data->n                   ? 0 /* of an automaton: see td_outside_before */
            : v->fills_square                 ? v->data->n
            : v->workload->traits.no_diagonal ? y
                                              : y + 1;
    r.first = td_share_begin(&v->share, y, r.end);
    r.last = td_share_end(&v->share, y, r.end);
    return r;
}

typedef void row_fn(const visit *v, const row *r, td_check_counts *counts);

static void add_counts(td_check_counts *sum, const td_check_counts *part)
{
    sum->checked += part->checked;
    sum->mismatches += part->mismatches;
    sum->touched_outside += part->touched_outside;
    sum->found += part->found;
    if (part->first_wrong != 0 && (sum->first_wrong == 0 || part->first_wrong < sum->first_wrong)) {
        sum->first_wrong = part->first_wrong;
    }
    sum->max_abs_error =
        part->max_abs_error > sum->max_abs_error ? part->max_abs_error : sum->max_abs_error;
}

/* Visit the rows of a domain; in 3D layer by layer, the longest first, with rows that have no cells if `square`. */
static void visit_rows(td_engine *engine, const visit *v, uint32_t end_row, bool square,
                       row_fn *each, td_check_counts *counts)
{
    const bool solid = v->workload->dimension == 3;
    const uint32_t n = v->data->n, first = solid ? 0 : v->share.first_row;
#pragma omp parallel num_threads(td_cpu_team(engine, n))
    {
        td_check_counts mine = {0};
#pragma omp for schedule(dynamic, 1)
        for (uint32_t k = first; k < end_row; k++) {
            const uint32_t at = first + end_row - 1 - k, rows = square ? n : at + 1;
            for (uint32_t y = solid ? 0 : at; y < (solid ? rows : at + 1); y++) {
                const row r = row_of(v, y, solid ? at : 0);
                each(v, &r, &mine);
            }
        }
#pragma omp critical
        add_counts(counts, &mine);
    }
}

/* ---- checks ---- */

static void add_verdict(td_check_counts *counts, td_verdict verdict, uint64_t cell)
{
    const td_check_counts one = {.checked = 1,
                                 .found = verdict.found,
                                 .mismatches = !verdict.ok,
                                 .max_abs_error = verdict.error,
                                 .first_wrong = verdict.ok ? 0 : cell + 1};
    add_counts(counts, &one);
}

/* The number of bytes that differ from `byte`. */
static uint64_t count_other(const uint8_t *bytes, uint8_t byte, uint64_t count)
{
    uint64_t other = 0;
    for (uint64_t i = 0; i < count; i++) {
        other += bytes[i] != byte;
    }
    return other;
}

/* Bytes right of the domain in a row of the full layout that no longer hold the poison; of an automaton, stored cells
 * before the row that are alive. */
static uint64_t touched_beside(const visit *v, const row *r)
{
    const td_data *data = v->data;
    const uint8_t *output = data->output;
    uint64_t touched = 0;
    if (v->is_untouched_outside) {
        const size_t element = td_element_bytes(v->workload->element);
        const uint64_t start = ((uint64_t)r->z * data->n + r->y) * data->n + r->end;
        return count_other(output + start * element, td_workload_poison(v->workload),
                           (data->n - r->end) * element);
    }
    if (v->cells != NULL) {
        const td_elements outside = td_outside_before(data, r->y, v->cells, v->storage, v->width);
        for (uint64_t at = outside.begin; at < outside.end; at++) {
            touched += td_stored_state(output, at, v->cells, v->width) != 0;
        }
    }
    return touched;
}

static void check_row(const visit *v, const row *r, td_check_counts *counts)
{
    for (uint32_t x = r->first; x < r->last; x++) {
        const td_verdict verdict =
            v->cells != NULL ? td_check(v->data, r->y, x, v->cells, v->storage, v->width)
            : v->checks.check_3d != NULL ? v->checks.check_3d(v->data, x, r->y, r->z)
                                         : v->checks.check(v->data, r->y, x);
        add_verdict(counts, verdict, td_cell_number(x, r->y, r->z));
    }
    counts->touched_outside += touched_beside(v, r);
}

td_status td_cpu_check_cells(td_engine *engine, const td_workload *workload, const td_data *data,
                             td_check_counts *counts, td_error *error)
{
    (void)error;
    const visit v = visit_of(engine, workload, data);
    const uint32_t after = v.cells != NULL && v.share.end_row == data->n;
    visit_rows(engine, &v, v.share.end_row + after, v.is_untouched_outside, check_row, counts);
    return TD_OK;
}

td_status td_cpu_count_other(td_engine *engine, const void *memory, uint8_t byte, uint64_t bytes,
                             uint64_t *count, td_error *error)
{
    (void)engine;
    (void)error;
    *count = count_other(memory, byte, bytes);
    return TD_OK;
}

/* ---- tasks ---- */

static void do_task(const visit *v, const row *r, td_check_counts *counts)
{
    const bool poison = v->task == TD_TASK_POISON;
    td_cell3_fn *const cell = poison ? v->checks.paint_3d : v->checks.reference_3d;
    (void)counts;
    for (uint32_t x = r->first; x < r->last; x++) {
        if (v->cells == NULL) {
            cell(v->data, x, r->y, r->z);
        } else if (poison) {
            td_paint(v->data, r->y, x, v->cells, v->storage, v->width);
        } else {
            v->cells->reference(v->data, r->y, x);
        }
    }
}

td_status td_cpu_for_each_cell(td_engine *engine, const td_workload *workload, td_cell_task task,
                               const td_data *data, td_error *error)
{
    visit v = visit_of(engine, workload, data);
    td_check_counts none = {0};
    v.task = task;
    if (v.cells == NULL && v.checks.reference_3d == NULL) {
        return td_fail(error, TD_FAILED, "%s does not advance in steps", workload->name);
    }
    visit_rows(engine, &v, v.share.end_row, false, do_task, &none);
    return TD_OK;
}

/* ---- coverage ---- */

/* The tile of one block, or the cell of one thread as a tile. */
static td_tile tile_of(const td_strategy *s, const td_launch *launch, td_dim3 block,
                       uint32_t thread)
{
    if (s->unit == TD_MAPS_BLOCKS) {
        return s->block_map(launch, block);
    }
    const td_thread t = {block, td_nth_thread(launch, thread)};
    const td_cell cell = s->thread_map(launch, t);
    return (td_tile){cell.col, cell.row, 0, cell.active};
}

/* Count the visit; false when it is outside the domain. */
static bool count_tile(const td_strategy *s, const td_launch *launch, td_tile tile,
                       uint32_t *visits)
{
    if (td_place(s->dimension, launch->n, tile) == UINT64_MAX) {
        return false;
    }
    const uint32_t end = tile.x + (s->dimension == 3 ? td_tile_columns(launch, tile) : 1);
    for (; tile.x < end; tile.x++) {
        __atomic_fetch_add(&visits[td_place(s->dimension, launch->n, tile)], 1, __ATOMIC_RELAXED);
    }
    return true;
}

static void cover_launch(const td_strategy *s, const td_launch *launch, uint32_t *visits,
                         td_coverage *coverage)
{
    const uint32_t threads =
        s->unit == TD_MAPS_BLOCKS ? 1 : launch->block.x * launch->block.y * launch->block.z;
    const uint64_t blocks = td_launch_blocks(launch);
    uint64_t outside = 0;
#pragma omp parallel for schedule(static) reduction(+ : outside)
    for (uint64_t b = 0; b < blocks; b++) {
        const td_dim3 block = td_nth_block(launch, b);
        for (uint32_t t = 0; t < threads; t++) {
            const td_tile tile = tile_of(s, launch, block, t);
            outside += tile.active && !count_tile(s, launch, tile, visits);
        }
    }
    coverage->outside += outside;
    coverage->asked += blocks * threads;
}

td_status td_cpu_coverage(td_engine *engine, const td_strategy *strategy, const td_plan *plan,
                          uint32_t *visits, uint64_t places, td_coverage *coverage, td_error *error)
{
    uint64_t wrong = 0, first = UINT64_MAX;
    TRY(td_cpu_ops.fill(engine, visits, 0, places * sizeof *visits, error));
    omp_set_num_threads(td_cpu_team(engine, places));
    *coverage = (td_coverage){0};
    for (size_t i = 0; i < plan->count; i++) {
        cover_launch(strategy, &plan->launches[i], visits, coverage);
    }
#pragma omp parallel for schedule(static) reduction(+ : wrong) reduction(min : first)
    for (uint64_t p = 0; p < places; p++) {
        if (visits[p] != 1) {
            wrong++;
            first = p < first ? p : first;
        }
    }
    coverage->wrong = wrong;
    coverage->first_wrong = first;
    return TD_OK;
}
