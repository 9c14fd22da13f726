/* host.h - the host: its part of a record's environment, and its memory for engines that work in it. */
#pragma once

#include "engine.h"

/* The host's part of an environment: name, OS, kernel, CPU, memory. */
void td_describe_host(td_environment *environment);

/*
 * td_describe_processors - add the processors' caches, frequency governor and turbo to an environment.
 *
 * Input   folder: /sys/devices/system/cpu
 * Output  cpu_cache_bytes: of all caches beyond the first level; cpu_governor; cpu_turbo. 0, empty and -1 if the kernel
 *         does not tell
 */
void td_describe_processors(const char *folder, td_environment *environment);

/* The processors that this process may use. libgomp may have bound the first thread to one of them. */
uint32_t td_host_processors(void);

/* What this process has had of its cores so far. */
typedef struct td_core_use {
    double seconds;    /* that its threads ran; 0: not known yet */
    uint64_t switches; /* times that one of them had to leave its core to another thread */
} td_core_use;

/*
 * td_host_is_crowded - whether processes wait for cores: by the load over the last minute, this program's included,
 * there are more of them than cores, or for a fifth of the last ten seconds one had to wait. Or threads of this process
 * have shared their cores since the last call, with others or, where it has more threads than cores, with each other.
 *
 * Input   proc: /proc; use: that of the last call, which this one replaces
 */
bool td_host_is_crowded(const char *proc, td_core_use *use);

/* Whether other processes need more cores than this program leaves free. Both the load over the last minute and the
 * number running now must exceed them, so that this program's last invocation does not count. Half a process is allowed
 * for the system itself. */
bool td_host_is_busy(const td_environment *environment);

/*
 * td_limit_to_groups - how much of the free memory the control groups of a container or a Slurm job leave.
 *
 * Input   list: /proc/self/cgroup; mounts: /sys/fs/cgroup
 */
void td_limit_to_groups(const char *list, const char *mounts, uint64_t *free_bytes);

/* Operations for engines that work in the host's memory. */
td_status td_host_free_memory(td_engine *engine, uint64_t *free_bytes, td_error *error);
td_status td_host_allocate(td_engine *engine, uint64_t bytes, void **memory, td_error *error);
td_status td_host_copy(td_engine *engine, void *to, const void *from, uint64_t bytes,
                       td_error *error);
void td_host_release(td_engine *engine, void *memory);

/* td_host_allocate aligns memory to pages of this size, and rounds its size up to whole ones. */
enum { TD_HOST_PAGE_BYTES = 4096 };
