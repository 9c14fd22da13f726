/*
 * family.h - the host code that all automata share: storing a state, putting it into a buffer and taking it out
 * (state.c), the descriptor of each row of their tables (variants.c), and the parameters that several have.
 */
#ifndef TD_WORKLOADS_AUTOMATA_FAMILY_H
#define TD_WORKLOADS_AUTOMATA_FAMILY_H

#include "workloads/automata/state/cells.h"

/* The first parameters of every automaton. */
enum { TD_MEMORY, TD_CELL };

/* The functions of td_workload with these names, for an automaton. td_workload_start, td_workload_save and
 * td_workload_row_element are in state.c, too: nothing else has a state. */
uint64_t td_automaton_elements(const td_workload *workload, const td_problem *problem);
uint64_t td_automaton_input_bytes(const td_workload *workload, const td_problem *problem);
uint32_t td_automaton_storage(const td_workload *workload, const td_problem *problem);
void td_automaton_fill(const td_workload *workload, const td_problem *problem, void *input);
void td_automaton_setup(const td_workload *workload, const td_problem *problem, td_data *data);
uint64_t td_automaton_bytes(const td_workload *workload, const td_problem *problem);

/* td_workload_variant for an automaton. id: of the workload. */
const td_workload *td_automaton_variant(const td_workload *workload, uint32_t id,
                                        td_problem *problem, const char **why);

/* The width that a problem chooses. */
static inline td_width td_automaton_width(const td_automaton *automaton, const td_problem *problem)
{
    return automaton->widths[problem->parameters[TD_CELL].count];
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

#define TD_PARAMETER_STEPS                                                                                             \
    .name = "steps", .kind = TD_PARAMETER_COUNT, .low = 0, .high = 1000000, .argument = "G", .unit = "generations",    \
    .help = "generations of a cellular automaton", .key = "g"
#define TD_PARAMETER_RULE                                                                                              \
    .name = "rule", .kind = TD_PARAMETER_DIGITS, .low = 1, .high = 9999, .argument = "ABCD",                           \
    .help = "of a cellular automaton: survives with A..B live neighbours, born with C..D",                             \
    .expected = "four digits such as 2333, not all of them 0 (a live cell survives with A..B live neighbours, "        \
                "a dead one is born with C..D)",                                                                       \
    .key = "r"
#define TD_PARAMETER_DENSITY                                                                                           \
    .name = "density", .kind = TD_PARAMETER_REAL, .high = 1, .argument = "P",                                          \
    .help = "probability that a cell starts alive", .key = "p"
/* clang-format on */

#endif
