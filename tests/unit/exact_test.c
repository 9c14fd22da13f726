/* exact_test.c - maps of triangles are right up to their documented size, and rejected beyond it. */
#include "test.h"

#include <string.h>

#include "domains.h"
#include "engine/prepare/planning.h"

TEST(beyond_the_exact_range_is_rejected_with_the_exact_sibling)
{
    const td_domain domain = domain_of_tiles(1921);
    td_plan plan = {0};
    td_error error = {{0}};
    const td_strategy *s = td_strategy_find("ltm");
    assert_int_equal(td_strategy_plan(s, &domain, false, &plan, &error), TD_USAGE);
    assert_non_null(strstr(error.text, "1920"));
    assert_non_null(strstr(error.text, "ltm-i"));
    assert_int_equal(td_strategy_plan(s, &domain, true, &plan, &error), TD_OK);
    td_plan_free(&plan);
}

/* The tile of block number L of an LTM, whatever its grid. A reverse map counts from the end. */
static td_tile ltm_at(const td_strategy *s, uint32_t index)
{
    td_launch launch = {0};
    launch.param[0] = 65536;
    launch.param[1] = UINT32_MAX;
    const bool is_reverse = strstr(s->name, "-rev") != NULL;
    const uint32_t number = is_reverse ? UINT32_MAX - 1 - index : index;
    const td_dim3 block = {number % 65536, number / 65536, 0};
    return s->block_map(&launch, block);
}

/* The smallest n with a block on a wrong tile; 0 if all n up to `largest` are right. */
static uint32_t first_failing_n(const char *name, uint32_t largest)
{
    const td_strategy *s = td_strategy_find(name);
    uint32_t index = 0;
    for (uint32_t row = 0; row < largest; row++) {
        for (uint32_t col = 0; col <= row; col++, index++) {
            const td_tile tile = ltm_at(s, index);
            if (tile.y != row || tile.x != col) {
                return row + 1;
            }
        }
    }
    return 0;
}

TEST(float_maps_fail_first_where_documented)
{
    assert_int_equal(first_failing_n("ltm-x", 4700), 4608);
    assert_int_equal(first_failing_n("ltm-n", 2100), 1950);
    assert_int_equal(first_failing_n("ltm-r", 3300), 3143); /* with a correctly rounded rsqrtf */
    assert_int_equal(td_strategy_find("ltm-x")->exact_n, 4607);
    assert_int_equal(td_strategy_find("ltm-n")->exact_n, 1949);
    assert_true(td_strategy_find("ltm-r")->exact_n < 3143);
}

/* The same roots in reverse order: block 0 has the last tile, and the range is the same. */
TEST(reverses_differ_in_the_order_alone)
{
    static const char *const names[][2] = {
        {"ltm-x", "ltm-x-rev"}, {"ltm-n", "ltm-n-rev"}, {"ltm-r", "ltm-r-rev"}};
    const td_domain domain = domain_of_tiles(50);
    const td_dim3 first = {0, 0, 0};
    for (size_t i = 0; i < COUNT(names); i++) {
        const td_strategy *there = td_strategy_find(names[i][0]);
        const td_strategy *back = td_strategy_find(names[i][1]);
        td_plan plan = {0};
        assert_int_equal(td_plan_make(back, &domain, false, &plan), TD_PLAN_MADE);
        const td_tile start = there->block_map(&plan.launches[0], first);
        const td_tile end = back->block_map(&plan.launches[0], first);
        td_plan_free(&plan);
        assert_true(start.x == 0 && start.y == 0 && end.x == 49 && end.y == 49);
        assert_int_equal(there->exact_n, back->exact_n);
        assert_int_equal(first_failing_n(names[i][1], there->exact_n), 0);
    }
}

/* The number of wrong tiles among the first two, the middle and the last two of every row. */
static uint32_t wrong_row_ends(const td_strategy *s, uint32_t n)
{
    td_block_map_fn *map = s->block_map;
    td_launch launch = {0};
    uint32_t wrong = 0;
    launch.n = n;
    launch.param[0] = UINT32_MAX; /* blocks are counted from the end */
    for (uint32_t row = 0; row < n; row++) {
        const uint32_t cols[] = {0, row > 0 ? 1 : 0, row / 2, row > 0 ? row - 1 : 0, row};
        for (size_t c = 0; c < COUNT(cols); c++) {
            const uint64_t index = td_triangle(row) + cols[c];
            const td_dim3 block = {UINT32_MAX - (uint32_t)index, 0, 0};
            const td_tile tile = map(&launch, block);
            wrong += tile.y != row || tile.x != cols[c];
        }
    }
    return wrong;
}

