/* map_check_test.c - maps with one error each, which a check of every block must find. */
#include "test.h"

#include "engine/cpu/cpu.h"
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

void __wrap_td_cpu_walk(const td_launch *launch, const td_data *data, const td_cpu_work *work,
                        uint64_t first, uint64_t end);
void __real_td_cpu_walk(const td_launch *launch, const td_data *data, const td_cpu_work *work,
                        uint64_t first, uint64_t end);

/* The engine has the maps of its list inlined; here the one that the strategy points to is asked. */
void __wrap_td_cpu_walk(const td_launch *launch, const td_data *data, const td_cpu_work *work,
                        uint64_t first, uint64_t end)
{
    if (work->strategy->unit == TD_MAPS_THREADS) {
        __real_td_cpu_walk(launch, data, work, first, end);
        return;
    }
    for (; first < end; first++) {
        const td_tile tile = work->strategy->block_map(launch, td_nth_block(launch, first));
        const td_box box = td_cpu_box_of(launch, data, work, tile);
        if (tile.active) {
            work->cells(data, &box, data->input, data->output);
        }
    }
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
    const td_map_check threads = check_of(&td_utm, 40);
    assert_int_equal(threads.asked, 105 * 256);
    assert_int_equal(threads.first_failing_n, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_block_is_asked_until_a_map_is_wrong),
    };
    return cmocka_run_group_tests_name("map_check", tests, NULL, NULL);
}
