/* part_test.c - parts of a triangle: together they cover it, and each matches its plan. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "strategies/part.h"
#include "strategies/strategies.h"
#include "test.h"

/* Visits of each tile, and the counts in all parts' plans. Strays are wasted blocks that an engine may let past its
 * tile test and whose cells the cell test would accept. */
typedef struct tally {
    uint32_t n, *visits;
    uint64_t cells, needed;
    bool outside, strays;
} tally;

static td_tile tile_of(const td_strategy *strategy, const td_launch *launch, td_dim3 block)
{
    td_tile tile =
        launch->rectangle ? td_bb_square_map(launch, block) : strategy->block_map(launch, block);
    tile.x += launch->origin_x;
    tile.y += launch->origin_y;
    return tile;
}

static void visit(const td_strategy *strategy, const td_launch *l, const td_part *part, tally *t)
{
    for (uint32_t z = 0; z < l->grid.z; z++) {
        for (uint32_t y = 0; y < l->grid.y; y++) {
            for (uint32_t x = 0; x < l->grid.x; x++) {
                const td_dim3 block = {l->first.x + x, l->first.y + y, l->first.z + z};
                const td_tile tile = tile_of(strategy, l, block);
                const bool inside = tile.x <= tile.y && tile.y >= part->first && tile.y < part->end;
                t->outside = t->outside || (tile.active && !inside);
                t->strays = t->strays || (strategy->few_wasted && !l->is_part && !tile.active &&
                                          tile.x <= tile.y && tile.y < t->n);
                if (tile.active && inside) {
                    t->visits[tile.y * t->n + tile.x]++;
                }
            }
        }
    }
}

static uint64_t cells_of(const td_share *share, bool no_diagonal)
{
    uint64_t cells = 0;
    for (uint32_t row = share->first_row; row < share->end_row; row++) {
        cells += no_diagonal ? row : row + 1;
    }
    return cells;
}

static void add_part(const td_strategy *strategy, const td_domain *domain, const td_part *part,
                     int edges, tally *t)
{
    const bool has_rows = part->first < part->end;
    const bool wanted[2] = {has_rows && (edges & 1) != 0, has_rows && (edges & 2) != 0};
    const td_share share = td_part_share(domain, part);
    td_plan plan = {0};
    const td_plan_status made = td_plan_make_part(strategy, domain, part, wanted, false, &plan);
    for (size_t i = 0; i < plan.count; i++) {
        visit(strategy, &plan.launches[i], part, t);
        if (i < plan.edges) { /* edges concern the first and the last row, and those wanted alone */
            const td_launch *l = &plan.launches[i];
            const bool is_wanted = (wanted[0] && l->origin_y == part->first) ||
                                   (wanted[1] && l->origin_y == part->end - 1);
            t->outside = t->outside || !is_wanted;
        }
    }
    const uint64_t cells = plan.cells;
    t->cells += cells;
    t->needed += plan.blocks_needed;
    td_plan_free(&plan);
    assert_int_equal(made, TD_PLAN_MADE);
    assert_int_equal(cells, cells_of(&share, domain->no_diagonal));
}

static void check(const td_strategy *strategy, const td_domain *domain, td_partition partition,
                  uint32_t count, int edges)
{
    tally t = {.n = domain->tiles};
    uint64_t wrong = 0;
    t.visits = calloc((size_t)t.n * t.n, sizeof *t.visits);
    assert_non_null(t.visits);
    for (uint32_t rank = 0; rank < count; rank++) {
        const td_part part = td_part_of(partition, domain, rank, count);
        add_part(strategy, domain, &part, edges, &t);
    }
    for (uint32_t y = 0; y < t.n; y++) {
        for (uint32_t x = 0; x <= y; x++) {
            wrong += t.visits[y * t.n + x] != 1;
        }
    }
    free(t.visits);
    assert_int_equal(wrong, 0);
    assert_false(t.outside);
    assert_false(t.strays);
    assert_int_equal(t.cells,
                     td_triangle(domain->cells) - (domain->no_diagonal ? domain->cells : 0));
    assert_int_equal(t.needed, td_triangle(domain->tiles));
}

static void check_counts(const td_strategy *strategy, const td_domain *domain)
{
    for (uint32_t count = 1; count <= 9; count += 2) {
        for (int edges = 0; edges < 4; edges++) {
            check(strategy, domain, TD_BY_ROWS, count, edges);
            check(strategy, domain, TD_BY_CELLS, count, edges);
        }
    }
}

