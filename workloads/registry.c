/* registry.c - the workloads as a table, made from the list, and facts about them. */
#include <string.h>

#include "workloads.h"
#include "workloads/automata/family.h"

#define ROW(id, ...) &td_##id##_workload,
const td_workload *td_workloads[TD_WORKLOADS_MOST] = {TD_WORKLOADS(ROW, )};
#undef ROW

size_t td_workload_count = TD_WORKLOAD_COUNT;

bool td_workload_add(const td_workload *workload)
{
    if (td_workload_count == TD_WORKLOADS_MOST) {
        return false;
    }
    td_workloads[td_workload_count++] = workload;
    return true;
}

/* Variants are copies of a workload; a table belongs to one workload. */
static bool is_variant_of(const td_workload *variant, const td_workload *workload)
{
    return variant->automaton != NULL
               ? workload->automaton != NULL &&
                     variant->automaton->variants == workload->automaton->variants
               : variant->variant != NULL && variant->variant == workload->variant;
}

uint32_t td_workload_id(const td_workload *workload)
{
    uint32_t id = 0;
    while (td_workloads[id] != workload && !is_variant_of(workload, td_workloads[id])) {
        id++;
    }
    return id;
}

const td_workload *td_workload_find(const char *name, int dimension)
{
    for (size_t i = 0; i < td_workload_count; i++) {
        const td_workload *w = td_workloads[i];
        if (strcmp(w->name, name) == 0 && (dimension == 0 || dimension == w->dimension)) {
            return w;
        }
    }
    return NULL;
}

const td_workload *td_workload_variant(const td_workload *workload, td_problem *problem,
                                       const char **why)
{
    return workload->automaton != NULL
               ? td_automaton_variant(workload, td_workload_id(workload), problem, why)
           : workload->variant != NULL ? workload->variant(problem, why)
                                       : workload;
}

bool td_workload_takes_side(const td_workload *workload, uint32_t tile)
{
    const td_tiles *tiles = workload->tiles;
    return tile % tiles->multiple == 0 && tile <= tiles->most &&
           (!tiles->halves || (tile & (tile - 1)) == 0);
}

uint32_t td_workload_threads_multiple(const td_workload *workload, uint32_t tile)
{
    const td_tiles *tiles = workload->tiles;
    return tiles->halves ? tiles->threads_multiple * tile / tiles->most : tiles->threads_multiple;
}

bool td_workload_takes_tile(const td_workload *workload, uint32_t tile, td_dim3 block)
{
    const td_tiles *tiles = workload->tiles;
    const uint32_t threads = block.x * block.y * block.z;
    if (tiles == NULL || !td_workload_takes_side(workload, tile)) {
        return false;
    }
    const uint32_t multiple = td_workload_threads_multiple(workload, tile);
    return multiple == 0 || (threads % multiple == 0 && threads <= tiles->threads_most);
}

bool td_workload_takes_bands(const td_workload *workload)
{
    return workload->tiles != NULL && workload->tiles->banded;
}

bool td_workload_takes_flat(const td_workload *workload, uint32_t width, uint32_t side)
{
    const td_tiles *tiles = workload->tiles;
    return tiles != NULL && tiles->flat.taken && width % tiles->multiple == 0 &&
           ((width <= TD_LOW_WIDTH && side <= TD_LOW_ROWS) ||
            (width <= TD_HIGH_WIDTH && side <= TD_HIGH_ROWS));
}

bool td_workload_takes_input(const td_workload *workload)
{
    return workload->input != NULL && workload->input->takes != NULL;
}

const char *td_workload_only_tiles(const td_workload *workload)
{
    return workload->tiles != NULL ? workload->tiles->only : NULL;
}

uint32_t td_workload_generations(const td_workload *workload)
{
    return workload->automaton != NULL ? workload->automaton->generations : 0;
}

const td_workload *td_workload_that_counts(int dimension)
{
    for (size_t i = 0; i < td_workload_count; i++) {
        if (td_workloads[i]->traits.counts_visits && td_workloads[i]->dimension == dimension) {
            return td_workloads[i];
        }
    }
    return NULL;
}

