/*
 * workload.h - what a workload is: buffers, a function of one cell, a check of one cell.
 *
 * Pure computation: nothing here or in the workloads knows of grids or of maps.
 */
#ifndef TD_WORKLOAD_H
#define TD_WORKLOAD_H

#include "../engine/td.h"

typedef enum td_layout { TD_PACKED, TD_FULL } td_layout;

typedef enum td_element { TD_U8, TD_U32, TD_I32, TD_F32, TD_F64 } td_element;

/* One instance of a workload: what its buffers are made for. */
typedef struct td_problem {
    uint32_t n;    /* N, cells a side */
    uint32_t tile; /* side of a tile [cells], for outputs that keep one element a tile */
    td_layout layout;
    uint64_t seed;
    uint32_t steps; /* generations of a cellular automaton */
    uint32_t rule;  /* four decimal digits El Eu Fl Fu */
    double density; /* probability that a cell starts alive */
    /* N rows of the workload's columns, row by row, from --input; NULL: generated */
    const float *points;
    /* starting state from --input, one byte a cell, packed; NULL: generated */
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
    bool
        proven_by_cover; /* any cell may write last: the run is verified by `cover` in the same grids */
    bool steps;          /* advances a state: launched once a generation, from buffer to buffer */

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
    const char *tally; /* name of the sum of td_verdict.tally in the record's result */
    /* A workload that is one sum, element 0 of its output [double]: the plain reference, from the input on the host. */
    double (*total)(const td_problem *problem, const void *input);
} td_workload;

extern const td_workload td_workloads[];
extern const size_t td_workload_count;

/* By name and dimension (0: any), NULL when unknown. */
const td_workload *td_workload_find(const char *name, int dimension);

/* Size of one element [bytes] and its name in numpy ("<f4"). */
size_t td_element_bytes(td_element element);
const char *td_element_numpy(td_element element);

/* Cells with work: T(N), T(N - 1) without the diagonal, Te(N) in 3D. */
uint64_t td_workload_cells(const td_workload *workload, const td_problem *problem);

#endif
