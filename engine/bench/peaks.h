/* peaks.h - the peak bandwidth and arithmetic of a device: measured once per boot, and kept. */
#pragma once

#include "engine/engine.h"

/*
 * td_peaks_measure - the peaks of an engine, as far as the engine can measure them.
 *
 * They are kept in the cache of compiled files (compile/cache.h), for this program, device and boot. Peaks of a busy
 * host's own cores are not kept, nor are peaks without a bandwidth.
 *
 * Input   anew: measure without reading or writing the cache
 * Output  environment, already filled in by td_engine_describe: peaks, and when they were measured
 * Errors  the engine's
 */
td_status td_peaks_measure(td_engine *engine, bool anew, td_environment *environment,
                           td_error *error);
