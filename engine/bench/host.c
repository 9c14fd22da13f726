/* host.c - the host's part of the environment of a record. */
#include <stdio.h>
#include <string.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "engine/engine.h"

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
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    environment->cpu_cores = cores > 0 ? (uint32_t)cores : 0;
    environment->os[0] = '\0';
    environment->cpu_model[0] = '\0';
    read_value("/etc/os-release", "PRETTY_NAME", '=', environment->os, sizeof environment->os);
    read_value("/proc/cpuinfo", "model name", ':', environment->cpu_model,
               sizeof environment->cpu_model);
}
