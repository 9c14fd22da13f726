/*
 * workload.h - what a workload is: buffers, a function of one cell, a check of one cell.
 *
 * Pure computation: nothing here or in the workloads knows of grids or of maps.
 */
#ifndef TD_WORKLOADS_WORKLOAD_H
#define TD_WORKLOADS_WORKLOAD_H

#include "data.h"
#include "list.h"

typedef enum td_layout { TD_PACKED, TD_FULL } td_layout;

typedef enum td_element { TD_U8, TD_U32, TD_I32, TD_F32, TD_F64 } td_element;

/* ---- parameters: what a workload lets its user choose ---- */

typedef enum td_parameter_kind {
    TD_PARAMETER_COUNT,  /* a whole number, low..high */
    TD_PARAMETER_REAL,   /* a decimal number, 0..high */
    TD_PARAMETER_DIGITS, /* a word of as many decimal digits as `high` has: zeros in front count */
    TD_PARAMETER_CHOICE  /* one of the words of `choices` */
} td_parameter_kind;

/* A row of a workload's table of parameters. Options, help, --list, keys, JSON, CSV and the schema are made from it. */
typedef struct td_parameter {
    const char *name; /* --name on the command line, and the member of the record's "parameters" */
    td_parameter_kind kind;
    const char *choices;  /* of a choice: "triangle|square" */
    uint64_t low, high;   /* of a number */
    const char *preset;   /* the default, as on the command line */
    const char *argument; /* what help calls the value: "WIDTH" */
    const char *unit;     /* of a number; NULL: none */
    const char *help;     /* one line */
    const char *expected; /* in error messages; NULL: made from the bounds or the choices */
    /* Why a workload without this parameter accepts only its default: "works on triangles only". NULL: such a workload
     * ignores the parameter. */
    const char *lacking;
    const char *key;   /* what stands before the value in a run's key, "g" in "/g100" */
    bool in_every_key; /* the key has the default, too */
    bool is_tuned;     /* a choice of how, not of what: --tune tries its words */
} td_parameter;

enum { TD_PARAMETERS = 8 }; /* the most that a workload has */

/* A parameter's value: `count` of a count, of digits and of a choice (the place of its word), `real` of a real. */
typedef union td_value {
    uint64_t count;
    double real;
} td_value;

/* What a workload finds beside its output: one number, the member `name` of the record's "result". */
typedef enum td_finding_kind { TD_FINDS_NOTHING, TD_FINDS_COUNT, TD_FINDS_REAL } td_finding_kind;
typedef struct td_finding {
    const char *name;
    td_finding_kind kind; /* a count is the sum of td_verdict.found, a real the total of a sum */
} td_finding;

/* How a snapshot draws a cell. */
typedef enum td_cell_shape { TD_CELLS_ARE_SQUARES, TD_CELLS_ARE_TRIANGLES } td_cell_shape;

/* What the colours of a run's snapshots mean where cells are numbers: the same in all of them. */
typedef struct td_shades {
    double black, white; /* of grey */
    double half_blue;    /* of what lies over it */
} td_shades;

/* One instance of a workload: what its buffers are made for. */
typedef struct td_problem {
    uint32_t n;    /* N, cells per side */
    uint32_t tile; /* side of a tile [cells], for outputs that keep one element per tile */
    td_layout layout;
    uint64_t seed;
    /* in the order of the workload's table, every default filled in */
    td_value parameters[TD_PARAMETERS];
    /* N rows of the workload's columns, row by row, from --input; NULL: generated */
    const float *points;
    /* N x N values, row by row, from --input; NULL: generated */
    const float *image;
    /* starting state, row by row of the domain; NULL: generated */
    const void *state;
    /* Of an automaton: start, fill and save are about rows [first_row, end_row); end_row 0: all. What they fill is
     * zeroed where there are others. Pointers lead to where the first row would be. */
    uint32_t first_row, end_row;
} td_problem;

/* What is wrong with a table given as --input: its first row that is to blame, and why, said of that row. */
typedef struct td_unfit {
    uint32_t row;
    const char *why;
} td_unfit;

/* ---- the descriptor ---- */

typedef struct td_workload td_workload;

/*
 * What a workload is: a struct at the foot of its header. Sizes are exact in 64 bits for N up to 2^20. Functions that a
 * workload has no use for are NULL.
 */
struct td_workload {
    const char *name;    /* on the command line */
    const char *summary; /* one line of help */
    const char *input;   /* what --input takes, NULL: nothing */
    uint32_t id;         /* index in the engines' tables */
    int dimension;
    const td_parameter *parameters;
    size_t parameter_count;
    td_finding finding;
    uint32_t columns;   /* numbers in a row of a table given as --input; 0: no table */
    uint32_t more_rows; /* rows of such a table beyond N */
    td_element element; /* of the output */
    uint8_t poison;     /* byte that fills the output before a verification */
    bool has_layouts;   /* --layout means something */
    bool no_diagonal;   /* 2D: cells (i, i) have no work */
    /* its output is one count per cell: it verifies a map for other workloads of its dimension */
    bool counts_visits;
    /* any cell may write last: verified by the workload that counts visits, in the same grids */
    bool proven_by_count;
    bool flops_are_double;
    /* The model of a workload that computes in integers: 32-bit additions, comparisons and logic that a cell takes, its
     * sums shared with its neighbours; and the cells that one of them works on, 0: as many elements as 32 bits hold. */
    uint32_t int_ops, cells_per_op;
    /* 2D: a cell stores its own element, where td_row_start says, always the same, and nothing else, and reads no
     * output: an engine may compute it twice */
    bool own_element;

