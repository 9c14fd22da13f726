/* csv.h - a run as a row, quoted according to RFC 4180; a missing value is an empty field. */
#pragma once

#include "json.h"
#include "record.h"
#include "text.h"

/*
 * td_csv_header - append the line of column names: paths in the JSON of the run, then the device, the host and the
 * version, then paths in the document around it, such as "document.started".
 *
 * Input   head: the facts around the runs
 */
void td_csv_header(const td_json_head *head, td_text *text);

/* Append the line of one run. */
void td_csv_row(const td_record *record, const td_json_head *head, td_text *text);
