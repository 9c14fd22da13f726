/* blocked_test.c - outputs that consist of tiles: no two cells share a place, kernels use the right address, and cells
 * of life on a tetrahedron find their neighbours. */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "engine/core/parameter.h"
#include "workloads/automata/family/family.h"
#include "workloads/automata/life3_host.h"
#include "workloads/place.h"
#include "workloads/workloads.h"

static const uint32_t sides[] = {1, 2, 3, 5, 8, 16};

/* One workload's output in tiles of one size. */
typedef struct stored {
    td_data data;
    uint64_t elements;
    uint8_t *taken; /* number of cells at each element */
    uint64_t twice, outside, elsewhere;
} stored;

static stored stored_of(int dimension, uint32_t n, uint32_t side)
{
    const td_problem problem = {.n = n, .tile = side, .layout = TD_BLOCKED};
    const td_workload *write = td_workload_find("write", dimension);
    stored s = {.elements = td_workload_output_elements(write, &problem)};
    td_workload_setup(write, &problem, &s.data);
    s.taken = calloc(s.elements, 1);
    s.data.output = malloc(4 * s.elements);
    return s;
}

static void take(stored *s, uint64_t place, const void *address)
{
    if (place >= s->elements) {
        s->outside++;
        return;
    }
    s->twice += s->taken[place]++;
    s->elsewhere += address != (const char *)s->data.output + 4 * place;
}

static void assert_right(stored *s, uint32_t n, uint32_t side)
{
    const uint64_t twice = s->twice, outside = s->outside, elsewhere = s->elsewhere;
    free(s->taken);
    free(s->data.output);
    if (twice + outside + elsewhere > 0) {
        fail_msg("N = %u, tiles of %u: %llu places taken twice, %llu outside, %llu cells elsewhere",
                 n, side, (unsigned long long)twice, (unsigned long long)outside,
                 (unsigned long long)elsewhere);
    }
}

static void each_cell_has_a_place(void **state)
{
    (void)state;
    for (uint32_t k = 0; k < 2 * 40 * COUNT(sides); k++) {
        const uint32_t side = sides[k % COUNT(sides)], n = 1 + k / COUNT(sides) % 40;
        const int dimension = k < 40 * COUNT(sides) ? 2 : 3;
        stored s = stored_of(dimension, n, side);
        for (uint32_t row = 0; row < n && dimension == 2; row++) {
            for (uint32_t col = 0; col <= row; col++) {
                const td_data in = td_in_tile(&s.data, col / side, row / side);
                take(&s, td_place_2d(&s.data, row, col), td_cell_4(&in, row, col));
            }
        }
        for (uint32_t z = 0; z < n && dimension == 3; z++) {
            for (uint32_t y = 0; y <= z; y++) {
                for (uint32_t x = 0; x + y <= z; x++) {
                    const td_data in = td_in_tile3(&s.data, x / side, y / side, z / side);
                    take(&s, td_place_3d(&s.data, x, y, z), td_cell3_4(&in, x, y, z));
                }
            }
        }
        assert_right(&s, n, side);
    }
}

/* Expected values computed by hand. */
static void places_are_those_of_the_definition(void **state)
{
    (void)state;
    stored flat = stored_of(2, 10, 4), solid = stored_of(3, 10, 4);
    const uint64_t places[] = {
        flat.elements,                 /* 3 rows of tiles: 6 tiles of 16 */
        td_place_2d(&flat.data, 4, 0), /* tile (0, 1) is the second */
        td_place_2d(&flat.data, 9, 6), /* tile (1, 2) is the fifth; row 1, column 2 in it */
        solid.elements,                /* 10 tiles of 64 */
        td_place_3d(&solid.data, 0, 4,
                    4), /* tile (0, 1, 1) is behind (0, 0, 0), (0, 0, 1), (1, 0, 1) */
        td_place_3d(&solid.data, 1, 2, 9), /* tile (0, 0, 2) is the fifth; z 1, y 2, x 1 in it */
    };
    static const uint64_t expected[] = {96, 16, 4 * 16 + 6, 640, 3 * 64, 4 * 64 + 16 + 8 + 1};
    assert_right(&flat, 10, 4);
    assert_right(&solid, 10, 4);
    for (size_t i = 0; i < COUNT(expected); i++) {
        assert_int_equal(places[i], expected[i]);
    }
}

