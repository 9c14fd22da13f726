/* device.c - finds and describes CUDA devices, and turns the failure of a CUDA call into a sentence. */
#include "cuda.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/core/process.h"

td_status td_cuda_status(cudaError_t code, const char *call, const char *file, int line,
                         td_error *error)
{
    if (code == cudaSuccess) {
        return TD_OK;
    }
    const char *base = strrchr(file, '/');
    const td_status status = code == cudaErrorMemoryAllocation ? TD_NO_MEMORY : TD_FAILED;
    cudaGetLastError(); /* clears a non-sticky error, so that the next call is checked by itself */
    return td_fail(error, status, "%s: %s (%s:%d: %.120s)", cudaGetErrorName(code),
                   cudaGetErrorString(code), base != NULL ? base + 1 : file, line, call);
}

/* "GPU-xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx", as nvidia-smi prints it. */
static void format_uuid(const cudaUUID_t *uuid, char *text, size_t size)
{
    const unsigned char *b = (const unsigned char *)uuid->bytes;
    snprintf(text, size, "GPU-%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x",
             b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13],
             b[14], b[15]);
}

static bool is_number(const char *word)
{
    return word[0] != '\0' && strspn(word, "0123456789") == strlen(word) && strlen(word) < 6;
}

static td_status pick_by_uuid(const char *wanted, int count, int *ordinal, td_error *error)
{
    for (int i = 0; i < count; i++) {
        struct cudaDeviceProp properties;
        char uuid[64];
        TRY_CUDA(error, cudaGetDeviceProperties(&properties, i));
        format_uuid(&properties.uuid, uuid, sizeof uuid);
        if (strcasecmp(uuid + strlen("GPU-"), wanted + strlen("GPU-")) == 0) { /* or "MIG-" */
            *ordinal = i;
            return TD_OK;
        }
    }
    return td_fail(error, TD_UNAVAILABLE, "no CUDA device has the UUID '%s'", wanted);
}

td_status td_cuda_pick(const char *wanted, int *ordinal, td_error *error)
{
    int count = 0;
    const cudaError_t code = cudaGetDeviceCount(&count);
    if (code != cudaSuccess || count == 0) {
        cudaGetLastError();
        return td_fail(error, TD_UNAVAILABLE, "no CUDA device: %s",
                       code != cudaSuccess ? cudaGetErrorString(code) : "none found");
    }
    if (wanted != NULL && !is_number(wanted)) {
        return pick_by_uuid(wanted, count, ordinal, error);
    }
    *ordinal = wanted != NULL ? atoi(wanted) : 0;
    if (*ordinal >= count) {
        return td_fail(error, TD_UNAVAILABLE,
                       "--device %s: there %s %d CUDA device%s, numbered from 0", wanted,
                       count == 1 ? "is" : "are", count, count == 1 ? "" : "s");
    }
    return TD_OK;
}

/* Multiply-adds that an SM starts per cycle, one per lane; of tensor cores, dense bf16 summed in float32, where known.
 * Sources: CUDA C++ Programming Guide, "Arithmetic Instructions"; NVIDIA's white papers on the A100 and the H100. */
typedef struct lanes {
    int major, minor;
    double fp32, fp64, tensor;
} lanes;

static lanes lanes_of(int major, int minor)
{
    static const lanes known[] = {{6, 0, 64, 32, 0},   {6, 1, 128, 4, 0},    {7, 0, 64, 32, 0},
                                  {7, 5, 64, 2, 0},    {8, 0, 64, 32, 1024}, {8, 6, 128, 2, 0},
                                  {8, 7, 128, 2, 0},   {8, 9, 128, 2, 0},    {9, 0, 128, 64, 2048},
                                  {10, 0, 128, 64, 0}, {12, 0, 128, 2, 0},   {12, 1, 128, 2, 0}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (known[i].major == major && known[i].minor == minor) {
            return known[i];
        }
    }
    return (lanes){0};
}

