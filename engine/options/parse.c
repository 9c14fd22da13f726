/* parse.c - parses the words of a command line, each by its row of the table. */
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "engine/core/span.h"
#include "option_table.h"
#include "parameters.h"

enum {
    MAX_OPTIONS = 64, /* one bit of td_options.given each */
    FIRST_LONG = 256  /* codes of long options, beyond any letter */
};

/* The tables that getopt needs, made from ours. */
typedef struct syntax {
    struct option longs[MAX_OPTIONS + 1];
    char shorts[4 * MAX_OPTIONS + 3];
} syntax;

static bool may_be_left_out(const td_option *o)
{
    return o->argument != NULL && o->argument[0] == '[';
}

static syntax make_syntax(void)
{
    /* "+": stop at the first word that is not an option, it is an error anyway; ":": tell a missing argument from an
     * unknown option */
    syntax s = {.shorts = "+:"};
    char *letters = s.shorts + strlen(s.shorts);
    for (size_t i = 0; i < td_option_count && i < MAX_OPTIONS; i++) {
        const td_option *o = &td_option_table[i];
        const int has_value = o->argument == NULL  ? no_argument
                              : may_be_left_out(o) ? optional_argument
                                                   : required_argument;
        static const char *const colons[] = {
            [no_argument] = "", [required_argument] = ":", [optional_argument] = "::"};
        s.longs[i] = (struct option){o->name, has_value, NULL, FIRST_LONG + (int)i};
        if (o->letter != 0) {
            letters += sprintf(letters, "%c%s", o->letter, colons[has_value]);
        }
    }
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

/* ---- words that are no options ---- */

/* Options of earlier versions, and what to use in their place. */
static const struct {
    const char *name, *instead;
} removed[] = {
    {"density", "use --set density=P"},
    {"domain", "use --set domain=SHAPE"},
    {"every", "use --dump FILE.npy:K"},
    {"frames", "--dump FILE.npy:K writes the states, tribench-report frames draws them"},
    {"generate", "help2man makes a man page, contrib/tribench.bash completes in bash"},
    {"infiltration", "use --set infiltration=DEPTH"},
    {"inexact", "use --verify beyond"},
    {"lock-gpu-clocks", "lock them around the program: nvidia-smi -lgc MHZ before, -rgc after it"},
    {"no-cache", "set XDG_CACHE_HOME to an empty folder"},
    {"oversubscribe", "leave it out: a GPU may be shared"},
    {"exhaustive", "sweep over everything: --block all --tile all --kernel all --schedule all"},
    {"overwrite", "remove the file before"},
    {"partition", "use --ranks=HOW"},
    {"profile", "use --timing once"},
    {"rain", "use --set rain=DEPTH"},
    {"retry", "start the sweep again, or compare several invocations with scripts/turns"},
    {"rule", "use --set rule=ABCD"},
    {"setups", "compare several invocations with scripts/turns"},
};

/* Reject `word`, which getopt_long did not accept: an unknown name, or the start of several. */
static td_status reject_long(const char *word, td_error *error)
{
    const td_span name = {word + 2, strcspn(word + 2, "=")};
    const char *shown = td_show_value(name).text;
    size_t prefixes = 0;
    td_suggestion best = {0};
    for (size_t r = 0; r < sizeof removed / sizeof removed[0]; r++) {
        if (td_span_is(name, removed[r].name)) {
            return td_fail(error, TD_USAGE, "--%s was removed: %s", shown, removed[r].instead);
        }
    }
    for (size_t i = 0; i < td_option_count; i++) {
        const char *known = td_option_table[i].name;
        td_suggest(&best, name, td_span_of(known));
        prefixes += strncmp(known, name.text, name.length) == 0;
    }
    const bool is_ambiguous = prefixes > 1 && name.length > 0;
    if (best.name.text != NULL && !is_ambiguous) {
        return td_fail(error, TD_USAGE, "unknown option '--%s', did you mean '--%s'?", shown,
                       best.name.text);
    }
    return td_fail(error, TD_USAGE, "%s option '--%s', see --help",
                   is_ambiguous ? "ambiguous" : "unknown", shown);
}

/* `known` is the code of the option that is wrong, or a letter that is not an option. */
static td_status reject(int code, int known, char *const argv[], td_error *error)
{
    const td_option *option = option_of(known);
    const char letter[] = {(char)known, '\0'};
    if (code == ':') {
        return td_fail(error, TD_USAGE, "--%s: expected a value: %s", option->name,
                       td_option_parameter(option).help);
    }
    if (known >= FIRST_LONG) {
        return td_fail(error, TD_USAGE, "--%s takes no value, got '%s'", option->name,
                       td_show_value(td_span_of(argv[optind - 1])).text);
    }
    return known != 0 ? td_fail(error, TD_USAGE, "unknown option '-%s', see --help",
                                td_show_value(td_span_of(letter)).text)
                      : reject_long(argv[optind - 1], error);
}

/* ---- all words ---- */

/* Accept "--list strategies", too: getopt sees an optional value only after "=". */
static const char *value_of(const td_option *o, int argc, char *const argv[])
{
    if (optarg != NULL || !may_be_left_out(o) || optind >= argc || argv[optind][0] == '-') {
        return optarg;
    }
    return argv[optind++];
}

/* Texts about the program itself depend on no other option. */
static bool is_about_itself(td_action action)
{
    return action == TD_ACTION_HELP || action == TD_ACTION_VERSION;
}

static td_status take_all(int argc, char **argv, td_options *options, td_error *error)
{
    const syntax s = make_syntax();
    optind = 0; /* start over, GNU's way: this may be called more than once */
    opterr = 0; /* getopt prints no messages */
    for (int code; (code = getopt_long(argc, argv, s.shorts, s.longs, NULL)) != -1;) {
        if (code == '?' || code == ':') {
            return reject(code, optopt, argv, error);
        }
        const td_option *o = option_of(code);
        options->given |= UINT64_C(1) << (o - td_option_table);
        TRY(o->take(&(td_given){o, value_of(o, argc, argv), options, error}));
        if (is_about_itself(options->action)) {
            return TD_OK;
        }
    }
    return optind >= argc
               ? TD_OK
               : td_fail(error, TD_USAGE,
                         "unexpected argument '%s': tribench takes options only, see --help",
                         td_show_value(td_span_of(argv[optind])).text);
}

/* Parse the defaults of what was not given, like any other value. */
static td_status fill_in(td_options *options, td_error *error)
{
    for (size_t i = 0; i < td_option_count; i++) {
        const td_option *o = &td_option_table[i];
        if (o->preset != NULL && !td_option_is_given(options, o->name)) {
            TRY(o->take(&(td_given){o, o->preset, options, error}));
        }
    }
    return TD_OK;
}

/* What depends on several options, such as the parameters of workloads from files. */
static td_status settle(td_options *options, td_error *error)
{
    TRY(fill_in(options, error));
    TRY(td_workloads_choose(options, error));
    TRY(td_parameters_check(options, error));
    TRY(td_outputs_settle(options, error));
    return td_options_check_together(options, error);
}

td_status td_options_parse(int argc, char **argv, td_options *options, td_error *error)
{
    *options =
        (td_options){.argc = argc, .argv = argv, .check_maps_n = 131072, .partition = TD_BY_CELLS};
    td_status status = take_all(argc, argv, options, error);
    if (status == TD_OK && !is_about_itself(options->action)) {
        status = settle(options, error);
    }
    if (status != TD_OK) {
        td_options_free(options);
    }
    return status;
}
