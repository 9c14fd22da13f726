#include "compatibility.h"

#include <stdio.h>
#include <string.h>

#include "engine/core/own.h"
#include "engine/engine.h"
#include "engine/options/parameters.h"
#include "engine/prepare/planning.h"
#include "key.h"

/* If a rule is broken, its sentence becomes run->skip. */
#define RULE(is_broken, ...)                                                                       \
    if (is_broken) {                                                                               \
        snprintf(run->skip, sizeof run->skip, __VA_ARGS__);                                        \
        return true;                                                                               \
    }

/* Why a map gives its blocks no tiles to work on as a whole; NULL: it does. */
static const char *lack_of_tiles(const td_strategy *s)
{
    return s->unit == TD_MAPS_THREADS ? "maps threads, whose cells make no tile"
           : s->tree != NULL          ? "launches kernels of its own, cell by cell, as a tree"
                                      : NULL;
}

static bool tile_is_block(const td_run *run)
{
    return td_strategy_tile_is_block(run->strategy, run->tile, run->width, run->block);
}

/* The option that chooses a workload's tiled kernel. */
static const char *tiled_option(const td_workload *w)
{
    return td_workload_only_tiles(w) != NULL ? td_workload_only_tiles(w) : "--kernel tile";
}

/* A setting that the workload cannot follow, because it lacks the parameter; NULL: there is none. */
static const td_setting *unfollowed_setting(const td_options *o, const td_workload *w)
{
    for (size_t i = 0; i < o->setting_count; i++) {
        const td_setting *setting = &o->settings[i];
        const td_parameter *p = td_parameter_named(setting->name);
        if (p->lacking != NULL && strcmp(setting->text, p->preset) != 0 &&
            td_workload_parameter(w, p->name) == NULL) {
            return setting;
        }
    }
    return NULL;
}

static bool of_the_workload(const td_options *o, const td_draft *d, td_run *run)
{
    const td_workload *w = run->workload;
    const char *only = td_workload_only_tiles(w);
    const td_setting *setting = unfollowed_setting(o, w);
    const char *const layout = td_layout_names[o->layout];
    const bool asks_layout = td_option_is_given(o, "layout");
    const bool by_cells = d->kernel == TD_CHOOSE_CELL || d->kernel == TD_CHOOSE_LOOP;
    RULE(d->unresolved.text[0] != '\0', "%.*s", TD_REASON_SIZE - 1, d->unresolved.text)
    RULE(setting != NULL, "--%s=%s: %s %s", td_parameter_label(setting->name).text, setting->text,
         w->name, td_parameter_named(setting->name)->lacking)
    RULE(o->input != NULL && !td_workload_takes_input(w), "--input: %s takes no input", w->name)
    RULE(o->dump != NULL && w->traits.proven_by_count, "--dump: %s has no output of its own",
         w->name)
    RULE(asks_layout && !td_workload_has_layout(w, o->layout), "--layout %s: %s has no %s layout",
         layout, w->name, layout)
    RULE(o->every > 0 && !td_workload_advances(w), "--dump FILE.npy:K: %s has no steps", w->name)
    RULE(d->kernel == TD_CHOOSE_TILE && w->tiles == NULL,
         "--kernel tile: %s has no tile kernel of its own", w->name)
    RULE(by_cells && only != NULL, "--kernel %s: %s %s works on whole tiles, use %s",
         d->kernel == TD_CHOOSE_CELL ? "cell" : "loop", w->name, only, w->tiles->instead)
    return false;
}

