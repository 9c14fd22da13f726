#include "host.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "engine/core/error.h"

/* The value behind `key` in a file of "key<separator>value" lines, without quotes. */
static void read_value(const char *path, const char *key, char separator, char *value, size_t size)
{
    char line[512];
    FILE *file = fopen(path, "re");
    if (file == NULL) {
        return;
    }
    while (value[0] == '\0' && fgets(line, sizeof line, file) != NULL) {
        char *at = strchr(line, separator);
        if (strncmp(line, key, strlen(key)) == 0 && at != NULL) {
            at += 1 + strspn(at + 1, " \t\"");
            at[strcspn(at, "\"\n")] = '\0';
            snprintf(value, size, "%s", at);
        }
    }
    fclose(file);
}

/* What the kernel says of a cache of a core, as a text that begins with a number; 0 where there is no such cache. */
static unsigned long read_cache(long core, int index, const char *fact, char *unit)
{
    char path[96], text[32] = "";
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%ld/cache/index%d/%s", core, index,
             fact);
    FILE *file = fopen(path, "re");
    if (file == NULL || fgets(text, sizeof text, file) == NULL) {
        text[0] = '\0';
    }
    if (file != NULL) {
        fclose(file);
    }
    char *end = text;
    const unsigned long value = strtoul(text, &end, 10);
    *unit = *end;
    return value;
}

/* All caches behind the first level; one that cores share is counted at the first of them. */
static uint64_t cache_bytes(void)
{
    const long cores = sysconf(_SC_NPROCESSORS_CONF);
    uint64_t bytes = 0;
    for (long core = 0; core < cores; core++) {
        unsigned long level = 0;
        char unit;
        for (int index = 0; (level = read_cache(core, index, "level", &unit)) > 0; index++) {
            if (level > 1 &&
                read_cache(core, index, "shared_cpu_list", &unit) == (unsigned long)core) {
                const uint64_t size = read_cache(core, index, "size", &unit);
                bytes += size << (unit == 'M' ? 20 : unit == 'K' ? 10 : 0);
            }
        }
    }
    return bytes;
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
    if (getloadavg(&environment->load, 1) != 1) {
        environment->load = -1.0;
    }
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    environment->cpu_cores = cores > 0 ? (uint32_t)cores : 0;
    environment->cpu_cache_bytes = cache_bytes();
    environment->os[0] = '\0';
    environment->cpu_model[0] = '\0';
    read_value("/etc/os-release", "PRETTY_NAME", '=', environment->os, sizeof environment->os);
    read_value("/proc/cpuinfo", "model name", ':', environment->cpu_model,
               sizeof environment->cpu_model);
}

td_status td_host_free_memory(td_engine *engine, uint64_t *free_bytes, td_error *error)
{
    (void)engine;
    char line[128];
    unsigned long long kib = 0;
    FILE *file = fopen("/proc/meminfo", "re");
    if (file == NULL) {
        return td_fail(error, TD_FAILED, "cannot read /proc/meminfo: %s", strerror(errno));
    }
    while (fgets(line, sizeof line, file) != NULL &&
           /* NOLINTNEXTLINE(cert-err34-c): the kernel writes this number */
           sscanf(line, "MemAvailable: %llu kB", &kib) != 1) {
    }
    fclose(file);
    *free_bytes = (uint64_t)kib * 1024;
    return TD_OK;
}

td_status td_host_allocate(td_engine *engine, uint64_t bytes, void **memory, td_error *error)
{
    (void)engine;
    const uint64_t pages = (bytes + TD_HOST_PAGE_BYTES - 1) / TD_HOST_PAGE_BYTES + (bytes == 0);
    *memory = aligned_alloc(TD_HOST_PAGE_BYTES, pages * TD_HOST_PAGE_BYTES);
    return *memory != NULL ? TD_OK
                           : td_fail(error, TD_NO_MEMORY, "cannot allocate %llu bytes on the host",
                                     (unsigned long long)bytes);
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
