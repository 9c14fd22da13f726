/* phases.h - what is being done since when, and how long it all took. */
#ifndef TD_RUN_WORKER_PHASES_H
#define TD_RUN_WORKER_PHASES_H

#include "engine/core/run.h"

/* Zeroed before the first. */
typedef struct td_phases {
    char name[24];
    double start_s;
    td_timing timing; /* of those that are over; what is of no kind that it has is the host's */
} td_phases;

/* The time up to now was the old phase's. */
void td_phases_enter(td_phases *phases, const char *name);

/* Whether a run of the group starts with it. */
bool td_phase_is_first(const char *name);

#endif
