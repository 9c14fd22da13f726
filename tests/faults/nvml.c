/* nvml.c - calls of NVIDIA's management library, which is found by name, that fail when they are told to. */
#include <stdint.h>
#include <string.h>

#include "faults.h"

enum { NVML_UNKNOWN = 999 };

/* FIND(name, parameters, arguments) */
#define FIND(name, parameters, arguments)                                                          \
    static int(*real_##name) parameters;                                                           \
    static int fault_##name parameters                                                             \
    {                                                                                              \
        return td_fault_is_here(#name) ? NVML_UNKNOWN : real_##name arguments;                     \
    }

FIND(nvmlInit_v2, (void), ())
FIND(nvmlDeviceGetHandleByPciBusId_v2, (const char *id, void **device), (id, device))
FIND(nvmlDeviceGetClockInfo, (void *device, int clock, unsigned *mhz), (device, clock, mhz))
FIND(nvmlDeviceGetTemperature, (void *device, int sensor, unsigned *degrees),
     (device, sensor, degrees))
FIND(nvmlDeviceGetPowerUsage, (void *device, unsigned *milliwatts), (device, milliwatts))
FIND(nvmlDeviceGetCurrentClocksThrottleReasons, (void *device, unsigned long long *reasons),
     (device, reasons))
FIND(nvmlDeviceGetTotalEnergyConsumption, (void *device, unsigned long long *millijoules),
     (device, millijoules))
FIND(nvmlDeviceGetComputeRunningProcesses_v3, (void *device, unsigned *count, void *processes),
     (device, count, processes))
FIND(nvmlSystemGetDriverVersion, (char *name, unsigned size), (name, size))

/* POSIX allows a function pointer to be converted to void *. */
#define USE(name)                                                                                  \
    if (function != NULL && strcmp(wanted, #name) == 0) {                                          \
        memcpy(&real_##name, &function, sizeof function);                                          \
        return (void *)(uintptr_t)fault_##name;                                                    \
    }

void *td_fault_nvml(const char *wanted, void *function)
{
    USE(nvmlInit_v2)
    USE(nvmlDeviceGetHandleByPciBusId_v2)
    USE(nvmlDeviceGetClockInfo)
    USE(nvmlDeviceGetTemperature)
    USE(nvmlDeviceGetPowerUsage)
    USE(nvmlDeviceGetCurrentClocksThrottleReasons)
    USE(nvmlDeviceGetTotalEnergyConsumption)
    USE(nvmlDeviceGetComputeRunningProcesses_v3)
    USE(nvmlSystemGetDriverVersion)
    return function;
}
