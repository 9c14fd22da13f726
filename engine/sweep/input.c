#include "input.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/core/own.h"
#include "engine/core/parameter.h"
#include "strategies/numbers.h"
#include "draft.h"

/* Whether a selected strategy has the workload's dimension. */
static bool has_strategy(const td_options *options, const td_workload *workload)
{
    bool has = false;
    for (size_t s = 0; s < options->strategy_count; s++) {
        has |= options->strategies[s].strategy->dimension == workload->dimension;
    }
    return has;
}

/* The workload that determines the content of the file; NULL: none takes input, which is an error, or skipped runs,
 * when runs are made. All selected workloads that take input must take the same. */
static td_status find_target(const td_options *options, const td_workload **found, td_error *error)
{
    for (size_t w = 0; w < options->workload_count; w++) {
        const td_workload *one = options->workloads[w].workload, *other = *found;
        if (!has_strategy(options, one) || !td_workload_takes_input(one)) {
            continue;
        }
        if (other != NULL && strcmp(other->input->takes, one->input->takes) != 0) {
            const bool same = other->dimension == one->dimension;
            return td_fail(error, TD_USAGE, "--input: %s%s and %s%s take different input",
                           other->name, same ? "" : " in 2D", one->name, same ? "" : " in 3D");
        }
        *found = one;
    }
    return TD_OK;
}

/* ---- the file; errors are about the value of --input ---- */

/* Rows and columns count from 0, as in numpy. */
static td_status read_points(const char *path, const td_run *target, td_input *input,
                             td_error *error)
{
    const td_workload *w = target->workload;
    const uint32_t columns = w->input->columns != TD_COLUMNS_CHOSEN
                                 ? w->input->columns
                                 : (uint32_t)target->problem.parameters[w->input->chosen_by].count;
    const uint64_t matrices = w->input->matrices != NULL ? w->input->matrices(&target->problem) : 1;
    td_table *t = &input->numbers;
    td_unfit unfit = {0};
    TRY(td_table_read(path, columns, w->input->of_halves, t, error));
    if (t->rows <= w->input->more_rows) {
        return td_fail(error, TD_USAGE, "'%s': expected at least %u rows for %s, got %u", path,
                       w->input->more_rows + 1, w->name, t->rows);
    }
    if (t->rows % matrices != 0) {
        return td_fail(error, TD_USAGE, "'%s': expected N rows for each of %llu matrices, got %u",
                       path, (unsigned long long)matrices, t->rows);
    }
    input->n = (uint32_t)(t->rows / matrices) - w->input->more_rows;
    return w->input->unfit == NULL ||
                   !w->input->unfit(&target->problem, t->values, t->rows, t->columns, &unfit)
               ? TD_OK
               : td_fail(error, TD_USAGE, "'%.160s': row %u %s", path, unfit.row, unfit.why);
}

static td_status read_image(const char *path, const td_workload *w, td_input *input,
                            td_error *error)
{
    td_table *t = &input->numbers;
    TRY(td_npy_table(path, 0, false, t, error));
    input->n = t->rows;
    for (uint64_t k = 0; k < (uint64_t)t->rows * t->columns; k++) {
        if (fabsf(t->values[k]) > w->input->image_most) {
            return td_fail(error, TD_USAGE,
                           "'%.160s': row %llu, column %llu: %g is beyond %g, up to which %s can "
                           "add up neighbours in float32",
                           path, (unsigned long long)(k / t->columns),
                           (unsigned long long)(k % t->columns), (double)t->values[k],
                           (double)w->input->image_most, w->name);
        }
    }
    return TD_OK;
}

/* The first of a row's cells that is more than `most`, or the last one if it is more than `last`; `cells`: none is. */
static uint32_t first_beyond(const uint8_t *row, uint32_t cells, uint8_t most, uint8_t last)
{
    uint32_t x = 0;
    while (x < cells && row[x] <= (x + 1 < cells ? most : last)) {
        x++;
    }
    return x;
}

