#include "host.h"

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "engine/core/error.h"
#include "engine/core/span.h"

/* The value of `key` in a file of "key<separator>value" lines, without quotes. */
static void read_value(const char *path, const char *key, char separator, char *value, size_t size)
{
    char line[512];
    FILE *file = fopen(path, "re");
    value[0] = '\0';
    while (file != NULL && value[0] == '\0' && fgets(line, sizeof line, file) != NULL) {
        char *at = strchr(line, separator);
        if (strncmp(line, key, strlen(key)) == 0 && at != NULL) {
            at += 1 + strspn(at + 1, " \t\"");
            at[strcspn(at, "\"\n")] = '\0';
            snprintf(value, size, "%s", at);
        }
    }
    if (file != NULL) {
        fclose(file);
    }
}

/* The first line of a file, empty if there is none; returns the number that it begins with, or -1. */
static long read_line(const char *folder, const char *file, char *line, size_t size)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, file);
    FILE *opened = fopen(path, "re");
    line[0] = '\0';
    if (opened != NULL) {
        (void)fgets(line, (int)size, opened);
        fclose(opened);
    }
    char *end = line;
    line[strcspn(line, "\n")] = '\0';
    const long number = strtol(line, &end, 10);
    return end != line ? number : -1;
}

/* Parses "0.42 0.30 0.25 3/412 12345". The running processes do not include this one. Negative: unknown. */
static void read_load(const char *proc, double *load, double *running)
{
    char line[64];
    unsigned count = 0;
    read_line(proc, "loadavg", line, sizeof line);
    /* NOLINTNEXTLINE(cert-err34-c): the kernel writes these numbers */
    if (sscanf(line, "%lf %*f %*f %u", load, &count) != 2 || count == 0) {
        *load = *running = -1.0;
    } else {
        *running = count - 1.0;
    }
}

bool td_host_is_crowded(const char *proc)
{
    char line[64];
    double load = 0.0, waited_percent = 0.0;
    /* not by the number that runs at this moment, which has the threads of this program that spin */
    read_line(proc, "loadavg", line, sizeof line);
    (void)sscanf(line, "%lf", &load); /* NOLINT(cert-err34-c): the kernel writes these numbers */
    read_line(proc, "pressure/cpu", line, sizeof line);
    (void)sscanf(line, "some avg10=%lf", &waited_percent); /* NOLINT(cert-err34-c): likewise */
    return load > (double)sysconf(_SC_NPROCESSORS_ONLN) + 0.5 || waited_percent > 20.0;
}

/* The size of one cache of one core. A cache that cores share counts at the first of them, and the first level not at
 * all. Negative: there is no such cache. */
static int64_t cache_bytes(const char *folder, long core, int index)
{
    char cache[256], line[64];
    snprintf(cache, sizeof cache, "%s/cpu%ld/cache/index%d", folder, core, index);
    const long level = read_line(cache, "level", line, sizeof line);
    if (level <= 1 || read_line(cache, "shared_cpu_list", line, sizeof line) != core) {
        return level < 0 ? -1 : 0;
    }
    const int64_t size = read_line(cache, "size", line, sizeof line); /* "2048K" */
    const int64_t unit = strchr(line, 'M') != NULL   ? 1 << 20
                         : strchr(line, 'K') != NULL ? 1 << 10
                                                     : 1;
    return size > 0 ? size * unit : 0;
}

void td_describe_processors(const char *folder, td_environment *environment)
{
    char *governor = environment->cpu_governor, line[32];
    environment->cpu_cache_bytes = 0;
    for (long core = 0; core < sysconf(_SC_NPROCESSORS_CONF); core++) {
        int64_t bytes = 0;
        for (int index = 0; (bytes = cache_bytes(folder, core, index)) >= 0; index++) {
            environment->cpu_cache_bytes += (uint64_t)bytes;
        }
    }
    read_line(folder, "cpu0/cpufreq/scaling_governor", governor, sizeof environment->cpu_governor);
    const long no_turbo = read_line(folder, "intel_pstate/no_turbo", line, sizeof line);
    const long boost = read_line(folder, "cpufreq/boost", line, sizeof line);
    environment->cpu_turbo = no_turbo >= 0 ? no_turbo == 0 : boost >= 0 ? boost == 1 : -1;
}

