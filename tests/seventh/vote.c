/* vote.c - vote on the host. */
#include "vote.h"

#include "workloads/automata/family.h"

static const td_parameter parameters[] = {
    {TD_PARAMETER_MEMORY, .in_every_key = true},
    {TD_PARAMETER_CELL, .choices = "auto|u8|bit", .in_every_key = true},
    TD_PARAMETER_DOMAIN,
    {TD_PARAMETER_STEPS, .preset = "100"},
    {TD_PARAMETER_DENSITY, .preset = "0.3"},
};

static const td_automaton automaton = {
    .cells = &td_vote_cells,
    .variants = td_vote_variants,
    .variant_count = sizeof td_vote_variants / sizeof td_vote_variants[0],
    .widths = {TD_WIDTH_u8, TD_WIDTH_u8, TD_WIDTH_bit},
    .usual = TD_TECHNIQUE_halo,
    .most = 1,
};

const td_workload td_vote_workload = {
    .name = "vote",
    .summary = "each cell joins the majority of its eight neighbours",
    .dimension = 2,
    .parameters = parameters,
    .parameter_count = sizeof parameters / sizeof parameters[0],
    .element = TD_U8,
    .model = {.int_ops = 6},
    .automaton = &automaton,
};
