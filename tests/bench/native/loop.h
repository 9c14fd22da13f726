/* loop.h - edm4 as one would write it by hand, compiled for the processor that builds it. */
#ifndef TD_TESTS_BENCH_NATIVE_LOOP_H
#define TD_TESTS_BENCH_NATIVE_LOOP_H

/* Input: feature k of point i at input[k n + i]. Output: the packed lower triangle with its diagonal. */
void edm4_loop(int n, int threads, const float *input, float *output);

#endif
