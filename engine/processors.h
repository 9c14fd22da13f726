/* processors.h - what the kernel says of the host's processors: their caches and what sets their frequencies. */
#ifndef TD_ENGINE_PROCESSORS_H
#define TD_ENGINE_PROCESSORS_H

#include "engine/core/run.h"

/*
 * td_describe_processors - add caches, governor and turbo to an environment.
 *
 * Input   folder: /sys/devices/system/cpu
 * Output  cpu_cache_bytes: of all caches behind the first level; 0, empty and -1 where the kernel does not say
 */
void td_describe_processors(const char *folder, td_environment *environment);

#endif
