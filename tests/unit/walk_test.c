/* walk_test.c - the blocks of a grid and of a part that the cpu engine runs. */
#include "test.h"

#include "engine/cpu/cpu.h"
#include "strategies/strategies.h"

static td_box seen[64]; /* tiles of one cell */
static size_t seen_count;

static void note_tile(const td_data *data, const td_box *box, const void *restrict input,
                      void *restrict output)
{
    (void)data, (void)input, (void)output;
    seen[seen_count++] = *box;
}

static void walk(const td_strategy *strategy, td_launch launch, uint64_t first, uint64_t end)
{
    const td_data data = {.n = launch.n};
    const td_cpu_work work = {.strategy = strategy, .cells = note_tile};
    launch.tile = launch.width = launch.rows = launch.bands = 1;
    seen_count = 0;
    td_cpu_walk(&launch, &data, &work, first, end);
}

/* All blocks, and from the middle, of a grid that begins where a larger one is cut. */
TEST(blocks_of_a_cut_grid_follow_each_other)
{
    const td_launch flat = {.grid = {2, 3, 1}, .first = {5, 100, 0}, .n = 1000};
    const td_launch solid = {.grid = {1, 2, 3}, .first = {0, 1, 50}, .n = 1000};
    for (uint32_t first = 0; first < 6; first++) {
        walk(&td_bb, flat, first, 6);
        assert_int_equal(seen_count, 6 - first);
        for (uint32_t i = first; i < 6; i++) {
            assert_int_equal(seen[i - first].x, 5 + i % 2);
            assert_int_equal(seen[i - first].y, 100 + i / 2);
        }
        walk(&td_bb_tetra, solid, first, 6);
        assert_int_equal(seen_count, 6 - first);
        for (uint32_t i = first; i < 6; i++) {
            assert_int_equal(seen[i - first].y, 1 + i % 2);
            assert_int_equal(seen[i - first].z, 50 + i / 2);
        }
    }
}

TEST(block_without_work_does_nothing)
{
    const td_launch launch = {.grid = {4, 4, 1}, .n = 4};
    walk(&td_bb, launch, 0, 16);
    assert_int_equal(seen_count, 10);
    for (size_t i = 0; i < seen_count; i++) {
        assert_true(seen[i].x <= seen[i].y);
    }
}
