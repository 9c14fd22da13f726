#include "options.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/core/error.h"
#include "engine/core/suggest.h"
#include "engine/io/file.h"
#include "option_table.h"
#include "outputs.h"
#include "parameters.h"

enum {
    MAX_OPTIONS = 64,    /* a bit of td_options.given each */
    MAX_PARAMETERS = 64, /* of workloads, each name once */
    FIRST_LONG = 256,    /* codes of long options, beyond any letter */
    FIRST_PARAMETER = FIRST_LONG + MAX_OPTIONS
};

/* getopt's own tables, made from ours. */
typedef struct syntax {
    struct option longs[MAX_OPTIONS + MAX_PARAMETERS + 1];
    char shorts[3 * MAX_OPTIONS + 3];
} syntax;

static bool may_be_left_out(const td_option *o)
{
    return o->argument != NULL && o->argument[0] == '[';
}

static void add_parameters(struct option *longs)
{
    for (int i = 0; i < MAX_PARAMETERS && td_parameter_option((size_t)i) != NULL; i++) {
        longs[i].name = td_parameter_option((size_t)i)->name;
        longs[i].has_arg = required_argument;
        longs[i].val = FIRST_PARAMETER + i;
    }
}

static syntax make_syntax(void)
{
    syntax s = {0};
    char *letters = s.shorts;
    *letters++ = '+'; /* stop at the first word that is no option: it is an error anyway */
    *letters++ = ':'; /* tell a missing argument from an unknown option */
    for (size_t i = 0; i < td_option_count && i < MAX_OPTIONS; i++) {
        const td_option *o = &td_option_table[i];
        s.longs[i].name = o->name;
        s.longs[i].has_arg = o->argument == NULL  ? no_argument
                             : may_be_left_out(o) ? optional_argument
                                                  : required_argument;
        s.longs[i].val = FIRST_LONG + (int)i;
        if (o->letter != 0) {
            *letters++ = o->letter;
            if (o->argument != NULL) {
                *letters++ = ':';
            }
        }
    }
    add_parameters(s.longs + td_option_count);
    return s;
}

static const td_option *option_of(int code)
{
    for (size_t i = 0; i < td_option_count; i++) {
        if (code == FIRST_LONG + (int)i ||
            (td_option_table[i].letter != 0 && code == td_option_table[i].letter)) {
            return &td_option_table[i];
        }
    }
    return NULL;
}

static const td_parameter *parameter_of(int code)
{
    return code >= FIRST_PARAMETER ? td_parameter_option((size_t)(code - FIRST_PARAMETER)) : NULL;
}

static td_status reject_short(int letter, td_error *error)
{
    const char text[] = {(char)letter, '\0'};
    return td_fail(error, TD_USAGE, "unknown option '-%s', see --help",
                   td_show_value(td_span_of(text)).text);
}

/* "--na" when --name and --native exist. */
static td_status reject_ambiguous(const syntax *s, td_span name, td_error *error)
{
    char names[256] = "";
    for (const struct option *o = s->longs; o->name != NULL; o++) {
        if (strncmp(o->name, name.text, name.length) == 0) {
            const size_t used = strlen(names);
            snprintf(names + used, sizeof names - used, "%s--%s", used > 0 ? ", " : "", o->name);
        }
    }
    return td_fail(error, TD_USAGE, "option '--%s' is ambiguous: %s", td_show_value(name).text,
                   names);
}

/* `word` is what getopt_long did not take: an unknown name, or the start of several. */
static td_status reject_long(const syntax *s, const char *word, td_error *error)
{
    td_span rest = td_span_of(word + 2);
    const td_span name = td_span_until(&rest, '=');
    td_suggestion best = {0};
    size_t prefixes = 0;
    for (const struct option *o = s->longs; o->name != NULL; o++) {
        prefixes += strncmp(o->name, name.text, name.length) == 0;
        td_suggest(&best, name, o->name);
    }
    if (prefixes > 1 && name.length > 0) {
        return reject_ambiguous(s, name, error);
    }
    char proposal[64] = ", see --help";
    if (best.name != NULL) {
        snprintf(proposal, sizeof proposal, ", did you mean '--%s'?", best.name);
    }
    return td_fail(error, TD_USAGE, "unknown option '--%s'%s", td_show_value(name).text, proposal);
}

