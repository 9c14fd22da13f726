/* screen.h - who needs no trial, or no more than one: what is hopeless is left out. */
#ifndef TD_RUN_SCREEN_H
#define TD_RUN_SCREEN_H

#include "trials.h"

/*
 * td_screen - leave those of the list that are not hopeless at a quarter of N, where N is large enough for that to say
 * anything; *count is their number.
 *
 * One that is wrong or fails there stays in: its trial says why. One that an earlier invocation tried is measured as
 * well, for the others to be compared with.
 */
td_status td_screen(const td_search *t, size_t *count);

/*
 * td_screen_first - take one sample of each of the list, less those that leave it: those whose grid is hopeless, and
 * those that were under another map
 */
td_status td_screen_first(const td_search *t, size_t *count);

/* The search is over: what its trials say about the next map goes to t->tuner->earlier. */
void td_screen_remember(td_search *t);

#endif
