/* check_maps.c - --check-maps: runs the checks on the engine and reports them, as text or as a document. */
#include "view.h"

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <string.h>

#include "engine/bench/map_check.h"
#include "engine/core/clock.h"
#include "engine/core/error.h"
#include "engine/core/process.h"
#include "engine/core/signals.h"
#include "report/build.h"
#include "report/format/writer.h"
#include "report/terminal.h"

/* Within the stated range every map must be right. */
static bool is_broken(const td_map_check *check)
{
    return check->first_failing_n != 0 && check->first_failing_n <= check->strategy->exact_n;
}

static bool wants_document(const td_options *options)
{
    return !td_option_is_given(options, "format") || options->format == TD_FORMAT_JSON;
}

/* ---- a line per map ---- */

/* How much of it was asked. */
static void tell_extent(FILE *out, const td_map_check *c)
{
    fprintf(out, " (%s for n = 1 .. %u",
            c->strategy->unit == TD_MAPS_THREADS ? "every thread" : "every block", c->checked_n);
    if (c->whole_n > c->checked_n) {
        fprintf(out, " and %u", c->whole_n);
    }
    if (c->searched_n > 0) {
        fprintf(out, ", ends of rows to n = %u", c->searched_n);
    }
    if (c->stopped_n > 0) {
        fprintf(out, "; no further: too many launches for n = %u", c->stopped_n);
    }
    fprintf(out, ")");
}

/* "exact to n = 5792 (tile 16: N = 92672)" */
static void tell_range(FILE *out, const td_map_check *c)
{
    const uint32_t n = td_map_check_right_n(c);
    fprintf(out, "exact to n = %u", n);
    if (c->strategy->unit == TD_MAPS_BLOCKS) {
        const unsigned tile = c->strategy->dimension == 3 ? 8 : 16;
        fprintf(out, " (tile %u: N = %llu)", tile, (unsigned long long)n * tile);
    }
}

/* A map may take seconds, so report each one as soon as it is checked. */
static td_status tell(const td_options *options, size_t index, const td_map_check *c,
                      td_error *error)
{
    FILE *out = wants_document(options) ? stderr : td_standard_output();
    if (wants_document(options) && options->verbosity < 0) {
        return TD_OK;
    }
    if (wants_document(options)) {
        fprintf(out, "[%zu/%zu] ", index + 1, options->strategy_count);
    }
    fprintf(out, "%-10s ", c->strategy->name);
    tell_range(out, c);
    if (c->first_failing_n != 0) {
        fprintf(out, "; first wrong: %s", td_map_fault_text(c).text);
    }
    tell_extent(out, c);
    fputs(is_broken(c) && c->strategy->own == NULL ? ": NOT AS STATED\n" : "\n", out);
    return fflush(out) == 0 || wants_document(options)
               ? TD_OK
               : td_fail(error, TD_FAILED, "cannot write to standard output");
}

/* ---- a document ---- */

/* A place as [row, column], in 3D [x, y, z]. */
static void put_place(td_writer *w, const char *name, bool known, const td_map_check *c,
                      td_tile tile)
{
    char text[48];
    const td_map_place place = td_place_in_words(c->strategy, tile);
    snprintf(text, sizeof text, "[%.*s]", (int)strlen(place.text) - 2, place.text + 1);
    td_put_raw(w, name, known ? text : "null");
}

static void add_check(const td_map_check *check, td_text *text)
{
    const td_strategy *s = check->strategy;
    const bool known = check->first_failing_n != 0 && check->failure.wrong > 0;
    td_writer w = td_writer_open(text, TD_JSON_LINE);
    td_put_text(&w, "strategy", s->name);
    td_put_u64(&w, "dimension", (uint64_t)s->dimension);
    td_put_text(&w, "maps", s->unit == TD_MAPS_BLOCKS ? "block" : "thread");
    td_put_count(&w, "stated_exact_n", s->exact_n != UINT32_MAX, s->exact_n);
    td_put_u64(&w, "checked_n", check->checked_n);
    td_put_amount(&w, "searched_n", check->searched_n);
    td_put_u64(&w, "right_n", td_map_check_right_n(check));
    td_put_amount(&w, "stopped_n", check->stopped_n);
    td_put_amount(&w, "whole_n", check->whole_n);
    td_put_u64(&w, "asked", check->asked);
    td_put_bool(&w, "exact", check->first_failing_n == 0);
    td_put_amount(&w, "first_failing_n", check->first_failing_n);
    td_put_text(&w, "ended", check->ended[0] != '\0' ? check->ended : NULL);
    td_put_count(&w, "first_failing_index", known, check->failure.first_wrong);
    td_put_u64(&w, "wrong_places", check->failure.wrong);
    td_put_u64(&w, "outside", check->failure.outside);
    td_put_count(&w, "fault_launch", check->fault.known, check->fault.launch);
    td_put_count(&w, "fault_block", check->fault.known, check->fault.number);
    put_place(&w, "missing", check->fault.has_missing, check, check->fault.missing);
    put_place(&w, "got", check->fault.known, check, check->fault.got);
    td_writer_close(&w);
}

