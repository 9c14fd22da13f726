/*
 * life - Conway's Game of Life on the square cells of a triangle, or of the whole square.
 *
 * One name, many variants: what --memory and --cell choose. Here are the cells that one thread works on by
 * itself; the
 * techniques that share work among the threads of a block are in life_tiles.cuh, and the cpu engine, which
 * has no shared
 * memory, runs the plain cell on the same storage in their place.
 */
#ifndef TD_WORKLOADS_LIFE_LIFE_H
#define TD_WORKLOADS_LIFE_LIFE_H

#include "life_bits.h"
#include "life_store.h"

/* The definition read aloud, on bytes: every neighbour that is there. */
TD_FN void td_life_reference(const td_data *data, uint32_t row, uint32_t col)
{
    const uint8_t *state = (const uint8_t *)data->input;
    const uint32_t alive = state[td_state_at(data, row, col)];
    uint32_t neighbours = 0;
    for (int64_t r = (int64_t)row - 1; r <= (int64_t)row + 1; r++) {
        const int64_t end = td_is_square(data) ? (int64_t)data->n : r + 1;
        for (int64_t c = (int64_t)col - 1; c <= (int64_t)col + 1; c++) {
            if (r >= 0 && r < (int64_t)data->n && c >= 0 && c < end && (r != row || c != col)) {
                neighbours += state[td_state_at(data, (uint32_t)r, (uint32_t)c)];
            }
        }
    }
    const uint32_t n = neighbours + alive; /* the limits of survival count the cell itself */
    const int pair = alive != 0 ? 0 : 2;
    ((uint8_t *)data->output)[td_state_at(data, row, col)] =
        n >= td_rule_limit(data, pair) && n < td_rule_limit(data, pair + 1);
}

/* conditional: each neighbour is tested before it is read. */
#define TD_LIFE_CONDITIONAL(stem, T)                                                               \
    TD_FN uint32_t td_##stem##_at(const td_data *data, uint32_t row, uint32_t col)                 \
    {                                                                                              \
        return td_life_inside(data, row, col)                                                      \
                   ? ((const T *)data->input)[td_life_packed_row(data, row) + col]                 \
                   : 0u;                                                                           \
    }                                                                                              \
    TD_FN void td_##stem##_cell(const td_data *data, uint32_t row, uint32_t col)                   \
    {                                                                                              \
        const uint32_t alive = td_##stem##_at(data, row, col);                                     \
        uint32_t n = alive;                                                                        \
        for (uint32_t k = 1; k < 9; k++) {                                                         \
            n += td_##stem##_at(data, row + (k + 4) % 9 / 3 - 1, col + (k + 4) % 9 % 3 - 1);       \
        }                                                                                          \
        ((T *)data->output)[td_life_packed_row(data, row) + col] = (T)td_rule_one(data, n, alive); \
    }

/* A pointer that nvcc takes as it is: it would share parts of sums among the rows, which costs more
 * additions than it saves. */
TD_FN const char *td_life_fixed(const char *at)
{
#ifdef __CUDA_ARCH__
    asm("mov.b64 %0, %0;" : "+l"(at));
    __builtin_assume(__isGlobal(at));
#endif
    return at;
}

/*
 * halo: nine reads, no test. In quarters of an element a row starts at r (r row_scale + row_offset), which for
 * elements of four
 * bytes are bytes: the start of a row is two multiply-adds, and the rows above and below are a sum away.
 */
