/* extrema.c - the variants of extrema: what --memory chooses. */
#include "extrema.h"

#include "image.h"
#include "workloads/automata/family/variants.h"

/* The order of the table below. */
enum { MEMORY, CELL, DOMAIN, PARAMETERS };

static const td_parameter parameters[PARAMETERS] = {
    {TD_PARAMETER_MEMORY(TD_USUAL_MEMORY), .in_every_key = true},
    {TD_PARAMETER_CELL("auto|f32"), .in_every_key = true},
    TD_PARAMETER_DOMAIN,
};

/* A scale space: twice as smooth from plane to plane, so that a spot is an extreme of the plane of its size. */
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
    if (problem->image != NULL) {
        start_on_image(problem, row, col, elements);
        return;
    }
    for (uint32_t p = 0; p < TD_EXTREMA_PLANES; p++) {
        ((float *)elements)[p] = td_random_float(problem->seed, p, at);
    }
}

/* The largest and the smallest: of a row of three planes seven comparisons each, shared by three rows, of the rows four
 * each; and two more. */
static const td_family family = {
    .memory = MEMORY,
    .cell = CELL,
    .domain = DOMAIN,
    .steps = -1,
    .widths = {TD_WIDTH_F32, TD_WIDTH_F32},
    .usual = TD_HALO,
    .no_variant = TD_NO_SUCH_VARIANT,
    .kind = {.bytes = 4, .planes = TD_EXTREMA_PLANES, .saved_bytes = 1, .ring = 1},
    .flops = 24,
    .start = start_cell,
};

TD_FAMILY_FUNCTIONS(family)
TD_FAMILY_FLOPS(family)
static const td_workload *variant(td_problem *problem, const char **why);

/* clang-format off */
#define AUTOMATON                                                                                                      \
    .name = "extrema", \
    .summary = "where the middle of three planes is larger or smaller than its 26 neighbours", \
    TD_TAKES_IMAGE, \
    .state_bytes = 4 * TD_EXTREMA_PLANES, .saved = TD_U8, .flops = flops, TD_FAMILY_MEMBERS

static const td_workload variants[TD_TECHNIQUES][TD_WIDTHS] = {
    TD_FLOAT_VARIANTS(extrema, f32, TD_WIDTH_F32, TD_U8)
    [TD_STRIP] = {[TD_WIDTH_F32] = TD_STRIP_FLOATS(extrema, f32, TD_U8, 256, 4, 512)},
};
/* clang-format on */

static const td_workload *variant(td_problem *problem, const char **why)
{
    return td_family_variant(&family, variants, problem, why);
}

const td_workload td_extrema_workload = TD_HALO_OF(extrema, f32, TD_U8);
