/* dog.c - dog on the host. */
#include "dog.h"

#include "blur.h"
#include "image.h"
#include "family.h"

static const td_parameter parameters[] = {
    {TD_PARAMETER_MEMORY, .in_every_key = true},
    {TD_PARAMETER_CELL, .choices = "auto|f32|f32x2", .in_every_key = true},
    TD_PARAMETER_DOMAIN,
};

/* A pixel after one step of blur. */
static float blurred(const td_problem *problem, int64_t row, int64_t col)
{
    float sums[3];
    for (int64_t r = 0; r < 3; r++) {
        const int64_t at = row + r - 1;
        sums[r] = td_blur_three(td_pixel(problem, at, col - 1), td_pixel(problem, at, col),
                                td_pixel(problem, at, col + 1));
    }
    return td_blur_rows(sums[0], sums[1], sums[2]);
}

static void start_cell(const td_problem *problem, uint32_t row, uint32_t col, uint64_t at,
                       void *elements)
{
    float *planes = elements;
    const bool generated = problem->numbers == NULL;
    planes[0] = generated ? td_random_float(problem->seed, 0, at) : td_pixel(problem, row, col);
    planes[1] = generated ? td_random_float(problem->seed, 1, at) : blurred(problem, row, col);
}

static const td_automaton automaton = {
    .cells = &td_dog_cells,
    .variants = td_dog_variants,
    .variant_count = sizeof td_dog_variants / sizeof td_dog_variants[0],
    .widths = {TD_WIDTH_f32, TD_WIDTH_f32, TD_WIDTH_f32x2},
    .usual = TD_TECHNIQUE_halo,
    .flops = 1,
    .start = start_cell,
};

const td_workload td_dog_workload = {
    .name = "dog",
    .summary = "difference of two planes, as of two Gaussians",
    .dimension = 2,
    .parameters = parameters,
    .parameter_count = sizeof parameters / sizeof parameters[0],
    .element = TD_F32,
    .input = &td_image_input,
    .automaton = &automaton,
};
