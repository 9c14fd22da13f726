/* strategies_test.c - every strategy of the lists: coverage, block counts, plans, exact ranges. */
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/plan/planning.h"
#include "strategies/strategies.h"

#define TRIANGLE_2_31 65535u /* T(65535) is the largest triangular number below 2^31 */

static const td_dim3 square_blocks[] = {{8, 8, 1}, {16, 16, 1}, {32, 32, 1}};
static const td_dim3 all_blocks[] = {{8, 8, 1}, {16, 16, 1}, {32, 32, 1}, {32, 8, 1}, {64, 4, 1}};
static const uint32_t awkward_cells[] = {127, 128, 129, 511, 512, 513, 1023, 1024, 1025};

static td_domain domain_of(uint32_t cells, td_dim3 block, uint32_t tile, uint32_t cutoff)
{
    td_domain domain = {0};
    domain.cells = cells;
    domain.tile = tile;
    domain.tiles = td_ceil_div(cells, tile);
    domain.block = block;
    domain.cutoff = cutoff;
    return domain;
}

static td_domain domain_of_tiles(uint32_t tiles)
{
    const td_dim3 block = {16, 16, 1};
    return domain_of(tiles * 16, block, 16, 128);
}

/* What went wrong in a coverage test: kept, so that memory is freed before the assertion. */
typedef struct damage {
    uint64_t missing, twice, outside;
    uint64_t blocks_with_work;
} damage;

typedef struct counters {
    uint8_t *hits; /* n x n */
    uint32_t n;
    damage *seen;
} counters;

static void hit(counters *c, uint32_t row, uint32_t col)
{
    if (row >= c->n || col > row) {
        c->seen->outside++;
        return;
    }
    uint8_t *cell = &c->hits[(size_t)row * c->n + col];
    if (*cell == 1) {
        c->seen->twice++;
    }
    *cell = 1;
}

static bool run_block(const td_strategy *s, const td_launch *launch, td_dim3 block, counters *c)
{
    if (s->unit == TD_MAPS_BLOCKS) {
        const td_tile tile = s->block_map(launch, block);
        if (tile.active) {
            hit(c, tile.y, tile.x);
        }
        return tile.active;
    }
    bool worked = false;
    td_thread t = {block, {0, 0, 0}};
    for (t.thread.y = 0; t.thread.y < launch->block.y; t.thread.y++) {
        for (t.thread.x = 0; t.thread.x < launch->block.x; t.thread.x++) {
            const td_cell cell = s->thread_map(launch, t);
            if (cell.active) {
                hit(c, cell.row, cell.col);
                worked = true;
            }
        }
    }
    return worked;
}

static void run_launch(const td_strategy *s, const td_launch *launch, counters *c)
{
    td_dim3 block;
    for (uint32_t z = 0; z < launch->grid.z; z++) {
        for (uint32_t y = 0; y < launch->grid.y; y++) {
            for (uint32_t x = 0; x < launch->grid.x; x++) {
                block.x = launch->first.x + x;
                block.y = launch->first.y + y;
                block.z = launch->first.z + z;
                c->seen->blocks_with_work += run_block(s, launch, block, c);
            }
        }
    }
}

static void count_missing(counters *c, bool no_diagonal)
{
    for (uint32_t row = 0; row < c->n; row++) {
        const uint8_t *hits = &c->hits[(size_t)row * c->n];
        for (uint32_t col = 0; col < row + (no_diagonal ? 0 : 1); col++) {
            c->seen->missing += hits[col] == 0;
        }
    }
}

static damage coverage(const td_strategy *s, const td_domain *domain)
{
    td_plan plan = {0};
    damage seen = {0};
    counters c = {NULL, td_strategy_n(s, domain), &seen};
    assert_int_equal(td_plan_make(s, domain, false, &plan), TD_PLAN_MADE);
    c.hits = calloc((size_t)c.n * c.n, 1);
    if (c.hits == NULL) {
        td_plan_free(&plan);
        fail_msg("no memory");
    }
    for (size_t i = 0; i < plan.count; i++) {
        run_launch(s, &plan.launches[i], &c);
    }
    count_missing(&c, domain->no_diagonal);
    free(c.hits);
    td_plan_free(&plan);
    return seen;
}

