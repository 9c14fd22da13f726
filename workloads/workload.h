/*
 * workload.h - the definition of a workload: buffers, a function of one cell, a check of one cell.
 *
 * Pure computation: nothing here or in the workloads depends on grids or maps.
 */
#ifndef TD_WORKLOADS_WORKLOAD_H
#define TD_WORKLOADS_WORKLOAD_H

#include "data.h"
#include "list.h"
#include "workloads/automata/techniques.h"

typedef enum td_layout { TD_PACKED, TD_FULL, TD_BLOCKED, TD_MIRRORED } td_layout;

/* Numbers of 16 bits: see half.h. Of bf16, which numpy does not have, files hold the bits. */
typedef enum td_element {
    TD_U8,
    TD_U32,
    TD_I32,
    TD_F32,
    TD_F64,
    TD_BF16,
    TD_F16,
    TD_I64,
    TD_ELEMENTS
} td_element;

/* ---- parameters: what a workload lets its user choose ---- */

typedef enum td_parameter_kind {
    TD_PARAMETER_COUNT,  /* a whole number, low..high */
    TD_PARAMETER_REAL,   /* a decimal number, 0..high */
    TD_PARAMETER_DIGITS, /* a word with as many decimal digits as `high`; leading zeros count */
    TD_PARAMETER_CHOICE  /* one of the words of `choices` */
} td_parameter_kind;

/* A row of a workload's table of parameters. Options, help, --list, keys, JSON, CSV and the schema are made from it. */
typedef struct td_parameter {
    const char *name; /* --name on the command line, and the member of the record's "parameters" */
    td_parameter_kind kind;
    const char *choices;  /* words of a choice: "triangle|square" */
    uint64_t low, high;   /* bounds of a number */
    const char *preset;   /* the default, as on the command line */
    const char *argument; /* what help calls the value: "WIDTH" */
    const char *unit;     /* unit of a number; NULL: none */
    const char *help;     /* one line */
    const char *expected; /* text for error messages; NULL: made from the bounds or the choices */
    /* Why a workload without this parameter accepts only its default: "works on triangles only". NULL: such a workload
     * ignores the parameter. */
    const char *lacking;
    const char *key;   /* prefix of the value in a run's key: "g" in "/g100" */
    bool in_every_key; /* the key includes the default, too */
    bool is_tuned;     /* chooses how to compute, not what: --tune tries its words */
} td_parameter;

enum { TD_PARAMETERS = 8 }; /* most parameters of a workload */

/* A parameter's value: `count` for a count, for digits and for a choice (the place of its word), `real` for a real. */
typedef union td_value {
    uint64_t count;
    double real;
} td_value;

/* A number that a workload finds besides its output: the member `name` of the record's "result". */
typedef enum td_finding_kind { TD_FINDS_NOTHING, TD_FINDS_COUNT, TD_FINDS_REAL } td_finding_kind;
typedef struct td_finding {
    const char *name;
    td_finding_kind kind; /* a count is the sum of td_verdict.found, a real the total of a sum */
} td_finding;

/* One instance of a workload: all that its buffers depend on. */
typedef struct td_problem {
    uint32_t n;    /* N, cells per side */
    uint32_t tile; /* side of a tile [cells], for outputs that keep one element per tile */
    td_layout layout;
    uint64_t seed;
    /* in the order of the workload's table, every default filled in */
    td_value parameters[TD_PARAMETERS];
    /* a table of the workload's columns or an image of N x N pixels, row by row, from --input; NULL: generated */
    const float *numbers;
    /* starting state, row by row of the domain; NULL: generated */
    const void *state;
    /* the output that every run must give, as a packed or a full one, from --verify; NULL: none was given */
    const void *expected;
    uint64_t expected_elements;
    td_lengths lengths; /* of the triangles of a batch */
    /* For an automaton: start, fill and save work on rows [first_row, end_row); end_row 0: all rows. If there are other
     * rows, the buffer to fill is zeroed before. Pointers point to where row 0 of the domain would be. */
    uint32_t first_row, end_row;
} td_problem;

/* Why a table given as --input was rejected: the first bad row, and the reason, as a predicate of that row. */
typedef struct td_unfit {
    uint32_t row;
    const char *why;
} td_unfit;

/* ---- the descriptor, and its parts ---- */

/* In place of a number of columns: it is a parameter of the workload, usually the first. */
#define TD_COLUMNS_CHOSEN UINT32_MAX