#define TD_LIFE_HALO(stem, T)                                                                      \
    TD_FN void td_##stem##_cell(const td_data *data, uint32_t row, uint32_t col)                   \
    {                                                                                              \
        const uint32_t r = row + 1;                                                                \
        const uint32_t quarters = sizeof(T) == 4 ? 1 : 4;                                          \
        const uint64_t start = (uint64_t)r * (r * data->row_scale + data->row_offset) / quarters;  \
        const uint32_t width =                                                                     \
            (2 * r - 1) * data->row_scale + data->row_offset; /* of the row above */               \
        const char *at = td_life_fixed((const char *)data->input + start);                         \
        at = td_life_fixed(at + (uint64_t)col * sizeof(T));                                        \
        const T *here = (const T *)at;                                                             \
        const T *above = (const T *)(at - width / quarters);                                       \
        const T *below = (const T *)(at + (width + 2 * data->row_scale) / quarters);               \
        const uint32_t alive = here[1];                                                            \
        const uint32_t n = (uint32_t)above[0] + above[1] + above[2] + here[0] + alive + here[2] +  \
                           below[0] + below[1] + below[2];                                         \
        T *to =                                                                                    \
            (T *)((char *)data->output + (at - (const char *)data->input)); /* both lie alike */   \
        to[1] = (T)td_rule_one(data, n, alive);                                                    \
    }

/* What the tile kernels on aligned rows do, cell by cell. */
#define TD_LIFE_ALIGNED(stem, T, row_of)                                                           \
    TD_FN void td_##stem##_cell(const td_data *data, uint32_t row, uint32_t col)                   \
    {                                                                                              \
        const T *above = (const T *)data->input + row_of(data, row - 1) + col;                     \
        const T *here = (const T *)data->input + row_of(data, row) + col;                          \
        const T *below = (const T *)data->input + row_of(data, row + 1) + col;                     \
        const uint32_t n = (uint32_t)above[-1] + above[0] + above[1] + here[-1] + here[0] +        \
                           here[1] + below[-1] + below[0] + below[1];                              \
        ((T *)data->output)[row_of(data, row) + col] = (T)td_rule_one(data, n, here[0]);           \
    }

/* Two generations of one cell: its neighbours' next states, then its own. The last launch may have only
 * one to do. */
#define TD_LIFE_TWICE(stem, T, row_of)                                                             \
    TD_FN uint32_t td_##stem##_next(const td_data *data, uint32_t row, uint32_t col)               \
    {                                                                                              \
        uint32_t n = 0;                                                                            \
        if (!td_life_inside(data, row, col)) {                                                     \
            return 0;                                                                              \
        }                                                                                          \
        for (uint32_t r = row; r != row + 3; r++) {                                                \
            const T *from = (const T *)data->input + row_of(data, r - 1) + col;                    \
            n += (uint32_t)from[-1] + from[0] + from[1];                                           \
        }                                                                                          \
        return td_rule_one(data, n, ((const T *)data->input)[row_of(data, row) + col]);            \
    }                                                                                              \
    TD_FN void td_##stem##_cell(const td_data *data, uint32_t row, uint32_t col)                   \
    {                                                                                              \
        const uint32_t alive = td_##stem##_next(data, row, col);                                   \
        uint32_t n = alive;                                                                        \
        for (uint32_t k = 1; k < 9 && data->generations > 1; k++) {                                \
            n += td_##stem##_next(data, row + (k + 4) % 9 / 3 - 1, col + (k + 4) % 9 % 3 - 1);     \
        }                                                                                          \
        ((T *)data->output)[row_of(data, row) + col] =                                             \
            (T)(data->generations > 1 ? td_rule_one(data, n, alive) : alive);                      \
    }

/* Stems: a storage with the cell that works on it. */
#define TD_LIFE_STEM(stem, T, layout, row_of, halo, line)                                          \
    static inline void td_##stem##_setup(const td_problem *problem, td_data *data)                 \
    {                                                                                              \
        td_life_##layout##_setup(problem, data);                                                   \
    }                                                                                              \
    TD_LIFE_STORE(stem, T, row_of, halo, line)

TD_LIFE_STEM(life_conditional_u32, uint32_t, packed, td_life_packed_row, false, 0)
TD_LIFE_STEM(life_conditional_u8, uint8_t, packed, td_life_packed_row, false, 0)
TD_LIFE_STEM(life_halo_u32, uint32_t, halo, td_life_halo_row, true, 0)
TD_LIFE_STEM(life_halo_u8, uint8_t, halo, td_life_halo_row, true, 0)
TD_LIFE_STEM(life_aligned_u32, uint32_t, u32, td_life_u32_row, true, 2 * TD_LINE_U32)
TD_LIFE_STEM(life_aligned_u8, uint8_t, u8, td_life_u8_row, true, 2 * TD_LINE_U8)
TD_LIFE_STEM(life_twice_u32, uint32_t, u32, td_life_u32_row, true, 2 * TD_LINE_U32)
TD_LIFE_STEM(life_twice_u8, uint8_t, u8, td_life_u8_row, true, 2 * TD_LINE_U8)

