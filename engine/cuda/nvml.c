/* nvml.c - loads NVML with dlopen: a node without it, or a container that hides it, can still measure. */
#include "nvml.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "engine/core/error.h"

/* The few values needed from the library's header nvml.h; they are part of its stable ABI. */
enum {
    NVML_SUCCESS = 0,
    NVML_NO_PERMISSION = 4,
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
    device_t device;
    int (*shutdown)(void);
    int (*clock)(device_t, int, unsigned *);
    int (*temperature)(device_t, int, unsigned *);
    int (*power)(device_t, unsigned *);
    int (*reasons)(device_t, unsigned long long *);
    int (*processes)(device_t, unsigned *, void *);
    int (*energy)(device_t, unsigned long long *);
    int (*driver)(char *, unsigned);
    const char *(*words)(int);
};

/* POSIX lets a data pointer from dlsym serve as a function pointer; ISO C has no cast for it. */
static void find(void *library, const char *name, void *function_pointer)
{
    *(void **)function_pointer = dlsym(library, name);
}

static bool find_device(td_nvml *nvml, const char *pci_id)
{
    int (*init)(void);
    int (*by_pci_id)(const char *, device_t *);
    find(nvml->library, "nvmlInit_v2", &init);
    find(nvml->library, "nvmlDeviceGetHandleByPciBusId_v2", &by_pci_id);
    return init != NULL && by_pci_id != NULL && init() == NVML_SUCCESS &&
           by_pci_id(pci_id, &nvml->device) == NVML_SUCCESS;
}

td_nvml *td_nvml_open(const char *pci_id)
{
    td_nvml *nvml = calloc(1, sizeof *nvml);
    if (nvml == NULL) {
        return NULL;
    }
    nvml->library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    if (nvml->library == NULL || !find_device(nvml, pci_id)) {
        td_nvml_close(nvml);
        return NULL;
    }
    find(nvml->library, "nvmlShutdown", &nvml->shutdown);
    find(nvml->library, "nvmlDeviceGetClockInfo", &nvml->clock);
    find(nvml->library, "nvmlDeviceGetTemperature", &nvml->temperature);
    find(nvml->library, "nvmlDeviceGetPowerUsage", &nvml->power);
    find(nvml->library, "nvmlDeviceGetCurrentClocksThrottleReasons", &nvml->reasons);
    find(nvml->library, "nvmlDeviceGetComputeRunningProcesses_v3", &nvml->processes);
    find(nvml->library, "nvmlDeviceGetTotalEnergyConsumption", &nvml->energy);
    find(nvml->library, "nvmlSystemGetDriverVersion", &nvml->driver);
    find(nvml->library, "nvmlErrorString", &nvml->words);
    return nvml;
}

void td_nvml_close(td_nvml *nvml)
{
    if (nvml == NULL) {
        return;
    }
    if (nvml->shutdown != NULL) {
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
    const int status =
        nvml->processes != NULL ? nvml->processes(nvml->device, &count, NULL) : NVML_NO_PERMISSION;
    return status == NVML_SUCCESS || status == NVML_TOO_SMALL ? count - 1.0 : -1.0;
}

void td_nvml_telemetry(td_nvml *nvml, td_telemetry *telemetry)
{
    unsigned value;
    unsigned long long reasons;
    *telemetry = (td_telemetry){-1, -1, -1, -1, -1, -1};
    if (nvml == NULL) {
        return;
    }
    if (nvml->clock != NULL && nvml->clock(nvml->device, NVML_CLOCK_SM, &value) == NVML_SUCCESS) {
        telemetry->sm_mhz = value;
    }
    if (nvml->clock != NULL && nvml->clock(nvml->device, NVML_CLOCK_MEM, &value) == NVML_SUCCESS) {
        telemetry->memory_mhz = value;
    }
    if (nvml->temperature != NULL &&
        nvml->temperature(nvml->device, NVML_TEMPERATURE_GPU, &value) == NVML_SUCCESS) {
        telemetry->temperature_c = value;
    }
    if (nvml->power != NULL && nvml->power(nvml->device, &value) == NVML_SUCCESS) {
        telemetry->power_w = value / 1000.0;
    }
    if (nvml->reasons != NULL && nvml->reasons(nvml->device, &reasons) == NVML_SUCCESS) {
        telemetry->throttled = (reasons & slowed) != 0;
    }
    telemetry->others = count_others(nvml);
}

void td_nvml_driver(td_nvml *nvml, char *name, size_t size)
{
    name[0] = '\0';
    if (nvml != NULL && nvml->driver != NULL &&
        nvml->driver(name, (unsigned)size) != NVML_SUCCESS) {
        name[0] = '\0';
    }
}

static const char *message_of(const td_nvml *nvml, int status)
{
    return nvml->words != NULL ? nvml->words(status) : "no";
}

td_status td_nvml_energy_j(td_nvml *nvml, double *joules, td_error *error)
{
    unsigned long long millijoules = 0;
    if (nvml == NULL) {
        return td_fail(error, TD_FAILED, "there is no NVML that knows the device");
    }
    if (nvml->energy == NULL) {
        return td_fail(error, TD_FAILED, "this NVML has no energy counter");
    }
    const int status = nvml->energy(nvml->device, &millijoules);
    if (status != NVML_SUCCESS) {
        return td_fail(error, TD_FAILED, "the energy counter: NVML says %s",
                       message_of(nvml, status));
    }
    *joules = (double)millijoules / 1000.0;
    return TD_OK;
}
