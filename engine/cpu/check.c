/* check.c - what a verification does on the host's cores: it visits every cell, and counts where a map sends blocks. */
#include "cpu.h"

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

/* The cells that a verification visits, and what it does with them. */
typedef struct visit {
    const td_workload *workload;
    const td_data *data;
    enum { CHECK, REFERENCE, POISON } task;
    td_cpu_checks checks;
    const td_cells *cells; /* of an automaton in 2D, stored in this way; NULL for other workloads */
    td_storage storage;
    td_width width;
    td_share share;
    bool solid, fills_square, is_untouched_outside;
} visit;

static visit visit_of(td_engine *engine, const td_workload *workload, const td_data *data)
{
    visit v = {.workload = workload,
               .data = data,
               .checks = workload->own != NULL ? *workload->own->checks
                                               : checks[td_workload_id(workload)],
               .share = td_engine_share(engine, data->n),
               .solid = workload->dimension == 3,
               .fills_square = td_workload_fills_square(workload, data),
               .is_untouched_outside = td_workload_is_untouched_outside(workload, data)};
    if (workload->automaton != NULL && !v.solid) {
        v.cells = workload->automaton->cells;
        v.storage = td_techniques[workload->automaton->variant->technique].storage;
        v.width = workload->automaton->variant->cell;
    }
    return v;
}

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

static void check_cell(const visit *v, uint32_t x, uint32_t y, uint32_t z, td_check_counts *counts)
{
    if (td_is_padding(v->data, y, x)) {
        return;
    }
    const td_verdict verdict = v->cells != NULL
                                   ? td_check(v->data, y, x, v->cells, v->storage, v->width)
                               : v->solid ? v->checks.check_3d(v->data, x, y, z)
                                          : v->checks.check(v->data, y, x);
    const td_check_counts one = {.checked = 1,
                                 .found = verdict.found,
                                 .mismatches = !verdict.ok,
                                 .max_abs_error = verdict.error,
                                 .first_wrong = verdict.ok ? 0 : td_cell_number(x, y, z) + 1};
    add_counts(counts, &one);
}

