/*
 * life_store.h - the Game of Life: how a state lies in memory, in the three ways that its techniques read it.
 *
 * A row function gives the element of cell (row, 0); the cells of a row follow each other. Where there is
 * a halo, rows
 * -1 and N and the columns beside the domain are stored too and are dead, for good: a kernel may read the
 * neighbours of
 * any cell without a test, and writes none of them.
 */
#ifndef TD_WORKLOADS_LIFE_LIFE_STORE_H
#define TD_WORKLOADS_LIFE_LIFE_STORE_H

#include "workloads/automaton.h"

/* Cells of a line: 128 bytes of them; of bits 32 bytes, for padding costs a long row of bits more. */
enum { TD_LINE_U32 = 32, TD_LINE_U8 = 128, TD_LINE_BIT = 256 };

typedef uint64_t td_row_fn(const td_data *data, uint32_t row);

/* conditional: nothing but the cells. */
TD_FN uint64_t td_life_packed_row(const td_data *data, uint32_t row)
{
    return td_row_start(data, row);
}

/* halo: row r stores columns -1 .. r + 2, what row r + 1 reads of it; one formula with row -1 as the first. */
TD_FN uint64_t td_life_halo_row(const td_data *data, uint32_t row)
{
    return td_row_start(data, row + 1) + 1;
}

/*
 * aligned: cell (row, 0) starts a line. Row r is padded to the next line behind its column r + 3, so that
 * the cell before
 * the next row is dead as well: it is that row's column -1.
 *
 * Exact   the lines before row r are ceil(k / line) summed over k = 3 .. r + 3, and one in front
 */
TD_FN uint64_t td_life_aligned_row(const td_data *data, uint32_t row, uint32_t line)
{
    if (td_is_square(data)) {
        return td_row_start(data, row + 1) + line;
    }
    const uint32_t whole = (row + 3) / line;
    const uint32_t rest = (row + 3) % line;
    const uint64_t lines = (uint64_t)(whole + 1) * (line / 2 * whole + rest);
    return line * (lines - 1);
}

TD_FN uint64_t td_life_u32_row(const td_data *data, uint32_t row)
{
    return td_life_aligned_row(data, row, TD_LINE_U32);
}

TD_FN uint64_t td_life_u8_row(const td_data *data, uint32_t row)
{
    return td_life_aligned_row(data, row, TD_LINE_U8);
}

/* Bit k of 32-bit word w of a row is cell 32 w + k. */
TD_FN uint64_t td_life_bit_row(const td_data *data, uint32_t row)
{
    return td_life_aligned_row(data, row, TD_LINE_BIT) / 32;
}

/* ---- setup: everything of td_data ---- */

static inline void td_life_setup(const td_problem *problem, uint32_t pitch, td_data *data)
{
    data->n = problem->n;
    data->full = problem->domain == TD_DOMAIN_SQUARE;
    if (data->full != 0) {
        data->row_scale = 0;
        data->row_offset = 4 * pitch;
    }
    td_setup_rule(problem->rule, data);
}

static inline void td_life_packed_setup(const td_problem *problem, td_data *data)
{
    data->row_scale = 2;
    data->row_offset = 2;
    td_life_setup(problem, problem->n, data);
}

static inline void td_life_halo_setup(const td_problem *problem, td_data *data)
{
    data->row_scale = 2; /* rows -1, 0, 1 ... of 3, 4, 5 ... cells, and one more each */
    data->row_offset = 10;
    td_life_setup(problem, problem->n + 2, data);
}

static inline uint32_t td_round_up(uint32_t count, uint32_t multiple)
{
    return (count + multiple - 1) / multiple * multiple;
}

static inline void td_life_u32_setup(const td_problem *problem, td_data *data)
{
    td_life_setup(problem, td_round_up(problem->n + 2, TD_LINE_U32), data);
}

static inline void td_life_u8_setup(const td_problem *problem, td_data *data)
{
    td_life_setup(problem, td_round_up(problem->n + 2, TD_LINE_U8), data);
}

static inline void td_life_bit_setup(const td_problem *problem, td_data *data)
{
    td_life_setup(problem, td_round_up(problem->n + 2, TD_LINE_BIT), data);
}

