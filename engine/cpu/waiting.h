/*
 * waiting.h - how threads wait for each other at the end of a loop.
 */
#pragma once

/*
 * td_cpu_settle_waiting - restart this process with threads that soon go to sleep when they wait.
 *
 * GCC's OpenMP lets a waiting thread spin for some 15 ms. If other programs compete for the cores, the thread that the
 * others wait for cannot run for that long: a loop of 10 us then takes 4 ms (seen on two cores with ten processes), and
 * the time says nothing about the loop. The OpenMP library reads the spin time from the environment before main, and
 * nowhere else.
 *
 * Input   argv: of main
 * Returns if OMP_WAIT_POLICY or GOMP_SPINCOUNT is already set, or if the program cannot be restarted
 */
void td_cpu_settle_waiting(char *const *argv);
