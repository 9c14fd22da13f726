/* clock.h - the one clock: it never jumps, and only differences of what it shows mean anything. */
#ifndef TD_ENGINE_CORE_CLOCK_H
#define TD_ENGINE_CORE_CLOCK_H

double td_now_s(void);
double td_now_ms(void);

#endif
