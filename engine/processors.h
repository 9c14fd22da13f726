/* processors.h - the host's processors as the kernel describes them: caches, frequency governor and turbo. */
#pragma once

#include "engine/core/run.h"

/*
 * td_describe_processors - add caches, governor and turbo to an environment.
 *
 * Input   folder: /sys/devices/system/cpu
 * Output  cpu_cache_bytes: of all caches beyond the first level; cpu_governor; cpu_turbo. 0, empty and -1 if the kernel
 *         does not tell
 */
void td_describe_processors(const char *folder, td_environment *environment);