td_status td_state_check(const td_workload *workload, td_state_form form, uint32_t n,
                         const uint8_t *state, td_error *error)
{
    /* with two tiles per cell, the last cell of a triangle's row has only the first */
    const uint8_t most = workload->automaton->most, last = most > 1 ? 1 : most;
    const bool solid = form == TD_STATE_TETRAHEDRON;
    for (uint32_t z = 0; z < (solid ? n : 1); z++) {
        for (uint32_t y = 0; y < (solid ? z + 1 : n); y++) {
            const uint32_t cells = solid ? z - y + 1 : form == TD_STATE_SQUARE ? n : y + 1;
            const uint32_t x = first_beyond(state, cells, most, last);
            if (x < cells) {
                char cell[48];
                snprintf(cell, sizeof cell, solid ? "%u, %u, %u" : "%u, %u", solid ? x : y,
                         solid ? y : x, z);
                return td_fail(error, TD_USAGE,
                               "has the byte %u in cell (%s), where %s accepts 0..%u", state[x],
                               cell, workload->name, x + 1 < cells ? most : last);
            }
            state += cells;
        }
    }
    return TD_OK;
}

static td_status read_state(const char *path, const td_run *target, td_input *input,
                            td_error *error)
{
    const td_state_form form = target->workload->dimension == 3 ? TD_STATE_TETRAHEDRON
                               : td_run_is_square(target)       ? TD_STATE_SQUARE
                                                                : TD_STATE_TRIANGLE;
    TRY(td_npy_state(path, form, &input->state, error));
    input->n = input->state.n;
    return td_state_check(target->workload, form, input->n, input->state.cells, error);
}

static td_status read_file(const char *path, const td_run *target, td_input *input, td_error *error)
{
    const td_workload *w = target->workload;
    return w->input->columns > 0      ? read_points(path, target, input, error)
           : w->input->image_most > 0 ? read_image(path, w, input, error)
                                      : read_state(path, target, input, error);
}

static td_digest digest_of_input(const td_input *input)
{
    const td_table *t = &input->numbers;
    return t->values != NULL
               ? td_digest_of(t->values, (uint64_t)t->rows * t->columns * sizeof *t->values)
               : td_digest_of(input->state.cells, input->state.bytes);
}

/* ---- the array of --verify ---- */

/* Read the output of one element per cell. How many elements another output has may depend on the run. */
static td_status read_expected(const char *path, const td_workload *w, uint64_t n, td_input *input,
                               td_error *error)
{
    const bool solid = w->dimension == 3;
    const uint64_t whole = solid ? n * n * n : n * n;
    const uint64_t packed = solid ? td_tetrahedron(n) : td_triangle(n);
    const uint64_t *count = &input->expected_elements;
    TRY(td_npy_elements(path, w->element, &input->expected, &input->expected_elements, error));
    return !w->traits.has_layouts || *count == packed || *count == whole
               ? TD_OK
               : td_fail(error, TD_USAGE,
                         "'%.160s': expected the %llu elements of %s at N = %llu, or the %llu of "
                         "its full layout, got %llu",
                         path, (unsigned long long)packed, w->name, (unsigned long long)n,
                         (unsigned long long)whole, (unsigned long long)*count);
}

static td_status open_expected(const td_options *options, td_input *input, td_error *error)
{
    const td_workload *w = options->workloads[0].workload;
    if (options->workload_count != 1 || w->own == NULL || w->own->loop == NULL) {
        return td_fail(error, TD_USAGE,
                       "--verify: '%s' goes with one workload from a file%s: others have a check",
                       options->expected, w->sum != NULL ? " that is no sum" : "");
    }
    if (options->resume != NULL || options->shares_domain) {
        return td_fail(error, TD_USAGE, "--verify: '%s' does not go with %s", options->expected,
                       options->resume != NULL ? "--resume, whose runs were verified otherwise"
                                               : "--ranks");
    }
    if (input->n == 0 && options->n.count != 1) {
        return td_fail(error, TD_USAGE, "--verify: '%s' goes with one N", options->expected);
    }
    const uint32_t n = input->n > 0 ? input->n : options->n.shapes[0].x;
    return td_name_option(error, read_expected(options->expected, w, n, input, error), "verify");
}

