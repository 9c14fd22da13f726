/* verify.h - whether the result of a run is right. */
#pragma once

#include "engine/prepare/buffers.h"

/*
 * td_verify - poison the output, launch, compare every cell with the reference and check the guard zones.
 *
 * Input   execution->data must point into `buffers`; sampled: launch this instead, where it leaves the same output;
 *         NULL: nothing was sampled
 * Output  result: verified, checked, mismatches, max_abs_error, finding; a sentence in reason if it fails
 * Errors  TD_FAILED if the engine fails; a wrong result is not an error but verified = TD_VERIFIED_FAIL
 */
td_status td_verify(td_buffers *buffers, const td_execution *execution, td_prepared *sampled,
                    td_result *result, td_error *error);
