#include "sweep.h"

#include <stdlib.h>
#include <string.h>

#include "compatibility.h"
#include "engine/core/parameter.h"
#include "engine/engine.h"
#include "key.h"
#include "resolve.h"
#include "run_list.h"
#include "to_try.h"
#include "usual.h"

/* One group in the making: everything that its runs share. */
typedef struct draft {
    const td_workload *workload;
    bool workload_by_name;
    bool is_of_list;     /* one of several parameters, kernels or schedules: others may work */
    td_problem problem;  /* its tile left open */
    td_error unresolved; /* why the workload's parameters make no problem; empty: they do */
    td_kernel_choice kernel;
    td_schedule schedule;
    bool tiled; /* the workload's own kernel for tiles */
    td_dim3 block;
    bool block_fits, block_is_given;
    uint32_t tile;  /* 0: as the block */
    uint32_t width; /* of a flat tile, else 0 */
    bool tile_is_given;
} draft;

typedef struct maker {
    const td_options *options;
    const td_engine_ops *engine;
    td_sweep *sweep;
    td_error *error;
    const td_choice *strategies; /* of each group */
    size_t strategy_count;
    bool is_open;    /* some values are `all`: combinations that cannot work are left out */
    bool may_repeat; /* two spellings of a value may make the same run, which is added once */
    size_t first;    /* the first run for this workload and N */
    char why[TD_REASON_SIZE]; /* why the first combination that was left out cannot work */
} maker;

/* ---- one run ---- */

/* A --tile larger than the block uses the workload's own tile kernel if that takes it, unless --kernel is given. */
static bool prefers_tiles(const draft *d, const td_run *run)
{
    return d->kernel == TD_CHOOSE_AUTO && d->tile_is_given && run->schedule == TD_SCHEDULE_GRID &&
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
    run.parts = m->options->part_count;
    run.part = m->options->part;
    run.tiled = d->tiled || prefers_tiles(d, &run);
    td_key_make(m->options, d->block_fits == (d->workload->dimension == 3) ? 3 : 2, &run);
    return run;
}

static bool values_stand_alone(const td_options *o)
{
    return o->n_count <= 1 && o->blocks.count <= 1 && o->tiles.count <= 1;
}

/* Fill run->skip. The reason is an error if the user named everything that it is about. */
static td_status check(const maker *m, const draft *d, bool strategy_by_name, td_run *run)
{
    const td_combination combination = {.options = m->options,
                                        .run = run,
                                        .kernel = d->kernel,
                                        .tile_is_given = d->tile_is_given,
                                        .block_fits = d->block_fits,
                                        .unresolved = d->unresolved.text};
    const td_incompatibility found = td_compatibility_of(&combination);
    memcpy(run->skip, found.text, sizeof run->skip);
    const bool wanted = (!found.strategy || strategy_by_name) &&
                        (!found.workload || d->workload_by_name) &&
                        (!found.values || values_stand_alone(m->options)) && !d->is_of_list;
    return found.text[0] != '\0' && wanted && !m->is_open
               ? td_fail(m->error, TD_USAGE, "%s", found.text)
               : TD_OK;
}

static bool is_listed(const maker *m, const td_run *run)
{
    for (size_t r = m->first; m->may_repeat && r < m->sweep->run_count; r++) {
        if (m->sweep->runs[r].strategy == run->strategy &&
            strcmp(m->sweep->runs[r].key, run->key) == 0) {
            return true;
        }
    }
    return false;
}

/* An engine without tile kernels loops over the cells of a tile anyway. */
static bool is_twin(const maker *m, const td_run *run)
{
    return td_words_have(m->options->kernels, TD_CHOOSE_ALL) && run->tiled &&
           td_workload_only_tiles(run->workload) == NULL && !run->engine->can.tile_kernels;
}

static td_status add_run(maker *m, const td_run *run)
{
    if (m->is_open && run->skip[0] != '\0') {
        memcpy(m->why, m->why[0] == '\0' ? run->skip : m->why, sizeof m->why);
        return TD_OK;
    }
    return is_listed(m, run) || is_twin(m, run) ? TD_OK : td_run_list_add(m->sweep, run, m->error);
}

