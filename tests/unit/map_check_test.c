/* map_check_test.c - maps with one error each, which a check of every block must find. */
#include "test.h"

#include "engine/cpu/row.h"
#include "engine/bench/map_check.h"
#include "strategies/strategies.h"

/* From three tiles per side on, block (1, 2) repeats the tile of (1, 1). */
static td_tile twice_map(const td_launch *launch, td_dim3 block)
{
    td_tile tile = td_bb_map(launch, block);
    tile.y -= block.x == 1 && block.y == 2;
    return tile;
}

/* From four tiles per side on, an extra block works outside the domain. */
static td_tile outside_map(const td_launch *launch, td_dim3 block)
{
    td_tile tile = td_bb_map(launch, block);
    tile.active = tile.active || (block.x == 3 && block.y == 0);
    return tile;
}

/* From five tiles per side on, one tile is missing. */
static td_tile never_map(const td_launch *launch, td_dim3 block)
{
    td_tile tile = td_bb_map(launch, block);
    tile.active = tile.active && !(block.x == 0 && block.y == 4);
    return tile;
}

static size_t calls;

static td_cell counting_map(const td_launch *launch, td_thread thread)
{
#pragma omp atomic
    calls++;
    return td_utm_map(launch, thread);
}

static td_map_check check_of(const td_strategy *strategy, uint32_t largest)
{
    const td_engine_config config = {.threads = 1};
    td_engine *engine;
    td_map_check check = {0};
    td_error error = {""};
    assert_int_equal(td_cpu_ops.open(&config, &engine, &error), TD_OK);
    const td_status status = td_check_map(engine, strategy, largest, &check, &error);
    td_cpu_ops.close(engine);
    assert_int_equal(status, TD_OK);
    return check;
}

static void every_block_is_asked_until_a_map_is_wrong(void **state)
{
    static const struct {
        td_block_map_fn *map;
        uint32_t checked_n, first_failing_n;
        uint64_t wrong, first_wrong, outside, asked;
    } cases[] = {{td_bb_map, 10, 0, 0, 0, 0, 385},      /* 1 + 4 + ... + 100 */
                 {twice_map, 3, 3, 2, 2, 0, 1 + 4 + 9}, /* (1, 1) twice, (1, 2) never */
                 {outside_map, 4, 4, 0, 0, 1, 30},
                 {never_map, 5, 5, 1, 10, 0, 55}};
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        td_strategy strategy = td_bb;
        strategy.block_map = cases[i].map;
        const td_map_check check = check_of(&strategy, 10);
        assert_int_equal(check.checked_n, cases[i].checked_n);
        assert_int_equal(check.first_failing_n, cases[i].first_failing_n);
        assert_int_equal(check.failure.wrong, cases[i].wrong);
        assert_int_equal(check.failure.outside, cases[i].outside);
        assert_true(cases[i].wrong == 0 || check.failure.first_wrong == cases[i].first_wrong);
        assert_int_equal(check.asked, cases[i].asked);
    }
}

/* For a map of threads, each thread is asked and counted. */
static void every_thread_is_asked_and_counted(void **state)
{
    td_strategy strategy = td_utm;
    (void)state;
    calls = 0;
    strategy.thread_map = counting_map;
    const td_map_check check = check_of(&strategy, 40);
    assert_true(calls > 256);
    assert_int_equal(check.asked, calls);
    assert_int_equal(check.first_failing_n, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_block_is_asked_until_a_map_is_wrong),
        cmocka_unit_test(every_thread_is_asked_and_counted),
    };
    return cmocka_run_group_tests_name("map_check", tests, NULL, NULL);
}