/* A blocked layout needs a map that gives each block one tile, a whole square or cube. */
static bool of_the_map(td_run *run)
{
    const td_strategy *s = run->strategy;
    const td_workload *w = run->workload;
    const bool blocked = run->problem.layout == TD_BLOCKED;
    const char *why = lack_of_tiles(s);
    const char *instead = td_workload_only_tiles(w) != NULL ? w->tiles->instead : "--kernel cell";
    RULE(s->dimension != w->dimension, "%s maps %dD domains and %s is a %dD workload", s->name,
         s->dimension, w->name, w->dimension)
    RULE(blocked && run->parts > 0,
         "--layout blocked: --ranks cuts an output between rows, and this one has none")
    RULE(run->problem.layout == TD_MIRRORED && run->parts > 0,
         "--layout mirrored: --ranks cuts an output between rows, and a cell's second place may "
         "be another rank's")
    RULE(blocked && (why != NULL || s->whole_rows || s->by_rows),
         "--layout blocked stores tile after tile, and %s %s", s->name,
         why != NULL ? why : "has tiles of whole rows")
    RULE(w->traits.by_rows && !s->by_rows,
         "%s computes whole rows, and %s deals out tiles: use --strategy 'rows*'", w->name, s->name)
    RULE(w->traits.by_rows && w->own != NULL && !w->own->has_check,
         "%s computes whole rows, and its file has no check of them", w->name)
    RULE(w->traits.by_rows && run->engine->can.tile_kernels && !run->tiled,
         "%s computes whole rows, on the %s engine with --kernel tile alone", w->name,
         run->engine->name)
    RULE(s->by_rows && w->automaton != NULL,
         "%s deals out whole rows, and %s has no kernel that goes along one", s->name, w->name)
    RULE(s->by_rows && run->tiled && !w->traits.by_rows,
         "--kernel tile: %s deals out whole rows, and the tile kernel of %s takes tiles", s->name,
         w->name)
    RULE(td_run_is_square(run) && s->square_map == NULL,
         "--set domain=square: %s covers a triangle, only %s covers the whole square", s->name,
         td_strategy_of_square()->name)
    RULE(run->tiled && why != NULL, "%s works on whole tiles, and %s %s: use %s", tiled_option(w),
         s->name, why, instead)
    RULE(s->tree != NULL && !run->engine->can.trees,
         "%s: the %s engine cannot launch trees of kernels", s->name, run->engine->name)
    RULE(blocked && s->own != NULL && run->engine->can.device_memory,
         "--layout blocked: %s is from a file, whose kernels store row by row", s->name)
    RULE(s->tree != NULL && w->own != NULL && run->engine->can.device_memory,
         "%s launches kernels from kernels, and %s, from a file, has none for that", s->name,
         w->name)
    return false;
}

/* Whether a sequence has more rows than N. */
static bool has_longer(td_lengths lengths, uint32_t n)
{
    bool longer = false;
    for (uint32_t i = 0; i < lengths.sequences; i++) {
        longer |= lengths.rows[i] > n;
    }
    return longer;
}

/* An order that is given, of so many rows of tiles. */
static bool of_the_order(td_run *run)
{
    const uint32_t tiles = td_run_domain(run).tiles;
    RULE(run->order == TD_ORDER_GIVEN && run->row_count != tiles,
         "--set table: the file has %u rows, and N = %u has %u rows of tiles", run->row_count,
         run->problem.n, tiles)
    return false;
}

/* Sequences of several lengths. */
static bool of_the_lengths(td_run *run)
{
    const td_workload *w = run->workload;
    const td_lengths lengths = run->problem.lengths;
    if (lengths.rows == NULL) {
        return false;
    }
    RULE(!w->traits.by_rows, "--set lengths: %s has no sequences", w->name)
    RULE(!run->strategy->looks_rows_up, "--set lengths: %s takes triangles of N rows only",
         run->strategy->name)
    const uint64_t batch =
        run->problem.parameters[td_workload_parameter(w, "batch") - w->parameters].count;
    RULE(lengths.sequences != batch, "--set lengths: the file has %u sequences, and batch is %llu",
         lengths.sequences, (unsigned long long)batch)
    RULE(has_longer(lengths, run->problem.n), "--set lengths: a sequence is longer than N = %u",
         run->problem.n)
    return false;
}

