/*
 * automata_test.c - every variant of the cellular automata: references, storage, first states.
 */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/io/automaton_state.h"
#include "trial.h"
#include "variants.h"
#include "workloads/workloads.h"

static void every_variant_agrees_with_the_reference(void **state)
{
    static const uint32_t sizes[] = {1, 2, 3, 31, 32, 33, 97};
    static const char *const steps[] = {"0", "1", "2", "5"};
    variant all[MOST_VARIANTS];
    const size_t count = all_variants(all);
    size_t wrong = 0;
    (void)state;
    for (size_t i = 0; i < count; i++) {
        const td_workload *workload = all[i].workload;
        for (size_t k = 0; k < 7 * 4 * 2 && is_flat_automaton(workload); k++) {
            const bool square = k % 2 != 0;
            td_problem problem = all[i].problem;
            problem.n = sizes[k / 8];
            problem.seed = k;
            set_parameter(workload, &problem, "steps", steps[k / 2 % 4]);
            set_parameter(workload, &problem, "density", "0.35");
            set_parameter(workload, &problem, "domain", square ? "square" : "triangle");
            trial t;
            open_trial(workload, &problem, square ? "bb" : "rb-b", &t);
            wrong += !close_trial(&t);
        }
    }
    assert_int_equal(wrong, 0);
}

/* Wrong cells in the first output after one step, and cells alive outside of the domain. */
static uint64_t mismatches_of(td_buffers *b)
{
    td_check_counts counts = {0};
    td_error error;
    td_data data = b->data;
    data.output = b->output[0].output;
    data.expected = b->reference[1];
    b->engine->ops->check(b->engine, b->workload, &data, &counts, &error);
    return counts.mismatches + counts.touched_outside;
}

/* Errors that verification must find: a missing cell, an extra cell, a missing step. */
static void verification_sees_a_wrong_cell(void **state)
{
    td_error error;
    size_t blind = 0;
    (void)state;
    variant all[MOST_VARIANTS];
    const size_t count = all_variants(all);
    for (size_t i = 0; i < count; i++) {
        td_problem problem = all[i].problem;
        trial t;
        if (!is_flat_automaton(all[i].workload)) {
            continue;
        }
        problem.n = 40;
        set_parameter(all[i].workload, &problem, "steps", "1");
        set_parameter(all[i].workload, &problem, "density", "0.4");
        open_trial(all[i].workload, &problem, "ltm-i", &t);
        uint8_t *middle = (uint8_t *)t.buffers.output[0].output + t.buffers.output[0].bytes / 2;
        blind += mismatches_of(&t.buffers) != 0;
        *middle ^= 1;
        blind += mismatches_of(&t.buffers) == 0;
        *middle ^= 1;
        td_buffers_poison(&t.buffers, &error);
        blind += mismatches_of(&t.buffers) != 820; /* every cell is poisoned */
        blind += !close_trial(&t);
    }
    assert_int_equal(blind, 0);
}

/* ---- storage ---- */

static uint64_t with_halo(const td_data *data, uint32_t row)
{
    return td_halo_row(data, row, 1);
}

static uint64_t u32_lines(const td_data *data, uint32_t row)
{
    return td_aligned_row(data, row, TD_LINE_U32, 1);
}

static uint64_t u8_lines(const td_data *data, uint32_t row)
{
    return td_aligned_row(data, row, TD_LINE_U8, 1);
}

static uint64_t one_plane(const td_data *data, uint32_t row)
{
    return td_word_row(data, row, 1);
}

static uint64_t two_planes(const td_data *data, uint32_t row)
{
    return td_word_row(data, row, 2);
}

static size_t overlaps(td_row_fn *row_of, const td_data *data, uint32_t unit, uint32_t line,
                       uint32_t ring)
{
    size_t wrong = 0;
    for (uint32_t row = 0U - ring; row != data->n + ring - 1; row++) { /* from -ring on */
        const uint64_t start = row_of(data, row) * unit, next = row_of(data, row + 1) * unit;
        /* the columns before the next row follow */
        const uint64_t stored = td_is_square(data) ? data->n + ring : row + 1 + 2 * ring;
        wrong += next < start + stored + ring || start < ring || start % line != 0;
    }
    return wrong;
}

