/*
 * describe.h - describes the options, the engine's and those that workloads bring, for people and shells. The help, the
 * man page and the completions are made from this.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "option_table.h"

enum { TD_FACT_SIZE = 256, TD_ALL_WORDS_SIZE = 1024, TD_SENTENCE_SIZE = 768 };

typedef enum td_takes { TD_TAKES_NOTHING, TD_TAKES_TEXT, TD_TAKES_FILE, TD_TAKES_FOLDER } td_takes;

typedef struct td_description {
    const char *name;  /* of the long option */
    char letter;       /* of the short one, or 0 */
    char argument[32]; /* "LIST", also where it may be left out; empty: takes none */
    bool may_be_left_out;
    const char *help;
    td_option_group group;
    const char *brief;                                     /* NULL: shown only in --help=all */
    char accepted[TD_FACT_SIZE + 8], preset[TD_FACT_SIZE]; /* empty: nothing to say */
    td_takes takes;
    /* the values that the argument may have: "grid|persistent"; empty: not a choice */
    char words[TD_ALL_WORDS_SIZE];
    bool is_list; /* several words, with commas between them */
} td_description;

/* Option i, in the order of the help. False beyond the last. */
bool td_describe_option(size_t i, td_description *description);

/* The full description of an option in words: the help, the accepted values, the default. */
void td_describe_in_words(const td_description *description, char text[TD_SENTENCE_SIZE]);

/* The title of a group: "How to measure". */
const char *td_group_title(td_option_group group);

/* Texts that the help and the man page share. */
extern const char td_about[], td_about_lists[];
extern const char *const td_examples[]; /* NULL at the end */

typedef struct td_exit_status {
    const char *status, *meaning;
} td_exit_status;

extern const td_exit_status td_exit_statuses[]; /* a NULL status at the end */
