/*
 * faults.h - makes the n-th call of one function fail, in any process of the program.
 *
 * The program is linked with -Wl,--wrap=FUNCTION for each function. TD_FAULT=FUNCTION:N chooses the call, and the file
 * TD_FAULT_LOG records it. With TD_FAULT_MOST=K, only the first K calls from each place in the code count.
 */
#ifndef TD_TESTS_FAULTS_FAULTS_H
#define TD_TESTS_FAULTS_FAULTS_H

#include <stdbool.h>

/* True if this call of a function must fail. Input: place, the caller's place in the code, or NULL if unknown. */
bool td_fault_is_at(const char *function, const void *place);
#define td_fault_is_here(function) td_fault_is_at(function, __builtin_return_address(0))

/* The wrapper for a function of NVIDIA's management library; `function` itself if it has none. */
void *td_fault_nvml(const char *name, void *function);

#endif
