#include "sweep.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "compatibility.h"
#include "draft.h"
#include "engine/core/vector.h"
#include "engine/engine.h"
#include "key.h"

enum { MAX_RUNS = 1000000 };

typedef struct maker {
    const td_options *options;
    const td_input *input;
    td_sweep *sweep;
    td_error *error;
    td_draft draft; /* what the runs of the group in the making share */
    const td_choice *workload;
    uint32_t n;
    const td_choice *strategies; /* of each group */
    size_t strategy_count;
    size_t first;    /* the first run for this workload and N */
    bool is_of_list; /* one of several parameters, kernels or schedules: others may work */
    bool is_open;    /* some values are `all`: combinations that cannot work are left out */
    void *keys;      /* of the runs, a tree of tsearch: two spellings of a value make one run */
    char why[TD_REASON_SIZE]; /* why the first combination that was left out cannot work */
} maker;

/* ---- one run ---- */

/* A --tile larger than the block uses the workload's own tile kernel if that takes it, unless --kernel is given. */
static bool prefers_tiles(const td_draft *d, const td_run *run)
{
    return d->kernel == TD_CHOOSE_AUTO && d->tile_is_given && run->schedule == TD_SCHEDULE_GRID &&
           run->strategy->unit == TD_MAPS_BLOCKS && run->strategy->tree == NULL &&
           td_workload_takes_tile(run->workload, run->tile, run->block) &&
           (!run->workload->tiles->halves || run->tile >= run->workload->tiles->side) &&
           !td_strategy_tile_is_block(run->strategy, run->tile, run->width, run->block);
}

static td_run run_of(const maker *m, const td_strategy *strategy, uint32_t cutoff)
{
    const td_draft *d = &m->draft;
    td_run run = d->run;
    run.strategy = strategy;
    run.cutoff = cutoff;
    run.tile = run.tile != 0 ? run.tile : td_strategy_tile(strategy, run.block);
    run.problem.tile = run.tile;
    run.tiled = run.tiled || prefers_tiles(d, &run);
    td_key_make(m->options, m->input, d->block_fits == (run.workload->dimension == 3) ? 3 : 2,
                &run);
    return run;
}

static bool values_stand_alone(const td_options *o)
{
    return o->n.count <= 1 && o->blocks.count <= 1 && o->tiles.count <= 1;
}

