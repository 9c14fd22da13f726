/* main.c - the table of contents: parse, run, report. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "engine/bench/map_check.h"
#include "engine/bench/dump.h"
#include "engine/bench/snapshots.h"
#include "engine/sweep/input.h"
#include "engine/sweep/sweep.h"
#include "engine/core/error.h"
#include "engine/worker/worker.h"
#include "report/build.h"
#include "report/view/dry_run.h"
#include "report/view/list.h"
#include "report/view/map_report.h"
#include "report/progress.h"
#include "report/report.h"
#include "report/resume.h"
#include "report/view/show.h"

/* ---------------------------------------------------------------- signals */

static volatile sig_atomic_t stop_signal; /* the one that asked to stop, 0: none */
static volatile sig_atomic_t want_progress;

static void on_stop(int signal_number)
{
    stop_signal = signal_number;
}

static void on_progress(int signal_number)
{
    (void)signal_number;
    want_progress = 1;
}

static void set_handlers(void)
{
    struct sigaction action = {.sa_handler = on_stop};
    struct sigaction before;
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGHUP, &action, &before);
    if (before.sa_handler == SIG_IGN) { /* nohup */
        sigaction(SIGHUP, &before, NULL);
    }
    action.sa_handler = on_progress;
    sigaction(SIGUSR1, &action, NULL);
    action.sa_handler = SIG_IGN; /* a closed pipe is a failed write, with a message */
    sigaction(SIGPIPE, &action, NULL);
    sigaction(SIGXFSZ, &action, NULL); /* so is a file that ulimit -f cuts off */
}

/* Else the first files that are opened would be taken for them, and what is said on stderr stand in the result. */
static void open_standard_files(void)
{
    const int null = open("/dev/null", O_RDWR);
    for (int fd = STDIN_FILENO; null >= 0 && fd <= STDERR_FILENO; fd += STDERR_FILENO) {
        if (fcntl(fd, F_GETFD) < 0) {
            dup2(null, fd);
        }
    }
    if (null > STDERR_FILENO || null == STDOUT_FILENO) { /* a closed standard output stays one */
        close(null);
    }
}

/* ---------------------------------------------------------------- a sweep */

/* Everything that a sweep holds open. */
typedef struct td_invocation {
    td_options *options;
    td_input input;
    td_sweep sweep;
    td_done_set *done;
    td_new_file dump;
    td_report *report;
    td_worker *worker;
    td_progress progress;
    td_status worst; /* the first of wrong, out of memory, failed */
} td_invocation;

static td_invocation *running; /* what the worker's callbacks ask about */

static bool stopped(void)
{
    if (want_progress) {
        want_progress = 0;
        td_progress_now(&running->progress);
    }
    return stop_signal != 0;
}

/* In the worker: what --dump and --frames want of the one run. */
static td_status write_output(void *context, const td_run *run, td_buffers *buffers,
                              td_error *error)
{
    td_invocation *v = context;
    const td_options *options = v->options;
    if (options->dump != NULL) {
        TRY(td_dump_write(&v->dump, run, buffers, error));
    }
    return options->frames != NULL
               ? td_snapshots_write(options->frames, options->every, run, buffers, error)
               : TD_OK;
}

/* Which engine `auto` is; an engine asked for by name is taken at its word, opening it will tell. */
static td_engine_kind resolve_engine(const td_options *options)
{
    if (options->engine != TD_ENGINE_AUTO) {
        return options->engine;
    }
    td_error why;
    const bool usable = td_cuda_is_usable(options->device, &why);
    if (!usable && options->verbosity > 0) {
        fprintf(stderr, "tribench: on the cpu engine: %s\n", why.text);
    }
    return usable ? TD_ENGINE_CUDA : TD_ENGINE_CPU;
}

/* All that can be wrong with a command line is found here, before anything is measured. */
static td_status prepare(td_invocation *v, td_engine_kind engine, td_error *error)
{
    td_options *options = v->options;
    TRY(td_input_open(options, &v->input, error));
    TRY(td_sweep_make(options, engine, &v->sweep, error));
    td_input_attach(&v->input, &v->sweep);
    if (options->shard_count > 0) {
        td_sweep_shard(&v->sweep, options->shard_index, options->shard_count);
    }
    if (options->resume != NULL) {
        TRY(td_done_load(options->resume, options->protocol.verify, &v->done, error));
        const size_t done = td_done_mark(v->done, &v->sweep);
        if (options->verbosity >= 0) {
            fprintf(stderr, "tribench: %zu of %zu runs are done in '%s'\n", done,
                    v->sweep.run_count, options->resume);
        }
    }
    if (options->dump != NULL && options->action == TD_ACTION_RUN) {
        const td_status opened = td_new_file_open(options->dump, &v->dump, error);
        TRY(td_name_option(error, opened, "dump"));
    }
    if (options->frames != NULL && options->action == TD_ACTION_RUN) {
        TRY(td_snapshots_open(options->frames, error));
    }
    return td_options_want_plan_in_words(options) ? TD_OK
                                                  : td_report_open(options, &v->report, error);
}

