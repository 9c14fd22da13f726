#include "values.h"

#include <stdio.h>
#include <string.h>

#include "engine/core/parameter.h"
#include "engine/core/span.h"
#include "engine/engine.h"
#include "slurm.h"

enum { MOST_SHARDS = 1048576 };

static td_shown shown(const char *value)
{
    return td_show_value(td_span_of(value));
}

static void *field(const td_option *option, td_options *options)
{
    return (char *)options + option->offset;
}

/* Parse a value by the rules, and with the messages, of a workload's parameter of this kind. */
static td_status parse(const td_option *option, td_parameter_kind kind, const char *value,
                       td_value *parsed, td_error *error)
{
    char room[TD_WORDS_SIZE];
    const td_parameter row = {.name = option->name,
                              .kind = kind,
                              .choices = td_option_words(option, room),
                              .low = option->low,
                              .high = option->high};
    return td_parameter_parse(&row, value, parsed, error);
}

/* ---- numbers ---- */

td_status td_value_u32(const td_option *option, const char *value, td_options *options,
                       td_error *error)
{
    td_value parsed = {0};
    TRY(parse(option, TD_PARAMETER_COUNT, value, &parsed, error));
    *(uint32_t *)field(option, options) = (uint32_t)parsed.count;
    return TD_OK;
}

td_status td_value_u64(const td_option *option, const char *value, td_options *options,
                       td_error *error)
{
    td_value parsed = {0};
    TRY(parse(option, TD_PARAMETER_COUNT, value, &parsed, error));
    *(uint64_t *)field(option, options) = parsed.count;
    return TD_OK;
}

td_status td_value_decimal(const td_option *option, const char *value, td_options *options,
                           td_error *error)
{
    td_value parsed = {0};
    TRY(parse(option, TD_PARAMETER_REAL, value, &parsed, error));
    *(double *)field(option, options) = parsed.real;
    return TD_OK;
}

td_status td_value_max_time(const td_option *option, const char *value, td_options *options,
                            td_error *error)
{
    TRY(td_value_decimal(option, value, options, error));
    return options->protocol.max_time_s > 0
               ? TD_OK
               : td_fail(error, TD_USAGE, "--%s: expected more than 0 seconds, got '%s'",
                         option->name, shown(value).text);
}

/* Parse a percentage into a fraction: "1%" is 0.01. */
td_status td_value_percent(const td_option *option, const char *value, td_options *options,
                           td_error *error)
{
    double *fraction = field(option, options);
    td_span number = td_span_of(value);
    const bool has_sign = number.length > 0 && number.text[number.length - 1] == '%';
    number.length -= has_sign;
    if (!has_sign || !td_parse_decimal(number, fraction) || *fraction <= 0.0 ||
        *fraction > (double)option->high) {
        return td_fail(error, TD_USAGE,
                       "--%s: expected a percentage above 0%% and up to %llu%%, such as 1%% or "
                       "0.5%%, got '%s'",
                       option->name, (unsigned long long)option->high, shown(value).text);
    }
    *fraction /= 100.0;
    return TD_OK;
}

/* ---- choices and flags ---- */

td_status td_value_choice(const td_option *option, const char *value, td_options *options,
                          td_error *error)
{
    td_value place = {0};
    TRY(parse(option, TD_PARAMETER_CHOICE, value, &place, error));
    *(int *)field(option, options) = (int)place.count;
    return TD_OK;
}

td_status td_value_words(const td_option *option, const char *value, td_options *options,
                         td_error *error)
{
    uint32_t words = 0;
    for (td_span rest = td_span_of(value); rest.text != NULL;) {
        const td_span one = td_span_until(&rest, ',');
        char word[TD_WORD_SIZE];
        td_value place = {0};
        snprintf(word, sizeof word, "%.*s", (int)one.length, one.text);
        TRY(parse(option, TD_PARAMETER_CHOICE, word, &place, error));
        words |= 1U << place.count;
    }
    *(uint32_t *)field(option, options) = words;
    return TD_OK;
}

td_status td_value_verify(const td_option *option, const char *value, td_options *options,
                          td_error *error)
{
    enum { NONE = 1, BEYOND };
    td_value place = {0};
    TRY(parse(option, TD_PARAMETER_CHOICE, value, &place, error));
    options->protocol.verify = place.count != NONE;
    options->protocol.inexact = place.count == BEYOND;
    return TD_OK;
}

td_status td_value_engine(const td_option *option, const char *value, td_options *options,
                          td_error *error)
{
    td_value place = {0};
    TRY(parse(option, TD_PARAMETER_CHOICE, value, &place, error));
    options->engine = place.count > 0 ? td_engines[place.count - 1] : NULL;
    return TD_OK;
}

