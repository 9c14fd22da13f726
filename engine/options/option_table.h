/*
 * option_table.h - the table of the engine's options: one row has an option's syntax, bounds, default and help. For the
 * functions that parse.
 */
#pragma once

#include "engine/core/parameter.h"
#include "engine/core/span.h"
#include "options.h"

typedef struct td_option td_option;

/* An option with a value to read, from the command line or from its row's default. */
typedef struct td_given {
    const td_option *option;
    const char *value; /* NULL: it came without one */
    td_options *options;
    td_error *error;
} td_given;

typedef td_status td_take_fn(const td_given *given);

struct td_option {
    const char *name;     /* of the long option */
    char letter;          /* of the short one, or 0 */
    const char *argument; /* in help; NULL: takes none; "[...]": may be left out */
    td_take_fn *take;
    size_t offset, size;    /* of the field in td_options */
    uint64_t low, high;     /* bounds of a number */
    td_parameter_kind kind; /* of a number */
    int sides;          /* an item of a list may have so many: a number 1, a tile 2, a block 3 */
    int sets;           /* the value of an option that takes none; the action */
    const char *words;  /* a choice: "grid|persistent", in the order of its enum */
    const char *preset; /* the default, parsed like any value; NULL: none */
    const char *help;   /* NULL: that of the parameter of this name */
    const char *brief;  /* help for beginners; NULL: not shown to them */
    const char *title;  /* of the chapter of help that begins with this row */
};

extern const td_option td_option_table[];
extern const size_t td_option_count;

/* The row of the long option of this name; NULL: there is none. */
const td_option *td_option_named(const char *name);

/* The row as a parameter of workloads: both are parsed and described alike. */
td_parameter td_option_parameter(const td_option *option);

/* ---- take_: parse a value. If an option is given twice, the last one counts ---- */

/* values.c: into the field, a number within the bounds of the row, or a choice as its place among the row's words. If a
 * value may be left out and is, the field stays as it is. */
td_take_fn td_take_value;

/* Several words as the bits of a uint32_t; a text that is not empty. */
td_take_fn td_take_words, td_take_text;

/* A number with further checks; into several fields. */
td_take_fn td_take_max_time, td_take_percent, td_take_engine, td_take_device, td_take_verify,
    td_take_shard;

/* What is done instead of runs, at most one per invocation; may come with a choice or a number. */
td_take_fn td_take_action;

/* lists.c: numbers and ranges "8,16:64:16"; for tiles and blocks also shapes such as 64x4, or all. */
td_take_fn td_take_list;

/* names.c */
td_take_fn td_take_strategies, td_take_baseline;

/* outputs.c */
td_take_fn td_take_output, td_take_dump, td_take_label;

/* parameters.c: the value of the parameter that has the option's name; of NAME=VALUE[,NAME=VALUE...]. */
td_take_fn td_take_parameter, td_take_set;

/* ---- for these functions ---- */

/* The field of the option's row. */
static inline void *td_field_of(const td_given *given)
{
    return (char *)given->options + given->option->offset;
}

/* Fail with "--NAME: expected ..., got '...'"; the format is for what is expected. */
td_status td_reject(const td_given *given, const char *got, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

td_status td_reject_memory(const td_given *given);

/* Keep a copy of a setting. If a name is given twice, the last one counts. */
td_status td_keep_setting(const td_given *given, td_span name, const char *text, td_setting **list,
                          size_t *count);

/* Call `add` for each word of the value "a,b,c", until it fails. */
typedef td_status td_add_word_fn(const td_given *given, const char *word, void *list);
td_status td_each_word(const td_given *given, td_add_word_fn *add, void *list);

/* ---- once all options are known ---- */

/* Look the names of --workload up, and load those that are files: only now, since loading compiles them.
 * Errors  TD_USAGE, TD_NO_MEMORY, of compilers */
td_status td_workloads_choose(td_options *options, td_error *error);

/*
 * td_outputs_settle - settle the formats: FILE:FORMAT, else --format, else the suffix, else json. The file that
 * --resume continues is jsonl. Without -o the result goes to standard output.
 *
 * Errors  TD_USAGE: the file of --resume would not be jsonl; TD_NO_MEMORY
 */
td_status td_outputs_settle(td_options *options, td_error *error);

/* conflicts.c: Errors  TD_USAGE: options contradict each other, or would have no effect */
td_status td_options_check_together(td_options *options, td_error *error);
