#include "sweep.h"

#include <stdlib.h>
#include <string.h>

#include "compatibility.h"
#include "engine/core/parameter.h"
#include "key.h"
#include "resolve.h"
#include "run_list.h"
#include "usual.h"

/* One group in the making: everything that its runs share. */
typedef struct draft {
    const td_workload *workload;
    bool workload_by_name;
    bool is_of_list;     /* one of several combinations of parameters: others may work */
    td_problem problem;  /* its tile left open */
    td_error unresolved; /* why the workload's parameters make no problem; empty: they do */
    td_dim3 block;
    bool block_fits;
    uint32_t tile;  /* 0: as the block */
    uint32_t width; /* of a flat tile, else 0 */
    bool tiled;     /* the workload's own kernel for tiles */
    td_schedule schedule;
} draft;

typedef struct maker {
    const td_options *options;
    const td_engine_ops *engine;
    td_sweep *sweep;
    td_error *error;
    bool tries;      /* a combination that cannot work is never an error, even if it was named */
    bool has_kernel; /* the kernel has been chosen, for the baseline, too */
} maker;

/* ---- one run ---- */

/* A --tile larger than the block uses the workload's own tile kernel if that takes it, unless --kernel is given. */
static bool prefers_tiles(const td_options *o, const td_run *run)
{
    return o->kernel == TD_CHOOSE_AUTO && o->tile_count > 0 && run->schedule == TD_SCHEDULE_GRID &&
           run->strategy->unit == TD_MAPS_BLOCKS && run->strategy->tree == NULL &&
           td_workload_takes_tile(run->workload, run->tile, run->block) &&
           (!run->workload->tiles->halves || run->tile >= run->workload->tiles->side) &&
           !td_strategy_tile_is_block(run->strategy, run->tile, run->width, run->block);
}

static td_run run_of(const maker *m, const draft *d, const td_strategy *strategy, uint32_t cutoff)
{
    td_run run = {0};
    run.strategy = strategy;
    run.workload = d->workload;
    run.engine = m->engine;
    run.problem = d->problem;
    run.block = d->block;
    run.tile = d->tile != 0 ? d->tile : td_strategy_tile(strategy, d->block);
    run.width = d->width;
    run.problem.tile = run.tile;
    run.cutoff = cutoff;
    run.schedule = d->schedule;
    run.partition = m->options->partition;
    run.ranks = m->options->rank_count;
    run.rank = m->options->rank_index;
    run.tiled = d->tiled || (!m->has_kernel && prefers_tiles(m->options, &run));
    td_key_make(m->options, d->block_fits == (d->workload->dimension == 3) ? 3 : 2, &run);
    return run;
}

static bool values_stand_alone(const td_options *o)
{
    return o->n_count <= 1 && o->block_count <= 1 && o->tile_count <= 1;
}

/* Fill run->skip. The reason is an error if the user named everything that it is about. */
static td_status check(const maker *m, const draft *d, bool strategy_by_name, td_run *run)
{
    const td_combination combination = {m->options, run, d->block_fits, d->unresolved.text};
    const td_incompatibility found = td_compatibility_of(&combination);
    memcpy(run->skip, found.text, sizeof run->skip);
    const bool wanted = (!found.strategy || strategy_by_name) &&
                        (!found.workload || d->workload_by_name) &&
                        (!found.values || values_stand_alone(m->options)) && !d->is_of_list;
    return found.text[0] != '\0' && wanted && !m->tries
               ? td_fail(m->error, TD_USAGE, "%s", found.text)
               : TD_OK;
}

/* ---- one group ---- */

/* The option that goes with exactly one run; NULL: none was given. */
static const char *of_one_run(const td_options *o)
{
    return o->dump != NULL ? "dump" : o->protocol.profile ? "profile" : NULL;
}

static const td_strategy *baseline_of(const td_options *o, int dimension)
{
    if (o->no_baseline || of_one_run(o) != NULL) {
        return NULL;
    }
    if (o->baseline == NULL) {
        return td_strategy_baseline(dimension);
    }
    const td_strategy *named = td_strategy_find(o->baseline);
    return named != NULL && named->dimension == dimension ? named : NULL;
}

