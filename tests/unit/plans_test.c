/* plans_test.c - the grids of plans: the number of blocks and threads, and the cuts. */
#include "test.h"

#include <math.h>

#include "domains.h"
#include "engine/prepare/planning.h"

#define TRIANGLE_2_31 65535u /* T(65535) is the largest triangular number below 2^31 */

static td_plan plan_of(const char *name, const td_domain *domain)
{
    td_plan plan = {0};
    const td_strategy *s = td_strategy_find(name);
    assert_non_null(s);
    assert_int_equal(td_plan_make(s, domain, false, &plan), TD_PLAN_MADE);
    return plan;
}

static uint64_t blocks_of(const char *name, const td_domain *domain)
{
    td_plan plan = plan_of(name, domain);
    const uint64_t blocks = plan.blocks;
    td_plan_free(&plan);
    return blocks;
}

static size_t kernels_of(const char *name, uint32_t tiles)
{
    const td_domain domain = domain_of_tiles(tiles);
    td_plan plan = plan_of(name, &domain);
    const size_t kernels = plan.count;
    td_plan_free(&plan);
    return kernels;
}

TEST(block_counts_are_as_documented)
{
    for (uint32_t n = 1; n <= 1920; n = n < 70 ? n + 1 : n + 37) {
        const td_domain domain = domain_of_tiles(n);
        const uint64_t needed = td_triangle(n);
        const double waste = (double)(blocks_of("ltm-r", &domain) - needed);
        assert_true(waste <= sqrt(2.0) * n + 2);
        assert_int_equal(blocks_of("bb", &domain), (uint64_t)n * n);
        assert_int_equal(blocks_of("ltm-x", &domain), blocks_of("ltm-r", &domain));
        assert_int_equal(blocks_of("ltm-n", &domain), blocks_of("ltm-r", &domain));
        assert_int_equal(blocks_of("ltm-i", &domain), needed);
        assert_int_equal(blocks_of("utm-b", &domain), needed);
        assert_int_equal(blocks_of("rb-b", &domain), needed);
        assert_int_equal(blocks_of("hmap", &domain), needed);
        assert_true(blocks_of("dp", &domain) >= needed);
        assert_int_equal(kernels_of("hmap", n), (size_t)__builtin_popcount(n));
    }
}

/* 2^k m (m - 1) / 2 wasted where n = m 2^k needs no padding: the diagonal pass, nothing else. */
TEST(rec_wastes_half_of_its_diagonal_squares)
{
    for (uint32_t m = 9; m <= 16; m++) {
        for (uint32_t k = 0; k <= 7; k++) {
            const uint32_t n = m << k;
            const td_domain domain = domain_of_tiles(n);
            const uint64_t wasted = ((uint64_t)m * (m - 1) / 2) << k;
            assert_int_equal(blocks_of("rec", &domain), td_triangle(n) + wasted);
            assert_int_equal(kernels_of("rec", n), k + 1);
        }
    }
}

TEST(thread_map_block_counts_are_as_documented)
{
    const td_dim3 block = {32, 8, 1};
    for (uint32_t n = 1; n <= 300; n++) {
        td_domain domain = domain_of(n, block, 32, 128);
        const uint64_t pairs = (uint64_t)n * (n - 1) / 2;
        const uint64_t width = (n + 1) / 2, height = n % 2 == 0 ? n + 1 : n;
        assert_int_equal(blocks_of("bb-t", &domain), (uint64_t)((n + 31) / 32) * ((n + 7) / 8));
        assert_int_equal(blocks_of("rb", &domain), ((width + 31) / 32) * ((height + 7) / 8));
        assert_int_equal(blocks_of("utm", &domain), (pairs + 255) / 256 + (n + 255) / 256);
        domain.no_diagonal = true;
        assert_int_equal(blocks_of("utm-t", &domain), (pairs + 255) / 256);
    }
}

/* Tiles wider than high have a grid of their own: ceil(100 / 64) x ceil(100 / 4) blocks. The last case has more blocks
 * than 32 bits can count, as in the plan of --show and of the records. */
