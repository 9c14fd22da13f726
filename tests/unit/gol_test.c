/*
 * gol_test.c - the game of life on the tiles of a triangle, against independent references: tiles as sets of vertices,
 * and digits of rules.
 */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run_variant.h"
#include "variants.h"
#include "workloads/workloads.h"

/* ---- the rule ---- */

static void rule_is_what_its_digits_say(void **state)
{
    size_t wrong = 0;
    (void)state;
    for (uint32_t rule = 1; rule <= 9999; rule++) {
        td_data data = td_empty_data();
        td_setup_rule(rule, &data);
        for (uint32_t neighbours = 0; neighbours <= 12; neighbours++) {
            const bool survives = neighbours >= rule / 1000 && neighbours <= rule / 100 % 10;
            const bool born = neighbours >= rule / 10 % 10 && neighbours <= rule % 10;
            wrong += td_rule_one(&data, neighbours + 1, 1) != survives;
            wrong += td_rule_one(&data, neighbours, 0) != born;
            /* cell 1 alive, cell 0 dead, all others dead without a neighbour */
            uint32_t n[4];
            for (uint32_t k = 0; k < 4; k++) {
                n[k] = (neighbours + 1) >> k << 1 & 2u;
                n[k] |= neighbours >> k & 1u;
            }
            wrong +=
                td_bits_rule(data.params[1], n, 2u) !=
                ((uint32_t)survives << 1 | (uint32_t)born | (0 >= (int)(rule / 10 % 10) ? ~3u : 0));
        }
    }
    assert_int_equal(wrong, 0);
}

/* ---- gol: tiles as sets of lattice points V(r, c), 0 <= c <= r <= N ---- */

typedef struct tile {
    uint32_t vertex[3];
} tile;

static uint32_t vertex(uint32_t r, uint32_t c)
{
    return r * (r + 1) / 2 + c;
}

/* which: 0 up, 1 down. */
static tile tile_of(uint32_t i, uint32_t j, int which)
{
    const tile up = {{vertex(i, j), vertex(i + 1, j), vertex(i + 1, j + 1)}};
    const tile down = {{vertex(i, j), vertex(i, j + 1), vertex(i + 1, j + 1)}};
    return which == 0 ? up : down;
}

static bool share_a_vertex(tile a, tile b)
{
    for (int x = 0; x < 3; x++) {
        for (int y = 0; y < 3; y++) {
            if (a.vertex[x] == b.vertex[y]) {
                return true;
            }
        }
    }
    return false;
}

static bool exists(uint32_t i, uint32_t j, int which)
{
    return j + (uint32_t)which <= i;
}

/* The number of live tiles that share a vertex with this one, by a search of all tiles. */
static uint32_t live_neighbours(uint32_t n, const uint8_t *cells, uint32_t i, uint32_t j, int which)
{
    uint32_t count = 0;
    for (uint32_t r = i > 2 ? i - 2 : 0; r < n && r <= i + 2; r++) {
        for (uint32_t c = 0; c <= r; c++) {
            for (int k = 0; k < 2; k++) {
                const bool itself = r == i && c == j && k == which;
                count += exists(r, c, k) && !itself &&
                         share_a_vertex(tile_of(i, j, which), tile_of(r, c, k)) &&
                         (cells[td_triangle(r) + c] >> k & 1) != 0;
            }
        }
    }
    return count;
}

static void advance_by_vertices(uint32_t n, uint32_t rule, const uint8_t *from, uint8_t *to)
{
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = 0; j <= i; j++) {
            uint8_t next = 0;
            for (int which = 0; which < 2; which++) {
                const uint32_t live = live_neighbours(n, from, i, j, which);
                const bool alive = (from[td_triangle(i) + j] >> which & 1) != 0;
                const uint32_t low = alive ? rule / 1000 : rule / 10 % 10;
                const uint32_t high = alive ? rule / 100 % 10 : rule % 10;
                if (exists(i, j, which) && live >= low && live <= high) {
                    next |= (uint8_t)(1 << which);
                }
            }
            to[td_triangle(i) + j] = next;
        }
    }
}

