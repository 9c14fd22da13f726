/* list.h - --list: strategies, workloads, devices and engines, as text and as JSON. */
#pragma once

#include <stdio.h>

#include "engine/options/options.h"

/* Facts that only the engines know. Probing a device takes longer than all the rest, so fill them in only if they
 * are listed. */
typedef struct td_list_facts {
    const td_environment *devices; /* NULL: not probed */
    size_t device_count;
    const char *no_devices; /* the sentence to print when there are none */
    bool probe;             /* ask each engine whether it is usable here */
} td_list_facts;

/*
 * td_list_print - print the lists that `what` names.
 *
 * Input   format: TD_FORMAT_JSON prints an array, TD_FORMAT_JSONL one object per line, others aligned columns
 * Errors  TD_FAILED when writing fails; TD_NO_MEMORY
 */
td_status td_list_print(FILE *out, td_list_what what, td_format format, const td_list_facts *facts,
                        td_error *error);

/* Carry out --list: gather the facts that the list needs, and print it to standard output. */
td_status td_list(const td_options *options, td_error *error);
