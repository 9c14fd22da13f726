/* heartbeat.h - what the process that has the device says about itself, in memory that its watcher reads. */
#pragma once

#include <pthread.h>

#include "engine/core/run.h"

/* A phase in which records are written. It has no time limit, and is not cut short. */
#define TD_PHASE_WRITE "output"

typedef struct td_heartbeat {
    pthread_mutex_t
        lock;   /* held to change what follows, and by a watcher that is about to end the process */
    bool ready; /* the device is open, in this process */
    bool recorded;    /* the environment is in the report: some process was ready */
    bool told;        /* a result says which run broke the device */
    bool finished;    /* nothing is left to do, or an error has ended the sweep */
    td_status status; /* that error, or why the device did not open */
    td_error error;
    td_status worst; /* a run's first error: wrong, out of memory, failed */
    size_t group;    /* under way; those before it are recorded */
    size_t run;      /* of the group: the last that began a phase */
    char phase[24];  /* "": nothing that could hang */
    double since_s;  /* when the phase began */
    td_timing
        timing; /* time spent in phases that are over; a kind that it does not list is the host's time */
} td_heartbeat;

/* Make the lock of a zeroed heartbeat. */
void td_heartbeat_open(td_heartbeat *heartbeat);

/* End the current phase, which gets the time up to now, and begin the next. */
void td_heartbeat_enter(td_heartbeat *heartbeat, size_t run, const char *phase);

/* Whether a run is in a phase that may hang. */
bool td_heartbeat_is_busy(const td_heartbeat *heartbeat);

/* Whether this is the first phase of a run. */
bool td_phase_is_first(const char *phase);
