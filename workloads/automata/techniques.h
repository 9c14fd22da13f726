/*
 * techniques.h - how an automaton reads its neighbourhood (--memory) and how wide its cells are (--cell): the facts of
 * each technique that hold for every automaton, and the type of a row in an automaton's own table.
 */
#ifndef TD_WORKLOADS_AUTOMATA_TECHNIQUES_H
#define TD_WORKLOADS_AUTOMATA_TECHNIQUES_H

#include "strategies/numbers.h"

/* How a state is stored: packed rows, rows with dead cells around them, or such rows that each start a line. */
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
 * The first two work cell by cell; on a GPU the others have tile kernels. A staged tile has at most 64 cells per side,
 * so that it fits into shared memory with its halo; on the whole square it may also be flat, see td_flat. Strips stage
 * nothing: a warp slides down the rows, so that tiles may be large, and their rows may go to several blocks, in bands.
 * Their usual width suits the lanes side by side, in whole sectors of 32 bytes: 30 lanes of 16 bytes or of 32 bits, or
 * 6 lanes of 16 bytes of bits. A row of an automaton's table may replace stages by strips: see `like` in td_variant.
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
      .block = {32, 8, 1}, .banded = true, .threads_multiple = 32, .threads_most = 512)                                \
    X(four_generation, "four-generation", .storage = TD_STORED_IN_LINES, .generations = 4, .most = 4096, .side = 480,  \
      .block = {32, 8, 1}, .banded = true, .threads_multiple = 32, .threads_most = 512)

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

/* Flat tiles, for the whole square only: low ones or high ones, by the shape of their stage. */
enum { TD_LOW_WIDTH = 128, TD_LOW_ROWS = 4, TD_HIGH_WIDTH = 32, TD_HIGH_ROWS = 16 };
typedef struct td_flat {
    bool taken;
    td_dim3 tile, block; /* the usual ones; block.x = 0: as elsewhere; tile.x = 0: a square tile */
} td_flat;

/* The usual tile and block for small problems, where large tiles would leave most of a GPU idle; a kernel has several,
 * the smallest N first. */
enum { TD_SMALL = 4 };
typedef struct td_small {
    uint32_t below; /* for N below this; 0: none */
    td_flat usual;
} td_small;

typedef struct td_technique_facts {
    const char *option; /* the option that chooses it */
    td_storage storage;
    /* The other members are about tile kernels. */
    uint32_t generations; /* per launch; 0: there is no tile kernel */
    uint32_t multiple;    /* the side of a tile is a multiple of this; 0: of a lane's cells */
    uint32_t most;        /* the largest side [cells] */
    uint32_t side;        /* the usual side; 0: that of the block */
    td_dim3 block;        /* the usual block; x = 0: that of the dimension */
    td_flat flat;
    bool banded;               /* a block may take a band of a tile's rows */
    uint32_t threads_multiple; /* a block's threads are a multiple of this; 0: any number */
    uint32_t threads_most;
} td_technique_facts;

/* Indexed by td_technique. */
TD_DESCRIPTOR td_technique_facts td_techniques[TD_TECHNIQUES] = {{.option = "--memory auto"},
#define TD_ROW(id, word, ...) {.option = "--memory " word, __VA_ARGS__},
                                                                 TD_TECHNIQUE_LIST(TD_ROW)
#undef TD_ROW
};

/*
 * A technique and a cell that an automaton has, with values of its own; 0: the technique's value.
 *
 * The table of automaton NAME is a list, td_NAME_table(X) of X(NAME, technique, width, members of td_variant).
 */
typedef struct td_variant {
    td_technique technique;
    td_width cell;
    /* the technique whose tile kernel and facts it has, with the generations of its own; 0: its own technique */
    td_technique like;
    /* registers per thread, so few that the intended blocks are resident: in the tile kernel or, for a technique that
     * works cell by cell, in a kernel that launches itself. 0: as many as a tile takes, and the usual 64 in a tree */
    int registers;
    uint32_t side;         /* usual side of a tile */
    uint32_t most;         /* the largest side */
    uint32_t band;         /* the usual rows of a tile that a block takes; 0: all */
    td_dim3 block;         /* the usual block; x = 0: the technique's */
    uint32_t threads_most; /* most threads per block that a multiprocessor has registers for */
    int words;             /* bits in strips: words per lane in a row */
    int lanes;             /* bits in strips: lanes side by side */
    int narrow;            /* and in tiles so narrow that these suffice; 0: the same */
    int ahead;             /* long strips: rows loaded before they are needed */
    int rows; /* of a short strip, which loads all of them at once; 0: strips are long */
    td_small small[TD_SMALL];
} td_variant;

/* A row of td_NAME_table as an initialiser, for `const td_variant NAME[]`. */
#define TD_VARIANT(name, technique_, cell_, ...)                                                   \
    {.technique = TD_TECHNIQUE_##technique_, .cell = TD_WIDTH_##cell_, __VA_ARGS__},

/* The place of a row in its table, for an enum. */
#define TD_ROW_NUMBER(name, technique, cell, ...) TD_ROW_##name##_##technique##_##cell,

#endif
