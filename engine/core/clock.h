/* clock.h - the clock for all durations: it never jumps, and only differences of its values are meaningful. */
#pragma once

#include <time.h>

static inline double td_clock_s(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static inline double td_now_s(void)
{
    return td_clock_s(CLOCK_MONOTONIC);
}

static inline double td_now_ms(void)
{
    return td_now_s() * 1e3;
}

/* Seconds since 1970, for the record only: it jumps when the system time is set. */
static inline double td_unix_s(void)
{
    return td_clock_s(CLOCK_REALTIME);
}
