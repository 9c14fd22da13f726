/* outputs.c - -o, which may be given several times, --dump and --label: where a result goes, and its labels. */
#include <stdlib.h>
#include <string.h>

#include "engine/core/error.h"
#include "engine/io/file.h"
#include "option_table.h"

/* Whether a word is one of --format's; then it is the target's. */
static bool find_format(const char *word, td_target *target)
{
    const td_parameter formats = td_option_parameter(td_option_named("format"));
    td_value place = {0};
    if (td_parameter_parse(&formats, word, &place, NULL) != TD_OK) {
        return false;
    }
    target->format = (td_format)place.count;
    target->is_named = true;
    return true;
}

td_status td_take_output(const td_given *given)
{
    td_target target = {.path = strdup(given->value)};
    char *colon = target.path != NULL ? strrchr(target.path, ':') : NULL;
    if (colon != NULL && colon > target.path && find_format(colon + 1, &target)) {
        *colon = '\0';
    }
    if (given->value[0] == '\0' || target.path == NULL ||
        !td_append(&given->options->outputs, &given->options->output_count, sizeof target,
                   &target)) {
        free(target.path);
        return given->value[0] == '\0' ? td_reject(given, "", "%s", given->option->argument)
                                       : td_reject_memory(given);
    }
    return TD_OK;
}

/* What follows the last dot of a file's name; empty if nothing does, and for a name that begins with its only dot. */
static const char *suffix_of(const char *path)
{
    const char *name = basename(path);
    const char *dot = strrchr(name, '.');
    return dot != NULL && dot > name ? dot + 1 : "";
}

/* By FILE:FORMAT a file may have any suffix; otherwise one that does not name the format is a mistake. */
static td_status choose_format(const td_options *o, td_target *target, td_error *error)
{
    const char *suffix = suffix_of(target->path);
    const bool is_given = td_option_is_given(o, "format");
    td_target named = {0}; /* by the suffix */
    if (target->is_named) {
        return TD_OK;
    }
    (void)find_format(strcmp(suffix, "txt") == 0 ? "table" : suffix, &named);
    target->format = is_given          ? o->format
                     : target->resumes ? TD_FORMAT_JSONL /* the only format that can continue */
                     : named.is_named  ? named.format
                                       : o->format;
    target->is_named = is_given || named.is_named;
    if (suffix[0] == '\0' || target->resumes ||
        (named.is_named && named.format == target->format)) {
        return TD_OK;
    }
    return td_fail(error, TD_USAGE,
                   "--output: the suffix of '%s' does not name the format: expected .json, .jsonl, "
                   ".csv, .md or .txt (a table), as --format says, or FILE:FORMAT",
                   td_show_value(td_span_of(target->path)).text);
}

td_status td_outputs_settle(td_options *o, td_error *error)
{
    const td_given standard = {td_option_named("output"), "-", o, error};
    TRY(o->output_count > 0 ? TD_OK : td_take_output(&standard));
    if (o->resume != NULL && strcmp(o->resume, "-") == 0) {
        return td_fail(error, TD_USAGE,
                       "--resume: '-' is standard output, which cannot be read back: name a file");
    }
    for (size_t i = 0; i < o->output_count; i++) {
        td_target *target = &o->outputs[i];
        target->resumes = td_same_file(o->resume, target->path);
        TRY(choose_format(o, target, error));
        if (target->resumes && target->format != TD_FORMAT_JSONL) {
            return td_fail(
                error, TD_USAGE,
                "--resume and --output name the same file '%s': that needs --format jsonl",
                td_show_value(td_span_of(o->resume)).text);
        }
    }
    return TD_OK;
}

/* ---- the output of a run ---- */

/* FILE or FILE:K; a colon before anything but digits belongs to the file's name. */
td_status td_take_dump(const td_given *given)
{
    enum { MOST_STEPS = 1000000 };
    const char *colon = strrchr(given->value, ':');
    const char *digits = colon != NULL ? colon + 1 : "";
    const bool has_steps = digits[0] != '\0' && digits[strspn(digits, "0123456789")] == '\0';
    const size_t length = has_steps ? (size_t)(colon - given->value) : strlen(given->value);
    uint64_t every = 0;
    if (length == 0 || (has_steps && !td_parse_u64(td_span_of(digits), 1, MOST_STEPS, &every))) {
        return td_reject(given, given->value, "%s with K in 1..%d", given->option->argument,
                         MOST_STEPS);
    }
    free(given->options->dump);
    given->options->dump = strndup(given->value, length);
    given->options->every = (uint32_t)every;
    return given->options->dump != NULL ? TD_OK : td_reject_memory(given);
}

/* ---- labels ---- */

td_status td_take_label(const td_given *given)
{
    static const char accepted[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
    const td_span name = {given->value, strspn(given->value, accepted)};
    const char *text = given->value + name.length;
    bool fine = name.length > 0 && name.length <= 64 && text[0] == '=' && text[1] != '\0';
    for (const char *c = text; fine && *c != '\0'; c++) {
        fine = (unsigned char)*c >= ' ' && *c != 0x7f;
    }
    return fine ? td_keep_setting(given, name, text + 1, &given->options->labels,
                                  &given->options->label_count)
                : td_reject(given, given->value,
                            "%s, a name of letters, digits, _ and - and one line of text",
                            given->option->argument);
}