static void begin_document(const td_options *options, const char *engine,
                           const td_environment *environment, td_text *text)
{
    td_writer w = td_writer_open(text, TD_JSON_DOCUMENT);
    td_text_add(text, "{");
    td_put_text(&w, "check", "maps");
    td_put_text(&w, "version", td_build()->version);
    td_put_text(&w, "engine", engine);
    td_put_text(&w, "gpu", environment->gpu_name);
    td_put_text(&w, "driver", environment->driver_name);
    td_put_u64(&w, "largest_n", options->check_maps_n);
    td_put_raw(&w, "strategies", "[");
}

/* ---- the process that asks ---- */

/* A map from a file may end the process that asks it, or never return. That costs this map, as a run: the next process
 * goes on with the others. In shared memory. */
typedef struct asking {
    const td_options *options;
    const td_engine_ops *engine;
    td_environment environment;
    size_t at;              /* the map under way; the lines of those before it are written */
    bool in_map;            /* it is being asked */
    double start_s, next_s; /* of this map; when its progress is told again */
    double beat_s;          /* when the process last got on */
    td_status status;       /* why the process returned */
    td_error error;
    td_map_check checks[];
} asking;

static const double longest_opening_s = 120.0; /* of a device, as for a sweep */

/* Tell after a second, then after half as long again, at most a minute. */
static void get_on(void *context)
{
    asking *a = context;
    const td_map_check *c = &a->checks[a->at];
    a->beat_s = td_now_s();
    const double elapsed_s = a->beat_s - a->start_s;
    if (elapsed_s > a->next_s && a->options->verbosity >= 0) {
        const bool every = c->checked_n < c->every_n;
        fprintf(stderr, "%s: n = %u of %u, %.0f s\n", c->strategy->name,
                every ? c->checked_n : c->searched_n, every ? c->every_n : c->largest_n, elapsed_s);
        a->next_s = elapsed_s + fmin(elapsed_s / 2.0, 60.0);
    }
}

static td_status ask_one(asking *a, td_engine *engine, td_error *error)
{
    const td_options *options = a->options;
    td_map_check *check = &a->checks[a->at];
    a->start_s = a->beat_s = td_now_s();
    a->next_s = 1.0;
    a->in_map = true;
    TRY(td_check_map(engine, options->strategies[a->at].strategy, options->check_maps_n, check,
                     error));
    a->in_map = false;
    TRY(tell(options, a->at, check, error));
    a->at++;
    return TD_OK;
}

static void ask(void *context)
{
    asking *a = context;
    const td_engine_config config = {.device = a->options->device, .threads = a->options->threads};
    td_engine *engine = NULL;
    a->in_map = false;
    a->beat_s = td_now_s() + longest_opening_s;
    a->status = a->engine->open(&config, &engine, &a->error);
    if (a->status == TD_OK) {
        td_engine_describe(engine, &a->environment);
        engine->beat = get_on;
        engine->context = a;
    }
    while (a->status == TD_OK && a->at < a->options->strategy_count) {
        a->status = ask_one(a, engine, &a->error);
    }
    if (engine != NULL) {
        a->engine->close(engine);
    }
    (void)omp_pause_resource_all(omp_pause_hard); /* as the worker of a sweep does */
}

static td_status ask_all(asking *a, td_error *error)
{
    char how[TD_ENDING_SIZE];
    while (a->at < a->options->strategy_count) {
        if (!td_process_try(ask, a, a->options->timeout_s, &a->beat_s, how)) {
            a->status = td_fail(&a->error, TD_FAILED, "the process that asked %s", how);
        }
        const bool is_own = a->in_map && a->options->strategies[a->at].strategy->own != NULL;
        if (is_own && (a->status == TD_FAILED || a->status == TD_WRONG)) {
            td_map_check_end(&a->checks[a->at], a->error.text);
            TRY(tell(a->options, a->at, &a->checks[a->at], error));
            a->at++;
        } else if (a->status != TD_OK) {
            *error = a->error;
            return a->status;
        }
    }
    return TD_OK;
}

/* ---- both ---- */

td_status td_check_maps(const td_options *options, td_error *error)
{
    asking *a = NULL;
    td_text document = {0};
    bool broken = false;
    td_signals_catch();
    TRY(td_allocate_shared(&a, sizeof *a + options->strategy_count * sizeof *a->checks,
                           "the checks of maps", error));
    a->options = options;
    a->engine = td_choose_engine(options);
    TRY(ask_all(a, error));
    begin_document(options, a->engine->name, &a->environment, &document);
    for (size_t s = 0; s < options->strategy_count; s++) {
        broken = broken || is_broken(&a->checks[s]);
        td_text_add(&document, s > 0 ? ",\n  " : "\n  ");
        add_check(&a->checks[s], &document);
    }
    td_text_add(&document, "\n ]}\n");
    if (wants_document(options)) {
        TRY(td_terminal_print(&document, "the document", error));
    }
    td_text_free(&document);
    return broken ? td_fail(error, TD_WRONG, "a map is wrong within its range") : TD_OK;
}
