#include "sweep.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "compatibility.h"
#include "draft.h"
#include "engine/engine.h"
#include "key.h"

enum { MAX_RUNS = 1000000 };

/* What became of a strategy's runs of a workload, or of those of the baseline. */
typedef struct outcome {
    bool works;               /* at least one of them */
    char why[TD_REASON_SIZE]; /* why the first that cannot work cannot; empty: all can */
} outcome;

typedef struct maker {
    const td_options *options;
    const td_input *input;
    td_sweep *sweep;
    td_error *error;
    td_draft draft; /* what the runs of the group in the making share */
    const td_choice *workload;
    outcome *outcomes;  /* of the strategies with the workload, and of the baseline */
    size_t first, last; /* of the strategies of each group */
    bool is_open;       /* some values are `all`: combinations that cannot work are left out */
    void *keys;         /* of the runs, a tree of tsearch: two spellings of a value make one run */
    char why[TD_REASON_SIZE]; /* why the first combination that was left out cannot work */
} maker;

/* ---- one run ---- */

/* A --tile larger than the block uses the workload's own tile kernel if that takes it, unless --kernel is given. */
static bool prefers_tiles(const td_draft *d, const td_run *run)
{
    return d->kernel == TD_CHOOSE_AUTO && d->tile_is_given && run->schedule == TD_SCHEDULE_GRID &&
           run->strategy->unit == TD_MAPS_BLOCKS && run->strategy->tree == NULL &&
           !run->strategy->by_rows &&
           td_workload_takes_tile(run->workload, run->tile, run->block) &&
           (!run->workload->tiles->halves || run->tile >= run->workload->tiles->side) &&
           !td_strategy_tile_is_block(run->strategy, run->tile, run->width, run->block);
}

/* The values of a strategy's own setting, each of which is a run: one if it has none. */
static td_shapes values_of(const td_options *o, const td_strategy *strategy)
{
    static td_shape usual[] = {{.x = 0}}, searched[] = {{.x = 4},  {.x = 8}, {.x = 16},
                                                        {.x = 32}, {.x = 1}, {.x = UINT32_MAX}};
    const bool has_groups = strategy->usual_group > 0;
    return strategy->uses_cutoff               ? o->cutoffs
           : has_groups && o->groups.count > 0 ? o->groups
           : has_groups && o->tune ? (td_shapes){searched, strategy->by_rows ? 6 : 4, false}
                                   : (td_shapes){usual, 1, false};
}

/* Likewise the orders, a bit for each. */
static uint32_t orders_of(const td_options *o, const td_strategy *strategy)
{
    const uint32_t orders = o->orders | (o->table != NULL ? 1u << TD_ORDER_GIVEN : 0);
    return strategy->looks_rows_up && orders != 0 ? orders : 1;
}

static td_run run_of(const maker *m, const td_strategy *strategy, uint32_t value, td_order order)
{
    const td_draft *d = &m->draft;
    td_run run = d->run;
    run.strategy = strategy;
    run.cutoff = strategy->uses_cutoff ? value : 0;
    run.order = order;
    run.rows = order == TD_ORDER_GIVEN ? m->input->rows.numbers : NULL;
    run.row_count = m->input->rows.count;
    run.group = td_strategy_group(strategy, strategy->usual_group > 0 ? value : 0,
                                  td_workload_batch(run.workload, &run.problem));
    run.tile = run.tile != 0 ? run.tile : td_strategy_tile(strategy, run.block);
    run.problem.tile = run.tile;
    run.tiled = run.tiled || prefers_tiles(d, &run);
    td_key_make(m->options, m->input, d->block_fits == (run.workload->dimension == 3) ? 3 : 2,
                &run);
    return run;
}

static td_status no_memory(const maker *m)
{
    return td_fail(m->error, TD_NO_MEMORY, "not enough memory for the list of runs");
}

