#include "clock.h"

#include <time.h>

double td_now_s(void)
{
    return td_now_ms() * 1e-3;
}

double td_now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now); /* CLOCK_REALTIME jumps when NTP sets it */
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

double td_unix_s(void)
{
    struct timespec now = {0};
    clock_gettime(CLOCK_REALTIME, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}