static td_status open_input(const td_options *options, td_input *input, td_error *error)
{
    td_draft target = {0};
    const td_workload *workload = NULL;
    TRY(options->input != NULL ? find_target(options, &workload, error) : TD_OK);
    if (workload == NULL) {
        return TD_OK;
    }
    td_draft_resolve(&target, options, input, workload, 0, 0);
    if (target.unresolved.text[0] != '\0') {
        *error = target.unresolved;
        return TD_USAGE;
    }
    TRY(td_name_option(error, read_file(options->input, &target.run, input, error), "input"));
    if (td_option_is_given(options, "n") &&
        (options->n.count != 1 || options->n.shapes[0].x != input->n)) {
        return td_fail(error, TD_USAGE, "--n: '%s' has N = %u: leave --n out or give that",
                       options->input, input->n);
    }
    input->digest = digest_of_input(input);
    return TD_OK;
}

/* ---- rows: their order, and how many each sequence has ---- */

static td_status take_counts(const char *path, const td_table *table, uint32_t low,
                             td_counts *counts, td_error *error)
{
    TRY(td_allocate(&counts->numbers, table->rows, sizeof *counts->numbers, error,
                    "the numbers in '%.160s'", path));
    counts->count = table->rows;
    for (uint32_t i = 0; i < table->rows; i++) {
        const float number = table->values[i];
        if (!(number >= (float)low && number <= (float)TD_TABLE_ROWS && floorf(number) == number)) {
            return td_fail(error, TD_USAGE,
                           "'%.160s': row %u: expected a whole number from %u to %d, got %g", path,
                           i + 1, low, TD_TABLE_ROWS, (double)number);
        }
        counts->numbers[i] = (uint32_t)number;
    }
    counts->digest = td_digest_of(counts->numbers, counts->count * sizeof *counts->numbers);
    return TD_OK;
}

static td_status read_counts(const char *path, uint32_t low, td_counts *counts, td_error *error)
{
    td_table table;
    TRY(td_table_read(path, 1, false, &table, error));
    const td_status status = take_counts(path, &table, low, counts, error);
    td_table_free(&table);
    return status;
}

/* An order has each number below their count once. */
static td_status read_order(const char *path, td_counts *rows, td_error *error)
{
    bool *seen;
    td_status status = TD_OK;
    TRY(read_counts(path, 0, rows, error));
    TRY(td_allocate(&seen, rows->count, sizeof *seen, error, "the order in '%.160s'", path));
    for (uint32_t i = 0; i < rows->count && status == TD_OK; i++) {
        const uint32_t row = rows->numbers[i];
        if (row >= rows->count || seen[row]) {
            status =
                td_fail(error, TD_USAGE, "'%.160s': row %u: expected each of 0..%u once, got %u",
                        path, i + 1, rows->count - 1, row);
        } else {
            seen[row] = true;
        }
    }
    free(seen);
    return status;
}

td_status td_input_open(const td_options *options, td_input *input, td_error *error)
{
    if (options->table != NULL) {
        TRY(td_name_option(error, read_order(options->table, &input->rows, error),
                           "set " TD_TABLE_PARAMETER));
    }
    if (options->lengths != NULL) {
        TRY(td_name_option(error, read_counts(options->lengths, 1, &input->lengths, error),
                           "set " TD_LENGTHS_PARAMETER));
    }
    TRY(open_input(options, input, error));
    return options->expected != NULL ? open_expected(options, input, error) : TD_OK;
}

void td_input_attach(const td_input *input, td_problem *problem)
{
    problem->numbers = input->numbers.values;
    problem->state = input->state.cells;
    problem->expected = input->expected;
    problem->expected_elements = input->expected_elements;
    problem->lengths = (td_lengths){input->lengths.numbers, input->lengths.count};
}

void td_input_close(td_input *input)
{
    td_table_free(&input->numbers);
    free(input->state.cells);
    free(input->expected);
    free(input->rows.numbers);
    free(input->lengths.numbers);
}