/* The input of a workload, generated or from a file. An automaton's states are generated and stored by its family. */
typedef struct td_workload_input {
    const char *takes;  /* the input that --input takes; NULL: none */
    uint32_t columns;   /* numbers per row of a table; 0: no table; see TD_COLUMNS_CHOSEN */
    uint32_t chosen_by; /* then the place of that parameter */
    uint32_t more_rows; /* rows of such a table beyond N */
    /* Matrices of N rows, one after the other in a table; NULL: it is one. */
    uint64_t (*matrices)(const td_problem *problem);
    bool of_halves;   /* numbers of 16 bits: a table of uint16 holds the bits of bf16 */
    float image_most; /* the largest magnitude of an image's N x N values; 0: no image */
    uint64_t (*bytes)(const td_problem *problem); /* NULL: those of a table, column by column */
    /* Fills the input on the host. NULL: column k of row i is float32 k (N + more_rows) + i, from --input or
     * generated. */
    void (*fill)(const td_problem *problem, void *input);
    /* Whether a table has numbers that the workload cannot compute with. NULL: it never has any. */
    bool (*unfit)(const td_problem *problem, const float *points, uint32_t rows, uint32_t columns,
                  td_unfit *unfit);
} td_workload_input;

/* A workload that is one sum of doubles: element 0 of its output. */
typedef struct td_sum {
    /* The plain reference, from the input on the host. *scale: the sum of the terms' absolute values. Rounding is
     * relative to it, because terms of opposite sign may cancel. */
    double (*total)(const td_problem *problem, const void *input, double *scale);
} td_sum;

/* A workload's own tile kernel on a GPU, and the tiles and blocks that it takes. */
typedef struct td_tiles {
    /* If no kernel works cell by cell: the option that chose this one, "--memory shared". */
    const char *only;
    const char *instead; /* and the option that chooses a kernel that works cell by cell */
    uint32_t multiple;   /* the side of a tile is a multiple of this */
    uint32_t most;       /* the largest side [cells] */
    /* The side is `most`, its half, ...; half the side needs half of threads_multiple. Sides below the usual one take
     * this kernel only with --kernel tile. */
    bool halves;
    uint32_t side;             /* the usual side; 0: that of the block */
    uint32_t threads_multiple; /* a block's threads are a multiple of this; 0: any number */
    uint32_t threads_most;     /* most threads per block */
    td_dim3 block;             /* the usual block; x = 0: that of the dimension */
    td_flat flat;
    bool banded;   /* a block may take a band of a tile's rows */
    uint32_t band; /* the usual rows of a band; 0: all of the tile's */
    /* The two bands of a tile go to a cluster of two blocks with this much shared memory each, and no tile is cut
     * otherwise; 0: as usual [bytes] */
    uint32_t cluster_shared;
    uint32_t cluster_copiers; /* threads of each of these blocks that only copy, besides its own */
    td_flat packed;           /* the usual ones in the packed layout; block.x = 0: the same */
    td_small small[TD_SMALL];
    int registers;   /* registers per thread, so few that the intended blocks fit; 0: no limit */
    uint32_t shared; /* memory of a block, besides what the kernel declares with a size [bytes] */
} td_tiles;

/* A tile kernel that takes any side up to the length of two warps, with any block. */
TD_DESCRIPTOR td_tiles td_any_tiles = {.multiple = 1, .most = 64};

/* Generates the elements of cell number `at` of the domain; in 2D that is cell (row, col). */
typedef void td_start_fn(const td_problem *problem, uint32_t row, uint32_t col, uint64_t at,
                         void *elements);

/*
 * A state that advances, launch after launch, from buffer to buffer. Its parameters begin with `memory` and `cell`; of
 * the others, `domain`, `steps`, `rule` and `density` are known by their names.
 */
typedef struct td_automaton {
    const struct td_cells *cells; /* what a cell becomes: workloads/automata/state/cells.h */
    const td_variant *variants;   /* the automaton's table */
    size_t variant_count;
    td_width widths[TD_WIDTHS + 1]; /* indexed by the words of --cell; the first is "auto" */
    td_technique usual;             /* meaning of "auto", except for bits */
    uint32_t flops;                 /* the model's, per cell and step; 0: integers only */
    uint8_t most;                   /* largest byte of a state */
    /* Sets the workload's own part of td_data; NULL: it has none but the rule. */
    void (*setup)(const td_problem *problem, td_data *data);
    td_start_fn *start; /* NULL: each plane of a cell is alive with the probability `density` */

    /* What follows is filled in by td_workload_variant. */
    const td_variant *variant; /* the row of the table that this is */
    uint32_t row;              /* place of that row */
    uint32_t generations;      /* per launch */
    bool dead_halo;            /* reads cells stored around the domain, which must be dead */
    uint32_t state_bytes;      /* bytes per cell in the reference and the first state; 0: one */
    td_element saved;          /* element of a cell in a dump */
} td_automaton;

