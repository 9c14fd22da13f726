#include "host.h"

#include <inttypes.h>
#include <math.h>
#include <omp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
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

/* scanf from a small file; 0: there is no such file. */
static int __attribute__((format(scanf, 3, 4)))
scan(const char *folder, const char *name, const char *format, ...)
{
    char path[640];
    va_list values;
    int count = 0;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "re");
    if (file != NULL) {
        va_start(values, format);
        count = vfscanf(file, format, values);
        va_end(values);
        fclose(file);
    }
    return count;
}

/* NOLINTBEGIN(cert-err34-c): the kernel writes these numbers */

static double seconds_of(struct timeval time)
{
    return (double)time.tv_sec + 1e-6 * (double)time.tv_usec;
}

/* Threads that have cores of their own leave them 5 to 30 times per second to those of the system, threads that share
 * them with others more than 100 times. Some switches are allowed to samples that take no time. */
static bool has_shared_cores(td_core_use *use)
{
    static const double allowed = 20.0, allowed_per_s = 60.0;
    const td_core_use before = *use;
    struct rusage now;
    getrusage(RUSAGE_SELF, &now);
    *use =
        (td_core_use){seconds_of(now.ru_utime) + seconds_of(now.ru_stime), (uint64_t)now.ru_nivcsw};
    return before.seconds > 0.0 && (double)(use->switches - before.switches) >
                                       allowed + allowed_per_s * (use->seconds - before.seconds);
}

bool td_host_is_crowded(const char *proc, td_core_use *use)
{
    double load = 0.0, waited_percent = 0.0;
    const bool has_shared = has_shared_cores(use);
    /* not by the number that runs at this moment, which has the threads of this program that spin */
    (void)scan(proc, "loadavg", "%lf", &load);
    (void)scan(proc, "pressure/cpu", "some avg10=%lf", &waited_percent);
    return load > (double)sysconf(_SC_NPROCESSORS_ONLN) + 0.5 || waited_percent > 20.0 ||
           has_shared;
}

/* Add the caches of a core but those of the first level. One that cores share counts at the first of them. */
static void add_caches(const char *folder, long core, uint64_t *bytes)
{
    long level = 0, first = 0;
    for (int index = 0; level >= 0; index++) {
        char cache[256], unit = 0;
        uint64_t size = 0;
        snprintf(cache, sizeof cache, "%s/cpu%ld/cache/index%d", folder, core, index);
        level = scan(cache, "level", "%ld", &level) == 1 ? level : -1;
        if (level > 1 && scan(cache, "shared_cpu_list", "%ld", &first) == 1 && first == core &&
            scan(cache, "size", "%" SCNu64 "%c", &size, &unit) > 0) { /* "2048K" */
            *bytes += size * (unit == 'M' ? 1 << 20 : unit == 'K' ? 1 << 10 : 1);
        }
    }
}

void td_describe_processors(const char *folder, td_environment *environment)
{
    int off = 0;
    environment->cpu_cache_bytes = 0;
    for (long core = 0; core < sysconf(_SC_NPROCESSORS_CONF); core++) {
        add_caches(folder, core, &environment->cpu_cache_bytes);
    }
    (void)scan(folder, "cpu0/cpufreq/scaling_governor", "%31s", environment->cpu_governor);
    environment->cpu_turbo = -1;
    if (scan(folder, "intel_pstate/no_turbo", "%d", &off) == 1) {
        environment->cpu_turbo = off == 0;
    } else {
        (void)scan(folder, "cpufreq/boost", "%d", &environment->cpu_turbo);
    }
}

void td_describe_host(td_environment *environment)
{
    struct utsname names;
    unsigned running = 0; /* this process included */
    if (uname(&names) == 0) {
        snprintf(environment->host, sizeof environment->host, "%s", names.nodename);
        snprintf(environment->kernel, sizeof environment->kernel, "%s", names.release);
    }
    environment->memory_bytes = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
    environment->load = environment->running = -1.0;
    if (scan("/proc", "loadavg", "%lf %*f %*f %u", &environment->load, &running) == 2) {
        environment->running = running - 1.0;
    }
    environment->cpu_cores = (uint32_t)sysconf(_SC_NPROCESSORS_ONLN);
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
    char path[640], files[32];
    double most = 0.0, used = 0.0;
    if (scan(folder, v1 ? "memory.limit_in_bytes" : "memory.max", "%lf", &most) != 1 ||
        scan(folder, v1 ? "memory.usage_in_bytes" : "memory.current", "%lf", &used) != 1) {
        return; /* "max", or no such file */
    }
    snprintf(path, sizeof path, "%s/memory.stat", folder);
    read_value(path, "inactive_file", ' ', files, sizeof files);
    const double left = fmax(0.0, most - used + strtod(files, NULL));
    *free_bytes = (uint64_t)fmin(left, (double)*free_bytes);
}

/* NOLINTEND(cert-err34-c) */

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
