/* map_search.c - searches for an n at which a map is wrong, by asking the blocks where that shows first. */
#include "map_checking.h"

#include <stdlib.h>

#include "engine/prepare/planning.h"

/* So many launches are not asked each near its rows, and a plan with so many is too large to be searched. */
enum { MANY = 16, TOO_MANY = 1024 };

static int by_place(const void *a, const void *b)
{
    const td_answer *x = a, *y = b;
    return x->place != y->place     ? (x->place > y->place) - (x->place < y->place)
           : x->launch != y->launch ? (x->launch > y->launch) - (x->launch < y->launch)
                                    : (x->number > y->number) - (x->number < y->number);
}

/* The first answer that is outside, or at the place of an earlier one. */
static void find_wrong(td_answer *answers, size_t count, td_map_fault *fault)
{
    if (count > 0) {
        qsort(answers, count, sizeof *answers, by_place);
    }
    for (size_t i = 0; i < count; i++) {
        if (answers[i].place == UINT64_MAX || (i > 0 && answers[i].place == answers[i - 1].place)) {
            td_map_blame(fault, &answers[i]);
        }
    }
}

/* Blocks, or threads, that a plan must have at least: in 3D a tile may be a whole row, in 2D a block take two. */
static uint64_t fewest(const td_strategy *s, const td_plan *plan, uint32_t n)
{
    const bool rows =
        s->dimension == 3 && plan->count > 0 && plan->launches[0].width > plan->launches[0].tile;
    return rows ? td_triangle(n) : s->by_rows ? td_ceil_div(n, 2) : td_map_places(s, n);
}

static uint64_t blocks_of(const td_strategy *s, const td_plan *plan)
{
    uint64_t all = 0;
    for (size_t l = 0; l < plan->count; l++) {
        all += td_asked_count(s->unit == TD_MAPS_THREADS, &plan->launches[l]);
    }
    return all;
}

/* Ask a plan where maps fail first, or only a few of these blocks. */
static td_status probe_plan(const td_checking *c, const td_plan *plan, bool few,
                            td_map_fault *fault, td_error *error)
{
    td_answer *answers = NULL;
    size_t count = 0;
    td_status status = TD_OK;
    for (size_t l = 0; l < plan->count && status == TD_OK; l++) {
        td_probes probes;
        status = td_probes_of(c->strategy, &plan->launches[l], few || plan->count > MANY, &probes,
                              error);
        td_answer *grown =
            status == TD_OK ? realloc(answers, (count + probes.count + 1) * sizeof *grown) : NULL;
        if (grown == NULL) {
            status = status == TD_OK ? td_fail(error, TD_NO_MEMORY, "not enough memory") : status;
        } else {
            answers = grown;
            status = td_checking_ask(c, plan, l, &probes, answers, &count, error);
        }
        free(probes.numbers);
    }
    if (status == TD_OK) {
        find_wrong(answers, count, fault);
    }
    free(answers);
    return status;
}

/* Ask for one n. Whether it can be planned at all. */
static td_status probe(const td_checking *c, uint32_t n, bool few, bool *planned,
                       td_map_fault *fault, td_error *error)
{
    td_plan plan;
    *fault = (td_map_fault){0};
    td_status status = td_checking_plan(c, n, &plan, error);
    *planned = status == TD_OK && plan.count <= TOO_MANY;
    if (*planned) {
        c->check->many_launches = td_plan_has_several(&plan);
        fault->exists = fault->too_few =
            blocks_of(c->strategy, &plan) < fewest(c->strategy, &plan, n);
        status = probe_plan(c, &plan, few, fault, error);
    }
    td_plan_release(c->engine, &plan);
    td_engine_beat(c->engine);
    return *planned || status == TD_WRONG ? status : TD_OK;
}

/* Halve [right, wrong] until they are neighbours. */
static td_status halve_by_probes(const td_checking *c, uint32_t right, uint32_t *wrong,
                                 td_map_fault *fault, td_error *error)
{
    while (*wrong - right > 1) {
        const uint32_t middle = right + (*wrong - right) / 2;
        td_map_fault found;
        bool planned;
        TRY(probe(c, middle, false, &planned, &found, error));
        if (found.exists) {
            *wrong = middle;
            *fault = found;
        } else {
            right = middle;
        }
    }
    return TD_OK;
}

/* For n in steps of a quarter, until it fails. */
static td_status search(const td_checking *c, td_map_fault *fault, td_error *error)
{
    td_map_check *check = c->check;
    bool planned = true;
    for (uint32_t right = check->every_n; right < check->largest_n && planned && !fault->exists;) {
        uint32_t n = right + right / 4 + 1;
        n = n < check->largest_n ? n : check->largest_n;
        TRY(probe(c, n, false, &planned, fault, error));
        check->searched_n = planned ? n : check->searched_n;
        check->stopped_n = planned ? 0 : n;
        if (fault->exists) {
            TRY(halve_by_probes(c, right, &n, fault, error));
            check->first_failing_n = n;
        }
        right = n;
    }
    return TD_OK;
}

/* Ask a few blocks for every n before the one that fails, or else up to EVERY_FEW: a map that is wrong may be right
 * again. One with a table would take too long to plan. */
static td_status look_before(const td_checking *c, td_map_fault *fault, td_error *error)
{
    enum { EVERY_FEW = 16384 };
    td_map_check *check = c->check;
    const uint32_t last = check->first_failing_n > 0      ? check->first_failing_n - 1
                          : check->searched_n < EVERY_FEW ? check->searched_n
                                                          : EVERY_FEW;
    bool planned = c->strategy->fill_table == NULL;
    for (uint32_t n = check->checked_n + 1; n <= last && planned; n++) {
        td_map_fault found;
        TRY(probe(c, n, true, &planned, &found, error));
        if (found.exists) {
            *fault = found;
            check->first_failing_n = n;
            return TD_OK;
        }
    }
    return TD_OK;
}

td_status td_check_by_probes(const td_checking *c, td_map_fault *fault, td_error *error)
{
    TRY(search(c, fault, error));
    return look_before(c, fault, error);
}