/* An SM starts at most 128 integer instructions per cycle, each with up to two operations. */
static td_status bound_arithmetic(int device, td_environment *environment, td_error *error)
{
    const double integer_lanes = 128.0;
    const lanes l = lanes_of(environment->compute_major, environment->compute_minor);
    int khz = 0;
    TRY_CUDA(error, cudaDeviceGetAttribute(&khz, cudaDevAttrClockRate, device));
    const double gop_per_lane = 2.0 * khz * environment->sms * 1e-6;
    environment->peaks.fp32_gop_per_s = gop_per_lane * l.fp32;
    environment->peaks.fp64_gop_per_s = gop_per_lane * l.fp64;
    environment->peaks.tensor_gop_per_s = gop_per_lane * l.tensor;
    environment->peaks.int32_gop_per_s = l.fp32 > 0 ? gop_per_lane * integer_lanes : 0.0;
    return TD_OK;
}

td_status td_cuda_facts(int device, td_environment *environment, td_error *error)
{
    struct cudaDeviceProp p;
    TRY_CUDA(error, cudaGetDeviceProperties(&p, device));
    environment->has_gpu = true;
    snprintf(environment->gpu_name, sizeof environment->gpu_name, "%.127s", p.name);
    format_uuid(&p.uuid, environment->gpu_uuid, sizeof environment->gpu_uuid);
    TRY_CUDA(error, cudaDeviceGetPCIBusId(environment->gpu_pci_id,
                                          (int)sizeof environment->gpu_pci_id, device));
    environment->compute_major = p.major;
    environment->compute_minor = p.minor;
    environment->sms = (uint32_t)p.multiProcessorCount;
    environment->gpu_memory_bytes = p.totalGlobalMem;
    environment->l2_bytes = (uint64_t)p.l2CacheSize;
    environment->ecc = p.ECCEnabled;
    TRY_CUDA(error, cudaDriverGetVersion(&environment->driver_version));
    TRY_CUDA(error, cudaRuntimeGetVersion(&environment->runtime_version));
    return bound_arithmetic(device, environment, error);
}

/* The findings of a child process, in memory that it shares with its parent. */
typedef struct search {
    size_t count; /* set last */
    td_error error;
    td_environment devices[]; /* as many as were asked for */
} search;

static void look(search *found, size_t capacity)
{
    int count = 0, ordinal;
    if (td_cuda_pick(NULL, &ordinal, &found->error) != TD_OK ||
        TD_CUDA(&found->error, cudaGetDeviceCount(&count)) != TD_OK) {
        return;
    }
    for (int i = 0; i < count && (size_t)i < capacity; i++) {
        found->devices[i].ordinal = (uint32_t)i;
        td_cuda_facts(i, &found->devices[i], NULL);
    }
    found->count = (size_t)count;
}

/* CUDA does not survive a fork, so this process must not touch the runtime before workers are forked. A child looks
 * instead. */
size_t td_cuda_devices(td_environment *devices, size_t capacity, td_error *why)
{
    const size_t bytes = sizeof(search) + capacity * sizeof *devices;
    search *found = NULL;
    if (td_allocate_shared(&found, bytes, "the search for devices", why) != TD_OK) {
        return 0;
    }
    td_fail(&found->error, TD_UNAVAILABLE,
            "the CUDA runtime ended the process that looked for devices");
    const pid_t child = fork();
    if (child == 0) {
        look(found, capacity);
        _exit(0);
    }
    if (child < 0) {
        td_fail(&found->error, TD_UNAVAILABLE, "cannot start a process to look for devices");
    } else {
        waitpid(child, NULL, 0);
    }
    const size_t count = found->count;
    *why = found->error;
    for (size_t i = 0; i < count && i < capacity; i++) {
        devices[i] = found->devices[i];
    }
    munmap(found, bytes);
    return count;
}

bool td_cuda_usable(td_error *why)
{
    return td_cuda_devices(NULL, 0, why) > 0;
}

/* CUDA needs this file, and a variable hides all GPUs when it is empty or "-1". */
bool td_cuda_likely(void)
{
    const char *visible = getenv("CUDA_VISIBLE_DEVICES");
    return (visible == NULL || isalnum((unsigned char)visible[0])) &&
           access("/dev/nvidia-uvm", R_OK | W_OK) == 0;
}
