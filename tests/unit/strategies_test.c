/* strategies_test.c - every 2D strategy of the list: its coverage, names and facts. */
#include "test.h"

#include <stdlib.h>

#include "covered.h"
#include "domains.h"
#include "each_strategy.h"
#include "engine/prepare/planning.h"

static bool is_exhaustive(void)
{
    return getenv("TD_EXHAUSTIVE") != NULL; /* takes minutes */
}

/* Tiles per side, with and without the cells of the diagonal: 1 .. 70 or, in an exhaustive check, 2048; and powers of
 * two and their neighbours, and other numbers than m 2^k. */
static void cover_with_blocks(const td_strategy *s)
{
    static const uint32_t more[] = {95,  127, 128, 129, 191,  255,  257,
                                    383, 511, 512, 513, 1000, 1023, 1025};
    const uint32_t first = is_exhaustive() ? 2048 : 70;
    for (uint32_t k = 1; k <= first + COUNT(more); k++) {
        const uint32_t tiles = k <= first ? k : more[k - first - 1];
        for (uint32_t cutoff = 1; cutoff <= (s->uses_cutoff && k <= 70 ? 160 : 1); cutoff += 53) {
            td_domain domain = domain_of_tiles(tiles < s->exact_n ? tiles : s->exact_n);
            domain.cutoff = k <= 70 ? cutoff : 128;
            assert_covered(s, &domain);
            domain.no_diagonal = true;
            assert_covered(s, &domain);
        }
    }
}

/* N of 1 .. 70, or 2048, and around powers of two, with blocks of many shapes. */
static void cover_with_threads(const td_strategy *s)
{
    static const td_dim3 blocks[] = {{8, 8, 1}, {16, 16, 1}, {32, 32, 1}, {32, 8, 1}, {64, 4, 1}};
    static const uint32_t more[] = {127, 128, 129, 511, 512, 513, 1023, 1024, 1025};
    const uint32_t first = is_exhaustive() ? 2048 : 70;
    for (size_t b = 0; b < COUNT(blocks); b++) {
        for (uint32_t k = 1; k <= first + COUNT(more); k++) {
            const uint32_t cells = k <= first ? k : more[k - first - 1];
            td_domain domain = domain_of(cells, blocks[b], blocks[b].x, 3 * blocks[b].x);
            assert_covered(s, &domain);
            domain.no_diagonal = true;
            assert_covered(s, &domain);
        }
    }
}

static void strategy_covers_every_tile_once(void **state)
{
    const td_strategy *s = strategy_of(state);
    (s->unit == TD_MAPS_THREADS ? cover_with_threads : cover_with_blocks)(s);
}

TEST(names_and_aliases_are_found_and_unique)
{
    assert_ptr_equal(td_strategy_find("ltm"), td_strategy_find("ltm-r"));
    assert_null(td_strategy_find("ltm-z"));
    for (size_t i = 0; i < td_strategy_count; i++) {
        const td_strategy *s = td_strategies[i];
        assert_ptr_equal(td_strategy_find(s->name), s);
        assert_int_equal(s->id, i);
    }
}

TEST(facts_agree_with_each_other)
{
    unsigned baselines[2] = {0, 0};
    for (size_t i = 0; i < td_strategy_count; i++) {
        const td_strategy *s = td_strategies[i];
        assert_true((s->block_map != NULL) == (s->unit == TD_MAPS_BLOCKS));
        assert_true((s->thread_map != NULL) == (s->unit == TD_MAPS_THREADS));
        assert_true(s->square_map == NULL || (s->dimension == 2 && s->unit == TD_MAPS_BLOCKS));
        assert_true(!s->whole_rows || s->dimension == 3);
        assert_true(!s->by_rows || (s->dimension == 2 && s->usual_group > 0));
        assert_true(s->tree == NULL || (s->tree->children > 0 && s->uses_cutoff));
        baselines[s->dimension - 2] += s->is_baseline;
    }
    assert_int_equal(baselines[0], 1);
    assert_int_equal(baselines[1], 1);
}

TEST(the_tile_is_the_smallest_that_the_block_divides)
{
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

#define COVERS(id, A) EACH(id, strategy_covers_every_tile_once);

int main(void)
{
    TD_BLOCK_MAPS(COVERS, )
    TD_THREAD_MAPS(COVERS, ) TD_TREES(COVERS, ) return td_tests_run(NULL, NULL);
}
