/* map_check_test.c - maps with one error each, which a check of every block must find. */
#include "test.h"

#include "engine/cpu/cpu.h"
#include "engine/bench/map_check.h"
#include "engine/bench/map_probe.h"
#include "engine/core/digest.h"
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

/* A thousand rows are right; then the first block of each row is sent to the row before. */
static td_tile late_map(const td_launch *launch, td_dim3 block)
{
    td_tile tile = td_ltm_i_map(launch, block);
    tile.y -= tile.y >= 1000 && tile.x == 0;
    return tile;
}

/* Row 777 is right at its ends, and wrong between them. */
static td_tile middle_map(const td_launch *launch, td_dim3 block)
{
    td_tile tile = td_ltm_i_map(launch, block);
    tile.x -= tile.y == 777 && tile.x == 500;
    return tile;
}

/* The last tile is wrong for one n alone. */
static td_tile once_map(const td_launch *launch, td_dim3 block)
{
    td_tile tile = td_ltm_i_map(launch, block);
    tile.x -= launch->n == 700 && tile.x == 699;
    return tile;
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

TEST(every_block_is_asked_until_a_map_is_wrong)
{
    static const struct {
        td_block_map_fn *map;
        uint32_t checked_n, first_failing_n;
        uint64_t wrong, first_wrong, outside;
        const char *words;
    } cases[] = {{td_bb_map, 10, 0, 0, 0, 0, ""},
                 {twice_map, 3, 3, 2, 2, 0,
                  "n = 3, block 7: got (1, 1), as an earlier one; nothing computes (2, 1)"},
                 {outside_map, 4, 4, 0, 0, 1, "n = 4, block 3: got (0, 3), which is outside"},
                 {never_map, 5, 5, 1, 10, 0, "n = 5; nothing computes (4, 0)"}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        td_strategy strategy = td_bb;
        strategy.block_map = cases[i].map;
        const td_map_check check = check_of(&strategy, 10);
        assert_int_equal(check.checked_n, cases[i].checked_n);
        assert_int_equal(check.first_failing_n, cases[i].first_failing_n);
        assert_int_equal(check.failure.wrong, cases[i].wrong);
        assert_int_equal(check.failure.outside, cases[i].outside);
        assert_true(cases[i].wrong == 0 || check.failure.first_wrong == cases[i].first_wrong);
        if (check.first_failing_n > 0) {
            assert_string_equal(td_map_fault_text(&check).text, cases[i].words);
        }
    }
    const td_map_check threads = check_of(&td_utm, 40);
    assert_int_equal(threads.asked, 105 * 256);
    assert_int_equal(threads.first_failing_n, 0);
}

/* What the ends of rows show, what only a check in full shows, and a plan with too few blocks. */
TEST(the_first_wrong_n_is_searched_for)
{
    static const struct {
        td_block_map_fn *map;
        uint32_t largest, first_failing_n;
        const char *words;
    } cases[] = {
        {td_ltm_i_map, 2000, 0, ""},
        {late_map, 3000, 1001, "n = 1001, block 2000: got (999, 0), as an earlier one"},
        {middle_map, 1500, 778,
         "n = 778, block 278: got (777, 499), as an earlier one; nothing computes (777, 500)"},
        {once_map, 1500, 700,
         "n = 700, block 1: got (699, 698), as an earlier one; nothing computes (699, 699)"},
        {td_ltm_i_map, 100000, 92682, "n = 92682, which has fewer blocks than tiles"}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        td_strategy strategy = td_ltm_i;
        strategy.block_map = cases[i].map;
        const td_map_check check = check_of(&strategy, cases[i].largest);
        const td_fault_text words = td_map_fault_text(&check);
        assert_int_equal(check.first_failing_n, cases[i].first_failing_n);
        assert_true(check.first_failing_n == 0 || strstr(words.text, cases[i].words) == words.text);
        assert_true(check.whole_n >= (cases[i].first_failing_n != 0 ? 300 : cases[i].largest));
    }
}

/* The ends of rows and layers, the edges and the diagonal of a grid, and some at random. */
TEST(these_blocks_are_asked)
{
    static const struct {
        const td_strategy *strategy;
        td_launch launch;
        bool few;
        size_t count;
        uint64_t digest;
    } cases[] = {
        {&td_ltm_i, {.n = 2000, .grid = {2001000, 1, 1}}, false, 21998, 0x50e78667dac998e1},
        {&td_ltm_i, {.n = 2000, .grid = {2001000, 1, 1}}, true, 136, 0x30fd8f29c10e19ed},
        {&td_bb, {.n = 1500, .grid = {1500, 1500, 1}}, false, 34854, 0x3af9ac3110c2f4b4},
        {&td_utm,
         {.n = 1500, .grid = {50, 40, 1}, .block = {32, 16, 1}},
         false,
         21833,
         0x435edff2ba88fec7},
        {&td_bb_tetra, {.n = 150, .grid = {150, 150, 150}}, false, 30379, 0x2d8de6d446e6924},
        {&td_ltm_tetra, {.n = 250, .grid = {2635500, 1, 1}}, false, 19659, 0x7271f130db39532e}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        td_probes probes;
        td_error error = {""};
        assert_int_equal(
            td_probes_of(cases[i].strategy, &cases[i].launch, cases[i].few, &probes, &error),
            TD_OK);
        const td_digest digest =
            td_digest_of(probes.numbers, probes.count * sizeof *probes.numbers);
        free(probes.numbers);
        assert_int_equal(probes.count, cases[i].count);
        assert_int_equal(digest.low, cases[i].digest);
    }
}
