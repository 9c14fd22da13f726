/* table.h - a group of runs as aligned columns, for people. */
#ifndef TD_REPORT_FORMAT_TABLE_H
#define TD_REPORT_FORMAT_TABLE_H

#include "record.h"
#include "text.h"

/*
 * td_table_group - append a heading that says what the runs share, and a row for each. Columns that would be empty are
 * left out.
 *
 * Input   width: of the terminal, for which columns of less interest are left out as well; 0: any
 */
void td_table_group(const td_record *records, size_t count, size_t width, td_text *text);

#endif
