/*
 * store.h - how the state of an automaton is stored, in the three ways that the techniques read it.
 *
 * A row function returns the index of the element of cell (row, 0); the cells of a row follow each other. With a halo,
 * rows -1 and N and the columns beside the domain are stored, too, and stay dead: a kernel may read the neighbours of
 * any cell without a test, and never writes outside of the domain.
 */
#ifndef TD_WORKLOADS_AUTOMATA_STATE_STORE_H
#define TD_WORKLOADS_AUTOMATA_STATE_STORE_H

#include "automaton.h"
#include "workloads/place.h"

/* Cells per line of 128 bytes. For bits a line is 32 bytes, because longer padding would cost too much of a row of
 * bits. */
enum { TD_LINE_U32 = 32, TD_LINE_U8 = 128, TD_LINE_BITS = 256 };

typedef uint64_t td_row_fn(const td_data *data, uint32_t row);

/* conditional: only the cells are stored. */
TD_FN uint64_t td_packed_row(const td_data *data, uint32_t row)
{
    return td_row_start(data, row);
}

/*
 * halo: with one ring, row r stores columns -1 .. r + 2, those that row r + 1 reads; row -1 is the first, so that one
 * formula holds for all. With a ring of k cells, row r stores columns -k .. r + 2 k, and row -k is the first.
 */
TD_FN uint64_t td_halo_row(const td_data *data, uint32_t row, uint32_t ring)
{
    return td_row_start(data, row + ring) + ring;
}

/*
 * aligned: cell (row, 0) starts a line. Row r is padded beyond column r + 3 ring to a line's end, so that the cells
 * before the next row are dead, too: they are columns -ring .. -1 of that row.
 *
 * Exact   the lines before row r are ceil(k / line) summed over k = 2 ring + 1 .. r + 3 ring, and one in front
 */
TD_FN uint64_t td_aligned_row(const td_data *data, uint32_t row, uint32_t line, uint32_t ring)
{
    if (td_is_square(data)) {
        return td_row_start(data, row + ring) + line;
    }
    const uint32_t whole = (row + 3 * ring) / line;
    const uint32_t rest = (row + 3 * ring) % line;
    const uint64_t lines = (uint64_t)(whole + 1) * (line / 2 * whole + rest);
    return line * (lines + 1 - 2 * ring);
}

/*
 * Bits: 32 cells are one word per plane, the planes' words side by side. Bit k of word `planes` w + p of a row is bit p
 * of the state of cell 32 w + k.
 */
TD_FN uint64_t td_word_row(const td_data *data, uint32_t row, uint32_t planes)
{
    return td_aligned_row(data, row, TD_LINE_BITS / planes, 1) / 32 * planes;
}

/* ---- domain ---- */

/* Whether a cell is in the domain. Coordinates left of or above it wrap around to huge ones. */
TD_FN bool td_in_domain(const td_data *data, uint32_t row, uint32_t col)
{
    return row < data->n && (td_is_square(data) ? col < data->n : col <= row);
}

/* The number of cells of a row, from column `ring` on, that are not at the edge. It is the same for all cells that a
 * thread has in a row, which leaves one comparison per cell. */
TD_FN uint32_t td_inner_cells(const td_data *data, uint32_t row, uint32_t ring)
{
    const uint32_t end = td_is_square(data) ? data->n : row + 1 - ring;
    const bool exists = row >= ring && row + ring < data->n && end > 2 * ring;
    return exists ? end - 2 * ring : 0;
}

/* ---- elements ---- */

/*
 * The elements of a cell, in the input and in the output. A constant wherever the functions below are inlined.
 *
 * Plane 0 is the state; further planes, which no step changes, are stored after the first state.
 */
typedef struct td_kind {
    uint32_t bytes;       /* per element of the input */
    uint32_t planes;      /* elements per cell */
    bool interleaved;     /* a cell's elements lie side by side, else each plane by itself */
    uint32_t saved_bytes; /* per element of the output, one per cell */
    uint32_t ring;        /* how far a cell's neighbourhood reaches [cells] */
    uint32_t outside;     /* a further plane's element outside of the domain; the state's is 0 */
    bool is_float;        /* the output is a float */
} td_kind;

TD_CONSTANT_FN td_kind td_kind_of(uint32_t bytes, uint32_t planes, uint32_t saved_bytes,
                                  uint32_t ring)
{
    td_kind kind;
    kind.bytes = bytes;
    kind.planes = planes;
    kind.interleaved = false;
    kind.saved_bytes = saved_bytes;
    kind.ring = ring;
    kind.outside = 0;
    kind.is_float = false;
    return kind;
}

