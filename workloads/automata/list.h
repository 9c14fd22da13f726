/* list.h - the variants of life, by technique (--memory) and width of a cell (--cell). */
#ifndef TD_WORKLOADS_LIFE_LIST_H
#define TD_WORKLOADS_LIFE_LIST_H

/* clang-format off */
/* One thread per cell; rows are packed, or have a halo. */
#define TD_LIFE_PACKED_ROWS(X, A) \
    X(life_conditional_u8,  A) \
    X(life_conditional_u32, A)
#define TD_LIFE_HALO_ROWS(X, A) \
    X(life_halo_u8,         A) \
    X(life_halo_u32,        A)
#define TD_LIFE_PLAIN(X, A) TD_LIFE_HALO_ROWS(X, A) TD_LIFE_PACKED_ROWS(X, A)

/*
 * On a GPU a kernel for whole tiles, td_ID_tile. X(identifier, stem, A): td_STEM_cell is what the cpu engine runs, on
 * the same storage, and td_STEM_check and td_STEM_paint go with it.
 */
#define TD_LIFE_TILED(X, A) TD_LIFE_STAGED(X, A) TD_LIFE_STAGED_TIGHTLY(X, A) TD_LIFE_STRIPS(X, A)

/* A tile is staged in shared memory; the second kind in so few registers (32) that 2048 threads are resident. */
#define TD_LIFE_STAGED(X, A) \
    X(life_shared_u32,         life_halo_u32,    A) \
    X(life_aligned_u32,        life_aligned_u32, A) \
    X(life_aligned_u8,         life_aligned_u8,  A) \
    X(life_two_cell_u32,       life_aligned_u32, A) \
    X(life_two_cell_u8,        life_aligned_u8,  A) \
    X(life_two_generation_u32, life_twice_u32,   A) \
    X(life_two_generation_u8,  life_twice_u8,    A)
#define TD_LIFE_STAGED_TIGHTLY(X, A) \
    X(life_shared_u8,          life_halo_u8,     A)

/* Nothing is staged: a thread slides down rows. */
#define TD_LIFE_STRIPS(X, A) \
    X(life_strip_u32,          life_aligned_u32, A) \
    X(life_strip_u8,           life_aligned_u8,  A) \
    X(life_strip_bit,          life_bits,        A)

/* Those whose kernels are the ones of the variant named like the stem: `rect` is `aligned` in other blocks. */
#define TD_LIFE_TILED_AS(X, A) \
    X(life_rect_u32,           life_aligned_u32, A) \
    X(life_rect_u8,            life_aligned_u8,  A)

/* The stems that no plain variant is. */
#define TD_LIFE_STEMS(X, A) \
    X(life_aligned_u32, A) \
    X(life_aligned_u8,  A) \
    X(life_twice_u32,   A) \
    X(life_twice_u8,    A) \
    X(life_bits,        A)
/* clang-format on */

#endif