/* `known` is the code of the option that something is wrong with, or the letter of none. */
static td_status reject(const syntax *s, int code, int known, char *const argv[], td_error *error)
{
    const td_option *option = option_of(known);
    const td_parameter *parameter = parameter_of(known);
    if (code == ':') {
        return td_fail(error, TD_USAGE, "--%s: expected a value: %s",
                       parameter != NULL ? parameter->name : option->name,
                       parameter != NULL ? parameter->help : option->help);
    }
    if (known >= FIRST_LONG) {
        return td_fail(error, TD_USAGE, "--%s takes no value, got '%s'", option->name,
                       td_show_value(td_span_of(argv[optind - 1])).text);
    }
    return known != 0 ? reject_short(known, error) : reject_long(s, argv[optind - 1], error);
}

/* "--list strategies": getopt sees an optional value only behind "=". */
static const char *value_of(const td_option *o, int argc, char *const argv[])
{
    if (optarg != NULL || !may_be_left_out(o) || optind >= argc || argv[optind][0] == '-') {
        return optarg;
    }
    return argv[optind++];
}

static td_status take(int code, int argc, char *const argv[], td_options *options, td_error *error)
{
    const td_parameter *parameter = parameter_of(code);
    if (parameter != NULL) {
        return td_parameter_give(parameter->name, optarg, options, error);
    }
    const td_option *o = option_of(code);
    options->given |= UINT64_C(1) << (o - td_option_table);
    return o->parse(o, value_of(o, argc, argv), options, error);
}

/* What the program says of itself depends on nothing else. */
static bool is_about_itself(td_action action)
{
    return action == TD_ACTION_HELP || action == TD_ACTION_VERSION || action == TD_ACTION_GENERATE;
}

static td_status parse_all(int argc, char **argv, td_options *options, td_error *error)
{
    const syntax s = make_syntax();
    optind = 0; /* start afresh, GNU's way: this may be called more than once */
    opterr = 0; /* messages are ours */
    for (;;) {
        const int code = getopt_long(argc, argv, s.shorts, s.longs, NULL);
        if (code == -1) {
            break;
        }
        if (code == '?' || code == ':') {
            return reject(&s, code, optopt, argv, error);
        }
        TRY(take(code, argc, argv, options, error));
        if (is_about_itself(options->action)) {
            return TD_OK;
        }
    }
    if (optind < argc) {
        return td_fail(error, TD_USAGE,
                       "unexpected argument '%s': tribench takes options only, see --help",
                       td_show_value(td_span_of(argv[optind])).text);
    }
    return TD_OK;
}

/* Defaults are values like any other; only, nobody asked for them. */
static td_status preset(td_options *options, td_error *error)
{
    for (size_t i = 0; i < td_option_count; i++) {
        const td_option *o = &td_option_table[i];
        if (o->preset != NULL) {
            TRY(o->parse(o, o->preset, options, error));
        }
    }
    for (size_t i = 0; i < options->workload_count; i++) {
        options->workloads[i].by_name = false;
    }
    options->check_maps_n = 2048;
    return TD_OK;
}

static bool same(const char *a, const char *b)
{
    return a != NULL && b != NULL && strcmp(a, b) == 0;
}

static void cut_slashes(char *folder)
{
    for (char *end = folder + strlen(folder); end > folder + 1 && end[-1] == '/'; end--) {
        end[-1] = '\0';
    }
}

/* Whether a file has the name of a snapshot, "0000010.png", in the folder of --frames, be that there or not. */
static bool is_snapshot(const char *path, const char *frames)
{
    char folder[TD_PATH_SIZE], other[TD_PATH_SIZE];
    const char *slash = path != NULL ? strrchr(path, '/') : NULL;
    const char *name = slash != NULL ? slash + 1 : path;
    if (path == NULL || frames == NULL || strspn(name, "0123456789") != 7 ||
        strcmp(name + 7, ".png") != 0) {
        return false;
    }
    snprintf(folder, sizeof folder, "%.*s", slash != NULL ? (int)(slash - path) + 1 : 1,
             slash != NULL ? path : ".");
    snprintf(other, sizeof other, "%s", frames);
    cut_slashes(folder);
    cut_slashes(other);
    return td_same_file(folder, other);
}

static td_status check_snapshot(const td_options *o, const char *option, const char *path,
                                td_error *error)
{
    if (!is_snapshot(path, o->frames)) {
        return TD_OK;
    }
    return td_fail(error, TD_USAGE, "--%s '%s' has the name of a snapshot of --frames", option,
                   td_show_value(td_span_of(path)).text);
}

