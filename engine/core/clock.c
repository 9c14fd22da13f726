#include "clock.h"

#include <time.h>

double td_now_s(void)
{
    return td_now_ms() * 1e-3;
}

double td_now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC,
                  &now); /* of the real time an NTP step would be measured as well */
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}
