/* npy.h - arrays in numpy's .npy format, versions 1.0 to 3.0, that are read: tables, states, outputs. */
#pragma once

#include "file.h"
#include "number_table.h"
#include "workloads/workload.h"

/* The domain of a state: its shape in a file, and its bytes. */
typedef enum td_state_form {
    TD_STATE_TRIANGLE,   /* (N(N+1)/2,), row by row */
    TD_STATE_SQUARE,     /* (N, N) */
    TD_STATE_TETRAHEDRON /* (N(N+1)(N+2)/6,), in packed order */
} td_state_form;

/* The state of a cellular automaton, one byte per cell. Zeroed when empty. */
typedef struct td_state {
    uint32_t n;     /* cells per side, N */
    uint64_t bytes; /* all cells */
    uint8_t *cells;
} td_state;

/*
 * td_npy_table - read rows of `columns` numbers from a .npy file.
 *
 * Input   path: dtype |u1, <f2, <f4 or <f8, shape (rows, columns), or (rows,) when columns is 1; either order in
 *         memory, because numpy.save keeps the order of a transposed array. columns 0: an image, shape (N, N), 1 <= N
 *         <= 2^20. of_halves: also <u2, the bits of bf16, which numpy does not have
 * Output  table, bytes as numbers, float64 rounded to the nearest float32; release with td_table_free
 * Errors  TD_USAGE: another dtype, byte order or shape, more or less data than the shape says, a value that is not
 *         finite or too large for float32 (with row and column, both from 0 as in numpy); TD_FAILED: the read failed;
 *         TD_NO_MEMORY. Sizes are checked before memory is allocated
 */
td_status td_npy_table(const char *path, uint32_t columns, bool of_halves, td_table *table,
                       td_error *error);

/*
 * td_npy_state - read the bytes of a state from a .npy file.
 *
 * Input   path: dtype |u1, the shape of `form`, 1 <= N <= 2^20, of a tetrahedron 65535
 * Output  state; free() its cells. The workload checks what the bytes mean
 * Errors  as td_npy_table, and a length that belongs to no N
 */
td_status td_npy_state(const char *path, td_state_form form, td_state *state, td_error *error);

/*
 * td_npy_elements - read all elements of an array of any shape, in C order.
 *
 * Input   path: dtype that of `element`
 * Output  *elements, which the caller frees, and their *count
 * Errors  as td_npy_table
 */
td_status td_npy_elements(const char *path, td_element element, void **elements, uint64_t *count,
                          td_error *error);
