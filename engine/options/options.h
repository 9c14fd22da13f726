/* options.h - options/ turns the command line into a plain struct, with one table of options. */
#pragma once

#include <stdio.h>
#include <strings.h>

#include "engine/core/run.h"

enum { TD_LIST_MAX = 4096 };

typedef enum td_format {
    TD_FORMAT_JSON,
    TD_FORMAT_JSONL,
    TD_FORMAT_CSV,
    TD_FORMAT_TABLE,
    TD_FORMAT_MD
} td_format;
typedef enum td_kernel_choice {
    TD_CHOOSE_AUTO,
    TD_CHOOSE_CELL,
    TD_CHOOSE_LOOP,
    TD_CHOOSE_TILE,
    TD_CHOOSE_ALL /* cell, loop and tile */
} td_kernel_choice;
typedef enum td_action {
    TD_ACTION_RUN,
    TD_ACTION_DRY_RUN,
    TD_ACTION_LIST,
    TD_ACTION_SHOW,
    TD_ACTION_EMIT,
    TD_ACTION_CHECK_MAPS,
    TD_ACTION_HELP,
    TD_ACTION_VERSION
} td_action;
typedef enum td_list_what {
    TD_LIST_ALL,
    TD_LIST_STRATEGIES,
    TD_LIST_WORKLOADS,
    TD_LIST_DEVICES,
    TD_LIST_ENGINES
} td_list_what;
typedef enum td_color { TD_COLOR_AUTO, TD_COLOR_ALWAYS, TD_COLOR_NEVER } td_color;
typedef enum td_help { TD_HELP_USUAL, TD_HELP_ALL } td_help;

/* A strategy or a workload of a list, the other is NULL. An incompatibility is an error if it was asked for by name,
 * and a skipped run if it came from a set such as `all`. */
typedef struct td_choice {
    const td_strategy *strategy;
    const td_workload *workload;
    bool by_name;
} td_choice;

/* A block or a tile; a number is all its sides. */
typedef struct td_shape {
    uint32_t x, y, z; /* z = 0: two sides */
    /* Given as one number: a block of 16 is 16x16 in 2D, one of 8 is 8x8x8 in 3D. */
    bool is_side;
} td_shape;

/* The numbers, blocks or tiles of a list; of blocks and tiles, none: the usual ones. */
typedef struct td_shapes {
    td_shape *shapes;
    size_t count;
    bool all; /* all that can work, instead of a list */
} td_shapes;

/* NAME=TEXT: a parameter, whose text each workload reads by its own table, or a label of the record. */
typedef struct td_setting {
    char *name, *text;
} td_setting;

/* Where the result goes. */
typedef struct td_target {
    char *path; /* "-": standard output */
    td_format format;
    bool
        is_named; /* the format was given, as FILE:FORMAT or by --format, or the suffix determines it */
    bool resumes; /* --resume reads this file, and the output continues it */
} td_target;

typedef struct td_options {
    td_action action;
    td_choice *strategies;
    size_t strategy_count;
    const char *workload_list; /* as given, until all options are parsed */
    td_choice *workloads;      /* a name may have one in 2D, then one in 3D */
    size_t workload_count;
    td_shapes n; /* cells per side */
    td_shapes blocks, tiles, cutoffs;
    td_shapes groups; /* of --set group=LIST; none: the usual one */
    uint32_t orders;  /* of --set order=LIST, a bit for each td_order; 0: the usual one */
    char *table;      /* the file of --set table=FILE, one more order; NULL: there is none */
    char *lengths;    /* the file of --set lengths=FILE; NULL: triangles have N rows each */
    const td_engine_ops *engine; /* NULL: auto */
    const char *device;          /* ordinal or UUID as given; NULL: 0 */
    const td_strategy *baseline; /* NULL: the default of the dimension */
    bool no_baseline;
    td_protocol protocol;
    const char *input;
    const char *expected; /* the array of --verify; NULL: none */
    char *dump;
    uint32_t every; /* generations between the states of a dump; 0: the dump is a single output */
    td_layout layout;
    uint32_t kernels, schedules; /* a bit for each word of a td_kernel_choice, a td_schedule */
    td_setting *settings;        /* parameters of workloads */
    size_t setting_count;
    uint32_t threads;   /* 0: all cores */
    td_target *outputs; /* at least one */
    size_t output_count;
    td_setting *labels;
    size_t label_count;
    td_format format;
    td_list_what list_what;
    td_help help;
    const char *resume;
    bool tune;
    uint32_t emit;                     /* a language, as its place among the words of --emit */
    uint32_t check_maps_n;             /* --check-maps: ask about up to this many tiles per side */
    double timeout_s;                  /* of a phase of a run, 0: no limit */
    uint32_t shard_index, shard_count; /* shard_count 0: no shards */
    bool shares_domain;                /* one of several processes that share the domain */
    td_partition partition;
    uint32_t part, part_count; /* of the domain, set by the driver; count 0: all of it */
    int verbosity;             /* -1 quiet, 0, 1 verbose */
    td_color color;
    /* Bit i: the option of row i in the table (parameters not included) was on the command line. */
    uint64_t given;
    char **argv; /* the command line, for the record */
    int argc;
} td_options;

/*
 * td_options_parse - parse the command line, strictly.
 *
 * If an option is given twice, the last one counts; only outputs and labels add up. --help and --version end the
 * parsing: whatever follows is ignored.
 *
 * Output  options: strings point into argv; call td_options_free, which is harmless after an error too
 * Errors  TD_USAGE with a sentence that names the option, the value and what is accepted; nothing is printed
 */
td_status td_options_parse(int argc, char **argv, td_options *options, td_error *error);

/* The text given for a parameter of workloads; NULL: none. */
const char *td_options_word(const td_options *options, const char *parameter);

/* Whether a list of words, stored as one bit each, contains this one. */
static inline bool td_words_have(uint32_t words, int word)
{
    return (words >> word & 1) != 0;
}

/* The first word of such a list, of those of the option; 0 if it is empty. */
static inline int td_words_first(uint32_t words)
{
    return words != 0 ? ffs((int)words) - 1 : 0;
}

/* Whether the long option of this name was on the command line; a default does not count. */
bool td_option_is_given(const td_options *options, const char *name);

/* Whether --dry-run prints its table for people instead of a result. */
bool td_options_want_plan_in_words(const td_options *options);

/*
 * td_assume_engine - the engine that auto prefers, if it is likely to be usable: whether it is takes long to answer.
 *
 * Output  NULL: td_choose_engine has to ask at once. So it has for a plan that nobody executes (--dry-run), and for
 *         processes that would have to agree on another engine
 */
const td_engine_ops *td_assume_engine(const td_options *options);

/*
 * td_choose_engine - the engine of --engine; for auto, the first that is usable, and with --verbose, stderr says why it
 * is not the first.
 *
 * An engine requested by name is not tested, nor is one with devices if a device was requested: opening it shows
 * whether it works.
 */
const td_engine_ops *td_choose_engine(const td_options *options);

void td_options_free(td_options *options);

/* Print the text of --help, from the same table, at most 80 columns wide; the usual one fits on a screen of 24
 * lines. */
void td_help_print(FILE *out, td_help what);
