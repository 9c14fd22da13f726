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

static td_map_check check_of(td_block_map_fn *map, uint32_t largest)
{
    const td_engine_config config = {.threads = 1};
    td_strategy strategy = td_bb;
    td_engine *engine;
    td_map_check check = {0};
    td_error error = {""};
    strategy.block_map = map;
    assert_int_equal(td_cpu_ops.open(&config, &engine, &error), TD_OK);
    const td_status status = td_check_map(engine, &strategy, largest, &check, &error);
    td_cpu_ops.close(engine);
    assert_int_equal(status, TD_OK);
    return check;
}

static void sound_map_never_fails(void **state)
{
    const td_map_check check = check_of(td_bb_map, 10);
    (void)state;
    assert_int_equal(check.first_failing_n, 0);
    assert_int_equal(check.checked_n, 10);
    assert_int_equal(check.asked, 385); /* 1 + 4 + ... + 100 */
}

static void place_that_two_blocks_reach_is_found(void **state)
{
    const td_map_check check = check_of(twice_map, 10);
    (void)state;
    assert_int_equal(check.first_failing_n, 3);
    assert_int_equal(check.failure.outside, 0);
    assert_int_equal(check.failure.wrong, 2); /* (1, 1) twice, (1, 2) never */
    assert_int_equal(check.failure.first_wrong, 2);
    assert_int_equal(check.asked, 1 + 4 + 9);
}

static void block_that_works_outside_is_found(void **state)
{
    const td_map_check check = check_of(outside_map, 10);
    (void)state;
    assert_int_equal(check.first_failing_n, 4);
    assert_int_equal(check.failure.outside, 1);
    assert_int_equal(check.failure.wrong, 0);
}

static void place_that_no_block_reaches_is_found(void **state)
{
    const td_map_check check = check_of(never_map, 10);
    (void)state;
    assert_int_equal(check.first_failing_n, 5);
    assert_int_equal(check.failure.wrong, 1);
    assert_int_equal(check.failure.first_wrong, 10);
}

static void blocks_and_threads_are_counted_along_x(void **state)
{
    const td_launch launch = {.grid = {5, 3, 2}, .first = {100, 10, 1}, .block = {8, 4, 2}};
    (void)state;
    for (uint32_t i = 0; i < 30; i++) {
        const td_dim3 block = td_nth_block(&launch, i);
        assert_int_equal(block.x, 100 + i % 5);
        assert_int_equal(block.y, 10 + i / 5 % 3);
        assert_int_equal(block.z, 1 + i / 15);
    }
    for (uint32_t i = 0; i < 64; i++) {
        const td_dim3 thread = td_nth_thread(&launch, i);
        assert_int_equal(thread.x, i % 8);
        assert_int_equal(thread.y, i / 8 % 4);
        assert_int_equal(thread.z, i / 32);
    }
}

static size_t calls;

static td_cell counting_map(const td_launch *launch, td_thread thread)
{
#pragma omp atomic
    calls++;
    return td_utm_map(launch, thread);
}

/* For a map of threads, each thread is asked and counted. */
static void every_thread_is_asked_and_counted(void **state)
{
    const td_engine_config config = {.threads = 1};
    td_strategy strategy = td_utm;
    td_engine *engine;
    td_map_check check = {0};
    td_error error = {""};
    (void)state;
    calls = 0;
    strategy.thread_map = counting_map;
    assert_int_equal(td_cpu_ops.open(&config, &engine, &error), TD_OK);
    const td_status status = td_check_map(engine, &strategy, 40, &check, &error);
    td_cpu_ops.close(engine);
    assert_int_equal(status, TD_OK);
    assert_true(calls > 256);
    assert_int_equal(check.asked, calls);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_thread_is_asked_and_counted),
        cmocka_unit_test(sound_map_never_fails),
        cmocka_unit_test(place_that_two_blocks_reach_is_found),
        cmocka_unit_test(block_that_works_outside_is_found),
        cmocka_unit_test(place_that_no_block_reaches_is_found),
        cmocka_unit_test(blocks_and_threads_are_counted_along_x),
    };
    return cmocka_run_group_tests_name("map_check", tests, NULL, NULL);
}