    /* Of an automaton, which advances a state, launch after launch, from buffer to buffer. */
    uint32_t generations;     /* that one launch advances; 0: no automaton */
    uint32_t state_bytes;     /* of a cell as the reference and `start` have it; 0: one */
    td_element saved;         /* of a cell as `save` and --dump have it */
    uint8_t most;             /* largest byte of a state */
    bool dead_halo;           /* reads stored cells around the domain, which must be dead */
    bool takes_image;         /* --input is an image of N x N values, */
    float image_most;         /* none of them larger, or smaller than the negative of this */
    bool takes_patterns;      /* --input may be a pattern (.rle), whose rule is parameter `rule` */
    uint32_t rule;            /* place of that parameter */
    td_cell_shape cell_shape; /* in a snapshot */
    /* The colour of a cell in a snapshot, 0xRRGGBB: `first` as `start` has it, where there are shades, and `now` as
     * `save` has it; of two triangles the one that points down, or the other. NULL: states are not drawn. */
    uint32_t (*colour)(const td_shades *shades, const void *first, const void *now, bool down);
    /* The shades of a run, from the first state of all its cells. NULL: its colours need none. */
    td_shades (*shades)(const td_problem *problem, const void *first);

    /* A kernel of its own for whole tiles, and the tiles it takes. */
    bool has_tiles; /* it exists */
    /* where a GPU has no other kernel: the option that chose it, "--memory shared", */
    const char *only_tiles;
    const char *instead;    /* and the option that chooses a kernel working cell by cell */
    uint32_t tile_multiple; /* the tile's side is a multiple of this */
    uint32_t tile_most;     /* and no larger than this [cells] */
    uint32_t tile_default;  /* its side where the command line leaves it open; 0: as the block */
    /* its block has a multiple of so many threads, at most so many; 0: any number */
    uint32_t threads_multiple, threads_most;
    td_dim3 block_default; /* likewise the block, x = 0: the dimension's */

    /* Where parameters choose between storages or kernels: the descriptor of the chosen one, with the same name and
     * table; NULL, and a sentence in *why, when there is no such combination. Replaces values that mean "the usual". */
    const td_workload *(*variant)(td_problem *problem, const char **why);
    /* Generations that a run of this problem advances. */
    uint32_t (*steps)(const td_problem *problem);
    /* Whether the domain is the whole square. */
    bool (*is_square)(const td_problem *problem);
    /* Elements of the output. */
    uint64_t (*output_elements)(const td_problem *problem);
    /* Of an automaton: the element of its state that cell (row, 0) lies in, or starts with. */
    uint64_t (*row_element)(const td_problem *problem, uint32_t row);
    /* Bytes of the input. */
    uint64_t (*input_bytes)(const td_problem *problem);
    /* Fill the input on the host. */
    void (*fill)(const td_problem *problem, void *input);
    /* Whether a table given as --input has numbers that the workload cannot compute with. NULL: it never has. */
    bool (*unfit)(const float *points, uint32_t rows, td_unfit *unfit);
    /* Everything of td_data but the pointers. */
    void (*setup)(const td_problem *problem, td_data *data);
    /* The model: bytes that one run must move, each input read once and each output written once. */
    uint64_t (*bytes)(const td_problem *problem);
    /* The model: floating-point operations of one run, a root counted as one. NULL: see int_ops. */
    uint64_t (*flops)(const td_problem *problem);
    /* Of an automaton: generate a state; fill(), with problem->state set, puts it into the buffer, save() takes it out
     * again. */
    void (*start)(const td_problem *problem, void *state);
    void (*save)(const td_problem *problem, const void *output, void *state);
    /* A workload that is one sum, element 0 of its output [double]: the plain reference, from the input on the host; in
     * *scale the sum of the absolute terms, which rounding is relative to: terms of either sign may leave nothing. */
    double (*total)(const td_problem *problem, const void *input, double *scale);
};

/* The workloads, one per name and dimension. */
extern const td_workload *const td_workloads[];
extern const size_t td_workload_count;

/* By name and dimension (0: any), NULL when unknown. */
const td_workload *td_workload_find(const char *name, int dimension);

/* Whether its own kernel for whole tiles takes a tile of this side with this block. */
bool td_workload_takes_tile(const td_workload *workload, uint32_t tile, td_dim3 block);

/* The workload of a dimension that counts visits. */
const td_workload *td_workload_that_counts(int dimension);

/* The row of a workload's table with this name, NULL: it has none. */
const td_parameter *td_workload_parameter(const td_workload *workload, const char *name);

/* Generations that a run advances, 0 for a workload that is no automaton. */
uint32_t td_workload_steps(const td_workload *workload, const td_problem *problem);

/* Bytes of all cells' states, as the reference and `start` have them, and as `save` has them. */
uint64_t td_workload_state_bytes(const td_workload *workload, const td_problem *problem);
uint64_t td_workload_saved_bytes(const td_workload *workload, const td_problem *problem);

/* Whether the domain is the whole square, for workloads that can do both. */
bool td_workload_is_square(const td_workload *workload, const td_problem *problem);

/* Size of one element [bytes] and its name in numpy ("<f4"). */
size_t td_element_bytes(td_element element);
const char *td_element_numpy(td_element element);

/* The model: integer operations of one run, 0 for a workload that computes in floating point or not at all. */
uint64_t td_workload_int_ops(const td_workload *workload, const td_problem *problem);

/* Cells with work: T(N), T(N - 1) without the diagonal, N^2 on the square, Te(N) in 3D. */
uint64_t td_workload_cells(const td_workload *workload, const td_problem *problem);

#endif
