/*
 * waiting.h - how threads wait for each other at the end of a loop.
 */
#ifndef TD_ENGINE_CPU_WAITING_H
#define TD_ENGINE_CPU_WAITING_H

/*
 * td_cpu_settle_waiting - begin this process anew, with threads that soon sleep where they wait in vain.
 *
 * GCC's OpenMP lets a thread spin for some 15 ms. Where other programs want the cores, the one that is waited for does
 * not run for as long: a loop of 10 us takes 4 ms then, seen on two cores with ten processes, and the time says nothing
 * of the loop. Its library reads how long from the environment before main, and nowhere else.
 *
 * Input   argv: of main
 * Returns when OMP_WAIT_POLICY or GOMP_SPINCOUNT has decided it, or the program cannot be started again
 */
void td_cpu_settle_waiting(char *const *argv);

#endif
