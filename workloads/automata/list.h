/* list.h - the variants of the automata, by technique (--memory) and width of a cell (--cell). */
#ifndef TD_WORKLOADS_AUTOMATA_LIST_H
#define TD_WORKLOADS_AUTOMATA_LIST_H

/* clang-format off */
/* One thread per cell; rows are packed, or have a halo. */
#define TD_GOL_PACKED_ROWS(X, A)   X(gol_conditional_u8,   A)
#define TD_GOL_HALO_ROWS(X, A)     X(gol_halo_u8,          A)
#define TD_LIFE_PACKED_ROWS(X, A)  X(life_conditional_u8,  A) X(life_conditional_u32, A)
#define TD_LIFE_HALO_ROWS(X, A)    X(life_halo_u8,         A) X(life_halo_u32,        A)

/*
 * On a GPU a kernel for whole tiles, td_ID_tile. X(identifier, stem, A): td_STEM_cell is what the cpu engine runs, on
 * the same storage, and td_STEM_check and td_STEM_paint go with it.
 *
 * A tile is staged in shared memory.
 */
#define TD_GOL_STAGED(X, A) \
    X(gol_shared_u8,            gol_halo_u8,    A) \
    X(gol_aligned_u8,           gol_lines_u8,   A) \
    X(gol_two_cell_u8,          gol_lines_u8,   A) \
    X(gol_two_generation_u8,    gol_lines_u8,   A)
#define TD_LIFE_STAGED(X, A) \
    X(life_shared_u32,          life_halo_u32,  A) \
    X(life_aligned_u32,         life_lines_u32, A) \
    X(life_aligned_u8,          life_lines_u8,  A) \
    X(life_two_cell_u32,        life_lines_u32, A) \
    X(life_two_cell_u8,         life_lines_u8,  A) \
    X(life_two_generation_u32,  life_lines_u32, A) \
    X(life_two_generation_u8,   life_lines_u8,  A) \
    X(life_shared_u8,           life_halo_u8,   A)

/* Nothing is staged: a warp slides down rows. */
#define TD_GOL_STRIPS(X, A) \
    X(gol_strip_bit,            gol_bits,       A) \
    X(gol_strip_u8,             gol_lines_u8,   A) \
    X(gol_four_generation_u8,   gol_lines_u8,   A) \
    X(gol_four_generation_bit,  gol_bits,       A)
#define TD_LIFE_STRIPS(X, A) \
    X(life_strip_bit,           life_bits,      A) \
    X(life_four_generation_bit, life_bits,      A) \
    X(life_strip_u32,           life_lines_u32, A) \
    X(life_strip_u8,            life_lines_u8,  A) \
    X(life_four_generation_u32, life_lines_u32, A) \
    X(life_four_generation_u8,  life_lines_u8,  A)

/* Those whose kernels are another variant's: `rect` is `aligned` in other blocks. X(identifier, stem, variant, A). */
#define TD_GOL_TILED_AS(X, A) \
    X(gol_rect_u8,              gol_lines_u8,   gol_aligned_u8,   A)
#define TD_LIFE_TILED_AS(X, A) \
    X(life_rect_u32,            life_lines_u32, life_aligned_u32, A) \
    X(life_rect_u8,             life_lines_u8,  life_aligned_u8,  A)

/* The stems that no plain variant is. */
#define TD_GOL_STEMS(X, A)   X(gol_lines_u8,   A) X(gol_bits,      A)
#define TD_LIFE_STEMS(X, A)  X(life_lines_u32, A) X(life_lines_u8, A) X(life_bits, A)

