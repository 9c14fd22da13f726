/* launch.h - from the address of a kernel and pointers to its arguments to a call. */
#ifndef TD_TESTS_EMULATOR_LAUNCH_H
#define TD_TESTS_EMULATOR_LAUNCH_H

#include <functional>

namespace emulator
{

/*
 * One thread of a kernel, with copies of the arguments as they are now. Empty where there is no such kernel.
 *
 * A kernel's parameters are in its name, as the compiler mangled it: the symbols of the program tell them.
 */
std::function<void()> bind(const void *kernel, void **arguments);

/* The same of a kernel that is in no file of the program's. */
void add_symbol(const void *kernel, const char *name);

} // namespace emulator

#endif
