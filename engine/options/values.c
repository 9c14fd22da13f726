/* values.c - reads the value of one option. */
#include <fnmatch.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/engine.h"
#include "option_table.h"
#include "parameters.h"

enum { MOST_SHARDS = 1048576 };

td_status td_reject(const td_given *given, const char *got, const char *format, ...)
{
    char expected[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(expected, sizeof expected, format, arguments);
    va_end(arguments);
    return td_fail(given->error, TD_USAGE, "--%s: expected %s, got '%s'", given->option->name,
                   expected, td_show_value(td_span_of(got)).text);
}

td_status td_reject_memory(const td_given *given)
{
    return td_fail(given->error, TD_NO_MEMORY, "not enough memory for the values of --%s",
                   given->option->name);
}

td_status td_each_word(const td_given *given, td_add_word_fn *add, void *list)
{
    char *copy = strdup(given->value), *rest = copy;
    td_status status = copy != NULL ? TD_OK : td_reject_memory(given);
    while (rest != NULL && status == TD_OK) {
        status = add(given, strsep(&rest, ","), list);
    }
    free(copy);
    return status;
}

td_status td_keep_setting(const td_given *given, td_span name, const char *text, td_setting **list,
                          size_t *count)
{
    const td_setting kept = {strndup(name.text, name.length), strdup(text)}, none = {0};
    size_t place = 0;
    while (place < *count && !td_span_is(name, (*list)[place].name)) {
        place++;
    }
    if (kept.name == NULL || kept.text == NULL ||
        (place == *count && !td_append(list, count, sizeof none, &none))) {
        free(kept.name);
        free(kept.text);
        return td_reject_memory(given);
    }
    free((*list)[place].name);
    free((*list)[place].text);
    (*list)[place] = kept;
    return TD_OK;
}

/* "auto" and the names of the engines. */
static const char *engine_words(void)
{
    static char words[128];
    size_t used = (size_t)snprintf(words, sizeof words, "auto");
    for (size_t e = 0; e < td_engine_count && used < sizeof words; e++) {
        used += (size_t)snprintf(words + used, sizeof words - used, "|%s", td_engines[e]->name);
    }
    return words;
}

td_parameter td_option_parameter(const td_option *option)
{
    if (option->help == NULL) {
        return *td_parameter_named(option->name);
    }
    const char *words = option->take == td_take_engine ? engine_words() : option->words;
    return (td_parameter){.name = option->name,
                          .kind = words != NULL ? TD_PARAMETER_CHOICE : option->kind,
                          .choices = words,
                          .low = option->low,
                          .high = option->high,
                          .preset = option->preset,
                          .argument = option->argument,
                          .help = option->help};
}

static td_status parse(const td_given *given, td_value *value)
{
    const td_parameter row = td_option_parameter(given->option);
    return td_parameter_parse(&row, given->value, value, given->error);
}

td_status td_take_value(const td_given *given)
{
    const td_option *o = given->option;
    td_value value = {.count = (uint64_t)(int64_t)o->sets};
    if (o->argument != NULL && given->value == NULL) {
        return TD_OK;
    }
    TRY(o->argument != NULL ? parse(given, &value) : TD_OK);
    memcpy(td_field_of(given), &value, o->size); /* the low bytes come first, see engine/io/npy.c */
    return TD_OK;
}

td_status td_take_max_time(const td_given *given)
{
    TRY(td_take_value(given));
    return given->options->protocol.max_time_s > 0
               ? TD_OK
               : td_reject(given, given->value, "more than 0 seconds");
}

/* Parse a percentage into a fraction: "1%" is 0.01. */
td_status td_take_percent(const td_given *given)
{
    double *fraction = td_field_of(given);
    td_span number = td_span_of(given->value);
    const bool has_sign = number.length > 0 && number.text[number.length - 1] == '%';
    number.length -= has_sign;
    if (!has_sign || !td_parse_decimal(number, fraction) || *fraction <= 0.0 ||
        *fraction > (double)given->option->high) {
        return td_reject(given, given->value,
                         "a percentage above 0%% and up to %llu%%, such as 1%% or 0.5%%",
                         (unsigned long long)given->option->high);
    }
    *fraction /= 100.0;
    return TD_OK;
}

/* ---- choices ---- */

static td_status add_word(const td_given *given, const char *word, void *words)
{
    td_given one = *given;
    td_value place = {0};
    one.value = word;
    TRY(parse(&one, &place));
    *(uint32_t *)words |= 1U << place.count;
    return TD_OK;
}

td_status td_take_words(const td_given *given)
{
    uint32_t words = 0;
    TRY(td_each_word(given, add_word, &words));
    *(uint32_t *)td_field_of(given) = words;
    return TD_OK;
}

td_status td_take_verify(const td_given *given)
{
    enum { NONE = 1, BEYOND };
    td_value place = {0};
    const bool is_file = fnmatch("*.npy", given->value, 0) == 0;
    TRY(is_file ? TD_OK : parse(given, &place));
    given->options->expected = is_file ? given->value : NULL;
    given->options->protocol.verify = place.count != NONE;
    given->options->protocol.inexact = place.count == BEYOND;
    return TD_OK;
}

td_status td_take_engine(const td_given *given)
{
    td_value place = {0};
    if (strcmp(given->value, "gpu") == 0) { /* a letter from cpu, which is not meant */
        return td_reject(given, given->value, "one of %s (cuda for GPUs)", engine_words());
    }
    TRY(parse(given, &place));
    given->options->engine = place.count > 0 ? td_engines[place.count - 1] : NULL;
    return TD_OK;
}

/* --help goes before any other action. */
td_status td_take_action(const td_given *given)
{
    const td_option *option = given->option;
    td_action *action = &given->options->action;
    TRY(option->argument != NULL ? td_take_value(given) : TD_OK);
    if (*action != TD_ACTION_RUN && *action != (td_action)option->sets &&
        option->sets != TD_ACTION_HELP) {
        return td_fail(
            given->error, TD_USAGE,
            "--%s: only one of --list, --show, --emit, --dry-run and --check-maps at a time",
            option->name);
    }
    *action = (td_action)option->sets;
    return TD_OK;
}

/* ---- text ---- */

td_status td_take_text(const td_given *given)
{
    *(const char **)td_field_of(given) = given->value;
    return given->value[0] != '\0' ? TD_OK
                                   : td_reject(given, given->value, "%s", given->option->argument);
}

/* "GPU-" or "MIG-" and hexadecimal digits in groups, as nvidia-smi -L prints them. */
static bool is_uuid(const char *value)
{
    return (strncmp(value, "GPU-", 4) == 0 || strncmp(value, "MIG-", 4) == 0) &&
           strlen(value) == 40 && strspn(value + 4, "0123456789abcdefABCDEF-") == 36;
}

td_status td_take_device(const td_given *given)
{
    const td_option *option = given->option;
    uint64_t ordinal = 0;
    given->options->device = given->value;
    return td_parse_u64(td_span_of(given->value), option->low, option->high, &ordinal) ||
                   is_uuid(given->value)
               ? TD_OK
               : td_reject(given, given->value,
                           "a CUDA ordinal in %llu..%llu or a UUID such as nvidia-smi -L prints",
                           (unsigned long long)option->low, (unsigned long long)option->high);
}

/* ---- shards ---- */

/* The shard of an array's task. Arrays may start anywhere and go in steps (--array=10-30:10), shards count from 0. */
static td_status slurm_shard(uint64_t *index, uint64_t *count, td_error *error)
{
    uint64_t id = 0, first = 0, step = 0;
    const struct {
        const char *name, *preset;
        uint64_t least, *value;
    } variables[] = {{"SLURM_ARRAY_TASK_ID", "", 0, &id},
                     {"SLURM_ARRAY_TASK_COUNT", "", 0, count},
                     {"SLURM_ARRAY_TASK_MIN", "0", 0, &first},
                     {"SLURM_ARRAY_TASK_STEP", "1", 1, &step}};
    for (size_t v = 0; v < sizeof variables / sizeof variables[0]; v++) {
        const char *set = getenv(variables[v].name);
        const td_span text = td_span_of(set != NULL ? set : variables[v].preset);
        if (!td_parse_u64(text, variables[v].least, UINT32_MAX, variables[v].value)) {
            return td_fail(error, TD_USAGE,
                           "--shard auto: expected a Slurm job array, with a whole number in %s, "
                           "got '%s'",
                           variables[v].name, td_show_value(text).text);
        }
    }
    *index = (id - first) / step; /* huge if the first is beyond id */
    return TD_OK;
}

td_status td_take_shard(const td_given *given)
{
    uint64_t index = 0, count = 0;
    td_span rest = td_span_of(given->value);
    if (strcmp(given->value, "auto") == 0) {
        TRY(slurm_shard(&index, &count, given->error));
    } else if (!td_parse_u64(td_span_until(&rest, '/'), 0, UINT32_MAX, &index) ||
               rest.text == NULL || !td_parse_u64(rest, 0, UINT32_MAX, &count)) {
        count = 0;
    }
    if (count > MOST_SHARDS || index >= count) {
        return td_reject(given, given->value,
                         "I/K with 0 <= I < K <= %d, or auto in a Slurm job array of consecutive "
                         "tasks",
                         MOST_SHARDS);
    }
    given->options->shard_index = (uint32_t)index;
    given->options->shard_count = (uint32_t)count;
    return TD_OK;
}
