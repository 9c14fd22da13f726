/* conflicts.c - what single options cannot see: options that contradict each other, or would have no effect. */
#include <stdio.h>
#include <string.h>

#include "engine/core/span.h"
#include "engine/io/file.h"
#include "option_table.h"

/* ---- files ---- */

enum { RESUMED = 5, NAMED_FILES };

/* The files of the command line: those that are read, that of --dump and that of --resume, then the outputs; NULL:
 * there is none. */
static const char *file_at(const td_options *o, size_t i)
{
    const char *const named[NAMED_FILES] = {o->input,    o->table, o->lengths,
                                            o->expected, o->dump,  o->resume};
    return i < NAMED_FILES ? named[i] : o->outputs[i - NAMED_FILES].path;
}

/* Reject files that would overwrite each other, or a file that is read. An output may continue the resumed file. */
static td_status check_files(const td_options *o, td_error *error)
{
    for (size_t i = 0; i < o->output_count + NAMED_FILES; i++) {
        for (size_t j = 0; j < i; j++) {
            const char *one = file_at(o, j), *other = file_at(o, i);
            if ((j != RESUMED || i < NAMED_FILES) && td_same_file(one, other)) {
                return td_fail(error, TD_USAGE,
                               "--input, --set, --verify, --dump, --output and --resume: expected "
                               "different files, "
                               "got '%s' and '%s'",
                               td_show_value(td_span_of(one)).text,
                               td_show_value(td_span_of(other)).text);
            }
        }
    }
    return TD_OK;
}

/* Reject outputs that would stay empty. */
static td_status check_outputs(const td_options *o, td_error *error)
{
    for (size_t i = 0; td_options_want_plan_in_words(o) && i < o->output_count; i++) {
        if (strcmp(o->outputs[i].path, "-") != 0) {
            return td_fail(error, TD_USAGE,
                           "--output: the table of --dry-run (unlike json, jsonl and csv) goes to "
                           "standard output");
        }
    }
    return TD_OK;
}

/* Reject a format that an action does not print. */
static td_status check_format(const td_options *o, td_error *error)
{
    const bool is_check = o->action == TD_ACTION_CHECK_MAPS;
    return o->format == TD_FORMAT_JSON || o->format == TD_FORMAT_TABLE ||
                   (o->format == TD_FORMAT_JSONL && !is_check)
               ? TD_OK
               : td_fail(error, TD_USAGE, "--format: expected json%s or table with %s",
                         is_check ? "" : ", jsonl",
                         is_check ? "--check-maps" : "--list and --show");
}

/* ---- pairs of options ---- */

static const char once[] = "timing once", states[] = "dump FILE.npy:K",
                  listed[] = "set table and lengths";

/* An option that does not go with others. */
static const struct {
    const char *option, *others, *why;
} exclusions[] = {
    {"output", "list|show|check-maps", "that prints on standard output, as --format says"},
    {once, "samples|precision|warmup|max-time|energy|verify|tune|dump|resume|shard",
     "a profiler sees a single launch of a single run"},
    {"emit", "output|format|dump|resume|shard|tune|ranks", "it prints a text and runs nothing"},
    {once, "list|show|emit|check-maps", "it goes with a run only"},
    {listed, "list|show|emit|check-maps", "they go with a run only"},
    {"tune", "list|show|check-maps|dump", "a search goes with runs and --dry-run only"},
    {"ranks", "list|show|check-maps", "it goes with runs and --dry-run only"},
    {"ranks", "tune", "that is for a single process"},
    {"ranks", "device", "each rank takes the device of its number on the host"},
    {"ranks", "energy", "that is about one device"},
    {"dump", "resume|shard", "exactly one run is written, which may be skipped"},
    {states, "ranks", "that is for a single process"},
};

static bool is_given(const td_options *o, const char *option)
{
    return option == once     ? o->protocol.sampling == TD_SAMPLING_ONCE
           : option == states ? o->every > 0
           : option == listed ? o->table != NULL || o->lengths != NULL
                              : td_option_is_given(o, option);
}

static td_status check_exclusions(const td_options *o, td_error *error)
{
    for (size_t e = 0; e < sizeof exclusions / sizeof exclusions[0]; e++) {
        td_span rest = td_span_of(exclusions[e].others);
        while (rest.text != NULL && is_given(o, exclusions[e].option)) {
            char other[32];
            const td_span one = td_span_until(&rest, '|');
            snprintf(other, sizeof other, "%.*s", (int)one.length, one.text);
            if (is_given(o, other)) {
                return td_fail(error, TD_USAGE, "--%s: leave --%s out: %s", exclusions[e].option,
                               other, exclusions[e].why);
            }
        }
    }
    return TD_OK;
}

/* ---- options that change the defaults of others ---- */

static void settle_protocol(td_options *o)
{
    enum { MOST_SAMPLES = 501 };
    static const double enough = 0.005, brief_s = 0.5;
    const bool has_samples = td_option_is_given(o, "samples");
    td_protocol *p = &o->protocol;
    if (p->precision > 0.0 && !has_samples) {
        p->samples = MOST_SAMPLES;
    }
    /* a search needs no better precision than it takes to tell candidates apart, and its short samples warm up for the
     * full ones */
    if (o->tune && !has_samples && !td_option_is_given(o, "precision")) {
        p->precision = enough;
    }
    if (o->tune && !td_option_is_given(o, "max-time")) {
        p->max_time_s = brief_s;
    }
    if ((o->tune && !td_option_is_given(o, "warmup")) || p->sampling == TD_SAMPLING_ONCE) {
        p->warmup = 0;
    }
    if (p->sampling == TD_SAMPLING_ONCE) {
        p->samples = 1;
        p->verify = false;
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

td_status td_options_check_together(td_options *o, td_error *error)
{
    const bool prints = o->action == TD_ACTION_LIST || o->action == TD_ACTION_SHOW ||
                        o->action == TD_ACTION_CHECK_MAPS;
    TRY(check_files(o, error));
    TRY(check_outputs(o, error));
    TRY(prints ? check_format(o, error) : TD_OK);
    TRY(check_exclusions(o, error));
    if (o->action == TD_ACTION_SHOW && o->tiles.count > 0 && !o->tiles.shapes[0].is_side) {
        return td_fail(error, TD_USAGE, "--show draws triangles, which are cut into square tiles");
    }
    o->shares_domain = td_option_is_given(o, "ranks");
    settle_protocol(o);
    if (o->tune) {
        open_search(o);
    }
    return TD_OK;
}
