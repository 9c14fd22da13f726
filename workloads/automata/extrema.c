/* extrema.c - extrema on the host. */
#include "extrema.h"

#include "image.h"
#include "family.h"

static const td_parameter parameters[] = {
    {TD_PARAMETER_MEMORY, .in_every_key = true},
    {TD_PARAMETER_CELL, .choices = "auto|f32", .in_every_key = true},
    TD_PARAMETER_DOMAIN,
};

/* A scale space: each plane is twice as smooth as the one before it, so that a spot is an extreme in the plane of its
 * size. */
static void start_on_image(const td_problem *problem, uint32_t row, uint32_t col, float *planes)
{
    double sharp = td_smoothed(problem, 1, row, col);
    for (int p = 0; p < TD_EXTREMA_PLANES; p++) {
        const double smooth = td_smoothed(problem, 2 << p, row, col);
        planes[p] = (float)(sharp - smooth);
        sharp = smooth;
    }
}

static void start_cell(const td_problem *problem, uint32_t row, uint32_t col, uint64_t at,
                       void *elements)
{
    if (problem->numbers != NULL) {
        start_on_image(problem, row, col, elements);
        return;
    }
    for (uint32_t p = 0; p < TD_EXTREMA_PLANES; p++) {
        ((float *)elements)[p] = td_random_float(problem->seed, p, at);
    }
}

/* flops: the largest and the smallest value each take seven comparisons for a row of three planes, shared by three
 * rows, and four for the rows; and two more comparisons. */
static const td_automaton automaton = {
    .cells = &td_extrema_cells,
    .variants = td_extrema_variants,
    .variant_count = sizeof td_extrema_variants / sizeof td_extrema_variants[0],
    .widths = {TD_WIDTH_f32, TD_WIDTH_f32},
    .usual = TD_TECHNIQUE_halo,
    .flops = 24,
    .start = start_cell,
};

const td_workload td_extrema_workload = {
    .name = "extrema",
    .summary = "where the middle of three planes is larger or smaller than its 26 neighbours",
    .dimension = 2,
    .parameters = parameters,
    .parameter_count = sizeof parameters / sizeof parameters[0],
    .element = TD_U8,
    .input = &td_image_input,
    .automaton = &automaton,
};
