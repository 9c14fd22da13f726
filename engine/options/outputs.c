/* outputs.c - -o, which may be given several times, and --label: where a result goes, and its labels. */
#include <stdlib.h>
#include <string.h>

#include "engine/core/error.h"
#include "engine/core/span.h"
#include "engine/core/vector.h"
#include "engine/io/file.h"
#include "option_table.h"

static const struct {
    const char *suffix; /* implies the format of a file given without one */
    const char *word;   /* end of FILE:FORMAT */
} forms[] = {[TD_FORMAT_JSON] = {".json", ":json"},
             [TD_FORMAT_JSONL] = {".jsonl", ":jsonl"},
             [TD_FORMAT_CSV] = {".csv", ":csv"},
             [TD_FORMAT_TABLE] = {".txt", ":table"},
             [TD_FORMAT_MD] = {".md", ":md"}};

enum { FORM_COUNT = sizeof forms / sizeof forms[0] };

const char *td_format_name(td_format format)
{
    return forms[format].word + 1;
}

static bool ends_in(const char *text, const char *end)
{
    const size_t length = strlen(text), wanted = strlen(end);
    return length > wanted && strcmp(text + length - wanted, end) == 0;
}

td_status td_take_output(const td_given *given)
{
    td_target target = {.path = strdup(given->value)};
    for (int f = 0; target.path != NULL && f < FORM_COUNT && !target.is_named; f++) {
        if (ends_in(given->value, forms[f].word)) {
            target.path[strlen(given->value) - strlen(forms[f].word)] = '\0';
            target.format = (td_format)f;
            target.is_named = true;
        }
    }
    if (given->value[0] == '\0' || target.path == NULL ||
        !td_vector_add(&given->options->outputs, &given->options->output_count, sizeof target,
                       &target)) {
        free(target.path);
        return given->value[0] == '\0' ? td_reject(given, "", "%s", given->option->argument)
                                       : td_reject_memory(given);
    }
    return TD_OK;
}

static void choose_format(const td_options *o, td_target *target)
{
    if (target->is_named) { /* by FILE:FORMAT */
        return;
    }
    target->is_named = td_option_is_given(o, "format");
    target->format = o->format;
    for (int f = 0; f < FORM_COUNT && !target->is_named; f++) {
        if (ends_in(target->path, forms[f].suffix)) {
            target->format = (td_format)f;
            target->is_named = true;
        }
    }
    if (target->resumes && !td_option_is_given(o, "format")) {
        target->format = TD_FORMAT_JSONL; /* the only format that can continue */
    }
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
        choose_format(o, target);
        if (target->resumes && target->format != TD_FORMAT_JSONL) {
            return td_fail(
                error, TD_USAGE,
                "--resume and --output name the same file '%s': that needs --format jsonl",
                td_show_value(td_span_of(o->resume)).text);
        }
    }
    return TD_OK;
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
