/* csv.h - a run as a row, quoted as RFC 4180 says; a missing value is an empty field. */
#ifndef TD_REPORT_FORMAT_CSV_H
#define TD_REPORT_FORMAT_CSV_H

#include "record.h"
#include "text.h"

/* Append the line of column names. */
void td_csv_header(td_text *text);

/* Append the line of one run. */
void td_csv_row(const td_record *record, td_text *text);

#endif
