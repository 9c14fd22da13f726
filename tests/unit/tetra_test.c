/* tetra_test.c - tetrahedra: maps, plans and ranges of the 3D strategies, the layout, the cpu
 * engine on all of it. */
#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/bench/group.h"
#include "engine/cpu/row.h"
#include "engine/plan/execution.h"
#include "engine/plan/planning.h"
#include "engine/verify/verification.h"
#include "strategies/strategies.h"
#include "workloads/triplet.h"
#include "workloads/write3.h"

static td_domain domain_of_tiles(uint32_t tiles, uint32_t cutoff_tiles)
{
    td_domain domain = {.cells = tiles * 8, .tiles = tiles, .tile = 8, .cutoff = cutoff_tiles * 8};
    domain.block.x = domain.block.y = domain.block.z = 8;
    return domain;
}

static td_plan plan_of(const td_strategy *s, const td_domain *domain)
{
    td_plan plan = {0};
    assert_int_equal(td_plan_make(s, domain, false, &plan), TD_PLAN_MADE);
    return plan;
}

/* ---- maps ---- */

typedef struct damage {
    uint64_t missing, twice, outside, working, hit;
} damage;

static void hit(uint8_t *hits, const td_launch *launch, td_tile tile, damage *seen)
{
    const uint32_t n = launch->n;
    if (!tile.active) {
        return;
    }
    seen->working++;
    if (tile.z >= n || tile.x > tile.z || tile.y > tile.z || tile.x + tile.y > tile.z) {
        seen->outside++;
        return;
    }
    uint8_t *cell = &hits[((size_t)tile.z * n + tile.y) * n + tile.x];
    for (uint32_t x = 0; x < td_tile_columns(launch, tile); x++) {
        seen->twice += cell[x];
        seen->hit += 1 - cell[x];
        cell[x] = 1;
    }
}

static void run_launch(td_block_map_fn *map, const td_launch *launch, uint8_t *hits, damage *seen)
{
    td_dim3 block;
    for (block.z = 0; block.z < launch->grid.z; block.z++) {
        for (block.y = 0; block.y < launch->grid.y; block.y++) {
            for (block.x = 0; block.x < launch->grid.x; block.x++) {
                hit(hits, launch, map(launch, block), seen);
            }
        }
    }
}

static void assert_covered(const td_strategy *s, uint32_t tiles, uint32_t cutoff_tiles)
{
    const td_domain domain = domain_of_tiles(tiles, cutoff_tiles);
    td_plan plan = plan_of(s, &domain);
    damage seen = {0};
    uint8_t *hits = calloc((size_t)tiles * tiles * tiles, 1);
    for (size_t i = 0; hits != NULL && i < plan.count; i++) {
        run_launch(s->block_map, &plan.launches[i], hits, &seen);
    }
    seen.missing = td_tetrahedron(tiles) - seen.hit;
    const uint64_t needed = plan.blocks_needed;
    free(hits);
    td_plan_free(&plan);
    if (seen.missing + seen.twice + seen.outside > 0 || seen.working != needed) {
        fail_msg(
            "%s n=%u cutoff %u: %llu missing, %llu twice, %llu outside, %llu of %llu blocks work",
            s->name, tiles, cutoff_tiles, (unsigned long long)seen.missing,
            (unsigned long long)seen.twice, (unsigned long long)seen.outside,
            (unsigned long long)seen.working, (unsigned long long)needed);
    }
}

static void strategy_covers_every_tile_once(void **state)
{
    static const uint32_t more[] = {63, 64, 65, 100, 127, 128, 129};
    const td_strategy *s = td_strategies[(uintptr_t)*state];
    for (uint32_t tiles = 1; tiles <= 40; tiles++) {
        for (uint32_t cutoff = 1; cutoff <= (s->uses_cutoff ? 9 : 1); cutoff++) {
            assert_covered(s, tiles, cutoff);
        }
    }
    for (size_t i = 0; i < COUNT(more); i++) {
        assert_covered(s, more[i], 4);
    }
}

/* ---- exactness ---- */

static void repaired_slice_is_exact(void **state)
{
    uint32_t wrong = 0;
    (void)state;
    for (uint32_t z = 0; z < TD_TETRAHEDRON_32; z++) {
        const uint32_t first = (uint32_t)td_tetrahedron(z),
                       last = (uint32_t)(td_tetrahedron(z + 1) - 1);
        for (uint32_t guess = z > 0 ? z - 1 : 0; guess <= z + 1; guess++) {
            const td_slice a = td_slice_repair(first, guess), b = td_slice_repair(last, guess);
            wrong +=
                a.z != z || a.rest != 0 || b.z != z || b.rest != (uint32_t)td_triangle(z + 1) - 1;
        }
    }
    assert_int_equal(wrong, 0);
}

