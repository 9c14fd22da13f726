/* rows_test.c - maps of whole rows: which rows of which triangle each block takes, of every small batch and section. */
#include "test.h"

#include <string.h>

#include "domains.h"
#include "engine/core/coverage.h"
#include "engine/prepare/planning.h"

enum { MOST_N = 300, MOST_BATCH = 9 };

/* The row that a map gives to its k-th block on triangle `b`, and the second one. */
typedef void row_fn(uint32_t n, uint32_t k, uint32_t b, uint32_t *row, uint32_t *second);

static void ascending(uint32_t n, uint32_t k, uint32_t b, uint32_t *row, uint32_t *second)
{
    (void)n, (void)b;
    *row = *second = k;
}

static void descending(uint32_t n, uint32_t k, uint32_t b, uint32_t *row, uint32_t *second)
{
    (void)b;
    *row = *second = n - 1 - k;
}

static void folded(uint32_t n, uint32_t k, uint32_t b, uint32_t *row, uint32_t *second)
{
    (void)b;
    *row = n - 1 - k;
    *second = k;
}

static void shifted(uint32_t n, uint32_t k, uint32_t b, uint32_t *row, uint32_t *second)
{
    *row = *second = (b % n + k) % n;
}

static const struct {
    const char *name;
    row_fn *row_of;
    bool in_pairs, all; /* all: triangles are in one section unless it is said otherwise */
    td_order order;
} maps[] = {{"rows", ascending, false, false, 0},
            {"rows-lpt", descending, false, true, 0},
            {"rows-fold", folded, true, true, 0},
            {"rows-list", descending, false, true, TD_ORDER_DESCENDING},
            {"rows-list", ascending, false, true, TD_ORDER_ASCENDING},
            {"rows-list", shifted, false, true, TD_ORDER_SHIFT}};

static td_plan plan_of(size_t m, uint32_t n, uint32_t batch, uint32_t section)
{
    td_domain domain = domain_of_tiles(n);
    td_plan plan = {0};
    domain.batch = batch;
    domain.group = section;
    domain.order = maps[m].order;
    assert_int_equal(td_plan_make(td_strategy_find(maps[m].name), &domain, false, &plan),
                     TD_PLAN_MADE);
    assert_int_equal(plan.blocks_needed, plan.blocks);
    return plan;
}

/* Compares a map with the loops that it stands for: sections, rows, triangles. section 0: the usual one. */
static void assert_order(size_t m, uint32_t n, uint32_t batch, uint32_t section)
{
    const td_strategy *s = td_strategy_find(maps[m].name);
    td_plan plan = plan_of(m, n, batch, section);
    const td_launch launch = plan.launches[0];
    const uint32_t units = maps[m].in_pairs ? (n + 1) / 2 : n;
    const uint32_t size = section > 0 ? section : maps[m].all ? batch : 1;
    uint32_t block = 0, wrong = 0;
    for (uint32_t first = 0; first < batch; first += size) {
        const uint32_t end = first + size < batch ? first + size : batch;
        for (uint32_t k = 0; k < units; k++) {
            for (uint32_t b = first; b < end; b++, block++) {
                const td_tile found = s->block_map(&launch, (td_dim3){block, 0, 0});
                uint32_t row, second;
                maps[m].row_of(n, k, b, &row, &second);
                wrong += !found.active || found.x != b || found.y != row || found.z != second;
            }
        }
    }
    td_plan_free(&plan);
    if (wrong > 0 || launch.grid.x != block || launch.grid.y != 1 || launch.grid.z != 1) {
        fail_msg("%s, n = %u, %u triangles in sections of %u: %u of %u blocks are wrong",
                 maps[m].name, n, batch, section, wrong, block);
    }
}

TEST(sections_of_rows_come_in_order)
{
    for (size_t m = 0; m < COUNT(maps); m++) {
        for (uint32_t n = 1; n <= MOST_N; n++) {
            for (uint32_t batch = 1; batch <= MOST_BATCH; batch++) {
                for (uint32_t section = 0; section <= batch; section++) {
                    assert_order(m, n, batch, section);
                }
            }
        }
    }
}

/* Every tile of every triangle once, as a check of a map counts them. */
TEST(rows_have_the_tiles_of_all_triangles)
{
    static uint8_t visits[MOST_BATCH * 12 * 13 / 2];
    for (size_t i = 0; i < COUNT(maps) * 12 * MOST_BATCH; i++) {
        const td_strategy *s = td_strategy_find(maps[i % COUNT(maps)].name);
        const uint32_t n = 1 + (uint32_t)(i / COUNT(maps) % 12);
        const uint32_t batch = 1 + (uint32_t)(i / COUNT(maps) / 12);
        td_plan plan = plan_of(i % COUNT(maps), n, batch, 2);
        const td_launch launch = plan.launches[0];
        memset(visits, 0, sizeof visits);
        for (uint32_t block = 0; block < launch.grid.x; block++) {
            const td_tile rows = s->block_map(&launch, (td_dim3){block, 0, 0});
            for (uint32_t k = 0; k < td_tile_count(2, &launch, rows); k++) {
                visits[td_place(2, n, td_nth_tile(2, &launch, rows, k))]++;
            }
        }
        td_plan_free(&plan);
        for (size_t place = 0; place < sizeof visits; place++) {
            assert_int_equal(visits[place], place < batch * td_triangle(n));
        }
    }
}

