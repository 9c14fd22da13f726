/*
 * life3.h - the Game of Life on the cells of a tetrahedron, 26 neighbours.
 *
 * By --memory conditional a state is an output with no border around it: a byte per cell, packed or in the cube, or a
 * bit. Rows in front of the domain, behind it and beside it do not exist, and what lies behind a row's end is another
 * row's. In blocks, see life3_blocked.h. By --memory halo and shared it has a border of dead cells, see life3_halo.h.
 */
#ifndef TD_WORKLOADS_AUTOMATA_LIFE3_H
#define TD_WORKLOADS_AUTOMATA_LIFE3_H

#include "life3_bits.h"
#include "life3_blocked.h"

/* The definition, word for word, on packed bytes: every neighbour that exists. */
TD_FN void td_life3_reference(const td_data *data, uint32_t x, uint32_t y, uint32_t z)
{
    const uint8_t *state = (const uint8_t *)data->input;
    const uint64_t at = td_packed_3d(x, y, z);
    uint32_t neighbours = 0;
    for (int64_t k = (int64_t)z - 1; k <= (int64_t)z + 1; k++) {
        for (int64_t j = (int64_t)y - 1; j <= (int64_t)y + 1; j++) {
            for (int64_t i = (int64_t)x - 1; i <= (int64_t)x + 1; i++) {
                if (i >= 0 && j >= 0 && i + j <= k && k < (int64_t)data->n &&
                    (i != x || j != y || k != z)) {
                    neighbours += state[td_packed_3d((uint64_t)i, (uint64_t)j, (uint64_t)k)];
                }
            }
        }
    }
    ((uint8_t *)data->output)[at] = (uint8_t)td_digits_say(data, neighbours, state[at] != 0);
}

TD_FN bool td_life3_is_bits(const td_data *data)
{
    return data->params[3] != 0;
}

/* The stored cell. On bits, a row's last cell comes with the padding behind it in its word. */
TD_FN uint32_t td_life3_found(const td_data *data, uint32_t x, uint32_t y, uint32_t z)
{
    if (td_life3_is_bits(data)) {
        const uint32_t word = ((const uint32_t *)data->output)[td_life3_row_word(y, z) + x / 32];
        return word >> x % 32 & (x < z - y ? 1u : ~0u);
    }
    return ((const uint8_t *)data->output)[td_life3_element(data, x, y, z)];
}

TD_FN td_verdict td_life3_check(const td_data *data, uint32_t x, uint32_t y, uint32_t z)
{
    td_verdict verdict = td_state_verdict(td_life3_found(data, x, y, z),
                                          ((const uint8_t *)data->expected)[td_packed_3d(x, y, z)]);
    if (td_life3_has_halo(data)) {
        verdict.ok &= td_life3_is_dead_around(data, x, y, z);
    }
    return verdict;
}

/* The poison of a cell, where the fill was 0. Every bit is a state, so that of a bit is the opposite of its expected
 * state. */
TD_FN void td_life3_paint(const td_data *data, uint32_t x, uint32_t y, uint32_t z)
{
    if (td_life3_has_halo(data)) {
        ((uint8_t *)data->output)[td_life3_element(data, x, y, z)] = TD_POISON;
        return;
    }
    const uint8_t *expected = (const uint8_t *)data->expected + td_packed_3d(x, y, z);
    uint32_t dead = 0;
    for (uint32_t i = 0; x % 32 == 0 && i < 32 && x + i <= z - y; i++) {
        dead |= (uint32_t)(expected[i] == 0) << i;
    }
    if (x % 32 == 0) {
        ((uint32_t *)data->output)[td_life3_row_word(y, z) + x / 32] = dead;
    }
}

/* A row of bytes: where its first cell lies, and how many there are, 0 for a row that does not exist. */
typedef struct td_life3_row_at {
    uint64_t start;
    uint32_t cells;
} td_life3_row_at;

TD_FN td_life3_row_at td_life3_find_row(const td_data *data, uint32_t y, uint32_t z)
{
    td_life3_row_at row;
    row.start =
        data->full ? (uint64_t)(z * data->row_scale + y) * data->n : td_tetra_index(0, y, z);
    row.cells = td_life3_cells_of_row(data, y, z);
    return row;
}

/* Word k of a row of bits. Each word beside it is tested before it is read. */
TD_FN void td_life3_word(const td_data *data, uint32_t k, uint32_t y, uint32_t z)
{
    const uint32_t *state = (const uint32_t *)data->input;
    td_life_count layers[3];
    uint32_t alive = 0;
    for (uint32_t l = 0; l < 3; l++) {
        td_life_sums rows[3];
        TD_UNROLLED for (uint32_t r = 0; r < 3; r++)
        {
            const uint32_t row_y = y + r - 1, row_z = z + l - 1;
            uint32_t here;
            rows[r] = td_life3_sum_word(state + td_life3_row_word(row_y, row_z),
                                        td_life3_cells_of_row(data, row_y, row_z), k, &here);
            alive = l == 1 && r == 1 ? here : alive;
        }
        layers[l] = td_life_count_words(&rows[0], &rows[1], &rows[2]);
    }
    ((uint32_t *)data->output)[td_life3_row_word(y, z) + k] =
        td_life3_next_word(data->params[1], &layers[0], &layers[1], &layers[2], alive) &
        td_life3_inside(z - y + 1, k);
}

