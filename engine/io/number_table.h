/*
 * number_table.h - the numbers of --input: a few in each row for workloads on points, the N x N pixels of an image for
 * others.
 */
#pragma once

#include "engine/core/error.h"

enum { TD_TABLE_ROWS = 1 << 20, TD_TABLE_COLUMNS = 64 };

/* Numbers row by row. Zeroed when empty. */
typedef struct td_table {
    uint32_t rows;
    uint32_t columns;
    float *values; /* rows x columns */
} td_table;

/*
 * td_table_read - read rows of `columns` finite float32 numbers from a .npy or .csv file.
 *
 * Shape   1 to 2^20 rows, 1 to 64 columns
 * Input   path: its ending, in upper or lower case, says which of td_csv_table and td_npy_table reads it
 * Output  table; release with td_table_free. Zeroed on error
 * Errors  TD_USAGE: no such file, or not what is expected; TD_FAILED: the read failed; TD_NO_MEMORY
 */
td_status td_table_read(const char *path, uint32_t columns, td_table *table, td_error *error);

/* td_table_free - release the values and zero the table. */
void td_table_free(td_table *table);
