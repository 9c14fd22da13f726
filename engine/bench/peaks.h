/* peaks.h - the bandwidth of a device's memory, which a run is compared with. */
#pragma once

#include "engine/engine.h"

/*
 * td_peaks_measure - measure how fast memory is filled and copied, if a run of the sweep moves more than the caches
 * hold.
 *
 * Input   environment: as td_engine_describe fills it in
 * Output  environment: peaks, as far as the engine can measure them
 * Errors  the engine's
 */
td_status td_peaks_measure(td_engine *engine, const td_sweep *sweep, td_environment *environment,
                           td_error *error);
