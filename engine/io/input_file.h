/* input_file.h - reads the numbers of a file. Its ending says what it is: .csv and .npy tables, .npy and .png
 * images. */
#pragma once

#include "number_table.h"

/*
 * td_table_read - read rows of `columns` finite float32 numbers from a .npy or .csv file.
 *
 * Shape   1 to 2^20 rows, 1 to 64 columns
 * Input   path: its ending, in upper or lower case, says which of td_csv_table and td_npy_table reads it
 * Output  table; release with td_table_free. Zeroed on error
 * Errors  TD_USAGE: no such file, or not what is expected; TD_FAILED: the read failed; TD_NO_MEMORY
 */
td_status td_table_read(const char *path, uint32_t columns, td_table *table, td_error *error);

/*
 * td_image_read - read a square image from a .npy file (uint8 or float32, see td_npy_image) or a .png file (made grey,
 * 0 .. 255, transparent pixels on black).
 *
 * Input   path: its ending, in upper or lower case, says which
 * Output  image, N x N; release with td_table_free. Zeroed on error
 * Errors  TD_USAGE: no such file, not square, or not what is expected; TD_FAILED: the read failed; TD_NO_MEMORY;
 *         TD_UNAVAILABLE: a .png file in a build without libpng
 */
td_status td_image_read(const char *path, td_table *image, td_error *error);
