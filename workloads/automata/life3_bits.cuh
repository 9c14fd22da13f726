/*
 * life3_bits.cuh - life on a tetrahedron on bits: a thread slides along z with a word in each of a few rows.
 *
 * The sums of the layers are in registers, and nothing is staged: the words beside a word are read again, by
 * neighbouring threads at once. Where rows are short, the layers of a tile go to more threads.
 */
#ifndef TD_WORKLOADS_AUTOMATA_LIFE3_BITS_CUH
#define TD_WORKLOADS_AUTOMATA_LIFE3_BITS_CUH

#include "workloads/automata/life3.h"

enum {
    TD_LIFE3_ROWS = 4,  /* of a thread */
    TD_LIFE3_LAYERS = 4 /* of a thread at least: it reads two more */
};

/* A thread's work: word k in rows y, y + 1 ... of the layers [z, end). */
typedef struct td_life3_item {
    uint32_t k, y, z, end;
} td_life3_item;

/* The states from the layer before a tile on: from there 32 bits lead to all words that its threads touch. */
typedef struct td_life3_states {
    uint64_t origin; /* [words] */
    const uint32_t *from;
    uint32_t *to;
} td_life3_states;

/*
 * Where a thread is. Rows are counted from y - 1 on; each has 1 cell less than the one before, and in the next layer 1
 * cell more. So row r + 1 is as far behind row 1 as row r of the layer before is behind its row 0.
 */
typedef struct td_life3_walk {
    uint32_t z;
    int32_t cells;                   /* of row 0 */
    uint32_t words;                  /* of the layer */
    uint32_t row[TD_LIFE3_ROWS + 2]; /* word k of each, from the origin on */
} td_life3_walk;

/* A layer's share of the neighbourhoods of a thread's cells, and the cells. */
typedef struct td_life3_layer_of_words {
    td_life_count counts[TD_LIFE3_ROWS];
    uint32_t alive[TD_LIFE3_ROWS];
} td_life3_layer_of_words;

__device__ inline void td_life3_find_rows(td_life3_walk &walk)
{
#pragma unroll
    for (int32_t r = 0; r <= TD_LIFE3_ROWS; r++) { /* no words where there are less than no cells */
        walk.row[r + 1] = walk.row[r] + td_life3_words((uint32_t)(walk.cells - r));
    }
}

/* In the layer before an item's first. */
__device__ inline td_life3_walk td_life3_start(const td_life3_item &item, uint64_t origin)
{
    td_life3_walk walk;
    walk.z = item.z - 1;
    walk.cells = (int32_t)(item.z - item.y + 1);
    walk.words = td_life3_words_of_rows(item.z);
    walk.row[0] = (uint32_t)(td_life3_row_word(item.y, item.z) - origin) + item.k -
                  td_life3_words_of_rows(item.z + 1);
    td_life3_find_rows(walk);
    return walk;
}

__device__ inline void td_life3_up(td_life3_walk &walk)
{
    walk.z++;
    walk.cells++;
    walk.words += td_life3_words(walk.z + 1);
    walk.row[0] += walk.words - td_life3_words((uint32_t)walk.cells);
    td_life3_find_rows(walk);
}

/* A layer that does not exist is dead. */
__device__ inline td_life3_layer_of_words td_life3_count_words(const td_life3_states &states,
                                                               const td_life3_item &item,
                                                               const td_life3_walk &walk,
                                                               uint32_t n)
{
    const int32_t cells = walk.z < n ? walk.cells - (int32_t)(32 * item.k) : -1; /* from k on */
    td_life3_layer_of_words layer;
    td_life_sums sums[TD_LIFE3_ROWS + 2];
    uint32_t here[TD_LIFE3_ROWS + 2];
#pragma unroll
    for (int32_t r = 0; r < TD_LIFE3_ROWS + 2; r++) {
        const uint32_t *const at = states.from + walk.row[r];
        const bool exists = r > 0 || item.y > 0;
        const uint32_t before = exists && item.k > 0 && cells >= r ? at[-1] : 0;
        const uint32_t behind = exists && cells - 32 > r ? at[1] : 0;
        here[r] = exists && cells > r ? at[0] : 0;
        const uint32_t left = __funnelshift_l(before, here[r], 1);
        const uint32_t right = __funnelshift_r(here[r], behind, 1);
        sums[r] = td_life_sum_words(&left, &here[r], &right);
    }
#pragma unroll
    for (uint32_t r = 0; r < TD_LIFE3_ROWS; r++) {
        layer.counts[r] = td_life_count_words(&sums[r], &sums[r + 1], &sums[r + 2]);
        layer.alive[r] = here[r + 1];
    }
    return layer;
}