/* Facts about a workload's cells and its output. */
typedef struct td_traits {
    bool from_zero; /* cells add to the output, which is filled with zeros before a verification */
    bool twice;     /* and a verification launches twice */
    bool has_layouts;  /* --layout applies: packed and full */
    bool has_blocked;  /* and blocked, for 4-byte cells */
    bool has_mirrored; /* and mirrored: cells store where data.full is 2 as well */
    bool no_diagonal;  /* 2D: cells (i, i) have no work */
    /* the output is one count per cell: it verifies a map for other workloads of its dimension */
    bool counts_visits;
    /* cells are right within a bound that follows from their rounding; the poison is NaN, which no bound lets pass */
    bool is_rounded;
    /* 2D, on the host: the element that such a cell should have, for the reason of a failed check; NULL: not said */
    void (*expected)(const td_data *data, uint32_t row, uint32_t col, void *element);
    /* any cell may write last: the workload that counts visits verifies it, in the same grids */
    bool proven_by_count;
    /* A cell stores its own element (2D: at td_row_start), always the same value, and nothing else, and reads no
     * output: an engine may compute it twice. */
    bool own_element;
    /* 2D: the workload computes whole rows of a batch of triangles, which are its cells: row i of triangle b is cell
     * (i, b). Its parameters include `batch`. */
    bool by_rows;
} td_traits;

/* What one run must do at least. An automaton's family provides bytes and flops. */
typedef struct td_model {
    /* Bytes that must be moved, where triangles have N rows. NULL: each input is read once and each element written
     * once or, if cells add to it, read and written; of a workload from a file: unknown. */
    uint64_t (*bytes)(const td_problem *problem);
    /* Floating-point operations, a root counted as one: see td_length_of. NULL: see int_ops; neither: unknown. */
    uint64_t (*flops)(const td_problem *problem);
    /* Of a workload that computes in integers: 32-bit additions, comparisons and logic operations per cell, with sums
     * shared among neighbours. */
    uint32_t int_ops;
} td_model;

/*
 * The descriptor of a workload, at the foot of its header. Sizes are exact in 64 bits for N up to 2^20. Members that a
 * workload does not need are NULL.
 */
typedef struct td_workload {
    const char *name;    /* on the command line */
    const char *summary; /* one line of help */
    int dimension;
    const td_parameter *parameters;
    size_t parameter_count;
    td_finding finding;
    td_element element; /* element of the output */
    uint32_t ulp;       /* floats: largest difference between two maps' outputs [ulp] */
    td_traits traits;
    const td_workload_input *input;
    const td_sum *sum;
    const td_tiles *tiles;
    const td_automaton *automaton;
    const struct td_own *own; /* for a file given at run time: engine/core/own.h */
    /* The descriptor that the parameters choose, or NULL and why not. NULL: there is just one. */
    const struct td_workload *(*variant)(const td_problem *problem, const char **why);

    /* An automaton's family provides all that follows: call td_workload_NAME. */
    /* Elements of the output. NULL: one per cell, in any layout. */
    uint64_t (*output_elements)(const td_problem *problem);
    /* Sets all of td_data but the pointers. NULL: for one element per cell. */
    void (*setup)(const td_problem *problem, td_data *data);
    td_model model;
} td_workload;

enum { TD_WORKLOADS_MOST = TD_WORKLOAD_COUNT + 64 };

/* The workloads, one per name and dimension: those of the list, then those that were added. */
extern const td_workload *td_workloads[TD_WORKLOADS_MOST];
extern size_t td_workload_count;

/* Adds a workload that is not in the list. False: there is no room for another. */
bool td_workload_add(const td_workload *workload);

/* The place of a workload, or of one of its variants, in that table and in the engines' tables. */
uint32_t td_workload_id(const td_workload *workload);

/* Finds a workload by name and dimension (0: any); NULL if unknown. */
const td_workload *td_workload_find(const char *name, int dimension);

/*
 * The descriptor that the parameters choose, where they choose between storages or kernels. It has the same name, table
 * and id. Values that mean "the usual" are replaced by it.
 *
 * Output  NULL and a sentence in *why if there is no such combination
 */
const td_workload *td_workload_variant(const td_workload *workload, td_problem *problem,
                                       const char **why);

/* The elements of the output; the bytes of the input, 0 if there is none, and where in it the lengths of triangles
 * begin if the problem has some, see td_data.lengths; all of td_data but the pointers. */
uint64_t td_workload_output_elements(const td_workload *workload, const td_problem *problem);
uint64_t td_workload_input_bytes(const td_workload *workload, const td_problem *problem);
uint64_t td_workload_lengths_at(const td_workload *workload, const td_problem *problem);
void td_workload_setup(const td_workload *workload, const td_problem *problem, td_data *data);

/* Whether the input comes from --input and is not generated. */
bool td_problem_is_given(const td_problem *problem);

