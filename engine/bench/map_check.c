#include "map_check.h"

#include <stdlib.h>
#include <string.h>

#include "engine/core/span.h"
#include "engine/prepare/planning.h"
#include "map_probe.h"

/* What a check in full may take, in seconds: so many blocks, of which the processor takes a hundredth of a GPU's. */
static const uint64_t most_on_device = 1ull << 34, most_on_host = 1ull << 27;

/* Blocks that are asked at once, to find one that is wrong, and the most of all. */
static const uint64_t at_once = 1u << 20, most_to_find = 1ull << 26;

/* So many launches are not asked each near its rows, and a plan with so many is too large to be searched. */
enum { MANY = 16, TOO_MANY = 1024 };

/* The largest n of a map that reads a table with an entry per tile. */
enum { LARGEST_WITH_TABLE = 8192 };

typedef struct checking {
    td_engine *engine;
    const td_strategy *strategy;
    td_map_check *check;
    uint32_t *visits;        /* of the engine; as many as places_of(most_n) */
    uint32_t most_n;         /* that can be checked in full */
    const td_domain *domain; /* of a run; NULL: that of domain_of */
} checking;

/* Tiles of 16 x 16 threads (3D: 8 x 8 x 8). A map of blocks does not depend on their size, a map of threads does. */
static td_domain domain_of(const td_strategy *s, uint32_t n)
{
    const bool threads = s->unit == TD_MAPS_THREADS;
    const uint32_t side = s->dimension == 3 ? 8 : 16;
    const td_dim3 block = {side, side, s->dimension == 3 ? side : 1};
    return td_domain_of(threads ? n : n * side, side, block, 4 * side);
}

static uint64_t places_of(const td_strategy *s, uint32_t n)
{
    return s->dimension == 3 ? td_tetrahedron(n) : td_triangle(n);
}

static td_status plan_of(const checking *c, uint32_t n, td_plan *plan, td_error *error)
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

/* Whether a plan has several launches, and not only pieces of a grid that was too large. */
static bool has_several(const td_plan *plan)
{
    return plan->count > 1 && plan->launches[plan->count - 1].first.x == 0;
}

/* ---- every block ---- */

static bool is_wrong(const td_coverage *coverage)
{
    return coverage->wrong > 0 || coverage->outside > 0;
}

/* Check one n in full. Whether it is wrong. */
static td_status check_whole(checking *c, uint32_t n, td_coverage *coverage, td_error *error)
{
    td_plan plan;
    td_status status = plan_of(c, n, &plan, error);
    if (status == TD_OK) {
        status = c->engine->ops->coverage(c->engine, c->strategy, &plan, c->visits,
                                          places_of(c->strategy, n), coverage, error);
    }
    td_plan_release(c->engine, &plan);
    c->check->asked += coverage->asked;
    if (status == TD_OK && !is_wrong(coverage) && n > c->check->whole_n) {
        c->check->whole_n = n;
    }
    td_engine_beat(c->engine);
    return status;
}

static td_status check_every(checking *c, td_error *error)
{
    td_map_check *check = c->check;
    for (uint32_t n = 1; n <= check->every_n && check->first_failing_n == 0; n++) {
        td_coverage coverage = {0};
        TRY(check_whole(c, n, &coverage, error));
        check->checked_n = n;
        if (is_wrong(&coverage)) {
            check->first_failing_n = n;
        }
    }
    return TD_OK;
}

/* ---- some blocks ---- */

/* An answer, and where in the plan it was given. */
typedef struct answer {
    uint64_t place, number;
    size_t launch;
    uint64_t before; /* blocks before the launch, where it is a piece of a line of blocks */
    td_tile tile;
} answer;

static int by_place(const void *a, const void *b)
{
    const answer *x = a, *y = b;
    return x->place != y->place     ? (x->place > y->place) - (x->place < y->place)
           : x->launch != y->launch ? (x->launch > y->launch) - (x->launch < y->launch)
                                    : (x->number > y->number) - (x->number < y->number);
}

static void blame(td_map_fault *fault, const answer *a)
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

