/* covered.h - whether a strategy's plan has each tile, or each cell of a thread map, of a domain once. */
#ifndef TD_TESTS_UNIT_COVERED_H
#define TD_TESTS_UNIT_COVERED_H

#include "test.h"

#include <stdlib.h>

#include "strategies/strategies.h"

/* The errors of a coverage test, kept so that memory is freed before the assertion. */
typedef struct damage {
    uint64_t missing, twice, outside;
    uint64_t strays; /* of a map with few_wasted: tiles of the domain called inactive */
    uint64_t blocks_with_work;
} damage;

typedef struct counters {
    uint8_t *hits; /* n x n, or n x n x n */
    uint32_t n;
    int dimension;
    bool no_diagonal;
    uint64_t found; /* of those that have to be there */
    damage seen;
} counters;

static inline bool is_inside(const counters *c, td_tile tile)
{
    return c->dimension == 3
               ? tile.z < c->n && tile.x <= tile.z && tile.y <= tile.z && tile.x + tile.y <= tile.z
               : tile.y < c->n && tile.x <= tile.y;
}

static inline void hit(counters *c, const td_launch *launch, td_tile tile)
{
    const uint32_t n = c->n, count = td_tile_count(c->dimension, launch, tile);
    for (uint32_t k = 0; k < count; k++) {
        const td_tile nth = td_nth_tile(c->dimension, launch, tile, k);
        if (!is_inside(c, nth)) {
            c->seen.outside++;
            return;
        }
        uint8_t *at = &c->hits[((size_t)nth.z * n + nth.y) * n + nth.x];
        c->seen.twice += *at;
        c->found += *at == 0 && !(c->no_diagonal && nth.x == nth.y);
        *at = 1;
    }
}

static inline bool run_block(const td_strategy *s, const td_launch *launch, td_dim3 block,
                             counters *c)
{
    if (s->unit == TD_MAPS_BLOCKS) {
        const td_tile tile = s->block_map(launch, block);
        if (tile.active) {
            hit(c, launch, tile);
        }
        c->seen.strays += s->few_wasted && !tile.active && is_inside(c, tile);
        return tile.active;
    }
    bool worked = false;
    td_thread t = {block, {0, 0, 0}};
    for (t.thread.y = 0; t.thread.y < launch->block.y; t.thread.y++) {
        for (t.thread.x = 0; t.thread.x < launch->block.x; t.thread.x++) {
            const td_cell cell = s->thread_map(launch, t);
            if (cell.active) {
                hit(c, launch, td_tile_at(cell.col, cell.row, true));
                worked = true;
            }
        }
    }
    return worked;
}

static inline void run_launch(const td_strategy *s, const td_launch *launch, counters *c)
{
    td_dim3 block;
    for (uint32_t z = 0; z < launch->grid.z; z++) {
        for (uint32_t y = 0; y < launch->grid.y; y++) {
            for (uint32_t x = 0; x < launch->grid.x; x++) {
                block.x = launch->first.x + x;
                block.y = launch->first.y + y;
                block.z = launch->first.z + z;
                c->seen.blocks_with_work += run_block(s, launch, block, c);
            }
        }
    }
}

static inline void assert_covered(const td_strategy *s, const td_domain *domain)
{
    td_plan plan = {0};
    const uint32_t n = td_strategy_n(s, domain);
    counters c = {.n = n, .dimension = s->dimension, .no_diagonal = domain->no_diagonal};
    assert_int_equal(td_plan_make(s, domain, false, &plan), TD_PLAN_MADE);
    c.hits = calloc((size_t)n * n * (s->dimension == 3 ? n : 1), 1);
    for (size_t i = 0; c.hits != NULL && i < plan.count; i++) {
        run_launch(s, &plan.launches[i], &c);
    }
    const uint64_t needed = plan.blocks_needed;
    free(c.hits);
    td_plan_free(&plan);
    c.seen.missing = (s->dimension == 3 ? td_tetrahedron(n)
                      : c.no_diagonal   ? td_triangle(n - 1)
                                        : td_triangle(n)) -
                     c.found;
    if (c.seen.missing + c.seen.twice + c.seen.outside + c.seen.strays > 0 ||
        (!c.no_diagonal && c.seen.blocks_with_work != needed)) {
        fail_msg("%s N=%u block %ux%u tile %u cutoff %u: %llu missing, %llu twice, %llu outside, "
                 "%llu inside but called inactive, %llu of %llu blocks work",
                 s->name, domain->cells, domain->block.x, domain->block.y, domain->tile,
                 domain->cutoff, (unsigned long long)c.seen.missing,
                 (unsigned long long)c.seen.twice, (unsigned long long)c.seen.outside,
                 (unsigned long long)c.seen.strays, (unsigned long long)c.seen.blocks_with_work,
                 (unsigned long long)needed);
    }
}

#endif