static td_status add_strategy(const maker *m, const draft *d, const td_choice *choice,
                              const td_strategy *baseline)
{
    const td_strategy *strategy = td_strategy_find(choice->name);
    const size_t cutoffs = strategy->uses_cutoff ? m->options->cutoff_count : 1;
    for (size_t i = 0; i < cutoffs; i++) {
        td_run run = run_of(m, d, strategy, strategy->uses_cutoff ? m->options->cutoffs[i] : 0);
        run.is_baseline = strategy == baseline && i == 0; /* of several cutoffs the first */
        TRY(check(m, d, choice->by_name, &run));
        TRY(td_run_list_add(m->sweep, &run, m->error));
    }
    return TD_OK;
}

static bool is_chosen(const td_options *o, const td_strategy *strategy)
{
    for (size_t i = 0; i < o->strategy_count; i++) {
        if (strcmp(o->strategies[i].name, strategy->name) == 0) {
            return true;
        }
    }
    return false;
}

/* A default baseline that cannot work is left out; one given by --baseline is listed with the reason. */
static td_status add_baseline(const maker *m, const draft *d, const td_strategy *baseline)
{
    const bool by_name = m->options->baseline != NULL;
    td_run run = run_of(m, d, baseline, baseline->uses_cutoff ? m->options->cutoffs[0] : 0);
    run.is_baseline = true;
    TRY(check(m, d, by_name, &run));
    return by_name || run.skip[0] == '\0' ? td_run_list_add(m->sweep, &run, m->error) : TD_OK;
}

static bool any_can_run(const td_run *runs, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (runs[i].skip[0] == '\0') {
            return true;
        }
    }
    return false;
}

/* A strategy of another dimension is meant for another workload, unless both were named and no workload of that name
 * has its dimension: that is an error. */
static bool belongs(const draft *d, const td_choice *choice)
{
    const td_strategy *strategy = td_strategy_find(choice->name);
    const bool named = choice->by_name && d->workload_by_name;
    return strategy->dimension == d->workload->dimension ||
           (named && td_workload_find(d->workload->name, strategy->dimension) == NULL);
}

static td_status add_group(const maker *m, const draft *d)
{
    const td_options *o = m->options;
    const size_t start = m->sweep->run_count;
    const td_strategy *baseline = baseline_of(o, d->workload->dimension);
    for (size_t i = 0; i < o->strategy_count; i++) {
        TRY(belongs(d, &o->strategies[i]) ? add_strategy(m, d, &o->strategies[i], baseline)
                                          : TD_OK);
    }
    if (baseline != NULL && !is_chosen(o, baseline) &&
        any_can_run(m->sweep->runs + start, m->sweep->run_count - start)) {
        TRY(add_baseline(m, d, baseline));
    }
    if (m->sweep->run_count > start) {
        TRY(td_run_list_end_group(m->sweep, m->sweep->run_count - start, m->error));
        if (baseline != NULL && m->sweep->baseline == NULL) {
            m->sweep->baseline = baseline->name;
        }
    }
    return TD_OK;
}

/* ---- all groups ---- */

static td_status add_tiles(const maker *m, draft *d)
{
    const td_options *o = m->options;
    const td_flat *usual = d->tiled ? td_usual(o, d->workload, &d->problem, d->block) : NULL;
    const td_tiles *tiles = d->workload->tiles;
    d->tile = usual != NULL ? usual->tile.y : d->tiled ? tiles->side : 0;
    d->width = usual != NULL ? usual->tile.x : 0;
    if (usual == NULL && d->tiled && tiles->band > 0) {
        d->tile = tiles->band;
        d->width = tiles->side;
    }
    if (o->tile_count == 0) {
        return add_group(m, d);
    }
    for (size_t i = 0; i < o->tile_count; i++) {
        d->tile = o->tiles[i].y;
        d->width = o->tiles[i].is_side ? 0 : o->tiles[i].x;
        TRY(add_group(m, d));
    }
    return TD_OK;
}