/* Each neighbour is tested before it is read. Of bits, the first cell of a word computes all of it. */
TD_FN void td_life3_cell(const td_data *data, uint32_t x, uint32_t y, uint32_t z)
{
    if (td_life3_is_bits(data)) {
        if (x % 32 == 0) {
            td_life3_word(data, x / 32, y, z);
        }
        return;
    }
    const uint8_t *state = (const uint8_t *)data->input;
    const uint64_t at = td_life3_find_row(data, y, z).start + x;
    uint32_t sum = 0;
    for (uint32_t k = 0; k < 9; k++) {
        const td_life3_row_at row = td_life3_find_row(data, y + k % 3 - 1, z + k / 3 - 1);
        for (uint32_t i = x - 1; i != x + 2; i++) {
            sum += i < row.cells ? state[row.start + i] : 0u;
        }
    }
    ((uint8_t *)data->output)[at] = td_life3_next(data->params[1], (uint8_t)sum, state[at]);
}

/* The nine rows around a row, the row itself in the middle. */
typedef struct td_life3_rows {
    td_life3_row_at row[9];
} td_life3_rows;

static inline td_life3_rows td_life3_rows_around(const td_data *data, uint32_t y, uint32_t z)
{
    td_life3_rows rows;
    for (uint32_t k = 0; k < 9; k += 3) {
        const uint32_t layer = z + k / 3 - 1;
        const uint32_t pitch = data->full ? data->n : layer - y + 1; /* to the next row */
        td_life3_row_at *row = &rows.row[k];
        row[1] = td_life3_find_row(data, y, layer);
        row[0].start = row[1].start - pitch - !data->full;
        row[0].cells = y > 0 && layer < data->n ? layer - y + 2 : 0;
        row[2].start = row[1].start + pitch;
        row[2].cells = row[1].cells > 0 ? row[1].cells - 1 : 0;
    }
    return rows;
}

/* The cells at x of all nine, as far as they exist. */
static inline uint8_t td_life3_column(const uint8_t *state, const td_life3_rows *rows, uint32_t x)
{
    uint32_t sum = 0;
    for (uint32_t k = 0; k < 9; k++) {
        sum += x < rows->row[k].cells ? state[rows->row[k].start + x] : 0u;
    }
    return (uint8_t)sum;
}

/* sums[i]: that of cell x + i, and wrong from where the shortest of them ends. A row that does not exist is dead. */
static inline void td_life3_columns(const uint8_t *state, const td_life3_rows *rows, uint32_t x,
                                    uint32_t count, uint8_t *sums)
{
    static const uint8_t dead[TD_LIFE3_PART + TD_LIFE3_VECTOR] = {0};
    const uint8_t *cells[9];
    for (uint32_t k = 0; k < 9; k++) {
        cells[k] = rows->row[k].cells > 0 ? state + rows->row[k].start + x : dead;
    }
    for (uint32_t i = 0; i < count; i += TD_LIFE3_VECTOR) {
        td_life3_vector sum = {0};
        TD_UNROLLED for (uint32_t k = 0; k < 9; k++)
        {
            td_life3_add(&sum, cells[k] + i);
        }
        memcpy(sums + i, &sum, sizeof sum);
    }
}

/*
 * The bytes [first, end) of a row on the host, in whole vectors without a test: nine rows are added up cell by cell,
 * and then each three sums next to each other. The last few sums are made again with tests.
 */
static inline __attribute__((always_inline)) void
td_life3_row_of_bytes(const td_data *data, uint32_t first, uint32_t end, uint32_t y, uint32_t z)
{
    const uint8_t *state = (const uint8_t *)data->input;
    const td_life3_rows rows = td_life3_rows_around(data, y, z);
    const uint32_t limits = data->params[1], cells = rows.row[4].cells;
    const uint32_t part = TD_LIFE3_PART;
    uint8_t sums[1 + TD_LIFE3_PART + TD_LIFE3_VECTOR + 1]; /* of cells x - 1 and on */
    uint8_t next[TD_LIFE3_PART];
    for (uint32_t x = first; x < end; x += TD_LIFE3_PART) {
        const uint32_t count = end - x < part ? end - x : part;
        const uint8_t *alive = state + rows.row[4].start + x;
        td_life3_columns(state, &rows, x, count + 1, sums + 1);
        sums[0] = x > 0 ? td_life3_column(state, &rows, x - 1) : 0;
        for (uint32_t c = cells > x + 2 ? cells - 2 : x; c <= x + count; c++) {
            sums[c - x + 1] = td_life3_column(state, &rows, c);
        }
        for (uint32_t i = 0; i < count; i += TD_LIFE3_VECTOR) {
            td_life3_vector sum = {0};
            TD_UNROLLED for (uint32_t k = 0; k < 3; k++)
            {
                td_life3_add(&sum, sums + i + k);
            }
            td_life3_store_next(limits, &sum, alive + i, next + i);
        }
        memcpy((uint8_t *)data->output + rows.row[4].start + x, next, count);
    }
}

