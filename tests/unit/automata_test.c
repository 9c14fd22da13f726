/* automata_test.c - cellular automata: the storage of rows, and first states. good.bats has every variant. */
#include "test.h"

#include <string.h>

#include "engine/sweep/input.h"
#include "variants.h"
#include "workloads/workloads.h"

/* ---- storage ---- */

/* A way to store rows: the first element of a row, its cells per element, and what a row starts at a multiple of. */
typedef struct row_storage {
    const td_workload *of;
    const char *memory, *cell;
    uint32_t cells, line, ring;
} row_storage;

static const row_storage rows[] = {
    {&td_life_workload, "halo", "u8", 1, 1, 1},
    {&td_life_workload, "strip", "u32", 1, TD_LINE_U32, 1},
    {&td_life_workload, "strip", "u8", 1, TD_LINE_U8, 1},
    {&td_life_workload, "strip", "bit", 32, TD_LINE_BITS, 1},
    {&td_gol_workload, "strip", "bit", 16, TD_LINE_BITS / 2, 1},
    {&td_water_workload, "halo", "f32", 1, 1, 2},
    {&td_water_workload, "strip", "f32", 1, TD_LINE_U32, 2},
};

/* The number of cells stored before a row. */
static uint64_t start_of(const row_storage *s, const td_data *data, uint32_t row)
{
    return s->cells > 1  ? s->cells * td_word_row(data, row, 32 / s->cells)
           : s->line > 1 ? td_aligned_row(data, row, s->line, s->ring)
                         : td_halo_row(data, row, s->ring);
}

static size_t overlaps(const row_storage *s, const td_data *data)
{
    const uint32_t ring = s->ring;
    size_t wrong = 0;
    for (uint32_t row = 0U - ring; row != data->n + ring - 1; row++) { /* from -ring on */
        const uint64_t start = start_of(s, data, row), next = start_of(s, data, row + 1);
        /* the columns before the next row follow */
        const uint64_t stored = td_is_square(data) ? data->n + ring : row + 1 + 2 * ring;
        wrong += next < start + stored + ring || start < ring || start % s->line != 0;
    }
    return wrong;
}

TEST(stored_rows_do_not_overlap)
{
    size_t wrong = 0;
    for (size_t i = 0; i < COUNT(rows); i++) {
        for (uint32_t k = 0; k < 2 * 1500; k++) {
            td_problem problem = {.n = k / 2 + 1};
            td_data data = td_empty_data();
            td_parameters_preset(rows[i].of, problem.parameters);
            set_parameter(rows[i].of, &problem, "domain", k % 2 != 0 ? "square" : "triangle");
            set_parameter(rows[i].of, &problem, "memory", rows[i].memory);
            set_parameter(rows[i].of, &problem, "cell", rows[i].cell);
            td_workload_setup(rows[i].of, &problem, &data);
            wrong += overlaps(&rows[i], &data) != 0;
        }
    }
    assert_int_equal(wrong, 0);
}

/* ---- first states ---- */

TEST(states_that_mean_nothing_are_rejected)
{
    static const struct {
        const td_workload *of;
        td_state_form form;
        uint8_t cells[4];
        const char *reason; /* NULL: none */
    } cases[] = {
        {&td_gol_workload, TD_STATE_TRIANGLE, {1, 3, 0}, NULL},
        {&td_gol_workload, TD_STATE_TRIANGLE, {2, 0, 0}, "the byte 2 in cell (0, 0)"},
        {&td_gol_workload, TD_STATE_TRIANGLE, {0, 4, 0}, "the byte 4 in cell (1, 0)"},
        {&td_life_workload, TD_STATE_TRIANGLE, {1, 3, 0}, "the byte 3 in cell (1, 0)"},
        {&td_life_workload, TD_STATE_SQUARE, {0, 0, 0, 2}, "the byte 2 in cell (1, 1)"},
        {&td_life3_workload, TD_STATE_TETRAHEDRON, {0, 0, 0, 0}, NULL},
        {&td_life3_workload, TD_STATE_TETRAHEDRON, {0, 1, 0, 7}, "the byte 7 in cell (0, 1, 1)"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        td_error error = {""};
        const td_status status =
            td_state_check(cases[i].of, cases[i].form, 2, cases[i].cells, &error);
        assert_int_equal(status, cases[i].reason != NULL ? TD_USAGE : TD_OK);
        assert_non_null(strstr(error.text, cases[i].reason != NULL ? cases[i].reason : ""));
    }
}