/* The conditional technique, in bytes. */
static void conditional_cell(const td_data *data, uint32_t row, uint32_t col)
{
    td_next_cell(data, row, col, &td_gol_cells, TD_STORED_PACKED, TD_WIDTH_u8);
}

static td_problem gol_problem(uint32_t n, uint32_t rule)
{
    td_problem problem = {.n = n};
    char digits[8];
    snprintf(digits, sizeof digits, "%04u", rule);
    td_parameters_preset(&td_gol_workload, problem.parameters);
    set_parameter(&td_gol_workload, &problem, "memory", "conditional");
    set_parameter(&td_gol_workload, &problem, "cell", "u8");
    set_parameter(&td_gol_workload, &problem, "rule", digits);
    return problem;
}

static void advance_with(td_cell_fn *cell, uint32_t n, uint32_t rule, const uint8_t *from,
                         uint8_t *to)
{
    td_problem problem = gol_problem(n, rule);
    td_data data = td_empty_data();
    td_workload_setup(&td_gol_workload, &problem, &data);
    data.input = from;
    data.output = to;
    for (uint32_t row = 0; row < n; row++) {
        for (uint32_t col = 0; col <= row; col++) {
            cell(&data, row, col);
        }
    }
}

enum { GOL_MOST = 17, GOL_CELLS = GOL_MOST * (GOL_MOST + 1) / 2 };

static void gol_agrees_with_shared_vertices(void **state)
{
    static const uint32_t rules[] = {4644, 2333, 3502, 3956};
    static const char *const densities[] = {"0", "0.15", "0.3", "0.45", "0.6", "0.75"};
    uint8_t from[GOL_CELLS], wanted[GOL_CELLS], by_cell[GOL_CELLS], by_reference[GOL_CELLS];
    size_t wrong = 0;
    (void)state;
    for (uint32_t n = 1; n <= GOL_MOST; n++) {
        for (uint32_t k = 0; k < 12; k++) {
            const uint32_t rule = rules[k % 4];
            td_problem problem = gol_problem(n, rule);
            problem.seed = k;
            set_parameter(&td_gol_workload, &problem, "density", densities[k % 6]);
            td_workload_start(&td_gol_workload, &problem, from);
            advance_by_vertices(n, rule, from, wanted);
            advance_with(conditional_cell, n, rule, from, by_cell);
            advance_with(td_gol_reference, n, rule, from, by_reference);
            wrong += memcmp(by_cell, wanted, td_triangle(n)) != 0;
            wrong += memcmp(by_reference, wanted, td_triangle(n)) != 0;
        }
    }
    assert_int_equal(wrong, 0);
}

/* Every possible neighbourhood, with row sums shared by three cells, as in the tile kernels. */
static void gol_by_rows_is_gol_by_cells(void **state)
{
    td_data data = td_empty_data();
    size_t wrong = 0;
    (void)state;
    td_setup_rule(4644, &data);
    for (uint32_t k = 0; k < 1u << 18; k++) {
        uint32_t w[9], sums[3];
        for (uint32_t i = 0; i < 9; i++) {
            w[i] = k >> 2 * i & 3u;
        }
        for (uint32_t r = 0; r < 3; r++) {
            sums[r] = td_gol_sum_cells(w[3 * r], w[3 * r + 1], w[3 * r + 2]);
        }
        for (uint32_t col = 4; col <= 5; col++) { /* inside, and on the diagonal */
            wrong += td_gol_add_cells(&data, sums[0], sums[1], sums[2], w[4], col < 5) !=
                     td_gol_next(&data, w, 5, col);
        }
    }
    assert_int_equal(wrong, 0);
}