/* Block i of the options in the workload's dimension: 16 is 16x16, or 16x16x16. */
static td_dim3 block_of(const td_options *o, size_t i, int dimension, bool *fits)
{
    td_dim3 block = {16, 16, 1};
    *fits = true;
    if (o->block_count == 0) {
        return block;
    }
    block = (td_dim3){o->blocks[i].x, o->blocks[i].y, o->blocks[i].z};
    if (o->blocks[i].is_side) {
        block.z = dimension == 3 ? block.x : 1;
        return block;
    }
    *fits = (block.z != 0) == (dimension == 3);
    block.z += block.z == 0;
    return block;
}

/* 16 and 16x16 are one block in 2D, 16 and 16x16x16 in 3D. The parser does not know the dimension and drops equal
 * spellings only, so that blocks with x = y have to be looked up here. */
static bool is_repeated(const td_options *o, size_t i, int dimension)
{
    bool fits, other_fits;
    const td_dim3 block = block_of(o, i, dimension, &fits);
    for (size_t k = 0; k < i && block.x == block.y; k++) {
        const td_dim3 other = block_of(o, k, dimension, &other_fits);
        if (fits == other_fits && block.x == other.x && block.y == other.y && block.z == other.z) {
            return true;
        }
    }
    return false;
}

static td_status add_blocks(const maker *m, draft *d)
{
    const td_options *o = m->options;
    const size_t count = o->block_count > 0 ? o->block_count : 1;
    for (size_t i = 0; i < count; i++) {
        if (!is_repeated(o, i, d->workload->dimension)) {
            d->block = block_of(o, i, d->workload->dimension, &d->block_fits);
            if (o->block_count == 0) {
                d->block = td_usual_block(o, d->workload, &d->problem, d->tiled);
            }
            TRY(add_tiles(m, d));
        }
    }
    return TD_OK;
}

static td_layout layout_of(const td_options *o, const td_workload *workload)
{
    if (o->layout == TD_BLOCKED ? !workload->has_blocked : !workload->has_layouts) {
        return TD_PACKED;
    }
    const bool is_open = !td_option_is_given(o, "layout") && workload->dimension == 3;
    return is_open ? TD_FULL : o->layout; /* as the paper on tetrahedra stores */
}

/* Everything of a group's problem but the tile, and the descriptor that its parameters choose. */
static void resolve(const td_options *o, size_t combination, const td_workload *workload,
                    uint32_t n, draft *d)
{
    d->problem = (td_problem){0};
    d->problem.n = n;
    d->problem.seed = o->seed;
    d->problem.layout = o->layout; /* a descriptor may be for one layout only */
    d->unresolved.text[0] = '\0';
    (void)td_parameters_resolve(o, combination, workload, &d->problem, &d->workload,
                                &d->unresolved);
    d->problem.layout = layout_of(o, d->workload);
    d->tiled = td_workload_only_tiles(d->workload) != NULL ||
               (d->workload->tiles != NULL && o->kernel == TD_CHOOSE_TILE);
}

/* Whether an earlier combination has the same parameters, as "auto" and its meaning have. */
static bool is_known(const td_options *o, size_t combination, const td_workload *workload,
                     const draft *d)
{
    for (size_t k = 0; k < combination; k++) {
        draft before = {0};
        resolve(o, k, workload, d->problem.n, &before);
        if (td_parameters_are_same(before.problem.parameters, d->problem.parameters)) {
            return true;
        }
    }
    return false;
}

static td_status add_workload(const maker *m, const td_choice *choice, int dimension)
{
    const td_options *o = m->options;
    const td_workload *workload = td_workload_find(choice->name, dimension);
    const size_t count = workload != NULL ? td_parameters_combinations(o, workload) : 0;
    draft d = {.workload_by_name = choice->by_name,
               .is_of_list = count > 1,
               .schedule = m->options->schedule};
    for (size_t i = 0; i < o->n_count; i++) {
        for (size_t k = 0; k < count; k++) {
            resolve(o, k, workload, o->n[i], &d);
            TRY(is_known(o, k, workload, &d) ? TD_OK : add_blocks(m, &d));
        }
    }
    return TD_OK;
}