const td_parameter *td_workload_parameter(const td_workload *workload, const char *name)
{
    for (size_t p = 0; p < workload->parameter_count; p++) {
        if (strcmp(workload->parameters[p].name, name) == 0) {
            return &workload->parameters[p];
        }
    }
    return NULL;
}

uint32_t td_workload_row(const td_workload *workload)
{
    return workload->automaton != NULL ? workload->automaton->row : 0;
}

uint32_t td_workload_batch(const td_workload *workload, const td_problem *problem)
{
    static const char *const factors[] = {"batch", "heads"};
    uint64_t batch = 1;
    for (size_t i = 0; i < sizeof factors / sizeof factors[0]; i++) {
        const td_parameter *p = td_workload_parameter(workload, factors[i]);
        batch *= p != NULL ? problem->parameters[p - workload->parameters].count : 1;
    }
    return (uint32_t)batch;
}

/* ---- facts about automata ---- */

/* The value of a parameter; NULL: the workload has none of this name, or is not an automaton. */
static const td_value *value_of(const td_workload *workload, const td_problem *problem,
                                const char *name)
{
    const td_parameter *p =
        workload->automaton != NULL ? td_workload_parameter(workload, name) : NULL;
    return p != NULL ? &problem->parameters[p - workload->parameters] : NULL;
}

uint32_t td_workload_steps(const td_workload *workload, const td_problem *problem)
{
    const td_value *steps = value_of(workload, problem, "steps");
    return steps != NULL ? (uint32_t)steps->count : workload->automaton != NULL;
}

bool td_workload_advances(const td_workload *workload)
{
    return workload->automaton != NULL && td_workload_parameter(workload, "steps") != NULL;
}

void td_workload_set_steps(const td_workload *workload, td_problem *problem, uint32_t steps)
{
    if (td_workload_advances(workload)) {
        problem->parameters[td_workload_parameter(workload, "steps") - workload->parameters].count =
            steps;
    }
}

bool td_workload_is_square(const td_workload *workload, const td_problem *problem)
{
    const td_value *domain = value_of(workload, problem, "domain");
    return domain != NULL && domain->count != 0;
}

bool td_workload_fills_square(const td_workload *workload, const td_data *data)
{
    return workload->automaton != NULL && workload->dimension == 2 && data->full != 0;
}

uint64_t td_workload_output_elements(const td_workload *workload, const td_problem *problem)
{
    return workload->automaton != NULL         ? td_automaton_elements(workload, problem)
           : workload->output_elements != NULL ? workload->output_elements(problem)
           : workload->traits.by_rows ? (uint64_t)problem->n * td_workload_batch(workload, problem)
           : workload->dimension == 3 ? td_tetrahedron_elements(problem)
                                      : td_triangle_elements(problem);
}

static uint64_t rows_of_table(const td_workload_input *input, const td_problem *problem)
{
    return (uint64_t)problem->n + input->more_rows;
}

static uint64_t bytes_without_lengths(const td_workload *workload, const td_problem *problem)
{
    const td_workload_input *input = workload->input;
    return workload->automaton != NULL ? td_automaton_input_bytes(workload, problem)
           : input == NULL             ? 0
           : input->bytes != NULL      ? input->bytes(problem)
                                  : rows_of_table(input, problem) * input->columns * sizeof(float);
}

uint64_t td_workload_lengths_at(const td_workload *workload, const td_problem *problem)
{
    return (bytes_without_lengths(workload, problem) + 3) / sizeof(uint32_t) * sizeof(uint32_t);
}

uint64_t td_workload_input_bytes(const td_workload *workload, const td_problem *problem)
{
    return problem->lengths.rows == NULL
               ? bytes_without_lengths(workload, problem)
               : td_workload_lengths_at(workload, problem) +
                     td_workload_batch(workload, problem) * sizeof *problem->lengths.rows;
}

void td_workload_setup(const td_workload *workload, const td_problem *problem, td_data *data)
{
    if (workload->automaton != NULL) {
        td_automaton_setup(workload, problem, data);
    } else if (workload->setup != NULL) {
        workload->setup(problem, data);
    } else if (workload->dimension == 3) {
        td_setup_tetrahedron(problem, data);
    } else {
        td_setup_triangle(problem, data);
    }
    data->batch = workload->traits.by_rows ? td_workload_batch(workload, problem) : 0;
}

