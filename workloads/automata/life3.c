/* life3.c - life on a tetrahedron, on the host. */
#include "life3.h"

#include "family.h"

static const td_parameter parameters[] = {
    {TD_PARAMETER_MEMORY},
    {TD_PARAMETER_CELL, .choices = "auto|u8"},
    {TD_PARAMETER_STEPS, .preset = "100"},
    {TD_PARAMETER_RULE, .preset = "4555"},
    {TD_PARAMETER_DENSITY, .preset = "0.2"},
};

static const td_cells bytes = {.planes = 1};

static const td_automaton automaton = {
    .cells = &bytes,
    .variants = td_life3_variants,
    .variant_count = sizeof td_life3_variants / sizeof td_life3_variants[0],
    .widths = {TD_WIDTH_u8, TD_WIDTH_u8},
    .usual = TD_TECHNIQUE_conditional,
    .most = 1,
};

static const td_workload_input input = {
    .takes = "state (.npy) of N(N+1)(N+2)/6 bytes, 0 or 1, in packed order"};

/* Sums of three rows, of three of those, and along them; and two comparisons. */
enum { INT_OPS = 8 };

const td_workload td_life3_workload = {
    .name = "life",
    .summary = "Game of Life on a tetrahedron, 26 neighbours, rule 4555",
    .dimension = 3,
    .parameters = parameters,
    .parameter_count = sizeof parameters / sizeof parameters[0],
    .element = TD_U8,
    .traits = {.has_layouts = true},
    .model = {.int_ops = INT_OPS},
    .input = &input,
    .automaton = &automaton,
};