void td_describe_host(td_environment *environment)
{
    struct utsname names;
    struct sysinfo info;
    if (uname(&names) == 0) {
        snprintf(environment->host, sizeof environment->host, "%s", names.nodename);
        snprintf(environment->kernel, sizeof environment->kernel, "%s", names.release);
    }
    if (sysinfo(&info) == 0) {
        environment->memory_bytes = (uint64_t)info.totalram * info.mem_unit;
    }
    read_load("/proc", &environment->load, &environment->running);
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    environment->cpu_cores = cores > 0 ? (uint32_t)cores : 0;
    td_describe_processors("/sys/devices/system/cpu", environment);
    read_value("/etc/os-release", "PRETTY_NAME", '=', environment->os, sizeof environment->os);
    read_value("/proc/cpuinfo", "model name", ':', environment->cpu_model,
               sizeof environment->cpu_model);
}

uint32_t td_host_processors(void)
{
    const uint32_t all = (uint32_t)omp_get_num_procs();
    uint32_t in_places = 0; /* of OMP_PLACES, GOMP_CPU_AFFINITY and the like; places may overlap */
    for (int place = 0; place < omp_get_num_places(); place++) {
        in_places += (uint32_t)omp_get_place_num_procs(place);
    }
    return in_places > 0 && in_places < all ? in_places : all;
}

bool td_host_is_busy(const td_environment *e)
{
    const double free = (double)e->cpu_cores - e->cpu_threads;
    return fmin(e->load, e->running) > fmax(free, 0.0) + 0.5;
}

/* The memory that a control group leaves, with the files that the kernel keeps for it and would drop. */
static void limit_to_group(const char *folder, bool v1, uint64_t *free_bytes)
{
    char path[640], line[64], files[32];
    const long most =
        read_line(folder, v1 ? "memory.limit_in_bytes" : "memory.max", line, sizeof line);
    const long used =
        read_line(folder, v1 ? "memory.usage_in_bytes" : "memory.current", line, sizeof line);
    if (most < 0 || used < 0) { /* "max", or no such file */
        return;
    }
    snprintf(path, sizeof path, "%s/memory.stat", folder);
    read_value(path, "inactive_file", ' ', files, sizeof files);
    const double left = fmax(0.0, (double)most - (double)used + strtod(files, NULL));
    *free_bytes = (uint64_t)fmin(left, (double)*free_bytes);
}

void td_limit_to_groups(const char *list, const char *mounts, uint64_t *free_bytes)
{
    char line[512], folder[600];
    FILE *file = fopen(list, "re");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        char *rest = line; /* "4:memory:/a/b" in version 1, "0::/a/b" in version 2 */
        strsep(&rest, ":");
        const char *controllers = strsep(&rest, ":"), *group = strsep(&rest, "\n");
        const bool v1 = controllers != NULL && strcmp(controllers, "memory") == 0;
        if (controllers == NULL || group == NULL || (!v1 && controllers[0] != '\0')) {
            continue;
        }
        const int mount = snprintf(folder, sizeof folder, "%s%s", mounts, v1 ? "/memory" : "");
        snprintf(folder + mount, sizeof folder - (size_t)mount, "%s", group);
        for (char *end = folder + strlen(folder); end >= folder + mount;
             end = strrchr(folder, '/')) { /* the group, and those around it */
            *end = '\0';
            limit_to_group(folder, v1, free_bytes);
        }
    }
    if (file != NULL) {
        fclose(file);
    }
}

td_status td_host_free_memory(td_engine *engine, uint64_t *free_bytes, td_error *error)
{
    (void)engine;
    char kib[32];
    read_value("/proc/meminfo", "MemAvailable", ':', kib, sizeof kib);
    *free_bytes = strtoull(kib, NULL, 10) * 1024;
    td_limit_to_groups("/proc/self/cgroup", "/sys/fs/cgroup", free_bytes);
    return kib[0] != '\0' ? TD_OK : td_fail(error, TD_FAILED, "cannot read /proc/meminfo");
}

td_status td_host_allocate(td_engine *engine, uint64_t bytes, void **memory, td_error *error)
{
    (void)engine;
    const uint64_t pages = (bytes + TD_HOST_PAGE_BYTES - 1) / TD_HOST_PAGE_BYTES + (bytes == 0);
    *memory = aligned_alloc(TD_HOST_PAGE_BYTES, pages * TD_HOST_PAGE_BYTES);
    return *memory != NULL ? TD_OK
                           : td_fail(error, TD_NO_MEMORY, "cannot allocate %s on the host",
                                     td_show_bytes(bytes).text);
}

void td_host_release(td_engine *engine, void *memory)
{
    (void)engine;
    free(memory);
}

td_status td_host_copy(td_engine *engine, void *to, const void *from, uint64_t bytes,
                       td_error *error)
{
    (void)engine;
    (void)error;
    memcpy(to, from, bytes);
    return TD_OK;
}