/* A baseline without any run of its dimension would leave all runs without their I. */
static td_status check_baseline(const td_options *o, const td_sweep *sweep, td_error *error)
{
    const td_strategy *named = o->baseline != NULL ? td_strategy_find(o->baseline) : NULL;
    for (size_t r = 0; named != NULL && r < sweep->run_count; r++) {
        if (sweep->runs[r].strategy->dimension == named->dimension) {
            return TD_OK;
        }
    }
    return named == NULL ? TD_OK
                         : td_fail(error, TD_USAGE, "--baseline %s: no selected run is %dD",
                                   named->name, named->dimension);
}

/* Check the sweep as a whole. */
static td_status check_whole(const td_options *o, const td_sweep *sweep, td_error *error)
{
    if (of_one_run(o) != NULL && sweep->run_count != 1) {
        return td_fail(error, TD_USAGE,
                       "--%s: expected exactly one run, the command line selects %zu: name one "
                       "--strategy, --workload, --n and --block",
                       of_one_run(o), sweep->run_count);
    }
    if (!any_can_run(sweep->runs, sweep->run_count)) {
        return td_fail(error, TD_USAGE, "nothing to run: %s",
                       sweep->run_count > 0
                           ? sweep->runs[0].skip
                           : "no selected strategy has the dimension of a selected workload");
    }
    TRY(check_baseline(o, sweep, error));
    return td_compatibility_check_options(o, sweep, error);
}

static td_status add_all(const maker *m)
{
    const td_options *o = m->options;
    for (size_t i = 0; i < o->workload_count; i++) {
        for (int dimension = 2; dimension <= 3; dimension++) {
            TRY(add_workload(m, &o->workloads[i], dimension));
        }
    }
    return m->tries ? TD_OK : check_whole(o, m->sweep, m->error);
}

td_status td_sweep_make(const td_options *options, const td_engine_ops *engine, td_sweep *sweep,
                        td_error *error)
{
    const maker m = {.options = options, .engine = engine, .sweep = sweep, .error = error};
    *sweep = (td_sweep){0};
    return td_run_list_end(sweep, add_all(&m));
}

td_status td_sweep_try(const td_options *options, const td_engine_ops *engine, td_sweep *sweep,
                       td_error *error)
{
    const maker m = {
        .options = options, .engine = engine, .sweep = sweep, .error = error, .tries = true};
    *sweep = (td_sweep){0};
    return td_run_list_end(sweep, add_all(&m));
}

/* Add the run, and its baseline, which is not recorded, as a group. */
static td_status add_one(const maker *m, const td_run *run)
{
    const draft d = {.workload = run->workload,
                     .problem = run->problem,
                     .block = run->block,
                     .block_fits = true,
                     .tile = run->strategy->unit == TD_MAPS_BLOCKS ? run->tile : 0,
                     .width = run->width,
                     .tiled = run->tiled,
                     .schedule = run->schedule};
    const td_strategy *baseline = baseline_of(m->options, run->workload->dimension);
    td_sweep *sweep = m->sweep;
    *sweep = (td_sweep){.baseline = baseline != NULL ? baseline->name : NULL};
    TRY(td_run_list_add(sweep, run, m->error));
    if (baseline == run->strategy) {
        sweep->runs[0].is_baseline = true;
    } else if (baseline != NULL) {
        TRY(add_baseline(m, &d, baseline));
    }
    /* Only the winner is recorded: --resume may know its trial, but not its run. */
    for (size_t r = 0; r < sweep->run_count; r++) {
        sweep->runs[r].unrecorded = r > 0;
    }
    return td_run_list_end_group(sweep, sweep->run_count, m->error);
}

td_status td_sweep_of_one(const td_options *options, const td_run *run, td_sweep *sweep,
                          td_error *error)
{
    const maker m = {.options = options,
                     .engine = run->engine,
                     .sweep = sweep,
                     .error = error,
                     .tries = true,
                     .has_kernel = true};
    return td_run_list_end(sweep, add_one(&m, run));
}
