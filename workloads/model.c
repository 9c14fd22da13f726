/* model.c - what a run must do at least: cells, bytes, operations. */
#include "workloads.h"
#include "workloads/automata/family.h"

/* Those of all triangles of a batch. */
static uint64_t rows_of(const td_problem *problem, uint32_t batch)
{
    const td_lengths lengths = problem->lengths;
    uint64_t rows = 0;
    if (lengths.rows == NULL) {
        return (uint64_t)problem->n * batch;
    }
    for (uint32_t triangle = 0; triangle < batch; triangle++) {
        rows += td_length_of(lengths, problem->n, batch, triangle);
    }
    return rows;
}

uint64_t td_workload_cells(const td_workload *workload, const td_problem *problem)
{
    if (workload->dimension == 3) {
        return td_tetrahedron(problem->n);
    }
    if (td_workload_is_square(workload, problem)) {
        return (uint64_t)problem->n * problem->n;
    }
    if (workload->traits.by_rows) {
        return rows_of(problem, td_workload_batch(workload, problem));
    }
    return td_triangle(workload->traits.no_diagonal ? problem->n - 1 : problem->n);
}

static uint64_t bytes_of_n_rows(const td_workload *workload, const td_problem *problem)
{
    if (workload->automaton != NULL) {
        return td_automaton_bytes(workload, problem);
    }
    if (workload->model.bytes != NULL || workload->own != NULL) {
        return workload->model.bytes != NULL ? workload->model.bytes(problem) : 0;
    }
    const uint64_t elements =
        td_workload_cells(workload, problem) * (1 + workload->traits.from_zero);
    return elements * td_element_bytes(workload->element) +
           td_workload_input_bytes(workload, problem);
}

uint64_t td_workload_bytes(const td_workload *workload, const td_problem *problem)
{
    td_problem whole = *problem;
    whole.lengths.rows = NULL;
    const uint64_t bytes = bytes_of_n_rows(workload, &whole);
    return problem->lengths.rows == NULL
               ? bytes
               : bytes / td_workload_cells(workload, &whole) * td_workload_cells(workload, problem);
}

uint64_t td_workload_flops(const td_workload *workload, const td_problem *problem)
{
    if (workload->automaton != NULL) {
        return td_workload_cells(workload, problem) * workload->automaton->flops *
               td_workload_steps(workload, problem);
    }
    return workload->model.flops != NULL ? workload->model.flops(problem) : 0;
}

bool td_workload_has_model(const td_workload *workload)
{
    return workload->own == NULL ||
           (workload->model.bytes != NULL &&
            (workload->model.flops != NULL || workload->model.int_ops > 0));
}

uint64_t td_workload_int_ops(const td_workload *workload, const td_problem *problem)
{
    const td_automaton *automaton = workload->automaton;
    const uint64_t generations = automaton != NULL ? td_workload_steps(workload, problem) : 1;
    const uint64_t cells = td_workload_cells(workload, problem) * generations;
    const size_t bytes = td_element_bytes(workload->element);
    const uint32_t in_a_word = bytes < 4 ? (uint32_t)(4 / bytes) : 1;
    /* in bit planes an operation handles 32 cells, but each bit of a sum takes four operations */
    const bool bits = automaton != NULL && automaton->variant->cell == TD_WIDTH_bit;
    const uint32_t at_once = bits ? 8 : in_a_word;
    return (cells * workload->model.int_ops + at_once - 1) / at_once;
}