TEST(maps_are_exact_up_to_their_range)
{
    for (uint32_t n = 65534; n <= 65537; n++) {
        assert_int_equal(wrong_row_ends(td_strategy_find("ltm-i"), n), 0);
    }
    assert_int_equal(wrong_row_ends(td_strategy_find("ltm-i"), 92681), 0);
    assert_int_equal(td_strategy_find("ltm-i")->exact_n, 92681);
}

/* utm-b numbers blocks from the far corner: block k and block T(n) - 1 - k are reflections. */
TEST(utm_b_is_exact_up_to_its_range)
{
    static const uint32_t sides[] = {1, 2, 3, 4608, 46340, 46341, 65535, 65536, 92679, 92680};
    td_block_map_fn *map = td_strategy_find("utm-b")->block_map;
    for (size_t i = 0; i < COUNT(sides); i++) {
        const uint32_t n = sides[i];
        const uint64_t last = td_triangle(n) - 1;
        td_launch launch = {0};
        uint32_t wrong = 0;
        launch.n = n;
        launch.param[0] = (uint32_t)last;
        for (uint32_t row = 0; row < n; row++) {
            const td_dim3 start = {(uint32_t)(last - td_triangle(row)), 0, 0};
            const td_dim3 end = {(uint32_t)(last - td_triangle(row) - row), 0, 0};
            const td_tile a = map(&launch, start), b = map(&launch, end);
            wrong += a.y != b.y || a.x + b.x != row || a.x * b.x != 0 || a.y != row;
        }
        assert_int_equal(wrong, 0);
    }
    assert_int_equal(td_strategy_find("utm-b")->exact_n, 92680);
}

TEST(repaired_row_is_exact)
{
    uint32_t wrong = 0;
    for (uint32_t row = 0; row < TD_TRIANGLE_32; row++) {
        const uint32_t start = (uint32_t)td_triangle(row);
        const td_tile first = td_triangle_row(start), last = td_triangle_row(start + row);
        wrong += first.y != row || first.x != 0 || last.y != row || last.x != row;
    }
    assert_int_equal(wrong, 0);
}

TEST(wide_row_is_exact)
{
    uint32_t wrong = 0;
    for (uint64_t i = 0; i < (1u << 20); i++) {
        uint64_t row, col, end_row, end_col;
        td_triangle_row_64(td_triangle(i), &row, &col);
        td_triangle_row_64(td_triangle(i) + i, &end_row, &end_col);
        wrong += row != i || col != 0 || end_row != i || end_col != i;
    }
    assert_int_equal(wrong, 0);
}

/* Pair k = a (2n - a - 1) / 2 is the first of row a, (a, a + 1); the one before it ends row a - 1. Threads after the
 * last pair have no pair. */
TEST(utm_pair_is_exact_at_row_ends)
{
    static const uint32_t sides[] = {2,     3,     5,     64,    1025,   4097,    5794,   65535,
                                     65536, 92681, 92682, 92683, 131072, 1048575, 1048576};
    for (size_t i = 0; i < COUNT(sides); i++) {
        const uint64_t n = sides[i];
        uint32_t wrong = 0;
        for (uint64_t a = 0; a + 1 < n; a++) {
            const uint64_t k = a * (2 * n - a - 1) / 2;
            const td_upper_pair first = td_utm_pair((uint32_t)n, k);
            const td_upper_pair last = td_utm_pair((uint32_t)n, k + n - a - 2);
            wrong += first.a != a || first.b != a + 1 || last.a != a || last.b != n - 1;
            wrong += !first.exists || !last.exists;
        }
        for (uint64_t k = td_triangle(n - 1); k < td_triangle(n - 1) + 1024; k++) {
            wrong += td_utm_pair((uint32_t)n, k).exists;
        }
        assert_int_equal(wrong, 0);
    }
}
