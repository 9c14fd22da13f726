/* walk_test.c - the blocks of a grid, of a part and of a tree that the cpu engine runs. */
#include "test.h"

#include "engine/cpu/cpu.h"
#include "engine/prepare/planning.h"
#include "files.h"
#include "strategies/strategies.h"

static td_tile seen[64];
static size_t seen_count;

static void note_tile(const td_launch *launch, const td_data *data, td_tile tile)
{
    (void)launch;
    (void)data;
    seen[seen_count++] = tile;
}

static void walk(const td_strategy *strategy, const td_launch *launch, uint64_t first, uint64_t end)
{
    const td_data data = {0};
    const td_cpu_work work = {.strategy = strategy->id, .tile = note_tile};
    seen_count = 0;
    td_cpu_walk(launch, &data, &work, first, end);
}

static void part_of_a_cut_grid_begins_where_it_is_cut(void **state)
{
    const td_launch launch = {.grid = {2, 3, 1}, .first = {5, 100, 0}, .n = 1000, .bands = 1};
    (void)state;
    walk(&td_bb, &launch, 0, 6);
    assert_int_equal(seen_count, 6);
    for (uint32_t i = 0; i < 6; i++) {
        assert_int_equal(seen[i].x, 5 + i % 2);
        assert_int_equal(seen[i].y, 100 + i / 2);
    }
    walk(&td_bb, &launch, 3, 5); /* from the middle */
    assert_int_equal(seen_count, 2);
    assert_int_equal(seen[0].x, 6);
    assert_int_equal(seen[0].y, 101);
    assert_int_equal(seen[1].x, 5);
    assert_int_equal(seen[1].y, 102);
}

static void layers_of_a_cut_grid_follow_each_other(void **state)
{
    const td_launch launch = {.grid = {1, 2, 3}, .first = {0, 1, 50}, .n = 1000, .bands = 1};
    (void)state;
    walk(&td_bb_tetra, &launch, 0, 6);
    assert_int_equal(seen_count, 6);
    for (uint32_t i = 0; i < 6; i++) {
        assert_int_equal(seen[i].y, 1 + i % 2);
        assert_int_equal(seen[i].z, 50 + i / 2);
    }
}

static void block_without_work_does_nothing(void **state)
{
    const td_launch launch = {.grid = {4, 4, 1}, .n = 4, .bands = 1};
    (void)state;
    walk(&td_bb, &launch, 0, 16);
    assert_int_equal(seen_count, 10);
    for (size_t i = 0; i < seen_count; i++) {
        assert_true(seen[i].x <= seen[i].y);
    }
}

static uint64_t blocks; /* blocks that ran */

static void count_blocks(const td_launch *launch, const td_data *data, const td_cpu_work *work,
                         uint64_t first, uint64_t end)
{
    (void)launch;
    (void)data;
    (void)work;
    __atomic_fetch_add(&blocks, end - first, __ATOMIC_RELAXED);
}

static void tree_runs_the_blocks_of_its_plan(void **state)
{
    static const uint32_t sizes[] = {1, 8, 9, 63, 64, 65, 130}, cutoffs[] = {1, 8, 16, 24, 64, 200};
    size_t trees = 0;
    (void)state;
    for (size_t i = 0; i < td_strategy_count; i++) {
        const td_strategy *s = td_strategies[i];
        trees += s->tree != NULL;
        for (size_t k = 0; k < COUNT(sizes) * COUNT(cutoffs) && s->tree != NULL; k++) {
            const uint32_t n = sizes[k % COUNT(sizes)], cutoff = cutoffs[k / COUNT(sizes)];
            const td_dim3 block = {8, 8, s->dimension == 3 ? 8 : 1};
            const td_domain domain = td_domain_of(n, 8, block, cutoff);
            td_plan plan = {0};
            td_error error;
            assert_int_equal(td_strategy_plan(s, &domain, false, &plan, &error), TD_OK);
            const td_execution execution = {.strategy = s, .plan = &plan, .cutoff = cutoff};
            const td_data data = {.n = n};
            blocks = 0;
            td_cpu_tree(&execution, &data, count_blocks, NULL, 2);
            const uint64_t planned = plan.blocks;
            td_plan_free(&plan);
            if (blocks != planned) {
                fail_msg("%s N=%u cutoff %u: %llu blocks, %llu planned", s->name, n, cutoff,
                         (unsigned long long)blocks, (unsigned long long)planned);
            }
        }
    }
    assert_true(trees >= 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(part_of_a_cut_grid_begins_where_it_is_cut),
        cmocka_unit_test(layers_of_a_cut_grid_follow_each_other),
        cmocka_unit_test(block_without_work_does_nothing),
        cmocka_unit_test(tree_runs_the_blocks_of_its_plan),
    };
    return cmocka_run_group_tests_name("walk", tests, NULL, NULL);
}
