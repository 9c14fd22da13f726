/* blur.c - blur on the host. */
#include "blur.h"

#include "image.h"
#include "family.h"

static const td_parameter parameters[] = {
    {TD_PARAMETER_MEMORY, .in_every_key = true},
    {TD_PARAMETER_CELL, .choices = "auto|f32", .in_every_key = true},
    TD_PARAMETER_DOMAIN,
    {TD_PARAMETER_STEPS, .preset = "48"},
};

static void start_cell(const td_problem *problem, uint32_t row, uint32_t col, uint64_t at,
                       void *elements)
{
    *(float *)elements = problem->numbers != NULL ? td_pixel(problem, row, col)
                                                  : td_random_float(problem->seed, 0, at);
}

/* flops: a product and two sums per row, shared by three rows; the same over the rows; and the division. */
static const td_automaton automaton = {
    .cells = &td_blur_cells,
    .variants = td_blur_variants,
    .variant_count = sizeof td_blur_variants / sizeof td_blur_variants[0],
    .widths = {TD_WIDTH_f32, TD_WIDTH_f32},
    .usual = TD_TECHNIQUE_halo,
    .flops = 7,
    .start = start_cell,
};

const td_workload td_blur_workload = {
    .name = "blur",
    .summary = "Gaussian blur, 3 x 3 weights, steps times",
    .dimension = 2,
    .parameters = parameters,
    .parameter_count = sizeof parameters / sizeof parameters[0],
    .element = TD_F32,
    .input = &td_image_input,
    .automaton = &automaton,
};