static int by_text(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* Remember a key. *is_new: no run had it, as another spelling of a value may have made one. */
static td_status note_key(maker *m, const char *key, bool *is_new)
{
    char *own = strdup(key);
    char **found = own != NULL ? tsearch(own, &m->keys, by_text) : NULL;
    *is_new = found != NULL && *found == own;
    if (!*is_new) {
        free(own);
    }
    return found != NULL ? TD_OK : no_memory(m);
}

/* is_extra: the run is made even if another group has one like it. */
static td_status add_run(maker *m, td_run *run, outcome *so_far, bool is_extra)
{
    td_sweep *sweep = m->sweep;
    bool is_new = true;
    if (td_compatibility_fails(m->options, &m->draft, run)) {
        memcpy(so_far->why, so_far->why[0] == '\0' ? run->skip : so_far->why, sizeof so_far->why);
    } else {
        so_far->works = true;
    }
    if (m->is_open && run->skip[0] != '\0') {
        memcpy(m->why, m->why[0] == '\0' ? run->skip : m->why, sizeof m->why);
        return TD_OK;
    }
    TRY(note_key(m, run->key, &is_new));
    if (!is_new && !is_extra) {
        return TD_OK;
    }
    if (sweep->run_count == MAX_RUNS) {
        return td_fail(m->error, TD_USAGE,
                       "the command line selects more than %d runs: shorten --n, --block or --tile",
                       MAX_RUNS);
    }
    return td_append(&sweep->runs, &sweep->run_count, sizeof *run, run) ? TD_OK : no_memory(m);
}

/* ---- one group ---- */

static const td_strategy *baseline_of(const td_options *o, int dimension)
{
    if (o->no_baseline || td_option_of_one_run(o) != NULL) {
        return NULL;
    }
    if (o->baseline == NULL) {
        return td_strategy_baseline(dimension);
    }
    return o->baseline->dimension == dimension ? o->baseline : NULL;
}

static td_status add_strategy(maker *m, size_t place, const td_strategy *baseline)
{
    const td_strategy *strategy = m->options->strategies[place].strategy;
    const td_shapes values = values_of(m->options, strategy);
    const uint32_t orders = orders_of(m->options, strategy);
    bool is_baseline = strategy == baseline; /* of several values the first */
    for (size_t i = 0; i < values.count * TD_ORDER_COUNT; i++) {
        const td_order order = (td_order)(i % TD_ORDER_COUNT);
        if (td_words_have(orders, (int)order)) {
            td_run run = run_of(m, strategy, values.shapes[i / TD_ORDER_COUNT].x, order);
            run.is_baseline = is_baseline;
            is_baseline = false;
            TRY(add_run(m, &run, &m->outcomes[place], false));
        }
    }
    return TD_OK;
}

/* A default baseline that cannot work is left out; one given by --baseline is listed with the reason. Another group may
 * have measured it, but these runs are compared with it here. */
static td_status add_baseline(maker *m, const td_strategy *baseline)
{
    const td_options *o = m->options;
    const td_order order = (td_order)td_words_first(orders_of(o, baseline));
    td_run run = run_of(m, baseline, values_of(o, baseline).shapes[0].x, order), tried = run;
    run.is_baseline = true;
    return o->baseline == NULL && td_compatibility_fails(o, &m->draft, &tried)
               ? TD_OK
               : add_run(m, &run, &m->outcomes[o->strategy_count], true);
}

/* A strategy of another dimension is meant for another workload, unless both were named and no workload of that name
 * has its dimension: that is an error. */
static bool belongs(const maker *m, const td_choice *choice)
{
    const td_workload *workload = m->draft.run.workload;
    const int dimension = choice->strategy->dimension;
    return dimension == workload->dimension ||
           (choice->by_name && m->workload->by_name &&
            td_workload_find(workload->name, dimension) == NULL);
}

/* Make a group of the runs from `start` on. Its pointer follows, see td_sweep_make. */
static td_status end_group(const maker *m, size_t start)
{
    td_sweep *sweep = m->sweep;
    const td_group group = {.count = sweep->run_count - start};
    return group.count == 0 || td_append(&sweep->groups, &sweep->group_count, sizeof group, &group)
               ? TD_OK
               : no_memory(m);
}

static td_status add_group(maker *m)
{
    td_sweep *sweep = m->sweep;
    const size_t start = sweep->run_count;
    const td_strategy *baseline =
        m->options->tune ? NULL : baseline_of(m->options, m->draft.run.workload->dimension);
    for (size_t i = m->first; i < m->last; i++) {
        TRY(belongs(m, &m->options->strategies[i]) ? add_strategy(m, i, baseline) : TD_OK);
    }
    bool has_baseline = baseline == NULL, can_run = false;
    for (size_t r = start; r < sweep->run_count; r++) {
        has_baseline |= sweep->runs[r].is_baseline;
        can_run |= sweep->runs[r].skip[0] == '\0';
    }
    TRY(!has_baseline && can_run ? add_baseline(m, baseline) : TD_OK);
    return m->options->tune ? TD_OK : end_group(m, start);
}

/* ---- the groups of one workload and N ---- */

/* Whether a kernel and a schedule are selected. Of `all`, auto is one of the others, and an engine without persistent
 * blocks or tile kernels would run some in the same way as others. */
static bool is_selected(const maker *m, int kernel, int schedule)
{
    const uint32_t kernels = m->options->kernels, schedules = m->options->schedules;
    const td_run *run = &m->draft.run;
    const bool differs = kernel != TD_CHOOSE_TILE || run->engine->can.tile_kernels ||
                         td_workload_only_tiles(run->workload) != NULL;
    return (td_words_have(kernels, kernel) ||
            (td_words_have(kernels, TD_CHOOSE_ALL) && kernel != TD_CHOOSE_AUTO && differs)) &&
           (td_words_have(schedules, schedule) ||
            (td_words_have(schedules, TD_SCHEDULE_ALL) &&
             (schedule == TD_SCHEDULE_GRID || run->engine->can.persistent)));
}

/* Add the groups of a kernel and a schedule. */
static td_status add_shapes(maker *m, int kernel, int schedule)
{
    const td_options *o = m->options;
    td_run *run = &m->draft.run;
    td_shape_list blocks, tiles;
    td_blocks_of(&o->blocks, run->workload->dimension, &blocks);
    td_tiles_of(&o->tiles, run->workload->dimension, run->problem.n, &tiles);
    m->draft.kernel = (td_kernel_choice)kernel;
    run->schedule = (td_schedule)schedule;
    run->tiled = td_workload_only_tiles(run->workload) != NULL ||
                 (run->workload->tiles != NULL && kernel == TD_CHOOSE_TILE);
    for (size_t b = 0; b < blocks.count; b++) {
        td_draft_set_block(&m->draft, &blocks.shapes[b], o->tiles.count > 0);
        for (size_t t = 0; t < tiles.count; t++) {
            td_draft_set_tile(&m->draft, &tiles.shapes[t]);
            TRY(add_group(m));
        }
    }
    return TD_OK;
}

/* Add the groups of all parameters, kernels and schedules, with the strategies that `m` has. */
static td_status add_combinations(maker *m, uint32_t n)
{
    const td_options *o = m->options;
    const td_workload *w = m->workload->workload;
    const size_t count = td_draft_combinations(o, w), start = m->sweep->run_count;
    for (size_t c = 0; c < count; c++) {
        td_draft_resolve(&m->draft, o, m->input, w, c, n);
        for (int way = 0; way < TD_CHOOSE_ALL * TD_SCHEDULE_ALL; way++) {
            const int kernel = way / TD_SCHEDULE_ALL, schedule = way % TD_SCHEDULE_ALL;
            TRY(is_selected(m, kernel, schedule) ? add_shapes(m, kernel, schedule) : TD_OK);
        }
    }
    return o->tune ? end_group(m, start) : TD_OK;
}

/* Reject a strategy and a workload that were both chosen by name, if no value makes them work together. */
static td_status check_outcomes(const maker *m)
{
    const td_options *o = m->options;
    for (size_t i = 0; i <= o->strategy_count && m->workload->by_name; i++) {
        const bool by_name = i < o->strategy_count ? o->strategies[i].by_name : o->baseline != NULL;
        const outcome *one = &m->outcomes[i];
        if (by_name && !one->works && one->why[0] != '\0') {
            return td_fail(m->error, TD_USAGE, "%s", one->why);
        }
    }
    return TD_OK;
}

static td_status add_workload(maker *m, const td_choice *workload)
{
    const td_options *o = m->options;
    const bool from_file = m->input->n > 0;
    m->workload = workload;
    memset(m->outcomes, 0, (o->strategy_count + 1) * sizeof *m->outcomes);
    for (size_t i = 0; i < (from_file ? 1 : o->n.count); i++) {
        /* a search is for one strategy */
        for (m->first = 0; m->first < o->strategy_count; m->first = m->last) {
            m->last = o->tune ? m->first + 1 : o->strategy_count;
            TRY(add_combinations(m, from_file ? m->input->n : o->n.shapes[i].x));
        }
    }
    return check_outcomes(m);
}

/* ---- the whole sweep ---- */

static td_status add_all(maker *m)
{
    const td_options *o = m->options;
    TRY(td_allocate(&m->outcomes, o->strategy_count + 1, sizeof *m->outcomes, m->error,
                    "the strategies"));
    for (size_t w = 0; w < o->workload_count; w++) {
        TRY(add_workload(m, &o->workloads[w]));
    }
    return td_sweep_check(o, m->sweep, m->why, m->error);
}

/* Whether any option leaves its values open. */
static bool is_open(const td_options *o)
{
    bool open = o->tune || o->blocks.all || o->tiles.all ||
                td_words_have(o->kernels, TD_CHOOSE_ALL) ||
                td_words_have(o->schedules, TD_SCHEDULE_ALL);
    for (size_t s = 0; s < o->setting_count; s++) {
        open |= strcmp(o->settings[s].text, "all") == 0;
    }
    return open;
}

/* Point the groups at their runs, which moved while the list grew. */
static void point_at_runs(td_sweep *sweep)
{
    td_run *next = sweep->runs;
    for (size_t g = 0; g < sweep->group_count; g++) {
        sweep->groups[g].runs = next;
        next += sweep->groups[g].count;
    }
}

td_status td_sweep_make(const td_options *options, const td_input *input,
                        const td_engine_ops *engine, td_sweep *sweep, td_error *error)
{
    static const td_input none = {0};
    maker m = {
        .options = options, .input = input != NULL ? input : &none, .sweep = sweep, .error = error};
    m.draft.run.engine = engine;
    m.draft.run.partition = options->partition;
    m.draft.run.parts = options->part_count;
    m.draft.run.part = options->part;
    m.is_open = is_open(options);
    *sweep = (td_sweep){0};
    const td_status status = add_all(&m);
    tdestroy(m.keys, free);
    free(m.outcomes);
    if (status == TD_OK) {
        point_at_runs(sweep);
    } else {
        td_sweep_free(sweep);
    }
    return status;
}

bool td_sweep_has_trees(const td_sweep *sweep)
{
    bool has = false;
    for (size_t i = 0; i < sweep->run_count; i++) {
        has |= sweep->runs[i].strategy->tree != NULL;
    }
    return has;
}

void td_sweep_free(td_sweep *sweep)
{
    free(sweep->runs);
    free(sweep->groups);
    *sweep = (td_sweep){0};
}
