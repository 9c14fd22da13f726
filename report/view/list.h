/* list.h - --list: what there is, for people and as JSON. */
#ifndef TD_REPORT_VIEW_LIST_H
#define TD_REPORT_VIEW_LIST_H

#include <stdio.h>

#include "engine/options/options.h"

/* What only the engines know. Asking a device takes longer than all the rest: set it only where it is listed. */
typedef struct td_list_facts {
    const td_environment *devices; /* NULL: not asked */
    size_t device_count;
    const char *no_devices; /* a sentence in place of them */
    bool probe;             /* ask each engine whether it is usable here */
} td_list_facts;

/*
 * td_list_print - the lists that `what` names.
 *
 * Input   format: TD_FORMAT_JSON an array, TD_FORMAT_JSONL one object per line, else aligned columns
 * Errors  TD_FAILED when writing fails; TD_NO_MEMORY
 */
td_status td_list_print(FILE *out, td_list_what what, td_format format, const td_list_facts *facts,
                        td_error *error);

/* --list: gathers the facts that the asked list needs, and prints it on standard output. */
td_status td_list(const td_options *options, td_error *error);

#endif