/* Automata on floats: all techniques of one generation, for cells of one width. */
#define TD_FLOATS_PACKED_ROWS(name, width, X, A) X(name##_conditional_##width, A)
#define TD_FLOATS_HALO_ROWS(name, width, X, A)   X(name##_halo_##width, A)
#define TD_FLOATS_STAGED(name, width, X, A) \
    X(name##_shared_##width,   name##_halo_##width,  A) \
    X(name##_aligned_##width,  name##_lines_##width, A) \
    X(name##_two_cell_##width, name##_lines_##width, A)
#define TD_FLOATS_STRIPS(name, width, X, A)   X(name##_strip_##width, name##_lines_##width, A)
#define TD_FLOATS_TILED_AS(name, width, X, A) X(name##_rect_##width, name##_lines_##width, name##_aligned_##width, A)
#define TD_FLOATS_STEMS(name, width, X, A)    X(name##_lines_##width, A)

#define TD_BLUR_STAGED(X, A) \
    TD_FLOATS_STAGED(blur, f32, X, A) X(blur_two_generation_f32, blur_lines_f32, A)
#define TD_WATER_STAGED(X, A) \
    TD_FLOATS_STAGED(water, f32, X, A) X(water_two_generation_f32, water_lines_f32, A)
#define TD_DOG_STAGED(X, A)  TD_FLOATS_STAGED(dog, f32, X, A) TD_FLOATS_STAGED(dog, f32x2, X, A)
#define TD_DOG_STRIPS(X, A)  TD_FLOATS_STRIPS(dog, f32, X, A) TD_FLOATS_STRIPS(dog, f32x2, X, A)

/* Those of several automata together. */
#define TD_FLOATS_ALL_PACKED_ROWS(X, A) \
    TD_FLOATS_PACKED_ROWS(blur, f32, X, A) TD_FLOATS_PACKED_ROWS(dog, f32, X, A) \
    TD_FLOATS_PACKED_ROWS(dog, f32x2, X, A) TD_FLOATS_PACKED_ROWS(extrema, f32, X, A) \
    TD_FLOATS_PACKED_ROWS(water, f32, X, A)
#define TD_FLOATS_ALL_HALO_ROWS(X, A) \
    TD_FLOATS_HALO_ROWS(blur, f32, X, A) TD_FLOATS_HALO_ROWS(dog, f32, X, A) \
    TD_FLOATS_HALO_ROWS(dog, f32x2, X, A) TD_FLOATS_HALO_ROWS(extrema, f32, X, A) \
    TD_FLOATS_HALO_ROWS(water, f32, X, A)
#define TD_FLOATS_ALL_STEMS(X, A) \
    TD_FLOATS_STEMS(blur, f32, X, A) TD_FLOATS_STEMS(dog, f32, X, A) \
    TD_FLOATS_STEMS(dog, f32x2, X, A) TD_FLOATS_STEMS(extrema, f32, X, A) TD_FLOATS_STEMS(water, f32, X, A)

/* Each automaton on its own: A is its name, td_NAME_reference. */
#define TD_GOL_PLAIN(X, A)   TD_GOL_HALO_ROWS(X, A) TD_GOL_PACKED_ROWS(X, A)
#define TD_GOL_TILED(X, A)   TD_GOL_STAGED(X, A) TD_GOL_STRIPS(X, A)
#define TD_LIFE_PLAIN(X, A)  TD_LIFE_HALO_ROWS(X, A) TD_LIFE_PACKED_ROWS(X, A)
#define TD_LIFE_TILED(X, A)  TD_LIFE_STAGED(X, A) TD_LIFE_STRIPS(X, A)
#define TD_FLOATS_PLAIN(name, width, X, A) \
    TD_FLOATS_HALO_ROWS(name, width, X, A) TD_FLOATS_PACKED_ROWS(name, width, X, A)
#define TD_BLUR_PLAIN(X, A)       TD_FLOATS_PLAIN(blur, f32, X, A)
#define TD_BLUR_TILED(X, A)       TD_BLUR_STAGED(X, A) TD_FLOATS_STRIPS(blur, f32, X, A)
#define TD_BLUR_TILED_AS(X, A)    TD_FLOATS_TILED_AS(blur, f32, X, A)
#define TD_DOG_PLAIN(X, A)        TD_FLOATS_PLAIN(dog, f32, X, A) TD_FLOATS_PLAIN(dog, f32x2, X, A)
#define TD_DOG_TILED(X, A)        TD_DOG_STAGED(X, A) TD_DOG_STRIPS(X, A)
#define TD_DOG_TILED_AS(X, A)     TD_FLOATS_TILED_AS(dog, f32, X, A) TD_FLOATS_TILED_AS(dog, f32x2, X, A)
#define TD_EXTREMA_PLAIN(X, A)    TD_FLOATS_PLAIN(extrema, f32, X, A)
#define TD_EXTREMA_TILED(X, A)    TD_FLOATS_STAGED(extrema, f32, X, A) TD_FLOATS_STRIPS(extrema, f32, X, A)
#define TD_WATER_PLAIN(X, A)      TD_FLOATS_PLAIN(water, f32, X, A)
#define TD_WATER_TILED(X, A)      TD_WATER_STAGED(X, A)
#define TD_WATER_TILED_AS(X, A)   TD_FLOATS_TILED_AS(water, f32, X, A)
#define TD_EXTREMA_TILED_AS(X, A) TD_FLOATS_TILED_AS(extrema, f32, X, A)
/* clang-format on */

#endif
