/* table.h - a group of runs as aligned columns, for people. */
#pragma once

#include "record.h"
#include "text.h"

/* How a table is shown. */
typedef struct td_table_style {
    size_t columns; /* width; columns of least interest are left out to fit; 0: any width */
    bool color;
    bool is_markdown; /* never coloured */
} td_table_style;

/* Append a heading with what the runs share, and a row per run; of a search, per run that was measured to the end.
 * Columns that would be empty are left out. */
void td_table_group(const td_record *records, size_t count, const td_table_style *style,
                    td_text *text);