TEST(plans_count_blocks_threads_and_cells)
{
    static const struct {
        uint32_t cells, tile, width;
        td_dim3 block;
        bool no_diagonal;
        uint64_t blocks, needed, threads, of_cells;
    } cases[] = {
        {100, 64, 0, {64, 4, 1}, false, 4, 3, 4 * 256, 5050},
        {100, 64, 0, {64, 4, 1}, true, 4, 3, 4 * 256, 4950},
        {100, 4, 64, {64, 4, 1}, false, 2 * 25, 0, 2 * 25 * 256, 5050},
        {65537 * 16,
         16,
         0,
         {16, 16, 1},
         false,
         4295098369,
         2147581953,
         1099545182464,
         549773115528},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        td_domain domain = domain_of(cases[i].cells, cases[i].block, cases[i].tile, 128);
        domain.width = cases[i].width;
        domain.no_diagonal = cases[i].no_diagonal;
        td_plan plan = plan_of("bb", &domain);
        const td_plan made = plan;
        const uint32_t width = plan.launches[0].width;
        td_plan_free(&plan);
        assert_int_equal(width, cases[i].width > 0 ? cases[i].width : cases[i].tile);
        assert_int_equal(made.blocks, cases[i].blocks);
        assert_true(cases[i].needed == 0 || made.blocks_needed == cases[i].needed);
        assert_int_equal(made.threads, cases[i].threads);
        assert_int_equal(made.cells, cases[i].of_cells);
    }
}

/* CUDA's limits: 2^31 - 1 blocks along x, and 65,535 along y and z. No map needs so many layers yet. */
TEST(grids_are_cut_where_they_are_too_large)
{
    static const struct {
        td_dim3 grid;
        size_t launches;
        td_dim3 first, last; /* of the last launch: its first block, and its grid */
    } cases[] = {{{3, 2, 131071}, 3, {0, 0, 131070}, {3, 2, 1}},
                 {{70000, 70000, 1}, 2, {0, 65535, 0}, {70000, 4465, 1}}};
    const td_dim3 block = {8, 8, 8};
    const td_domain domain = domain_of(16, block, 8, 128);
    for (size_t i = 0; i < COUNT(cases); i++) {
        const td_dim3 grid = cases[i].grid;
        td_plan plan = {0};
        td_plan_add(&plan, td_launch_over(&domain, grid.x, grid.y, grid.z));
        assert_int_equal(plan.count, cases[i].launches);
        assert_true(plan.launches[0].grid.y <= 65535 && plan.launches[0].grid.z <= 65535);
        const td_launch last = plan.launches[plan.count - 1];
        td_plan_free(&plan);
        assert_memory_equal(&last.first, &cases[i].first, sizeof last.first);
        assert_memory_equal(&last.grid, &cases[i].last, sizeof last.grid);
    }
}

TEST(maps_along_l_are_cut_at_two_to_the_31)
{
    const td_dim3 block = {1, 1, 1};
    for (uint32_t n = TRIANGLE_2_31; n <= TRIANGLE_2_31 + 1; n++) {
        const td_domain domain = domain_of(n, block, 1, 1);
        td_plan plan = plan_of("ltm-i", &domain);
        assert_int_equal(plan.blocks, td_triangle(n));
        assert_int_equal(plan.count, n == TRIANGLE_2_31 ? 1 : 2);
        assert_true(plan.launches[0].grid.x <= 2147483647u);
        if (plan.count == 2) {
            assert_int_equal(plan.launches[1].first.x, plan.launches[0].grid.x);
        }
        td_plan_free(&plan);
    }
}

/* N = 2^20 has 2^39 pairs: more blocks of 64 threads than a 32-bit grid can count. */
TEST(utm_plan_numbers_threads_beyond_32_bits)
{
    const td_dim3 block = {8, 8, 1};
    const td_domain domain = domain_of(1048576, block, 8, 128);
    td_plan plan = plan_of("utm", &domain);
    uint64_t next = 0;
    size_t gaps = 0;
    for (size_t i = 0; i + 1 < plan.count; i++) {
        const td_launch *launch = &plan.launches[i];
        td_thread t = {launch->first, {0, 0, 0}};
        gaps += td_utm_thread_number(launch, t) != next;
        next += (uint64_t)launch->grid.x * 64;
    }
    td_plan_free(&plan);
    assert_int_equal(gaps, 0);
    assert_true(next >= 1048576ull * 1048575 / 2);
}

/* The advantage of utm over utm-t: neighbouring threads store side by side. */
TEST(utm_stores_are_contiguous)
{
    const td_dim3 block = {32, 8, 1};
    const td_domain domain = domain_of(1000, block, 32, 128);
    td_plan plan = plan_of("utm", &domain);
    uint32_t contiguous = 0;
    for (uint32_t x = 0; x + 1 < 32; x++) {
        const td_thread a = {{7, 0, 0}, {x, 3, 0}}, b = {{7, 0, 0}, {x + 1, 3, 0}};
        const td_cell p = td_utm_map(&plan.launches[0], a), q = td_utm_map(&plan.launches[0], b);
        contiguous += p.row == q.row && p.col == q.col + 1;
    }
    td_plan_free(&plan);
    assert_true(contiguous >= 30);
}
