#include "outputs.h"

#include <stdlib.h>
#include <string.h>

#include "engine/core/error.h"
#include "engine/core/span.h"
#include "engine/core/vector.h"
#include "engine/io/file.h"

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

static td_status out_of_memory(const td_option *option, td_error *error)
{
    return td_fail(error, TD_NO_MEMORY, "out of memory for --%s", option->name);
}

static td_status add_output(const td_option *option, const char *path, td_options *options,
                            td_error *error)
{
    const td_target target = {.path = strdup(path)};
    if (target.path != NULL &&
        td_vector_add(&options->outputs, &options->output_count, sizeof target, &target)) {
        return TD_OK;
    }
    free(target.path);
    return out_of_memory(option, error);
}

td_status td_parse_output(const td_option *option, const char *value, td_options *options,
                          td_error *error)
{
    TRY(value[0] != '\0' ? TD_OK
                         : td_fail(error, TD_USAGE, "--%s: expected %s, got an empty word",
                                   option->name, option->argument));
    TRY(add_output(option, value, options, error));
    td_target *target = &options->outputs[options->output_count - 1];
    for (int f = 0; f < FORM_COUNT && !target->by_colon; f++) {
        if (ends_in(value, forms[f].word)) {
            target->path[strlen(value) - strlen(forms[f].word)] = '\0';
            target->format = (td_format)f;
            target->by_colon = target->is_named = true;
        }
    }
    return TD_OK;
}

static void choose_format(const td_options *o, td_target *target)
{
    if (target->by_colon) {
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

static td_status check_distinct(const td_options *o, td_error *error)
{
    for (size_t i = 0; i < o->output_count; i++) {
        for (size_t j = 0; j < i; j++) {
            const td_target *one = &o->outputs[i], *other = &o->outputs[j];
            if (td_same_file(one->path, other->path)) {
                return td_fail(error, TD_USAGE,
                               "--output: expected different files, got '%s' twice",
                               td_show_value(td_span_of(one->path)).text);
            }
        }
    }
    return TD_OK;
}

td_status td_outputs_settle(td_options *o, td_error *error)
{
    static const td_option standard = {.name = "output"};
    TRY(o->output_count > 0 ? TD_OK : add_output(&standard, "-", o, error));
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
    return check_distinct(o, error);
}

/* ---- labels ---- */

static bool is_label_name(td_span name)
{
    bool fine = name.length > 0 && name.length <= 64;
    for (size_t i = 0; i < name.length && fine; i++) {
        fine = strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-",
                      name.text[i]) != NULL;
    }
    return fine;
}

static bool has_control(const char *text)
{
    while (*text != '\0' && (unsigned char)*text >= ' ' && *text != 0x7f) {
        text++;
    }
    return *text != '\0';
}

/* Find or add the label of this name. If a label is given twice, the last one counts, as for all options. */
static td_label *label_of(td_options *options, td_span name)
{
    for (size_t i = 0; i < options->label_count; i++) {
        if (td_span_is(name, options->labels[i].name)) {
            return &options->labels[i];
        }
    }
    const td_label label = {.name = strndup(name.text, name.length)};
    if (label.name != NULL &&
        td_vector_add(&options->labels, &options->label_count, sizeof label, &label)) {
        return &options->labels[options->label_count - 1];
    }
    free(label.name);
    return NULL;
}

td_status td_parse_label(const td_option *option, const char *value, td_options *options,
                         td_error *error)
{
    td_span rest = td_span_of(value);
    const td_span name = td_span_until(&rest, '=');
    if (rest.text == NULL || rest.length == 0 || !is_label_name(name) || has_control(rest.text)) {
        return td_fail(
            error, TD_USAGE,
            "--%s: expected %s, a name of letters, digits, _ and - and one line of text, got "
            "'%s'",
            option->name, option->argument, td_show_value(td_span_of(value)).text);
    }
    td_label *label = label_of(options, name);
    if (label == NULL) {
        return out_of_memory(option, error);
    }
    label->text = rest.text;
    return TD_OK;
}

void td_outputs_free(td_options *options)
{
    for (size_t i = 0; i < options->output_count; i++) {
        free(options->outputs[i].path);
    }
    for (size_t i = 0; i < options->label_count; i++) {
        free(options->labels[i].name);
    }
    free(options->outputs);
    free(options->labels);
}
