/* order_test.c - maps whose order is their point: each block's tile, and how many rows and columns a wave touches. */
#include "test.h"

#include <string.h>

#include "domains.h"

enum {
    SMALL = 70,
    ALL_SMALL = SMALL * (SMALL + 1) / 2,
    WAVE = 132 /* multiprocessors of an H200 */
};

static td_launch launch_of(const td_strategy *s, uint32_t n, uint32_t group)
{
    td_domain domain = domain_of_tiles(n);
    td_plan plan = {0};
    domain.group = group;
    assert_int_equal(td_plan_make(s, &domain, false, &plan), TD_PLAN_MADE);
    const td_launch launch = plan.launches[0];
    assert_int_equal(plan.blocks, td_triangle(n));
    td_plan_free(&plan);
    return launch;
}

static td_tile tile_at(const td_strategy *s, const td_launch *launch, uint64_t block)
{
    return s->block_map(launch, (td_dim3){(uint32_t)block, 0, 0});
}

/* The tiles that are expected, first to last; a map may count them from the last one back. */
static void assert_order(const char *name, uint32_t n, uint32_t group, bool back,
                         const td_tile *tiles)
{
    const td_strategy *s = td_strategy_find(name);
    const td_launch launch = launch_of(s, n, group);
    const uint64_t count = td_triangle(n);
    for (uint64_t k = 0; k < count; k++) {
        const td_tile found = tile_at(s, &launch, back ? count - 1 - k : k);
        if (!found.active || found.x != tiles[k].x || found.y != tiles[k].y) {
            fail_msg("%s, n = %u, groups of %u: tile %llu is (%u, %u), not (%u, %u)", name, n,
                     group, (unsigned long long)k, found.x, found.y, tiles[k].x, tiles[k].y);
        }
    }
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

TEST(grouped_rows_come_in_order)
{
    static const uint32_t groups[] = {1, 2, 3, 4, 7, 8, 16, 31, 69, 70, 71, TD_TRIANGLE_32};
    td_tile tiles[ALL_SMALL];
    for (uint32_t i = 0; i < SMALL * COUNT(groups); i++) {
        const uint32_t n = 1 + i % SMALL, group = groups[i / SMALL];
        size_t count = 0;
        for (uint32_t first = 0, end; first < n; first = end) {
            end = least(n, first + group);
            for (uint32_t x = 0; x < first; x++) {
                for (uint32_t y = first; y < end; y++) {
                    tiles[count++] = td_tile_at(x, y, true);
                }
            }
            for (uint32_t y = first; y < end; y++) {
                for (uint32_t x = first; x <= y; x++) {
                    tiles[count++] = td_tile_at(x, y, true);
                }
            }
        }
        assert_order("ltm-g", n, group, true, tiles);
        if (group == 1) {
            assert_order("ltm-i", n, group, true, tiles);
        }
        if (group == TD_USUAL_GROUP) {
            assert_order("ltm-g", n, 0, true, tiles);
        }
    }
}

TEST(tiles_come_in_z_order)
{
    td_tile tiles[ALL_SMALL];
    for (uint32_t n = 1; n <= SMALL; n++) {
        size_t count = 0;
        for (uint32_t code = 0; code < 128 * 128; code++) {
            uint32_t x = 0, y = 0;
            for (uint32_t bit = 0; bit < 7; bit++) {
                x |= (code >> 2 * bit & 1) << bit;
                y |= (code >> (2 * bit + 1) & 1) << bit;
            }
            if (x <= y && y < n) {
                tiles[count++] = td_tile_at(x, y, true);
            }
        }
        assert_order("morton", n, 0, false, tiles);
    }
}

/* ---- the place of a tile, the other way round ---- */

static uint64_t grouped_place(uint32_t n, uint32_t group, uint32_t x, uint32_t y)
{
    const uint64_t first = y - y % group, rows = least(n - (uint32_t)first, group);
    return td_triangle(first) +
           (x < first ? x * rows + y - first : first * rows + td_triangle(y - first) + x - first);
}

/* Tiles of the triangle before (x, y) in Z order: at each bit those that have less in it, and all higher bits alike. */
static uint64_t z_place(uint32_t n, uint32_t x, uint32_t y)
{
    uint64_t before = 0;
    for (uint32_t side = 1u << 16; side > 0; side /= 2) {
        const uint32_t left = x & ~(2 * side - 1), above = y & ~(2 * side - 1);
        const bool on_diagonal = left == above;
        const uint64_t upper = least(n - above, side), lower = n - above - upper;
        if ((y & side) != 0) {
            before += on_diagonal ? td_triangle(upper) : 2 * side * upper;
        }
        if ((x & side) != 0) {
            before += side * ((y & side) == 0 ? upper : lower < side ? lower : side);
        }
    }
    return before;
}

/* A map is right on tiles that it gives for their places; these are the ends and middles of all rows, of the largest n
 * and where numbers reach 16 bits. */
TEST(far_tiles_have_their_place)
{
    static const uint32_t sides[] = {65535, 65536, 65537, TD_TRIANGLE_32};
    static const uint32_t groups[] = {1, 7, 8, 1000, 65536, 0}; /* 0: Z order */
    for (size_t i = 0; i < COUNT(sides) * COUNT(groups); i++) {
        const uint32_t n = sides[i % COUNT(sides)], group = groups[i / COUNT(sides)];
        const td_strategy *s = td_strategy_find(group > 0 ? "ltm-g" : "morton");
        const td_launch launch = launch_of(s, n, group);
        uint32_t wrong = 0;
        for (uint32_t y = 0; y < n; y++) {
            const uint32_t first = group > 0 ? y - y % group : y & (y - 1);
            const uint32_t columns[] = {0, y / 3, least(first - (first > 0), y), first, y};
            for (size_t c = 0; c < COUNT(columns); c++) {
                const uint32_t x = columns[c];
                const uint64_t block = group > 0
                                           ? td_triangle(n) - 1 - grouped_place(n, group, x, y)
                                           : z_place(n, x, y);
                const td_tile found = tile_at(s, &launch, block);
                wrong += found.x != x || found.y != y;
            }
        }
        assert_int_equal(wrong, 0);
        assert_int_equal(s->exact_n, TD_TRIANGLE_32);
    }
}

/* ---- what a wave touches ---- */

/* The rows or columns of the input that the tiles of each wave need, summed over the waves. */
static uint32_t panels_of(const char *name, uint32_t n)
{
    const td_strategy *s = td_strategy_find(name);
    const td_launch launch = launch_of(s, n, 0);
    uint32_t wave_of[256] = {0}, panels = 0;
    for (uint32_t k = 0; k < td_triangle(n); k++) {
        const td_tile tile = tile_at(s, &launch, k);
        const uint32_t wave = 1 + k / WAVE, both[] = {tile.x, tile.y};
        for (size_t i = 0; i < COUNT(both); i++) {
            panels += wave_of[both[i]] != wave;
            wave_of[both[i]] = wave;
        }
    }
    return panels;
}

/* The table of docs/strategies.md, in hundredths of ltm-i's. */
TEST(waves_touch_fewer_rows_and_columns)
{
    static const struct {
        uint32_t n, grouped, z;
    } known[] = {{64, 57, 59}, {128, 29, 35}, {240, 21, 26}};
    for (size_t i = 0; i < COUNT(known); i++) {
        const double rows = panels_of("ltm-i", known[i].n);
        const double grouped = panels_of("ltm-g", known[i].n), z = panels_of("morton", known[i].n);
        assert_int_equal(100.0 * grouped / rows + 0.5, known[i].grouped);
        assert_int_equal(100.0 * z / rows + 0.5, known[i].z);
    }
}
