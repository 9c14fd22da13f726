/*
 * lines3.h - a state on a tetrahedron whose rows start lines: TD_STORED_IN_LINES in 3D, a byte per cell.
 *
 * It is a packed tetrahedron of side N + 5, with cell (x, y, z) at x in row (y + 1, z + 4), where each row is padded to
 * whole lines. So a row has a dead cell before its first one and three after its last one, and the rows and layers
 * beside the domain exist and are dead: all neighbours of a cell can be read without a test.
 */
#ifndef TD_WORKLOADS_AUTOMATA_STATE_LINES3_H
#define TD_WORKLOADS_AUTOMATA_STATE_LINES3_H

#include "workloads/layout3.h"
#include "workloads/place.h"

enum { TD_LINE3 = 32 }; /* [cells]: a sector of memory */

TD_FN uint32_t td_lines3(uint32_t cells)
{
    return (cells + TD_LINE3 - 1) / TD_LINE3;
}

/* The lines of `rows` rows, which have 1, 2, 3 ... cells. */
TD_FN uint32_t td_lines3_of_rows(uint32_t rows)
{
    const uint32_t whole = rows / TD_LINE3, rest = rows % TD_LINE3;
    return (TD_LINE3 / 2 * whole + rest) * (whole + 1);
}

/*
 * The lines before row (y, z) of a packed tetrahedron. Layer k has rows of 1 .. k + 1 cells.
 *
 * Exact   for z < 65536. Of three consecutive numbers one is a multiple of 3, so multiplying by the inverse of 3 modulo
 *         2^64 divides their product
 */
TD_FN uint64_t td_lines3_before(uint32_t y, uint32_t z)
{
    const uint64_t whole = z / 32, rest = z % 32, twice = whole * (whole + 1);
    const uint64_t layers = 512 * twice * (whole - 1) * 0xaaaaaaaaaaaaaaabu + 264 * twice +
                            16 * twice * rest + (whole + 1) * (rest * (rest + 1) / 2);
    return layers + td_lines3_of_rows(z + 1) - td_lines3_of_rows(z + 1 - y);
}

/* Index of cell (0, y, z). Input: y and z from -1 on */
TD_FN uint64_t td_lines3_row(uint32_t y, uint32_t z)
{
    return TD_LINE3 * td_lines3_before(y + 1, z + 4);
}

/* Cells of a state, with two more lines: kernels read cells x - 1 to x + 19 for any cell x of a row. */
static inline uint64_t td_lines3_elements(uint32_t n)
{
    return TD_LINE3 * (td_lines3_before(0, n + 5) + 2);
}

/* Whether data is such a state: see td_family_setup. */
TD_FN bool td_is_in_lines3(const td_data *data)
{
    return data->row_scale == 0;
}

/* Index of a cell of a state, for files and verifications. Input: in lines, also of a cell beside the domain */
TD_FN uint64_t td_stored_at3(const td_data *data, uint32_t x, uint32_t y, uint32_t z)
{
    return td_is_in_lines3(data) ? td_lines3_row(y, z) + (uint64_t)(int64_t)(int32_t)x
                                 : td_place_3d(data, x, y, z);
}

#endif
