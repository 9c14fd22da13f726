/* nvml.h - what the fake library shows and says; fake_nvml is its one variable. */
#ifndef TD_TESTS_FAKE_NVML_H
#define TD_TESTS_FAKE_NVML_H

typedef struct fake_nvml_state {
    int devices;                    /* 0: it knows none */
    int energy_status;              /* what asking for the counter returns; 0 is success */
    unsigned long long millijoules; /* of the counter */
    unsigned long long reasons;     /* to throttle */
    unsigned processes;             /* that have the device open */
    int lock_status, unlock_status; /* what they return */
    unsigned locked_mhz;            /* 0: not locked */
    int opened, closed;             /* how often */
    char pci_id[32];                /* that was asked for last */
} fake_nvml_state;

#endif
