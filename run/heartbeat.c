#include "heartbeat.h"

#include <stdio.h>
#include <string.h>

#include "engine/core/clock.h"

void td_heartbeat_open(td_heartbeat *h)
{
    pthread_mutex_init(&h->lock, NULL);
    h->since_s = td_now_s();
}

static void spend(td_heartbeat *h, double seconds)
{
    td_timing *t = &h->timing;
    const struct {
        const char *phase;
        double *spent_s;
    } kinds[] = {{"verify", &t->verify_s},
                 {"warm up", &t->warm_up_s},
                 {"sample", &t->sample_s},
                 {"energy", &t->sample_s}};
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        if (strcmp(h->phase, kinds[k].phase) == 0) {
            *kinds[k].spent_s += seconds;
        }
    }
}

void td_heartbeat_enter(td_heartbeat *h, size_t run, const char *phase)
{
    pthread_mutex_lock(&h->lock);
    const double now = td_now_s();
    spend(h, now - h->since_s);
    h->since_s = now;
    h->run = run;
    snprintf(h->phase, sizeof h->phase, "%s", phase);
    pthread_mutex_unlock(&h->lock);
}

bool td_heartbeat_is_busy(const td_heartbeat *h)
{
    return h->phase[0] != '\0' && strcmp(h->phase, TD_PHASE_WRITE) != 0;
}

bool td_phase_is_first(const char *phase)
{
    return strcmp(phase, "verify") == 0;
}