/* Fills the input on the host; for an automaton, with the state in problem->state, as it is stored. */
void td_workload_fill(const td_workload *workload, const td_problem *problem, void *input);

bool td_workload_has_layout(const td_workload *workload, td_layout layout);

/* The byte that fills the output before a verification, and whether all of a square or cube but the domain must keep
 * it. */
uint8_t td_workload_poison(const td_workload *workload);
bool td_workload_is_untouched_outside(const td_workload *workload, const td_data *data);

/* The model: bytes that one run must move, 0 if unknown; and floating-point operations, 0 if it computes in integers or
 * if unknown. */
uint64_t td_workload_bytes(const td_workload *workload, const td_problem *problem);
uint64_t td_workload_flops(const td_workload *workload, const td_problem *problem);

/* Whether the model is known: a workload from a file may leave it out. */
bool td_workload_has_model(const td_workload *workload);

/* For an automaton: generate its first state; take a state out of a buffer. */
void td_workload_start(const td_workload *workload, const td_problem *problem, void *state);
void td_workload_save(const td_workload *workload, const td_problem *problem, const void *output,
                      void *state);

/* All that the first state depends on: the same for every way to store it, and for any number of generations. */
td_problem td_workload_origin(const td_workload *workload, const td_problem *problem);

/* A number, never 0, of the way to store a state: automata of one family with the same origin and number store it
 * alike. */
uint32_t td_workload_storage(const td_workload *workload, const td_problem *problem);

/* The element that cell (row, 0) of an automaton lies in, or starts with. */
uint64_t td_workload_row_element(const td_workload *workload, const td_problem *problem,
                                 uint32_t row);

bool td_workload_takes_input(const td_workload *workload);

/* The option that chose a tile kernel, if there is no other kernel; NULL: there is another. */
const char *td_workload_only_tiles(const td_workload *workload);

/* Generations per launch; 0 for a workload that is not an automaton. */
uint32_t td_workload_generations(const td_workload *workload);

/* The row of an automaton's table, 0 for all others: it tells which of several kernels with the same id belong to this
 * one. */
uint32_t td_workload_row(const td_workload *workload);

/* Whether the workload's own tile kernel takes tiles of this side. The workload must have one. */
bool td_workload_takes_side(const td_workload *workload, uint32_t tile);

/* The number that a block's threads must be a multiple of, for tiles of this side; 0: any number. */
uint32_t td_workload_threads_multiple(const td_workload *workload, uint32_t tile);

/* Whether the workload has its own tile kernel and it takes a tile of this side with this block. */
bool td_workload_takes_tile(const td_workload *workload, uint32_t tile, td_dim3 block);

/* Whether it has its own tile kernel, and a tile's rows may go to several blocks. */
bool td_workload_takes_bands(const td_workload *workload);

/* Whether it takes a flat tile of this width and side, on the whole square. */
bool td_workload_takes_flat(const td_workload *workload, uint32_t width, uint32_t side);

/* The workload of a dimension that counts visits. */
const td_workload *td_workload_that_counts(int dimension);

/* The parameter with this name in a workload's table; NULL: it has none. */
const td_parameter *td_workload_parameter(const td_workload *workload, const char *name);

/* Triangles that a run computes in one launch: the product of the parameters `batch` and `heads`, where it has them. */
uint32_t td_workload_batch(const td_workload *workload, const td_problem *problem);

/* Generations that a run advances; 0 for a workload that is not an automaton. */
uint32_t td_workload_steps(const td_workload *workload, const td_problem *problem);

/* False for an automaton whose users cannot choose generations: its result is no state of it. */
bool td_workload_advances(const td_workload *workload);
/* Sets the generations that a run advances, if its user may choose them. */
void td_workload_set_steps(const td_workload *workload, td_problem *problem, uint32_t steps);

/* Bytes of all cells' states, as `save` writes them. */
uint64_t td_workload_saved_bytes(const td_workload *workload, const td_problem *problem);

/* Whether the domain is the whole square, for workloads that can do both. */
bool td_workload_is_square(const td_workload *workload, const td_problem *problem);

/* The same for td_data that was set up for the problem. */
bool td_workload_fills_square(const td_workload *workload, const td_data *data);

/* Size of one element [bytes], its name in numpy ("<f4"), and whether it is a floating-point number. */
size_t td_element_bytes(td_element element);
const char *td_element_numpy(td_element element);
bool td_element_is_float(td_element element);

/* The model: integer operations of one run, 0 for a workload that computes in floating point, or nothing. */
uint64_t td_workload_int_ops(const td_workload *workload, const td_problem *problem);

/* Cells with work: T(N), T(N - 1) without the diagonal, N^2 on the square, Te(N) in 3D. */
uint64_t td_workload_cells(const td_workload *workload, const td_problem *problem);

#endif
