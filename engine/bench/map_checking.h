/*
 * map_checking.h - a check of a map while it runs: map_check.c goes through its steps, map_whole.c asks every block of
 * an n, map_search.c looks for an n that is wrong, map_first.c for its first wrong block; map_ask.c asks the engine.
 */
#pragma once

#include "map_check.h"
#include "map_probe.h"

typedef struct td_checking {
    td_engine *engine;
    const td_strategy *strategy;
    td_map_check *check;
    uint32_t *visits;        /* of the engine; as many as td_map_places(most_n) */
    uint32_t most_n;         /* that can be checked in full */
    const td_domain *domain; /* of a run; NULL: that of domain_of */
} td_checking;

/* An answer, and where in the plan it was given. */
typedef struct td_answer {
    uint64_t place, number;
    size_t launch;
    uint64_t before; /* blocks before the launch, where it is a piece of a line of blocks */
    td_tile tile;
} td_answer;

/* ---- what the engine is asked ---- */

/* How many tiles, or cells, a domain has. */
uint64_t td_map_places(const td_strategy *s, uint32_t n);

/*
 * td_checking_plan - plan the grids for n, and copy their table to where the engine reads it.
 *
 * Output  plan: release it with td_plan_release, even after an error
 * Errors  those of td_check_map
 */
td_status td_checking_plan(const td_checking *c, uint32_t n, td_plan *plan, td_error *error);

/* Whether a plan has several launches, and not only pieces of a grid that was too large. */
bool td_plan_has_several(const td_plan *plan);

/* Ask a launch about some numbers, and append the places of the active answers. */
td_status td_checking_ask(const td_checking *c, const td_plan *plan, size_t launch,
                          const td_probes *probes, td_answer *answers, size_t *count,
                          td_error *error);

/* Note an answer that is wrong, if it is earlier in the plan than the one that is known. */
void td_map_blame(td_map_fault *fault, const td_answer *a);

/* ---- the steps ---- */

/* Check one n in full. Whether it is wrong. */
td_status td_check_whole(td_checking *c, uint32_t n, td_coverage *coverage, td_error *error);
bool td_coverage_is_wrong(const td_coverage *coverage);

/* Check every n up to every_n in full, until one is wrong. */
td_status td_check_every(td_checking *c, td_error *error);

/* Search beyond every_n by asking some blocks. first_failing_n: the first n found that is wrong, with its fault. */
td_status td_check_by_probes(const td_checking *c, td_map_fault *fault, td_error *error);

/* Check in full the largest n that passed, or the largest that can be: if it fails, an earlier one does first. */
td_status td_check_confirm(td_checking *c, td_error *error);

/* Find the first wrong block at first_failing_n. Input: what is known of the fault so far. */
td_status td_map_explain(td_checking *c, td_map_fault *fault, td_error *error);
