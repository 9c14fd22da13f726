/* nvml.h - clocks, temperature, power and energy through NVIDIA's management library, loaded at run time. */
#pragma once

#include "engine/core/run.h"

typedef struct td_nvml td_nvml;

/* Open the device with this PCI bus id ("0000:01:00.0"). NULL: the library or the device is not available. */
td_nvml *td_nvml_open(const char *pci_id);

/* All of these accept NULL, and then answer "unknown" or say that there is no NVML. */
void td_nvml_close(td_nvml *nvml);
void td_nvml_telemetry(td_nvml *nvml, td_telemetry *telemetry);
void td_nvml_driver(td_nvml *nvml, char *name, size_t size);
/* Energy since the driver was loaded [J]. Errors: TD_FAILED: not on this GPU, not permitted, ... */
td_status td_nvml_energy_j(td_nvml *nvml, double *joules, td_error *error);