/* ---- life, whose cells read other tiles ---- */

static void cells_of_life(const td_data *data)
{
    for (uint32_t z = 0; z < data->n; z++) {
        for (uint32_t y = 0; y <= z; y++) {
            for (uint32_t x = 0; x + y <= z; x++) {
                (data->blocked != 0 ? td_life3_blocked_cell : td_life3_reference)(data, x, y, z);
            }
        }
    }
}

static void tiles_of_life(const td_data *data)
{
    const uint32_t side = data->blocked;
    for (uint32_t z = 0; z < data->n; z++) {
        for (uint32_t y = 0; y <= z; y++) {
            for (uint32_t x = 0, cells = z - y + 1; x < cells; x += side) {
                td_life3_row_of_tile(data, x, x + side < cells ? x + side : cells, y, z,
                                     TD_STORED_PACKED);
            }
        }
    }
}

/* True if the definition, the cells and the tiles give the same next generation. All that is stored beside the cells is
 * poison: it must not be read in the input, and must be left in the output. */
static bool agree_on_life(const td_problem *of, uint8_t *memory)
{
    td_problem problem = *of;
    const char *why = NULL;
    const td_workload *life = td_workload_variant(&td_life3_workload, &problem, &why);
    const uint64_t cells = td_tetrahedron(problem.n);
    const uint64_t elements = td_workload_output_elements(life, &problem);
    const uint64_t input_bytes = td_workload_input_bytes(life, &problem);
    uint8_t *start = memory, *expected = start + cells, *found = expected + cells;
    uint8_t *input = found + cells, *by_cell = input + input_bytes, *by_tile = by_cell + elements;
    td_data packed = td_empty_data(), data = td_empty_data();
    uint64_t untouched = 0;
    td_workload_start(life, &problem, start);
    problem.state = start;
    td_workload_fill(life, &problem, input);
    td_workload_setup(life, &problem, &data);
    memset(by_cell, TD_POISON, 2 * elements);
    packed = data;
    packed.blocked = 0;
    packed.input = start;
    packed.output = expected;
    cells_of_life(&packed);
    data.input = input;
    data.output = by_cell;
    cells_of_life(&data);
    td_workload_save(life, &problem, by_cell, found);
    data.output = by_tile;
    tiles_of_life(&data);
    for (uint64_t i = 0; i < elements; i++) {
        untouched += by_cell[i] == TD_POISON;
    }
    return memcmp(found, expected, cells) == 0 && memcmp(by_tile, by_cell, elements) == 0 &&
           untouched == elements - cells;
}

static void life_in_tiles_is_life(void **state)
{
    static const uint32_t sizes[] = {1, 2, 7, 8, 9, 33, 70}, of_tiles[] = {1, 3, 4, 8, 20, 32, 40};
    uint8_t *memory = malloc(1 << 22);
    size_t wrong = 0;
    (void)state;
    for (size_t i = 0; i < COUNT(sizes) * COUNT(of_tiles); i++) {
        td_problem problem = {.n = sizes[i / COUNT(of_tiles)],
                              .tile = of_tiles[i % COUNT(of_tiles)],
                              .layout = TD_BLOCKED,
                              .seed = 7};
        td_parameters_preset(&td_life3_workload, problem.parameters);
        if (!agree_on_life(&problem, memory)) {
            print_message("N = %u, tiles of %u\n", problem.n, problem.tile);
            wrong++;
        }
    }
    free(memory);
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_cell_has_a_place),
        cmocka_unit_test(places_are_those_of_the_definition),
        cmocka_unit_test(life_in_tiles_is_life),
    };
    return cmocka_run_group_tests_name("blocked", tests, NULL, NULL);
}
