/* tetra_run_test.c - tetrahedra on the cpu engine: every cell once, detected errors, energies of triplets. */
#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "each_strategy.h"
#include "engine/bench/group.h"
#include "engine/core/parameter.h"
#include "trial.h"
#include "workloads/automata/family/family.h"
#include "workloads/automata/life3_host.h"
#include "workloads/triplet.h"
#include "workloads/write3.h"

/* ---- the cpu engine ---- */

static td_run run_of(const char *strategy, const char *workload, uint32_t n, uint32_t block,
                     uint32_t tile)
{
    td_run run = {.engine = &td_cpu_ops,
                  .strategy = td_strategy_find(strategy),
                  .workload = td_workload_find(workload, 3)};
    run.problem.n = n;
    run.problem.tile = tile;
    run.problem.seed = 3;
    run.block.x = run.block.y = run.block.z = block;
    run.tile = tile;
    run.cutoff = run.strategy->uses_cutoff ? 16 : 0;
    return run;
}

/* Runs once on the cpu engine and returns the verified result. */
static td_result result_of(const td_run *run)
{
    trial t;
    open_trial_with(run, NULL, &t);
    assert_true(close_trial(&t));
    assert_int_equal(t.result.checked, td_tetrahedron(run->problem.n));
    return t.result;
}

static void cells_are_covered_once_and_nothing_else_is_touched(void **state)
{
    static const uint32_t sides[][2] = {{2, 2}, {4, 4}, {8, 8}, {4, 12}, {8, 32}};
    static const char *const with_layouts[] = {"write", "accumulate"};
    const td_strategy *s = strategy_of(state);
    for (size_t i = 0; i < COUNT(sides); i++) {
        for (uint32_t n = 1; n <= 40; n += 1 + n / 20) {
            td_run run = run_of(s->name, "cover", n, sides[i][0], sides[i][1]);
            result_of(&run);
            for (size_t w = 0; w < COUNT(with_layouts); w++) {
                run = run_of(s->name, with_layouts[w], n, sides[i][0], sides[i][1]);
                result_of(&run);
                run.problem.layout = TD_FULL;
                result_of(&run);
                run.problem.layout = TD_BLOCKED;
                if (s->tree == NULL && !s->whole_rows) {
                    result_of(&run);
                }
            }
            run = run_of(s->name, "dummy", n, sides[i][0], sides[i][1]);
            result_of(&run);
        }
    }
    td_run run = run_of(s->name, "cover", 129, 8, 8);
    result_of(&run);
}

/* A sum with a tile kernel is proven in the same grids by a workload without one. */
static void visits_in_the_grids_of_tiles_are_counted_cell_by_cell(void **state)
{
    const td_engine_ops tiling = {.can = {.tile_kernels = true}};
    const td_plan plan = {0};
    td_run run = run_of("ltm-tetra", "triplet", 100, 8, 32);
    const td_buffers energy = {.workload = run.workload, .problem = run.problem};
    const td_buffers visits = {.workload = td_workload_find("cover", 3), .problem = run.problem};
    (void)state;
    run.engine = &tiling;
    assert_int_equal(td_execution_of(&energy, &run, &plan).kernel, TD_KERNEL_LOOP);
    run.tiled = true;
    assert_int_equal(td_execution_of(&energy, &run, &plan).kernel, TD_KERNEL_TILE);
    assert_int_equal(td_execution_of(&visits, &run, &plan).kernel, TD_KERNEL_LOOP);
}

