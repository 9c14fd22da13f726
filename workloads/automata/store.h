/*
 * store.h - how the state of an automaton lies in memory, in the three ways that the techniques read it.
 *
 * A row function gives the element of cell (row, 0); the cells of a row follow each other. Where there is a halo,
 * rows -1 and N and the columns beside the domain are stored too and stay dead: a kernel may read the neighbours
 * of any cell without a test, and never writes outside of the domain.
 */
#ifndef TD_WORKLOADS_AUTOMATA_STORE_H
#define TD_WORKLOADS_AUTOMATA_STORE_H

#include "automaton.h"

/* Cells per line of 128 bytes; of bits a line is 32 bytes, because padding would cost a row of bits more. */
enum { TD_LINE_U32 = 32, TD_LINE_U8 = 128, TD_LINE_BITS = 256 };

typedef uint64_t td_row_fn(const td_data *data, uint32_t row);

/* conditional: nothing but the cells. */
TD_FN uint64_t td_packed_row(const td_data *data, uint32_t row)
{
    return td_row_start(data, row);
}

/* halo: row r stores columns -1 .. r + 2, what row r + 1 reads of it; one formula with row -1 as the first. */
TD_FN uint64_t td_halo_row(const td_data *data, uint32_t row)
{
    return td_row_start(data, row + 1) + 1;
}

/*
 * aligned: cell (row, 0) starts a line. Row r is padded to the next line behind its column r + 3, so that the cell
 * before the next row is dead as well: it is column -1 of that row.
 *
 * Exact   the lines before row r are ceil(k / line) summed over k = 3 .. r + 3, and one in front
 */
TD_FN uint64_t td_aligned_row(const td_data *data, uint32_t row, uint32_t line)
{
    if (td_is_square(data)) {
        return td_row_start(data, row + 1) + line;
    }
    const uint32_t whole = (row + 3) / line;
    const uint32_t rest = (row + 3) % line;
    const uint64_t lines = (uint64_t)(whole + 1) * (line / 2 * whole + rest);
    return line * (lines - 1);
}

TD_FN uint64_t td_u32_row(const td_data *data, uint32_t row)
{
    return td_aligned_row(data, row, TD_LINE_U32);
}

TD_FN uint64_t td_u8_row(const td_data *data, uint32_t row)
{
    return td_aligned_row(data, row, TD_LINE_U8);
}

/*
 * Bits: 32 cells are one word per plane, the planes' words side by side. Bit k of word `planes` w + p of a row is bit p
 * of the state of cell 32 w + k.
 */
TD_FN uint64_t td_word_row(const td_data *data, uint32_t row, uint32_t planes)
{
    return td_aligned_row(data, row, TD_LINE_BITS / planes) / 32 * planes;
}

TD_FN uint64_t td_one_plane_row(const td_data *data, uint32_t row)
{
    return td_word_row(data, row, 1);
}

TD_FN uint64_t td_two_planes_row(const td_data *data, uint32_t row)
{
    return td_word_row(data, row, 2);
}

/* ---- domain ---- */

/* Coordinates left of or above the domain wrap to huge ones. */
TD_FN bool td_in_domain(const td_data *data, uint32_t row, uint32_t col)
{
    return row < data->n && (td_is_square(data) ? col < data->n : col <= row);
}

TD_FN bool td_at_edge(const td_data *data, uint32_t row, uint32_t col)
{
    return col == 0 || row == 0 || row + 1 == data->n ||
           col + 1 >= (td_is_square(data) ? data->n : row);
}

/* ---- one element per cell ---- */

/* How a state lies in memory; a constant wherever the functions below are inlined, and so is the size of an element. */
typedef enum td_storage { TD_STORED_PACKED, TD_STORED_WITH_HALO, TD_STORED_IN_LINES } td_storage;

TD_FN uint64_t td_stored_row(const td_data *data, uint32_t row, td_storage storage, uint32_t bytes)
{
    return storage == TD_STORED_PACKED      ? td_packed_row(data, row)
           : storage == TD_STORED_WITH_HALO ? td_halo_row(data, row)
           : bytes == 4                     ? td_u32_row(data, row)
                                            : td_u8_row(data, row);
}

TD_FN uint32_t td_get_cell(const void *cells, int64_t at, uint32_t bytes)
{
    return bytes == 4 ? ((const uint32_t *)cells)[at] : ((const uint8_t *)cells)[at];
}

TD_FN void td_put_cell(void *cells, uint64_t at, uint32_t bytes, uint32_t state)
{
    if (bytes == 4) {
        ((uint32_t *)cells)[at] = state;
    } else {
        ((uint8_t *)cells)[at] = (uint8_t)state;
    }
}

/* ---- where a verification looks: the rows in front added up, by nothing that a kernel uses ---- */

/* ceil(k / line) summed over k = 1 .. count. */
TD_FN uint64_t td_lines_up_to(uint64_t count, uint64_t line)
{
    const uint64_t whole = count / line;
    return line * whole * (whole + 1) / 2 + count % line * (whole + 1);
}

/*
 * Cells stored before cell (row, col), which may be beside the domain.
 *
 * Input   coordinates from -1 on; line: cells per line, where rows are stored in lines
 */
TD_FN uint64_t td_place_of(const td_data *data, uint32_t row, uint32_t col, td_storage storage,
                           uint64_t line)
{
    const int64_t r = (int32_t)row, c = (int32_t)col, n = data->n;
    const bool square = td_is_square(data);
    int64_t before;
    if (storage == TD_STORED_PACKED) {
        before = square ? r * n : r * (r + 1) / 2;
    } else if (storage == TD_STORED_WITH_HALO) { /* of the triangle 3, 4, 5 ... cells */
        before = 1 + (square ? (r + 1) * (n + 2) : (r + 1) * (r + 6) / 2);
    } else {
        const uint64_t above = (uint64_t)(r + 1);
        const uint64_t lines = square ? above * (((uint64_t)n + 1 + line) / line)
                                      : td_lines_up_to(above + 2, line) - 2;
        before = (int64_t)(line * (1 + lines));
    }
    return (uint64_t)(before + c);
}

TD_FN uint64_t td_line_of(uint32_t bytes)
{
    return bytes == 4 ? TD_LINE_U32 : TD_LINE_U8;
}

/* A verification poisons cells one by one, so that it does not poison what lies around the domain. */
TD_FN void td_paint_cell(const td_data *data, uint32_t row, uint32_t col, td_storage storage,
                         uint32_t bytes)
{
    td_put_cell(data->output, td_place_of(data, row, col, storage, td_line_of(bytes)), bytes,
                TD_POISON);
}

/* The state of a cell, and that its stored neighbours outside of the domain are still dead. */
TD_FN td_verdict td_check_cell(const td_data *data, uint32_t row, uint32_t col, td_storage storage,
                               uint32_t bytes)
{
    const uint8_t *expected = (const uint8_t *)data->expected;
    const uint64_t line = td_line_of(bytes);
    const int64_t at = (int64_t)td_place_of(data, row, col, storage, line);
    td_verdict verdict = td_state_verdict(td_get_cell(data->output, at, bytes),
                                          expected[td_state_at(data, row, col)]);
    const bool edge = storage != TD_STORED_PACKED && td_at_edge(data, row, col);
    for (uint32_t k = 0; edge && k < 9; k++) {
        const uint32_t r = row + k / 3 - 1, c = col + k % 3 - 1;
        const int64_t beside = (int64_t)td_place_of(data, r, c, storage, line);
        verdict.ok &= td_in_domain(data, r, c) || td_get_cell(data->output, beside, bytes) == 0;
    }
    return verdict;
}

#endif