static void slices_are_exact_up_to_their_range(void **state)
{
    uint32_t wrong = 0;
    (void)state;
    for (uint32_t z = 0; z < TD_TETRAHEDRON_32; z++) {
        const uint64_t first = td_tetrahedron(z), end = td_tetrahedron(z + 1);
        wrong += td_tetrahedron_32(z) != (uint32_t)first;
        for (uint64_t i = first; i < end;
             i += i + 2 < end && i > first ? (end - 1 - i) / 2 + 1 : 1) {
            const td_slice slice = td_slice_of((uint32_t)i);
            wrong += slice.z != z || slice.rest != i - first;
        }
    }
    assert_int_equal(wrong, 0);
    assert_true(td_tetrahedron(TD_TETRAHEDRON_32) <= UINT32_MAX);
    assert_true(td_tetrahedron(TD_TETRAHEDRON_32 + 1) > UINT32_MAX);
}

/* The first and the last tile of every row i of every slice z. */
static void ltm_tetra_is_exact_up_to_its_range(void **state)
{
    const td_launch launch = {0};
    uint32_t wrong = 0, n = td_strategy_find("ltm-tetra")->exact_n;
    (void)state;
    assert_int_equal(n, 2343);
    for (uint32_t z = 0; z < n; z++) {
        for (uint32_t i = 0; i <= z; i++) {
            const uint32_t start = (uint32_t)(td_tetrahedron(z) + td_triangle(i));
            const td_dim3 first = {start, 0, 0}, last = {start + i, 0, 0};
            const td_tile a = td_ltm_tetra_map(&launch, first), b = td_ltm_tetra_map(&launch, last);
            wrong += a.x != 0 || a.y != i || a.z != z || b.x != i || b.y != 0 || b.z != z;
        }
    }
    assert_int_equal(wrong, 0);
}

/* Layer and row are those of ltm-i; the ends of each row up to the range. */
static void ltm_rows_is_ltm_i(void **state)
{
    const uint32_t n = td_strategy_find("ltm-rows")->exact_n;
    const td_launch launch = {.param = {(uint32_t)td_triangle(n) - 1}};
    uint32_t wrong = 0;
    (void)state;
    for (uint32_t z = 0; z < n; z++) {
        const uint32_t start = launch.param[0] - (uint32_t)td_triangle(z);
        const td_dim3 first = {start, 0, 0}, last = {start - z, 0, 0};
        const td_tile a = td_ltm_rows_map(&launch, first), b = td_ltm_rows_map(&launch, last);
        wrong += (a.x | a.y | b.x) != 0 || a.z != z || b.y != z || b.z != z;
    }
    assert_int_equal(n, 65535);
    assert_int_equal(wrong, 0);
}

/* A grid that had to be cut would be a range too large: the kernels do not add where a piece
 * starts. */
static void grids_are_whole_at_the_end_of_every_range(void **state)
{
    (void)state;
    for (size_t i = 0; i < td_strategy_count; i++) {
        const td_strategy *s = td_strategies[i];
        if (s->dimension == 3) {
            const td_domain domain = domain_of_tiles(s->exact_n, s->exact_n);
            td_plan plan = plan_of(s, &domain);
            const size_t count = plan.count;
            td_plan_free(&plan);
            assert_int_equal(count, 1);
        }
    }
}

static void beyond_the_range_is_rejected(void **state)
{
    const td_domain domain = domain_of_tiles(2344, 1);
    td_plan plan = {0};
    td_error error = {{0}};
    (void)state;
    assert_int_equal(td_strategy_plan(td_strategy_find("ltm-tetra"), &domain, false, &plan, &error),
                     TD_USAGE);
    assert_non_null(strstr(error.text, "rb-tetra"));
}

static void a_tree_of_too_many_boxes_wants_a_larger_cutoff(void **state)
{
    const td_domain domain = domain_of_tiles(4096, 1);
    td_plan plan = {0};
    td_error error = {{0}};
    (void)state;
    assert_int_equal(td_strategy_plan(td_strategy_find("rec-tetra"), &domain, false, &plan, &error),
                     TD_USAGE);
    assert_non_null(strstr(error.text, "--cutoff"));
    assert_null(plan.launches);
}