/* One cell less, one cell more and one visit too many are all detected. */
static void a_wrong_tetrahedron_is_noticed(void **state)
{
    const td_engine_config config = {.threads = 1};
    const td_workload *write = td_workload_find("write", 3);
    td_problem problem = {.n = 9, .tile = 8, .layout = TD_FULL};
    td_buffers buffers;
    td_engine *cpu = NULL;
    td_error error;
    td_check_counts missing = {0}, outside = {0};
    (void)state;
    assert_int_equal(td_cpu_ops.open(&config, &cpu, &error), TD_OK);
    assert_int_equal(td_buffers_open(cpu, write, &problem, &buffers, &error), TD_OK);
    assert_int_equal(td_buffers_poison(&buffers, &error), TD_OK);
    for (uint32_t z = 0; z < 9; z++) {
        for (uint32_t y = 0; y <= z; y++) {
            for (uint32_t x = 0; x <= z - y; x++) {
                td_write3_cell(&buffers.data, x, y, z);
            }
        }
    }
    memset(td_cell3_4(&buffers.data, 3, 2, 7), 0xa5, 4);
    td_cpu_ops.check(cpu, write, &buffers.data, &missing, &error);
    td_write3_cell(&buffers.data, 3, 2, 7);
    td_write3_cell(&buffers.data, 6, 2, 7); /* x + y = z + 1 */
    td_cpu_ops.check(cpu, write, &buffers.data, &outside, &error);
    td_buffers_close(&buffers);
    td_cpu_ops.close(cpu);
    assert_int_equal(missing.mismatches, 1);
    assert_int_equal(missing.touched_outside, 0);
    assert_int_equal(outside.mismatches, 0);
    assert_int_equal(outside.touched_outside, 4);
}

/* ---- life ---- */

/* Rows on the host, in parts and cut anywhere, must equal the cells computed one by one. They are in layers with and
 * without a layer before and after. */
static void rows_of_life_are_their_cells(void **state)
{
    enum { Z = TD_LIFE3_PART + 100, MORE = 64 };
    static const uint32_t rows[][2] = {{0, Z}, {1, Z}, {40, Z}, {Z - 1, Z}, {Z, Z}, {5, Z + 1}};
    static const uint32_t cuts[] = {1, 31, 1000, TD_LIFE3_PART, TD_LIFE3_PART + 1};
    const uint64_t before = td_tetrahedron(Z - 1), cells = td_tetrahedron(Z + 2) - before;
    uint8_t *in = malloc(cells + MORE), *row = calloc(cells, 1), *cell = calloc(cells, 1);
    td_data data = td_empty_data();
    size_t wrong = 0;
    (void)state;
    data.n = data.row_scale = Z + 2;
    td_setup_rule(4555, &data);
    for (uint64_t i = 0; i < cells; i++) {
        in[i] = td_random_bits(1, 0, i) % 5 == 0;
    }
    data.input = (void *)((uintptr_t)in - before);
    for (size_t r = 0; r < COUNT(rows); r++) {
        const uint32_t y = rows[r][0], z = rows[r][1], end = z - y + 1;
        for (size_t c = 0; c < COUNT(cuts); c++) {
            data.output = (void *)((uintptr_t)row - before);
            for (uint32_t first = 0; first < end; first += cuts[c]) {
                td_life3_row_of_tile(&data, first, end - first < cuts[c] ? end : first + cuts[c], y,
                                     z, TD_STORED_PACKED);
            }
            data.output = (void *)((uintptr_t)cell - before);
            for (uint32_t x = 0; x < end; x++) {
                td_life3_cell(&data, x, y, z);
            }
            wrong += memcmp(row, cell, cells) != 0;
        }
    }
    free(cell);
    free(row);
    free(in);
    assert_int_equal(wrong, 0);
}

/* The next state of all cells on the host, in tiles of this side. */
static void compute_tiles(const td_data *data, uint32_t side, td_storage storage)
{
    for (uint32_t z = 0; z < data->n; z++) {
        for (uint32_t y = 0; y <= z; y++) {
            for (uint32_t x = 0, cells = z - y + 1; x < cells; x += side) {
                td_life3_row_of_tile(data, x, x + side < cells ? x + side : cells, y, z, storage);
            }
        }
    }
}