static td_status open_worker(td_invocation *v, td_engine_kind engine, td_error *error)
{
    const td_options *options = v->options;
    const td_worker_config config = {
        .engine = engine,
        .engine_config = {.device = options->device, .threads = options->threads},
        .protocol = options->protocol,
        .timeout_s = options->timeout_s,
        .stopped = stopped,
        .progress = td_progress_phase,
        .progress_context = &v->progress,
        .output = options->dump != NULL || options->frames != NULL ? write_output : NULL,
        .output_context = v,
    };
    td_environment environment = {0};
    const td_status status = td_worker_open(&config, &v->worker, &environment, error);
    if (status != TD_OK && stop_signal == 0) {
        return status;
    }
    if (status !=
        TD_OK) { /* stopped before the device answered: the output is whole all the same */
        td_describe_host(&environment);
    }
    return td_report_environment(v->report, &environment, error);
}

/* Statuses before the group runs: what is skipped or done already is not run. */
static void preset(const td_group *group, td_result *results)
{
    bool any_open = false;
    for (size_t r = 0; r < group->count; r++) {
        const td_run *run = &group->runs[r];
        if (run->skip[0] != '\0' || (run->unrecorded && !run->is_baseline)) {
            results[r].status = TD_RUN_SKIPPED;
        }
        any_open = any_open || (results[r].status == TD_RUN_OK && !run->unrecorded);
    }
    for (size_t r = 0; !any_open && r < group->count; r++) {
        if (results[r].status == TD_RUN_OK) { /* a baseline with nobody left to compare with */
            results[r].status = TD_RUN_SKIPPED;
        }
    }
}

static void note_worst(td_invocation *v, td_status status)
{
    if (v->worst == TD_OK && status != TD_OK) {
        v->worst = status;
    }
}

static td_status run_group(td_invocation *v, const td_group *group, td_error *error)
{
    td_result *results = calloc(group->count, sizeof *results);
    if (results == NULL) {
        return td_fail(error, TD_NO_MEMORY, "not enough memory for the results of a group");
    }
    preset(group, results);
    td_status status = td_worker_group(v->worker, group, results, error);
    td_error ignored;
    td_status written =
        td_report_group(v->report, group, results, status == TD_OK ? error : &ignored);
    for (size_t r = 0; r < group->count; r++) {
        note_worst(v, results[r].error);
        td_progress_result(&v->progress, &group->runs[r], &results[r]);
        td_result_free(&results[r]);
    }
    free(results);
    return status != TD_OK ? status : written;
}

static td_status run_groups(td_invocation *v, td_error *error)
{
    td_status status = TD_OK;
    for (size_t g = 0; status == TD_OK && g < v->sweep.group_count && stop_signal == 0; g++) {
        status = run_group(v, &v->sweep.groups[g], error);
    }
    td_progress_end(&v->progress);
    return status;
}

static td_status execute(td_invocation *v, td_error *error)
{
    const td_engine_kind engine = resolve_engine(v->options);
    TRY(prepare(v, engine, error));
    if (v->options->action == TD_ACTION_DRY_RUN) {
        return v->report != NULL
                   ? td_dry_run_report(v->report, &v->sweep, v->options->protocol.inexact, error)
                   : td_dry_run_print(stdout, &v->sweep, v->options->protocol.inexact, error);
    }
    td_progress_start(&v->progress, &v->sweep, v->options->verbosity);
    TRY(open_worker(v, engine, error));
    return run_groups(v, error);
}

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Told when the runs are over: closing takes no time worth telling. */
static void report_timing(const td_invocation *v, double start_s)
{
    td_timing timing = td_worker_timing(v->worker);
    timing.wall_s = now_s() - start_s;
    if (v->report != NULL) {
        td_report_timing(v->report, &timing);
    }
}

static td_status sweep(td_options *options, td_error *error)
{
    td_invocation v = {.options = options};
    td_error at_close;
    const double start_s = now_s();
    running = &v;
    set_handlers();
    td_status status = execute(&v, error);
    report_timing(&v, start_s);
    td_worker_close(v.worker);
    const td_status closed = td_report_close(v.report, &at_close);
    if (status == TD_OK && closed != TD_OK) {
        *error = at_close;
        status = closed;
    }
    td_new_file_discard(&v.dump);
    td_done_free(v.done);
    td_sweep_free(&v.sweep);
    td_input_close(&v.input);
    if (status == TD_OK && v.worst != TD_OK) {
        snprintf(error->text, sizeof error->text, "not every run succeeded");
    }
    return v.worst != TD_OK ? v.worst : status; /* the first that occurred */
}

