#include "map_checking.h"

/* What a check in full may take, in seconds: so many blocks, of which the processor takes a hundredth of a GPU's. */
static const uint64_t most_on_device = 1ull << 34, most_on_host = 1ull << 27;

/* The largest n whose places have counters, and are not too many. */
static td_status choose_most(td_checking *c, td_error *error)
{
    const bool on_device = c->engine->ops->can.device_memory;
    const uint64_t most = on_device ? most_on_device : most_on_host;
    uint64_t available = 0;
    uint32_t n = c->check->largest_n;
    TRY(c->engine->ops->free_memory(c->engine, &available, error));
    while (n > 1 && (td_map_places(c->strategy, n) > most ||
                     td_map_places(c->strategy, n) * sizeof(uint32_t) > available / 8 * 7)) {
        n -= n / 64 + 1;
    }
    c->most_n = n;
    void *visits = NULL;
    TRY(c->engine->ops->allocate(c->engine, td_map_places(c->strategy, n) * sizeof(uint32_t),
                                 &visits, error));
    c->visits = visits;
    return TD_OK;
}

static td_status check_all(td_checking *c, td_error *error)
{
    td_map_fault fault = {0};
    TRY(td_check_every(c, error));
    if (c->check->first_failing_n == 0) {
        TRY(td_check_by_probes(c, &fault, error));
        TRY(td_check_confirm(c, error));
    }
    return c->check->first_failing_n > 0 ? td_map_explain(c, &fault, error) : TD_OK;
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static td_status with_visits(td_checking *c, td_status (*run)(td_checking *c, td_error *error),
                             td_error *error)
{
    if (c->engine->ops->coverage == NULL) {
        return td_fail(error, TD_UNAVAILABLE, "--check-maps: the %s engine cannot ask a map",
                       c->engine->ops->name);
    }
    td_status status = choose_most(c, error);
    if (status == TD_OK) {
        status = run(c, error);
    }
    if (c->visits != NULL) {
        c->engine->ops->release(c->engine, c->visits);
    }
    return status;
}

td_status td_check_map(td_engine *engine, const td_strategy *strategy, uint32_t largest,
                       td_map_check *check, td_error *error)
{
    enum { LARGEST_3D = 4096, EVERY_N_3D = 64 };
    largest = strategy->dimension == 3 ? least(largest, LARGEST_3D) : largest;
    largest = strategy->fill_table != NULL ? least(largest, strategy->exact_n) : largest;
    const uint32_t every = strategy->dimension == 3 ? EVERY_N_3D : TD_EVERY_N;
    *check = (td_map_check){
        .strategy = strategy, .largest_n = largest, .every_n = least(largest, every)};
    td_checking c = {.engine = engine, .strategy = strategy, .check = check};
    return with_visits(&c, check_all, error);
}

static td_status check_one(td_checking *c, td_error *error)
{
    td_map_fault fault = {.exists = true};
    td_coverage coverage = {0};
    const uint32_t n = c->check->largest_n;
    if (n > c->most_n) {
        return TD_OK;
    }
    TRY(td_check_whole(c, n, &coverage, error));
    c->check->first_failing_n = td_coverage_is_wrong(&coverage) ? n : 0;
    return td_coverage_is_wrong(&coverage) ? td_map_explain(c, &fault, error) : TD_OK;
}

td_status td_check_map_on(td_engine *engine, const td_strategy *strategy, const td_domain *domain,
                          td_map_check *check, td_error *error)
{
    *check = (td_map_check){.strategy = strategy, .largest_n = td_strategy_n(strategy, domain)};
    td_checking c = {.engine = engine, .strategy = strategy, .check = check, .domain = domain};
    return with_visits(&c, check_one, error);
}
