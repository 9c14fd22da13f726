/* vote.c - vote on the host. */
#include "vote.h"

#include "workloads/automata/family/family.h"

enum { DOMAIN = TD_CELL + 1, STEPS, DENSITY, PARAMETERS };

static const td_parameter parameters[PARAMETERS] = {
    {TD_PARAMETER_MEMORY, .in_every_key = true},
    {TD_PARAMETER_CELL, .choices = "auto|u8|bit", .in_every_key = true},
    TD_PARAMETER_DOMAIN,
    {TD_PARAMETER_STEPS, .preset = "100"},
    {TD_PARAMETER_DENSITY, .preset = "0.3"},
};

static void start_cell(const td_problem *problem, uint32_t row, uint32_t col, uint64_t at,
                       void *elements)
{
    (void)row;
    (void)col;
    *(uint8_t *)elements = td_starts_alive(problem, problem->parameters[DENSITY].real, 0, at);
}

static const td_family family = {
    .cells = &td_vote_cells,
    .variants = td_vote_variants,
    .variant_count = sizeof td_vote_variants / sizeof td_vote_variants[0],
    .domain = DOMAIN,
    .steps = STEPS,
    .widths = {TD_WIDTH_u8, TD_WIDTH_u8, TD_WIDTH_bit},
    .usual = TD_TECHNIQUE_halo,
    .start = start_cell,
};

static const td_automaton automaton = {.family = &family, .most = 1};

const td_workload td_vote_workload = {
    .name = "vote",
    .summary = "each cell joins the majority of its eight neighbours",
    .dimension = 2,
    .parameters = parameters,
    .parameter_count = PARAMETERS,
    .element = TD_U8,
    .model = {.int_ops = 6},
    .automaton = &automaton,
};
