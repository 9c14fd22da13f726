/* nvml.h - the state of the fake library, in its one variable, fake_nvml. */
#ifndef TD_TESTS_FAKE_NVML_H
#define TD_TESTS_FAKE_NVML_H

typedef struct fake_nvml_state {
    int devices;                    /* 0: none */
    int energy_status;              /* return value of the counter's query; 0 is success */
    unsigned long long millijoules; /* value of the counter */
    unsigned long long reasons;     /* reasons for throttling */
    unsigned processes;             /* processes that use the device */
    int opened, closed;             /* number of calls */
    char pci_id[32];                /* the last one asked for */
} fake_nvml_state;

#endif
