/* energy.h - --energy: the energy of launches that follow each other for seconds, by the device's counter. */
#pragma once

#include "engine/engine.h"

/*
 * td_energy_measure - launch a run without a pause for TD_ENERGY_WINDOWS windows of at least 0.35 s of device time,
 * each of which begins and ends at a change of the counter.
 *
 * Input   result: has samples
 * Output  result->energy: the energy of one launch in each window, or no windows and a reason: the run does not fail
 *         if the counter cannot be read
 * Errors  the engine's, from the launches
 */
td_status td_energy_measure(td_engine *engine, const td_execution *execution, td_result *result,
                            td_error *error);

/*
 * td_energy_idle - measure the power of the idle device, opened and with its clocks unchanged, over `seconds`. It
 * first waits for half of `seconds`.
 *
 * Output  environment->idle_power_w; 0 if no counter can be read
 */
void td_energy_idle(td_engine *engine, double seconds, td_environment *environment);
