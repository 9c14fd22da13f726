#include "conflicts.h"

#include <stdio.h>
#include <string.h>

#include "engine/core/suggest.h"
#include "engine/io/file.h"
#include "outputs.h"

static td_status check_different(const char *one, const char *other, td_error *error)
{
    if (!td_same_file(one, other)) {
        return TD_OK;
    }
    return td_fail(
        error, TD_USAGE,
        "--input, --dump, --output and --resume: expected different files, got '%s' twice",
        td_show_value(td_span_of(one)).text);
}

/* Reject files that would overwrite each other, or a file that is read. */
static td_status check_files(const td_options *o, td_error *error)
{
    TRY(check_different(o->dump, o->input, error));
    TRY(check_different(o->dump, o->resume, error));
    TRY(check_different(o->input, o->resume, error));
    for (size_t i = 0; i < o->output_count; i++) {
        TRY(check_different(o->dump, o->outputs[i].path, error));
        TRY(check_different(o->input, o->outputs[i].path, error));
    }
    return TD_OK;
}

/* Reject options that would silently have no effect. */
static td_status check_purpose(const td_options *o, td_error *error)
{
    const bool words = o->action == TD_ACTION_LIST || o->action == TD_ACTION_SHOW ||
                       o->action == TD_ACTION_CHECK_MAPS;
    const bool table = td_options_want_plan_in_words(o);
    for (size_t i = 0; (words || table) && i < o->output_count; i++) {
        if (strcmp(o->outputs[i].path, "-") != 0) {
            return td_fail(error, TD_USAGE, "--output: %s goes to standard output",
                           table ? "the table of --dry-run (unlike json, jsonl and csv)"
                                 : "what --list, --show and --check-maps print");
        }
        if (words && o->outputs[i].by_colon) {
            return td_fail(error, TD_USAGE,
                           "--output: --list, --show and --check-maps take their format from "
                           "--format alone");
        }
    }
    if (o->tune && (words || o->dump != NULL)) {
        return td_fail(error, TD_USAGE,
                       "--tune searches: it goes with runs and --dry-run only, without --dump");
    }
    if (o->shares_domain && (words || o->tune || o->every > 0 || o->device != NULL)) {
        return td_fail(error, TD_USAGE,
                       "--ranks goes with runs and --dry-run, without --tune, --every and "
                       "--device: each rank takes the device of its number on the host");
    }
    if (o->shares_domain && o->protocol.energy) {
        return td_fail(error, TD_USAGE, "--ranks: --energy is about one device: leave it out");
    }
    if (o->dump != NULL && (o->resume != NULL || o->shard_count > 0)) {
        return td_fail(error, TD_USAGE,
                       "--dump writes exactly one run: leave --%s out, which may skip it",
                       o->resume != NULL ? "resume" : "shard");
    }
    return TD_OK;
}

/* A profiler sees a single launch, so an option that would launch more, or has no effect on that launch, is a
 * mistake. */
static td_status settle_profile(td_options *o, td_error *error)
{
    static const char *const others[] = {"samples", "precision", "warmup", "max-time", "energy",
                                         "verify",  "tune",      "dump",   "resume",   "shard"};
    for (size_t i = 0;
         o->protocol.sampling == TD_SAMPLING_ONCE && i < sizeof others / sizeof others[0]; i++) {
        if (td_option_is_given(o, others[i])) {
            return td_fail(error, TD_USAGE,
                           "--timing once launches one run once, and nothing else: leave --%s out",
                           others[i]);
        }
    }
    if (o->protocol.sampling == TD_SAMPLING_ONCE && o->action != TD_ACTION_RUN &&
        o->action != TD_ACTION_DRY_RUN) {
        return td_fail(error, TD_USAGE, "--timing once goes with a run only");
    }
    if (o->protocol.sampling == TD_SAMPLING_ONCE) {
        o->protocol.samples = 1;
        o->protocol.warmup = 0;
        o->protocol.verify = false;
    }
    return TD_OK;
}

static void settle_precision(td_options *o)
{
    enum { MOST_SAMPLES = 501 };
    if (o->protocol.precision > 0.0 && !td_option_is_given(o, "samples")) {
        o->protocol.samples = MOST_SAMPLES;
    }
}

/* A search tries all values that are not given. */
static void open_search(td_options *o)
{
    o->blocks.all |= !td_option_is_given(o, "block");
    o->tiles.all |= !td_option_is_given(o, "tile");
    o->kernels = td_option_is_given(o, "kernel") ? o->kernels : 1U << TD_CHOOSE_ALL;
    o->schedules = td_option_is_given(o, "schedule") ? o->schedules : 1U << TD_SCHEDULE_ALL;
}

/* A search needs no better precision than it takes to tell candidates apart, and its short samples warm up for the full
 * ones. */
static void settle_search(td_options *o)
{
    static const double enough = 0.005, brief_s = 1.0;
    if (o->tune && !td_option_is_given(o, "samples") && !td_option_is_given(o, "precision")) {
        o->protocol.precision = enough;
    }
    if (o->tune && !td_option_is_given(o, "max-time")) {
        o->protocol.max_time_s = brief_s;
    }
    if (o->tune && !td_option_is_given(o, "warmup")) {
        o->protocol.warmup = 0;
    }
}

td_status td_options_check_together(td_options *o, td_error *error)
{
    TRY(td_outputs_settle(o, error));
    TRY(check_files(o, error));
    TRY(check_purpose(o, error));
    settle_precision(o);
    settle_search(o);
    if (o->tune) {
        open_search(o);
    }
    TRY(settle_profile(o, error));
    if (o->every > 0 && o->dump == NULL) {
        return td_fail(error, TD_USAGE, "--every has no effect without --dump");
    }
    if ((o->action == TD_ACTION_LIST || o->action == TD_ACTION_SHOW) &&
        (o->format == TD_FORMAT_CSV || o->format == TD_FORMAT_MD)) {
        return td_fail(error, TD_USAGE, "--%s: expected --format json, jsonl or table, got '%s'",
                       o->action == TD_ACTION_LIST ? "list" : "show", td_format_name(o->format));
    }
    if (o->action == TD_ACTION_SHOW && o->tiles.count > 0 && !o->tiles.shapes[0].is_side) {
        return td_fail(error, TD_USAGE, "--show draws triangles, which are cut into square tiles");
    }
    if (o->action == TD_ACTION_CHECK_MAPS && td_option_is_given(o, "format") &&
        o->format != TD_FORMAT_JSON && o->format != TD_FORMAT_TABLE) {
        return td_fail(error, TD_USAGE, "--check-maps: expected --format json or table, got '%s'",
                       td_format_name(o->format));
    }
    return TD_OK;
}
