/* clock.h - the one clock for durations: it never jumps, and only differences of what it shows mean anything. */
#ifndef TD_ENGINE_CORE_CLOCK_H
#define TD_ENGINE_CORE_CLOCK_H

double td_now_s(void);
double td_now_ms(void);

/* Seconds since 1970, for the record alone: it jumps when somebody sets the time. */
double td_unix_s(void);

#endif
