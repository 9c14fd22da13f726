/*
 * variants.h - a row of an automaton's table of variants each, for the cells that it has. AUTOMATON, which the file
 * with the table defines, is what all of its rows share.
 *
 * Tiles of at most 64 cells per side fit into shared memory together with their halo. In strips nothing is staged, so
 * tiles may be large, and are as wide as the lanes beside each other like them, in whole sectors of 32 bytes: 30 lanes
 * of 16 bytes or of 32 bits, 14 or 6 of 16 bytes of bits.
 */
#ifndef TD_WORKLOADS_AUTOMATA_FAMILY_VARIANTS_H
#define TD_WORKLOADS_AUTOMATA_FAMILY_VARIANTS_H

#include "family.h"

/* clang-format off */
/* Cell by cell: rows are packed, or have a halo. */
#define TD_PLAIN(name, technique, width, element_, ...)                                            \
    {AUTOMATON, .id = TD_WORKLOAD_##name##_##technique##_##width, .element = element_,             \
     .generations = 1, __VA_ARGS__}
#define TD_CONDITIONAL_OF(name, width, element_)                                                   \
    TD_PLAIN(name, conditional, width, element_, .poison = TD_POISON)
#define TD_HALO_OF(name, width, element_)                                                          \
    TD_PLAIN(name, halo, width, element_, .dead_halo = true)
#define TD_CONDITIONAL_U32(name) TD_CONDITIONAL_OF(name, u32, TD_U32)
#define TD_CONDITIONAL_U8(name)  TD_CONDITIONAL_OF(name, u8, TD_U8)
#define TD_HALO_U32(name)        TD_HALO_OF(name, u32, TD_U32)
#define TD_HALO_U8(name)         TD_HALO_OF(name, u8, TD_U8)

/* In bit planes an operation does 32 cells, but each bit of a sum takes four. */
#define TD_CELLS_PER_OP_u32 0
#define TD_CELLS_PER_OP_u8  0
#define TD_CELLS_PER_OP_bit 8
#define TD_CELLS_PER_OP_f32 0
#define TD_CELLS_PER_OP_f32x2 0

/* Tile by tile: the sides that a tile may have, its usual one, and the usual block, x by y threads. */
#define TD_TILED(name, technique, width, element_, generations_, word, otherwise,                  \
                 multiple, most, side, x, y, ...)                                                  \
    {AUTOMATON, .id = TD_WORKLOAD_##name##_##technique##_##width, .element = element_,             \
     .generations = generations_, .dead_halo = true, .has_tiles = true,                            \
     .only_tiles = "--memory " word, .instead = otherwise,                                         \
     .cells_per_op = TD_CELLS_PER_OP_##width, .tile_multiple = multiple, .tile_most = most,        \
     .tile_default = side, .block_default = {x, y, 1}, __VA_ARGS__}

/* Staged in shared memory. */
#define TD_STAGED(name, technique, width, element_, generations_, word, multiple, side, x, y)      \
    TD_TILED(name, technique, width, element_, generations_, word, "--memory halo",                \
             multiple, 64, side, x, y, .threads_multiple = 0)
#define TD_SHARED_OF(name, width, element_)                                                        \
    TD_STAGED(name, shared, width, element_, 1, "shared", 1, 0, 0, 0)
#define TD_ALIGNED_OF(name, width, element_)                                                       \
    TD_STAGED(name, aligned, width, element_, 1, "aligned", 1, 0, 0, 0)
#define TD_RECT_OF(name, width, element_)                                                          \
    TD_STAGED(name, rect, width, element_, 1, "rect", 1, 64, 64, 4)
#define TD_TWO_CELL_OF(name, width, element_)                                                      \
    TD_STAGED(name, two_cell, width, element_, 1, "two-cell", 2, 64, 32, 8)
#define TD_TWO_GENERATION_OF(name, width, element_)                                                \
    TD_STAGED(name, two_generation, width, element_, 2, "two-generation", 1, 64, 64, 4)

/* In strips. The most threads of a block are what a multiprocessor has registers for. */
#define TD_STRIP_OF(name, width, element_, otherwise, multiple, side, y, most)                     \
    TD_TILED(name, strip, width, element_, 1, "strip", otherwise, multiple, 4096, side, 32, y,     \
             .threads_multiple = 32, .threads_most = most)
#define TD_FOUR_GENERATION_OF(name, width, element_, otherwise, multiple, side, y)                 \
    TD_TILED(name, four_generation, width, element_, 4, "four-generation", otherwise,              \
             multiple, 4096, side, 32, y, .threads_multiple = 32, .threads_most = 512)
#define TD_STRIP_U32(name) TD_STRIP_OF(name, u32, TD_U32, "--memory halo", 4, 480, 8, 512)
#define TD_STRIP_U8(name)  TD_STRIP_OF(name, u8, TD_U8, "--memory halo", 16, 480, 6, 512)
#define TD_STRIP_BIT(name, multiple, side, y, most)                                                \
    TD_STRIP_OF(name, bit, TD_U32, "--cell u8 --memory halo", multiple, side, y, most)
#define TD_FOUR_GENERATION_U32(name)                                                               \
    TD_FOUR_GENERATION_OF(name, u32, TD_U32, "--memory halo", 4, 480, 8)
#define TD_FOUR_GENERATION_U8(name)                                                                \
    TD_FOUR_GENERATION_OF(name, u8, TD_U8, "--memory halo", 16, 480, 4)
#define TD_FOUR_GENERATION_BIT(name)                                                               \
    TD_FOUR_GENERATION_OF(name, bit, TD_U32, "--cell u8 --memory halo", 32, 960, 8)

/* Of floats, four to a lane and no lane a halo; and all techniques of one generation but strips. */
#define TD_STRIP_FLOATS(name, width, element_, side, y, most)                                      \
    TD_STRIP_OF(name, width, element_, "--memory halo", 4, side, y, most)
#define TD_FLOAT_VARIANTS(name, width, place, element_)                                            \
    [TD_CONDITIONAL] = {[place] = TD_CONDITIONAL_OF(name, width, element_)},                       \
    [TD_HALO] = {[place] = TD_HALO_OF(name, width, element_)},                                     \
    [TD_SHARED] = {[place] = TD_SHARED_OF(name, width, element_)},                                 \
    [TD_ALIGNED] = {[place] = TD_ALIGNED_OF(name, width, element_)},                               \
    [TD_RECT] = {[place] = TD_RECT_OF(name, width, element_)},                                     \
    [TD_TWO_CELL] = {[place] = TD_TWO_CELL_OF(name, width, element_)},
/* clang-format on */

#endif
