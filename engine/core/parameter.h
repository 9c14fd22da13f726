/* parameter.h - parameter values of workloads as words: on the command line, in keys and in documents. */
#pragma once

#include "error.h"
#include "span.h"
#include "workloads/workload.h"

enum { TD_WORD_SIZE = 64 };

/* The parameters of strategies: of those with groups, and of those that look rows up, whose order has these words. No
 * workload has a parameter of these names. */
#define TD_GROUP_PARAMETER "group"
#define TD_ORDER_PARAMETER "order"
#define TD_LENGTHS_PARAMETER "lengths"
#define TD_TABLE_PARAMETER "table"
#define TD_ORDER_WORDS "descending|ascending|shift"

/* A value as on the command line: "100", "2333", "0.3", "halo". */
td_shown td_parameter_text(const td_parameter *parameter, td_value value);

/* The accepted values, in short: "0..1000000", "0001..9999", "triangle|square". */
void td_parameter_accepted(const td_parameter *parameter, char *text, size_t size);

/* How many words a choice has. */
uint64_t td_parameter_choices(const td_parameter *parameter);

/* Word number `place` of a parameter's text, which may be a list such as "halo,strip" or "all"; false past the
 * last word. */
bool td_parameter_word(const td_parameter *parameter, const char *given, size_t place,
                       char word[TD_WORD_SIZE]);

/* The defaults of all parameters of a workload. */
void td_parameters_preset(const td_workload *workload, td_value values[TD_PARAMETERS]);

/*
 * td_parameter_parse - parse a word of the command line strictly.
 *
 * Errors  TD_USAGE with a sentence that names the option, the word and the accepted values
 */
td_status td_parameter_parse(const td_parameter *parameter, const char *word, td_value *value,
                             td_error *error);
