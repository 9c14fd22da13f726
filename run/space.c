#include "space.h"

#include <stdlib.h>
#include <string.h>

#include "engine/core/parameter.h"
#include "engine/engine.h"
#include "engine/needs/execution.h"
#include "engine/sweep/compatibility.h"
#include "engine/sweep/run_list.h"
#include "engine/sweep/sweep.h"

enum { MOST_SETTINGS = 64 /* as getopt may know */, MOST_SHAPES = 64 };

typedef struct shape_list {
    td_shape shapes[MOST_SHAPES];
    size_t count;
} shape_list;

/* A command line that leaves nothing open, with the storage that the lists of its options point to. */
typedef struct trial_line {
    td_options options;
    td_choice strategy, workload;
    uint32_t n;
    shape_list blocks, tiles;
    td_setting settings[MOST_SETTINGS + TD_PARAMETERS];
    char words[TD_PARAMETERS][TD_VALUE_SIZE];
} trial_line;

typedef struct search {
    const td_options *options;
    const td_engine_ops *engine;
    td_sweep *space;
    size_t first;             /* first run of the target */
    char why[TD_REASON_SIZE]; /* the reason that the first rejected combination gave */
    td_error *error;
} search;

/* ---- blocks and tiles where the command line names none ---- */

enum { FEWEST_THREADS = 64, MOST_THREADS = 1024 };

static void add(shape_list *list, uint32_t x, uint32_t y, uint32_t z)
{
    const uint32_t threads = x * y * (z > 0 ? z : 1);
    if (threads >= FEWEST_THREADS && threads <= MOST_THREADS && list->count < MOST_SHAPES) {
        list->shapes[list->count++] = (td_shape){x, y, z, false};
    }
}

/* Powers of two with z <= y <= x, because rows are contiguous; at least two warps. */
static shape_list blocks_to_try(int dimension)
{
    shape_list list = {.count = 0};
    const uint32_t narrowest = dimension == 3 ? 4 : 8, widest = dimension == 3 ? 64 : 256;
    for (uint32_t x = narrowest; x <= widest; x *= 2) {
        for (uint32_t y = 1; y <= x; y *= 2) {
            if (dimension == 2) {
                add(&list, x, y, 0);
            }
            for (uint32_t z = 1; z <= y && dimension == 3; z *= 2) {
                add(&list, x, y, z);
            }
        }
    }
    return list;
}

/* Powers of two, up to the first that covers the whole domain. */
static shape_list tiles_to_try(int dimension, uint32_t n)
{
    shape_list list = {.count = 0};
    const uint32_t least = dimension == 3 ? 2 : 8, most = dimension == 3 ? 64 : 1024;
    for (uint32_t tile = least; tile <= most && (tile == least || tile < 2 * n); tile *= 2) {
        list.shapes[list.count++] = (td_shape){tile, tile, 0, true};
    }
    return list;
}

/* ---- command lines ---- */

/* The user's command line for one workload, strategy and N. Filled in place, because it points into itself. */
static void start_line(trial_line *line, const td_options *o, const td_workload *workload,
                       const td_strategy *strategy, uint32_t n)
{
    line->options = *o;
    line->strategy = (td_choice){strategy->name, false};
    line->workload = (td_choice){workload->name, false};
    line->n = n;
    line->options.strategies = &line->strategy;
    line->options.workloads = &line->workload;
    line->options.n = &line->n;
    line->options.strategy_count = line->options.workload_count = line->options.n_count = 1;
    line->options.settings = line->settings;
    for (size_t s = 0; s < o->setting_count; s++) {
        line->settings[s] = o->settings[s];
    }
}

static void set_word(trial_line *line, const td_parameter *parameter, size_t place, td_value value)
{
    td_parameter_text(parameter, value, line->words[place]);
    line->settings[line->options.setting_count++] =
        (td_setting){parameter->name, line->words[place]};
}

static bool is_open(const td_options *o, const td_parameter *parameter)
{
    return parameter->is_tuned && td_options_word(o, parameter->name) == NULL;
}

/* ---- one target ---- */

/* The usual tile and block of a kernel may be among those to try, too. */
static bool is_listed(const search *s, const td_run *run)
{
    for (size_t r = s->first; r < s->space->run_count; r++) {
        if (strcmp(s->space->runs[r].key, run->key) == 0) {
            return true;
        }
    }
    return false;
}

/* An engine without tile kernels loops over the cells of a tile anyway. Where loop kernels are tried, too, a tile
 * run would repeat one of their runs. */
static bool is_twin(const search *s, const td_run *run)
{
    return run->tiled && td_workload_only_tiles(run->workload) == NULL &&
           !run->engine->can.tile_kernels && s->options->kernel != TD_CHOOSE_TILE;
}

static td_status take(search *s, const trial_line *line)
{
    td_sweep found;
    TRY(td_sweep_try(&line->options, s->engine, &found, s->error));
    td_status status = TD_OK;
    for (size_t r = 0; r < found.run_count && status == TD_OK; r++) {
        const td_run *run = &found.runs[r];
        if (run->skip[0] != '\0' && s->why[0] == '\0') {
            memcpy(s->why, run->skip, sizeof s->why);
        } else if (run->skip[0] == '\0' && !is_twin(s, run) && !is_listed(s, run)) {
            status = td_run_list_add(s->space, run, s->error);
        }
    }
    td_sweep_free(&found);
    return status;
}

