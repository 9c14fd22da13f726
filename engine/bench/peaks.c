#include "peaks.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/compile/cache.h"
#include "engine/core/clock.h"
#include "engine/core/error.h"
#include "engine/core/pipe.h"
#include "engine/host.h"

typedef struct measurement {
    td_engine *engine;
    td_environment *environment;
    bool done;
    td_status status; /* the engine's; `error` has its sentence */
    td_error error;
} measurement;

static td_status measure(td_engine *engine, td_environment *environment, td_error *error)
{
    const td_engine_ops *ops = engine->ops;
    environment->peaks.unix_s = td_unix_s();
    if (ops->peak_bandwidth != NULL) {
        TRY(ops->peak_bandwidth(engine, environment, error));
    }
    if (ops->peak_arithmetic != NULL) {
        TRY(ops->peak_arithmetic(engine, environment, error));
    }
    return TD_OK;
}

/* Read the file, and close it; false if it is too short. */
static bool read_kept(int fd, td_peaks *peaks)
{
    td_peaks found;
    const bool complete = td_pipe_get(fd, &found, sizeof found);
    close(fd);
    *peaks = complete ? found : *peaks;
    return complete;
}

/* A bandwidth is missing if memory was short, which says nothing about the device. */
static bool is_whole(const td_engine_ops *ops, const td_peaks *peaks)
{
    return ops->peak_bandwidth == NULL || (peaks->fill_gb_per_s > 0 && peaks->copy_gb_per_s > 0);
}

/* Measures, and writes the file that td_cache_open keeps; called if nothing is kept yet. */
static td_status make(void *context, const char *path, td_error *error)
{
    measurement *m = context;
    m->done = true;
    m->status = measure(m->engine, m->environment, &m->error);
    const td_engine_ops *ops = m->engine->ops;
    const td_peaks *peaks = &m->environment->peaks;
    if (m->status != TD_OK || !is_whole(ops, peaks) ||
        (!ops->can.device_memory && td_host_is_busy(m->environment))) {
        return td_fail(error, TD_FAILED, "nothing that could be kept");
    }
    const int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    const bool is_written = fd >= 0 && td_pipe_put(fd, peaks, sizeof *peaks);
    return fd >= 0 && close(fd) == 0 && is_written
               ? TD_OK
               : td_fail(error, TD_FAILED, "cannot write '%s'", path);
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
        read_kept(fd, &environment->peaks)) {
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
