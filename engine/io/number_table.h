/* number_table.h - the contents of --input: rows of a few numbers for workloads on points, an N x N image for
 * others. */
#pragma once

#include "engine/core/error.h"

enum { TD_TABLE_ROWS = 1 << 20, TD_TABLE_COLUMNS = 64 };

/* Numbers row by row. Zeroed when empty. */
typedef struct td_table {
    uint32_t rows;
    uint32_t columns;
    float *values; /* rows x columns */
} td_table;

/* Values row by row. Zeroed when empty. */
typedef struct td_image {
    uint32_t n;    /* pixels per side */
    float *values; /* n x n */
} td_image;

/* td_table_free - release the values and zero the table. */
void td_table_free(td_table *table);

/* td_image_free - release the values and zero the image. */
void td_image_free(td_image *image);
