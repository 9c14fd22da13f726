/* verify.h - whether the result of a run is right. */
#ifndef TD_ENGINE_BENCH_VERIFY_H
#define TD_ENGINE_BENCH_VERIFY_H

#include "engine/needs/buffers.h"

/*
 * td_verify - poison, launch once, compare every cell with the reference and look at the guard zones.
 *
 * Input   execution->data must point into `buffers`
 * Output  result: verified, checked, mismatches, max_abs_error, finding; a sentence in reason when it fails
 * Errors  TD_FAILED when the engine fails; a wrong result is no error but verified = TD_VERIFIED_FAIL
 */
td_status td_verify(td_buffers *buffers, const td_execution *execution, td_result *result,
                    td_error *error);

#endif
