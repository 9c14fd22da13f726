/* check_maps.c - --check-maps: runs the checks on the engine and reports them. */
#include <stdio.h>
#include <stdlib.h>

#include "engine/core/error.h"
#include "engine/options/engine_choice.h"
#include "map_report.h"

/* Within the stated range every map must be right. */
static bool is_broken(const td_map_check *check)
{
    return check->first_failing_n != 0 && check->first_failing_n <= check->strategy->exact_n;
}

static bool wants_document(const td_options *options)
{
    return !td_option_is_given(options, "format") || options->format == TD_FORMAT_JSON;
}

/* A map may take minutes, so report each one as soon as it is checked. */
static void tell(const td_options *options, size_t s, const td_map_check *check)
{
    if (!wants_document(options)) {
        td_map_report_line(stdout, check);
        fflush(stdout); /* main reports a failure here */
    } else if (options->verbosity >= 0) {
        fprintf(stderr, "[%zu/%zu] ", s + 1, options->strategy_count);
        td_map_report_line(stderr, check);
    }
}

static td_status check_all(const td_options *options, td_engine *engine, td_map_check *checks,
                           bool *broken, td_error *error)
{
    for (size_t s = 0; s < options->strategy_count; s++) {
        const td_strategy *strategy = td_strategy_find(options->strategies[s].name);
        TRY(td_check_map(engine, strategy, options->check_maps_n, &checks[s], error));
        *broken = *broken || is_broken(&checks[s]);
        tell(options, s, &checks[s]);
    }
    return TD_OK;
}

static td_status print_document(const td_options *options, td_engine *engine,
                                const td_map_check *checks, td_error *error)
{
    td_environment environment = {0};
    const td_map_report report = {checks, options->strategy_count, options->check_maps_n,
                                  engine->ops->name, &environment};
    td_engine_describe(engine, &environment);
    return td_map_report_json(stdout, &report, error);
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
    const td_engine_ops *ops = td_choose_engine(options, NULL);
    TRY(ops->open(&config, &engine, error));
    const td_status status = check_on(options, engine, error);
    ops->close(engine);
    return status;
}