/* ---- one group ---- */

/* The option that goes with exactly one run; NULL: none was given. */
static const char *of_one_run(const td_options *o)
{
    return o->dump != NULL                            ? "dump"
           : o->protocol.sampling == TD_SAMPLING_ONCE ? "timing once"
                                                      : NULL;
}

static const td_strategy *baseline_of(const td_options *o, int dimension)
{
    if (o->no_baseline || of_one_run(o) != NULL) {
        return NULL;
    }
    if (o->baseline == NULL) {
        return td_strategy_baseline(dimension);
    }
    return o->baseline->dimension == dimension ? o->baseline : NULL;
}

static td_status add_strategy(maker *m, const draft *d, const td_choice *choice,
                              const td_strategy *baseline)
{
    const td_strategy *strategy = choice->strategy;
    const size_t cutoffs = strategy->uses_cutoff ? m->options->cutoff_count : 1;
    for (size_t i = 0; i < cutoffs; i++) {
        td_run run = run_of(m, d, strategy, strategy->uses_cutoff ? m->options->cutoffs[i] : 0);
        run.is_baseline = strategy == baseline && i == 0; /* of several cutoffs the first */
        TRY(check(m, d, choice->by_name, &run));
        TRY(add_run(m, &run));
    }
    return TD_OK;
}

static bool has_baseline(const td_run *runs, size_t count)
{
    bool has = false;
    for (size_t i = 0; i < count; i++) {
        has |= runs[i].is_baseline;
    }
    return has;
}

/* A default baseline that cannot work is left out; one given by --baseline is listed with the reason. */
static td_status add_baseline(maker *m, const draft *d, const td_strategy *baseline)
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
    const td_strategy *strategy = choice->strategy;
    const bool named = choice->by_name && d->workload_by_name;
    return strategy->dimension == d->workload->dimension ||
           (named && td_workload_find(d->workload->name, strategy->dimension) == NULL);
}

/* A group for each strategy of a search and N: its runs are compared with each other. */
static td_status end_group(const maker *m, size_t start)
{
    const size_t count = m->sweep->run_count - start;
    return count > 0 ? td_run_list_end_group(m->sweep, count, m->error) : TD_OK;
}

static td_status add_group(maker *m, const draft *d)
{
    td_sweep *sweep = m->sweep;
    const size_t start = sweep->run_count;
    const td_strategy *baseline =
        m->options->tune ? NULL : baseline_of(m->options, d->workload->dimension);
    for (size_t i = 0; i < m->strategy_count; i++) {
        TRY(belongs(d, &m->strategies[i]) ? add_strategy(m, d, &m->strategies[i], baseline)
                                          : TD_OK);
    }
    const size_t count = sweep->run_count - start;
    if (baseline != NULL && !has_baseline(sweep->runs + start, count) &&
        any_can_run(sweep->runs + start, count)) {
        TRY(add_baseline(m, d, baseline));
    }
    if (count > 0 && baseline != NULL && sweep->baseline == NULL) {
        sweep->baseline = baseline->name;
    }
    return m->options->tune ? TD_OK : end_group(m, start);
}

/* ---- the groups of one workload and N ---- */

static td_status add_usual_tile(maker *m, draft *d)
{
    const td_tiles *tiles = d->workload->tiles;
    const td_flat *usual =
        d->tiled ? td_usual(d->workload, &d->problem, d->block_is_given ? &d->block : NULL, false)
                 : NULL;
    d->tile_is_given = false;
    d->tile = usual != NULL ? usual->tile.y : d->tiled ? tiles->side : 0;
    d->width = usual != NULL ? usual->tile.x : 0;
    if (usual == NULL && d->tiled && tiles->band > 0) {
        d->tile = tiles->band;
        d->width = tiles->side;
    }
    return add_group(m, d);
}

