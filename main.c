/* main.c - the table of contents: parse, act, report how it ended. */
#include <stdio.h>

#include "engine/core/signals.h"
#include "report/build.h"
#include "report/view/view.h"
#include "run/driver.h"

static td_status act(td_options *options, td_error *error)
{
    switch (options->action) {
    case TD_ACTION_HELP:
        td_help_print(td_standard_output(), options->help);
        return TD_OK;
    case TD_ACTION_VERSION:
        td_version_print(td_standard_output());
        return TD_OK;
    case TD_ACTION_LIST:
        return td_list(options, error);
    case TD_ACTION_CHECK_MAPS:
        return td_check_maps(options, error);
    case TD_ACTION_SHOW:
        return td_show(options, error);
    case TD_ACTION_EMIT:
        return td_emit(options, error);
    default:
        return td_drive(options, error);
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
    /* check both: data lost in an earlier failed write leaves nothing for fflush to report */
    if ((fflush(td_standard_output()) != 0 || ferror(td_standard_output())) && status == TD_OK) {
        status = td_fail(&error, TD_FAILED, "cannot write to standard output");
    }
    const int stopped_by = td_signals_stop();
    if (status != TD_OK && error.text[0] != '\0') { /* else another process has printed it */
        td_say("%s", error.text);
    } else if (status == TD_OK && stopped_by != 0) {
        td_say("stopped by %s: what was measured is in the result", td_signals_name(stopped_by));
    }
    td_options_free(&options);
    return stopped_by != 0 ? 128 + stopped_by : (int)status;
}
