/* life3_test.c - life on a tetrahedron, on the host: in every storage its rows, in parts and cut anywhere, are what the
 * definition says. */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "engine/core/parameter.h"
#include "workloads/automata/family.h"
#include "workloads/automata/life3_host.h"
#include "workloads/workloads.h"

/* A way to store a state, and the function that computes its cells one by one; NULL: there is none. */
typedef struct storage {
    td_technique memory;
    td_layout layout;
    td_cell3_fn *cell;
} storage;

static const storage storages[] = {
    {TD_TECHNIQUE_conditional, TD_PACKED, td_life3_cell},
    {TD_TECHNIQUE_conditional, TD_FULL, td_life3_cell},
    {TD_TECHNIQUE_strip, TD_PACKED, NULL},
};

static void each_cell(const td_data *data, td_cell3_fn *does)
{
    for (uint32_t z = 0; z < data->n; z++) {
        for (uint32_t y = 0; y <= z; y++) {
            for (uint32_t x = 0; x + y <= z; x++) {
                does(data, x, y, z);
            }
        }
    }
}

static void each_row(const td_data *data, uint32_t side, td_storage stored)
{
    for (uint32_t z = 0; z < data->n; z++) {
        for (uint32_t y = 0; y <= z; y++) {
            for (uint32_t x = 0, cells = z - y + 1; x < cells; x += side) {
                td_life3_row_of_tile(data, x, x + side < cells ? x + side : cells, y, z, stored);
            }
        }
    }
}

/* The output, which was filled with `fill`, has the expected cells, and between them is still full of it. */
static bool has_just(const td_workload *life, const td_problem *problem, const td_data *data,
                     const uint8_t *expected, int fill)
{
    const uint64_t cells = td_tetrahedron(problem->n),
                   bytes = td_workload_output_elements(life, problem);
    uint8_t *found = malloc(cells), *output = data->output;
    uint64_t touched = 0;
    td_workload_save(life, problem, output, found);
    const bool same = memcmp(found, expected, cells) == 0;
    free(found);
    each_cell(data, td_life3_paint);
    for (uint64_t i = 0; i < bytes; i++) {
        touched += output[i] != fill && output[i] != TD_POISON;
    }
    memset(output, fill, bytes);
    return same && touched == 0;
}

/* Where cells are tested before they are read, all that is stored beside them is poison in the input. */
static bool agrees(const storage *in, uint32_t n, uint32_t side)
{
    td_problem problem = {.n = n, .tile = side, .layout = in->layout, .seed = n};
    const int fill = in->memory == TD_TECHNIQUE_strip ? 0 : TD_POISON;
    const char *why = NULL;
    td_parameters_preset(&td_life3_workload, problem.parameters);
    problem.parameters[TD_MEMORY].count = in->memory;
    const td_workload *life = td_workload_variant(&td_life3_workload, &problem, &why);
    const uint64_t cells = td_tetrahedron(n), bytes = td_workload_input_bytes(life, &problem);
    uint8_t *start = malloc(cells), *expected = malloc(cells);
    uint8_t *input = malloc(bytes), *output = malloc(bytes);
    td_data data = td_empty_data(), packed;
    memset(output, fill, bytes);
    td_workload_start(life, &problem, start);
    problem.state = start;
    td_workload_fill(life, &problem, input);
    td_workload_setup(life, &problem, &data);
    packed = data;
    packed.input = start;
    packed.output = expected;
    each_cell(&packed, td_life3_reference);
    data.input = input;
    data.output = output;
    each_row(&data, side, td_techniques[in->memory].storage);
    bool same = has_just(life, &problem, &data, expected, fill);
    if (in->cell != NULL) {
        each_cell(&data, in->cell);
        same &= has_just(life, &problem, &data, expected, fill);
    }
    free(output);
    free(input);
    free(expected);
    free(start);
    return same;
}

static void rows_and_cells_are_the_definition(void **state)
{
    static const uint32_t sizes[] = {1, 2, 7, 9, 33, 75, TD_LIFE3_PART + 20};
    static const uint32_t sides[] = {
        1, 3, 8, 20, TD_LIFE3_VECTOR, TD_LIFE3_VECTOR + 1, TD_LIFE3_PART + 1};
    size_t wrong = 0;
    (void)state;
    for (size_t s = 0; s < COUNT(storages); s++) {
        for (size_t k = 0; k < COUNT(sizes) * COUNT(sides); k++) {
            const uint32_t n = sizes[k / COUNT(sides)], side = sides[k % COUNT(sides)];
            const bool is_large = n > TD_LIFE3_PART, is_long = side > TD_LIFE3_PART;
            if (is_large == is_long && !agrees(&storages[s], n, side)) {
                print_message("storage %zu, N = %u, tiles of %u\n", s, n, side);
                wrong++;
            }
        }
    }
    assert_int_equal(wrong, 0);
}

/* The lines before a row, added up one by one; and each cell, with the cells around it, has a place of its own. */
static void rows_in_lines_follow_each_other(void **state)
{
    uint64_t lines = 0;
    (void)state;
    for (uint32_t z = 0; z < 300; z++) {
        for (uint32_t y = 0; y <= z; y++) {
            assert_int_equal(td_lines3_before(y, z), lines);
            lines += (z - y + 1 + 31) / 32;
        }
    }
    for (uint32_t z = UINT32_MAX; z != 200; z++) {
        for (uint32_t y = UINT32_MAX; y != z + 2; y++) {
            assert_true(td_lines3_row(y, z) + (z - y + 3) < td_lines3_row(y + 1, z));
        }
    }
}

/* True if a check of all cells accepts a state. */
static bool passes_as_life(const td_data *data)
{
    bool ok = true;
    for (uint32_t z = 0; z < data->n; z++) {
        for (uint32_t y = 0; y <= z; y++) {
            for (uint32_t x = 0; x <= z - y; x++) {
                ok &= td_life3_check(data, x, y, z).ok;
            }
        }
    }
    return ok;
}

/* Every cell outside of the domain that has a neighbour in it. */
static void living_border_of_life_is_noticed(void **state)
{
    enum { N = 5, SIDE = N + 2 };
    static const uint8_t dead[SIDE * SIDE * SIDE] = {0};
    size_t cells = 0, noticed = 0;
    (void)state;
    for (uint32_t k = 0; k < SIDE * SIDE * SIDE; k++) {
        const uint32_t x = k % SIDE - 1, y = k / SIDE % SIDE - 1, z = k / SIDE / SIDE - 1;
        uint8_t output[1 << 13] = {0};
        td_data data = td_empty_data();
        bool beside = false;
        data.n = N; /* and row_scale 0: in lines */
        data.output = output;
        data.expected = dead;
        for (uint32_t i = 0; i < 27; i++) {
            beside |=
                x + i % 3 - 1 < td_life3_cells_of_row(&data, y + i / 3 % 3 - 1, z + i / 9 - 1);
        }
        if (beside && x >= td_life3_cells_of_row(&data, y, z)) {
            cells++;
            assert_true(passes_as_life(&data));
            output[td_stored_at3(&data, x, y, z)] = 1;
            noticed += !passes_as_life(&data);
        }
    }
    assert_true(cells > 100);
    assert_int_equal(noticed, cells);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_and_cells_are_the_definition),
        cmocka_unit_test(rows_in_lines_follow_each_other),
        cmocka_unit_test(living_border_of_life_is_noticed),
    };
    return cmocka_run_group_tests_name("life3", tests, NULL, NULL);
}
