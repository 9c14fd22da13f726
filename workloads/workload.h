/*
 * workload.h - what a workload is: buffers, a function of one cell, a check of one cell.
 *
 * Pure computation: nothing here or in the workloads knows of grids or of maps.
 */
#ifndef TD_WORKLOADS_WORKLOAD_H
#define TD_WORKLOADS_WORKLOAD_H

#include "data.h"

typedef enum td_layout { TD_PACKED, TD_FULL } td_layout;

typedef enum td_element { TD_U8, TD_U32, TD_I32, TD_F32, TD_F64 } td_element;

/* The Game of Life: how a kernel reads its neighbourhood, how wide a cell is, what the domain is. */
typedef enum td_memory {
    TD_MEMORY_NONE, /* not the Game of Life, or not chosen */
    TD_MEMORY_CONDITIONAL,
    TD_MEMORY_HALO,
    TD_MEMORY_SHARED,
    TD_MEMORY_ALIGNED,
    TD_MEMORY_RECT,
    TD_MEMORY_TWO_CELL,
    TD_MEMORY_TWO_GENERATION,
    TD_MEMORY_STRIP
} td_memory;
typedef enum td_cell_width { TD_CELL_NONE, TD_CELL_U32, TD_CELL_U8, TD_CELL_BIT } td_cell_width;
typedef enum td_domain_shape { TD_DOMAIN_TRIANGLE, TD_DOMAIN_SQUARE } td_domain_shape;

/* One instance of a workload: what its buffers are made for. */
typedef struct td_problem {
    uint32_t n;    /* N, cells a side */
    uint32_t tile; /* side of a tile [cells], for outputs that keep one element a tile */
    td_layout layout;
    td_domain_shape domain; /* the square is for workloads with has_domains */
    uint64_t seed;
    uint32_t steps; /* generations of a cellular automaton */
    uint32_t rule;  /* four decimal digits El Eu Fl Fu */
    double density; /* probability that a cell starts alive */
    /* N rows of the workload's columns, row by row, from --input; NULL: generated */
    const float *points;
    /* starting state, one byte a cell, row by row of the domain; NULL: generated */
    const uint8_t *state;
} td_problem;

/*
 * A row of the registry, made from the lists in workloads.h. Sizes are exact in 64 bits for N up to 2^20.
 *
 * Functions that a workload has no use for are NULL.
 */
typedef struct td_workload {
    const char *name;    /* on the command line */
    const char *summary; /* one line of help */
    const char *input;   /* what --input takes, NULL: nothing */
    uint32_t id;         /* index in the registry and in the engines' tables */
    int dimension;
    uint32_t columns;   /* numbers in a row of a table given as --input; 0: no table */
    uint32_t more_rows; /* rows of such a table beyond N */
    td_element element; /* of the output */
    uint8_t poison;     /* byte that fills the output before a verification */
    bool has_layouts;   /* --layout means something */
    bool no_diagonal;   /* 2D: cells (i, i) have no work */
    /* any cell may write last: the run is verified by `cover` in the same grids */
    bool proven_by_cover;
    bool steps; /* advances a state, launch after launch, from buffer to buffer */

    /* Only with steps. */
    uint32_t rule;        /* four digits, where --rule is not given */
    uint32_t generations; /* that one launch advances, 1 or more */
    uint8_t most;         /* largest byte of a state */
    bool has_domains;     /* works on the whole square too */
    bool dead_halo;       /* reads stored cells around the domain, which must be dead */
    td_memory memory;     /* variants of one name: this one's technique and width of a cell */
    td_cell_width width;

    /* A kernel of its own for whole tiles; tiles it takes. */
    bool has_tiles;         /* it exists */
    bool only_tiles;        /* on a GPU it is the only one */
    uint32_t tile_multiple; /* the tile's side is a multiple of this */
    uint32_t tile_most;     /* and no larger than this [cells] */
    uint32_t tile_default;  /* its side where the command line leaves it open; 0: as the block */
    td_dim3 block_default;  /* likewise the block, x = 0: the dimension's */

    /* Elements of the output. */
    uint64_t (*output_elements)(const td_problem *problem);
    /* Bytes of the input. */
    uint64_t (*input_bytes)(const td_problem *problem);
    /* Fill the input on the host. */
    void (*fill)(const td_problem *problem, void *input);
    /* Everything of td_data but the pointers. */
    void (*setup)(const td_problem *problem, td_data *data);
    /* The model: bytes that one run must move, each input read once and each output written once. */
    uint64_t (*bytes)(const td_problem *problem);
    /* The model: floating-point operations of one run, a root counted as one. */
    uint64_t (*flops)(const td_problem *problem);
    const char *tally; /* name of the sum of td_verdict.found in the record's result */
    /* With steps: generate a state; fill(), with problem->state set, puts it into the buffer, save() takes
     * it out again. */
    void (*start)(const td_problem *problem, uint8_t *state);
    void (*save)(const td_problem *problem, const void *output, uint8_t *state);
    /* A workload that is one sum, element 0 of its output [double]: the plain reference, from the input on
     * the host. */
    double (*total)(const td_problem *problem, const void *input);
} td_workload;

extern const td_workload td_workloads[];
extern const size_t td_workload_count;

/* By name and dimension (0: any), the first of several variants; NULL when unknown. */
const td_workload *td_workload_find(const char *name, int dimension);

/* The variant of a workload with this technique and this width of a cell; NULL: there is none. */
const td_workload *td_workload_variant(const td_workload *workload, td_memory memory,
                                       td_cell_width width);

/* False for all variants of a name but the first: they are chosen by options, not by name. */
bool td_workload_is_listed(const td_workload *workload);

/* As on the command line; NULL for none. */
const char *td_memory_name(td_memory memory);
const char *td_cell_width_name(td_cell_width width);
const char *td_domain_shape_name(td_domain_shape domain);

/* Size of one element [bytes] and its name in numpy ("<f4"). */
size_t td_element_bytes(td_element element);
const char *td_element_numpy(td_element element);

/* Cells with work: T(N), T(N - 1) without the diagonal, N^2 on the square, Te(N) in 3D. */
uint64_t td_workload_cells(const td_workload *workload, const td_problem *problem);

#endif
