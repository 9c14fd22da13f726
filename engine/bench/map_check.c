#include "map_check.h"

#include "engine/core/span.h"
#include "engine/prepare/planning.h"

/* Tiles of 16 x 16 threads (3D: 8 x 8 x 8). A map of blocks does not depend on their size, a map of threads does. */
static td_domain domain_of(const td_strategy *s, uint32_t n)
{
    const bool threads = s->unit == TD_MAPS_THREADS;
    const uint32_t side = s->dimension == 3 ? 8 : 16;
    const td_dim3 block = {side, side, s->dimension == 3 ? side : 1};
    return td_domain_of(threads ? n : n * side, side, block, 4 * side);
}

/* The work over all n grows with n^4 in 3D and n^3 in 2D: 512 tiles per side in 3D are as much as 4000 in 2D. */
enum { LARGEST_3D = 512 };

static uint64_t places_of(const td_strategy *s, uint32_t n)
{
    return s->dimension == 3 ? td_tetrahedron(n) : td_triangle(n);
}

static td_status coverage_of(td_engine *engine, const td_strategy *s, uint32_t n, void *visits,
                             td_coverage *coverage, td_error *error)
{
    td_plan plan = {0};
    const td_domain domain = domain_of(s, n);
    TRY(td_strategy_plan(s, &domain, true, &plan, error));
    td_status status = td_plan_copy_table(engine, &plan, error);
    if (status == TD_OK) {
        status = engine->ops->coverage(engine, s, &plan, visits, places_of(s, n), coverage, error);
    }
    td_plan_release(engine, &plan);
    return status;
}

td_status td_check_map(td_engine *engine, const td_strategy *strategy, uint32_t largest,
                       td_map_check *check, td_error *error)
{
    largest = strategy->dimension == 3 && largest > LARGEST_3D ? LARGEST_3D : largest;
    const uint64_t bytes = places_of(strategy, largest) * sizeof(uint32_t);
    uint64_t available = 0;
    void *visits = NULL;
    *check = (td_map_check){.strategy = strategy, .largest_n = largest};
    if (engine->ops->coverage == NULL) {
        return td_fail(error, TD_UNAVAILABLE, "--check-maps: the %s engine cannot ask a map",
                       engine->ops->name);
    }
    TRY(engine->ops->free_memory(engine, &available, error));
    if (bytes > available) {
        return td_fail(error, TD_NO_MEMORY, "--check-maps=%u needs %s and %s are free", largest,
                       td_show_bytes(bytes).text, td_show_bytes(available).text);
    }
    TRY(engine->ops->allocate(engine, bytes, &visits, error));
    td_status status = TD_OK;
    for (uint32_t n = 1; status == TD_OK && n <= largest && check->first_failing_n == 0; n++) {
        td_coverage coverage = {0};
        status = coverage_of(engine, strategy, n, visits, &coverage, error);
        check->asked += coverage.asked;
        check->checked_n = n;
        if (coverage.wrong > 0 || coverage.outside > 0) {
            check->first_failing_n = n;
            check->failure = coverage;
        }
        td_engine_beat(engine);
    }
    engine->ops->release(engine, visits);
    return status;
}
