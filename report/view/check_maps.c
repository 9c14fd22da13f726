/* check_maps.c - --check-maps: runs the checks on the engine and reports them, as text or as a document. */
#include "check_maps.h"

#include <stdio.h>
#include <stdlib.h>

#include "engine/bench/map_check.h"
#include "engine/core/error.h"
#include "report/build.h"
#include "report/format/json_value.h"

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

static void print_line(FILE *out, const td_map_check *c)
{
    const td_strategy *s = c->strategy;
    const char *unit = s->unit == TD_MAPS_THREADS ? "cells" : "tiles";
    fprintf(out, "%-10s ", s->name);
    if (c->first_failing_n == 0) {
        fprintf(out, "exact for every n up to %u %s per side (%llu checked)\n", c->checked_n, unit,
                (unsigned long long)c->asked);
    } else {
        fprintf(out, "fails first at n = %u %s per side, L = %llu; stated exact up to %u%s\n",
                c->first_failing_n, unit, (unsigned long long)c->failure.first_wrong, s->exact_n,
                c->first_failing_n <= s->exact_n ? ": NOT TRUE HERE" : "");
    }
}

/* A map may take minutes, so report each one as soon as it is checked. */
static void tell(const td_options *options, size_t s, const td_map_check *check)
{
    if (!wants_document(options)) {
        print_line(stdout, check);
        fflush(stdout); /* main reports a failure here */
    } else if (options->verbosity >= 0) {
        fprintf(stderr, "[%zu/%zu] ", s + 1, options->strategy_count);
        print_line(stderr, check);
    }
}

/* ---- a document ---- */

static void add_check(td_text *text, const td_map_check *check, bool *failed)
{
    const td_strategy *s = check->strategy;
    td_json_object object = td_json_new(failed);
    td_json_add_text(object, "strategy", s->name);
    td_json_add_u64(object, "dimension", (uint64_t)s->dimension);
    td_json_add_text(object, "maps", s->unit == TD_MAPS_BLOCKS ? "block" : "thread");
    td_json_add_u64(object, "stated_exact_n", s->exact_n);
    td_json_add_u64(object, "checked_n", check->checked_n);
    td_json_add_u64(object, "asked", check->asked);
    td_json_add_bool(object, "exact", check->first_failing_n == 0);
    td_json_add_known_u64(object, "first_failing_n", check->first_failing_n);
    if (check->first_failing_n != 0 && check->failure.wrong > 0) {
        td_json_add_u64(object, "first_failing_index", check->failure.first_wrong);
    } else {
        td_json_add_null(object, "first_failing_index");
    }
    td_json_add_u64(object, "wrong_places", check->failure.wrong);
    td_json_add_u64(object, "outside", check->failure.outside);
    td_json_finish(object, text);
}

static td_status print_document(const td_options *options, td_engine *engine,
                                const td_map_check *checks, td_error *error)
{
    bool failed = false;
    td_text text = {0};
    td_environment environment = {0};
    td_engine_describe(engine, &environment);
    td_json_object head = td_json_new(&failed);
    td_json_add_text(head, "check", "maps");
    td_json_add_text(head, "version", td_build()->version);
    td_json_add_text(head, "engine", engine->ops->name);
    td_json_add_text(head, "gpu", environment.gpu_name);
    td_json_add_text(head, "driver", environment.driver_name);
    td_json_add_u64(head, "largest_n", options->check_maps_n);
    td_json_finish_open(head, &text);
    td_text_add(&text, " \"strategies\": [\n  ");
    for (size_t i = 0; i < options->strategy_count; i++) {
        td_text_add(&text, i > 0 ? ",\n  " : "");
        add_check(&text, &checks[i], &failed);
    }
    td_text_add(&text, "\n ]}\n");
    const bool lost = text.failed;
    const bool written =
        !lost && fwrite(text.data, 1, text.size, stdout) == text.size && fflush(stdout) == 0;
    td_text_free(&text);
    return lost      ? td_fail(error, TD_NO_MEMORY, "not enough memory for the document")
           : written ? TD_OK
                     : td_fail(error, TD_FAILED, "standard output cannot be written");
}

/* ---- both ---- */

static td_status check_all(const td_options *options, td_engine *engine, td_map_check *checks,
                           bool *broken, td_error *error)
{
    for (size_t s = 0; s < options->strategy_count; s++) {
        const td_strategy *strategy = options->strategies[s].strategy;
        TRY(td_check_map(engine, strategy, options->check_maps_n, &checks[s], error));
        *broken = *broken || is_broken(&checks[s]);
        tell(options, s, &checks[s]);
    }
    return TD_OK;
}

static td_status check_on(const td_options *options, td_engine *engine, td_error *error)
{
    bool broken = false;
    td_map_check *checks = NULL;
    TRY(td_allocate(&checks, options->strategy_count, sizeof *checks, error,
                    "the results of --check-maps"));
    td_status status = check_all(options, engine, checks, &broken, error);
    if (status == TD_OK && wants_document(options)) {
        status = print_document(options, engine, checks, error);
    }
    free(checks);
    return status == TD_OK && broken
               ? td_fail(error, TD_WRONG, "a map fails within its stated range")
               : status;
}

td_status td_check_maps(const td_options *options, td_error *error)
{
    const td_engine_config config = {.device = options->device, .threads = options->threads};
    td_engine *engine = NULL;
    const td_engine_ops *ops = td_choose_engine(options);
    TRY(ops->open(&config, &engine, error));
    const td_status status = check_on(options, engine, error);
    ops->close(engine);
    return status;
}
