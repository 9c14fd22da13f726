#include "compatibility.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "engine/engine.h"
#include "engine/options/parameters.h"
#include "engine/prepare/planning.h"
#include "key.h"

static void because(td_incompatibility *found, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void because(td_incompatibility *found, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(found->text, sizeof found->text, format, arguments);
    va_end(arguments);
}

/* A setting that the workload cannot follow, because it lacks the parameter; NULL: there is none. */
static const td_setting *unfollowed_setting(const td_combination *c)
{
    for (size_t i = 0; i < c->options->setting_count; i++) {
        const td_setting *setting = &c->options->settings[i];
        const td_parameter *p = td_parameter_named(setting->name);
        if (p->lacking != NULL && strcmp(setting->text, p->preset) != 0 &&
            td_workload_parameter(c->run->workload, p->name) == NULL) {
            return setting;
        }
    }
    return NULL;
}

static td_incompatibility parameter_incompatibility(const td_combination *c)
{
    td_incompatibility found = {.workload = true};
    const td_setting *setting = unfollowed_setting(c);
    if (c->unresolved[0] != '\0') {
        because(&found, "%.*s", TD_REASON_SIZE - 1, c->unresolved);
    } else if (setting != NULL) {
        char text[TD_SETTING_SIZE];
        td_setting_text(setting->name, setting->text, text);
        because(&found, "%s: %s %s", text, c->run->workload->name,
                td_parameter_named(setting->name)->lacking);
    }
    return found;
}

static td_incompatibility workload_incompatibility(const td_combination *c)
{
    td_incompatibility found = {.workload = true};
    const td_workload *w = c->run->workload;
    if (c->options->input != NULL && !td_workload_takes_input(w)) {
        because(&found, "--input: %s takes no input", w->name);
    } else if (c->options->dump != NULL && w->traits.proven_by_count) {
        because(&found, "--dump: %s has no output of its own", w->name);
    } else if (c->options->layout == TD_BLOCKED && !w->traits.has_blocked) {
        because(&found, "--layout blocked: %s %s", w->name,
                w->automaton != NULL ? "reads neighbours, which may lie in other tiles: use "
                                       "--memory conditional and --cell u8, or --layout packed"
                                     : "has no blocked layout");
    } else if (td_option_is_given(c->options, "layout") && c->options->layout == TD_FULL &&
               !w->traits.has_layouts) {
        because(&found, "--layout full: %s has no full layout", w->name);
    } else if (c->options->every > 0 && !td_workload_advances(w)) {
        because(&found, "--every: %s has no steps", w->name);
    } else if (c->kernel == TD_CHOOSE_TILE && w->tiles == NULL) {
        because(&found, "--kernel tile: %s has no tile kernel of its own%s", w->name,
                c->options->layout == TD_BLOCKED
                    ? " for --layout blocked: use --kernel cell or loop"
                    : "");
    } else if ((c->kernel == TD_CHOOSE_CELL || c->kernel == TD_CHOOSE_LOOP) &&
               td_workload_only_tiles(w) != NULL) {
        because(&found, "--kernel %s: %s is a tile kernel, use %s",
                c->kernel == TD_CHOOSE_CELL ? "cell" : "loop", td_workload_only_tiles(w),
                w->tiles->instead);
    }
    return found;
}

static td_incompatibility dimension_incompatibility(const td_combination *c)
{
    td_incompatibility found = {.strategy = true, .workload = true};
    const td_strategy *s = c->run->strategy;
    const td_workload *w = c->run->workload;
    if (s->dimension != w->dimension) {
        because(&found, "%s maps %dD domains and %s is a %dD workload", s->name, s->dimension,
                w->name, w->dimension);
    }
    return found;
}

/* A blocked layout needs a map that gives each block one tile, a whole square or cube. */
static td_incompatibility layout_incompatibility(const td_combination *c)
{
    td_incompatibility found = {.strategy = true};
    const td_strategy *s = c->run->strategy;
    const char *why = s->unit == TD_MAPS_THREADS ? "maps threads, whose cells make no tile"
                      : s->tree != NULL          ? "launches kernels of its own, cell by cell"
                      : s->whole_rows            ? "has tiles of whole rows"
                                                 : NULL;
    if (c->run->problem.layout != TD_BLOCKED) {
        return found;
    }
    if (td_run_is_square(c->run)) {
        found.workload = true;
        because(&found,
                "--layout blocked stores the tiles of a triangle: use --set domain=triangle");
    } else if (c->run->parts > 0) {
        found.workload = true;
        because(&found,
                "--layout blocked: --ranks cuts an output between rows, and this one has none");
    } else if (why != NULL) {
        because(&found, "--layout blocked stores tile after tile, and %s %s", s->name, why);
    }
    return found;
}

/* The option that chooses a workload's tiled kernel. */
static const char *tiled_option(const td_workload *w)
{
    return td_workload_only_tiles(w) != NULL ? td_workload_only_tiles(w) : "--kernel tile";
}

static td_incompatibility kernel_incompatibility(const td_combination *c)
{
    td_incompatibility found = {.strategy = true, .workload = true};
    const td_strategy *s = c->run->strategy;
    const td_workload *w = c->run->workload;
    const char *instead = td_workload_only_tiles(w) != NULL ? w->tiles->instead : "--kernel cell";
    if (td_run_is_square(c->run) && s->square_map == NULL) {
        because(&found,
                "--set domain=square: %s covers a triangle, only %s covers the whole square",
                s->name, td_strategy_of_square()->name);
    } else if (c->run->tiled && s->unit == TD_MAPS_THREADS) {
        because(&found,
                "%s works on whole tiles and %s maps threads, whose cells make no tile: use %s",
                tiled_option(w), s->name, instead);
    } else if (c->run->tiled && s->tree != NULL) {
        because(&found, "%s: %s launches kernels of its own, cell by cell: use %s", tiled_option(w),
                s->name, instead);
    }
    return found;
}

/* A cut between two tiles of a row also separates their cells only if every tile keeps to its own columns. */
static td_incompatibility blocks_incompatibility(const td_combination *c)
{
    td_incompatibility found = {.strategy = true};
    const td_run *run = c->run;
    if (run->strategy->plan_range == NULL) {
        because(&found, "--ranks=blocks: %s does not count its blocks in one dimension",
                run->strategy->name);
    } else if (run->workload->automaton != NULL) {
        found.workload = true;
        because(&found, "--ranks=blocks: %s exchanges whole rows: use cells or rows",
                run->workload->name);
    } else if (run->engine->can.shifts_tiles &&
               !td_strategy_tile_is_block(run->strategy, run->tile, run->width, run->block)) {
        found.values = true;
        because(&found,
                "--ranks=blocks: on the %s engine a tile larger than the block, here %u, may "
                "leave cells at its right end to the next: use cells, rows, or tiles as the block",
                run->engine->name, run->tile);
    }
    return found;
}

/* Combinations that cannot be split among ranks. */
static td_incompatibility ranks_incompatibility(const td_combination *c)
{
    td_incompatibility found = {.strategy = true};
    const td_strategy *s = c->run->strategy;
    const td_workload *w = c->run->workload;
    if (c->run->parts == 0) {
        return found;
    }
    if (s->dimension != 2 || td_run_is_square(c->run)) {
        found.workload = true;
        because(&found, "--ranks cuts triangles, and %s is on %s", w->name,
                s->dimension != 2 ? "a tetrahedron" : "the whole square");
    } else if (w->automaton != NULL && w->automaton->state_bytes > 0) {
        found.workload = true;
        because(&found, "--ranks: the states of %s are not shared among ranks", w->name);
    } else if (s->unit == TD_MAPS_THREADS) {
        because(&found, "--ranks cuts between tiles, and %s maps threads to cells", s->name);
    } else if (s->tree != NULL) {
        because(&found, "--ranks cuts between tiles, and %s launches its boxes from the device",
                s->name);
    } else if (c->run->partition == TD_BY_BLOCKS) {
        return blocks_incompatibility(c);
    } else if (td_workload_generations(w) > td_run_domain(c->run).tile) {
        found.workload = true;
        because(&found, "--ranks: a halo of %u rows is larger than a tile of %u",
                td_workload_generations(w), td_run_domain(c->run).tile);
    }
    return found;
}

static td_incompatibility schedule_incompatibility(const td_combination *c)
{
    td_incompatibility found = {.strategy = true};
    const td_strategy *s = c->run->strategy;
    const char *how = c->run->schedule == TD_SCHEDULE_DYNAMIC ? "dynamic" : "persistent";
    if (c->run->schedule == TD_SCHEDULE_GRID) {
        return found;
    }
    if (s->tree != NULL) {
        because(&found, "--schedule %s: %s launches its kernels as a tree", how, s->name);
    } else if (td_run_is_square(c->run) && !c->run->tiled) {
        because(&found, "--schedule %s: %s has a grid of its own for the whole square", how,
                c->run->workload->name);
    } else if (c->run->width != 0 && !td_workload_takes_bands(c->run->workload)) {
        because(&found, "--schedule %s: blocks that loop take square tiles only", how);
    } else if (s->unit == TD_MAPS_THREADS) {
        because(&found, "--schedule %s: %s maps threads, only maps of blocks can loop over tiles",
                how, s->name);
    }
    return found;
}

static void explain_flat(const td_run *run, const char *tile, td_incompatibility *found)
{
    const td_workload *w = run->workload;
    if (run->tiled && td_workload_takes_bands(w)) {
        if (!td_workload_takes_side(w, run->width) || run->width % run->tile != 0) {
            because(found,
                    "--tile %s: %s %s needs a multiple of %u, at most %u, by a divisor of it", tile,
                    w->name, tiled_option(w), w->tiles->multiple, w->tiles->most);
        }
    } else if (!td_run_is_square(run)) {
        because(found,
                "--tile %s: only the whole square, --set domain=square, and strips have such tiles",
                tile);
    } else if (!run->tiled) {
        because(found, "--tile %s: %s works cell by cell here, which takes square tiles", tile,
                w->name);
    } else if (!w->tiles->flat.taken) {
        because(found, "--tile %s: %s %s takes square tiles only", tile, w->name, tiled_option(w));
    } else if (!td_workload_takes_flat(w, run->width, run->tile)) {
        because(found, "--tile %s: %s %s needs a multiple of %u by any, at most %dx%d or %dx%d",
                tile, w->name, tiled_option(w), w->tiles->multiple, TD_LOW_WIDTH, TD_LOW_ROWS,
                TD_HIGH_WIDTH, TD_HIGH_ROWS);
    }
}

/* The threads of a block of a tile kernel. Stages of flat tiles take any number. */
static void explain_threads(const td_run *run, td_incompatibility *found)
{
    const td_workload *w = run->workload;
    const td_dim3 b = run->block;
    const uint32_t side = run->width != 0 ? run->width : run->tile;
    const bool takes_any = run->width != 0 && !td_workload_takes_bands(w);
    if (!takes_any && !td_workload_takes_tile(w, side, b)) {
        because(found, "--block: %s %s needs a multiple of %u threads, at most %u, got %u", w->name,
                tiled_option(w), td_workload_threads_multiple(w, side), w->tiles->threads_most,
                b.x * b.y * b.z);
    }
}

static void explain_tile(const td_combination *c, td_incompatibility *found)
{
    const td_run *run = c->run;
    const td_dim3 b = run->block;
    const bool threads = run->strategy->unit == TD_MAPS_THREADS;
    char tile[TD_TILE_SIZE];
    td_tile_text(run->tile, run->width, tile);
    if (run->width != 0) {
        explain_flat(run, tile, found);
    } else if (threads && c->tile_is_given && (run->tile != b.x || run->tile != b.y)) {
        because(found, "--tile %u: %s maps threads to cells and has no tiles but the block, %ux%u",
                run->tile, run->strategy->name, b.x, b.y);
    } else if (run->tiled && !td_workload_takes_side(run->workload, run->tile)) {
        because(found, "--tile %u: %s %s needs a %s %u, at most %u", run->tile, run->workload->name,
                tiled_option(run->workload),
                run->workload->tiles->halves ? "power of two from" : "multiple of",
                run->workload->tiles->multiple, run->workload->tiles->most);
    }
    if (found->text[0] == '\0' && run->tiled) {
        explain_threads(run, found);
    }
    if (found->text[0] == '\0' &&
        !td_strategy_takes_tile(run->strategy, run->tile, run->width, b)) {
        because(found, "--tile %s is not a multiple of the sides of the block, %ux%ux%u", tile, b.x,
                b.y, b.z);
    }
}

/* A thread has one cell if and only if the tile is as large as the block. For maps of whole rows, --kernel cell and
 * loop mean nothing: they have only one kernel. */
static void explain_kernel(const td_combination *c, td_incompatibility *found)
{
    const td_run *run = c->run;
    const bool is_block =
        td_strategy_tile_is_block(run->strategy, run->tile, run->width, run->block);
    if (found->text[0] != '\0' || run->strategy->whole_rows) {
        return;
    }
    if (c->kernel == TD_CHOOSE_LOOP && is_block) {
        because(found, "--kernel loop: a tile of %s is the block: give a larger --tile",
                run->strategy->name);
    } else if (c->kernel == TD_CHOOSE_CELL && !is_block) {
        because(found,
                "--kernel cell: a tile of %u cells per side is larger than the block: use "
                "--kernel loop",
                run->tile);
    }
}

static td_incompatibility engine_incompatibility(const td_combination *c)
{
    td_incompatibility found = {.strategy = true};
    if (c->run->strategy->tree != NULL && !c->run->engine->can.trees) {
        because(&found, "%s: the %s engine cannot launch trees of kernels", c->run->strategy->name,
                c->run->engine->name);
    } else if (c->run->strategy->tree != NULL && c->run->workload->own != NULL &&
               c->run->engine->can.device_memory) {
        found.workload = true;
        because(&found, "%s launches kernels from kernels, and %s, from a file, has none for that",
                c->run->strategy->name, c->run->workload->name);
    }
    return found;
}

static td_incompatibility value_incompatibility(const td_combination *c)
{
    td_incompatibility found = {.strategy = true, .values = true};
    const td_dim3 b = c->run->block;
    const uint32_t threads = b.x * b.y * b.z;
    if (!c->block_fits && c->run->workload->dimension == 3) {
        because(&found, "--block %ux%u has two sides and %s needs three, such as 8x8x8", b.x, b.y,
                c->run->strategy->name);
    } else if (!c->block_fits) {
        because(&found,
                "--block %ux%ux%u has three sides and %s needs one or two, such as 16 or 64x4", b.x,
                b.y, b.z, c->run->strategy->name);
    } else if (threads > 1024) {
        because(&found, "--block %u is %ux%ux%u = %u threads in 3D, at most 1024", b.x, b.x, b.y,
                b.z, threads);
    } else {
        explain_tile(c, &found);
        explain_kernel(c, &found);
    }
    return found;
}

static td_incompatibility range_incompatibility(const td_combination *c)
{
    td_incompatibility found = {.strategy = true, .values = true};
    td_error error;
    const td_run *run = c->run;
    const td_domain domain = td_run_domain(run);
    if (!c->options->protocol.inexact &&
        td_strategy_check_range(run->strategy, &domain, &error) != TD_OK) {
        because(&found, "%.*s", TD_REASON_SIZE - 1, error.text);
    }
    return found;
}

td_incompatibility td_compatibility_of(const td_combination *combination)
{
    td_incompatibility (*const checks[])(const td_combination *) = {
        parameter_incompatibility, workload_incompatibility, dimension_incompatibility,
        layout_incompatibility,    kernel_incompatibility,   ranks_incompatibility,
        schedule_incompatibility,  engine_incompatibility,   value_incompatibility,
        range_incompatibility,
    };
    td_incompatibility found = {0};
    for (size_t i = 0; i < sizeof checks / sizeof checks[0] && found.text[0] == '\0'; i++) {
        found = checks[i](combination);
    }
    return found;
}

/* ---- options that no selected run takes ---- */

typedef struct name_list {
    char text[128];
} name_list;

static void append(name_list *names, const char *name)
{
    const size_t used = strlen(names->text);
    snprintf(names->text + used, sizeof names->text - used, "%s%s", used > 0 ? ", " : "", name);
}

static td_status reject(const char *option, const char *kind, const name_list *takers,
                        td_error *error)
{
    return td_fail(error, TD_USAGE, "--%s: no selected %s takes it; these do: %s", option, kind,
                   takers->text);
}

static bool has_taker(const td_sweep *sweep, const char *parameter)
{
    for (size_t r = 0; r < sweep->run_count; r++) {
        if (td_workload_parameter(sweep->runs[r].workload, parameter) != NULL) {
            return true;
        }
    }
    return false;
}

/* The names of the workloads with a parameter. One name may stand for two workloads, in 2D and in 3D. */
static name_list workloads_with(const char *parameter)
{
    name_list names = {""};
    for (size_t w = 0; w < td_workload_count; w++) {
        const td_workload *workload = td_workloads[w];
        if (td_workload_parameter(workload, parameter) != NULL &&
            td_workload_find(workload->name, 0) == workload) {
            append(&names, workload->name);
        }
    }
    return names;
}

/*
 * If the parameter says why other workloads cannot follow it (`lacking`), each such run has been checked, and the
 * default is accepted.
 */
static td_status check_parameter(const td_parameter *parameter, const td_sweep *sweep,
                                 td_error *error)
{
    if (parameter->lacking != NULL || has_taker(sweep, parameter->name)) {
        return TD_OK;
    }
    const name_list takers = workloads_with(parameter->name);
    char label[TD_WORD_SIZE];
    td_parameter_label(parameter->name, label);
    return reject(label, "workload", &takers, error);
}

/* --cutoff needs a strategy that divides the domain down to it. */
static td_status check_cutoff(const td_sweep *sweep, td_error *error)
{
    name_list takers = {""};
    for (size_t r = 0; r < sweep->run_count; r++) {
        if (sweep->runs[r].strategy->uses_cutoff) {
            return TD_OK;
        }
    }
    for (size_t s = 0; s < td_strategy_count; s++) {
        if (td_strategies[s]->uses_cutoff) {
            append(&takers, td_strategies[s]->name);
        }
    }
    return reject("cutoff", "strategy", &takers, error);
}

td_status td_compatibility_check_options(const td_options *options, const td_sweep *sweep,
                                         td_error *error)
{
    for (size_t s = 0; s < options->setting_count; s++) {
        TRY(check_parameter(td_parameter_named(options->settings[s].name), sweep, error));
    }
    return td_option_is_given(options, "cutoff") ? check_cutoff(sweep, error) : TD_OK;
}
