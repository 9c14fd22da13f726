/* option_row.h - a row of the table of options, for the functions that parse values. */
#pragma once

#include "options.h"

typedef struct td_option td_option;

/* The chapters of the help and the man page; the rows of the table are in this order. */
typedef enum td_option_group {
    TD_GROUP_RUN,
    TD_GROUP_MEASURE,
    TD_GROUP_FILES,
    TD_GROUP_PARAMETERS, /* of workloads */
    TD_GROUP_CLUSTERS,
    TD_GROUP_TUNING,
    TD_GROUP_INSTEAD /* of running */
} td_option_group;

/* `value` is NULL when the option came without one. */
typedef td_status td_option_parse_fn(const td_option *option, const char *value,
                                     td_options *options, td_error *error);

struct td_option {
    const char *name;     /* of the long option */
    char letter;          /* of the short one, or 0 */
    const char *argument; /* in help; NULL: takes none; "[...]": may be left out */
    td_option_parse_fn *parse;
    size_t offset;      /* of the field in td_options */
    uint64_t low, high; /* bounds of numbers; `low` alone: the value a flag sets */
    const char *words;  /* a choice: "grid|persistent", in the order of its enum */
    const char *preset; /* the default, parsed like any value; NULL: none */
    const char *help;   /* NULL: that of the parameter of this name */
    td_option_group group;
    const char *brief; /* help for beginners; NULL: not shown to them */
};

enum { TD_WORDS_SIZE = 128 };

/*
 * The words of a choice, "grid|persistent"; NULL for other options. Those of --engine are made from the table of
 * engines, in `room`.
 */
const char *td_option_words(const td_option *option, char room[TD_WORDS_SIZE]);