static uint64_t planned_blocks_needed(const td_strategy *s, const td_domain *domain)
{
    td_plan plan = {0};
    assert_int_equal(td_plan_make(s, domain, false, &plan), TD_PLAN_MADE);
    const uint64_t needed = plan.blocks_needed;
    td_plan_free(&plan);
    return needed;
}

static void assert_covered(const td_strategy *s, const td_domain *domain)
{
    const damage seen = coverage(s, domain);
    if (seen.missing + seen.twice + seen.outside > 0) {
        fail_msg("%s N=%u block %ux%u tile %u cutoff %u: %llu missing, %llu twice, %llu outside",
                 s->name, domain->cells, domain->block.x, domain->block.y, domain->tile,
                 domain->cutoff, (unsigned long long)seen.missing, (unsigned long long)seen.twice,
                 (unsigned long long)seen.outside);
    }
    if (!domain->no_diagonal && seen.blocks_with_work != planned_blocks_needed(s, domain)) {
        fail_msg("%s N=%u block %ux%u: %llu blocks work, the plan says %llu", s->name,
                 domain->cells, domain->block.x, domain->block.y,
                 (unsigned long long)seen.blocks_with_work,
                 (unsigned long long)planned_blocks_needed(s, domain));
    }
}

static const td_strategy *strategy_of(void **state)
{
    return td_strategies[(uintptr_t)*state];
}

static void cover_with_block(const td_strategy *s, uint32_t cells, td_dim3 block)
{
    td_domain domain = domain_of(cells, block, block.x, 3 * block.x);
    assert_covered(s, &domain);
    domain.no_diagonal = true;
    assert_covered(s, &domain);
}

/* Cells 1..70 and around the powers of two, every block shape that the map takes. */
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

/* Tiles a side, for maps on blocks: 1..70, powers of two and their neighbours, what is not m 2^k.
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

static td_plan plan_of(const char *name, const td_domain *domain)
{
    td_plan plan = {0};
    const td_strategy *s = td_strategy_find(name);
    assert_non_null(s);
    assert_int_equal(td_plan_make(s, domain, false, &plan), TD_PLAN_MADE);
    return plan;
}

static uint64_t blocks_of(const char *name, const td_domain *domain)
{
    td_plan plan = plan_of(name, domain);
    const uint64_t blocks = plan.blocks;
    td_plan_free(&plan);
    return blocks;
}

static size_t kernels_of(const char *name, uint32_t tiles)
{
    const td_domain domain = domain_of_tiles(tiles);
    td_plan plan = plan_of(name, &domain);
    const size_t kernels = plan.count;
    td_plan_free(&plan);
    return kernels;
}

static void block_counts_are_as_documented(void **state)
{
    (void)state;
    for (uint32_t n = 1; n <= 1920; n = n < 70 ? n + 1 : n + 37) {
        const td_domain domain = domain_of_tiles(n);
        const uint64_t needed = td_triangle(n);
        const double waste = (double)(blocks_of("ltm-r", &domain) - needed);
        assert_true(waste <= sqrt(2.0) * n + 2);
        assert_int_equal(blocks_of("bb", &domain), (uint64_t)n * n);
        assert_int_equal(blocks_of("ltm-x", &domain), blocks_of("ltm-r", &domain));
        assert_int_equal(blocks_of("ltm-n", &domain), blocks_of("ltm-r", &domain));
        assert_int_equal(blocks_of("ltm-i", &domain), needed);
        assert_int_equal(blocks_of("utm-b", &domain), needed);
        assert_int_equal(blocks_of("rb-b", &domain), needed);
        assert_int_equal(blocks_of("hmap", &domain), needed);
        assert_true(blocks_of("dp", &domain) >= needed);
        assert_int_equal(kernels_of("hmap", n), (size_t)__builtin_popcount(n));
    }
}

/* 2^k m (m - 1) / 2 wasted where n = m 2^k needs no padding: the diagonal pass, nothing else. */
static void rec_wastes_half_of_its_diagonal_squares(void **state)
{
    (void)state;
    for (uint32_t m = 9; m <= 16; m++) {
        for (uint32_t k = 0; k <= 7; k++) {
            const uint32_t n = m << k;
            const td_domain domain = domain_of_tiles(n);
            const uint64_t wasted = ((uint64_t)m * (m - 1) / 2) << k;
            assert_int_equal(blocks_of("rec", &domain), td_triangle(n) + wasted);
            assert_int_equal(kernels_of("rec", n), k + 1);
        }
    }
}

