/* pulse.h - the heartbeat of work that takes longer than a sample, so that --timeout only ends work that hangs. */
#pragma once

#include <stddef.h>

typedef struct td_pulse {
    void *context;
    void (*beat)(void *context); /* NULL: no timeout is running */
} td_pulse;

static inline void td_pulse_beat(const td_pulse *pulse)
{
    if (pulse->beat != NULL) {
        pulse->beat(pulse->context);
    }
}
