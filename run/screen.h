/* screen.h - leave hopeless runs out of a search before their first sample, and take that sample of the others. */
#pragma once

#include "trials.h"

/*
 * td_screen - if N is large enough for times at N / 4 to say anything, drop the runs of the list that are hopeless
 * there; *count is the number that stays.
 *
 * A run that is wrong or fails there stays in: its trial says why. A run that an earlier invocation tried is measured
 * as well, so that the others can be compared with it.
 */
td_status td_screen(const td_search *t, size_t *count);

/*
 * td_screen_first - take one sample of each run of the list, except those that it drops: runs whose grid is hopeless,
 * and runs that were hopeless under another map
 */
td_status td_screen_first(const td_search *t, size_t *count);

/* Call after a search: keep the times of its trials in t->drive->earlier for the next map. */
void td_screen_remember(td_search *t);