/* ---- counts ---- */

/* N = 512 with blocks of 8: kernels, and blocks over useful ones in hundredths, for n_c = 8 .. 256.
 */
static void boxes_are_as_many_as_documented(void **state)
{
    static const struct {
        uint32_t cutoff, kernels, hundredths;
    } known[] = {{1, 1093, 116}, {4, 121, 124}, {8, 40, 139}, {16, 13, 179}, {32, 4, 286}};
    (void)state;
    for (size_t i = 0; i < COUNT(known); i++) {
        const td_domain domain = domain_of_tiles(64, known[i].cutoff);
        td_plan rec = plan_of(td_strategy_find("rec-tetra"), &domain);
        td_plan dp = plan_of(td_strategy_find("dp-tetra"), &domain);
        const double ratio = (double)rec.blocks / (double)rec.blocks_needed;
        const bool same = rec.count == dp.count &&
                          memcmp(rec.launches, dp.launches, rec.count * sizeof(td_launch)) == 0;
        const size_t kernels = rec.count;
        td_plan_free(&rec);
        td_plan_free(&dp);
        assert_true(same);
        assert_int_equal(kernels, known[i].kernels);
        assert_int_equal((uint32_t)(ratio * 100.0 + 0.5), known[i].hundredths);
    }
}

static uint64_t blocks_of(const char *name, uint32_t tiles)
{
    const td_domain domain = domain_of_tiles(tiles, 1);
    td_plan plan = plan_of(td_strategy_find(name), &domain);
    const uint64_t blocks = plan.blocks;
    td_plan_free(&plan);
    return blocks;
}

static void block_counts_are_as_documented(void **state)
{
    (void)state;
    for (uint64_t n = 1; n <= 300; n++) {
        assert_int_equal(blocks_of("bb-tetra", (uint32_t)n), n * n * n);
        assert_int_equal(blocks_of("ltm-tetra", (uint32_t)n), td_tetrahedron(n));
        assert_int_equal(blocks_of("rb-tetra", (uint32_t)n), (n + 1) / 2 * (n | 1) * n);
        assert_int_equal(blocks_of("ltm-rows", (uint32_t)n), td_triangle(n));
    }
}

/* ---- layout ---- */

static void packed_cells_follow_each_other(void **state)
{
    uint64_t next = 0, wrong = 0;
    (void)state;
    for (uint32_t z = 0; z < 70; z++) {
        for (uint32_t y = 0; y <= z; y++) {
            for (uint32_t x = 0; x <= z - y; x++) {
                wrong += td_tetra_index(x, y, z) != next++;
            }
        }
    }
    for (uint32_t z = 1; z < 65535; z++) { /* the last cell of a slice and the first of the next */
        wrong += td_tetra_index(0, z, z) + 1 != td_tetrahedron((uint64_t)z + 1);
        wrong += td_tetra_index(0, 0, z) != td_tetrahedron(z);
    }
    assert_int_equal(wrong, 0);
}

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

/* Runs once on the cpu engine; what verification says. */
static td_result result_of(const td_run *run)
{
    const td_engine_config config = {.threads = 2};
    td_engine *cpu = NULL;
    td_error error = {{0}};
    td_plan plan = {0};
    td_buffers buffers = {0};
    td_result result = {0};
    td_status status = td_cpu_ops.open(&config, &cpu, &error);
    if (status == TD_OK) {
        status = td_run_plan(run, false, &plan, &error);
    }
    if (status == TD_OK) {
        status = td_buffers_open(cpu, run->workload, &run->problem, &buffers, &error);
    }
    if (status == TD_OK) {
        const td_execution execution = td_execution_of(&buffers, run, &plan);
        status = td_verify(&buffers, &execution, &result, &error);
    }
    td_buffers_close(&buffers);
    td_plan_free(&plan);
    td_cpu_ops.close(cpu);
    if (status != TD_OK) {
        fail_msg("%s %s N=%u: %s", run->strategy->name, run->workload->name, run->problem.n,
                 error.text);
    }
    return result;
}

static void assert_right(const td_run *run)
{
    const td_result result = result_of(run);
    if (result.verified != TD_VERIFIED_PASS || result.checked != td_tetrahedron(run->problem.n)) {
        fail_msg("%s %s N=%u block %u tile %u: %s", run->strategy->name, run->workload->name,
                 run->problem.n, run->block.x, run->tile, result.reason);
    }
}