/* Combinations that cannot be split among ranks. */
static bool of_ranks(td_run *run)
{
    const td_strategy *s = run->strategy;
    const td_workload *w = run->workload;
    if (run->parts == 0) {
        return false;
    }
    RULE(s->dimension != 2 || td_run_is_square(run), "--ranks cuts triangles, and %s is on %s",
         w->name, s->dimension != 2 ? "a tetrahedron" : "the whole square")
    RULE(w->automaton != NULL && w->automaton->state_bytes > 0,
         "--ranks: the states of %s are not shared among ranks", w->name)
    RULE(lack_of_tiles(s) != NULL, "--ranks cuts between tiles, and %s %s", s->name,
         lack_of_tiles(s))
    RULE(s->by_rows, "--ranks cuts between rows, and %s deals out whole ones", s->name)
    RULE(td_workload_generations(w) > td_run_domain(run).tile,
         "--ranks: a halo of %u rows is larger than a tile of %u", td_workload_generations(w),
         td_run_domain(run).tile)
    return false;
}

static bool of_the_schedule(td_run *run)
{
    const td_strategy *s = run->strategy;
    const td_workload *w = run->workload;
    const char *how = td_schedule_names[run->schedule];
    if (run->schedule == TD_SCHEDULE_GRID) {
        return false;
    }
    RULE(lack_of_tiles(s) != NULL, "--schedule %s loops over tiles, and %s %s", how, s->name,
         lack_of_tiles(s))
    RULE(td_run_is_square(run) && !run->tiled,
         "--schedule %s: %s has a grid of its own for the whole square", how, w->name)
    const bool in_clusters = run->tiled && w->tiles->cluster_shared > 0;
    RULE(run->schedule == TD_SCHEDULE_CONTIGUOUS && !in_clusters,
         "--schedule contiguous: only clusters take tiles in a row, as those of --workload gram "
         "--kernel tile do")
    RULE(run->schedule == TD_SCHEDULE_DYNAMIC && in_clusters && !w->traits.by_rows,
         "--schedule dynamic: the blocks of a tile of %s are a cluster, which takes no tickets",
         w->name)
    RULE(run->width != 0 && !td_workload_takes_bands(w),
         "--schedule %s: blocks that loop take square tiles only", how)
    return false;
}

static bool of_the_block(const td_draft *d, td_run *run)
{
    const char *name = run->strategy->name;
    const td_dim3 b = run->block;
    const uint32_t threads = b.x * b.y * b.z;
    RULE(!d->block_fits && run->workload->dimension == 3,
         "--block %ux%u has two sides and %s needs three, such as 8x8x8", b.x, b.y, name)
    RULE(!d->block_fits,
         "--block %ux%ux%u has three sides and %s needs one or two, such as 16 or 64x4", b.x, b.y,
         b.z, name)
    RULE(threads > 1024, "--block %u is %ux%ux%u = %u threads in 3D, at most 1024", b.x, b.x, b.y,
         b.z, threads)
    return false;
}

/* Tiles that are not square: bands of a tile kernel, and tiles of the whole square. */
static bool of_a_flat_tile(const char *tile, td_run *run)
{
    const td_workload *w = run->workload;
    const bool fits = run->tiled && td_workload_takes_side(w, run->width);
    if (run->tiled && td_workload_takes_bands(w)) {
        RULE(!fits || run->width % run->tile != 0,
             "--tile %s: %s %s needs a multiple of %u, at most %u, by a divisor of it", tile,
             w->name, tiled_option(w), w->tiles->multiple, w->tiles->most)
        return false;
    }
    RULE(td_workload_takes_bands(w), "--tile %s: %s takes such tiles only with %s", tile, w->name,
         tiled_option(w))
    RULE(!td_run_is_square(run),
         "--tile %s: only the whole square, --set domain=square, and strips have such tiles", tile)
    RULE(!run->tiled, "--tile %s: %s works cell by cell here, which takes square tiles", tile,
         w->name)
    RULE(!w->tiles->flat.taken, "--tile %s: %s %s takes square tiles only", tile, w->name,
         tiled_option(w))
    RULE(!td_workload_takes_flat(w, run->width, run->tile),
         "--tile %s: %s %s needs a multiple of %u by any, at most %dx%d or %dx%d", tile, w->name,
         tiled_option(w), w->tiles->multiple, TD_LOW_WIDTH, TD_LOW_ROWS, TD_HIGH_WIDTH,
         TD_HIGH_ROWS)
    return false;
}

