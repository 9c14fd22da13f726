/* blocked_test.c - the places of cells in each layout: no two share one, and kernels use the right address. If all
 * right values are the same, no run shows that a check looks in the wrong place. */
#include "test.h"

#include <stdlib.h>

#include "workloads/place.h"
#include "workloads/workloads.h"

static const uint32_t sides[] = {1, 2, 3, 5, 8, 16};

/* One workload's output in one layout; in tiles of one size. */
typedef struct stored {
    td_data data;
    uint64_t elements;
    uint8_t *taken; /* number of cells at each element */
    uint64_t twice, outside, elsewhere;
} stored;

static stored stored_of(int dimension, uint32_t n, uint32_t side, td_layout layout)
{
    const td_problem problem = {.n = n, .tile = side, .layout = layout};
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

static void take_flat(stored *s, uint32_t n, uint32_t side)
{
    for (uint32_t row = 0; row < n; row++) {
        for (uint32_t col = 0; col <= row; col++) {
            const td_data in =
                s->data.blocked ? td_in_tile(&s->data, col / side, row / side) : s->data;
            take(s, td_place_2d(&s->data, row, col), td_cell_4(&in, row, col));
        }
    }
}

static void take_solid(stored *s, uint32_t n, uint32_t side)
{
    for (uint32_t z = 0; z < n; z++) {
        for (uint32_t y = 0; y <= z; y++) {
            for (uint32_t x = 0; x + y <= z; x++) {
                const td_data in =
                    s->data.blocked ? td_in_tile3(&s->data, x / side, y / side, z / side) : s->data;
                take(s, td_place_3d(&s->data, x, y, z), td_cell3_4(&in, x, y, z));
            }
        }
    }
}

TEST(each_cell_has_a_place)
{
    for (uint32_t k = 0; k < 2 * 3 * 40 * COUNT(sides); k++) {
        const uint32_t side = sides[k / 6 % COUNT(sides)], n = 1 + k / 6 / COUNT(sides);
        const int dimension = 2 + k % 2;
        stored s = stored_of(dimension, n, side, k / 2 % 3);
        (dimension == 2 ? take_flat : take_solid)(&s, n, side);
        assert_right(&s, n, side);
    }
}

/* Expected values computed by hand. */
TEST(places_are_those_of_the_definition)
{
    stored flat = stored_of(2, 10, 4, TD_BLOCKED), solid = stored_of(3, 10, 4, TD_BLOCKED);
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
