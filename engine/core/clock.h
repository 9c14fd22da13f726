/* clock.h - the clock for all durations: it never jumps, and only differences of its values are meaningful. */
#pragma once

double td_now_s(void);
double td_now_ms(void);

/* Seconds since 1970, for the record only: it jumps when the system time is set. */
double td_unix_s(void);