/* Ask a launch about some numbers, and append the places of the active answers. */
static td_status ask(const checking *c, const td_plan *plan, size_t launch, const td_probes *probes,
                     answer *answers, size_t *count, td_error *error)
{
    const td_launch *of = &plan->launches[launch];
    const bool is_line = of->grid.y == 1 && of->grid.z == 1 && c->strategy->unit == TD_MAPS_BLOCKS;
    td_tile *tiles = NULL;
    TRY(td_allocate(&tiles, probes->count, sizeof *tiles, error, "the answers of a map"));
    td_status status = c->engine->ops->ask(c->engine, c->strategy, of, probes->numbers,
                                           probes->count, tiles, error);
    for (size_t i = 0; status == TD_OK && i < probes->count; i++) {
        if (tiles[i].active) {
            answers[(*count)++] =
                (answer){td_place(c->strategy->dimension, of->n, tiles[i]), probes->numbers[i],
                         launch, is_line ? of->first.x : 0, tiles[i]};
        }
    }
    free(tiles);
    c->check->asked += probes->count;
    return status;
}

/* The first answer that is outside, or at the place of an earlier one. */
static void find_wrong(answer *answers, size_t count, td_map_fault *fault)
{
    if (count > 0) {
        qsort(answers, count, sizeof *answers, by_place);
    }
    for (size_t i = 0; i < count; i++) {
        if (answers[i].place == UINT64_MAX || (i > 0 && answers[i].place == answers[i - 1].place)) {
            blame(fault, &answers[i]);
        }
    }
}