static void fill_columns(const td_workload_input *input, const td_problem *problem, float *to)
{
    const uint64_t rows = rows_of_table(input, problem);
    for (uint32_t k = 0; k < input->columns; k++) {
        for (uint64_t i = 0; i < rows; i++) {
            *to++ = problem->numbers != NULL ? problem->numbers[i * input->columns + k]
                                             : td_random_float(problem->seed, k, i);
        }
    }
}

bool td_problem_is_given(const td_problem *problem)
{
    return problem->numbers != NULL || problem->state != NULL;
}

static void fill_lengths(const td_workload *workload, const td_problem *problem, void *input)
{
    const uint32_t batch = td_workload_batch(workload, problem);
    uint32_t *to = (uint32_t *)((char *)input + td_workload_lengths_at(workload, problem));
    for (uint32_t triangle = 0; triangle < batch; triangle++) {
        to[triangle] = td_length_of(problem->lengths, problem->n, batch, triangle);
    }
}

void td_workload_fill(const td_workload *workload, const td_problem *problem, void *input)
{
    if (workload->automaton != NULL) {
        td_automaton_fill(workload, problem, input);
    } else if (workload->input->fill != NULL) {
        workload->input->fill(problem, input);
    } else {
        fill_columns(workload->input, problem, input);
    }
    if (problem->lengths.rows != NULL) {
        fill_lengths(workload, problem, input);
    }
}

uint8_t td_workload_poison(const td_workload *workload)
{
    enum {
        POISON_OF_SUMS = 0x7f
    }; /* a double of these is 1e306: a sum with an unwritten part stands out */
    return workload->traits.from_zero    ? 0
           : workload->traits.is_rounded ? 0xff
           : workload->sum != NULL       ? POISON_OF_SUMS
                                         : TD_POISON;
}

bool td_workload_has_layout(const td_workload *workload, td_layout layout)
{
    const td_traits *traits = &workload->traits;
    return layout == TD_PACKED ||
           (traits->has_layouts &&
            (layout == TD_FULL ||
             (layout == TD_BLOCKED ? traits->has_blocked : traits->has_mirrored)));
}

bool td_workload_is_untouched_outside(const td_workload *workload, const td_data *data)
{
    const bool has_halo = workload->automaton != NULL && workload->automaton->dead_halo;
    return data->full == 1 && workload->traits.has_layouts && !has_halo;
}

td_problem td_workload_origin(const td_workload *workload, const td_problem *problem)
{
    const td_value none = {0};
    td_problem origin = *problem;
    td_workload_set_steps(workload, &origin, 0);
    origin.tile = 0;
    if (workload->automaton != NULL) {
        origin.parameters[TD_MEMORY] = origin.parameters[TD_CELL] = none;
    }
    return origin;
}

uint32_t td_workload_storage(const td_workload *workload, const td_problem *problem)
{
    return 1 + td_automaton_storage(workload, problem);
}

uint64_t td_workload_saved_bytes(const td_workload *workload, const td_problem *problem)
{
    return td_workload_cells(workload, problem) * td_element_bytes(workload->automaton->saved);
}

/* ---- elements ---- */

static const struct {
    size_t bytes;
    const char *numpy;
    bool is_float;
} elements[TD_ELEMENTS] = {
    [TD_U8] = {1, "|u1", false}, [TD_U32] = {4, "<u4", false}, [TD_I32] = {4, "<i4", false},
    [TD_F32] = {4, "<f4", true}, [TD_F64] = {8, "<f8", true},  [TD_BF16] = {2, "<u2", true},
    [TD_F16] = {2, "<f2", true}, [TD_I64] = {8, "<i8", false},
};

size_t td_element_bytes(td_element element)
{
    return elements[element].bytes;
}

const char *td_element_numpy(td_element element)
{
    return elements[element].numpy;
}

bool td_element_is_float(td_element element)
{
    return elements[element].is_float;
}