TEST(parts_cover_every_tile_once)
{
    const uint32_t sizes[] = {1, 16, 17, 100, 333}, tiles[] = {1, 16};
    for (size_t s = 0; s < td_strategy_count; s++) {
        const td_strategy *strategy = td_strategies[s];
        if (strategy->dimension != 2 || strategy->unit != TD_MAPS_BLOCKS ||
            strategy->tree != NULL || strategy->by_rows) {
            continue;
        }
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
            for (size_t k = 0; k < sizeof tiles / sizeof tiles[0]; k++) {
                const td_domain domain = {.cells = sizes[i],
                                          .tile = tiles[k],
                                          .tiles = td_ceil_div(sizes[i], tiles[k]),
                                          .block = {tiles[k], tiles[k], 1},
                                          .no_diagonal = i % 2 == 1};
                check_counts(strategy, &domain);
            }
        }
    }
}

static double imbalance(td_partition partition, const td_domain *domain, uint32_t count)
{
    uint64_t most = 0;
    for (uint32_t rank = 0; rank < count; rank++) {
        const td_part part = td_part_of(partition, domain, rank, count);
        const td_share share = td_part_share(domain, &part);
        const uint64_t cells = cells_of(&share, false);
        most = cells > most ? cells : most;
    }
    return (double)most * count / (double)td_triangle(domain->cells);
}

TEST(equal_cells_are_balanced_and_equal_rows_are_not)
{
    const td_domain domain = {.cells = 122880, .tile = 16, .tiles = 7680, .block = {16, 16, 1}};
    for (uint32_t count = 2; count <= 8; count++) {
        assert_true(imbalance(TD_BY_CELLS, &domain, count) < 1.01);
    }
    assert_true(imbalance(TD_BY_ROWS, &domain, 2) > 1.49);
    assert_true(imbalance(TD_BY_ROWS, &domain, 8) > 1.85);
}

/* No other row of tiles is closer to an equal share of the cells, or of the rows, than the chosen one. */
TEST(cuts_are_where_shares_are_closest_to_equal)
{
    const td_domain domain = {.cells = 333, .tile = 16, .tiles = 21, .block = {16, 16, 1}};
    size_t wrong = 0;
    for (uint32_t count = 2; count <= 9; count++) {
        for (uint32_t rank = 1; rank < count; rank++) {
            const double share = (double)td_triangle(domain.cells) * rank / count;
            const uint32_t by_cells = td_part_of(TD_BY_CELLS, &domain, rank, count).first;
            const double chosen = fabs((double)td_triangle(16 * (uint64_t)by_cells) - share);
            for (uint64_t row = 0; row <= domain.tiles; row++) {
                wrong += fabs((double)td_triangle(16 * row) - share) < chosen;
            }
            const td_part by_rows = td_part_of(TD_BY_ROWS, &domain, rank, count);
            wrong += by_rows.first != 21 * rank / count;
        }
    }
    assert_int_equal(wrong, 0);
}

TEST(a_domain_in_one_part_has_the_plan_of_the_whole)
{
    const td_domain domain = {.cells = 333, .tile = 16, .tiles = 21, .block = {16, 16, 1}};
    const td_part part = td_part_of(TD_BY_CELLS, &domain, 0, 1);
    const bool edges[2] = {false, false};
    for (size_t s = 0; s < td_strategy_count; s++) {
        td_plan whole = {0}, one = {0};
        if (td_strategies[s]->dimension == 2 && td_strategies[s]->unit == TD_MAPS_BLOCKS) {
            assert_int_equal(td_plan_make(td_strategies[s], &domain, false, &whole), TD_PLAN_MADE);
            assert_int_equal(
                td_plan_make_part(td_strategies[s], &domain, &part, edges, false, &one),
                TD_PLAN_MADE);
            td_plan_use_copy(&whole, NULL); /* each has a table of its own */
            td_plan_use_copy(&one, NULL);
            const bool same =
                whole.count == one.count &&
                memcmp(whole.launches, one.launches, one.count * sizeof *one.launches) == 0;
            td_plan_free(&whole);
            td_plan_free(&one);
            assert_true(same);
        }
    }
}
