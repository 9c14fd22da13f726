/*
 * life3_bits.cuh - life on a tetrahedron on bits: threads slide along z. What layers add to the neighbourhoods of
 * a word in each of a few rows is in registers; what is beside a word is read again, by threads next to each other.
 */
#ifndef TD_WORKLOADS_AUTOMATA_LIFE3_BITS_CUH
#define TD_WORKLOADS_AUTOMATA_LIFE3_BITS_CUH

#include "workloads/automata/life3.h"

enum { TD_LIFE3_ROWS = 4 }; /* of a thread */

/* Word k in rows y, y + 1 ... of a layer. */
typedef struct td_life3_words_of_layer {
    td_life3_count counts[TD_LIFE3_ROWS];
    uint32_t alive[TD_LIFE3_ROWS];
    uint64_t start; /* of row y [words] */
    int32_t cells;  /* of row y, and of each further one 1 less; 0 or less: there are none */
} td_life3_words_of_layer;

/* Input   start: of row y; z may lie outside of the domain */
__device__ inline td_life3_words_of_layer td_life3_words_at(const td_data &data, uint64_t start,
                                                            uint32_t k, uint32_t y, uint32_t z)
{
    td_life3_words_of_layer layer;
    layer.start = start;
    layer.cells = z < data.n ? (int32_t)(z - y + 1) : -TD_LIFE3_ROWS;
    td_life_sums sums[TD_LIFE3_ROWS + 2]; /* from row y - 1 on */
    uint32_t here[TD_LIFE3_ROWS + 2];
    const uint32_t *row = (const uint32_t *)data.input + layer.start;
    row -= td_life3_words((uint32_t)max(layer.cells + 1, 0));
#pragma unroll
    for (int32_t r = 0; r < TD_LIFE3_ROWS + 2; r++) {
        const uint32_t cells = (uint32_t)max(layer.cells + 1 - r, 0);
        sums[r] = td_life3_sum_word(row, r > 0 || y > 0 ? cells : 0, k, &here[r]);
        row += td_life3_words(cells);
    }
#pragma unroll
    for (uint32_t r = 0; r < TD_LIFE3_ROWS; r++) {
        layer.counts[r] = td_life3_count_words(&sums[r], &sums[r + 1], &sums[r + 2]);
        layer.alive[r] = here[r + 1];
    }
    return layer;
}

/* The layers [z, end) of a thread's words. */
__device__ inline void td_life3_slide_words(const td_data &data, uint32_t k, uint32_t y, uint32_t z,
                                            uint32_t end)
{
    td_life3_words_of_layer below =
        td_life3_words_at(data, td_life3_row_word(y, z - 1), k, y, z - 1);
    td_life3_words_of_layer here = td_life3_words_at(data, td_life3_row_word(y, z), k, y, z);
#pragma unroll 2
    for (; z < end; z++) {
        /* Layer z, and of each row before row y what it has more in the next. */
        const uint32_t further =
            td_life3_words_of_rows(z + 1) + td_life3_words(z + 2) - td_life3_words(z + 2 - y);
        const td_life3_words_of_layer above =
            td_life3_words_at(data, here.start + further, k, y, z + 1);
        uint32_t *row = (uint32_t *)data.output + here.start + k;
#pragma unroll
        for (int32_t r = 0; r < TD_LIFE3_ROWS; r++) {
            const uint32_t cells = (uint32_t)max(here.cells - r, 0);
            const uint32_t next = td_life3_next_word(
                data.params[1], &below.counts[r], &here.counts[r], &above.counts[r], here.alive[r]);
            if (cells > 32 * k) {
                *row = next & td_life3_inside(cells, k);
            }
            row += td_life3_words(cells);
        }
        below = here;
        here = above;
    }
}

/* The words that start in a tile, whose rows go to threads a few at a time. */
__device__ inline void td_life3_tile_of_bits(const td_data &data, const td_work_tile3 &tile)
{
    const uint32_t threads = blockDim.x * blockDim.y * blockDim.z;
    const uint32_t first_x = tile.x * tile.side, first_y = tile.y * tile.side;
    const uint32_t first_z = tile.z * tile.side, end_z = min(first_z + tile.side, data.n);
    const uint32_t cells = max(end_z, first_y) - first_y; /* of the longest row */
    const uint32_t end_x = tile.width > tile.side ? cells : first_x + tile.side;
    const uint32_t first = td_life3_words(first_x), words = td_life3_words(end_x) - first;
    for (uint32_t i = td_thread_of_block(); i < words * tile.side / TD_LIFE3_ROWS; i += threads) {
        const uint32_t y = first_y + i / words * TD_LIFE3_ROWS;
        td_life3_slide_words(data, first + i % words, y, max(first_z, y), end_z);
    }
}

#endif
