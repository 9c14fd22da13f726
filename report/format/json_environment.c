/* json_environment.c - the machine, the device and the build as a JSON object. */
#include "json_environment.h"

#include <math.h>
#include <stdio.h>

#include "report/build.h"

static void add_host(td_json_object environment, const td_environment *e)
{
    const td_json_object host = td_json_add_object(environment, "host");
    td_json_add_text(host, "name", e->host);
    td_json_add_text(host, "os", e->os);
    td_json_add_text(host, "kernel", e->kernel);
    const td_json_object cpu = td_json_add_object(environment, "cpu");
    td_json_add_text(cpu, "model", e->cpu_model);
    td_json_add_known_u64(cpu, "cores", e->cpu_cores);
    td_json_add_known_u64(cpu, "threads", e->cpu_threads);
    td_json_add_known_u64(cpu, "memory_bytes", e->memory_bytes);
}

/* "13.0" from CUDA's 13000; null from 0. */
static void add_cuda_version(td_json_object object, const char *name, int version)
{
    char text[32] = "";
    if (version > 0) {
        snprintf(text, sizeof text, "%d.%d", version / 1000, version % 1000 / 10);
    }
    td_json_add_text(object, name, text);
}

static void add_gpu(td_json_object environment, const td_environment *e)
{
    if (!e->has_gpu) {
        td_json_add_null(environment, "gpu");
        return;
    }
    char capability[32];
    snprintf(capability, sizeof capability, "%d.%d", e->compute_major, e->compute_minor);
    const td_json_object gpu = td_json_add_object(environment, "gpu");
    td_json_add_text(gpu, "name", e->gpu_name);
    td_json_add_text(gpu, "uuid", e->gpu_uuid);
    td_json_add_text(gpu, "pci_id", e->gpu_pci_id);
    td_json_add_text(gpu, "compute_capability", capability);
    td_json_add_known_u64(gpu, "sms", e->sms);
    td_json_add_known_u64(gpu, "memory_bytes", e->gpu_memory_bytes);
    td_json_add_known_u64(gpu, "l2_bytes", e->l2_bytes);
    if (e->ecc >= 0) {
        td_json_add_bool(gpu, "ecc", e->ecc == 1);
    } else {
        td_json_add_null(gpu, "ecc");
    }
    td_json_add_text(gpu, "driver", e->driver_name);
    add_cuda_version(gpu, "runtime", e->runtime_version);
}

static void add_rate(td_json_object ceilings, const char *name, double gb_per_s)
{
    td_json_add_double(ceilings, name, gb_per_s > 0 ? gb_per_s : NAN, TD_DIGITS_MEASURED);
}

static void add_build(td_json_object environment)
{
    const td_json_object build = td_json_add_object(environment, "build");
    td_json_add_text(build, "compiler", td_build()->compiler);
    td_json_add_text(build, "flags", td_build()->flags);
    td_json_add_text(build, "cuda", td_build()->cuda);
    td_json_add_text(build, "git_commit", td_build()->commit);
}

void td_json_add_environment(td_json_object object, const td_environment *e)
{
    const td_json_object environment = td_json_add_object(object, "environment");
    add_host(environment, e);
    add_gpu(environment, e);
    const td_json_object ceilings = td_json_add_object(environment, "ceilings");
    add_rate(ceilings, "fill_gb_per_s", e->fill_gb_per_s);
    add_rate(ceilings, "copy_gb_per_s", e->copy_gb_per_s);
    add_build(environment);
}
