/* own_kernels.c - the kernels of workloads given as files: compiled for this device and loaded. A profiler shows them
 * as WORKLOAD_MAP_KIND, such as rbf_ltm_r_packed. */
#include "cuda.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/compile/cache.h"
#include "engine/compile/device_compiler.h"
#include "engine/core/own.h"
#include "own_source.h"

#if CUDART_VERSION < 12080 /* it cannot load kernels: td_cuda_own_load says so */
typedef void *cudaLibrary_t, *cudaKernel_t;
static cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t *library, const char *path, ...)
{
    (void)path;
    *library = NULL;
    return cudaErrorNotSupported;
}
static cudaError_t cudaLibraryGetKernel(cudaKernel_t *kernel, cudaLibrary_t library,
                                        const char *name)
{
    (void)library;
    (void)name;
    *kernel = NULL;
    return cudaErrorNotSupported;
}
static cudaError_t cudaLibraryUnload(cudaLibrary_t library)
{
    (void)library;
    return cudaErrorNotSupported;
}
#endif

typedef struct td_cuda_own {
    const td_workload *workload;
    td_kernels kernels;
    cudaLibrary_t library;
    struct td_cuda_own *next;
} td_cuda_own;

const td_kernels *td_cuda_own_kernels(const td_cuda_engine *cuda, const td_workload *workload)
{
    for (const td_cuda_own *own = cuda->own; own != NULL; own = own->next) {
        if (own->workload->own == workload->own) {
            return &own->kernels;
        }
    }
    return NULL;
}

void td_cuda_own_close(td_cuda_engine *cuda)
{
    while (cuda->own != NULL) {
        td_cuda_own *own = cuda->own;
        cuda->own = own->next;
        if (own->library != NULL) {
            cudaLibraryUnload(own->library);
        }
        free(own);
    }
}

/* ---- compiling ---- */

typedef struct job {
    const td_device_compiler *compiler;
    td_device_unit unit;
    const td_workload *workload;
} job;

/* Add all headers of this program that a unit may include. */
static td_digest add_headers(td_digest digest, const char *folder)
{
    char pattern[PATH_MAX + 128];
    glob_t found = {0};
    snprintf(
        pattern, sizeof pattern,
        "%s/{strategies/*.h,workloads/*.*h,workloads/automata/*.h,engine/cuda/{,kernels/}*.*h}",
        folder);
    if (glob(pattern, GLOB_BRACE, NULL, &found) == 0) {
        for (size_t i = 0; i < found.gl_pathc; i++) {
            digest = td_digest_word(digest, found.gl_pathv[i]);
            digest = td_digest_file(digest, found.gl_pathv[i]);
        }
    }
    globfree(&found);
    return digest;
}

static td_digest digest_of(const job *j)
{
    const td_own *own = j->workload->own;
    td_digest digest = td_device_unit_digest(j->compiler, &j->unit);
    digest = td_digest_more(digest, &own->digest, sizeof own->digest);
    return add_headers(digest, own->headers);
}

static td_status make_cubin(void *context, const char *path, td_error *error)
{
    const job *j = context;
    td_error why;
    const td_status status = td_device_compile(j->compiler, &j->unit, path, &why);
    return status == TD_OK
               ? TD_OK
               : td_fail(error, status, "--workload: %.160s: %s", j->workload->own->path, why.text);
}

/* ---- loading ---- */

static td_status load_library(td_cuda_own *own, int fd, td_error *error)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    return TD_CUDA(error,
                   cudaLibraryLoadFromFile(&own->library, path, NULL, NULL, 0, NULL, NULL, 0));
}

static td_status find_kernels(td_cuda_own *own, const bool *wanted, td_error *error)
{
    const void **table = (const void **)&own->kernels;
    for (uint32_t place = 0; place < TD_KERNEL_PLACES; place++) {
        if (wanted[place]) {
            char symbol[TD_OWN_SYMBOL_SIZE];
            cudaKernel_t kernel = NULL;
            td_own_symbol(own->workload, place, symbol);
            TRY_CUDA(error, cudaLibraryGetKernel(&kernel, own->library, symbol));
            table[place] = (const void *)kernel;
        }
    }
    return TD_OK;
}

static td_status compile_and_load(td_cuda_own *own, const td_device_compiler *compiler,
                                  const bool *wanted, const td_environment *device, td_error *error)
{
    const td_own *from = own->workload->own;
    char name[96];
    char *text = td_own_source(own->workload, wanted);
    if (text == NULL) {
        return td_fail(error, TD_NO_MEMORY, "not enough memory for the kernels of %s", from->id);
    }
    snprintf(name, sizeof name, "%s.cu", from->id);
    job j = {compiler,
             {text, name, from->headers, device->compute_major, device->compute_minor},
             own->workload};
    int fd = -1;
    td_status status = td_cache_open(digest_of(&j), ".cubin", make_cubin, &j, &fd, error);
    if (status == TD_OK) {
        status = load_library(own, fd, error);
        close(fd);
    }
    free(text);
    return status == TD_OK ? find_kernels(own, wanted, error) : status;
}

/* ---- what is needed ---- */

static void want(const td_execution *execution, bool *wanted)
{
    for (size_t i = 0; i < execution->plan->count; i++) {
        const td_form form = td_cuda_form(execution, &execution->plan->launches[i]);
        wanted[td_kernel_place(form, execution->strategy->id)] = true;
    }
}

static td_status add(td_cuda_engine *cuda, const td_device_compiler *compiler,
                     const td_workload *workload, const bool *wanted, td_error *error)
{
    td_environment device = {0};
    TRY(td_cuda_facts(cuda->device, &device, error));
    td_cuda_own *own = NULL;
    TRY(td_allocate(&own, 1, sizeof *own, error, "the kernels of %s", workload->name));
    own->workload = workload;
    own->next = cuda->own;
    cuda->own = own;
    return compile_and_load(own, compiler, wanted, &device, error);
}

td_status td_cuda_own_load(td_engine *engine, const td_execution *executions, size_t count,
                           td_error *error)
{
    td_cuda_engine *cuda = td_cuda_of(engine);
    td_device_compiler compiler;
    if (CUDART_VERSION < 12080) {
        return td_fail(error, TD_UNAVAILABLE,
                       "a workload from a file needs a tribench built with CUDA 12.8 or later");
    }
    td_status status = td_device_compiler_find(&compiler, error);
    for (size_t first = 0; status == TD_OK && first < count; first++) {
        const td_workload *workload = executions[first].workload;
        bool wanted[TD_KERNEL_PLACES] = {false};
        if (td_cuda_own_kernels(cuda, workload) != NULL) {
            continue;
        }
        for (size_t e = first; e < count; e++) {
            if (executions[e].workload->own == workload->own) {
                want(&executions[e], wanted);
            }
        }
        wanted[td_kernel_place(TD_CHECK_CELLS, 0)] = workload->own->has_check;
        wanted[td_kernel_place(TD_PLAIN_CELLS, 0)] =
            !workload->own->has_check && workload->own->loop != NULL;
        status = add(cuda, &compiler, workload, wanted, error);
    }
    td_device_compiler_close(&compiler);
    return status;
}
