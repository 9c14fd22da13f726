#include "compatibility.h"

#include <stdio.h>
#include <string.h>

#include "engine/engine.h"
#include "engine/options/parameters.h"
#include "engine/prepare/planning.h"
#include "key.h"

enum {
    STRATEGY = TD_CLASH_OF_STRATEGY,
    WORKLOAD = TD_CLASH_OF_WORKLOAD,
    BOTH = STRATEGY | WORKLOAD,
    VALUES = STRATEGY | TD_CLASH_OF_VALUES
};

/* A rule: if it is broken, the sentence becomes run->skip, and these parts clash. */
#define RULE(is_broken, parts, ...)                                                                \
    if (is_broken) {                                                                               \
        snprintf(run->skip, sizeof run->skip, __VA_ARGS__);                                        \
        return parts;                                                                              \
    }

static bool maps_threads(const td_run *run)
{
    return run->strategy->unit == TD_MAPS_THREADS;
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

static unsigned of_the_workload(const td_options *o, const td_draft *d, td_run *run)
{
    const td_workload *w = run->workload;
    const char *only = td_workload_only_tiles(w);
    const td_setting *setting = unfollowed_setting(o, w);
    char text[TD_SETTING_SIZE] = "";
    if (setting != NULL) {
        td_setting_text(setting->name, setting->text, text);
    }
    const bool blocked = o->layout == TD_BLOCKED;
    const bool full = o->layout == TD_FULL && td_option_is_given(o, "layout");
    const bool by_cells = d->kernel == TD_CHOOSE_CELL || d->kernel == TD_CHOOSE_LOOP;
    RULE(d->unresolved.text[0] != '\0', WORKLOAD, "%.*s", TD_REASON_SIZE - 1, d->unresolved.text)
    RULE(setting != NULL, WORKLOAD, "%s: %s %s", text, w->name,
         td_parameter_named(setting->name)->lacking)
    RULE(o->input != NULL && !td_workload_takes_input(w), WORKLOAD, "--input: %s takes no input",
         w->name)
    RULE(o->dump != NULL && w->traits.proven_by_count, WORKLOAD,
         "--dump: %s has no output of its own", w->name)
    RULE(blocked && !w->traits.has_blocked, WORKLOAD, "--layout blocked: %s %s", w->name,
         w->automaton != NULL ? "reads neighbours, which may lie in other tiles: use "
                                "--memory conditional and --cell u8, or --layout packed"
                              : "has no blocked layout")
    RULE(full && !w->traits.has_layouts, WORKLOAD, "--layout full: %s has no full layout", w->name)
    RULE(o->every > 0 && !td_workload_advances(w), WORKLOAD, "--every: %s has no steps", w->name)
    RULE(d->kernel == TD_CHOOSE_TILE && w->tiles == NULL, WORKLOAD,
         "--kernel tile: %s has no tile kernel of its own%s", w->name,
         blocked ? " for --layout blocked: use --kernel cell or loop" : "")
    RULE(by_cells && only != NULL, WORKLOAD, "--kernel %s: %s is a tile kernel, use %s",
         d->kernel == TD_CHOOSE_CELL ? "cell" : "loop", only, w->tiles->instead)
    return 0;
}

/* A blocked layout needs a map that gives each block one tile, a whole square or cube. */
static unsigned of_the_map(td_run *run)
{
    const td_strategy *s = run->strategy;
    const td_workload *w = run->workload;
    const bool blocked = run->problem.layout == TD_BLOCKED;
    const char *why = maps_threads(run) ? "maps threads, whose cells make no tile"
                      : s->tree != NULL ? "launches kernels of its own, cell by cell"
                      : s->whole_rows   ? "has tiles of whole rows"
                                        : NULL;
    const char *instead = td_workload_only_tiles(w) != NULL ? w->tiles->instead : "--kernel cell";
    RULE(s->dimension != w->dimension, BOTH, "%s maps %dD domains and %s is a %dD workload",
         s->name, s->dimension, w->name, w->dimension)
    RULE(blocked && td_run_is_square(run), BOTH,
         "--layout blocked stores the tiles of a triangle: use --set domain=triangle")
    RULE(blocked && run->parts > 0, BOTH,
         "--layout blocked: --ranks cuts an output between rows, and this one has none")
    RULE(blocked && why != NULL, STRATEGY, "--layout blocked stores tile after tile, and %s %s",
         s->name, why)
    RULE(td_run_is_square(run) && s->square_map == NULL, BOTH,
         "--set domain=square: %s covers a triangle, only %s covers the whole square", s->name,
         td_strategy_of_square()->name)
    RULE(run->tiled && maps_threads(run), BOTH,
         "%s works on whole tiles and %s maps threads, whose cells make no tile: use %s",
         tiled_option(w), s->name, instead)
    RULE(run->tiled && s->tree != NULL, BOTH,
         "%s: %s launches kernels of its own, cell by cell: use %s", tiled_option(w), s->name,
         instead)
    return 0;
}

/* Combinations that cannot be split among ranks. A cut between two tiles of a row, by blocks, also separates their
 * cells only if every tile keeps to its own columns. */
static unsigned of_ranks(td_run *run)
{
    const td_strategy *s = run->strategy;
    const td_workload *w = run->workload;
    const bool blocks = run->partition == TD_BY_BLOCKS;
    if (run->parts == 0) {
        return 0;
    }
    RULE(s->dimension != 2 || td_run_is_square(run), BOTH,
         "--ranks cuts triangles, and %s is on %s", w->name,
         s->dimension != 2 ? "a tetrahedron" : "the whole square")
    RULE(w->automaton != NULL && w->automaton->state_bytes > 0, BOTH,
         "--ranks: the states of %s are not shared among ranks", w->name)
    RULE(maps_threads(run), STRATEGY, "--ranks cuts between tiles, and %s maps threads to cells",
         s->name)
    RULE(s->tree != NULL, STRATEGY,
         "--ranks cuts between tiles, and %s launches its boxes from the device", s->name)
    RULE(blocks && s->plan_range == NULL, STRATEGY,
         "--ranks=blocks: %s does not count its blocks in one dimension", s->name)
    RULE(blocks && w->automaton != NULL, BOTH,
         "--ranks=blocks: %s exchanges whole rows: use cells or rows", w->name)
    RULE(blocks && run->engine->can.shifts_tiles && !tile_is_block(run), VALUES,
         "--ranks=blocks: on the %s engine a tile larger than the block, here %u, may leave cells "
         "at its right end to the next: use cells, rows, or tiles as the block",
         run->engine->name, run->tile)
    RULE(!blocks && td_workload_generations(w) > td_run_domain(run).tile, BOTH,
         "--ranks: a halo of %u rows is larger than a tile of %u", td_workload_generations(w),
         td_run_domain(run).tile)
    return 0;
}

static unsigned of_the_schedule(td_run *run)
{
    const td_strategy *s = run->strategy;
    const td_workload *w = run->workload;
    const char *how = run->schedule == TD_SCHEDULE_DYNAMIC ? "dynamic" : "persistent";
    if (run->schedule == TD_SCHEDULE_GRID) {
        return 0;
    }
    RULE(s->tree != NULL, STRATEGY, "--schedule %s: %s launches its kernels as a tree", how,
         s->name)
    RULE(td_run_is_square(run) && !run->tiled, STRATEGY,
         "--schedule %s: %s has a grid of its own for the whole square", how, w->name)
    RULE(run->width != 0 && !td_workload_takes_bands(w), STRATEGY,
         "--schedule %s: blocks that loop take square tiles only", how)
    RULE(maps_threads(run), STRATEGY,
         "--schedule %s: %s maps threads, only maps of blocks can loop over tiles", how, s->name)
    return 0;
}

static unsigned of_the_engine(td_run *run)
{
    const td_strategy *s = run->strategy;
    RULE(s->tree != NULL && !run->engine->can.trees, STRATEGY,
         "%s: the %s engine cannot launch trees of kernels", s->name, run->engine->name)
    RULE(s->tree != NULL && run->workload->own != NULL && run->engine->can.device_memory, BOTH,
         "%s launches kernels from kernels, and %s, from a file, has none for that", s->name,
         run->workload->name)
    return 0;
}

static unsigned of_the_block(const td_draft *d, td_run *run)
{
    const char *name = run->strategy->name;
    const td_dim3 b = run->block;
    const uint32_t threads = b.x * b.y * b.z;
    RULE(!d->block_fits && run->workload->dimension == 3, VALUES,
         "--block %ux%u has two sides and %s needs three, such as 8x8x8", b.x, b.y, name)
    RULE(!d->block_fits, VALUES,
         "--block %ux%ux%u has three sides and %s needs one or two, such as 16 or 64x4", b.x, b.y,
         b.z, name)
    RULE(threads > 1024, VALUES, "--block %u is %ux%ux%u = %u threads in 3D, at most 1024", b.x,
         b.x, b.y, b.z, threads)
    return 0;
}

/* Tiles that are not square: bands of a tile kernel, and tiles of the whole square. */
static unsigned of_a_flat_tile(const char *tile, td_run *run)
{
    const td_workload *w = run->workload;
    const bool fits = run->tiled && td_workload_takes_side(w, run->width);
    if (run->tiled && td_workload_takes_bands(w)) {
        RULE(!fits || run->width % run->tile != 0, VALUES,
             "--tile %s: %s %s needs a multiple of %u, at most %u, by a divisor of it", tile,
             w->name, tiled_option(w), w->tiles->multiple, w->tiles->most)
        return 0;
    }
    RULE(!td_run_is_square(run), VALUES,
         "--tile %s: only the whole square, --set domain=square, and strips have such tiles", tile)
    RULE(!run->tiled, VALUES, "--tile %s: %s works cell by cell here, which takes square tiles",
         tile, w->name)
    RULE(!w->tiles->flat.taken, VALUES, "--tile %s: %s %s takes square tiles only", tile, w->name,
         tiled_option(w))
    RULE(!td_workload_takes_flat(w, run->width, run->tile), VALUES,
         "--tile %s: %s %s needs a multiple of %u by any, at most %dx%d or %dx%d", tile, w->name,
         tiled_option(w), w->tiles->multiple, TD_LOW_WIDTH, TD_LOW_ROWS, TD_HIGH_WIDTH,
         TD_HIGH_ROWS)
    return 0;
}

/* Stages of flat tiles take any number of threads. */
static unsigned of_the_tile(const td_draft *d, td_run *run)
{
    const td_workload *w = run->workload;
    const td_dim3 b = run->block;
    const bool square = run->width == 0, as_block = run->tile == b.x && run->tile == b.y;
    const uint32_t side = square ? run->tile : run->width;
    char tile[TD_TILE_SIZE];
    td_tile_text(run->tile, run->width, tile);
    const unsigned parts = square ? 0 : of_a_flat_tile(tile, run);
    if (parts != 0) {
        return parts;
    }
    RULE(square && maps_threads(run) && d->tile_is_given && !as_block, VALUES,
         "--tile %s: %s maps threads to cells and has no tiles but the block, %ux%u", tile,
         run->strategy->name, b.x, b.y)
    RULE(square && run->tiled && !td_workload_takes_side(w, side), VALUES,
         "--tile %s: %s %s needs a %s %u, at most %u", tile, w->name, tiled_option(w),
         w->tiles->halves ? "power of two from" : "multiple of", w->tiles->multiple, w->tiles->most)
    RULE(run->tiled && (square || td_workload_takes_bands(w)) &&
             !td_workload_takes_tile(w, side, b),
         VALUES, "--block: %s %s needs a multiple of %u threads, at most %u, got %u", w->name,
         tiled_option(w), td_workload_threads_multiple(w, side), w->tiles->threads_most,
         b.x * b.y * b.z)
    RULE(!td_strategy_takes_tile(run->strategy, run->tile, run->width, b), VALUES,
         "--tile %s is not a multiple of the sides of the block, %ux%ux%u", tile, b.x, b.y, b.z)
    return 0;
}

/* A thread has one cell if and only if the tile is as large as the block: of the list cell,loop one goes with each. For
 * maps of whole rows these two mean nothing: they have only one kernel. */
static unsigned of_the_kernel(const td_options *o, const td_draft *d, td_run *run)
{
    const bool both =
        td_words_have(o->kernels, TD_CHOOSE_CELL) && td_words_have(o->kernels, TD_CHOOSE_LOOP);
    const bool is_strict = !run->strategy->whole_rows && !both;
    const td_domain domain = td_run_domain(run);
    td_error error;
    RULE(is_strict && d->kernel == TD_CHOOSE_LOOP && tile_is_block(run), VALUES,
         "--kernel loop: a tile of %s is the block: give a larger --tile", run->strategy->name)
    RULE(is_strict && d->kernel == TD_CHOOSE_CELL && !tile_is_block(run), VALUES,
         "--kernel cell: a tile of %u cells per side is larger than the block: use --kernel loop",
         run->tile)
    RULE(!o->protocol.inexact && td_strategy_check_range(run->strategy, &domain, &error) != TD_OK,
         VALUES, "%.*s", TD_REASON_SIZE - 1, error.text)
    return 0;
}

unsigned td_compatibility_check(const td_options *options, const td_draft *draft, td_run *run)
{
    unsigned parts = of_the_workload(options, draft, run);
    parts = parts == 0 ? of_the_map(run) : parts;
    parts = parts == 0 ? of_ranks(run) : parts;
    parts = parts == 0 ? of_the_schedule(run) : parts;
    parts = parts == 0 ? of_the_engine(run) : parts;
    parts = parts == 0 ? of_the_block(draft, run) : parts;
    parts = parts == 0 ? of_the_tile(draft, run) : parts;
    return parts == 0 ? of_the_kernel(options, draft, run) : parts;
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

/* The names in an error message. */
typedef struct name_list {
    char text[128];
} name_list;

static void append(name_list *names, const char *name)
{
    const size_t used = strlen(names->text);
    snprintf(names->text + used, sizeof names->text - used, "%s%s", used > 0 ? ", " : "", name);
}

/* If the parameter says why other workloads cannot follow it (`lacking`), each such run has been checked, and the
 * default is accepted. A name may stand for two workloads, in 2D and in 3D. */
static td_status check_parameter(const td_parameter *p, const td_sweep *sweep, td_error *error)
{
    bool is_taken = p->lacking != NULL;
    char label[TD_WORD_SIZE];
    name_list takers = {""};
    for (size_t r = 0; r < sweep->run_count && !is_taken; r++) {
        is_taken = td_workload_parameter(sweep->runs[r].workload, p->name) != NULL;
    }
    for (size_t i = 0; i < td_workload_count && !is_taken; i++) {
        const td_workload *w = td_workloads[i];
        if (td_workload_parameter(w, p->name) != NULL && td_workload_find(w->name, 0) == w) {
            append(&takers, w->name);
        }
    }
    td_parameter_label(p->name, label);
    return is_taken ? TD_OK
                    : td_fail(error, TD_USAGE, "--%s: no selected workload takes it; these do: %s",
                              label, takers.text);
}

/* --cutoff needs a strategy that divides the domain down to it. */
static td_status check_cutoff(const td_sweep *sweep, td_error *error)
{
    bool is_taken = false;
    name_list takers = {""};
    for (size_t r = 0; r < sweep->run_count; r++) {
        is_taken |= sweep->runs[r].strategy->uses_cutoff;
    }
    for (size_t s = 0; s < td_strategy_count; s++) {
        if (td_strategies[s]->uses_cutoff) {
            append(&takers, td_strategies[s]->name);
        }
    }
    return is_taken ? TD_OK
                    : td_fail(error, TD_USAGE,
                              "--cutoff: no selected strategy takes it; these do: %s", takers.text);
}

td_status td_sweep_check(const td_options *options, const td_sweep *sweep, const char *why,
                         td_error *error)
{
    TRY(check_runs(options, sweep, why, error));
    for (size_t s = 0; s < options->setting_count; s++) {
        TRY(check_parameter(td_parameter_named(options->settings[s].name), sweep, error));
    }
    return td_option_is_given(options, "cutoff") ? check_cutoff(sweep, error) : TD_OK;
}