/*
 * The bytes [x, x + count) of the rows [y, end_y) of a layer on the host, a vector's at most, all of whose neighbours
 * exist: 27 are added up without a test, and a row is found from the one before it.
 */
static inline __attribute__((always_inline)) void td_life3_inner_rows(const td_data *data,
                                                                      uint32_t x, uint32_t count,
                                                                      uint32_t y, uint32_t end_y,
                                                                      uint32_t z)
{
    const uint8_t *corner[3]; /* of each layer, the cell at x in row y */
    uint32_t pitch[3];        /* from there to row y + 1; from row y - 1 it is `less` more */
    const uint32_t less = !data->full, limits = data->params[1];
    for (uint32_t l = 0; l < 3; l++) {
        const td_life3_row_at row = td_life3_find_row(data, y, z + l - 1);
        corner[l] = (const uint8_t *)data->input + row.start + x;
        pitch[l] = data->full ? data->n : row.cells;
    }
    uint8_t *to = (uint8_t *)data->output + td_life3_find_row(data, y, z).start + x;
    for (; y < end_y; y++) {
        const uint8_t *rows[9];
        for (uint32_t l = 0; l < 3; l++) {
            rows[3 * l] = corner[l] - pitch[l] - less;
            rows[3 * l + 1] = corner[l];
            rows[3 * l + 2] = corner[l] + pitch[l];
        }
        td_life3_next_vector(limits, rows, count, to);
        to += pitch[1];
        for (uint32_t l = 0; l < 3; l++) {
            corner[l] += pitch[l];
            pitch[l] -= less;
        }
    }
}

/* The bytes of a tile in layer z on the host: those from first on and in front of end, of rows [y, end_y). */
static inline __attribute__((always_inline)) void
td_life3_layer_of_bytes(const td_data *data, uint32_t first, uint32_t end, uint32_t y,
                        uint32_t end_y, uint32_t z)
{
    const bool few = end - first <= TD_LIFE3_VECTOR;
    while (y < end_y) {
        uint32_t behind = y + 1;
        if (few && first > 0 && y > 0 && z + 1 < data->n && end + y + 1 < z) {
            behind = end_y < z - 1 - end ? end_y : z - 1 - end;
            td_life3_inner_rows(data, first, end - first, y, behind, z);
        } else {
            const uint32_t cells = z - y + 1;
            td_life3_row_of_bytes(data, first, end < cells ? end : cells, y, z);
        }
        y = behind;
    }
}

/* The same by any row of the table, with the words of bits that start in the tile. The storage and the width are
 * constants wherever this is inlined. */
static inline __attribute__((always_inline)) void
td_life3_layer_of_tile(const td_data *data, uint32_t first, uint32_t end, uint32_t y,
                       uint32_t end_y, uint32_t z, td_storage storage, td_width width)
{
    const bool bytes = storage == TD_STORED_PACKED && width == TD_WIDTH_u8;
    if (bytes && data->blocked == 0) {
        td_life3_layer_of_bytes(data, first, end, y, end_y, z);
        return;
    }
    for (; y < end_y; y++) {
        const uint32_t cells = z - y + 1, stop = end < cells ? end : cells;
        if (storage == TD_STORED_WITH_HALO) {
            td_life3_halo_row(data, first, stop, y, z);
            continue;
        }
        if (bytes) {
            td_life3_blocked_cells(data, first, stop, y, z);
            continue;
        }
        for (uint32_t k = td_life3_words(first); 32 * k < stop; k++) {
            td_life3_word(data, k, y, z);
        }
    }
}

/* clang-format off */
/* Registers are those of kernels for tiles; that of `conditional` is for --kernel tile. */
#define td_life3_table(X)                                                                                              \
    X(life3, conditional, u8, .registers = 80)                                                                         \
    X(life3, conditional, bit, .registers = 80)                                                                        \
    X(life3, halo, u8, )                                                                                               \
    X(life3, shared, u8, .registers = 32)
/* clang-format on */
TD_DESCRIPTOR td_variant td_life3_variants[] = {td_life3_table(TD_VARIANT)};
enum { td_life3_table(TD_ROW_NUMBER) };

enum { TD_LIFE3_SIDE = 16 }; /* the largest of a staged tile [cells] */

extern const td_workload td_life3_workload;

#ifdef __CUDACC__
/* By the rows of the table; nullptr: there are only kernels for tiles. */
inline constexpr td_cell3_fn *td_life3_cells[] = {td_life3_cell, td_life3_cell, td_life3_halo_cell,
                                                  nullptr};
#endif

#endif