static td_status add_tiles(maker *m, draft *d)
{
    const td_shapes given = m->options->tiles;
    const td_shape_list every = td_tiles_to_try(d->workload->dimension, d->problem.n);
    const td_shape *tiles = given.all ? every.shapes : given.shapes;
    const size_t count = given.all ? every.count : given.count;
    TRY(given.all || count == 0 ? add_usual_tile(m, d) : TD_OK);
    for (size_t i = 0; i < count; i++) {
        d->tile_is_given = true;
        d->tile = tiles[i].y;
        d->width = tiles[i].is_side ? 0 : tiles[i].x;
        TRY(add_group(m, d));
    }
    return TD_OK;
}

/* A block in the workload's dimension: 16 is 16x16, or 16x16x16. */
static td_dim3 block_of(td_shape shape, int dimension, bool *fits)
{
    td_dim3 block = {shape.x, shape.y, shape.z};
    *fits = true;
    if (shape.is_side) {
        block.z = dimension == 3 ? block.x : 1;
        return block;
    }
    *fits = (block.z != 0) == (dimension == 3);
    block.z += block.z == 0;
    return block;
}

/* 16 and 16x16 are one block in 2D, 16 and 16x16x16 in 3D. The parser does not know the dimension and drops equal
 * spellings only, so that blocks with x = y have to be looked up here. */
static bool is_repeated(const td_shape *blocks, size_t i, int dimension)
{
    bool fits, other_fits;
    const td_dim3 block = block_of(blocks[i], dimension, &fits);
    for (size_t k = 0; k < i && block.x == block.y; k++) {
        const td_dim3 other = block_of(blocks[k], dimension, &other_fits);
        if (fits == other_fits && block.x == other.x && block.y == other.y && block.z == other.z) {
            return true;
        }
    }
    return false;
}

static td_status add_usual_block(maker *m, draft *d)
{
    const bool tile_is_given = m->options->tiles.count > 0;
    d->block_is_given = false;
    d->block_fits = true;
    d->block = td_usual_block(d->workload, &d->problem, d->tiled, tile_is_given);
    return add_tiles(m, d);
}

static td_status add_blocks(maker *m, draft *d)
{
    const int dimension = d->workload->dimension;
    const td_shapes given = m->options->blocks;
    const td_shape_list every = td_blocks_to_try(dimension);
    const td_shape *blocks = given.all ? every.shapes : given.shapes;
    const size_t count = given.all ? every.count : given.count;
    TRY(given.all || count == 0 ? add_usual_block(m, d) : TD_OK);
    for (size_t i = 0; i < count; i++) {
        if (!is_repeated(blocks, i, dimension)) {
            d->block_is_given = true;
            d->block = block_of(blocks[i], dimension, &d->block_fits);
            TRY(add_tiles(m, d));
        }
    }
    return TD_OK;
}

/* Of `all`, an engine without persistent blocks has a grid only: it would run the others in the same way. */
static td_status add_schedules(maker *m, draft *d)
{
    const uint32_t given = m->options->schedules;
    const bool all = td_words_have(given, TD_SCHEDULE_ALL);
    for (int s = TD_SCHEDULE_GRID; s < TD_SCHEDULE_ALL; s++) {
        d->schedule = (td_schedule)s;
        const bool takes_part = s == TD_SCHEDULE_GRID || m->engine->can.persistent;
        TRY((all && takes_part) || td_words_have(given, s) ? add_blocks(m, d) : TD_OK);
    }
    return TD_OK;
}

static td_status add_kernels(maker *m, draft *d)
{
    const uint32_t given = m->options->kernels;
    const bool all = td_words_have(given, TD_CHOOSE_ALL);
    for (int k = TD_CHOOSE_AUTO; k < TD_CHOOSE_ALL; k++) {
        d->kernel = (td_kernel_choice)k;
        d->tiled = td_workload_only_tiles(d->workload) != NULL ||
                   (d->workload->tiles != NULL && k == TD_CHOOSE_TILE);
        TRY((all && k != TD_CHOOSE_AUTO) || td_words_have(given, k) ? add_schedules(m, d) : TD_OK);
    }
    return TD_OK;
}

