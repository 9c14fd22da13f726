/* nvml.c - a libnvidia-ml.so.1 without a GPU: the functions that the program looks up, backed by a few variables. */
#include <stdio.h>

#include "nvml.h"

#define SHOWN __attribute__((visibility("default")))

SHOWN extern fake_nvml_state fake_nvml;
fake_nvml_state fake_nvml = {.devices = 1};

SHOWN int nvmlInit_v2(void);
SHOWN int nvmlShutdown(void);
SHOWN int nvmlDeviceGetHandleByPciBusId_v2(const char *pci_id, void **device);
SHOWN int nvmlDeviceGetTotalEnergyConsumption(void *device, unsigned long long *millijoules);
SHOWN int nvmlDeviceGetClockInfo(void *device, int clock, unsigned *mhz);
SHOWN int nvmlDeviceGetTemperature(void *device, int sensor, unsigned *celsius);
SHOWN int nvmlDeviceGetPowerUsage(void *device, unsigned *milliwatts);
SHOWN int nvmlDeviceGetCurrentClocksThrottleReasons(void *device, unsigned long long *reasons);
SHOWN int nvmlDeviceGetComputeRunningProcesses_v3(void *device, unsigned *count, void *processes);
SHOWN int nvmlSystemGetDriverVersion(char *name, unsigned size);
SHOWN const char *nvmlErrorString(int status);

int nvmlInit_v2(void)
{
    fake_nvml.opened++;
    return 0;
}

int nvmlShutdown(void)
{
    fake_nvml.closed++;
    return 0;
}

int nvmlDeviceGetHandleByPciBusId_v2(const char *pci_id, void **device)
{
    snprintf(fake_nvml.pci_id, sizeof fake_nvml.pci_id, "%s", pci_id);
    *device = &fake_nvml;
    return fake_nvml.devices > 0 ? 0 : 6;
}

int nvmlDeviceGetTotalEnergyConsumption(void *device, unsigned long long *millijoules)
{
    const fake_nvml_state *state = device;
    *millijoules = state->millijoules;
    return state->energy_status;
}

/* SM and memory. */
int nvmlDeviceGetClockInfo(void *device, int clock, unsigned *mhz)
{
    (void)device;
    *mhz = clock == 1 ? 1980 : 3201;
    return clock == 1 || clock == 2 ? 0 : 2;
}

/* Not permitted. */
int nvmlDeviceGetTemperature(void *device, int sensor, unsigned *celsius)
{
    (void)device, (void)sensor;
    *celsius = 0;
    return 4;
}

int nvmlDeviceGetPowerUsage(void *device, unsigned *milliwatts)
{
    (void)device;
    *milliwatts = 134500;
    return 0;
}

int nvmlDeviceGetCurrentClocksThrottleReasons(void *device, unsigned long long *reasons)
{
    const fake_nvml_state *state = device;
    *reasons = state->reasons;
    return 0;
}

/* Like NVML, returns the count, and an error because the caller has no room. */
int nvmlDeviceGetComputeRunningProcesses_v3(void *device, unsigned *count, void *processes)
{
    const fake_nvml_state *state = device;
    (void)processes;
    *count = state->processes;
    return *count > 0 ? 7 : 0;
}

int nvmlSystemGetDriverVersion(char *name, unsigned size)
{
    snprintf(name, size, "999.1");
    return 0;
}

const char *nvmlErrorString(int status)
{
    return status == 4 ? "Insufficient Permissions" : status == 3 ? "Not Supported" : "Unknown";
}