/* Fill run->skip. The reason is an error if the user named all that the run consists of, and nothing else. */
static td_status check(const maker *m, bool strategy_by_name, td_run *run)
{
    const bool is_named = strategy_by_name && m->workload->by_name &&
                          values_stand_alone(m->options) && !m->is_of_list && !m->is_open;
    return td_compatibility_fails(m->options, &m->draft, run) && is_named
               ? td_fail(m->error, TD_USAGE, "%s", run->skip)
               : TD_OK;
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

static td_status append(maker *m, const td_run *run)
{
    td_sweep *sweep = m->sweep;
    if (sweep->run_count == MAX_RUNS) {
        return td_fail(m->error, TD_USAGE,
                       "the command line selects more than %d runs: shorten --n, --block or --tile",
                       MAX_RUNS);
    }
    return td_vector_add(&sweep->runs, &sweep->run_count, sizeof *run, run) ? TD_OK : no_memory(m);
}

static td_status add_run(maker *m, const td_run *run)
{
    bool is_new = true;
    if (m->is_open && run->skip[0] != '\0') {
        memcpy(m->why, m->why[0] == '\0' ? run->skip : m->why, sizeof m->why);
        return TD_OK;
    }
    TRY(note_key(m, run->key, &is_new));
    return is_new ? append(m, run) : TD_OK;
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

static td_status add_strategy(maker *m, const td_choice *choice, const td_strategy *baseline)
{
    const td_strategy *strategy = choice->strategy;
    const size_t cutoffs = strategy->uses_cutoff ? m->options->cutoffs.count : 1;
    for (size_t i = 0; i < cutoffs; i++) {
        td_run run =
            run_of(m, strategy, strategy->uses_cutoff ? m->options->cutoffs.shapes[i].x : 0);
        run.is_baseline = strategy == baseline && i == 0; /* of several cutoffs the first */
        TRY(check(m, choice->by_name, &run));
        TRY(add_run(m, &run));
    }
    return TD_OK;
}

/* A default baseline that cannot work is left out; one given by --baseline is listed with the reason. Another group may
 * have measured it, but these runs are compared with it here. */
static td_status add_baseline(maker *m, const td_strategy *baseline)
{
    const bool by_name = m->options->baseline != NULL;
    td_run run = run_of(m, baseline, baseline->uses_cutoff ? m->options->cutoffs.shapes[0].x : 0);
    bool is_new;
    run.is_baseline = true;
    TRY(check(m, by_name, &run));
    if (!by_name && run.skip[0] != '\0') {
        return TD_OK;
    }
    TRY(note_key(m, run.key, &is_new));
    return append(m, &run);
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
    return group.count == 0 ||
                   td_vector_add(&sweep->groups, &sweep->group_count, sizeof group, &group)
               ? TD_OK
               : no_memory(m);
}

static td_status add_group(maker *m)
{
    td_sweep *sweep = m->sweep;
    const size_t start = sweep->run_count;
    const td_strategy *baseline =
        m->options->tune ? NULL : baseline_of(m->options, m->draft.run.workload->dimension);
    for (size_t i = 0; i < m->strategy_count; i++) {
        TRY(belongs(m, &m->strategies[i]) ? add_strategy(m, &m->strategies[i], baseline) : TD_OK);
    }
    bool has_baseline = baseline == NULL, can_run = false;
    for (size_t r = start; r < sweep->run_count; r++) {
        has_baseline |= sweep->runs[r].is_baseline;
        can_run |= sweep->runs[r].skip[0] == '\0';
    }
    if (sweep->run_count > start && baseline != NULL && sweep->baseline == NULL) {
        sweep->baseline = baseline->name;
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
    td_tiles_of(&o->tiles, run->workload->dimension, m->n, &tiles);
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

static bool is_several(uint32_t words)
{
    return (words & (words - 1)) != 0;
}

/* Add the groups of all parameters, kernels and schedules, with the strategies that `m` has. */
static td_status add_combinations(maker *m)
{
    const td_options *o = m->options;
    const td_workload *w = m->workload->workload;
    const size_t count = td_draft_combinations(o, w), start = m->sweep->run_count;
    m->is_of_list = count > 1 || is_several(o->kernels) || is_several(o->schedules);
    for (size_t c = 0; c < count; c++) {
        td_draft_resolve(&m->draft, o, w, c, m->n);
        td_input_attach(m->input, &m->draft.run.problem);
        for (int way = 0; way < TD_CHOOSE_ALL * TD_SCHEDULE_ALL; way++) {
            const int kernel = way / TD_SCHEDULE_ALL, schedule = way % TD_SCHEDULE_ALL;
            TRY(is_selected(m, kernel, schedule) ? add_shapes(m, kernel, schedule) : TD_OK);
        }
    }
    return o->tune ? end_group(m, start) : TD_OK;
}

/* With `all`, reject a strategy chosen by name if none of its runs is left. */
static td_status check_strategy(maker *m, const td_choice *choice)
{
    const td_strategy *strategy = choice->strategy;
    const td_workload *workload = m->workload->workload;
    bool is_there = !m->is_open || !choice->by_name || strategy->dimension != workload->dimension;
    for (size_t r = m->first; r < m->sweep->run_count && !is_there; r++) {
        is_there = m->sweep->runs[r].strategy == strategy;
    }
    if (is_there) {
        return TD_OK;
    }
    m->strategies = choice;
    m->strategy_count = 1;
    m->why[0] = '\0'; /* the next reason is this strategy's */
    TRY(add_combinations(m));
    return td_fail(m->error, TD_USAGE, "nothing can be tried for %s with %s, N = %u: %.*s",
                   workload->name, strategy->name, m->n, TD_REASON_SIZE, m->why);
}

static td_status add_target(maker *m, const td_choice *workload, uint32_t n)
{
    const td_options *o = m->options;
    const size_t parts = o->tune ? o->strategy_count : 1; /* a search is for one strategy */
    m->workload = workload;
    m->n = n;
    m->first = m->sweep->run_count;
    for (size_t i = 0; i < parts; i++) {
        m->strategies = o->strategies + i;
        m->strategy_count = o->strategy_count / parts;
        TRY(add_combinations(m));
    }
    for (size_t i = 0; i < o->strategy_count; i++) {
        TRY(check_strategy(m, &o->strategies[i]));
    }
    return TD_OK;
}

/* ---- the whole sweep ---- */

static td_status add_all(maker *m)
{
    const td_options *o = m->options;
    const bool from_file = m->input->n > 0;
    for (size_t w = 0; w < o->workload_count; w++) {
        for (size_t i = 0; i < (from_file ? 1 : o->n.count); i++) {
            TRY(add_target(m, &o->workloads[w], from_file ? m->input->n : o->n.shapes[i].x));
        }
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
