#include "processors.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH_SIZE = 512, LIST_SIZE = 4096, MOST_CACHES = 8 };

/* The first line of a file; false if there is none. */
static bool read_line(const char *folder, const char *file, char *text, size_t size)
{
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s/%s", folder, file);
    FILE *opened = fopen(path, "re");
    const bool is_read = opened != NULL && fgets(text, (int)size, opened) != NULL;
    if (opened != NULL) {
        fclose(opened);
    }
    text[is_read ? strcspn(text, "\n") : 0] = '\0';
    return is_read;
}

static bool read_cache(const char *folder, long core, int index, const char *fact, char *text,
                       size_t size)
{
    char name[96];
    snprintf(name, sizeof name, "cpu%ld/cache/index%d/%s", core, index, fact);
    return read_line(folder, name, text, size);
}

/* Marks the cores of a list such as "0-3,64-67". */
static void mark(const char *list, bool *marked, long cores)
{
    char *end = NULL;
    for (const char *at = list; *at != '\0'; at = *end == ',' ? end + 1 : end) {
        const long first = strtol(at, &end, 10);
        if (end == at) {
            return;
        }
        const long last = *end == '-' ? strtol(end + 1, &end, 10) : first;
        for (long core = first; core >= 0 && core <= last && core < cores; core++) {
            marked[core] = true;
        }
    }
}

/* Parses a size such as "2048K". */
static uint64_t bytes_of(const char *text)
{
    char *unit = NULL;
    const uint64_t size = strtoull(text, &unit, 10);
    return size << (*unit == 'M' ? 20 : *unit == 'K' ? 10 : 0);
}

/* Total size of the caches with this index in sysfs. A cache that cores share is read at the first of them only: a
 * large host has thousands of these files. */
static uint64_t bytes_at(const char *folder, int index, bool *counted, long cores)
{
    uint64_t bytes = 0;
    char text[LIST_SIZE];
    memset(counted, 0, (size_t)cores * sizeof *counted);
    for (long core = 0; core < cores; core++) {
        if (!counted[core] &&
            read_cache(folder, core, index, "shared_cpu_list", text, sizeof text)) {
            mark(text, counted, cores);
            read_cache(folder, core, index, "size", text, sizeof text);
            bytes += bytes_of(text);
        }
    }
    return bytes;
}

/* All caches beyond the first level. Assumes that all cores have the cache levels of the first one. */
static uint64_t cache_bytes(const char *folder)
{
    const long cores = sysconf(_SC_NPROCESSORS_CONF);
    bool *counted = cores > 0 ? calloc((size_t)cores, sizeof *counted) : NULL;
    uint64_t bytes = 0;
    for (int index = 0; counted != NULL && index < MOST_CACHES; index++) {
        char level[32];
        if (read_cache(folder, 0, index, "level", level, sizeof level) &&
            strtol(level, NULL, 10) > 1) {
            bytes += bytes_at(folder, index, counted, cores);
        }
    }
    free(counted);
    return bytes;
}

void td_describe_processors(const char *folder, td_environment *environment)
{
    char text[32];
    environment->cpu_cache_bytes = cache_bytes(folder);
    read_line(folder, "cpu0/cpufreq/scaling_governor", environment->cpu_governor,
              sizeof environment->cpu_governor);
    environment->cpu_turbo = -1;
    if (read_line(folder, "intel_pstate/no_turbo", text, sizeof text)) {
        environment->cpu_turbo = text[0] == '0';
    } else if (read_line(folder, "cpufreq/boost", text, sizeof text)) {
        environment->cpu_turbo = text[0] == '1';
    }
}
