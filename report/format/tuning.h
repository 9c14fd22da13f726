/* tuning.h - a search as JSON and as a table: what was tried, and what won. */
#pragma once

#include "engine/sweep/trial.h"
#include "table.h"

/* A line of jsonl, newline included. */
void td_json_trial_line(const td_trial *trial, td_text *text);

/* The end of a search: as a line of jsonl, newline included, whose trials are lines of their own; or as an element
 * of a document, with its trials. */
void td_json_tuning(const td_tuning *tuning, bool is_line, td_text *text);

/* The trials, fastest first, failed ones last. */
void td_table_tuning(const td_tuning *tuning, const td_table_look *look, td_text *text);