/* Blocks, or threads, that a plan must have at least: in 3D a tile may be a whole row. */
static uint64_t fewest(const td_strategy *s, const td_plan *plan, uint32_t n)
{
    const bool rows =
        s->dimension == 3 && plan->count > 0 && plan->launches[0].width > plan->launches[0].tile;
    return rows ? td_triangle(n) : places_of(s, n);
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
static td_status probe_plan(const checking *c, const td_plan *plan, bool few, td_map_fault *fault,
                            td_error *error)
{
    answer *answers = NULL;
    size_t count = 0;
    td_status status = TD_OK;
    for (size_t l = 0; l < plan->count && status == TD_OK; l++) {
        td_probes probes;
        status = td_probes_of(c->strategy, &plan->launches[l], few || plan->count > MANY, &probes,
                              error);
        answer *grown =
            status == TD_OK ? realloc(answers, (count + probes.count + 1) * sizeof *grown) : NULL;
        if (grown == NULL) {
            status = status == TD_OK ? td_fail(error, TD_NO_MEMORY, "not enough memory") : status;
        } else {
            answers = grown;
            status = ask(c, plan, l, &probes, answers, &count, error);
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
static td_status probe(const checking *c, uint32_t n, bool few, bool *planned, td_map_fault *fault,
                       td_error *error)
{
    td_plan plan;
    *fault = (td_map_fault){0};
    td_status status = plan_of(c, n, &plan, error);
    *planned = status == TD_OK && plan.count <= TOO_MANY;
    if (*planned) {
        c->check->many_launches = has_several(&plan);
        fault->exists = fault->too_few =
            blocks_of(c->strategy, &plan) < fewest(c->strategy, &plan, n);
        status = probe_plan(c, &plan, few, fault, error);
    }
    td_plan_release(c->engine, &plan);
    td_engine_beat(c->engine);
    return *planned || status == TD_WRONG ? status : TD_OK;
}

/* Halve [right, wrong] until they are neighbours. */
static td_status halve_by_probes(const checking *c, uint32_t right, uint32_t *wrong,
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
static td_status search(const checking *c, td_map_fault *fault, td_error *error)
{
    td_map_check *check = c->check;
    bool planned = true;
    for (uint32_t right = check->every_n; right < check->largest_n && planned && !fault->exists;) {
        const uint64_t next = (uint64_t)right + right / 4 + 1;
        uint32_t n = next < check->largest_n ? (uint32_t)next : check->largest_n;
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
static td_status look_before(const checking *c, td_map_fault *fault, td_error *error)
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

/* ---- in full, beyond ---- */

static td_status halve_in_full(checking *c, uint32_t right, uint32_t wrong, td_error *error)
{
    while (wrong - right > 1) {
        const uint32_t middle = right + (wrong - right) / 2;
        td_coverage coverage = {0};
        TRY(check_whole(c, middle, &coverage, error));
        *(is_wrong(&coverage) ? &wrong : &right) = middle;
    }
    c->check->first_failing_n = wrong;
    return TD_OK;
}

/* The largest n that passed, or the largest that can be checked in full: if it fails, an earlier one does first. */
static td_status confirm(checking *c, td_error *error)
{
    td_map_check *check = c->check;
    const uint32_t passed =
        check->first_failing_n > 0 ? check->first_failing_n - 1 : check->searched_n;
    const uint32_t n = passed < c->most_n ? passed : c->most_n;
    td_coverage coverage = {0};
    if (n <= check->checked_n) {
        return TD_OK;
    }
    TRY(check_whole(c, n, &coverage, error));
    return is_wrong(&coverage) ? halve_in_full(c, check->checked_n, n, error) : TD_OK;
}

/* ---- the first block that is wrong ---- */

static td_tile tile_at(int dimension, uint32_t n, uint64_t place)
{
    td_tile tile = {0};
    uint64_t of_layer = place;
    while (dimension == 3 && td_tetrahedron(tile.z + 1) <= place && tile.z < n) {
        tile.z++;
    }
    of_layer -= td_tetrahedron(tile.z);
    uint32_t row = 0;
    while (td_triangle(row + 1) <= of_layer) {
        row++;
    }
    tile.x = (uint32_t)(of_layer - td_triangle(row));
    tile.y = dimension == 3 ? row - tile.x : row;
    return tile;
}

static td_status find_in_launch(const checking *c, const td_plan *plan, size_t launch,
                                uint8_t *seen, td_map_fault *fault, td_error *error)
{
    const td_launch *of = &plan->launches[launch];
    const uint64_t all = td_asked_count(c->strategy->unit == TD_MAPS_THREADS, of);
    answer *answers = NULL;
    td_probes part = {0};
    td_status status = td_allocate(&part.numbers, at_once, sizeof *part.numbers, error, "blocks");
    if (status == TD_OK) {
        status = td_allocate(&answers, at_once, sizeof *answers, error, "the answers of a map");
    }
    for (uint64_t first = 0; first < all && status == TD_OK && !fault->known; first += at_once) {
        size_t count = 0;
        for (part.count = 0; part.count < at_once && first + part.count < all; part.count++) {
            part.numbers[part.count] = first + part.count;
        }
        status = ask(c, plan, launch, &part, answers, &count, error);
        td_engine_beat(c->engine);
        for (size_t i = 0; i < count && status == TD_OK && !fault->known; i++) {
            const uint64_t place = answers[i].place;
            if (place == UINT64_MAX || (seen[place / 8] >> place % 8 & 1) != 0) {
                blame(fault, &answers[i]);
            } else {
                seen[place / 8] |= (uint8_t)(1u << place % 8);
            }
        }
    }
    free(answers);
    free(part.numbers);
    return status;
}

/* Find the block by asking all in order. A tile of whole rows is known by its first place. */
static td_status find_block(const checking *c, const td_plan *plan, td_map_fault *fault,
                            td_error *error)
{
    const uint64_t places = places_of(c->strategy, c->check->first_failing_n);
    uint8_t *seen = NULL;
    TRY(td_allocate(&seen, places / 8 + 1, 1, error, "the places of a map"));
    td_status status = TD_OK;
    for (size_t l = 0; l < plan->count && status == TD_OK && !fault->known; l++) {
        status = find_in_launch(c, plan, l, seen, fault, error);
    }
    free(seen);
    return status;
}

/* The first answer outside, which a check in full knows. */
static td_status find_outside(const checking *c, const td_plan *plan, td_map_fault *fault,
                              td_error *error)
{
    const td_coverage *failure = &c->check->failure;
    uint64_t number = failure->first_outside;
    const td_probes one = {&number, 1};
    answer answers[1];
    size_t count = 0;
    TRY(ask(c, plan, failure->outside_launch, &one, answers, &count, error));
    if (count > 0) {
        blame(fault, &answers[0]);
    }
    return TD_OK;
}

/* What a check in full says of the first block: all are asked in order, if they are not too many. */
static td_status explain_in_full(checking *c, td_map_fault *fault, td_error *error)
{
    td_map_check *check = c->check;
    const uint32_t n = check->first_failing_n;
    td_plan plan;
    td_status status = plan_of(c, n, &plan, error);
    check->many_launches = has_several(&plan);
    if (status == TD_OK && places_of(c->strategy, n) <= most_to_find) {
        *fault = (td_map_fault){.exists = true, .too_few = fault->too_few, .is_first = true};
        status = find_block(c, &plan, fault, error);
    } else if (status == TD_OK && check->failure.outside > 0) {
        status = find_outside(c, &plan, fault, error);
    }
    td_plan_release(c->engine, &plan);
    if (check->failure.first_missing != UINT64_MAX) {
        fault->has_missing = true;
        fault->missing = tile_at(c->strategy->dimension, n, check->failure.first_missing);
    }
    return status;
}

static td_status explain(checking *c, td_map_fault *fault, td_error *error)
{
    td_map_check *check = c->check;
    td_status status = TD_OK;
    if (check->first_failing_n <= c->most_n) {
        TRY(check_whole(c, check->first_failing_n, &check->failure, error));
        status = explain_in_full(c, fault, error);
    }
    check->fault = *fault;
    return status;
}

/* ---- all of it ---- */

/* The largest n whose places have counters, and are not too many. */
static td_status choose_most(checking *c, td_error *error)
{
    const bool on_device = c->engine->ops->can.device_memory;
    const uint64_t most = on_device ? most_on_device : most_on_host;
    uint64_t available = 0;
    uint32_t n = c->check->largest_n;
    TRY(c->engine->ops->free_memory(c->engine, &available, error));
    while (n > 1 && (places_of(c->strategy, n) > most ||
                     places_of(c->strategy, n) * sizeof(uint32_t) > available / 8 * 7)) {
        n -= n / 64 + 1;
    }
    c->most_n = n;
    void *visits = NULL;
    TRY(c->engine->ops->allocate(c->engine, places_of(c->strategy, n) * sizeof(uint32_t), &visits,
                                 error));
    c->visits = visits;
    return TD_OK;
}

static td_status check_all(checking *c, td_error *error)
{
    td_map_fault fault = {0};
    TRY(check_every(c, error));
    if (c->check->first_failing_n == 0) {
        TRY(search(c, &fault, error));
        TRY(look_before(c, &fault, error));
        TRY(confirm(c, error));
    }
    return c->check->first_failing_n > 0 ? explain(c, &fault, error) : TD_OK;
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static td_status with_visits(checking *c, td_status (*run)(checking *c, td_error *error),
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
    largest = strategy->fill_table != NULL ? least(largest, LARGEST_WITH_TABLE) : largest;
    const uint32_t every = strategy->dimension == 3 ? EVERY_N_3D : TD_EVERY_N;
    *check = (td_map_check){
        .strategy = strategy, .largest_n = largest, .every_n = least(largest, every)};
    checking c = {.engine = engine, .strategy = strategy, .check = check};
    return with_visits(&c, check_all, error);
}

static td_status check_one(checking *c, td_error *error)
{
    td_map_fault fault = {.exists = true};
    td_coverage coverage = {0};
    const uint32_t n = c->check->largest_n;
    if (n > c->most_n) {
        return TD_OK;
    }
    TRY(check_whole(c, n, &coverage, error));
    c->check->first_failing_n = is_wrong(&coverage) ? n : 0;
    return is_wrong(&coverage) ? explain(c, &fault, error) : TD_OK;
}

td_status td_check_map_on(td_engine *engine, const td_strategy *strategy, const td_domain *domain,
                          td_map_check *check, td_error *error)
{
    *check = (td_map_check){.strategy = strategy, .largest_n = td_strategy_n(strategy, domain)};
    checking c = {.engine = engine, .strategy = strategy, .check = check, .domain = domain};
    return with_visits(&c, check_one, error);
}
