/*
 * techniques.h - how an automaton reads its neighbourhood (--memory) and how wide its cells are (--cell): everything
 * that is true of a technique whatever the automaton, and a row of an automaton's own table.
 */
#ifndef TD_WORKLOADS_AUTOMATA_TECHNIQUES_H
#define TD_WORKLOADS_AUTOMATA_TECHNIQUES_H

#include "strategies/numbers.h"

/* How a state lies in memory: packed rows, rows with dead cells around them, or such rows that start lines. */
typedef enum td_storage {
    TD_STORED_PACKED,
    TD_STORED_WITH_HALO,
    TD_STORED_IN_LINES,
    TD_STORAGE_COUNT
} td_storage;

/* clang-format off */
/*
 * X(identifier, word of --memory, members of td_technique_facts).
 *
 * The first two work cell by cell; on a GPU the others have kernels for whole tiles. In stages a tile of at most 64
 * cells per side fits into shared memory together with its halo, on the whole square also one that is flat, as td_flat
 * has it. Strips stage nothing: a warp slides down the rows, so that tiles may be large. They are as wide as the lanes
 * beside each other like it, in whole sectors of 32 bytes: 30 lanes of 16 bytes or of 32 bits, 14 or 6 of 16 bytes of
 * bits.
 */
#define TD_TECHNIQUE_LIST(X)                                                                                           \
    X(conditional, "conditional", .storage = TD_STORED_PACKED)                                                         \
    X(halo, "halo", .storage = TD_STORED_WITH_HALO)                                                                    \
    X(shared, "shared", .storage = TD_STORED_WITH_HALO, .generations = 1, .multiple = 1, .most = 64,                   \
      .flat = {.taken = true})                                                                                         \
    X(aligned, "aligned", .storage = TD_STORED_IN_LINES, .generations = 1, .multiple = 1, .most = 64,                  \
      .flat = {.taken = true})                                                                                         \
    X(rect, "rect", .storage = TD_STORED_IN_LINES, .generations = 1, .multiple = 1, .most = 64, .side = 64,            \
      .block = {64, 4, 1}, .flat = {true, {64, 4, 1}, {64, 4, 1}})                                                     \
    X(two_cell, "two-cell", .storage = TD_STORED_IN_LINES, .generations = 1, .multiple = 2, .most = 64, .side = 64,    \
      .block = {32, 8, 1}, .flat = {true, {128, 4, 1}, {64, 4, 1}})                                                    \
    X(two_generation, "two-generation", .storage = TD_STORED_IN_LINES, .generations = 2, .multiple = 1, .most = 64,    \
      .side = 64, .block = {64, 4, 1})                                                                                 \
    X(strip, "strip", .storage = TD_STORED_IN_LINES, .generations = 1, .most = 4096, .side = 480,                      \
      .block = {32, 8, 1}, .threads_multiple = 32, .threads_most = 512)                                                \
    X(four_generation, "four-generation", .storage = TD_STORED_IN_LINES, .generations = 4, .most = 4096, .side = 480,  \
      .block = {32, 8, 1}, .threads_multiple = 32, .threads_most = 512)

typedef enum td_technique {
    TD_TECHNIQUE_auto, /* the automaton's usual one */
#define TD_ID(id, ...) TD_TECHNIQUE_##id,
    TD_TECHNIQUE_LIST(TD_ID)
#undef TD_ID
    TD_TECHNIQUES
} td_technique;

typedef enum td_width { TD_WIDTH_u32, TD_WIDTH_u8, TD_WIDTH_bit, TD_WIDTH_f32, TD_WIDTH_f32x2, TD_WIDTHS } td_width;
/* clang-format on */

#define TD_WORD(id, word, ...) "|" word
#define TD_TECHNIQUE_WORDS "auto" TD_TECHNIQUE_LIST(TD_WORD)

/* Tiles of the whole square that are not square themselves: low ones or high ones, by what is staged of them. */
enum { TD_LOW_WIDTH = 128, TD_LOW_ROWS = 4, TD_HIGH_WIDTH = 32, TD_HIGH_ROWS = 16 };
typedef struct td_flat {
    bool taken;
    td_dim3 tile, block; /* the usual ones, block.x = 0: as elsewhere; tile.x = 0: it is a square */
} td_flat;

typedef struct td_technique_facts {
    const char *option; /* that chooses it */
    td_storage storage;
    /* The rest is about kernels for whole tiles. */
    uint32_t generations; /* that one launch advances; 0: there is no such kernel */
    uint32_t multiple;    /* the side of a tile is a multiple of this; 0: of a lane's cells */
    uint32_t most;        /* the largest side [cells] */
    uint32_t side;        /* the usual one; 0: as the block */
    td_dim3 block;        /* the usual one, x = 0: the dimension's */
    td_flat flat;
    uint32_t threads_multiple; /* of a block; 0: any number */
    uint32_t threads_most;
} td_technique_facts;

/* By td_technique. */
TD_DESCRIPTOR td_technique_facts td_techniques[TD_TECHNIQUES] = {{.option = "--memory auto"},
#define TD_ROW(id, word, ...) {.option = "--memory " word, __VA_ARGS__},
                                                                 TD_TECHNIQUE_LIST(TD_ROW)
#undef TD_ROW
};

/*
 * A technique and a cell that an automaton has, and what is its own there; 0: nothing, as the technique has it.
 *
 * The table of automaton NAME is a list, td_NAME_table(X) of X(NAME, technique, width, members of td_variant).
 */
typedef struct td_variant {
    td_technique technique;
    td_width cell;
    /* of a thread, so few that the blocks that are to be resident are: of the kernel for tiles or, cell by cell, of a
     * kernel that launches itself; 0: as many as a tile takes, and the usual 64 of a tree */
    int registers;
    uint32_t side;         /* usual side of a tile */
    uint32_t block_rows;   /* of the usual block */
    uint32_t threads_most; /* of a block: what a multiprocessor has registers for */
    int words;             /* of bits in strips: words of a row that a lane has, */
    int lanes;             /* and lanes beside each other */
    int ahead;             /* in strips: rows that are loaded before they are needed */
} td_variant;

/* A row of td_NAME_table as an initialiser, for `const td_variant NAME[]`. */
#define TD_VARIANT(name, technique_, cell_, ...)                                                   \
    {.technique = TD_TECHNIQUE_##technique_, .cell = TD_WIDTH_##cell_, __VA_ARGS__},

#endif
