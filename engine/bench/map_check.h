/* map_check.h - --check-maps: where each map first fails on this engine. */
#pragma once

#include "engine/engine.h"

/* The first block, or thread, that a wrong map sends to a wrong place. */
typedef struct td_map_fault {
    bool exists;     /* the map is wrong */
    bool too_few;    /* its plan has fewer blocks than there are tiles */
    bool known;      /* the block is: the members from here on */
    size_t launch;   /* of the plan */
    uint64_t number; /* in the launch, see td_asked_count */
    td_tile got;     /* where it is sent: outside of the domain, or where an earlier one is */
    bool outside;
    bool is_first; /* else the first of those asked */
    bool has_missing;
    td_tile missing; /* the first place to which none is sent */
} td_map_fault;

/* Findings about one strategy. n counts tiles per side, for a map of threads cells. */
typedef struct td_map_check {
    const td_strategy *strategy;
    uint32_t largest_n; /* to be searched */
    uint32_t every_n;   /* of these, every n is checked in full: every block is asked */
    uint32_t checked_n; /* all n from 1 to here were */
    uint32_t
        searched_n; /* beyond, blocks near the ends of rows were asked, for some n up to here; 0: none */
    uint32_t
        stopped_n; /* the search ended here: there is no plan, or one of too many launches; 0: it did not */
    uint32_t whole_n;         /* the largest n that was checked in full and is right; 0: none */
    bool many_launches;       /* the plan at first_failing_n has more than one */
    uint32_t first_failing_n; /* 0: none */
    td_coverage failure;      /* at first_failing_n; zeroed: too large to be checked in full */
    td_map_fault fault;       /* at first_failing_n */
    uint64_t asked;           /* blocks or threads in all */
    uint32_t asked_n;         /* under way, or the last */
    char ended[160];          /* why it could not be asked at first_failing_n; "": it could */
} td_map_check;

/* Up to here, a check asks every block for every n. */
enum { TD_EVERY_N = 300 };

/*
 * td_check_map - find the first n up to `largest` at which a map is wrong.
 *
 * Every n up to TD_EVERY_N is checked in full. From there on, for some n, the blocks near the ends of rows are asked,
 * where roots are wrong first, and some others; where one fails, n is halved in. Before it, for every n, the first and
 * the last few blocks are asked, since a map may be right again. Both sides are checked in full if that takes seconds.
 *
 * It beats after each n.
 *
 * Errors  TD_UNAVAILABLE: the engine cannot evaluate maps; TD_NO_MEMORY: the counters do not fit; TD_WRONG: there is no
 *         plan of a map from a file at asked_n, or one of too many blocks; the engine's
 */
td_status td_check_map(td_engine *engine, const td_strategy *strategy, uint32_t largest,
                       td_map_check *check, td_error *error);

/* td_map_check_end - note that the check ended at asked_n, and why: it may have ended its process. */
void td_map_check_end(td_map_check *check, const char *why);

/* The largest n at which nothing wrong was found. */
static inline uint32_t td_map_check_right_n(const td_map_check *check)
{
    const uint32_t asked =
        check->searched_n > check->checked_n ? check->searched_n : check->checked_n;
    const bool follows =
        check->first_failing_n > 0 && (check->ended[0] == '\0' || check->first_failing_n <= asked);
    return follows ? check->first_failing_n - 1 : asked;
}

/* "(5792, 0)": row and column; in 3D x, y and z. One below 0 is told as such. */
typedef struct td_map_place {
    char text[48];
} td_map_place;
td_map_place td_place_in_words(const td_strategy *strategy, td_tile tile);

/* "n = 5793, block 16776528: got (5791, 5792), which is outside; nothing computes (5792, 0)" */
typedef struct td_fault_text {
    char text[256];
} td_fault_text;
td_fault_text td_map_fault_text(const td_map_check *check);

/*
 * td_check_map_on - check the domain of a run in full and, where the map is wrong, find the first block.
 *
 * Output  check: first_failing_n is its n, or 0: nothing is wrong, or too large to be checked in seconds
 * Errors  as above
 */
td_status td_check_map_on(td_engine *engine, const td_strategy *strategy, const td_domain *domain,
                          td_map_check *check, td_error *error);
