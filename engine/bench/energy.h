/* energy.h - --energy: what the device's counter says of launches that follow each other for seconds. */
#ifndef TD_ENGINE_BENCH_ENERGY_H
#define TD_ENGINE_BENCH_ENERGY_H

#include "engine/core/pulse.h"
#include "engine/engine.h"

/*
 * td_energy_measure - launch a run without a pause for TD_ENERGY_WINDOWS windows of 0.35 s of device time or more, each
 * from a change of the counter to another.
 *
 * Input   result: with samples; pulse: beats before each window
 * Output  result->energy: the energy of one launch in each window, or no windows and a reason: a counter that cannot
 *         be read is no failure of the run
 * Errors  what the engine says of the launches
 */
td_status td_energy_measure(td_engine *engine, const td_execution *execution, const td_pulse *pulse,
                            td_result *result, td_error *error);

/*
 * td_energy_idle - what the device takes at rest, opened and clocked as it was left: half of `seconds` go by first.
 *
 * Output  environment->idle_power_w; 0 where no counter can be read
 */
void td_energy_idle(td_engine *engine, double seconds, td_environment *environment);

/* The counter as it stands [J]; negative where it cannot be read. */
double td_energy_now_j(td_engine *engine);

#endif
