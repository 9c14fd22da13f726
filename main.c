/* main.c - the table of contents: parse, act, say how it ended. */
#include <stdio.h>

#include "engine/core/error.h"
#include "engine/core/signals.h"
#include "run/driver.h"
#include "report/build.h"
#include "run/progress.h"
#include "report/report.h"
#include "run/resume.h"
#include "report/terminal.h"
#include "report/view/dry_run.h"
#include "report/view/generate.h"
#include "report/view/list.h"
#include "report/view/map_report.h"
#include "report/view/show.h"

static td_status sweep(td_options *options, td_error *error)
{
    td_progress progress = {.closing.wanted = !options->tune};
    const td_drive_hooks hooks = {.resume = td_resume,
                                  .remember = td_remember,
                                  .open = td_report_open_sink,
                                  .dry_run = td_dry_run,
                                  .watcher = td_progress_watcher(&progress),
                                  .argv = options->argv};
    const td_status status = td_drive(options, &hooks, error);
    td_progress_close(&progress);
    return status;
}

static td_status list(const td_options *options, td_error *error)
{
    td_words words;
    const bool table = !td_option_is_given(options, "format") || options->format == TD_FORMAT_TABLE;
    TRY(td_words_open(&words, table, error));
    const td_status status = td_list(words.stream, options, error);
    td_words_close(&words);
    return status;
}

static td_status act(td_options *options, td_error *error)
{
    switch (options->action) {
    case TD_ACTION_HELP:
        td_help_print(stdout, options->help);
        return TD_OK;
    case TD_ACTION_VERSION:
        td_version_print();
        return TD_OK;
    case TD_ACTION_GENERATE:
        td_generate_print(options);
        return TD_OK;
    case TD_ACTION_LIST:
        return list(options, error);
    case TD_ACTION_CHECK_MAPS:
        return td_check_maps(options, error);
    case TD_ACTION_SHOW:
        return td_show(options, error);
    default:
        return sweep(options, error);
    }
}

int main(int argc, char **argv)
{
    td_options options = {0};
    td_error error = {""};
    td_open_standard_files();
    td_status status = td_options_parse(argc, argv, &options, &error);
    if (status == TD_OK) {
        status = act(&options, &error);
    }
    /* both: what a full buffer lost on its way is no longer there to be flushed */
    if ((fflush(stdout) != 0 || ferror(stdout)) && status == TD_OK) {
        status = td_fail(&error, TD_FAILED, "cannot write to standard output");
    }
    const int stopped_by = td_signals_stop();
    if (status != TD_OK && error.text[0] == '\0') {
        ; /* another rank has said it */
    } else if (status != TD_OK) {
        fprintf(stderr, "tribench: %s\n", error.text);
    } else if (stopped_by != 0) {
        fprintf(stderr, "tribench: stopped by %s: what was measured is in the result\n",
                td_signals_name(stopped_by));
    }
    td_options_free(&options);
    return stopped_by != 0 ? 128 + stopped_by : (int)status;
}