TD_LIFE_CONDITIONAL(life_conditional_u32, uint32_t)
TD_LIFE_CONDITIONAL(life_conditional_u8, uint8_t)
TD_LIFE_HALO(life_halo_u32, uint32_t)
TD_LIFE_HALO(life_halo_u8, uint8_t)
TD_LIFE_ALIGNED(life_aligned_u32, uint32_t, td_life_u32_row)
TD_LIFE_ALIGNED(life_aligned_u8, uint8_t, td_life_u8_row)
TD_LIFE_TWICE(life_twice_u32, uint32_t, td_life_u32_row)
TD_LIFE_TWICE(life_twice_u8, uint8_t, td_life_u8_row)

/* Each cell is a byte where nothing else is said; index: of the cell in the state. */
static inline void td_life_start(const td_problem *problem, uint8_t *state)
{
    const uint64_t cells = td_state_bytes(problem);
    TD_PARALLEL
    for (uint64_t at = 0; at < cells; at++) {
        state[at] = td_starts_alive(problem, 0, at);
    }
}

static inline uint64_t td_life_u32_bytes(const td_problem *problem)
{
    return 2 * sizeof(uint32_t) * td_state_bytes(problem) * problem->steps;
}

static inline uint64_t td_life_u8_bytes(const td_problem *problem)
{
    return 2 * td_state_bytes(problem) * problem->steps;
}

static inline uint64_t td_life_bit_bytes(const td_problem *problem)
{
    return (2 * td_state_bytes(problem) + 7) / 8 * problem->steps;
}

/* Of all variants; then what a technique and a width of a cell add. */
#define TD_LIFE_FACTS(stem, memory_, width_, bytes_)                                               \
    .summary = "Conway's Game of Life on square cells, rule 2333", .dimension = 2,                 \
    .input = "pattern (.rle), or state (.npy) of a byte a cell, 0 or 1", .steps = true,            \
    .rule = 2333, .most = 1, .has_domains = true, .memory = memory_, .width = width_,              \
    .output_elements = td_##stem##_elements, .input_bytes = td_##stem##_input_bytes,               \
    .setup = td_##stem##_setup, .start = td_life_start, .fill = td_##stem##_fill,                  \
    .save = td_##stem##_save, .bytes = bytes_
#define TD_LIFE_U32(stem, memory)                                                                  \
    .element = TD_U32, TD_LIFE_FACTS(stem, memory, TD_CELL_U32, td_life_u32_bytes)
#define TD_LIFE_U8(stem, memory)                                                                   \
    .element = TD_U8, TD_LIFE_FACTS(stem, memory, TD_CELL_U8, td_life_u8_bytes)
#define TD_LIFE_TILES(multiple, most, side, x, y)                                                  \
    .has_tiles = true, .only_tiles = true, .tile_multiple = multiple, .tile_most = most,           \
    .tile_default = side, .block_default = {x, y, 1}

#define TD_FACTS_life_conditional_u32                                                              \
    TD_LIFE_U32(life_conditional_u32, TD_MEMORY_CONDITIONAL), .poison = TD_POISON, .generations = 1
#define TD_FACTS_life_conditional_u8                                                               \
    TD_LIFE_U8(life_conditional_u8, TD_MEMORY_CONDITIONAL), .poison = TD_POISON, .generations = 1
#define TD_FACTS_life_halo_u32                                                                     \
    TD_LIFE_U32(life_halo_u32, TD_MEMORY_HALO), .dead_halo = true, .generations = 1
