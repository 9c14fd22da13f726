#include "key.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "engine/core/own.h"
#include "engine/core/parameter.h"
#include "engine/engine.h"

enum { INPUT_NAME_LENGTH = 40 };

static void append(char key[TD_KEY_SIZE], const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void append(char key[TD_KEY_SIZE], const char *format, ...)
{
    const size_t used = strlen(key);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(key + used, TD_KEY_SIZE - used, format, arguments);
    va_end(arguments);
}

const char *const td_order_names[] = {"descending", "ascending", "shift", "given"};
const char *const td_layout_names[] = {"packed", "full", "blocked", "mirrored"};
const char *const td_schedule_names[] = {"grid", "persistent", "contiguous", "dynamic"};
const char *const td_sampling_names[] = {"batched", "host", "once"};

td_shown td_tile_text(uint32_t tile, uint32_t width)
{
    td_shown shown;
    const int used = width != 0 ? snprintf(shown.text, sizeof shown.text, "%ux", width) : 0;
    snprintf(shown.text + used, sizeof shown.text - (size_t)used, "%u", tile);
    return shown;
}

static void append_place(const td_run *run, int sides, char key[TD_KEY_SIZE])
{
    const td_dim3 b = run->block;
    append(key, sides == 3 ? "%s/%s/%s/n%u/b%ux%ux%u" : "%s/%s/%s/n%u/b%ux%u", run->engine->name,
           run->workload->name, run->strategy->name, run->problem.n, b.x, b.y, b.z);
    append(key, "/t%s/%s/seed%llu", td_tile_text(run->tile, run->width).text,
           td_layout_names[run->problem.layout], (unsigned long long)run->problem.seed);
}

static void append_parameters(const td_run *run, char key[TD_KEY_SIZE])
{
    const td_workload *w = run->workload;
    td_problem presets = {0};
    const char *why = NULL;
    td_parameters_preset(w, presets.parameters);
    (void)td_workload_variant(w, &presets, &why); /* replaces "auto" by its meaning */
    for (size_t p = 0; p < w->parameter_count; p++) {
        const td_parameter *parameter = &w->parameters[p];
        const td_shown value = td_parameter_text(parameter, run->problem.parameters[p]);
        const td_shown preset = td_parameter_text(parameter, presets.parameters[p]);
        if (parameter->key != NULL &&
            (parameter->in_every_key || strcmp(value.text, preset.text) != 0)) {
            append(key, "/%s%s", parameter->key, value.text);
        }
    }
}

/* The file's name without its folder, with odd characters replaced because a key is one word; and the digest of its
 * content, because another file may have the same name. */
static void append_file(const char *what, const char *path, td_digest digest, char key[TD_KEY_SIZE])
{
    char name[INPUT_NAME_LENGTH + 1], digits[TD_DIGEST_SIZE];
    snprintf(name, sizeof name, "%s", basename(path));
    for (char *c = name; *c != '\0'; c++) {
        if ((unsigned char)*c <= ' ' || (unsigned char)*c >= 127 || *c == '"' || *c == '\\') {
            *c = '_';
        }
    }
    td_digest_text(digest, digits);
    append(key, "/%s-%s-%s", what, name, digits);
}

/* Of a file with a workload or a map. */
static void append_own(const char *what, td_digest digest, char key[TD_KEY_SIZE])
{
    char digits[TD_DIGEST_SIZE];
    td_digest_text(digest, digits);
    append(key, "/%s-%s", what, digits);
}

void td_key_make(const td_options *options, const td_input *input, int sides, td_run *run)
{
    run->key[0] = '\0';
    append_place(run, sides, run->key);
    if (run->strategy->uses_cutoff) {
        append(run->key, "/nc%u", run->cutoff);
    }
    if (td_run_is_grouped(run)) {
        append(run->key, "/group%u", run->group); /* "/g8" is steps */
    }
    if (run->order != TD_ORDER_DESCENDING) {
        append(run->key, "/%s", td_order_names[run->order]);
    }
    if (run->schedule != TD_SCHEDULE_GRID) {
        append(run->key, "/%s", td_schedule_names[run->schedule]);
    }
    if (options->protocol.cache == TD_CACHE_COLD) {
        append(run->key, "/cold");
    }
    if (options->protocol.sampling != TD_SAMPLING_BATCHED) {
        append(run->key, "/%s", td_sampling_names[options->protocol.sampling]);
    }
    if (options->protocol.inexact) {
        append(run->key, "/inexact");
    }
    append_parameters(run, run->key);
    if (run->tiled && td_workload_only_tiles(run->workload) == NULL) {
        append(run->key, "/tile");
    }
    if (run->parts > 0) {
        append(run->key, "/ranks%u/%s", run->parts, td_partition_names[run->partition]);
    }
    /* other properties of the machine belong to the device */
    if (options->threads > 0 && !run->engine->can.device_memory) {
        append(run->key, "/threads%u", options->threads);
    }
    if (run->workload->own != NULL) {
        append_own("own", run->workload->own->digest, run->key);
    }
    if (run->strategy->own != NULL) {
        append_own("map", run->strategy->own->digest, run->key);
    }
    if (options->input != NULL) {
        append_file("input", options->input, input->digest, run->key);
    }
    if (run->order == TD_ORDER_GIVEN) {
        append_file(TD_TABLE_PARAMETER, options->table, input->rows.digest, run->key);
    }
    if (options->lengths != NULL) {
        append_file(TD_LENGTHS_PARAMETER, options->lengths, input->lengths.digest, run->key);
    }
}
