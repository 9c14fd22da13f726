/* emit.c - --emit: has tribench-report, which is Python, translate the chosen maps. */
#include "view.h"

#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "engine/compile/command.h"
#include "engine/core/own.h"
#include "engine/core/parameter.h"
#include "engine/core/signals.h"
#include "engine/options/option_table.h"

/* The command of an installation, which is beside this program, or that of the source tree. */
static td_status find_report(char path[PATH_MAX], td_error *error)
{
    static const char *const places[] = {"", "/report", "/../../report"};
    char program[PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    program[length > 0 ? length : 0] = '\0';
    const char *above = dirname(program);
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        const int needed = snprintf(path, PATH_MAX, "%s%s/tribench-report", above, places[i]);
        if (needed < PATH_MAX && access(path, X_OK) == 0) {
            return TD_OK;
        }
    }
    return td_fail(error, TD_UNAVAILABLE,
                   "--emit: tribench-report is not beside '%s/tribench': install it whole", above);
}

td_status td_emit(const td_options *options, td_error *error)
{
    enum { MOST = TD_COMMAND_WORDS - 3 };
    const td_parameter languages = td_option_parameter(td_option_named("emit"));
    const td_value language = {.count = options->emit};
    char path[PATH_MAX];
    td_command command = {0};
    if (!td_option_is_given(options, "strategy") || options->strategy_count > MOST) {
        return td_fail(error, TD_USAGE, "--emit: expected 1..%d maps, named by --strategy", MOST);
    }
    TRY(find_report(path, error));
    const td_shown word = td_parameter_text(&languages, language);
    td_command_add(&command, path, "emit", word.text, NULL);
    for (size_t i = 0; i < options->strategy_count; i++) {
        const td_strategy *strategy = options->strategies[i].strategy;
        td_command_add(&command, strategy->own != NULL ? strategy->own->path : strategy->name,
                       NULL);
    }
    const td_status status = td_command_run(&command, "", fileno(td_standard_output()), error);
    if (status == TD_UNAVAILABLE) {
        return td_fail(error, status, "--emit needs Python 3, which '%s' starts (Debian: python3)",
                       path);
    }
    if (status == TD_USAGE) { /* it has said why */
        error->text[0] = '\0';
    }
    return status;
}
