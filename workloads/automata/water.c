/* water.c - water on the host, and the land that it falls on. */
#include "water.h"

#include "family.h"

enum { RAIN = 4, INFILTRATION }; /* places in the table */

static const td_parameter parameters[] = {
    {TD_PARAMETER_MEMORY, .in_every_key = true},
    {TD_PARAMETER_CELL, .choices = "auto|f32", .in_every_key = true},
    TD_PARAMETER_DOMAIN,
    {TD_PARAMETER_STEPS, .preset = "100"},
    {.name = "rain",
     .kind = TD_PARAMETER_REAL,
     .high = 1000,
     .preset = "0.001",
     .argument = "DEPTH",
     .help = "depth of water that falls on each cell per step, in units of the elevation",
     .key = "rain"},
    {.name = "infiltration",
     .kind = TD_PARAMETER_REAL,
     .high = 1000,
     .preset = "0.0002",
     .argument = "DEPTH",
     .help = "depth of water that each cell loses to the soil per step, up to what it holds",
     .key = "soil"},
};

/* ---- land ---- */

/* A random number for each point of a lattice; each spacing has a stream of its own. */
static float height_at(const td_problem *problem, uint32_t spacing, uint32_t y, uint32_t x)
{
    return td_random_float(problem->seed, spacing, (uint64_t)y << 32 | x);
}

static float between(float from, float to, float share)
{
    const float smooth = share * share * (3.0f - 2.0f * share);
    return from + (to - from) * smooth;
}

/* The heights at the corners of a square of a lattice, each row from the left. */
typedef struct patch {
    uint64_t seed;
    uint32_t spacing, y, x;
    float above[2], below[2];
} patch;

static patch patch_at(const td_problem *problem, uint32_t spacing, uint32_t y, uint32_t x)
{
    patch p = {.seed = problem->seed, .spacing = spacing, .y = y, .x = x};
    for (uint32_t right = 0; right < 2; right++) {
        p.above[right] = height_at(problem, spacing, y, x + right);
        p.below[right] = height_at(problem, spacing, y + 1, x + right);
    }
    return p;
}

/* The height between the points of a lattice with spacing 2^k, interpolated smoothly. `last` is the patch of the
 * previous cell, usually the same. */
static float hills(const td_problem *problem, uint32_t k, uint32_t row, uint32_t col, patch *last)
{
    const uint32_t spacing = 1u << k, y = row >> k, x = col >> k;
    const float down = (float)(row & (spacing - 1)) / (float)spacing;
    const float across = (float)(col & (spacing - 1)) / (float)spacing;
    if (last->spacing != spacing || last->y != y || last->x != x || last->seed != problem->seed) {
        *last = patch_at(problem, spacing, y, x);
    }
    return between(between(last->above[0], last->above[1], across),
                   between(last->below[0], last->below[1], across), down);
}

enum { NARROWEST = 3, WIDEST = 8 }; /* powers of two */

/* Hills of every size, each half as high as those twice as wide. */
static float elevation_at(const td_problem *problem, uint32_t row, uint32_t col)
{
    static _Thread_local patch last[WIDEST + 1];
    float sum = 0.0f;
    for (uint32_t k = WIDEST; k >= NARROWEST; k--) {
        sum += hills(problem, k, row, col, &last[k]) * (float)(1u << (k - NARROWEST));
    }
    return sum;
}

static void start_cell(const td_problem *problem, uint32_t row, uint32_t col, uint64_t at,
                       void *elements)
{
    td_water_cell *cell = elements;
    (void)at;
    cell->depth = 0.0f;
    cell->elevation = problem->numbers != NULL ? problem->numbers[(uint64_t)row * problem->n + col]
                                               : elevation_at(problem, row, col);
}

static void setup_weather(const td_problem *problem, td_data *data)
{
    data->params[0] = td_element_of((float)problem->parameters[RAIN].real);
    data->params[1] = td_element_of((float)problem->parameters[INFILTRATION].real);
}

/* flops: the depth after the rain 2, the level 1; for each of eight neighbours a difference, a comparison and a sum:
 * 24; the discharge 5; for each of eight neighbours the same and a product: 32; and a sum. */
static const td_automaton automaton = {
    .cells = &td_water_cells,
    .variants = td_water_variants,
    .variant_count = sizeof td_water_variants / sizeof td_water_variants[0],
    .widths = {TD_WIDTH_f32, TD_WIDTH_f32},
    .usual = TD_TECHNIQUE_halo,
    .flops = 65,
    .setup = setup_weather,
    .start = start_cell,
};

static const td_workload_input input = {.takes = "elevations (.npy), N x N",
                                        .image_most = TD_IMAGE_MOST};

const td_workload td_water_workload = {
    .name = "water",
    .summary = "surface water: rain, infiltration, and flow to lower neighbours",
    .dimension = 2,
    .parameters = parameters,
    .parameter_count = sizeof parameters / sizeof parameters[0],
    .element = TD_F32,
    .input = &input,
    .automaton = &automaton,
};