static void thread_map_block_counts_are_as_documented(void **state)
{
    const td_dim3 block = {32, 8, 1};
    (void)state;
    for (uint32_t n = 1; n <= 300; n++) {
        td_domain domain = domain_of(n, block, 32, 128);
        const uint64_t pairs = (uint64_t)n * (n - 1) / 2;
        const uint64_t width = (n + 1) / 2, height = n % 2 == 0 ? n + 1 : n;
        assert_int_equal(blocks_of("bb-t", &domain), (uint64_t)((n + 31) / 32) * ((n + 7) / 8));
        assert_int_equal(blocks_of("rb", &domain), ((width + 31) / 32) * ((height + 7) / 8));
        assert_int_equal(blocks_of("utm", &domain), (pairs + 255) / 256 + (n + 255) / 256);
        domain.no_diagonal = true;
        assert_int_equal(blocks_of("utm-t", &domain), (pairs + 255) / 256);
    }
}

static void plan_counts_threads_and_cells(void **state)
{
    const td_dim3 block = {64, 4, 1};
    td_domain domain = domain_of(100, block, 64, 128);
    (void)state;
    td_plan plan = plan_of("bb", &domain);
    assert_int_equal(plan.threads, 4 * 256);
    assert_int_equal(plan.cells, 5050);
    assert_int_equal(plan.blocks_needed, 3);
    td_plan_free(&plan);
    domain.no_diagonal = true;
    plan = plan_of("bb", &domain);
    assert_int_equal(plan.cells, 4950);
    td_plan_free(&plan);
}

/* No map needs so many yet: a grid by itself. */
static void grids_are_cut_at_65535_layers(void **state)
{
    const td_dim3 block = {8, 8, 8};
    const td_domain domain = domain_of(16, block, 8, 128);
    td_plan plan = {0};
    (void)state;
    td_plan_add(&plan, td_launch_over(&domain, 3, 2, 131071));
    assert_int_equal(plan.count, 3);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(plan.launches[i].first.z, 65535 * i);
        assert_int_equal(plan.launches[i].grid.z, i < 2 ? 65535 : 1);
        assert_int_equal(plan.launches[i].grid.x, 3);
        assert_int_equal(plan.launches[i].grid.y, 2);
    }
    td_plan_free(&plan);
}

static void grids_are_cut_at_65535_rows(void **state)
{
    const td_dim3 block = {1, 1, 1};
    const td_domain domain = domain_of(70000, block, 1, 1);
    (void)state;
    td_plan plan = plan_of("bb", &domain);
    assert_int_equal(plan.count, 2);
    assert_int_equal(plan.launches[0].grid.y, 65535);
    assert_int_equal(plan.launches[0].first.y, 0);
    assert_int_equal(plan.launches[1].grid.y, 70000 - 65535);
    assert_int_equal(plan.launches[1].first.y, 65535);
    assert_int_equal(plan.launches[1].grid.x, 70000);
    assert_int_equal(plan.blocks, 70000ull * 70000);
    td_plan_free(&plan);
}