/* Stages of flat tiles take any number of threads. */
static bool of_the_tile(const td_draft *d, td_run *run)
{
    const td_workload *w = run->workload;
    const td_dim3 b = run->block;
    const bool square = run->width == 0, as_block = run->tile == b.x && run->tile == b.y;
    const uint32_t side = square ? run->tile : run->width;
    const td_shown shown = td_tile_text(run->tile, run->width);
    const char *tile = shown.text;
    if (!square && of_a_flat_tile(tile, run)) {
        return true;
    }
    RULE(square && run->strategy->unit == TD_MAPS_THREADS && d->tile_is_given && !as_block,
         "--tile %s: %s maps threads to cells and has no tiles but the block, %ux%u", tile,
         run->strategy->name, b.x, b.y)
    const bool in_clusters = run->tiled && w->tiles->cluster_shared > 0;
    const uint32_t rows = in_clusters && w->tiles->banded ? w->tiles->band : side;
    RULE(in_clusters && (side != w->tiles->side || run->tile != rows),
         "--tile %s: %s %s needs %ux%u", tile, w->name, tiled_option(w), w->tiles->side,
         w->tiles->banded ? w->tiles->band : w->tiles->side)
    RULE(in_clusters && (b.x != w->tiles->block.x || b.y != w->tiles->block.y),
         "--block: %s %s has blocks of %ux%u, got %ux%u", w->name, tiled_option(w),
         w->tiles->block.x, w->tiles->block.y, b.x, b.y)
    RULE(square && run->tiled && !td_workload_takes_side(w, side),
         "--tile %s: %s %s needs a %s %u, at most %u", tile, w->name, tiled_option(w),
         w->tiles->halves ? "power of two from" : "multiple of", w->tiles->multiple, w->tiles->most)
    RULE(run->tiled && (square || td_workload_takes_bands(w)) &&
             !td_workload_takes_tile(w, side, b),
         "--block: %s %s needs a multiple of %u threads, at most %u, got %u", w->name,
         tiled_option(w), td_workload_threads_multiple(w, side), w->tiles->threads_most,
         b.x * b.y * b.z)
    RULE(!td_strategy_takes_tile(run->strategy, run->tile, run->width, b),
         "--tile %s is not a multiple of the sides of the block, %ux%ux%u", tile, b.x, b.y, b.z)
    return false;
}

/* A thread has one cell if and only if the tile is as large as the block: of the list cell,loop one goes with each. For
 * maps of whole rows these two mean nothing: they have only one kernel. */
static bool of_the_kernel(const td_options *o, const td_draft *d, td_run *run)
{
    const bool both =
        td_words_have(o->kernels, TD_CHOOSE_CELL) && td_words_have(o->kernels, TD_CHOOSE_LOOP);
    const bool is_strict = !run->strategy->whole_rows && !both;
    const td_domain domain = td_run_domain(run);
    td_error error;
    RULE(run->strategy->by_rows && (uint64_t)domain.tiles * domain.batch > UINT32_MAX,
         "%s numbers rows of tiles in 32 bits, and %u in each of %u triangles are too many",
         run->strategy->name, domain.tiles, domain.batch)
    RULE(is_strict && d->kernel == TD_CHOOSE_LOOP && tile_is_block(run),
         "--kernel loop: a tile of %s is the block: give a larger --tile", run->strategy->name)
    RULE(is_strict && d->kernel == TD_CHOOSE_CELL && !tile_is_block(run),
         "--kernel cell: a tile of %u cells per side is larger than the block: use --kernel loop",
         run->tile)
    RULE(!o->protocol.inexact && td_strategy_check_range(run->strategy, &domain, &error) != TD_OK,
         "%.*s", TD_REASON_SIZE - 1, error.text)
    return false;
}

