/* nvml.c - loads NVML with dlopen: a node without it, or a container that hides it, can still measure. */
#include "nvml.h"

#include <dlfcn.h>
#include <stdlib.h>

#include "engine/core/error.h"

/* The few values needed from the library's header nvml.h; they are part of its stable ABI. */
enum {
    NVML_SUCCESS = 0,
    NVML_TOO_SMALL = 7,
    NVML_TEMPERATURE_GPU = 0,
    NVML_CLOCK_SM = 1,
    NVML_CLOCK_MEM = 2
};

/* Reasons that slow a GPU down (NVML's clocks-event reasons); idle, application clocks and sync boost do not count. */
static const unsigned long long slowed = 0x4 /* power cap */ | 0x8 /* hardware slowdown */ |
                                         0x20 /* software thermal */ | 0x40 /* hardware thermal */ |
                                         0x80 /* power brake */;

typedef struct nvmlDevice *device_t;

struct td_nvml {
    void *library;
    bool begun;
    device_t device;
    int (*init)(void);
    int (*shutdown)(void);
    int (*by_pci_id)(const char *, device_t *);
    int (*clock)(device_t, int, unsigned *);
    int (*temperature)(device_t, int, unsigned *);
    int (*power)(device_t, unsigned *);
    int (*reasons)(device_t, unsigned long long *);
    int (*processes)(device_t, unsigned *, void *);
    int (*energy)(device_t, unsigned long long *);
    int (*driver)(char *, unsigned);
    const char *(*words)(int);
};

/* Whether the library has all of these functions, as that of any driver for CUDA 12 has. POSIX lets a data pointer from
 * dlsym serve as a function pointer; ISO C has no cast for it. */
static bool find_functions(td_nvml *nvml)
{
    const struct {
        const char *name;
        void *pointer;
    } functions[] = {
        {"nvmlInit_v2", &nvml->init},
        {"nvmlShutdown", &nvml->shutdown},
        {"nvmlDeviceGetHandleByPciBusId_v2", &nvml->by_pci_id},
        {"nvmlDeviceGetClockInfo", &nvml->clock},
        {"nvmlDeviceGetTemperature", &nvml->temperature},
        {"nvmlDeviceGetPowerUsage", &nvml->power},
        {"nvmlDeviceGetCurrentClocksThrottleReasons", &nvml->reasons},
        {"nvmlDeviceGetComputeRunningProcesses_v3", &nvml->processes},
        {"nvmlDeviceGetTotalEnergyConsumption", &nvml->energy},
        {"nvmlSystemGetDriverVersion", &nvml->driver},
        {"nvmlErrorString", &nvml->words},
    };
    bool found = nvml->library != NULL;
    for (size_t i = 0; found && i < sizeof functions / sizeof functions[0]; i++) {
        void *const function = dlsym(nvml->library, functions[i].name);
        *(void **)functions[i].pointer = function;
        found = function != NULL;
    }
    return found;
}

td_nvml *td_nvml_open(const char *pci_id)
{
    td_nvml *nvml = calloc(1, sizeof *nvml);
    if (nvml == NULL) {
        return NULL;
    }
    nvml->library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    nvml->begun = find_functions(nvml) && nvml->init() == NVML_SUCCESS;
    if (!nvml->begun || nvml->by_pci_id(pci_id, &nvml->device) != NVML_SUCCESS) {
        td_nvml_close(nvml);
        return NULL;
    }
    return nvml;
}

void td_nvml_close(td_nvml *nvml)
{
    if (nvml == NULL) {
        return;
    }
    if (nvml->begun) {
        nvml->shutdown();
    }
    if (nvml->library != NULL) {
        dlclose(nvml->library);
    }
    free(nvml);
}

/* The number of processes on the GPU besides this one; negative if NVML does not even see this one. This process cannot
 * be looked up by its pid, which differs in a container from the one that NVML knows. Given room for no entries, NVML
 * says how many there are. */
static double count_others(const td_nvml *nvml)
{
    unsigned count = 0;
    const int status = nvml->processes(nvml->device, &count, NULL);
    return status == NVML_SUCCESS || status == NVML_TOO_SMALL ? count - 1.0 : -1.0;
}

static double known(int status, const unsigned *value)
{
    return status == NVML_SUCCESS ? *value : -1.0;
}

void td_nvml_telemetry(td_nvml *nvml, td_telemetry *telemetry)
{
    unsigned sm = 0, memory = 0, celsius = 0, milliwatts = 0;
    unsigned long long reasons = 0;
    *telemetry = (td_telemetry){-1, -1, -1, -1, -1, -1};
    if (nvml == NULL) {
        return;
    }
    const device_t device = nvml->device;
    const double power_mw = known(nvml->power(device, &milliwatts), &milliwatts);
    telemetry->sm_mhz = known(nvml->clock(device, NVML_CLOCK_SM, &sm), &sm);
    telemetry->memory_mhz = known(nvml->clock(device, NVML_CLOCK_MEM, &memory), &memory);
    telemetry->temperature_c =
        known(nvml->temperature(device, NVML_TEMPERATURE_GPU, &celsius), &celsius);
    telemetry->power_w = power_mw < 0.0 ? -1.0 : power_mw / 1000.0;
    if (nvml->reasons(device, &reasons) == NVML_SUCCESS) {
        telemetry->throttled = (reasons & slowed) != 0;
    }
    telemetry->others = count_others(nvml);
}

void td_nvml_driver(td_nvml *nvml, char *name, size_t size)
{
    if (nvml == NULL || nvml->driver(name, (unsigned)size) != NVML_SUCCESS) {
        name[0] = '\0';
    }
}

td_status td_nvml_energy_j(td_nvml *nvml, double *joules, td_error *error)
{
    unsigned long long millijoules = 0;
    if (nvml == NULL) {
        return td_fail(error, TD_FAILED, "there is no NVML that knows the device");
    }
    const int status = nvml->energy(nvml->device, &millijoules);
    *joules = (double)millijoules / 1000.0;
    return status == NVML_SUCCESS
               ? TD_OK
               : td_fail(error, TD_FAILED, "the energy counter: NVML says %s", nvml->words(status));
}
