/* peaks.h - how fast a device is at best: measured once per boot, and kept. */
#ifndef TD_ENGINE_BENCH_PEAKS_H
#define TD_ENGINE_BENCH_PEAKS_H

#include "engine/engine.h"

/*
 * td_peaks_measure - the peaks of an engine and the floor of its timer, as far as it can measure them.
 *
 * They are kept where compiled files are (compile/cache.h), for this program, device and boot; those that a busy
 * host has of itself are not, nor where a bandwidth could not be measured.
 *
 * Input   anew: neither look there nor keep anything
 * Output  environment, which td_engine_describe has filled in: peaks, and when they were measured
 * Errors  those of the engine
 */
td_status td_peaks_measure(td_engine *engine, bool anew, td_environment *environment,
                           td_error *error);

#endif
