/* number_table.h - the contents of --input: rows of a few numbers for workloads on points, the N x N pixels of an image
 * for others. */
#pragma once

#include "engine/core/error.h"

enum { TD_TABLE_ROWS = 1 << 20, TD_TABLE_COLUMNS = 64 };

/* Numbers row by row. Zeroed when empty. */
typedef struct td_table {
    uint32_t rows;
    uint32_t columns;
    float *values; /* rows x columns */
} td_table;

/* td_table_free - release the values and zero the table. */
void td_table_free(td_table *table);
