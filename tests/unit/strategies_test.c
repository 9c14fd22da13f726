/* strategies_test.c - every 2D strategy of the list: its coverage, names and facts. */
#include "test.h"

#include <stdlib.h>

#include "covered.h"
#include "domains.h"
#include "each_strategy.h"
#include "engine/prepare/planning.h"

static const td_dim3 square_blocks[] = {{8, 8, 1}, {16, 16, 1}, {32, 32, 1}};
static const td_dim3 all_blocks[] = {{8, 8, 1}, {16, 16, 1}, {32, 32, 1}, {32, 8, 1}, {64, 4, 1}};
static const uint32_t awkward_cells[] = {127, 128, 129, 511, 512, 513, 1023, 1024, 1025};

static void cover_with_block(const td_strategy *s, uint32_t cells, td_dim3 block)
{
    td_domain domain = domain_of(cells, block, block.x, 3 * block.x);
    assert_covered(s, &domain);
    domain.no_diagonal = true;
    assert_covered(s, &domain);
}

/* N of 1..70 and around powers of two, with every block shape that the map accepts. */
static void strategy_covers_every_tile_once(void **state)
{
    const td_strategy *s = strategy_of(state);
    const bool threads = s->unit == TD_MAPS_THREADS;
    const td_dim3 *blocks = threads ? all_blocks : square_blocks;
    const size_t block_count = threads ? COUNT(all_blocks) : COUNT(square_blocks);
    for (size_t b = 0; b < block_count; b++) {
        for (uint32_t cells = 1; cells <= 70; cells++) {
            cover_with_block(s, cells, blocks[b]);
        }
        for (size_t i = 0; i < COUNT(awkward_cells); i++) {
            cover_with_block(s, awkward_cells[i], blocks[b]);
        }
    }
}

/* Tiles per side, for maps on blocks: 1..70, powers of two and their neighbours, other numbers than m 2^k.
 */
static void block_map_covers_any_number_of_tiles(void **state)
{
    static const uint32_t more[] = {95,  127, 128, 129, 191,  255,  257,
                                    383, 511, 512, 513, 1000, 1023, 1025};
    const td_strategy *s = strategy_of(state);
    if (s->unit == TD_MAPS_THREADS) {
        return;
    }
    for (uint32_t tiles = 1; tiles <= 70; tiles++) {
        for (uint32_t cutoff = 1; cutoff <= 160; cutoff += 53) {
            td_domain domain = domain_of_tiles(tiles);
            domain.cutoff = cutoff;
            assert_covered(s, &domain);
        }
    }
    for (size_t i = 0; i < COUNT(more); i++) {
        const td_domain domain = domain_of_tiles(more[i]);
        assert_covered(s, &domain);
    }
}

static void strategy_covers_every_n_to_2048(void **state)
{
    const td_strategy *s = strategy_of(state);
    if (getenv("TD_EXHAUSTIVE") == NULL) {
        print_message("takes minutes: make check-exhaustive\n");
        skip();
    }
    const td_dim3 block = {16, 16, 1};
    for (uint32_t n = 1; n <= 2048 && n <= s->exact_n; n++) {
        const td_domain domain =
            s->unit == TD_MAPS_THREADS ? domain_of(n, block, 16, 128) : domain_of_tiles(n);
        assert_covered(s, &domain);
    }
}

static void names_and_aliases_are_found_and_unique(void **state)
{
    (void)state;
    assert_ptr_equal(td_strategy_find("ltm"), td_strategy_find("ltm-r"));
    assert_null(td_strategy_find("ltm-z"));
    for (size_t i = 0; i < td_strategy_count; i++) {
        const td_strategy *s = td_strategies[i];
        assert_ptr_equal(td_strategy_find(s->name), s);
        assert_int_equal(s->id, i);
    }
}

static void facts_agree_with_each_other(void **state)
{
    (void)state;
    unsigned baselines[2] = {0, 0};
    for (size_t i = 0; i < td_strategy_count; i++) {
        const td_strategy *s = td_strategies[i];
        assert_true((s->block_map != NULL) == (s->unit == TD_MAPS_BLOCKS));
        assert_true((s->thread_map != NULL) == (s->unit == TD_MAPS_THREADS));
        assert_true(s->square_map == NULL || (s->dimension == 2 && s->unit == TD_MAPS_BLOCKS));
        assert_true(!s->whole_rows || s->dimension == 3);
        assert_true(s->tree == NULL || (s->tree->children > 0 && s->uses_cutoff));
        baselines[s->dimension - 2] += s->is_baseline;
    }
    assert_int_equal(baselines[0], 1);
    assert_int_equal(baselines[1], 1);
}

static void the_tile_is_the_smallest_that_the_block_divides(void **state)
{
    (void)state;
    const td_dim3 flat = {64, 4, 1}, cube = {8, 8, 8}, rows = {32, 2, 4};
    const td_strategy *blocks = td_strategy_find("bb"), *threads = td_strategy_find("rb");
    const td_strategy *cubes = td_strategy_find("bb-tetra"), *whole = td_strategy_find("ltm-rows");
    assert_int_equal(td_strategy_tile(blocks, flat), 64);
    assert_int_equal(td_strategy_tile(threads, flat), 64);
    assert_int_equal(td_strategy_tile(cubes, cube), 8);
    assert_int_equal(td_strategy_tile(cubes, rows), 32);
    assert_int_equal(td_strategy_tile(whole, rows), 4);
    assert_true(td_strategy_takes_tile(whole, 8, 0, rows) &&
                !td_strategy_takes_tile(cubes, 8, 0, rows));
    assert_false(td_strategy_takes_tile(whole, 6, 0, rows));
    assert_true(td_strategy_tile_is_block(cubes, 8, 0, cube));
    assert_false(td_strategy_tile_is_block(whole, 8, 0, cube)); /* the tile is wider */
    assert_false(td_strategy_tile_is_block(blocks, 64, 0, flat));
    assert_true(td_strategy_tile_is_block(blocks, 4, 64, flat));
    assert_false(td_strategy_tile_is_block(blocks, 4, 128, flat));
    assert_true(td_strategy_takes_tile(blocks, 4, 128, flat));
    assert_false(td_strategy_takes_tile(blocks, 4, 96, flat));
    assert_true(td_strategy_tile_is_block(threads, 64, 0, flat));
}

#define TEST(id, A)                                                                                \
    EACH(id, strategy_covers_every_tile_once), EACH(id, block_map_covers_any_number_of_tiles),     \
        EACH(id, strategy_covers_every_n_to_2048),

int main(void)
{
    const struct CMUnitTest tests[] = {
        TD_BLOCK_MAPS(TEST, ) TD_THREAD_MAPS(TEST, ) TD_TREES(TEST, )
            cmocka_unit_test(names_and_aliases_are_found_and_unique),
        cmocka_unit_test(facts_agree_with_each_other),
        cmocka_unit_test(the_tile_is_the_smallest_that_the_block_divides),
    };
    return cmocka_run_group_tests_name("strategies", tests, NULL, NULL);
}
