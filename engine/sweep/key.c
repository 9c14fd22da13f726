#include "key.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "engine/engine.h"

enum { DEFAULT_STEPS = 100, INPUT_NAME_LENGTH = 40 };

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

static void append_place(const td_run *run, char key[TD_KEY_SIZE])
{
    const td_dim3 b = run->block;
    append(key, "%s/%s/%s/n%u/b%ux%u", run->engine->name, run->workload->name, run->strategy->name,
           run->problem.n, b.x, b.y);
    if (run->workload->dimension == 3) {
        append(key, "x%u", b.z);
    }
    append(key, "/t%u/%s/seed%llu", run->tile, run->problem.layout == TD_FULL ? "full" : "packed",
           (unsigned long long)run->problem.seed);
}

static void append_steps(const td_run *run, char key[TD_KEY_SIZE])
{
    if (run->problem.steps != DEFAULT_STEPS) {
        append(key, "/g%u", run->problem.steps);
    }
    if (run->problem.rule != run->workload->rule) {
        append(key, "/r%04u", run->problem.rule);
    }
    if (run->problem.density < 0.3 || run->problem.density > 0.3) {
        append(key, "/p%.15g", run->problem.density);
    }
}

/* The file's name without its folder, its odd characters replaced, for a key is one word; and what was in it, for
 * another file may have its name. */
static void append_input(const char *path, uint32_t digest, char key[TD_KEY_SIZE])
{
    const char *slash = strrchr(path, '/');
    char name[INPUT_NAME_LENGTH + 1];
    snprintf(name, sizeof name, "%s", slash != NULL ? slash + 1 : path);
    for (char *c = name; *c != '\0'; c++) {
        if ((unsigned char)*c <= ' ' || (unsigned char)*c >= 127 || *c == '"' || *c == '\\') {
            *c = '_';
        }
    }
    append(key, "/input-%s-%08x", name, digest);
}

void td_key_make(const td_options *options, td_run *run)
{
    run->key[0] = '\0';
    append_place(run, run->key);
    if (run->strategy->uses_cutoff) {
        append(run->key, "/nc%u", run->cutoff);
    }
    if (run->schedule == TD_SCHEDULE_PERSISTENT) {
        append(run->key, "/persistent");
    }
    if (options->protocol.cache == TD_CACHE_COLD) {
        append(run->key, "/cold");
    }
    if (options->protocol.inexact) {
        append(run->key, "/inexact");
    }
    if (run->workload->memory != TD_MEMORY_NONE) {
        append(run->key, "/%s/%s", td_memory_name(run->workload->memory),
               td_cell_width_name(run->workload->width));
    }
    if (td_run_is_square(run)) {
        append(run->key, "/square");
    }
    if (run->tiled && !run->workload->only_tiles) {
        append(run->key, "/tile");
    }
    if (run->workload->steps) {
        append_steps(run, run->key);
    }
    if (options->input != NULL) {
        append_input(options->input, options->input_digest, run->key);
    }
}