static void grids_are_cut_at_two_to_the_31(void **state)
{
    const td_dim3 block = {1, 1, 1};
    (void)state;
    for (uint32_t n = TRIANGLE_2_31; n <= TRIANGLE_2_31 + 1; n++) {
        const td_domain domain = domain_of(n, block, 1, 1);
        td_plan plan = plan_of("ltm-i", &domain);
        assert_int_equal(plan.blocks, td_triangle(n));
        assert_int_equal(plan.count, n == TRIANGLE_2_31 ? 1 : 2);
        assert_true(plan.launches[0].grid.x <= 2147483647u);
        if (plan.count == 2) {
            assert_int_equal(plan.launches[1].first.x, plan.launches[0].grid.x);
        }
        td_plan_free(&plan);
    }
}

/* N = 2^20 has 2^39 pairs: more blocks of 64 threads than a 32-bit grid can count. */
static void utm_plan_numbers_threads_beyond_32_bits(void **state)
{
    const td_dim3 block = {8, 8, 1};
    const td_domain domain = domain_of(1048576, block, 8, 128);
    (void)state;
    td_plan plan = plan_of("utm", &domain);
    uint64_t next = 0;
    size_t gaps = 0;
    for (size_t i = 0; i + 1 < plan.count; i++) {
        const td_launch *launch = &plan.launches[i];
        td_thread t = {launch->first, {0, 0, 0}};
        gaps += td_utm_thread_number(launch, t) != next;
        next += (uint64_t)launch->grid.x * 64;
    }
    td_plan_free(&plan);
    assert_int_equal(gaps, 0);
    assert_true(next >= 1048576ull * 1048575 / 2);
}

static void beyond_the_exact_range_is_rejected_with_the_exact_sibling(void **state)
{
    const td_domain domain = domain_of_tiles(1921);
    td_plan plan = {0};
    td_error error = {{0}};
    const td_strategy *s = td_strategy_find("ltm");
    (void)state;
    assert_int_equal(td_strategy_plan(s, &domain, false, &plan, &error), TD_USAGE);
    assert_non_null(strstr(error.text, "1920"));
    assert_non_null(strstr(error.text, "ltm-i"));
    assert_int_equal(td_strategy_plan(s, &domain, true, &plan, &error), TD_OK);
    td_plan_free(&plan);
}

/* Where number L of an LTM lands, whatever the side of its grid; blocks are counted from the end. */
static td_tile ltm_at(td_block_map_fn *map, uint32_t index)
{
    td_launch launch = {0};
    launch.param[0] = 65536;
    launch.param[1] = UINT32_MAX;
    const uint32_t number = UINT32_MAX - 1 - index;
    const td_dim3 block = {number % 65536, number / 65536, 0};
    return map(&launch, block);
}

/* The least n with a block that lands on a wrong tile, 0 when all n up to `largest` are right. */
static uint32_t first_failing_n(const char *name, uint32_t largest)
{
    td_block_map_fn *map = td_strategy_find(name)->block_map;
    uint32_t index = 0;
    for (uint32_t row = 0; row < largest; row++) {
        for (uint32_t col = 0; col <= row; col++, index++) {
            const td_tile tile = ltm_at(map, index);
            if (tile.y != row || tile.x != col) {
                return row + 1;
            }
        }
    }
    return 0;
}

static void float_maps_fail_first_where_documented(void **state)
{
    (void)state;
    assert_int_equal(first_failing_n("ltm-x", 4700), 4608);
    assert_int_equal(first_failing_n("ltm-n", 2100), 1950);
    assert_int_equal(first_failing_n("ltm-r", 3300), 3143); /* with a correctly rounded rsqrtf */
    assert_int_equal(td_strategy_find("ltm-x")->exact_n, 4607);
    assert_int_equal(td_strategy_find("ltm-n")->exact_n, 1949);
    assert_true(td_strategy_find("ltm-r")->exact_n < 3143);
}