bool td_compatibility_fails(const td_options *options, const td_draft *draft, td_run *run)
{
    return of_the_workload(options, draft, run) || of_the_map(run) || of_the_order(run) ||
           of_the_lengths(run) || of_ranks(run) || of_the_schedule(run) ||
           of_the_block(draft, run) || of_the_tile(draft, run) ||
           of_the_kernel(options, draft, run);
}

/* ---- the sweep as a whole ---- */

const char *td_option_of_one_run(const td_options *o)
{
    return o->dump != NULL                            ? "dump"
           : o->protocol.sampling == TD_SAMPLING_ONCE ? "timing once"
                                                      : NULL;
}

static td_status check_runs(const td_options *o, const td_sweep *sweep, const char *why,
                            td_error *error)
{
    const char *one = td_option_of_one_run(o);
    bool any_can_run = false, has_dimension = o->baseline == NULL;
    for (size_t r = 0; r < sweep->run_count; r++) {
        any_can_run |= sweep->runs[r].skip[0] == '\0';
        has_dimension |=
            o->baseline != NULL && sweep->runs[r].strategy->dimension == o->baseline->dimension;
    }
    if (one != NULL && sweep->run_count != 1) {
        return td_fail(error, TD_USAGE,
                       "--%s: expected exactly one run, the command line selects %zu: name one "
                       "--strategy, --workload, --n and --block",
                       one, sweep->run_count);
    }
    if (!any_can_run) {
        return td_fail(error, TD_USAGE, "nothing to run: %s",
                       sweep->run_count > 0 ? sweep->runs[0].skip
                       : why[0] != '\0'
                           ? why
                           : "no selected strategy has the dimension of a selected workload");
    }
    /* without a run of its dimension, a baseline would leave all runs without their I */
    return has_dimension ? TD_OK
                         : td_fail(error, TD_USAGE, "--baseline %s: no selected run is %dD",
                                   o->baseline->name, o->baseline->dimension);
}

/* Whether any run's workload has a parameter. If the parameter says why other workloads cannot follow it (`lacking`),
 * each run has been checked, and the default is accepted. */
static bool any_takes(const td_sweep *sweep, const td_parameter *p)
{
    bool taken = p->lacking != NULL;
    for (size_t r = 0; r < sweep->run_count && !taken; r++) {
        taken = td_workload_parameter(sweep->runs[r].workload, p->name) != NULL;
    }
    return taken;
}

/* The option of strategies that was given and that none of the runs' strategies takes; NULL: there is none. */
static const char *idle_option(const td_options *options, const td_sweep *sweep)
{
    bool cutoff = td_option_is_given(options, "cutoff"), group = options->groups.count > 0;
    bool order = options->orders != 0 || options->table != NULL;
    for (size_t r = 0; r < sweep->run_count; r++) {
        cutoff = cutoff && !sweep->runs[r].strategy->uses_cutoff;
        group = group && sweep->runs[r].strategy->usual_group == 0;
        order = order && !sweep->runs[r].strategy->looks_rows_up;
    }
    return cutoff  ? "cutoff"
           : group ? "set " TD_GROUP_PARAMETER
           : order ? options->table != NULL ? "set " TD_TABLE_PARAMETER : "set " TD_ORDER_PARAMETER
                   : NULL;
}

td_status td_sweep_check(const td_options *options, const td_sweep *sweep, const char *why,
                         td_error *error)
{
    TRY(check_runs(options, sweep, why, error));
    for (size_t s = 0; s < options->setting_count; s++) {
        const td_parameter *p = td_parameter_named(options->settings[s].name);
        if (!any_takes(sweep, p)) {
            return td_fail(error, TD_USAGE,
                           "--%s: no selected workload takes it, see --list workloads",
                           td_parameter_label(p->name).text);
        }
    }
    const char *idle = idle_option(options, sweep);
    return idle == NULL
               ? TD_OK
               : td_fail(error, TD_USAGE,
                         "--%s: no selected strategy takes it, see --list strategies", idle);
}