/* ---- domain ---- */

/* Coordinates left of or above the domain wrap to huge ones. */
TD_FN bool td_life_inside(const td_data *data, uint32_t row, uint32_t col)
{
    return row < data->n && (td_is_square(data) ? col < data->n : col <= row);
}

TD_FN bool td_life_at_edge(const td_data *data, uint32_t row, uint32_t col)
{
    return col == 0 || row == 0 || row + 1 == data->n ||
           col + 1 >= (td_is_square(data) ? data->n : row);
}

/* ---- elements of a cell each: T is uint32_t or uint8_t ---- */

/*
 * For one way to store: its size, a state in and out, the check, the poison.
 *
 * The check also wants the stored neighbours outside of the domain to be dead still (`halo`), and a
 * verification poisons
 * cells one by one, so that it does not poison these.
 */
#define TD_LIFE_STORE(stem, T, row_of, halo, line)                                                 \
    static inline uint64_t td_##stem##_elements(const td_problem *problem)                         \
    {                                                                                              \
        td_data data = td_empty_data();                                                            \
        td_##stem##_setup(problem, &data);                                                         \
        const uint64_t last = (halo) ? row_of(&data, problem->n) + problem->n + 3 + (line)         \
                                     : td_state_bytes(problem);                                    \
        return last;                                                                               \
    }                                                                                              \
    static inline uint64_t td_##stem##_input_bytes(const td_problem *problem)                      \
    {                                                                                              \
        return td_##stem##_elements(problem) * sizeof(T);                                          \
    }                                                                                              \
    static inline void td_##stem##_fill(const td_problem *problem, void *input)                    \
    {                                                                                              \
        td_data data = td_empty_data();                                                            \
        td_##stem##_setup(problem, &data);                                                         \
        memset(input, 0, td_##stem##_input_bytes(problem));                                        \
        for (uint32_t row = 0; row < problem->n; row++) {                                          \
            T *to = (T *)input + row_of(&data, row);                                               \
            const uint8_t *from = problem->state + td_state_row(problem, row);                     \
            for (uint32_t col = 0; col < td_state_end(problem, row); col++) {                      \
                to[col] = from[col];                                                               \
            }                                                                                      \
        }                                                                                          \
    }                                                                                              \
    static inline void td_##stem##_save(const td_problem *problem, const void *output,             \
                                        uint8_t *state)                                            \
    {                                                                                              \
        td_data data = td_empty_data();                                                            \
        td_##stem##_setup(problem, &data);                                                         \
        for (uint32_t row = 0; row < problem->n; row++) {                                          \
            const T *from = (const T *)output + row_of(&data, row);                                \
            uint8_t *to = state + td_state_row(problem, row);                                      \
            for (uint32_t col = 0; col < td_state_end(problem, row); col++) {                      \
                to[col] = (uint8_t)from[col];                                                      \
            }                                                                                      \
        }                                                                                          \
    }                                                                                              \
    TD_FN void td_##stem##_paint(const td_data *data, uint32_t row, uint32_t col)                  \
    {                                                                                              \
        ((T *)data->output)[row_of(data, row) + col] = TD_POISON;                                  \
    }                                                                                              \
    TD_FN td_verdict td_##stem##_check(const td_data *data, uint32_t row, uint32_t col)            \
    {                                                                                              \
        const T *output = (const T *)data->output;                                                 \
        td_verdict verdict =                                                                       \
            td_state_verdict(output[row_of(data, row) + col],                                      \
                             ((const uint8_t *)data->expected)[td_state_at(data, row, col)]);      \
        for (uint32_t k = 0; (halo) && td_life_at_edge(data, row, col) && k < 9; k++) {            \
            const uint32_t r = row + k / 3 - 1, c = col + k % 3 - 1;                               \
            const int32_t signed_c = (int32_t)c; /* column -1 */                                   \
            verdict.ok &=                                                                          \
                td_life_inside(data, r, c) || output[(int64_t)row_of(data, r) + signed_c] == 0;    \
        }                                                                                          \
        return verdict;                                                                            \
    }

#endif
