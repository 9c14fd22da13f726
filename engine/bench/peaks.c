#include "peaks.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/compile/cache.h"
#include "engine/core/clock.h"
#include "engine/core/error.h"
#include "engine/host.h"

typedef struct measurement {
    td_engine *engine;
    td_environment *environment;
    bool done;
    td_status status; /* the engine's; `error` has its sentence */
    td_error error;
} measurement;

/* All values in a file of kept peaks, in its order. */
enum { KEPT = 9 };

static void kept_of(td_environment *e, double *kept[KEPT])
{
    double *const all[KEPT] = {&e->peaks_unix_s,   &e->fill_gb_per_s,   &e->copy_gb_per_s,
                               &e->fill_bytes,     &e->copy_bytes,      &e->fp32_gop_per_s,
                               &e->fp64_gop_per_s, &e->int32_gop_per_s, &e->empty_kernel_ms};
    memcpy(kept, all, sizeof all);
}

static td_status measure(td_engine *engine, td_environment *environment, td_error *error)
{
    const td_engine_ops *ops = engine->ops;
    environment->peaks_unix_s = td_unix_s();
    if (ops->peak_bandwidth != NULL) {
        TRY(ops->peak_bandwidth(engine, environment, error));
    }
    if (ops->peak_arithmetic != NULL) {
        TRY(ops->peak_arithmetic(engine, environment, error));
    }
    return ops->timer_floor != NULL ? ops->timer_floor(engine, environment, error) : TD_OK;
}

/* False if the file does not hold all values. */
static bool read_kept(int fd, td_environment *environment)
{
    double *kept[KEPT];
    FILE *file = fdopen(fd, "r");
    td_environment found = *environment;
    int count = 0;
    kept_of(&found, kept);
    if (file == NULL) {
        close(fd);
        return false;
    }
    while (count < KEPT && fscanf(file, "%lf", kept[count]) == 1) { /* NOLINT(cert-err34-c) */
        count++;
    }
    fclose(file);
    if (count == KEPT) {
        *environment = found;
    }
    return count == KEPT;
}

/* A bandwidth is missing if memory was short, which says nothing about the device. */
static bool is_whole(const td_engine_ops *ops, const td_environment *e)
{
    return ops->peak_bandwidth == NULL || (e->fill_gb_per_s > 0 && e->copy_gb_per_s > 0);
}

/* Measures, and writes the file that td_cache_open keeps; called if nothing is kept yet. */
static td_status make(void *context, const char *path, td_error *error)
{
    measurement *m = context;
    double *kept[KEPT];
    m->done = true;
    m->status = measure(m->engine, m->environment, &m->error);
    const td_engine_ops *ops = m->engine->ops;
    if (m->status != TD_OK || !is_whole(ops, m->environment) ||
        (!ops->can.device_memory && td_host_is_busy(m->environment))) {
        return td_fail(error, TD_FAILED, "nothing that could be kept");
    }
    FILE *file = fopen(path, "wxe");
    if (file == NULL) {
        return td_fail(error, TD_FAILED, "cannot write '%s'", path);
    }
    kept_of(m->environment, kept);
    for (int i = 0; i < KEPT; i++) {
        fprintf(file, "%.17g\n", *kept[i]);
    }
    const bool failed = ferror(file) != 0;
    return fclose(file) == 0 && !failed ? TD_OK : td_fail(error, TD_FAILED, "cannot write");
}

/* The digest of everything that the peaks depend on; false if the boot id is unknown. */
static bool identify(const td_engine_ops *ops, const td_environment *e, td_digest *digest)
{
    char boot[64] = "", text[1024];
    struct stat program;
    FILE *file = fopen("/proc/sys/kernel/random/boot_id", "re");
    const bool known = file != NULL && fgets(boot, sizeof boot, file) != NULL;
    if (file != NULL) {
        fclose(file);
    }
    if (!known || stat("/proc/self/exe", &program) != 0) {
        return false;
    }
    snprintf(text, sizeof text, "peaks|%s|%lld|%lld|%lld|%s|%s|%s|%s|%u|%u|%s|%u|%llu|%s|%d", boot,
             (long long)program.st_ino, (long long)program.st_size, (long long)program.st_mtime,
             ops->name, e->host, e->cpu_model, e->cpu_isa, e->cpu_cores, e->cpu_threads,
             e->gpu_uuid, e->sms, (unsigned long long)e->gpu_memory_bytes, e->driver_name,
             e->runtime_version);
    *digest = td_digest_of(text, strlen(text));
    return true;
}

td_status td_peaks_measure(td_engine *engine, bool anew, td_environment *environment,
                           td_error *error)
{
    measurement m = {.engine = engine, .environment = environment};
    td_error ignored;
    td_digest digest;
    int fd = -1;
    if (engine->ops->peak_bandwidth == NULL && engine->ops->peak_arithmetic == NULL) {
        return TD_OK;
    }
    if (!anew && identify(engine->ops, environment, &digest) &&
        td_cache_open(digest, ".peaks", true, make, &m, &fd, &ignored) == TD_OK &&
        read_kept(fd, environment)) {
        return TD_OK;
    }
    if (!m.done) {
        m.status = measure(engine, environment, &m.error);
    }
    if (m.status != TD_OK) {
        *error = m.error;
    }
    return m.status;
}