/* At the end of the range, or of what has room in a table, the ends of sections and of their units. */
TEST(the_largest_batches_of_rows_are_exact)
{
    static const uint32_t batches[] = {1, 7, 4095, 4096}, sections[] = {1, 2, 100, 4096};
    uint32_t wrong = 0;
    for (size_t i = 0; i < COUNT(batches) * COUNT(sections); i++) {
        const uint32_t batch = batches[i / COUNT(sections)];
        const uint32_t size =
            sections[i % COUNT(sections)] < batch ? sections[i % COUNT(sections)] : batch;
        for (size_t m = 0; m < COUNT(maps); m++) {
            const td_strategy *s = td_strategy_find(maps[m].name);
            const uint32_t n = s->fill_table == NULL || batch == 1 ? s->exact_n : MOST_N;
            const uint32_t units = maps[m].in_pairs ? (n + 1) / 2 : n;
            td_plan plan = plan_of(m, n, batch, size);
            assert_int_equal(plan.blocks, (uint64_t)units * batch);
            for (uint32_t b = 0; b < batch; b++) {
                const uint32_t first = b - b % size, left = batch - first;
                const uint32_t triangles = left < size ? left : size;
                const uint32_t some[] = {0, 1, units / 2, units - 2, units - 1};
                for (size_t k = 0; k < COUNT(some); k++) {
                    const uint64_t block =
                        (uint64_t)first * units + (uint64_t)some[k] * triangles + (b - first);
                    const td_tile found =
                        s->block_map(&plan.launches[0], (td_dim3){(uint32_t)block, 0, 0});
                    uint32_t row, second;
                    maps[m].row_of(n, some[k], b, &row, &second);
                    wrong +=
                        block > UINT32_MAX || found.x != b || found.y != row || found.z != second;
                }
            }
            td_plan_free(&plan);
        }
    }
    assert_int_equal(wrong, 0);
}

/* Sequences of several lengths, two heads each: every row of tiles that a triangle has once, in its order, and none
 * that it lacks. */
TEST(rows_that_a_triangle_lacks_are_not_listed)
{
    enum { TILE = 16, ROWS = 9, SEQUENCES = 4, BATCH = 2 * SEQUENCES };
    static const uint32_t cells[SEQUENCES] = {9 * TILE, 1, TILE, 4 * TILE + 1};
    static const uint32_t rows[SEQUENCES] = {9, 1, 1, 5};
    static const uint32_t given[ROWS] = {5, 0, 8, 2, 1, 3, 4, 6, 7};
    const td_strategy *s = td_strategy_find("rows-list");
    for (uint32_t i = 0; i < TD_ORDER_COUNT * BATCH; i++) {
        td_domain domain = domain_of_tiles(ROWS);
        td_plan plan = {0};
        uint32_t seen[BATCH] = {0};
        domain.batch = BATCH;
        domain.group = 1 + i / TD_ORDER_COUNT;
        domain.order = (td_order)(i % TD_ORDER_COUNT);
        domain.lengths = (td_lengths){cells, SEQUENCES};
        domain.rows = given;
        assert_int_equal(td_plan_make(s, &domain, false, &plan), TD_PLAN_MADE);
        assert_int_equal(plan.blocks, 2 * (9 + 1 + 1 + 5));
        assert_int_equal(plan.blocks_needed, plan.blocks);
        for (uint32_t block = 0; block < plan.blocks; block++) {
            const td_tile found = s->block_map(&plan.launches[0], (td_dim3){block, 0, 0});
            const uint32_t t = found.x, all = rows[t / 2];
            uint32_t k = seen[t]++;
            for (; domain.order == TD_ORDER_GIVEN && given[k] >= all; k = seen[t]++) {
            }
            assert_int_equal(found.y, domain.order == TD_ORDER_ASCENDING ? k
                                      : domain.order == TD_ORDER_SHIFT   ? (t + k) % all
                                      : domain.order == TD_ORDER_GIVEN   ? given[k]
                                                                         : all - 1 - k);
        }
        for (uint32_t t = 0; t < BATCH; t++) {
            assert_true(seen[t] == rows[t / 2] || domain.order == TD_ORDER_GIVEN);
        }
        td_plan_free(&plan);
    }
}
