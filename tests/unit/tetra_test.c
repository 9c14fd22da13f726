/* tetra_test.c - tetrahedra: maps, plans and ranges of the 3D strategies, and the layout. */
#include "test.h"

#include <string.h>

#include "covered.h"
#include "each_strategy.h"
#include "engine/prepare/planning.h"
#include "workloads/layout3.h"

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

static void strategy_covers_every_tile_once(void **state)
{
    static const uint32_t more[] = {63, 64, 65, 100, 127, 128, 129};
    const td_strategy *s = strategy_of(state);
    for (uint32_t tiles = 1; tiles <= 40; tiles++) {
        for (uint32_t cutoff = 1; cutoff <= (s->uses_cutoff ? 9 : 1); cutoff++) {
            const td_domain domain = domain_of_tiles(tiles, cutoff);
            assert_covered(s, &domain);
        }
    }
    for (size_t i = 0; i < COUNT(more); i++) {
        const td_domain domain = domain_of_tiles(more[i], 4);
        assert_covered(s, &domain);
    }
}

/* ---- exactness ---- */

/* Largest z with Te(z) < 2^32: the 32-bit index of a block is exact up to here. */
enum { MOST_SLICES = 2952 };

TEST(repaired_slice_is_exact)
{
    uint32_t wrong = 0;
    for (uint32_t z = 0; z < MOST_SLICES; z++) {
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

TEST(slices_are_exact_up_to_their_range)
{
    uint32_t wrong = 0;
    for (uint32_t z = 0; z < MOST_SLICES; z++) {
        const uint64_t first = td_tetrahedron(z), end = td_tetrahedron(z + 1);
        for (uint64_t i = first; i < end;
             i += i + 2 < end && i > first ? (end - 1 - i) / 2 + 1 : 1) {
            const td_slice slice = td_slice_of((uint32_t)i);
            wrong += slice.z != z || slice.rest != i - first;
        }
    }
    assert_int_equal(wrong, 0);
    assert_true(td_tetrahedron(MOST_SLICES) <= UINT32_MAX);
    assert_true(td_tetrahedron(MOST_SLICES + 1) > UINT32_MAX);
}

/* The first and the last tile of every row i of every slice z. */
TEST(ltm_tetra_is_exact_up_to_its_range)
{
    const td_launch launch = {0};
    uint32_t wrong = 0, n = td_strategy_find("ltm-tetra")->exact_n;
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

/* Layer and row are those of ltm-i: the ends of each row, up to the range. */
TEST(ltm_rows_is_ltm_i)
{
    const uint32_t n = td_strategy_find("ltm-rows")->exact_n;
    const td_launch launch = {.param = {(uint32_t)td_triangle(n) - 1}};
    uint32_t wrong = 0;
    for (uint32_t z = 0; z < n; z++) {
        const uint32_t start = launch.param[0] - (uint32_t)td_triangle(z);
        const td_dim3 first = {start, 0, 0}, last = {start - z, 0, 0};
        const td_tile a = td_ltm_rows_map(&launch, first), b = td_ltm_rows_map(&launch, last);
        wrong += (a.x | a.y | b.x) != 0 || a.z != z || b.y != z || b.z != z;
    }
    assert_int_equal(n, 65535);
    assert_int_equal(wrong, 0);
}

/* A range whose grid must be cut would be too large: the kernels do not add the start of a
 * piece. */
TEST(grids_are_whole_at_the_end_of_every_range)
{
    for (size_t i = 0; i < td_strategy_count; i++) {
        const td_strategy *s = td_strategies[i];
        if (s->dimension == 3) {
            const td_domain domain = domain_of_tiles(s->exact_n, s->exact_n);
            td_plan plan = plan_of(s, &domain);
            uint32_t cut = 0;
            for (size_t k = 0; k < plan.count; k++) {
                const td_dim3 first = plan.launches[k].first;
                cut += first.x + first.y + first.z > 0;
            }
            td_plan_free(&plan);
            assert_int_equal(cut, 0);
        }
    }
}

TEST(hmap_tetra_wastes_nothing_below_a_power_of_two)
{
    for (uint32_t n = 1; n < 5000; n++) {
        const td_domain domain = domain_of_tiles(n, n);
        td_plan plan = plan_of(td_strategy_find("hmap-tetra"), &domain);
        const double waste = (double)plan.blocks / (double)td_tetrahedron(n) - 1.0;
        const size_t levels = plan.count;
        td_plan_free(&plan);
        assert_int_equal(levels, td_log2_floor(n + 1));
        assert_true((n & (n + 1)) == 0 ? waste == 0.0 : waste > 0.0 && waste < 3.5 / n);
    }
}

TEST(beyond_the_range_is_rejected)
{
    const td_domain domain = domain_of_tiles(2344, 1);
    td_plan plan = {0};
    td_error error = {{0}};
    assert_int_equal(td_strategy_plan(td_strategy_find("ltm-tetra"), &domain, false, &plan, &error),
                     TD_USAGE);
    assert_non_null(strstr(error.text, "rb-tetra"));
}

TEST(a_tree_of_too_many_boxes_wants_a_larger_cutoff)
{
    const td_domain domain = domain_of_tiles(4096, 1);
    td_plan plan = {0};
    td_error error = {{0}};
    assert_int_equal(td_strategy_plan(td_strategy_find("rec-tetra"), &domain, false, &plan, &error),
                     TD_USAGE);
    assert_non_null(strstr(error.text, "--cutoff"));
    assert_null(plan.launches);
}

/* ---- counts ---- */

/* N = 512 with blocks of 8: kernels, and blocks over useful ones in hundredths, for n_c = 8 .. 256.
 */
TEST(boxes_are_as_many_as_documented)
{
    static const struct {
        uint32_t cutoff, kernels, hundredths;
    } known[] = {{1, 1093, 116}, {4, 121, 124}, {8, 40, 139}, {16, 13, 179}, {32, 4, 286}};
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

TEST(block_counts_are_as_documented)
{
    for (uint64_t n = 1; n <= 300; n++) {
        assert_int_equal(blocks_of("bb-tetra", (uint32_t)n), n * n * n);
        assert_int_equal(blocks_of("ltm-tetra", (uint32_t)n), td_tetrahedron(n));
        assert_int_equal(blocks_of("rb-tetra", (uint32_t)n), (n + 1) / 2 * (n | 1) * n);
        assert_int_equal(blocks_of("ltm-rows", (uint32_t)n), td_triangle(n));
    }
}

/* ---- layout ---- */

TEST(packed_cells_follow_each_other)
{
    uint64_t next = 0, wrong = 0;
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

#define COVERS(id, A) EACH(id, strategy_covers_every_tile_once);

int main(void)
{
    TD_STRATEGIES_3D(COVERS, )
    return td_tests_run(NULL, NULL);
}