td_status td_set_int(const td_option *option, const char *value, td_options *options,
                     td_error *error)
{
    (void)value;
    (void)error;
    *(int *)field(option, options) = (int)option->low;
    return TD_OK;
}

td_status td_set_flag(const td_option *option, const char *value, td_options *options,
                      td_error *error)
{
    (void)value;
    (void)error;
    *(bool *)field(option, options) = true;
    return TD_OK;
}

td_status td_value_ranks(const td_option *option, const char *value, td_options *options,
                         td_error *error)
{
    options->shares_domain = true;
    return value != NULL ? td_value_choice(option, value, options, error) : TD_OK;
}

/* ---- actions ---- */

static td_status act(const td_option *option, td_action action, td_options *options,
                     td_error *error)
{
    if (options->action != TD_ACTION_RUN && options->action != action) {
        return td_fail(error, TD_USAGE,
                       "--%s: only one of --list, --show, --dry-run and --check-maps at a time",
                       option->name);
    }
    options->action = action;
    return TD_OK;
}

td_status td_act(const td_option *option, const char *value, td_options *options, td_error *error)
{
    TRY(value != NULL ? td_value_choice(option, value, options, error) : TD_OK);
    if (option->low == TD_ACTION_HELP) { /* --help goes before any other action */
        options->action = TD_ACTION_HELP;
    }
    return act(option, (td_action)option->low, options, error);
}

td_status td_act_check_maps(const td_option *option, const char *value, td_options *options,
                            td_error *error)
{
    TRY(td_value_u32(option, value != NULL ? value : "2048", options, error));
    return act(option, TD_ACTION_CHECK_MAPS, options, error);
}

/* ---- text ---- */

td_status td_value_text(const td_option *option, const char *value, td_options *options,
                        td_error *error)
{
    if (value[0] == '\0') {
        return td_fail(error, TD_USAGE, "--%s: expected %s, got an empty word", option->name,
                       option->argument);
    }
    *(const char **)field(option, options) = value;
    return TD_OK;
}

/* "GPU-" or "MIG-" and hexadecimal digits in groups, as nvidia-smi -L prints them. */
static bool is_uuid(const char *value)
{
    if (strncmp(value, "GPU-", 4) != 0 && strncmp(value, "MIG-", 4) != 0) {
        return false;
    }
    const char *id = value + 4;
    return strlen(id) == 36 && strspn(id, "0123456789abcdefABCDEF-") == 36;
}

td_status td_value_device(const td_option *option, const char *value, td_options *options,
                          td_error *error)
{
    uint64_t ordinal = 0;
    if (!td_parse_u64(td_span_of(value), option->low, option->high, &ordinal) && !is_uuid(value)) {
        return td_fail(
            error, TD_USAGE,
            "--%s: expected a CUDA ordinal in %llu..%llu or a UUID such as nvidia-smi -L "
            "prints, got '%s'",
            option->name, (unsigned long long)option->low, (unsigned long long)option->high,
            shown(value).text);
    }
    options->device = value;
    return TD_OK;
}

/* ---- shards ---- */

td_status td_value_shard(const td_option *option, const char *value, td_options *options,
                         td_error *error)
{
    uint64_t index = 0, count = 0;
    if (strcmp(value, "auto") == 0) {
        TRY(td_slurm_shard(&index, &count, error));
    } else {
        td_span rest = td_span_of(value);
        const td_span head = td_span_until(&rest, '/');
        if (rest.text == NULL || !td_parse_u64(head, 0, UINT32_MAX, &index) ||
            !td_parse_u64(rest, 0, UINT32_MAX, &count)) {
            count = 0;
        }
    }
    if (count > MOST_SHARDS || index >= count) {
        return td_fail(error, TD_USAGE,
                       "--%s: expected I/K with 0 <= I < K <= %d, or auto in a Slurm job array of "
                       "consecutive tasks, got '%s'%s",
                       option->name, MOST_SHARDS, shown(value).text,
                       strcmp(value, "auto") == 0 ? " (the task's number is not below the count)"
                                                  : "");
    }
    options->shard_index = (uint32_t)index;
    options->shard_count = (uint32_t)count;
    return TD_OK;
}

/* ---- the words of a choice ---- */

const char *td_option_words(const td_option *option, char room[TD_WORDS_SIZE])
{
    if (option->parse != td_value_engine) {
        return option->words;
    }
    int used = snprintf(room, TD_WORDS_SIZE, "auto");
    for (size_t e = 0; e < td_engine_count && used < TD_WORDS_SIZE; e++) {
        used += snprintf(room + used, TD_WORDS_SIZE - (size_t)used, "|%s", td_engines[e]->name);
    }
    return room;
}
