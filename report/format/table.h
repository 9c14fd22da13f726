/* table.h - a group of runs as aligned columns, for people. */
#ifndef TD_REPORT_FORMAT_TABLE_H
#define TD_REPORT_FORMAT_TABLE_H

#include "record.h"
#include "text.h"

/* Append a heading that says what the runs share, and a row for each. Columns that would be empty are left out. */
void td_table_group(const td_record *records, size_t count, td_text *text);

#endif
