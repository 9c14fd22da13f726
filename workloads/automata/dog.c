/* dog.c - the variants of dog: what --memory and --cell choose. */
#include "dog.h"

#include "image.h"
#include "workloads/automata/family/variants.h"

/* The order of the table below. */
enum { MEMORY, CELL, DOMAIN, PARAMETERS };

static const td_parameter parameters[PARAMETERS] = {
    {TD_PARAMETER_MEMORY(TD_USUAL_MEMORY), .in_every_key = true},
    {TD_PARAMETER_CELL("auto|f32|f32x2"), .in_every_key = true},
    TD_PARAMETER_DOMAIN,
};

static void start_cell(const td_problem *problem, uint32_t row, uint32_t col, uint64_t at,
                       void *elements)
{
    float *planes = elements;
    const bool generated = problem->image == NULL;
    planes[0] = generated ? td_random_float(problem->seed, 0, at) : td_pixel(problem, row, col);
    planes[1] = generated ? td_random_float(problem->seed, 1, at) : td_blurred(problem, row, col);
}

static const td_family family = {
    .memory = MEMORY,
    .cell = CELL,
    .domain = DOMAIN,
    .steps = -1,
    .widths = {TD_WIDTH_F32, TD_WIDTH_F32, TD_WIDTH_F32X2},
    .usual = TD_HALO,
    .no_variant = TD_NO_SUCH_VARIANT,
    .kind = {.bytes = 4, .planes = 2, .saved_bytes = 4, .ring = 1, .is_float = true},
    .flops = 1,
    .start = start_cell,
};

TD_FAMILY_FUNCTIONS(family)
TD_FAMILY_FLOPS(family)
static const td_workload *variant(td_problem *problem, const char **why);

/* clang-format off */
#define AUTOMATON                                                                                                      \
    .name = "dog", \
    .summary = "difference of two planes, as of two Gaussians", \
    TD_TAKES_IMAGE, \
    .state_bytes = 8, .saved = TD_F32, .flops = flops, TD_FAMILY_MEMBERS

static const td_workload variants[TD_TECHNIQUES][TD_WIDTHS] = {
    [TD_CONDITIONAL] = {[TD_WIDTH_F32] = TD_CONDITIONAL_OF(dog, f32, TD_F32),
                        [TD_WIDTH_F32X2] = TD_CONDITIONAL_OF(dog, f32x2, TD_F32)},
    [TD_HALO] = {[TD_WIDTH_F32] = TD_HALO_OF(dog, f32, TD_F32), [TD_WIDTH_F32X2] = TD_HALO_OF(dog, f32x2, TD_F32)},
    [TD_SHARED] = {[TD_WIDTH_F32] = TD_SHARED_OF(dog, f32, TD_F32),
                   [TD_WIDTH_F32X2] = TD_SHARED_OF(dog, f32x2, TD_F32)},
    [TD_ALIGNED] = {[TD_WIDTH_F32] = TD_ALIGNED_OF(dog, f32, TD_F32),
                    [TD_WIDTH_F32X2] = TD_ALIGNED_OF(dog, f32x2, TD_F32)},
    [TD_RECT] = {[TD_WIDTH_F32] = TD_RECT_OF(dog, f32, TD_F32), [TD_WIDTH_F32X2] = TD_RECT_OF(dog, f32x2, TD_F32)},
    [TD_TWO_CELL] = {[TD_WIDTH_F32] = TD_TWO_CELL_OF(dog, f32, TD_F32),
                     [TD_WIDTH_F32X2] = TD_TWO_CELL_OF(dog, f32x2, TD_F32)},
    [TD_STRIP] = {[TD_WIDTH_F32] = TD_STRIP_FLOATS(dog, f32, TD_F32, 256, 8, 1024),
                  [TD_WIDTH_F32X2] = TD_STRIP_FLOATS(dog, f32x2, TD_F32, 256, 8, 1024)},
};
/* clang-format on */

static const td_workload *variant(td_problem *problem, const char **why)
{
    return td_family_variant(&family, variants, problem, why);
}

const td_workload td_dog_workload = TD_HALO_OF(dog, f32, TD_F32);
