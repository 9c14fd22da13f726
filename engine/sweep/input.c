#include "input.h"

#include <math.h>
#include <string.h>

#include "engine/core/digest.h"
#include "engine/core/error.h"
#include "engine/io/automaton_state.h"
#include "resolve.h"

/* Of two workloads with the same name, those are meant whose dimension a selected strategy has. */
static bool is_meant(const td_options *options, const td_workload *workload)
{
    bool meant = td_workload_find(workload->name, workload->dimension == 2 ? 3 : 2) == NULL;
    for (size_t s = 0; s < options->strategy_count; s++) {
        meant |= options->strategies[s].strategy->dimension == workload->dimension;
    }
    return meant;
}

static td_status add_target(const td_workload *one, const td_workload **workload, td_error *error)
{
    if (!td_workload_takes_input(one)) {
        return TD_OK; /* becomes an error, or a skipped run, when runs are made */
    }
    if (*workload != NULL && strcmp((*workload)->input->takes, one->input->takes) != 0) {
        const bool same = (*workload)->dimension == one->dimension;
        return td_fail(error, TD_USAGE, "--input: %s%s and %s%s take different input",
                       (*workload)->name, same ? "" : " in 2D", one->name, same ? "" : " in 3D");
    }
    *workload = one;
    return TD_OK;
}

/* The workload that determines the content of the file: all selected workloads that take input must take the same. */
static td_status target_workload(const td_options *options, const td_workload **workload,
                                 td_error *error)
{
    for (size_t w = 0; w < options->workload_count; w++) {
        const td_workload *one = options->workloads[w].workload;
        TRY(is_meant(options, one) ? add_target(one, workload, error) : TD_OK);
    }
    return *workload != NULL ? TD_OK
                             : td_fail(error, TD_USAGE, "--input: %s takes no input",
                                       options->workloads[0].workload->name);
}

/* The workload that the file is for, and the form of its states. */
typedef struct target {
    const td_workload *workload;
    td_state_form form;
} target;

static td_status find_target(const td_options *options, target *to, td_error *error)
{
    const td_workload *workload = NULL;
    td_problem problem = {0};
    TRY(target_workload(options, &workload, error));
    TRY(td_parameters_resolve(options, 0, workload, &problem, &to->workload, error));
    to->form = to->workload->dimension == 3                    ? TD_STATE_TETRAHEDRON
               : td_workload_is_square(to->workload, &problem) ? TD_STATE_SQUARE
                                                               : TD_STATE_TRIANGLE;
    return TD_OK;
}

static td_status read_file(const td_options *options, const target *to, td_input *input,
                           uint32_t *n, td_error *error)
{
    const td_workload *workload = to->workload;
    if (workload->input->columns > 0) {
        TRY(td_table_read(options->input, workload->input->columns, &input->table, error));
        if (input->table.rows <= workload->input->more_rows) {
            return td_fail(error, TD_USAGE, "'%s': expected at least %u rows for %s, got %u",
                           options->input, workload->input->more_rows + 1, workload->name,
                           input->table.rows);
        }
        *n = input->table.rows - workload->input->more_rows;
    } else if (workload->input->image_most > 0) {
        TRY(td_npy_image(options->input, &input->image, error));
        *n = input->image.rows;
    } else {
        TRY(td_npy_state(options->input, to->form, &input->state, error));
        *n = input->state.n;
        TRY(td_state_check(workload, to->form, *n, input->state.cells, error));
    }
    return TD_OK;
}

/* Reject valid numbers that the workload cannot compute with. Rows count from 1, as in an editor. */
static td_status check_points(const td_workload *workload, const td_options *options,
                              const td_table *table, td_error *error)
{
    td_unfit unfit = {0};
    if (table->values == NULL || workload->input->unfit == NULL ||
        !workload->input->unfit(table->values, table->rows, table->columns, &unfit)) {
        return TD_OK;
    }
    return td_fail(error, TD_USAGE, "'%.160s': point %u %s", options->input, unfit.row + 1,
                   unfit.why);
}

/* The same for an image, whose rows and columns count from 0, as in numpy. */
static td_status check_image(const td_workload *workload, const td_options *options,
                             const td_table *image, td_error *error)
{
    const uint64_t pixels = (uint64_t)image->rows * image->columns;
    for (uint64_t k = 0; k < pixels; k++) {
        if (fabsf(image->values[k]) > workload->input->image_most) {
            return td_fail(error, TD_USAGE,
                           "'%.160s': row %llu, column %llu: %g is beyond %g, up to which %s can "
                           "add up neighbours in float32",
                           options->input, (unsigned long long)(k / image->columns),
                           (unsigned long long)(k % image->columns), (double)image->values[k],
                           (double)workload->input->image_most, workload->name);
        }
    }
    return TD_OK;
}

static td_digest digest_of_input(const td_input *input)
{
    const td_table *t = input->image.values != NULL ? &input->image : &input->table;
    return t->values != NULL
               ? td_digest_of(t->values, (uint64_t)t->rows * t->columns * sizeof *t->values)
               : td_digest_of(input->state.cells, input->state.bytes);
}

td_status td_input_open(const td_options *options, td_input *input, td_error *error)
{
    target to = {0};
    uint32_t n = 0;
    if (options->input == NULL) {
        return TD_OK;
    }
    TRY(find_target(options, &to, error));
    TRY(td_name_option(error, read_file(options, &to, input, &n, error), "input"));
    TRY(td_name_option(error, check_points(to.workload, options, &input->table, error), "input"));
    TRY(td_name_option(error, check_image(to.workload, options, &input->image, error), "input"));
    if (td_option_is_given(options, "n") && (options->n_count != 1 || options->n[0] != n)) {
        return td_fail(error, TD_USAGE, "--n: '%s' has N = %u: leave --n out or give that",
                       options->input, n);
    }
    input->n = n;
    input->digest = digest_of_input(input);
    return TD_OK;
}

void td_input_attach(const td_input *input, td_problem *problem)
{
    problem->points = input->table.values;
    problem->state = input->state.cells;
    problem->image = input->image.values;
}

void td_input_close(td_input *input)
{
    td_table_free(&input->table);
    td_state_free(&input->state);
    td_table_free(&input->image);
}
