/* phases.h - the current phase, when it started, and the time spent in each kind of phase. */
#pragma once

#include "engine/core/run.h"

/* Zeroed before the first phase. */
typedef struct td_phases {
    char name[24];
    double start_s;
    td_timing timing; /* of finished phases; a kind that it does not list is the host's time */
} td_phases;

/* End the current phase, which gets the time up to now, and start the next. */
void td_phases_enter(td_phases *phases, const char *name);

/* Whether this is the first phase of a run. */
bool td_phase_is_first(const char *name);