static void advance_cell(const visit *v, uint32_t x, uint32_t y, uint32_t z)
{
    if (v->cells == NULL) {
        (v->task == POISON ? v->checks.paint_3d : v->checks.reference_3d)(v->data, x, y, z);
    } else if (v->task == POISON) {
        td_paint(v->data, y, x, v->cells, v->storage, v->width);
    } else {
        v->cells->reference(v->data, y, x);
    }
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

/* Bytes right of the domain in a row of `end` cells of the full layout that no longer hold the poison; of an automaton,
 * stored cells before the row that are alive. */
static uint64_t touched_beside(const visit *v, uint32_t y, uint32_t z, uint32_t end)
{
    const td_data *data = v->data;
    const uint8_t *output = data->output;
    uint64_t touched = 0;
    if (v->is_untouched_outside) {
        const size_t element = td_element_bytes(v->workload->element);
        const uint64_t start = ((uint64_t)z * data->n + y) * data->n + end;
        return count_other(output + start * element, td_workload_poison(v->workload),
                           (data->n - end) * element);
    }
    if (v->cells != NULL) {
        const td_elements outside = td_outside_before(data, y, v->cells, v->storage, v->width);
        for (uint64_t at = outside.begin; at < outside.end; at++) {
            touched += td_stored_state(output, at, v->cells, v->width) != 0;
        }
    }
    return touched;
}

/* The cells of a row, in 2D of layer 0. */
static uint32_t row_end(const visit *v, uint32_t y, uint32_t z)
{
    return v->solid                          ? (y <= z ? z - y + 1 : 0)
           : y == v->data->n                 ? 0 /* of an automaton: see td_outside_before */
           : v->data->batch > 0              ? v->data->batch
           : v->fills_square                 ? v->data->n
           : v->workload->traits.no_diagonal ? y
                                             : y + 1;
}

/* Visit the cells of a row. */
static void visit_row(const visit *v, uint32_t y, uint32_t z, td_check_counts *counts)
{
    const uint32_t end = row_end(v, y, z);
    for (uint32_t x = 0; x < end; x++) {
        if (v->task == CHECK) {
            check_cell(v, x, y, z, counts);
        } else {
            advance_cell(v, x, y, z);
        }
    }
    if (v->task == CHECK) {
        counts->touched_outside += touched_beside(v, y, z, end);
    }
}

/* Visit the rows of a domain; in 3D layer by layer, the longest first, with rows that have no cells if something may
 * have been written there. */
static void visit_rows(td_engine *engine, const visit *v, td_check_counts *counts)
{
    const uint32_t n = v->data->n, first = v->solid ? 0 : v->share.first_row;
    const bool checks_after = v->task == CHECK && v->cells != NULL && v->share.end_row == n;
    const uint32_t end = v->share.end_row + checks_after;
#pragma omp parallel num_threads(td_cpu_team(engine, n))
    {
        td_check_counts mine = {0};
#pragma omp for schedule(dynamic, 1)
        for (uint32_t k = first; k < end; k++) {
            const uint32_t at = first + end - 1 - k, rows = v->is_untouched_outside ? n : at + 1;
            for (uint32_t y = 0; v->solid && y < rows; y++) {
                visit_row(v, y, at, &mine);
            }
            if (!v->solid) {
                visit_row(v, at, 0, &mine);
            }
        }
#pragma omp critical
        add_counts(counts, &mine);
    }
}

td_status td_cpu_check_cells(td_engine *engine, const td_workload *workload, const td_data *data,
                             td_check_counts *counts, td_error *error)
{
    (void)error;
    const visit v = visit_of(engine, workload, data);
    visit_rows(engine, &v, counts);
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

/* Run the cells themselves; those that add up in order, so that sums are the same every time. */
static void run_plain(td_engine *engine, const visit *v)
{
#pragma omp parallel for schedule(dynamic, 1)                                                      \
    num_threads(v->workload->traits.from_zero ? 1 : td_cpu_team(engine, v->data->n))
    for (uint32_t row = v->share.first_row; row < v->share.end_row; row++) { /* in 3D, a layer */
        const uint32_t end = v->workload->traits.no_diagonal ? row : row + 1;
        v->workload->own->loop(v->data, row, 0, end);
    }
}

td_status td_cpu_for_each_cell(td_engine *engine, const td_workload *workload, td_cell_task task,
                               const td_data *data, td_error *error)
{
    visit v = visit_of(engine, workload, data);
    td_check_counts none = {0};
    v.task = task == TD_TASK_POISON ? POISON : REFERENCE;
    if (task == TD_TASK_PLAIN) {
        run_plain(engine, &v);
        return TD_OK;
    }
    if (v.cells == NULL && v.checks.reference_3d == NULL) {
        return td_fail(error, TD_FAILED, "%s does not advance in steps", workload->name);
    }
    visit_rows(engine, &v, &none);
    return TD_OK;
}

/* ---- coverage: blocks that count visits, in place of a workload ---- */

static td_tile answer(const td_strategy *strategy, const td_launch *launch, uint64_t number)
{
    if (strategy->unit == TD_MAPS_BLOCKS) {
        return strategy->block_map(launch, td_nth_block(launch, number));
    }
    const uint32_t threads = launch->block.x * launch->block.y * launch->block.z;
    const td_thread thread = {td_nth_block(launch, number / threads),
                              td_nth_thread(launch, (uint32_t)(number % threads))};
    const td_cell cell = strategy->thread_map(launch, thread);
    return td_tile_at(cell.col, cell.row, cell.active);
}

td_status td_cpu_ask(td_engine *engine, const td_strategy *strategy, const td_launch *launch,
                     const uint64_t *numbers, uint64_t count, td_tile *tiles, td_error *error)
{
    (void)error;
#pragma omp parallel for num_threads(td_cpu_team(engine, count)) schedule(static)
    for (uint64_t i = 0; i < count; i++) {
        tiles[i] = answer(strategy, launch, numbers[i]);
    }
    return TD_OK;
}

/* Count a visit of each place of an answer. Whether it is inside of the domain. */
static bool count_visits(const td_launch *launch, int dimension, td_tile tile, uint32_t *visits)
{
    if (!tile.active) {
        return true;
    }
    const uint32_t tiles = td_tiles_inside(dimension, launch, tile);
    for (uint32_t k = 0; k < tiles; k++) {
        const uint64_t place =
            td_place(dimension, launch->n, td_nth_tile(dimension, launch, tile, k));
        if (place == UINT64_MAX) {
            return false;
        }
        __atomic_fetch_add(&visits[place], 1, __ATOMIC_RELAXED);
    }
    return true;
}

static void cover(const td_strategy *s, const td_plan *plan, size_t which, uint32_t *visits,
                  td_engine *engine, td_coverage *coverage)
{
    enum { PER_THREAD = 4096, PER_BEAT = 1 << 20 };
    const td_launch launch = plan->launches[which];
    const uint64_t asked = td_asked_count(s->unit == TD_MAPS_THREADS, &launch);
    uint64_t outside = 0, first = UINT64_MAX;
    for (uint64_t begin = 0; begin < asked; begin += PER_BEAT) {
        const uint64_t end = asked - begin < PER_BEAT ? asked : begin + PER_BEAT;
        if (begin > 0) {
            td_engine_beat(engine);
        }
#pragma omp parallel for num_threads(td_cpu_team(engine, (end - begin) / PER_THREAD + 1)) \
    schedule(static) reduction(+ : outside) reduction(min : first)
        for (uint64_t i = begin; i < end; i++) {
            if (!count_visits(&launch, s->dimension, answer(s, &launch, i), visits)) {
                outside++;
                first = i < first ? i : first;
            }
        }
    }
    if (coverage->outside == 0 && outside > 0) {
        coverage->outside_launch = which;
        coverage->first_outside = first;
    }
    coverage->outside += outside;
    coverage->asked += asked;
}

td_status td_cpu_coverage(td_engine *engine, const td_strategy *strategy, const td_plan *plan,
                          uint32_t *visits, uint64_t places, td_coverage *coverage, td_error *error)
{
    uint64_t wrong = 0, first = UINT64_MAX, missing = UINT64_MAX;
    TRY(td_cpu_ops.fill(engine, visits, 0, places * sizeof *visits, error));
    *coverage = (td_coverage){0};
    for (size_t i = 0; i < plan->count; i++) {
        cover(strategy, plan, i, visits, engine, coverage);
    }
#pragma omp parallel for num_threads(td_cpu_team(engine, places)) schedule(static) reduction(+ : wrong) \
    reduction(min : first, missing)
    for (uint64_t p = 0; p < places; p++) {
        wrong += visits[p] != 1;
        first = visits[p] != 1 && p < first ? p : first;
        missing = visits[p] == 0 && p < missing ? p : missing;
    }
    coverage->wrong = wrong;
    coverage->first_wrong = first;
    coverage->first_missing = missing;
    return TD_OK;
}
