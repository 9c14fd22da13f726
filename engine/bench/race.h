/*
 * race.h - the fastest runs of a group: a sampler that drops a run as soon as it is certainly slower than the others.
 *
 * Every run gets one sample, except those that cannot win: a schedule whose grid is hopeless, or a run that was
 * hopeless under all maps before. Then half of the runs, and any that are far slower, are dropped each time the samples
 * double. The last few are measured as the protocol asks, and verified. An automaton takes only as many launches as a
 * sample needs, which all take equally long, and its time is scaled.
 *
 * Source  Karnin, Koren & Somekh, Almost Optimal Exploration in Multi-Armed Bandits, ICML 2013
 */
#pragma once

#include "group.h"

/* What earlier races have found out, for those under other maps. Starts zeroed. */
typedef struct td_races {
    struct td_raced *raced;
    size_t count;
} td_races;

/*
 * td_race_run - like td_group_run, where a run that is dropped has the status TD_RUN_DROPPED, and why in its reason.
 *
 * A dropped run has the samples that it was dropped for, if any, and nothing else: its output is not verified.
 */
void td_race_run(td_engine *engine, const td_protocol *protocol, const td_group *group,
                 const td_observer *observer, td_races *races, td_result *results);

void td_races_forget(td_races *races);
