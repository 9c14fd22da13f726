/*
 * faults.h - the n-th call of one function fails, in whichever process of the program it falls.
 *
 * The program is linked with -Wl,--wrap=FUNCTION for each of them. TD_FAULT=FUNCTION:N chooses; what failed is noted in
 * the file TD_FAULT_LOG. With TD_FAULT_MOST=K only the first K calls from each place in the code are counted.
 */
#ifndef TD_TESTS_FAULTS_FAULTS_H
#define TD_TESTS_FAULTS_FAULTS_H

#include <stdbool.h>

/* Whether this call of a function, from that place in the code if it is known, is the one. */
bool td_fault_is_at(const char *function, const void *place);
#define td_fault_is_here(function) td_fault_is_at(function, __builtin_return_address(0))

/* What stands for a function of NVIDIA's management library and fails when it is told to; others as they are. */
void *td_fault_nvml(const char *name, void *function);

#endif
