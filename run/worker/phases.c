#include "phases.h"

#include <stdio.h>
#include <string.h>

#include "engine/core/clock.h"

void td_phases_enter(td_phases *phases, const char *name)
{
    td_timing *t = &phases->timing;
    const struct {
        const char *name;
        double *spent_s;
    } kinds[] = {{"verify", &t->verify_s},
                 {"warm up", &t->warm_up_s},
                 {"sample", &t->sample_s},
                 {"energy", &t->sample_s}};
    const double now = td_now_s();
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        if (strcmp(phases->name, kinds[k].name) == 0) {
            *kinds[k].spent_s += now - phases->start_s;
        }
    }
    phases->start_s = now;
    snprintf(phases->name, sizeof phases->name, "%s", name);
}

bool td_phase_is_first(const char *name)
{
    return strcmp(name, "verify") == 0;
}