/* Tries every set of tiles among a tile and its twelve neighbours until one is stable. */
static void gol_4644_has_a_still_life(void **state)
{
    enum { N = 12, I = 6, J = 3 };
    uint8_t from[GOL_CELLS], to[GOL_CELLS];
    uint32_t place[16], bit[16];
    uint32_t count = 0, found = 0;
    (void)state;
    for (uint32_t r = I - 2; r <= I + 2; r++) {
        for (uint32_t c = 0; c <= r; c++) {
            for (int k = 0; k < 2; k++) {
                if (exists(r, c, k) && share_a_vertex(tile_of(I, J, 0), tile_of(r, c, k))) {
                    place[count] = (uint32_t)td_triangle(r) + c;
                    bit[count++] = (uint32_t)k;
                }
            }
        }
    }
    assert_int_equal(count, 13); /* itself and twelve neighbours */
    for (uint32_t set = 1; set < 1u << 13 && found == 0; set++) {
        memset(from, 0, sizeof from);
        for (uint32_t k = 0; k < 13; k++) {
            from[place[k]] |= (uint8_t)((set >> k & 1u) << bit[k]);
        }
        advance_by_vertices(N, 4644, from, to);
        found = memcmp(from, to, td_triangle(N)) == 0 ? set : 0;
    }
    assert_true(found != 0);
    advance_with(conditional_cell, N, 4644, from, to);
    assert_memory_equal(from, to, td_triangle(N));
}

static void gol_agrees_with_shared_vertices_in_every_variant(void **state)
{
    variant all[MOST_VARIANTS];
    const size_t count = all_variants(all);
    uint8_t from[GOL_CELLS], once[GOL_CELLS], wanted[GOL_CELLS];
    size_t wrong = 0, variants = 0;
    (void)state;
    for (size_t i = 0; i < count; i++) {
        variants += strcmp(all[i].workload->name, "gol") == 0;
        for (uint32_t k = 0; strcmp(all[i].workload->name, "gol") == 0 && k < 8; k++) {
            td_problem problem = all[i].problem;
            problem.n = k == 0 ? 1 : GOL_MOST - k;
            problem.seed = k;
            set_parameter(all[i].workload, &problem, "steps", "2");
            set_parameter(all[i].workload, &problem, "rule", k % 2 == 0 ? "4644" : "3502");
            td_workload_start(all[i].workload, &problem, from);
            advance_by_vertices(problem.n, k % 2 == 0 ? 4644 : 3502, from, once);
            advance_by_vertices(problem.n, k % 2 == 0 ? 4644 : 3502, once, wanted);
            uint8_t *found = run_variant(all[i].workload, problem, "ltm-i");
            wrong += found == NULL || memcmp(found, wanted, td_triangle(problem.n)) != 0;
            free(found);
        }
    }
    assert_int_equal(variants, 11);
    assert_int_equal(wrong, 0);
}

static void density_0_is_nobody_and_1_everybody(void **state)
{
    uint8_t cells[GOL_CELLS];
    const td_workload *gol = &td_gol_workload, *life = &td_life_workload;
    td_problem problem = {.n = GOL_MOST, .seed = 3}, other = problem;
    set_parameter(gol, &problem, "density", "0");
    set_parameter(life, &other, "density", "1");
    uint32_t sum = 0;
    (void)state;
    td_workload_start(gol, &problem, cells);
    for (size_t i = 0; i < GOL_CELLS; i++) {
        sum += cells[i];
    }
    assert_int_equal(sum, 0);
    set_parameter(gol, &problem, "density", "1");
    td_workload_start(gol, &problem, cells);
    for (uint32_t row = 0; row < GOL_MOST; row++) {
        for (uint32_t col = 0; col <= row; col++) {
            sum += cells[td_triangle(row) + col] != (col < row ? 3 : 1);
        }
    }
    td_workload_start(life, &other, cells);
    for (size_t i = 0; i < GOL_CELLS; i++) {
        sum += cells[i] != 1;
    }
    assert_int_equal(sum, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rule_is_what_its_digits_say),
        cmocka_unit_test(gol_agrees_with_shared_vertices),
        cmocka_unit_test(gol_by_rows_is_gol_by_cells),
        cmocka_unit_test(gol_agrees_with_shared_vertices_in_every_variant),
        cmocka_unit_test(gol_4644_has_a_still_life),
        cmocka_unit_test(density_0_is_nobody_and_1_everybody),
    };
    return cmocka_run_group_tests_name("gol", tests, NULL, NULL);
}