/* Only loop kernels and tile kernels accept tiles larger than the block. */
static void choose_tiles(trial_line *line, const td_options *o, td_kernel_choice kernel)
{
    const bool any = kernel != TD_CHOOSE_CELL;
    line->options.kernel = kernel;
    if (o->tile_count == 0) {
        line->options.tiles = any ? line->tiles.shapes : NULL;
        line->options.tile_count = any ? line->tiles.count : 0;
    }
}

/* A tile kernel has a tile and a block of its own, which need not be powers of two: try that tile with every block,
 * and that block. */
static td_status take_defaults(search *s, trial_line *line)
{
    const td_options before = line->options;
    line->options.schedule = s->options->schedule;
    if (s->options->tile_count == 0) {
        line->options.tile_count = 0;
        TRY(take(s, line));
    }
    if (s->options->block_count == 0) {
        line->options.block_count = 0;
        TRY(take(s, line));
    }
    line->options = before;
    return TD_OK;
}

/* Try every kernel and schedule that is open, with the settings of the line. */
static td_status take_kernels(search *s, trial_line *line)
{
    const td_options *o = s->options;
    const bool any_schedule = !td_option_is_given(o, "schedule") && s->engine->can.persistent;
    for (int kernel = TD_CHOOSE_CELL; kernel <= TD_CHOOSE_TILE; kernel++) {
        if (o->kernel != TD_CHOOSE_AUTO && kernel != (int)o->kernel) {
            continue;
        }
        choose_tiles(line, o, (td_kernel_choice)kernel);
        for (int schedule = 0; schedule <= (int)any_schedule; schedule++) {
            line->options.schedule = any_schedule ? (td_schedule)schedule : o->schedule;
            TRY(take(s, line));
        }
        TRY(kernel == TD_CHOOSE_TILE ? take_defaults(s, line) : TD_OK);
    }
    return TD_OK;
}

/* Choose combination `index` of the words of the open parameters; false when there are no more. */
static bool choose_words(trial_line *line, const search *s, const td_workload *workload,
                         size_t given, uint64_t index)
{
    line->options.setting_count = given;
    for (size_t p = 0; p < workload->parameter_count; p++) {
        const td_parameter *parameter = &workload->parameters[p];
        if (is_open(s->options, parameter)) {
            const uint64_t choices = td_parameter_choices(parameter);
            set_word(line, parameter, p, (td_value){.count = index % choices});
            index /= choices;
        }
    }
    return index == 0;
}

static td_status add_runs(search *s, const td_workload *workload, const td_strategy *strategy,
                          uint32_t n)
{
    trial_line line;
    start_line(&line, s->options, workload, strategy, n);
    line.blocks = blocks_to_try(workload->dimension);
    line.tiles = tiles_to_try(workload->dimension, n);
    line.options.no_baseline = true;
    if (s->options->block_count == 0) {
        line.options.blocks = line.blocks.shapes;
        line.options.block_count = line.blocks.count;
    }
    const size_t given = line.options.setting_count;
    for (uint64_t i = 0; choose_words(&line, s, workload, given, i); i++) {
        TRY(take_kernels(s, &line));
    }
    return TD_OK;
}

/* Skip strategies of another dimension: a name may stand for one workload in each dimension. */
static td_status add_target(search *s, const td_workload *workload, const td_choice *choice,
                            uint32_t n)
{
    const td_strategy *strategy = td_strategy_find(choice->name);
    if (strategy->dimension != workload->dimension) {
        return TD_OK;
    }
    s->first = s->space->run_count;
    s->why[0] = '\0';
    TRY(add_runs(s, workload, strategy, n));
    const size_t count = s->space->run_count - s->first;
    if (count == 0 && choice->by_name) {
        return td_fail(s->error, TD_USAGE,
                       "--tune: nothing can be tried for %s with %s, N = %u: %.*s", workload->name,
                       strategy->name, n, 300, s->why);
    }
    return count > 0 ? td_run_list_end_group(s->space, count, s->error) : TD_OK;
}

/* ---- the whole space ---- */

static td_status add_workload(search *s, const td_workload *workload)
{
    for (size_t i = 0; i < s->options->n_count; i++) {
        for (size_t k = 0; k < s->options->strategy_count; k++) {
            TRY(add_target(s, workload, &s->options->strategies[k], s->options->n[i]));
        }
    }
    return TD_OK;
}

static td_status add_all(search *s)
{
    for (size_t w = 0; w < s->options->workload_count; w++) {
        for (int dimension = 2; dimension <= 3; dimension++) {
            const td_workload *workload =
                td_workload_find(s->options->workloads[w].name, dimension);
            TRY(workload != NULL ? add_workload(s, workload) : TD_OK);
        }
    }
    if (s->space->run_count == 0) {
        return td_fail(s->error, TD_USAGE, "--tune: nothing can be tried: %s",
                       s->why[0] != '\0' ? s->why : "no strategy has the dimension of a workload");
    }
    return td_compatibility_check_options(s->options, s->space, s->error);
}

td_status td_tune_space(const td_options *options, const td_engine_ops *engine, td_sweep *space,
                        td_error *error)
{
    *space = (td_sweep){0};
    search s = {.options = options, .engine = engine, .space = space, .error = error};
    return td_run_list_end(space, add_all(&s));
}

void td_tune_shard(td_sweep *space, uint32_t index, uint32_t count)
{
    size_t groups = 0, runs = 0;
    for (size_t g = index; g < space->group_count; g += count) {
        const td_group group = space->groups[g];
        memmove(space->runs + runs, group.runs, group.count * sizeof *group.runs);
        space->groups[groups].runs = space->runs + runs;
        space->groups[groups++].count = group.count;
        runs += group.count;
    }
    space->group_count = groups;
    space->run_count = runs;
}