/* Where a strategy says that it is exact, the first and the last tiles of every row are right. */
static uint32_t wrong_row_ends(const td_strategy *s, uint32_t n)
{
    td_block_map_fn *map = s->block_map;
    td_launch launch = {0};
    uint32_t wrong = 0;
    launch.n = n;
    launch.param[0] = UINT32_MAX; /* blocks are counted from the end */
    for (uint32_t row = 0; row < n; row++) {
        const uint32_t cols[] = {0, row > 0 ? 1 : 0, row / 2, row > 0 ? row - 1 : 0, row};
        for (size_t c = 0; c < COUNT(cols); c++) {
            const uint64_t index = td_triangle(row) + cols[c];
            const td_dim3 block = {UINT32_MAX - (uint32_t)index, 0, 0};
            const td_tile tile = map(&launch, block);
            wrong += tile.y != row || tile.x != cols[c];
        }
    }
    return wrong;
}

static void maps_are_exact_up_to_their_range(void **state)
{
    (void)state;
    for (uint32_t n = 65534; n <= 65537; n++) {
        assert_int_equal(wrong_row_ends(td_strategy_find("ltm-i"), n), 0);
    }
    assert_int_equal(wrong_row_ends(td_strategy_find("ltm-i"), 92681), 0);
    assert_int_equal(td_strategy_find("ltm-i")->exact_n, 92681);
}

/* utm-b numbers blocks from the far corner: block k and block T(n) - 1 - k are reflections. */
static void utm_b_is_exact_up_to_its_range(void **state)
{
    static const uint32_t sides[] = {1, 2, 3, 4608, 46340, 46341, 65535, 65536, 92679, 92680};
    td_block_map_fn *map = td_strategy_find("utm-b")->block_map;
    (void)state;
    for (size_t i = 0; i < COUNT(sides); i++) {
        const uint32_t n = sides[i];
        const uint64_t last = td_triangle(n) - 1;
        td_launch launch = {0};
        uint32_t wrong = 0;
        launch.n = n;
        for (uint32_t row = 0; row < n; row++) {
            const td_dim3 start = {(uint32_t)(last - td_triangle(row)), 0, 0};
            const td_dim3 end = {(uint32_t)(last - td_triangle(row) - row), 0, 0};
            const td_tile a = map(&launch, start), b = map(&launch, end);
            wrong += a.y != b.y || a.x + b.x != row || a.x * b.x != 0 || a.y != row;
        }
        assert_int_equal(wrong, 0);
    }
    assert_int_equal(td_strategy_find("utm-b")->exact_n, 92680);
}

static void repaired_row_is_exact(void **state)
{
    uint32_t wrong = 0;
    (void)state;
    for (uint32_t row = 0; row < TD_TRIANGLE_32; row++) {
        const uint32_t start = (uint32_t)td_triangle(row);
        const td_tile first = td_triangle_row(start), last = td_triangle_row(start + row);
        wrong += first.y != row || first.x != 0 || last.y != row || last.x != row;
    }
    assert_int_equal(wrong, 0);
}

static void wide_row_is_exact(void **state)
{
    uint32_t wrong = 0;
    (void)state;
    for (uint64_t i = 0; i < (1u << 20); i++) {
        uint64_t row, col, end_row, end_col;
        td_triangle_row_64(td_triangle(i), &row, &col);
        td_triangle_row_64(td_triangle(i) + i, &end_row, &end_col);
        wrong += row != i || col != 0 || end_row != i || end_col != i;
    }
    assert_int_equal(wrong, 0);
}

/* Pair k = a (2n - a - 1) / 2 is the first of row a, (a, a + 1); the one before it ends row a - 1.
 */