#define TD_FACTS_life_halo_u8                                                                      \
    TD_LIFE_U8(life_halo_u8, TD_MEMORY_HALO), .dead_halo = true, .generations = 1

/* Staged in shared memory: tiles of at most 64 cells a side fit there together with their halo. */
#define TD_FACTS_life_shared_u32                                                                   \
    TD_LIFE_U32(life_halo_u32, TD_MEMORY_SHARED), .dead_halo = true, .generations = 1,             \
                                                  TD_LIFE_TILES(1, 64, 0, 0, 0)
#define TD_FACTS_life_shared_u8                                                                    \
    TD_LIFE_U8(life_halo_u8, TD_MEMORY_SHARED), .dead_halo = true, .generations = 1,               \
                                                TD_LIFE_TILES(1, 64, 0, 0, 0)
#define TD_FACTS_life_aligned_u32                                                                  \
    TD_LIFE_U32(life_aligned_u32, TD_MEMORY_ALIGNED), .dead_halo = true, .generations = 1,         \
                                                      TD_LIFE_TILES(1, 64, 0, 0, 0)
#define TD_FACTS_life_aligned_u8                                                                   \
    TD_LIFE_U8(life_aligned_u8, TD_MEMORY_ALIGNED), .dead_halo = true, .generations = 1,           \
                                                    TD_LIFE_TILES(1, 64, 0, 0, 0)
#define TD_FACTS_life_rect_u32                                                                     \
    TD_LIFE_U32(life_aligned_u32, TD_MEMORY_RECT), .dead_halo = true, .generations = 1,            \
                                                   TD_LIFE_TILES(1, 64, 64, 64, 4)
#define TD_FACTS_life_rect_u8                                                                      \
    TD_LIFE_U8(life_aligned_u8, TD_MEMORY_RECT), .dead_halo = true, .generations = 1,              \
                                                 TD_LIFE_TILES(1, 64, 64, 64, 4)
#define TD_FACTS_life_two_cell_u32                                                                 \
    TD_LIFE_U32(life_aligned_u32, TD_MEMORY_TWO_CELL), .dead_halo = true, .generations = 1,        \
                                                       TD_LIFE_TILES(2, 64, 64, 32, 8)
#define TD_FACTS_life_two_cell_u8                                                                  \
    TD_LIFE_U8(life_aligned_u8, TD_MEMORY_TWO_CELL), .dead_halo = true, .generations = 1,          \
                                                     TD_LIFE_TILES(2, 64, 64, 32, 8)
#define TD_FACTS_life_two_generation_u32                                                           \
    TD_LIFE_U32(life_twice_u32, TD_MEMORY_TWO_GENERATION), .dead_halo = true, .generations = 2,    \
                                                           TD_LIFE_TILES(1, 64, 64, 64, 4)
#define TD_FACTS_life_two_generation_u8                                                            \
    TD_LIFE_U8(life_twice_u8, TD_MEMORY_TWO_GENERATION), .dead_halo = true, .generations = 2,      \
                                                         TD_LIFE_TILES(1, 64, 64, 64, 4)

/* A word of cells a thread, which slides down a strip of rows; nothing is staged, so that tiles may be large. */
#define TD_FACTS_life_strip_u32                                                                    \
    TD_LIFE_U32(life_aligned_u32, TD_MEMORY_STRIP), .dead_halo = true, .generations = 1,           \
                                                    TD_LIFE_TILES(4, 4096, 128, 32, 8)
#define TD_FACTS_life_strip_u8                                                                     \
    TD_LIFE_U8(life_aligned_u8, TD_MEMORY_STRIP), .dead_halo = true, .generations = 1,             \
                                                  TD_LIFE_TILES(8, 4096, 256, 32, 8)
#define TD_FACTS_life_strip_bit                                                                    \
    .element = TD_U32, TD_LIFE_FACTS(life_bits, TD_MEMORY_STRIP, TD_CELL_BIT, td_life_bit_bytes),  \
    .dead_halo = true, .generations = 1, TD_LIFE_TILES(32, 4096, 256, 32, 8)

#endif
