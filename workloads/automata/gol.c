/* gol.c - gol on the host. */
#include "gol.h"

#include "family.h"

static const td_parameter parameters[] = {
    {TD_PARAMETER_MEMORY},
    {TD_PARAMETER_CELL, .choices = "auto|u8|bit"},
    {TD_PARAMETER_STEPS, .preset = "100"},
    {TD_PARAMETER_RULE, .preset = "4644"},
    {TD_PARAMETER_DENSITY, .preset = "0.3"},
};

static const td_automaton automaton = {
    .cells = &td_gol_cells,
    .variants = td_gol_variants,
    .variant_count = sizeof td_gol_variants / sizeof td_gol_variants[0],
    .widths = {TD_WIDTH_u8, TD_WIDTH_u8, TD_WIDTH_bit},
    .usual = TD_TECHNIQUE_conditional,
    .most = 3,
};

/* Sums of two and of three cells of a row, for tiles up and for tiles down: 4. U and D each add up six of these sums,
 * from three rows: 10. Two comparisons for each: 4. */
enum { INT_OPS = 18 };

static const td_workload_input input = {
    .takes = "state (.npy) of N(N+1)/2 bytes, bit 0 the tile that points up, bit 1 the other"};

const td_workload td_gol_workload = {
    .name = "gol",
    .summary = "Game of Life on triangular tiles, 12 neighbours, rule 4644",
    .dimension = 2,
    .parameters = parameters,
    .parameter_count = sizeof parameters / sizeof parameters[0],
    .element = TD_U8,
    .model = {.int_ops = INT_OPS},
    .input = &input,
    .automaton = &automaton,
};
