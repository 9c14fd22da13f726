#include "compatibility.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "engine/bench/planning.h"
#include "engine/options/parameters.h"

static void because(td_incompatibility *refusal, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void because(td_incompatibility *refusal, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(refusal->text, sizeof refusal->text, format, arguments);
    va_end(arguments);
}

/* A value that a workload without the parameter cannot follow; NULL: there is none. */
static const td_setting *unfollowed_setting(const td_combination *c)
{
    for (size_t i = 0; i < c->options->setting_count; i++) {
        const td_setting *setting = &c->options->settings[i];
        const td_parameter *p = td_parameter_named(setting->name);
        if (p->lacking != NULL && strcmp(setting->word, p->preset) != 0 &&
            td_workload_parameter(c->run->workload, p->name) == NULL) {
            return setting;
        }
    }
    return NULL;
}

static td_incompatibility parameter_incompatibility(const td_combination *c)
{
    td_incompatibility refusal = {.workload = true};
    const td_setting *setting = unfollowed_setting(c);
    if (c->unresolved[0] != '\0') {
        because(&refusal, "%.*s", TD_REASON_SIZE - 1, c->unresolved);
    } else if (setting != NULL) {
        because(&refusal, "--%s %s: %s %s", setting->name, setting->word, c->run->workload->name,
                td_parameter_named(setting->name)->lacking);
    }
    return refusal;
}

static td_incompatibility workload_incompatibility(const td_combination *c)
{
    td_incompatibility refusal = {.workload = true};
    const td_workload *w = c->run->workload;
    if (c->options->input != NULL && w->input == NULL) {
        because(&refusal, "--input: %s takes no input", w->name);
    } else if (c->options->dump != NULL && w->proven_by_cover) {
        because(&refusal, "--dump: %s has no output of its own", w->name);
    } else if (td_option_is_given(c->options, "layout") && c->options->layout == TD_FULL &&
               !w->has_layouts) {
        because(&refusal, "--layout full: %s has no output that could be laid out", w->name);
    } else if (c->options->frames != NULL && w->generations == 0) {
        because(&refusal, "--frames: %s has no states to draw", w->name);
    } else if (td_run_is_square(c->run) && c->options->frames != NULL) {
        because(&refusal, "--frames draws triangles, not the whole square");
    } else if (c->options->kernel == TD_CHOOSE_TILE && !w->has_tiles) {
        because(&refusal, "--kernel tile: %s has no kernel of its own for tiles", w->name);
    } else if (c->options->kernel == TD_CHOOSE_CELL && w->only_tiles != NULL) {
        because(&refusal, "--kernel cell: %s is a kernel for tiles, take %s", w->only_tiles,
                w->instead);
    }
    return refusal;
}

static td_incompatibility refuse_pair(const td_combination *c)
{
    td_incompatibility refusal = {.strategy = true, .workload = true};
    const td_strategy *s = c->run->strategy;
    const td_workload *w = c->run->workload;
    if (s->dimension != w->dimension) {
        because(&refusal, "%s maps %dD domains and %s is a %dD workload", s->name, s->dimension,
                w->name, w->dimension);
    }
    return refusal;
}

/* The option that chooses a workload's tiled kernel. */
static const char *tiled_option(const td_workload *w)
{
    return w->only_tiles != NULL ? w->only_tiles : "--kernel tile";
}

static td_incompatibility refuse_tiled(const td_combination *c)
{
    td_incompatibility refusal = {.strategy = true, .workload = true};
    const td_strategy *s = c->run->strategy;
    const td_workload *w = c->run->workload;
    const char *instead = w->only_tiles != NULL ? w->instead : "--kernel cell";
    if (td_run_is_square(c->run) && strcmp(s->name, "bb") != 0) {
        because(&refusal, "--domain square: %s covers a triangle, only bb covers the whole square",
                s->name);
    } else if (c->run->tiled && s->unit == TD_MAPS_THREADS) {
        because(&refusal,
                "%s works on whole tiles and %s maps threads, whose cells make no tile: take %s",
                tiled_option(w), s->name, instead);
    } else if (c->run->tiled && s->tree) {
        because(&refusal, "%s: %s launches kernels of its own, cell by cell: take %s",
                tiled_option(w), s->name, instead);
    }
    return refusal;
}

static td_incompatibility refuse_schedule(const td_combination *c)
{
    td_incompatibility refusal = {.strategy = true};
    const td_strategy *s = c->run->strategy;
    if (c->options->schedule != TD_SCHEDULE_PERSISTENT) {
        return refusal;
    }
    if (s->tree) {
        because(&refusal, "--schedule persistent: %s launches its kernels as a tree", s->name);
    } else if (c->run->tiled || td_run_is_square(c->run)) {
        because(&refusal, "--schedule persistent: %s has a grid of its own for %s",
                c->run->workload->name,
                c->run->tiled ? tiled_option(c->run->workload) : "--domain square");
    } else if (s->unit == TD_MAPS_THREADS) {
        because(&refusal,
                "--schedule persistent: %s maps threads, only maps of blocks can walk over tiles",
                s->name);
    }
    return refusal;
}

static void refuse_tile(const td_combination *c, td_incompatibility *refusal)
{
    const td_run *run = c->run;
    const td_dim3 b = run->block;
    const bool threads = run->strategy->unit == TD_MAPS_THREADS;
    if (threads && c->options->tile_count > 0 && (run->tile != b.x || run->tile != b.y)) {
        because(refusal,
                "--tile %u: %s maps threads to cells, so that it has no tiles but the block, %ux%u",
                run->tile, run->strategy->name, b.x, b.y);
    } else if (run->tiled && (run->tile % run->workload->tile_multiple != 0 ||
                              run->tile > run->workload->tile_most)) {
        because(refusal, "--tile %u: %s %s wants a multiple of %u, at most %u", run->tile,
                run->workload->name, tiled_option(run->workload), run->workload->tile_multiple,
                run->workload->tile_most);
    } else if (!threads && ((!run->strategy->rows && run->tile % b.x != 0) ||
                            run->tile % b.y != 0 || run->tile % b.z != 0)) {
        because(refusal, "--tile %u is no multiple of the sides of the block, %ux%ux%u", run->tile,
                b.x, b.y, b.z);
    }
}

static td_incompatibility refuse_values(const td_combination *c)
{
    td_incompatibility refusal = {.strategy = true, .values = true};
    const td_dim3 b = c->run->block;
    const uint32_t threads = b.x * b.y * b.z;
    if (!c->block_fits && c->run->workload->dimension == 3) {
        because(&refusal, "--block %ux%u has two sides and %s wants three, such as 8x8x8", b.x, b.y,
                c->run->strategy->name);
    } else if (!c->block_fits) {
        because(&refusal,
                "--block %ux%ux%u has three sides and %s wants one or two, such as 16 or 64x4", b.x,
                b.y, b.z, c->run->strategy->name);
    } else if (threads > 1024) {
        because(&refusal, "--block %u is %ux%ux%u = %u threads in 3D, at most 1024", b.x, b.x, b.y,
                b.z, threads);
    } else {
        refuse_tile(c, &refusal);
    }
    return refusal;
}

static td_incompatibility refuse_range(const td_combination *c)
{
    td_incompatibility refusal = {.strategy = true, .values = true};
    td_error error;
    const td_run *run = c->run;
    const td_domain domain = td_run_domain(run);
    if (!c->options->protocol.inexact &&
        td_strategy_check_range(run->strategy, &domain, &error) != TD_OK) {
        because(&refusal, "%.*s", TD_REASON_SIZE - 1, error.text);
    }
    return refusal;
}

td_incompatibility td_compatibility_of(const td_combination *combination)
{
    td_incompatibility (*const checks[])(const td_combination *) = {
        parameter_incompatibility,
        workload_incompatibility,
        refuse_pair,
        refuse_tiled,
        refuse_schedule,
        refuse_values,
        refuse_range,
    };
    td_incompatibility refusal = {0};
    for (size_t i = 0; i < sizeof checks / sizeof checks[0] && refusal.text[0] == '\0'; i++) {
        refusal = checks[i](combination);
    }
    return refusal;
}