static td_data stored_as(const td_workload *workload, uint32_t n, bool square, const char *memory,
                         const char *cell)
{
    td_problem problem = {.n = n};
    td_data data = td_empty_data();
    td_parameters_preset(workload, problem.parameters);
    set_parameter(workload, &problem, "domain", square ? "square" : "triangle");
    set_parameter(workload, &problem, "memory", memory);
    set_parameter(workload, &problem, "cell", cell);
    td_workload_setup(workload, &problem, &data);
    return data;
}

static void stored_rows_do_not_overlap(void **state)
{
    size_t wrong = 0;
    (void)state;
    for (uint32_t k = 0; k < 2 * 1500; k++) {
        const uint32_t n = k / 2 + 1;
        const bool square = k % 2 != 0;
        const td_workload *life = &td_life_workload;
        const td_data halo = stored_as(life, n, square, "halo", "u8"),
                      u32 = stored_as(life, n, square, "strip", "u32"),
                      u8 = stored_as(life, n, square, "strip", "u8"),
                      bit = stored_as(life, n, square, "strip", "bit"),
                      planes = stored_as(&td_gol_workload, n, false, "strip", "bit");
        wrong += overlaps(with_halo, &halo, 1, 1, 1) != 0;
        wrong += overlaps(u32_lines, &u32, 1, TD_LINE_U32, 1) != 0;
        wrong += overlaps(u8_lines, &u8, 1, TD_LINE_U8, 1) != 0;
        wrong += overlaps(one_plane, &bit, 32, TD_LINE_BITS, 1) != 0;
        wrong += overlaps(two_planes, &planes, 16, TD_LINE_BITS / 2, 1) != 0;
    }
    assert_int_equal(wrong, 0);
}

/* ---- first states ---- */

static void states_that_mean_nothing_are_rejected(void **state)
{
    const uint8_t good[3] = {1, 3, 0}, down_on_the_diagonal[3] = {2, 0, 0}, four[3] = {0, 4, 0};
    const td_workload *gol = td_workload_find("gol", 2), *life = td_workload_find("life", 2);
    td_error error = {""};
    (void)state;
    assert_int_equal(td_state_check(gol, TD_STATE_TRIANGLE, 2, good, &error), TD_OK);
    assert_int_equal(td_state_check(gol, TD_STATE_TRIANGLE, 2, down_on_the_diagonal, &error),
                     TD_USAGE);
    assert_int_equal(td_state_check(gol, TD_STATE_TRIANGLE, 2, four, &error), TD_USAGE);
    assert_non_null(strstr(error.text, "the byte 4 in cell (1, 0)"));
    assert_int_equal(td_state_check(life, TD_STATE_TRIANGLE, 2, good, &error), TD_USAGE);
    const uint8_t corner[4] = {0, 0, 0, 2}; /* on the square, whose rows are all as long */
    assert_int_equal(td_state_check(life, TD_STATE_SQUARE, 2, corner, &error), TD_USAGE);
    assert_non_null(strstr(error.text, "the byte 2 in cell (1, 1)"));
    const uint8_t dead[4] = {0}, odd[4] = {0, 1, 0, 7}; /* (0, 1, 1) is the last of N = 2 */
    assert_int_equal(
        td_state_check(td_workload_find("life", 3), TD_STATE_TETRAHEDRON, 2, dead, &error), TD_OK);
    assert_int_equal(
        td_state_check(td_workload_find("life", 3), TD_STATE_TETRAHEDRON, 2, odd, &error),
        TD_USAGE);
    assert_non_null(strstr(error.text, "the byte 7 in cell (0, 1, 1)"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_variant_agrees_with_the_reference),
        cmocka_unit_test(verification_sees_a_wrong_cell),
        cmocka_unit_test(stored_rows_do_not_overlap),
        cmocka_unit_test(states_that_mean_nothing_are_rejected),
    };
    return cmocka_run_group_tests_name("automata", tests, NULL, NULL);
}
