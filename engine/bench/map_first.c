/* map_first.c - finds the first wrong block of an n. */
#include "map_checking.h"

#include <stdlib.h>

#include "engine/prepare/planning.h"

/* Blocks that are asked at once, to find one that is wrong, and the most of all. */
static const uint64_t at_once = 1u << 20, most_to_find = 1ull << 26;

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

static td_status find_in_launch(const td_checking *c, const td_plan *plan, size_t launch,
                                uint8_t *seen, td_map_fault *fault, td_error *error)
{
    const td_launch *of = &plan->launches[launch];
    const uint64_t all = td_asked_count(c->strategy->unit == TD_MAPS_THREADS, of);
    td_answer *answers = NULL;
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
        status = td_checking_ask(c, plan, launch, &part, answers, &count, error);
        td_engine_beat(c->engine);
        for (size_t i = 0; i < count && status == TD_OK && !fault->known; i++) {
            const uint64_t place = answers[i].place;
            if (place == UINT64_MAX || (seen[place / 8] >> place % 8 & 1) != 0) {
                td_map_blame(fault, &answers[i]);
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
static td_status find_block(const td_checking *c, const td_plan *plan, td_map_fault *fault,
                            td_error *error)
{
    const uint64_t places = td_map_places(c->strategy, c->check->first_failing_n);
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
static td_status find_outside(const td_checking *c, const td_plan *plan, td_map_fault *fault,
                              td_error *error)
{
    const td_coverage *failure = &c->check->failure;
    uint64_t number = failure->first_outside;
    const td_probes one = {&number, 1};
    td_answer answers[1];
    size_t count = 0;
    TRY(td_checking_ask(c, plan, failure->outside_launch, &one, answers, &count, error));
    if (count > 0) {
        td_map_blame(fault, &answers[0]);
    }
    return TD_OK;
}

/* What a check in full says of the first block: all are asked in order, if they are not too many. */
static td_status explain_in_full(td_checking *c, td_map_fault *fault, td_error *error)
{
    td_map_check *check = c->check;
    const uint32_t n = check->first_failing_n;
    td_plan plan;
    td_status status = td_checking_plan(c, n, &plan, error);
    check->many_launches = td_plan_has_several(&plan);
    if (status == TD_OK && td_map_places(c->strategy, n) <= most_to_find) {
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

td_status td_map_explain(td_checking *c, td_map_fault *fault, td_error *error)
{
    td_map_check *check = c->check;
    td_status status = TD_OK;
    if (check->first_failing_n <= c->most_n) {
        TRY(td_check_whole(c, check->first_failing_n, &check->failure, error));
        status = explain_in_full(c, fault, error);
    }
    check->fault = *fault;
    return status;
}
