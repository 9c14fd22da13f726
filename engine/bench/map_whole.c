/* map_whole.c - checks every block of an n. */
#include "map_checking.h"

#include "engine/prepare/planning.h"

bool td_coverage_is_wrong(const td_coverage *coverage)
{
    return coverage->wrong > 0 || coverage->outside > 0;
}

td_status td_check_whole(td_checking *c, uint32_t n, td_coverage *coverage, td_error *error)
{
    td_plan plan;
    td_status status = td_checking_plan(c, n, &plan, error);
    if (status == TD_OK) {
        status = c->engine->ops->coverage(c->engine, c->strategy, &plan, c->visits,
                                          td_map_places(c->strategy, n), coverage, error);
    }
    td_plan_release(c->engine, &plan);
    c->check->asked += coverage->asked;
    if (status == TD_OK && !td_coverage_is_wrong(coverage) && n > c->check->whole_n) {
        c->check->whole_n = n;
    }
    td_engine_beat(c->engine);
    return status;
}

td_status td_check_every(td_checking *c, td_error *error)
{
    td_map_check *check = c->check;
    while (check->checked_n < check->every_n && check->first_failing_n == 0) {
        td_coverage coverage = {0};
        TRY(td_check_whole(c, check->checked_n + 1, &coverage, error));
        check->checked_n++;
        check->first_failing_n = td_coverage_is_wrong(&coverage) ? check->checked_n : 0;
    }
    return TD_OK;
}

static td_status halve_in_full(td_checking *c, uint32_t right, uint32_t wrong, td_error *error)
{
    while (wrong - right > 1) {
        const uint32_t middle = right + (wrong - right) / 2;
        td_coverage coverage = {0};
        TRY(td_check_whole(c, middle, &coverage, error));
        *(td_coverage_is_wrong(&coverage) ? &wrong : &right) = middle;
    }
    c->check->first_failing_n = wrong;
    return TD_OK;
}

td_status td_check_confirm(td_checking *c, td_error *error)
{
    td_map_check *check = c->check;
    const uint32_t passed =
        check->first_failing_n > 0 ? check->first_failing_n - 1 : check->searched_n;
    const uint32_t n = passed < c->most_n ? passed : c->most_n;
    td_coverage coverage = {0};
    if (n <= check->checked_n) {
        return TD_OK;
    }
    TRY(td_check_whole(c, n, &coverage, error));
    return td_coverage_is_wrong(&coverage) ? halve_in_full(c, check->checked_n, n, error) : TD_OK;
}
