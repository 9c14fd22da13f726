/* table.h - a group of runs as aligned columns, for people. */
#ifndef TD_REPORT_FORMAT_TABLE_H
#define TD_REPORT_FORMAT_TABLE_H

#include "record.h"
#include "text.h"

/* Where a table is read. */
typedef struct td_table_look {
    size_t
        columns; /* of the terminal, for which columns of less interest are left out; 0: any width */
    bool color;
    bool is_markdown; /* neither folded nor coloured */
} td_table_look;

/* Append a heading that says what the runs share, and a row for each. Columns that would be empty are left out. */
void td_table_group(const td_record *records, size_t count, const td_table_look *look,
                    td_text *text);

/* Append words to a row of Markdown as its next cell, "| words ", and end the line behind the last. */
void td_table_put_cell(td_text *text, const char *words, bool is_last);

/* Append the line below a heading of Markdown: of each column whether words are in it, which are on the left. */
void td_table_put_rule(td_text *text, const bool *left, size_t count);

#endif