/* The next states in the layer before that of the walk. What is behind a row's cells in its last word is dead. */
__device__ inline void td_life3_put_words(const td_life3_states &states, const td_life3_item &item,
                                          const td_life3_walk &walk,
                                          const uint32_t next[TD_LIFE3_ROWS])
{
    const int32_t cells = walk.cells - 2 - (int32_t)(32 * item.k); /* of row y from word k on */
    const uint32_t inside[2] = {td_lowest_bits(cells), td_lowest_bits(cells - 32)};
#pragma unroll
    for (int32_t r = 0; r < TD_LIFE3_ROWS; r++) {
        if (cells > r) {
            states.to[walk.row[r + 2] - walk.words] =
                next[r] & __funnelshift_r(inside[0], inside[1], (uint32_t)r);
        }
    }
}

/* Usual: by 4555, or as params[1] says. */
template <bool Usual>
__device__ inline void td_life3_slide_words(const td_data &data, const td_life3_states &states,
                                            const td_life3_item &item)
{
    const uint32_t limits = Usual ? TD_RULE_LIMITS(4555u) : data.params[1];
    td_life3_layer_of_words layers[3];
    td_life3_walk walk = td_life3_start(item, states.origin);
    layers[0] = td_life3_count_words(states, item, walk, data.n);
    td_life3_up(walk);
    layers[1] = td_life3_count_words(states, item, walk, data.n);
    for (;;) {
#pragma unroll
        for (uint32_t i = 0; i < 3; i++) { /* so that no layer moves from register to register */
            td_life3_layer_of_words &below = layers[i], &here = layers[(i + 1) % 3];
            td_life3_layer_of_words &above = layers[(i + 2) % 3];
            td_life3_up(walk);
            above = td_life3_count_words(states, item, walk, data.n);
            uint32_t next[TD_LIFE3_ROWS];
#pragma unroll
            for (uint32_t r = 0; r < TD_LIFE3_ROWS; r++) {
                next[r] = td_life3_next_word(limits, &below.counts[r], &here.counts[r],
                                             &above.counts[r], here.alive[r]);
            }
            td_life3_put_words(states, item, walk, next);
            if (walk.z >= item.end) {
                return;
            }
        }
    }
}

/* The words that start in a tile. */
__device__ inline void td_life3_tile_of_bits(const td_data &data, const td_work_tile3 &tile)
{
    const uint32_t threads = blockDim.x * blockDim.y * blockDim.z;
    const uint32_t first_x = tile.x * tile.side, first_y = tile.y * tile.side;
    const uint32_t first_z = tile.z * tile.side, end_z = min(first_z + tile.side, data.n);
    const uint32_t cells = max(end_z, first_y) - first_y; /* of the longest row */
    const uint32_t end_x = tile.width > tile.side ? cells : first_x + tile.side;
    const uint32_t first = td_life3_words(first_x), words = td_life3_words(end_x) - first;
    const uint32_t items = words * (tile.side / TD_LIFE3_ROWS); /* of all layers */
    if (items == 0) {
        return;
    }
    td_life3_states states;
    states.origin = td_life3_row_word(0, max(first_z, 1u) - 1);
    states.from = (const uint32_t *)td_fixed_pointer((const char *)data.input + 4 * states.origin);
    states.to = (uint32_t *)td_fixed((char *)data.output + 4 * states.origin);
    const uint32_t parts = min(max(threads / items, 1u), tile.side / TD_LIFE3_LAYERS);
    const uint32_t layers = (tile.side + parts - 1) / parts;
    for (uint32_t i = td_thread_of_block(); i < items * parts; i += threads) {
        td_life3_item item;
        item.k = first + i % words;
        item.y = first_y + i % items / words * TD_LIFE3_ROWS;
        item.z = max(first_z + i / items * layers, item.y + 32 * item.k);
        item.end = min(first_z + (i / items + 1) * layers, end_z);
        if (item.z < item.end && data.params[1] == TD_RULE_LIMITS(4555u)) {
            td_life3_slide_words<true>(data, states, item);
        } else if (item.z < item.end) {
            td_life3_slide_words<false>(data, states, item);
        }
    }
}

#endif
