/* parse.c - parses the words of a command line, each by its row of the table. */
#include "options.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/core/error.h"
#include "engine/core/suggest.h"
#include "name_lists.h"
#include "option_table.h"
#include "outputs.h"
#include "parameters.h"
#include "removed.h"
#include "conflicts.h"
#include "values.h"

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
    syntax s = {0};
    char *letters = s.shorts;
    *letters++ = '+'; /* stop at the first word that is not an option: it is an error anyway */
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
            if (may_be_left_out(o)) {
                *letters++ = ':'; /* two colons: -h, or -hall */
            }
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

static td_status reject_short(int letter, td_error *error)
{
    const char text[] = {(char)letter, '\0'};
    return td_fail(error, TD_USAGE, "unknown option '-%s', see --help",
                   td_show_value(td_span_of(text)).text);
}

/* Reject "--na" when --name and --native exist. */
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

/* Reject `word`, which getopt_long did not accept: an unknown name, or the start of several. */
static td_status reject_long(const syntax *s, const char *word, td_error *error)
{
    td_span rest = td_span_of(word + 2);
    const td_span name = td_span_until(&rest, '=');
    const char *instead = td_removed_option(name);
    td_suggestion best = {0};
    size_t prefixes = 0;
    if (instead != NULL) {
        return td_fail(error, TD_USAGE, "--%s was removed: %s", td_show_value(name).text, instead);
    }
    for (const struct option *o = s->longs; o->name != NULL; o++) {
        prefixes += strncmp(o->name, name.text, name.length) == 0;
        td_suggest(&best, name, td_span_of(o->name));
    }
    if (prefixes > 1 && name.length > 0) {
        return reject_ambiguous(s, name, error);
    }
    char proposal[64] = ", see --help";
    if (best.name.text != NULL) {
        snprintf(proposal, sizeof proposal, ", did you mean '--%s'?", best.name.text);
    }
    return td_fail(error, TD_USAGE, "unknown option '--%s'%s", td_show_value(name).text, proposal);
}

/* `known` is the code of the option that is wrong, or a letter that is not an option. */
static td_status reject(const syntax *s, int code, int known, char *const argv[], td_error *error)
{
    const td_option *option = option_of(known);
    if (code == ':') {
        return td_fail(error, TD_USAGE, "--%s: expected a value: %s", option->name,
                       option->help != NULL ? option->help
                                            : td_parameter_named(option->name)->help);
    }
    if (known >= FIRST_LONG) {
        return td_fail(error, TD_USAGE, "--%s takes no value, got '%s'", option->name,
                       td_show_value(td_span_of(argv[optind - 1])).text);
    }
    return known != 0 ? reject_short(known, error) : reject_long(s, argv[optind - 1], error);
}

/* Accept "--list strategies", too: getopt sees an optional value only after "=". */
static const char *value_of(const td_option *o, int argc, char *const argv[])
{
    if (optarg != NULL || !may_be_left_out(o) || optind >= argc || argv[optind][0] == '-') {
        return optarg;
    }
    return argv[optind++];
}

static td_status take(int code, int argc, char *const argv[], td_options *options, td_error *error)
{
    const td_option *o = option_of(code);
    options->given |= UINT64_C(1) << (o - td_option_table);
    return o->parse(o, value_of(o, argc, argv), options, error);
}

/* Texts about the program itself depend on no other option. */
static bool is_about_itself(td_action action)
{
    return action == TD_ACTION_HELP || action == TD_ACTION_VERSION;
}

static td_status parse_all(int argc, char **argv, td_options *options, td_error *error)
{
    const syntax s = make_syntax();
    optind = 0; /* start over, GNU's way: this may be called more than once */
    opterr = 0; /* getopt prints no messages */
    for (int code; (code = getopt_long(argc, argv, s.shorts, s.longs, NULL)) != -1;) {
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

/* Parse the defaults of what was not given, like any other value. They do not count as asked for by name. */
static td_status fill_in(td_options *options, td_error *error)
{
    for (size_t i = 0; i < td_option_count; i++) {
        const td_option *o = &td_option_table[i];
        if (o->preset != NULL && !td_option_is_given(options, o->name)) {
            TRY(o->parse(o, o->preset, options, error));
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
    TRY(td_options_check_together(options, error));
    options->protocol.seed = options->seed;
    return TD_OK;
}

td_status td_options_parse(int argc, char **argv, td_options *options, td_error *error)
{
    *options =
        (td_options){.argc = argc, .argv = argv, .check_maps_n = 2048, .partition = TD_BY_CELLS};
    td_status status = parse_all(argc, argv, options, error);
    if (status == TD_OK && !is_about_itself(options->action)) {
        status = settle(options, error);
    }
    if (status != TD_OK) {
        td_options_free(options);
    }
    return status;
}

void td_options_free(td_options *options)
{
    free(options->strategies);
    free(options->workloads);
    free(options->n);
    free(options->blocks.shapes);
    free(options->tiles.shapes);
    free(options->cutoffs);
    td_settings_free(options);
    td_outputs_free(options);
    *options = (td_options){0};
}
