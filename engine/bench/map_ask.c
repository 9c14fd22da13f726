/* map_ask.c - asks the engine about blocks of a map. */
#include "map_checking.h"

#include <stdlib.h>

#include "engine/prepare/planning.h"

/* Tiles of 16 x 16 threads (3D: 8 x 8 x 8). A map of blocks does not depend on their size, a map of threads does. */
static td_domain domain_of(const td_strategy *s, uint32_t n)
{
    const bool threads = s->unit == TD_MAPS_THREADS;
    const uint32_t side = s->dimension == 3 ? 8 : 16;
    const td_dim3 block = {side, side, s->dimension == 3 ? side : 1};
    return td_domain_of(threads ? n : n * side, side, block, 4 * side);
}

uint64_t td_map_places(const td_strategy *s, uint32_t n)
{
    return s->dimension == 3 ? td_tetrahedron(n) : td_triangle(n);
}

td_status td_checking_plan(const td_checking *c, uint32_t n, td_plan *plan, td_error *error)
{
    const td_domain domain = c->domain != NULL ? *c->domain : domain_of(c->strategy, n);
    *plan = (td_plan){0};
    c->check->asked_n = n;
    const td_status status = td_strategy_plan(c->strategy, &domain, true, plan, error);
    if (status != TD_OK && c->strategy->own != NULL) {
        return TD_WRONG;
    }
    if (c->strategy->own != NULL && td_has_too_many_blocks(c->strategy, n, plan->blocks)) {
        return td_fail(error, TD_WRONG, "its plan has %llu blocks",
                       (unsigned long long)plan->blocks);
    }
    return status == TD_OK ? td_plan_copy_table(c->engine, plan, error) : status;
}

bool td_plan_has_several(const td_plan *plan)
{
    return plan->count > 1 && plan->launches[plan->count - 1].first.x == 0;
}

void td_map_blame(td_map_fault *fault, const td_answer *a)
{
    const bool earlier = !fault->known || a->launch < fault->launch ||
                         (a->launch == fault->launch && a->number < fault->number);
    if (earlier) {
        fault->exists = fault->known = true;
        fault->launch = a->launch;
        fault->number = a->number + a->before;
        fault->got = a->tile;
        fault->outside = a->place == UINT64_MAX;
    }
}

td_status td_checking_ask(const td_checking *c, const td_plan *plan, size_t launch,
                          const td_probes *probes, td_answer *answers, size_t *count,
                          td_error *error)
{
    const td_launch *of = &plan->launches[launch];
    const bool is_line = of->grid.y == 1 && of->grid.z == 1 && c->strategy->unit == TD_MAPS_BLOCKS;
    const int dimension = c->strategy->dimension;
    td_tile *tiles = NULL;
    TRY(td_allocate(&tiles, probes->count, sizeof *tiles, error, "the answers of a map"));
    td_status status = c->engine->ops->ask(c->engine, c->strategy, of, probes->numbers,
                                           probes->count, tiles, error);
    for (size_t i = 0; status == TD_OK && i < probes->count; i++) {
        if (tiles[i].active) {
            answers[(*count)++] =
                (td_answer){td_place(dimension, of->n, td_nth_tile(dimension, of, tiles[i], 0)),
                            probes->numbers[i], launch, is_line ? of->first.x : 0, tiles[i]};
        }
    }
    free(tiles);
    c->check->asked += probes->count;
    return status;
}
