/* launch.h - turns a kernel's address and pointers to its arguments into a call, which a profiler could see. */
#ifndef TD_TESTS_EMULATOR_LAUNCH_H
#define TD_TESTS_EMULATOR_LAUNCH_H

#include <functional>

namespace emulator
{

/*
 * One thread of a kernel, with copies of the current arguments. Empty if there is no such kernel.
 *
 * The parameter types come from the kernel's mangled name in the program's symbol table.
 */
std::function<void()> bind(const void *kernel, void **arguments);

/* Prints what a profiler would see, with TRIBENCH_EMULATOR_TRACE. */
void trace(const char *what);

} // namespace emulator

#endif