/* One element per cell and a ring of one. */
#define TD_KIND_U8 td_kind_of(1, 1, 1, 1)
#define TD_KIND_U32 td_kind_of(4, 1, 4, 1)

/* Distance from one cell of a row to the next [bytes]. */
TD_FN uint32_t td_cell_bytes(td_kind kind)
{
    return kind.interleaved ? kind.bytes * kind.planes : kind.bytes;
}

TD_FN uint32_t td_line_of(td_kind kind)
{
    return kind.bytes == 4 ? TD_LINE_U32 : TD_LINE_U8;
}

/* Index of the element of cell (row, 0). The storage is a constant, too. */
TD_FN uint64_t td_stored_row(const td_data *data, uint32_t row, td_storage storage, td_kind kind)
{
    return storage == TD_STORED_PACKED ? td_packed_row(data, row)
           : storage == TD_STORED_WITH_HALO
               ? td_halo_row(data, row, kind.ring)
               : td_aligned_row(data, row, td_line_of(kind), kind.ring);
}

TD_FN uint32_t td_get_element(const void *elements, int64_t at, uint32_t bytes)
{
    return bytes == 4 ? ((const uint32_t *)elements)[at] : ((const uint8_t *)elements)[at];
}

TD_FN void td_put_element(void *elements, uint64_t at, uint32_t bytes, uint32_t value)
{
    if (bytes == 4) {
        ((uint32_t *)elements)[at] = value;
    } else {
        ((uint8_t *)elements)[at] = (uint8_t)value;
    }
}

/* The start of a plane and, below, the index in it of the element of cell number `at` of the storage. */
TD_FN const void *td_plane(const td_data *data, uint32_t plane, td_kind kind)
{
    return plane == 0 || kind.interleaved
               ? data->input
               : (const char *)data->origin + plane * data->plane * kind.bytes;
}

TD_FN int64_t td_element_at(int64_t at, uint32_t plane, td_kind kind)
{
    return kind.interleaved ? at * kind.planes + plane : at;
}

/* An element of the input. */
TD_FN uint32_t td_get_cell(const td_data *data, int64_t at, uint32_t plane, td_kind kind)
{
    return td_get_element(td_plane(data, plane, kind), td_element_at(at, plane, kind), kind.bytes);
}

/* ---- places for files and verifications: the rows before a cell added up, without any code that a kernel uses ---- */

/* ceil(k / line) summed over k = 1 .. count. */
TD_FN uint64_t td_lines_up_to(uint32_t count, uint32_t line)
{
    const uint32_t whole = count / line;
    return (uint64_t)line * (whole * (whole + 1) / 2) + count % line * (whole + 1);
}

/*
 * The number of cells stored before cell (row, col), which may be beside the domain.
 *
 * Input   coordinates from -ring on; line: cells per line, where rows are stored in lines
 */
TD_FN uint64_t td_place_of(const td_data *data, uint32_t row, uint32_t col, td_storage storage,
                           uint32_t line, uint32_t ring)
{
    const bool square = td_is_square(data);
    const uint32_t above = row + ring; /* stored rows above this one */
    uint64_t before;
    if (storage == TD_STORED_PACKED) {
        return td_place_2d(data, row, col);
    }
    if (storage == TD_STORED_WITH_HALO) {
        /* with one ring, the rows of the triangle store 3, 4, 5 ... cells */
        const uint32_t width = square ? data->n + 2 * ring : above + 4 * ring + 1;
        const uint64_t stored = (uint64_t)above * width;
        before = ring + (square ? stored : stored / 2);
    } else {
        const uint32_t twice = 2 * ring;
        const uint64_t lines = square ? (uint64_t)above * ((data->n + twice - 1 + line) / line)
                                      : td_lines_up_to(above + twice, line) - twice;
        before = line * (1 + lines);
    }
    return before + (uint64_t)(int64_t)(int32_t)col;
}

/* The reference's value of a cell. */
typedef uint32_t td_expected_fn(const td_data *data, uint32_t row, uint32_t col);

TD_FN uint32_t td_expected_byte(const td_data *data, uint32_t row, uint32_t col)
{
    return ((const uint8_t *)data->expected)[td_state_at(data, row, col)];
}

/* The float whose bits an element holds, and back. */
TD_FN float td_float_of(uint32_t element)
{
    float value;
    memcpy(&value, &element, sizeof value);
    return value;
}

TD_FN uint32_t td_element_of(float value)
{
    uint32_t element;
    memcpy(&element, &value, sizeof element);
    return element;
}

#endif
