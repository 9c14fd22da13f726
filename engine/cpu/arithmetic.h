/* arithmetic.h - measures how many operations per second the cores reach at best. */
#pragma once

#include "engine/core/run.h"

/*
 * td_cpu_arithmetic - measure with all threads at once, keep the best of several repeats, and fill in the environment's
 * rates.
 *
 * Multiplications and additions are not fused, because the engine does not fuse them either. Takes a few milliseconds.
 */
void td_cpu_arithmetic(int threads, td_environment *environment);
