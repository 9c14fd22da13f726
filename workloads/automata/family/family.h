/*
 * family.h - the host code that all automata share: storing a state, putting it into a buffer and taking it out
 * (family.c), and the descriptor of each row of their tables (variants.c).
 */
#ifndef TD_WORKLOADS_AUTOMATA_FAMILY_FAMILY_H
#define TD_WORKLOADS_AUTOMATA_FAMILY_FAMILY_H

#include "workloads/automata/state/cells.h"

/* The first parameters of every automaton. */
enum { TD_MEMORY, TD_CELL };

typedef struct td_family {
    int dimension; /* 2: a triangle, or the square; 3: a tetrahedron */
    const td_cells *cells;
    const td_variant *variants; /* the automaton's table */
    size_t variant_count;
    /* Places in the table of parameters. 0: the triangle is the only domain; there is only one step; no rule. With a
     * density, cells are alive or dead, and start alive with this probability. */
    int domain, steps, rule, density;
    td_width widths[TD_WIDTHS + 1]; /* indexed by the words of --cell; the first is "auto" */
    td_technique usual;             /* meaning of "auto", except for bits */
    uint32_t flops;                 /* the model's, per cell and step; 0: integers only */
    /* Sets the workload's own part of td_data; NULL: it has none but the rule. */
    void (*setup)(const td_problem *problem, td_data *data);
    /* Generates the elements of cell number `at` of the domain; 2D: cell (row, col). NULL: see density. */
    void (*start)(const td_problem *problem, uint32_t row, uint32_t col, uint64_t at,
                  void *elements);
} td_family;

/* The functions of td_workload with these names, for an automaton. td_workload_start, td_workload_save and
 * td_workload_row_element are in family.c, too: nothing else has a state. */
uint32_t td_family_steps(const td_family *family, const td_problem *problem);
bool td_family_is_square(const td_family *family, const td_problem *problem);
uint64_t td_family_elements(const td_family *family, const td_problem *problem);
uint64_t td_family_input_bytes(const td_family *family, const td_problem *problem);
uint32_t td_family_storage(const td_family *family, const td_problem *problem);
void td_family_fill(const td_family *family, const td_problem *problem, void *input);
void td_family_setup(const td_family *family, const td_problem *problem, td_data *data);
uint64_t td_family_bytes(const td_family *family, const td_problem *problem);
uint64_t td_family_flops(const td_family *family, const td_problem *problem);
bool td_family_has_blocked(const td_family *family); /* one of its variants has */

/* td_workload_variant for an automaton. id: of the workload. */
const td_workload *td_family_variant(const td_workload *workload, uint32_t id, td_problem *problem,
                                     const char **why);

/* The width that a problem chooses. */
static inline td_width td_family_width(const td_family *family, const td_problem *problem)
{
    return family->widths[problem->parameters[TD_CELL].count];
}

/* clang-format off */
#define TD_PARAMETER_MEMORY                                                                       \
    .name = "memory", .kind = TD_PARAMETER_CHOICE, .choices = TD_TECHNIQUE_WORDS,                  \
    .preset = "auto", .argument = "HOW", .key = "", .is_tuned = true,                              \
    .help = "how an automaton reads its neighbourhood (auto: gol and life in 3D conditional, all others " \
            "halo, for bits strip); " \
            "those after halo need a strategy that maps blocks and is not a tree; a list takes each in turn"

#define TD_PARAMETER_CELL                                                                          \
    .name = "cell", .kind = TD_PARAMETER_CHOICE, .preset = "auto",                                 \
    .argument = "WIDTH", .key = "", .is_tuned = true,                            \
    .help = "width of an automaton's cell (auto: u8, of floats f32); "                             \
            "in 2D bit goes with --memory strip and four-generation; a list takes each in turn"

#define TD_PARAMETER_DOMAIN                                                                        \
    {.name = "domain", .kind = TD_PARAMETER_CHOICE, .choices = "triangle|square",                  \
     .preset = "triangle", .argument = "SHAPE", .key = "", .lacking = "works on triangles only",   \
     .help = "domain of an automaton but gol; the whole square needs a bounding box"}

/* clang-format on */

#endif