static void cells_are_covered_once_and_nothing_else_is_touched(void **state)
{
    static const uint32_t sides[][2] = {{2, 2}, {4, 4}, {8, 8}, {4, 12}, {8, 32}};
    const td_strategy *s = td_strategies[(uintptr_t)*state];
    for (size_t i = 0; i < COUNT(sides); i++) {
        for (uint32_t n = 1; n <= 40; n += 1 + n / 20) {
            td_run run = run_of(s->name, "cover", n, sides[i][0], sides[i][1]);
            assert_right(&run);
            run = run_of(s->name, "write", n, sides[i][0], sides[i][1]);
            assert_right(&run);
            run.problem.layout = TD_FULL;
            assert_right(&run);
            run = run_of(s->name, "dummy", n, sides[i][0], sides[i][1]);
            assert_right(&run);
        }
    }
    td_run run = run_of(s->name, "cover", 129, 8, 8);
    assert_right(&run);
}

/* A sum with a kernel for tiles is proven in the same grids by a workload that has none. */
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

/* One cell less, one cell more, one visit too many: each is seen. */
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

/* Terms that cancel, and a side that is much shorter than the others: right sums, whose error is large beside them. */
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
            assert_right(&run);
        }
        const td_run rows = run_of("ltm-rows", "triplet", sizes[i], 8, 8); /* sums by other tiles */
        assert_true(fabs(result_of(&rows).finding.real - energy) <= 1e-12 * fabs(energy));
        assert_right(&rows);
    }
}

/* Two particles at one place: an infinite energy is rejected with its reason, not compared. */
static void particles_at_one_place_are_rejected(void **state)
{
    static const float points[] = {0, 0, 0, 1, 1, 1, 2, 0, 0, 1, 1, 1};
    const td_engine_config config = {.threads = 1};
    td_run run = run_of("bb-tetra", "triplet", 2, 8, 8);
    td_engine *cpu = NULL;
    td_error error = {{0}};
    td_plan plan = {0};
    td_buffers buffers;
    td_result result = {0};
    (void)state;
    run.problem.points = points;
    assert_int_equal(td_cpu_ops.open(&config, &cpu, &error), TD_OK);
    assert_int_equal(td_run_plan(&run, false, &plan, &error), TD_OK);
    assert_int_equal(td_buffers_open(cpu, run.workload, &run.problem, &buffers, &error), TD_OK);
    const td_execution execution = td_execution_of(&buffers, &run, &plan);
    const td_status status = td_verify(&buffers, &execution, &result, &error);
    td_buffers_close(&buffers);
    td_plan_free(&plan);
    td_cpu_ops.close(cpu);
    assert_int_equal(status, TD_FAILED);
    assert_false(result.has_finding);
    assert_non_null(strstr(error.text, "is not finite"));
}

#define EACH(id, test)                                                                             \
    {                                                                                              \
#test "/" #id, test, NULL, NULL, (void *)(uintptr_t)TD_STRATEGY_##id                       \
    }
#define TEST(id, A)                                                                                \
    EACH(id, strategy_covers_every_tile_once),                                                     \
        EACH(id, cells_are_covered_once_and_nothing_else_is_touched),

int main(void)
{
    const struct CMUnitTest tests[] = {
        TD_STRATEGIES_3D(TEST, ) cmocka_unit_test(repaired_slice_is_exact),
        cmocka_unit_test(slices_are_exact_up_to_their_range),
        cmocka_unit_test(ltm_tetra_is_exact_up_to_its_range),
        cmocka_unit_test(ltm_rows_is_ltm_i),
        cmocka_unit_test(grids_are_whole_at_the_end_of_every_range),
        cmocka_unit_test(beyond_the_range_is_rejected),
        cmocka_unit_test(a_tree_of_too_many_boxes_wants_a_larger_cutoff),
        cmocka_unit_test(boxes_are_as_many_as_documented),
        cmocka_unit_test(block_counts_are_as_documented),
        cmocka_unit_test(packed_cells_follow_each_other),
        cmocka_unit_test(visits_in_the_grids_of_tiles_are_counted_cell_by_cell),
        cmocka_unit_test(a_wrong_tetrahedron_is_noticed),
        cmocka_unit_test(known_triangles_have_their_energy),
        cmocka_unit_test(energy_near_zero_is_right),
        cmocka_unit_test(energy_depends_on_no_strategy),
        cmocka_unit_test(particles_at_one_place_are_rejected),
    };
    return cmocka_run_group_tests_name("tetrahedra", tests, NULL, NULL);
}