/* Tiles of all sizes, packed, full and in lines, at every border and away from all borders, give what the definition
 * does, and in lines leave everything around the domain dead. */
static void tiles_of_life_are_the_definition(void **state)
{
    static const uint32_t sides[] = {1, 3, 8, 16, TD_LIFE3_VECTOR, TD_LIFE3_VECTOR + 1, 75};
    static const struct {
        td_technique memory;
        td_layout layout;
    } stored[] = {{TD_TECHNIQUE_conditional, TD_PACKED},
                  {TD_TECHNIQUE_conditional, TD_FULL},
                  {TD_TECHNIQUE_strip, TD_PACKED}};
    size_t wrong = 0;
    (void)state;
    for (size_t k = 0; k < COUNT(stored) * COUNT(sides); k++) {
        td_problem problem = {.n = 75, .seed = 5, .layout = stored[k / COUNT(sides)].layout};
        const char *why = NULL;
        td_parameters_preset(&td_life3_workload, problem.parameters);
        problem.parameters[TD_MEMORY].count = stored[k / COUNT(sides)].memory;
        const td_workload *life = td_workload_variant(&td_life3_workload, &problem, &why);
        const uint64_t cells = td_tetrahedron(75), bytes = td_workload_input_bytes(life, &problem);
        uint8_t *start = malloc(cells), *expected = malloc(cells), *found = malloc(cells);
        uint8_t *in = malloc(bytes), *out = calloc(bytes, 1);
        td_data data = td_empty_data(), packed;
        td_workload_setup(life, &problem, &data);
        td_workload_start(life, &problem, start);
        problem.state = start;
        td_workload_fill(life, &problem, in);
        data.input = in;
        data.output = out;
        compute_tiles(&data, sides[k % COUNT(sides)],
                      td_techniques[stored[k / COUNT(sides)].memory].storage);
        td_workload_save(life, &problem, out, found);
        packed = data;
        packed.input = start;
        packed.output = expected;
        uint64_t alive = 0, living = 0;
        for (uint32_t z = 0; z < 75; z++) {
            for (uint32_t y = 0; y <= z; y++) {
                for (uint32_t x = 0; x <= z - y; x++) {
                    td_life3_reference(&packed, x, y, z);
                }
            }
        }
        for (uint64_t i = 0; i < cells; i++) {
            alive += expected[i];
        }
        for (uint64_t i = 0; i < bytes; i++) {
            living += out[i];
        }
        wrong += memcmp(found, expected, cells) != 0 || alive != living;
        free(out);
        free(in);
        free(found);
        free(expected);
        free(start);
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

/* ---- triplet ---- */

static double energy_of_three(const float *points)
{
    float by_coordinate[9];
    td_problem problem = {.n = 1, .tile = 8, .points = points};
    td_data data = {0};
    td_triplet_fill(&problem, by_coordinate);
    td_setup_sum(&problem, &data);
    data.input = by_coordinate;
    double scale = 0.0;
    const double energy = td_triplet_cell(&data, 0, 0, 0);
    const double reference = td_triplet_reference(&problem, by_coordinate, &scale);
    assert_true(fabs(energy - reference) <= 1e-10 * scale);
    return energy;
}

/* Terms that cancel, and one side much shorter than the others: right sums with a relatively large error. */
static void energy_near_zero_is_right(void **state)
{
    size_t small = 0;
    (void)state;
    for (uint64_t t = 0; t < 20000; t++) {
        const float length = 0.25f + td_random_float(1, 0, t);
        const float apex = -0.45742710775f; /* 1 + 3 cos a cos b cos c = 0 */
        const float flat[] = {
            0, 0, 0, length, 0, 0, length * apex, length * sqrtf(1.0f - apex * apex), 0};
        small += fabs(energy_of_three(flat)) < 1e-6 * pow((double)length, -9.0);
    }
    for (uint64_t t = 0; t < 20000; t++) {
        float near[9];
        for (uint64_t i = 0; i < 9; i++) {
            near[i] = (float)(td_random_bits(2, i, t) >> 40) / 16777216.0f;
        }
        for (uint64_t i = 6; i < 9; i++) {
            near[i] = near[i - 3] + (float)(1 + (td_random_bits(3, i, t) >> 58)) / 16777216.0f;
        }
        (void)energy_of_three(near);
    }
    assert_int_equal(small, 20000);
}

static void known_triangles_have_their_energy(void **state)
{
    static const float equilateral[] = {1, 0, 0, 0, 1, 0, 0, 0, 1}; /* side sqrt(2) */
    static const float in_a_row[] = {0, 0, 0, 2, 0, 0, 4, 0, 0};
    static const float right[] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    (void)state;
    assert_true(fabs(energy_of_three(equilateral) - 11.0 / 8.0 / pow(2.0, 4.5)) < 1e-15);
    assert_true(fabs(energy_of_three(in_a_row) + 2.0 / pow(16.0, 3.0)) < 1e-15);
    assert_true(fabs(energy_of_three(right) - 1.0 / pow(2.0, 1.5)) < 1e-15);
}

static void energy_depends_on_no_strategy(void **state)
{
    static const char *const names[] = {"bb-tetra", "ltm-tetra", "rb-tetra", "rec-tetra",
                                        "dp-tetra"};
    static const uint32_t sizes[] = {1, 2, 8, 9, 60};
    (void)state;
    for (size_t i = 0; i < COUNT(sizes); i++) {
        const td_run first = run_of(names[0], "triplet", sizes[i], 8, 8);
        const double energy = result_of(&first).finding.real;
        for (size_t s = 0; s < COUNT(names); s++) {
            const td_run run = run_of(names[s], "triplet", sizes[i], 8, 8);
            const td_result result = result_of(&run);
            assert_true(result.has_finding);
            assert_memory_equal(&result.finding.real, &energy, sizeof energy); /* to the bit */
        }
        const td_run rows = run_of("ltm-rows", "triplet", sizes[i], 8, 8); /* sums by other tiles */
        assert_true(fabs(result_of(&rows).finding.real - energy) <= 1e-12 * fabs(energy));
    }
}

/* Two particles at one place: the infinite energy is rejected with the reason, not compared. */
static void particles_at_one_place_are_rejected(void **state)
{
    static const float points[] = {0, 0, 0, 1, 1, 1, 2, 0, 0, 1, 1, 1};
    td_run run = run_of("bb-tetra", "triplet", 2, 8, 8);
    trial t;
    (void)state;
    run.problem.points = points;
    open_trial_with(&run, NULL, &t);
    assert_false(close_trial(&t));
    assert_int_equal(t.status, TD_FAILED);
    assert_false(t.result.has_finding);
    assert_non_null(strstr(t.error.text, "is not finite"));
}

#define TEST(id, A) EACH(id, cells_are_covered_once_and_nothing_else_is_touched),

int main(void)
{
    const struct CMUnitTest tests[] = {
        TD_STRATEGIES_3D(TEST, )
            cmocka_unit_test(visits_in_the_grids_of_tiles_are_counted_cell_by_cell),
        cmocka_unit_test(a_wrong_tetrahedron_is_noticed),
        cmocka_unit_test(rows_of_life_are_their_cells),
        cmocka_unit_test(tiles_of_life_are_the_definition),
        cmocka_unit_test(rows_in_lines_follow_each_other),
        cmocka_unit_test(living_border_of_life_is_noticed),
        cmocka_unit_test(known_triangles_have_their_energy),
        cmocka_unit_test(energy_near_zero_is_right),
        cmocka_unit_test(energy_depends_on_no_strategy),
        cmocka_unit_test(particles_at_one_place_are_rejected),
    };
    return cmocka_run_group_tests_name("tetra_run", tests, NULL, NULL);
}
