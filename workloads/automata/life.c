/* life.c - life on the host. */
#include "life.h"

#include "family.h"

static const td_parameter parameters[] = {
    {TD_PARAMETER_MEMORY, .in_every_key = true},
    {TD_PARAMETER_CELL, .choices = "auto|u32|u8|bit", .in_every_key = true},
    TD_PARAMETER_DOMAIN,
    {TD_PARAMETER_STEPS, .preset = "100"},
    {TD_PARAMETER_RULE, .preset = "2333"},
    {TD_PARAMETER_DENSITY, .preset = "0.3"},
};

static const td_automaton automaton = {
    .cells = &td_life_cells,
    .variants = td_life_variants,
    .variant_count = sizeof td_life_variants / sizeof td_life_variants[0],
    .widths = {TD_WIDTH_u8, TD_WIDTH_u32, TD_WIDTH_u8, TD_WIDTH_bit},
    .usual = TD_TECHNIQUE_halo,
    .most = 1,
};

/* Sums over three cells of a row and over three rows, two additions each, and two comparisons. */
enum { INT_OPS = 6 };

static const td_workload_input input = {.takes = "state (.npy) of one byte per cell, 0 or 1"};

const td_workload td_life_workload = {
    .name = "life",
    .summary = "Conway's Game of Life on square cells, rule 2333",
    .dimension = 2,
    .parameters = parameters,
    .parameter_count = sizeof parameters / sizeof parameters[0],
    .element = TD_U8,
    .model = {.int_ops = INT_OPS},
    .input = &input,
    .automaton = &automaton,
};