/* ---------------------------------------------------------------- everything but sweeps */

static td_status list(const td_options *options, td_error *error)
{
    enum { MOST = 64 };
    static td_environment devices[MOST];
    td_error why = {""};
    td_list_facts facts = {0};
    if (options->list_what == TD_LIST_DEVICES) {
        const size_t count = td_cuda_devices(devices, MOST, &why);
        facts.devices = devices;
        facts.device_count = count < MOST ? count : MOST;
        facts.no_cuda = count == 0 ? why.text : NULL;
    }
    return td_list_print(stdout, options->list_what,
                         td_option_is_given(options, "format") ? options->format : TD_FORMAT_TABLE,
                         &facts, error);
}

/* Within the stated range every map must be right: a failure there is exit status 3. */
static td_status check_all_maps(const td_options *options, td_engine *engine, td_error *error)
{
    td_map_check *checks = calloc(options->strategy_count, sizeof *checks);
    td_environment environment = {0};
    td_status status = checks != NULL ? TD_OK : td_fail(error, TD_NO_MEMORY, "not enough memory");
    bool broken = false;
    for (size_t s = 0; status == TD_OK && s < options->strategy_count; s++) {
        const td_strategy *strategy = td_strategy_find(options->strategies[s].name);
        status = td_check_map(engine, strategy, options->check_maps_n, &checks[s], error);
        /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): TD_OK says that there are checks */
        const uint32_t failing = checks[s].first_failing_n;
        broken = broken || (failing != 0 && failing <= strategy->exact_n);
    }
    if (status == TD_OK) {
        engine->ops->describe(engine, &environment);
        const td_map_report report = {checks, options->strategy_count, options->check_maps_n,
                                      engine->ops->name, &environment};
        const td_format format =
            td_option_is_given(options, "format") ? options->format : TD_FORMAT_JSON;
        status = td_map_report_print(stdout, format, &report, error);
    }
    free(checks);
    if (status == TD_OK && broken) {
        status = td_fail(error, TD_WRONG, "a map fails within its stated range");
    }
    return status;
}

static td_status check_maps(const td_options *options, td_error *error)
{
    const td_engine_config config = {.device = options->device, .threads = options->threads};
    const td_engine_ops *ops =
        resolve_engine(options) == TD_ENGINE_CUDA ? &td_cuda_ops : &td_cpu_ops;
    td_engine *engine = NULL;
    TRY(ops->open(&config, &engine, error));
    const td_status status = check_all_maps(options, engine, error);
    ops->close(engine);
    return status;
}

static td_status help(td_error *error)
{
    char *text = td_options_help();
    if (text == NULL) {
        return td_fail(error, TD_NO_MEMORY, "not enough memory for the help");
    }
    fputs(text, stdout);
    free(text);
    return TD_OK;
}

static bool wants_color(const td_options *options)
{
    return options->color == TD_COLOR_ALWAYS ||
           (options->color == TD_COLOR_AUTO && isatty(STDOUT_FILENO) && getenv("NO_COLOR") == NULL);
}

static void print_version(const td_build_info *build)
{
    printf("tribench %s\n", build->version);
    if (build->commit[0] != '\0') {
        printf("commit %s, ", build->commit);
    }
    printf("%s, ", build->compiler);
    printf(build->cuda[0] != '\0' ? "CUDA %s\n" : "without CUDA%s\n", build->cuda);
}

static td_status act(td_options *options, td_error *error)
{
    switch (options->action) {
    case TD_ACTION_HELP:
        return help(error);
    case TD_ACTION_VERSION:
        print_version(td_build());
        return TD_OK;
    case TD_ACTION_LIST:
        return list(options, error);
    case TD_ACTION_CHECK_MAPS:
        return check_maps(options, error);
    case TD_ACTION_SHOW:
        return td_show_print(stdout, options, wants_color(options), error);
    default:
        return sweep(options, error);
    }
}

int main(int argc, char **argv)
{
    td_options options = {0};
    td_error error = {""};
    open_standard_files();
    td_status status = td_options_parse(argc, argv, &options, &error);
    if (status == TD_OK) {
        status = act(&options, &error);
    }
    /* both: what a full buffer lost on its way is no longer there to be flushed */
    if ((fflush(stdout) != 0 || ferror(stdout)) && status == TD_OK) {
        status = td_fail(&error, TD_FAILED, "cannot write to standard output");
    }
    if (status != TD_OK) {
        fprintf(stderr, "tribench: %s\n", error.text);
    } else if (stop_signal != 0) {
        fprintf(stderr, "tribench: stopped by %s: what was measured is in the result\n",
                stop_signal == SIGINT    ? "SIGINT"
                : stop_signal == SIGTERM ? "SIGTERM"
                                         : "SIGHUP");
    }
    td_options_free(&options);
    return stop_signal != 0 ? 128 + stop_signal : (int)status;
}
