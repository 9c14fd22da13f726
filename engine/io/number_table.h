/*
 * number_table.h - the numbers of --input: a few in each row for workloads on points, the N x N pixels of an image for
 * others.
 */
#pragma once

#include "engine/core/error.h"

enum { TD_TABLE_ROWS = 1 << 20 };

/* Numbers row by row. Zeroed when empty. */
typedef struct td_table {
    uint32_t rows;
    uint32_t columns;
    float *values; /* rows x columns */
} td_table;

/*
 * td_table_read - read rows of `columns` finite float32 numbers from a .npy or .csv file.
 *
 * Shape   1 to 2^20 rows
 * Input   path: its ending, in upper or lower case, says whether td_csv_parse or td_npy_table reads it; of_halves: for
 *         td_npy_table
 * Output  table; release with td_table_free. Zeroed on error
 * Errors  TD_USAGE: no such file, or not what is expected; TD_FAILED: the read failed; TD_NO_MEMORY
 */
td_status td_table_read(const char *path, uint32_t columns, bool of_halves, td_table *table,
                        td_error *error);

/* td_table_free - release the values and zero the table. */
void td_table_free(td_table *table);

/*
 * td_csv_parse - read rows of `columns` numbers from text.
 *
 * Fields are separated by tabs, semicolons or commas: by the first of these, in this order, that the first line
 * contains. Lines end with LF, CRLF or CR. Spaces around a number, a UTF-8 byte-order mark and blank lines at the end
 * do not matter. The first line is a header if it has a name for each column, or begins with "# ". A name begins with a
 * letter, '_' or '#', and is no missing value (NA, null, nan, #DIV/0! and the like), nor a number with a minus or a
 * blank beyond ASCII: such a line is a mistake in the data, and skipping it would hide that.
 *
 * Input   text[length] is NUL: numbers such as 5, -0.25, .5, 1.5e-3; no hexadecimal, nan or inf, no quotes; name stands
 *         for the path in errors
 * Output  table, each number rounded once to the nearest float32; release with td_table_free. Zeroed on error
 * Errors  TD_USAGE with the line, and for a field the column (both from 1); TD_NO_MEMORY
 */
td_status td_csv_parse(const char *text, size_t length, const char *name, uint32_t columns,
                       td_table *table, td_error *error);