static void utm_pair_is_exact_at_row_ends(void **state)
{
    static const uint32_t sides[] = {2,     3,     5,     64,    1025,   4097,    5794,   65535,
                                     65536, 92681, 92682, 92683, 131072, 1048575, 1048576};
    (void)state;
    for (size_t i = 0; i < COUNT(sides); i++) {
        const uint64_t n = sides[i];
        uint32_t wrong = 0;
        for (uint64_t a = 0; a + 1 < n; a++) {
            const uint64_t k = a * (2 * n - a - 1) / 2;
            const td_pair first = td_utm_pair((uint32_t)n, k);
            const td_pair last = td_utm_pair((uint32_t)n, k + n - a - 2);
            wrong += first.a != a || first.b != a + 1 || last.a != a || last.b != n - 1;
        }
        assert_int_equal(wrong, 0);
    }
}

/* The reason for utm beside utm-t: neighbouring threads store side by side. */
static void utm_stores_are_contiguous(void **state)
{
    const td_dim3 block = {32, 8, 1};
    const td_domain domain = domain_of(1000, block, 32, 128);
    td_plan plan = plan_of("utm", &domain);
    (void)state;
    uint32_t contiguous = 0;
    for (uint32_t x = 0; x + 1 < 32; x++) {
        const td_thread a = {{7, 0, 0}, {x, 3, 0}}, b = {{7, 0, 0}, {x + 1, 3, 0}};
        const td_cell p = td_utm_map(&plan.launches[0], a), q = td_utm_map(&plan.launches[0], b);
        contiguous += p.row == q.row && p.col == q.col + 1;
    }
    td_plan_free(&plan);
    assert_true(contiguous >= 30);
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
    assert_true(td_strategy_takes_tile(whole, 8, rows) && !td_strategy_takes_tile(cubes, 8, rows));
    assert_false(td_strategy_takes_tile(whole, 6, rows));
    assert_true(td_strategy_tile_is_block(cubes, 8, cube));
    assert_false(td_strategy_tile_is_block(whole, 8, cube)); /* it is wider */
    assert_false(td_strategy_tile_is_block(blocks, 64, flat));
    assert_true(td_strategy_tile_is_block(threads, 64, flat));
}

#define EACH(id, test)                                                                             \
    {                                                                                              \
#test "/" #id, test, NULL, NULL, (void *)(uintptr_t)TD_STRATEGY_##id                       \
    }
#define TEST(id, A)                                                                                \
    EACH(id, strategy_covers_every_tile_once), EACH(id, block_map_covers_any_number_of_tiles),     \
        EACH(id, strategy_covers_every_n_to_2048),

int main(void)
{
    const struct CMUnitTest tests[] = {
        TD_STRATEGIES_2D(TEST, ) cmocka_unit_test(block_counts_are_as_documented),
        cmocka_unit_test(rec_wastes_half_of_its_diagonal_squares),
        cmocka_unit_test(thread_map_block_counts_are_as_documented),
        cmocka_unit_test(plan_counts_threads_and_cells),
        cmocka_unit_test(grids_are_cut_at_65535_layers),
        cmocka_unit_test(grids_are_cut_at_65535_rows),
        cmocka_unit_test(grids_are_cut_at_two_to_the_31),
        cmocka_unit_test(utm_plan_numbers_threads_beyond_32_bits),
        cmocka_unit_test(beyond_the_exact_range_is_rejected_with_the_exact_sibling),
        cmocka_unit_test(float_maps_fail_first_where_documented),
        cmocka_unit_test(maps_are_exact_up_to_their_range),
        cmocka_unit_test(utm_b_is_exact_up_to_its_range),
        cmocka_unit_test(repaired_row_is_exact),
        cmocka_unit_test(wide_row_is_exact),
        cmocka_unit_test(utm_pair_is_exact_at_row_ends),
        cmocka_unit_test(utm_stores_are_contiguous),
        cmocka_unit_test(names_and_aliases_are_found_and_unique),
        cmocka_unit_test(facts_agree_with_each_other),
        cmocka_unit_test(the_tile_is_the_smallest_that_the_block_divides),
    };
    return cmocka_run_group_tests_name("strategies", tests, NULL, NULL);
}
