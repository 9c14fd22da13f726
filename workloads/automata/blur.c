/* blur.c - the variants of blur: what --memory chooses. */
#include "blur.h"

#include "image.h"
#include "workloads/automata/family/picture.h"
#include "workloads/automata/family/variants.h"

/* The order of the table below. */
enum { MEMORY, CELL, DOMAIN, STEPS, PARAMETERS };

static const td_parameter parameters[PARAMETERS] = {
    {TD_PARAMETER_MEMORY(TD_USUAL_MEMORY), .in_every_key = true},
    {TD_PARAMETER_CELL("auto|f32"), .in_every_key = true},
    TD_PARAMETER_DOMAIN,
    TD_PARAMETER_STEPS_OF("48"),
};

static void start_cell(const td_problem *problem, uint32_t row, uint32_t col, uint64_t at,
                       void *elements)
{
    *(float *)elements = problem->image != NULL ? td_pixel(problem, row, col)
                                                : td_random_float(problem->seed, 0, at);
}

/* A product and two sums of a row, shared by three; the same of the rows, and the division. */
static const td_family family = {
    .memory = MEMORY,
    .cell = CELL,
    .domain = DOMAIN,
    .steps = STEPS,
    .widths = {TD_WIDTH_F32, TD_WIDTH_F32},
    .usual = TD_HALO,
    .no_variant = TD_NO_SUCH_VARIANT,
    .kind = {.bytes = 4, .planes = 1, .saved_bytes = 4, .ring = 1, .is_float = true},
    .flops = 7,
    .start = start_cell,
};

TD_FAMILY_FUNCTIONS(family)
TD_FAMILY_FLOPS(family)

static td_shades shades(const td_problem *problem, const void *first)
{
    return td_shades_of(first, td_state_row(is_square(problem), problem->n, problem->n), 0, 1);
}

static uint32_t colour(const td_shades *range, const void *first, const void *now, bool down)
{
    (void)first;
    (void)down;
    return td_colour_of(td_grey(range, *(const float *)now), 0.0);
}

static const td_workload *variant(td_problem *problem, const char **why);

/* clang-format off */
#define AUTOMATON                                                                                                      \
    .name = "blur", \
    .summary = "Gaussian blur, 3 x 3 weights, steps times", \
    TD_TAKES_IMAGE, \
    .state_bytes = 4, .saved = TD_F32, .flops = flops, .shades = shades, .colour = colour, TD_FAMILY_MEMBERS

static const td_workload variants[TD_TECHNIQUES][TD_WIDTHS] = {
    TD_FLOAT_VARIANTS(blur, f32, TD_WIDTH_F32, TD_F32)
    [TD_TWO_GENERATION] = {[TD_WIDTH_F32] = TD_TWO_GENERATION_OF(blur, f32, TD_F32)},
    [TD_STRIP] = {[TD_WIDTH_F32] = TD_STRIP_FLOATS(blur, f32, TD_F32, 512, 8, 640)},
};
/* clang-format on */

static const td_workload *variant(td_problem *problem, const char **why)
{
    return td_family_variant(&family, variants, problem, why);
}

const td_workload td_blur_workload = TD_HALO_OF(blur, f32, TD_F32);
