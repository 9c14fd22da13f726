/* list.h - --list: strategies, workloads, devices and engines, as text and as JSON. */
#pragma once

#include "engine/options/options.h"
#include "report/format/text.h"

/* Facts that only the engines know. Probing a device takes longer than all the rest, so fill them in only if they
 * are listed. */
typedef struct td_list_facts {
    const td_environment *devices; /* NULL: not probed */
    size_t device_count;
    const char *no_devices; /* the sentence to print when there are none */
    bool probe;             /* ask each engine whether it is usable here */
} td_list_facts;

/* Append the lists that `what` names: TD_FORMAT_JSON an array, TD_FORMAT_JSONL one object per line, others columns. */
void td_list_text(td_list_what what, td_format format, const td_list_facts *facts, td_text *text);

/*
 * td_list - carry out --list: gather the facts that the list needs, and print it.
 *
 * Errors  TD_NO_MEMORY
 */
td_status td_list(const td_options *options, td_error *error);