static td_layout layout_of(const td_options *o, const td_workload *workload)
{
    if (o->layout == TD_BLOCKED ? !workload->traits.has_blocked : !workload->traits.has_layouts) {
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

static bool is_several(uint32_t words)
{
    return (words & (words - 1)) != 0;
}

/* Add the groups of a workload and N, with the strategies that `m` has. */
static td_status add_combinations(maker *m, const td_workload *workload, bool by_name, uint32_t n)
{
    const td_options *o = m->options;
    const size_t count = td_parameters_combinations(o, workload), start = m->sweep->run_count;
    draft d = {.workload_by_name = by_name,
               .is_of_list = count > 1 || is_several(o->kernels) || is_several(o->schedules)};
    for (size_t k = 0; k < count; k++) {
        resolve(o, k, workload, n, &d);
        TRY(is_known(o, k, workload, &d) ? TD_OK : add_kernels(m, &d));
    }
    return o->tune ? end_group(m, start) : TD_OK;
}

/* With `all`, reject a strategy chosen by name if none of its runs is left. */
static td_status check_strategy(maker *m, const td_workload *workload, const td_choice *choice,
                                uint32_t n)
{
    const td_strategy *strategy = choice->strategy;
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
    TRY(add_combinations(m, workload, false, n));
    return td_fail(m->error, TD_USAGE, "nothing can be tried for %s with %s, N = %u: %.*s",
                   workload->name, strategy->name, n, TD_REASON_SIZE, m->why);
}

static td_status add_target(maker *m, const td_workload *workload, bool by_name, uint32_t n)
{
    const td_options *o = m->options;
    const size_t parts = o->tune ? o->strategy_count : 1; /* a search is for one strategy */
    m->first = m->sweep->run_count;
    for (size_t i = 0; i < parts; i++) {
        m->strategies = o->strategies + i;
        m->strategy_count = o->strategy_count / parts;
        TRY(add_combinations(m, workload, by_name, n));
    }
    for (size_t i = 0; i < o->strategy_count; i++) {
        TRY(check_strategy(m, workload, &o->strategies[i], n));
    }
    return TD_OK;
}

/* ---- the whole sweep ---- */

/* A baseline without any run of its dimension would leave all runs without their I. */
static td_status check_baseline(const td_options *o, const td_sweep *sweep, td_error *error)
{
    const td_strategy *named = o->baseline;
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
static td_status check_whole(const maker *m)
{
    const td_options *o = m->options;
    const td_sweep *sweep = m->sweep;
    td_error *error = m->error;
    if (of_one_run(o) != NULL && sweep->run_count != 1) {
        return td_fail(error, TD_USAGE,
                       "--%s: expected exactly one run, the command line selects %zu: name one "
                       "--strategy, --workload, --n and --block",
                       of_one_run(o), sweep->run_count);
    }
    if (!any_can_run(sweep->runs, sweep->run_count)) {
        return td_fail(error, TD_USAGE, "nothing to run: %s",
                       sweep->run_count > 0 ? sweep->runs[0].skip
                       : m->why[0] != '\0'
                           ? m->why
                           : "no selected strategy has the dimension of a selected workload");
    }
    TRY(check_baseline(o, sweep, error));
    return td_compatibility_check_options(o, sweep, error);
}

static td_status add_all(maker *m)
{
    const td_options *o = m->options;
    for (size_t w = 0; w < o->workload_count; w++) {
        for (size_t i = 0; i < o->n_count; i++) {
            TRY(add_target(m, o->workloads[w].workload, o->workloads[w].by_name, o->n[i]));
        }
    }
    return check_whole(m);
}

/* Whether any option leaves its values open. */
static bool is_open(const td_options *o)
{
    bool open = o->blocks.all || o->tiles.all || td_words_have(o->kernels, TD_CHOOSE_ALL) ||
                td_words_have(o->schedules, TD_SCHEDULE_ALL);
    for (size_t s = 0; s < o->setting_count; s++) {
        open |= strcmp(o->settings[s].text, "all") == 0;
    }
    return open;
}

td_status td_sweep_make(const td_options *options, const td_engine_ops *engine, td_sweep *sweep,
                        td_error *error)
{
    maker m = {.options = options, .engine = engine, .sweep = sweep, .error = error};
    m.is_open = options->tune || is_open(options);
    m.may_repeat = m.is_open || is_several(options->kernels);
    *sweep = (td_sweep){0};
    return td_run_list_end(sweep, add_all(&m));
}
