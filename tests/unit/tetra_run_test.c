/* tetra_run_test.c - tetrahedra on the cpu engine: the kernel that proves a grid, and energies of triplets. good.bats
 * has all maps at small sizes. */
#include "test.h"

#include <math.h>
#include <string.h>

#include "engine/bench/group.h"
#include "trial.h"
#include "workloads/triplet.h"

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
    open_trial_of(run, &t);
    assert_true(close_trial(&t));
    assert_int_equal(t.result.checked, td_tetrahedron(run->problem.n));
    return t.result;
}

/* A sum with a tile kernel is proven in the same grids by a workload without one. */
TEST(visits_in_the_grids_of_tiles_are_counted_cell_by_cell)
{
    const td_engine_ops tiling = {.can = {.tile_kernels = true}};
    const td_plan plan = {0};
    td_run run = run_of("ltm-tetra", "triplet", 100, 8, 32);
    const td_buffers energy = {.workload = run.workload, .problem = run.problem};
    const td_buffers visits = {.workload = td_workload_find("cover", 3), .problem = run.problem};
    run.engine = &tiling;
    assert_int_equal(td_execution_of(&energy, &run, &plan).kernel, TD_KERNEL_LOOP);
    run.tiled = true;
    assert_int_equal(td_execution_of(&energy, &run, &plan).kernel, TD_KERNEL_TILE);
    assert_int_equal(td_execution_of(&visits, &run, &plan).kernel, TD_KERNEL_LOOP);
}

/* ---- triplet ---- */

static double energy_of_three(const float *points)
{
    float by_coordinate[9];
    td_problem problem = {.n = 1, .tile = 8, .numbers = points};
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
TEST(energy_near_zero_is_right)
{
    size_t small = 0;
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

TEST(known_triangles_have_their_energy)
{
    static const float equilateral[] = {1, 0, 0, 0, 1, 0, 0, 0, 1}; /* side sqrt(2) */
    static const float in_a_row[] = {0, 0, 0, 2, 0, 0, 4, 0, 0};
    static const float right[] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    assert_true(fabs(energy_of_three(equilateral) - 11.0 / 8.0 / pow(2.0, 4.5)) < 1e-15);
    assert_true(fabs(energy_of_three(in_a_row) + 2.0 / pow(16.0, 3.0)) < 1e-15);
    assert_true(fabs(energy_of_three(right) - 1.0 / pow(2.0, 1.5)) < 1e-15);
}

TEST(energy_depends_on_no_strategy)
{
    static const char *const names[] = {"bb-tetra", "ltm-tetra", "rb-tetra", "rec-tetra",
                                        "dp-tetra"};
    static const uint32_t sizes[] = {1, 2, 8, 9, 60};
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

/* Two particles at one place: the infinite energy is told, not compared. */
TEST(particles_at_one_place_are_rejected)
{
    static const float points[] = {0, 0, 0, 1, 1, 1, 2, 0, 0, 1, 1, 1};
    td_run run = run_of("bb-tetra", "triplet", 2, 8, 8);
    trial t;
    run.problem.numbers = points;
    open_trial_of(&run, &t);
    assert_false(close_trial(&t));
    assert_int_equal(t.status, TD_FAILED);
    assert_false(t.result.has_finding);
    assert_non_null(strstr(t.error.text, "is not finite"));
}
