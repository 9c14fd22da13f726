/* pulse.h - the heartbeat of work that takes longer than a sample, so that --timeout only ends work that hangs. */
#ifndef TD_ENGINE_CORE_PULSE_H
#define TD_ENGINE_CORE_PULSE_H

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

#endif