static td_status check_snapshots(const td_options *o, td_error *error)
{
    for (size_t i = 0; i < o->output_count; i++) {
        TRY(check_snapshot(o, "output", o->outputs[i].path, error));
    }
    TRY(check_snapshot(o, "dump", o->dump, error));
    TRY(check_snapshot(o, "resume", o->resume, error));
    return check_snapshot(o, "input", o->input, error);
}

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

/* Files that would be written over each other, or over what is read. */
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

/* Options that would do nothing, and quietly so. */
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
    if (o->lock_clocks != NULL && o->action != TD_ACTION_RUN) {
        return td_fail(error, TD_USAGE, "--lock-gpu-clocks goes with runs only");
    }
    if (o->tune && (words || o->dump != NULL || o->frames != NULL)) {
        return td_fail(error, TD_USAGE,
                       "--tune searches: it goes with runs and --dry-run only, "
                       "without --dump and --frames");
    }
    if (o->ranks && (words || o->tune || o->frames != NULL || o->device != NULL)) {
        return td_fail(error, TD_USAGE,
                       "--ranks goes with runs and --dry-run, without --tune, --frames and "
                       "--device: each rank takes the device of its number on the host");
    }
    if (o->ranks && (o->protocol.energy || o->lock_clocks != NULL ||
                     o->protocol.sampling == TD_SAMPLING_ISOLATED)) {
        return td_fail(error, TD_USAGE, "--ranks: %s is about one device: leave it out",
                       o->protocol.energy       ? "--energy"
                       : o->lock_clocks != NULL ? "--lock-gpu-clocks"
                                                : "--timing isolated");
    }
    if ((o->dump != NULL || o->frames != NULL) && (o->resume != NULL || o->shard_count > 0)) {
        return td_fail(error, TD_USAGE,
                       "--%s writes exactly one run: leave --%s out, which may skip it",
                       o->dump != NULL ? "dump" : "frames", o->resume != NULL ? "resume" : "shard");
    }
    return TD_OK;
}

/* What single options cannot see. */
static td_status check_together(td_options *o, td_error *error)
{
    TRY(td_outputs_settle(o, error));
    TRY(check_files(o, error));
    TRY(check_snapshots(o, error));
    TRY(check_purpose(o, error));
    if (td_option_is_given(o, "every") && o->frames == NULL) {
        return td_fail(error, TD_USAGE, "--every has no effect without --frames");
    }
    if (o->action == TD_ACTION_LIST && o->format == TD_FORMAT_CSV) {
        return td_fail(error, TD_USAGE,
                       "--list: expected --format json, jsonl or table, got 'csv'");
    }
    return TD_OK;
}

td_status td_options_parse(int argc, char **argv, td_options *options, td_error *error)
{
    const td_options empty = {0};
    *options = empty;
    options->argc = argc;
    options->argv = argv;
    td_status status = preset(options, error);
    if (status == TD_OK) {
        status = parse_all(argc, argv, options, error);
    }
    if (status == TD_OK && !is_about_itself(options->action)) {
        status = check_together(options, error);
    }
    options->protocol.seed = options->seed;
    if (status != TD_OK) {
        td_options_free(options);
    }
    return status;
}

const char *td_options_word(const td_options *options, const char *parameter)
{
    for (size_t i = 0; i < options->setting_count; i++) {
        if (same(options->settings[i].name, parameter)) {
            return options->settings[i].word;
        }
    }
    return NULL;
}

bool td_option_is_given(const td_options *options, const char *name)
{
    for (size_t i = 0; i < td_option_count; i++) {
        if (same(td_option_table[i].name, name)) {
            return (options->given >> i & 1) != 0;
        }
    }
    return td_options_word(options, name) != NULL;
}

bool td_options_want_plan_in_words(const td_options *options)
{
    bool words = options->action == TD_ACTION_DRY_RUN;
    for (size_t i = 0; i < options->output_count; i++) {
        const td_target *target = &options->outputs[i];
        words = words && (!target->is_named || target->format == TD_FORMAT_TABLE);
    }
    return words;
}

void td_options_free(td_options *options)
{
    const td_options empty = {0};
    free(options->strategies);
    free(options->workloads);
    free(options->n);
    free(options->blocks);
    free(options->block_is_side);
    free(options->tiles);
    free(options->cutoffs);
    free(options->settings);
    td_outputs_free(options);
    *options = empty;
}
