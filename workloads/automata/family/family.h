/*
 * family.h - what automata with variants share on the host: how a state is stored, put into a buffer and taken out.
 *
 * An automaton describes itself by a td_family and expands TD_FAMILY_FUNCTIONS, then its table of variants with the
 * macros of variants.h.
 */
#ifndef TD_WORKLOADS_AUTOMATA_FAMILY_FAMILY_H
#define TD_WORKLOADS_AUTOMATA_FAMILY_FAMILY_H

#include "workloads/automata/state/bits.h"
#include "workloads/automata/state/store.h"

/* What --memory chooses, in the order of its words; the first means the family's own. */
typedef enum td_technique {
    TD_AUTO,
    TD_CONDITIONAL,
    TD_HALO,
    TD_SHARED,
    TD_ALIGNED,
    TD_RECT,
    TD_TWO_CELL,
    TD_TWO_GENERATION,
    TD_STRIP,
    TD_FOUR_GENERATION,
    TD_TECHNIQUES
} td_technique;

#define TD_TECHNIQUE_WORDS                                                                         \
    "auto|conditional|halo|shared|aligned|rect|two-cell|two-generation|strip|four-generation"

/* What --cell chooses. */
typedef enum td_width {
    TD_WIDTH_U32,
    TD_WIDTH_U8,
    TD_WIDTH_BIT,
    TD_WIDTH_F32,
    TD_WIDTH_F32X2, /* two planes side by side */
    TD_WIDTHS
} td_width;

typedef struct td_family {
    /* Places in the table of parameters; `domain` is -1 where the triangle is the only one, `steps` where there is one
     * step. */
    int memory, cell, domain, steps;
    td_width widths[TD_WIDTHS + 1]; /* by the words of --cell; the first is "auto" */
    td_technique usual;             /* what "auto" means, but for bits */
    const char *no_variant;         /* why a technique and a width do not go together */
    uint32_t planes;                /* of bits: those of a cell's state */
    td_kind kind;   /* of floats: what a cell is made of; zeroed: its state is a byte */
    uint32_t flops; /* of the model, per cell and step; 0: it computes in integers */
    /* The workload's own part of td_data; NULL: it has none. */
    void (*setup)(const td_problem *problem, td_data *data);
    /* Generate the elements of cell (row, col), number `at` of the domain. */
    void (*start)(const td_problem *problem, uint32_t row, uint32_t col, uint64_t at,
                  void *elements);
} td_family;

uint32_t td_family_steps(const td_family *family, const td_problem *problem);
bool td_family_is_square(const td_family *family, const td_problem *problem);
uint64_t td_family_elements(const td_family *family, const td_problem *problem);
uint64_t td_family_row_element(const td_family *family, const td_problem *problem, uint32_t row);
uint64_t td_family_input_bytes(const td_family *family, const td_problem *problem);
void td_family_fill(const td_family *family, const td_problem *problem, void *input);
void td_family_setup(const td_family *family, const td_problem *problem, td_data *data);
uint64_t td_family_bytes(const td_family *family, const td_problem *problem);
uint64_t td_family_flops(const td_family *family, const td_problem *problem);
void td_family_start(const td_family *family, const td_problem *problem, void *state);
void td_family_save(const td_family *family, const td_problem *problem, const void *output,
                    void *state);

/*
 * The variant that the parameters choose, "auto" replaced by what it means.
 *
 * Output  NULL and a sentence in *why when there is no such combination
 */
const td_workload *td_family_variant(const td_family *family,
                                     const td_workload variants[TD_TECHNIQUES][TD_WIDTHS],
                                     td_problem *problem, const char **why);

/* The functions of a descriptor, which know no family. */
#define TD_FAMILY_FUNCTIONS(family)                                                                \
    static uint32_t steps(const td_problem *problem)                                               \
    {                                                                                              \
        return td_family_steps(&(family), problem);                                                \
    }                                                                                              \
    static bool is_square(const td_problem *problem)                                               \
    {                                                                                              \
        return td_family_is_square(&(family), problem);                                            \
    }                                                                                              \
    static uint64_t elements(const td_problem *problem)                                            \
    {                                                                                              \
        return td_family_elements(&(family), problem);                                             \
    }                                                                                              \
    static uint64_t row_element(const td_problem *problem, uint32_t row)                           \
    {                                                                                              \
        return td_family_row_element(&(family), problem, row);                                     \
    }                                                                                              \
    static uint64_t input_bytes(const td_problem *problem)                                         \
    {                                                                                              \
        return td_family_input_bytes(&(family), problem);                                          \
    }                                                                                              \
    static void fill(const td_problem *problem, void *input)                                       \
    {                                                                                              \
        td_family_fill(&(family), problem, input);                                                 \
    }                                                                                              \
    static void setup(const td_problem *problem, td_data *data)                                    \
    {                                                                                              \
        td_family_setup(&(family), problem, data);                                                 \
    }                                                                                              \
    static uint64_t bytes(const td_problem *problem)                                               \
    {                                                                                              \
        return td_family_bytes(&(family), problem);                                                \
    }                                                                                              \
    static void start(const td_problem *problem, void *state)                                      \
    {                                                                                              \
        td_family_start(&(family), problem, state);                                                \
    }                                                                                              \
    static void save(const td_problem *problem, const void *output, void *state)                   \
    {                                                                                              \
        td_family_save(&(family), problem, output, state);                                         \
    }

/* The same of one that computes in floating point. */
#define TD_FAMILY_FLOPS(family)                                                                    \
    static uint64_t flops(const td_problem *problem)                                               \
    {                                                                                              \
        return td_family_flops(&(family), problem);                                                \
    }

/* What automata say of techniques that they lack. */
#define TD_NO_SUCH_VARIANT "no kernel of this workload reads its cells like that"
#define TD_BITS_IN_STRIPS "--cell bit goes with --memory strip and --memory four-generation"

/* clang-format off */
#define TD_PARAMETER_MEMORY(preset_)                                                               \
    .name = "memory", .kind = TD_PARAMETER_CHOICE, .choices = TD_TECHNIQUE_WORDS,                  \
    .preset = "auto", .argument = "HOW", .key = "", .is_tuned = true,                              \
    .help = "how an automaton reads its neighbourhood (auto: " preset_ ", for bits strip); "       \
            "those after halo need a strategy that maps blocks and is not a tree"
#define TD_USUAL_MEMORY "gol conditional, all others halo"

#define TD_PARAMETER_CELL(choices_)                                                                \
    .name = "cell", .kind = TD_PARAMETER_CHOICE, .choices = choices_,                              \
    .preset = "auto", .argument = "WIDTH", .key = "", .is_tuned = true,                            \
    .help = "width of an automaton's cell (auto: u8, of floats f32); "                             \
            "bit goes with --memory strip and four-generation"

#define TD_PARAMETER_DOMAIN                                                                        \
    {.name = "domain", .kind = TD_PARAMETER_CHOICE, .choices = "triangle|square",                  \
     .preset = "triangle", .argument = "SHAPE", .key = "", .lacking = "works on triangles only",   \
     .help = "domain of an automaton but gol; the whole square needs a bounding box"}

/* The members that all variants share. */
#define TD_FAMILY_MEMBERS                                                                          \
    .dimension = 2, .parameters = parameters, .parameter_count = PARAMETERS, .variant = variant,   \
    .steps = steps, .is_square = is_square, .output_elements = elements,                           \
    .row_element = row_element, .input_bytes = input_bytes, .fill = fill, .setup = setup,          \
    .bytes = bytes, .start = start, .save = save
/* clang-format on */

#endif
