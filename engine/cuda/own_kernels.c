/* own_kernels.c - the kernels of workloads and maps given as files: compiled for this device and loaded. A profiler
 * shows them as WORKLOAD_MAP_KIND, such as rbf_ltm_r_packed. */
#include "cuda.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/compile/cache.h"
#include "engine/compile/device_compiler.h"
#include "engine/compile/own_file.h"
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
    td_own_kernels of;
    td_kernels kernels;
    cudaLibrary_t library;
    struct td_cuda_own *next;
} td_cuda_own;

/* The part of a pair that is from a file or, under a map from a file, any workload. */
static td_own_kernels own_part(const td_workload *workload, const td_strategy *strategy)
{
    const bool own_map = strategy != NULL && strategy->own != NULL;
    const bool any = own_map || (workload != NULL && workload->own != NULL);
    return (td_own_kernels){any ? workload : NULL, own_map ? strategy : NULL};
}

/* Whether two workloads have the same kernels. */
static bool is_same(const td_workload *a, const td_workload *b)
{
    return a == b ||
           (a != NULL && b != NULL &&
            (a->own != NULL || b->own != NULL ? a->own == b->own
                                              : td_workload_id(a) == td_workload_id(b) &&
                                                    td_workload_row(a) == td_workload_row(b)));
}

const td_kernels *td_cuda_own_kernels(const td_cuda_engine *cuda, const td_workload *workload,
                                      const td_strategy *strategy)
{
    const td_own_kernels of = own_part(workload, strategy);
    for (const td_cuda_own *own = cuda->own; own != NULL; own = own->next) {
        if (is_same(own->of.workload, of.workload) && own->of.strategy == of.strategy) {
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
    const td_own_kernels *of;
} job;

/* Add all headers of this program that a unit may include. */
static td_digest add_headers(td_digest digest, const char *folder)
{
    char pattern[PATH_MAX + 128];
    glob_t found = {0};
    snprintf(pattern, sizeof pattern,
             "%s/{strategies/*.h,workloads/{,*/,*/*/}*.*h,engine/cuda/{,kernels/}*.*h}", folder);
    if (glob(pattern, GLOB_BRACE, NULL, &found) == 0) {
        for (size_t i = 0; i < found.gl_pathc; i++) {
            digest = td_digest_word(digest, found.gl_pathv[i]);
            digest = td_digest_file(digest, found.gl_pathv[i]);
        }
    }
    globfree(&found);
    return digest;
}

/* The file whose kernels they are: the map's, or else the workload's. */
static const char *path_of(const td_own_kernels *of)
{
    return of->strategy != NULL ? of->strategy->own->path : of->workload->own->path;
}

static td_digest digest_of(const job *j)
{
    const td_own *own = j->of->workload != NULL ? j->of->workload->own : NULL;
    td_digest digest = td_device_unit_digest(j->compiler, &j->unit);
    if (own != NULL) {
        digest = td_digest_more(digest, &own->digest, sizeof own->digest);
    }
    if (j->of->strategy != NULL) {
        const td_digest *map = &j->of->strategy->own->digest;
        digest = td_digest_more(digest, map, sizeof *map);
    }
    return add_headers(digest, j->unit.headers);
}

/* The compiler has read the files again: were they changed, the digest in the key would lie. */
static td_status check_files(const td_own_kernels *of, td_error *error)
{
    const td_own *own = of->workload != NULL ? of->workload->own : NULL;
    const td_own_map *map = of->strategy != NULL ? of->strategy->own : NULL;
    if (own != NULL) {
        TRY(td_own_file_check(own->path, own->digest, error));
    }
    return map != NULL ? td_own_file_check(map->path, map->digest, error) : TD_OK;
}

static td_status make_cubin(void *context, const char *path, td_error *error)
{
    const job *j = context;
    td_error why;
    const td_status status = td_device_compile(j->compiler, &j->unit, path, &why);
    return status == TD_OK ? check_files(j->of, error)
                           : td_fail(error, status, "--%s: %.160s: %s",
                                     j->of->strategy != NULL ? "strategy" : "workload",
                                     path_of(j->of), why.text);
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
            td_own_symbol(&own->of, place, symbol);
            TRY_CUDA(error, cudaLibraryGetKernel(&kernel, own->library, symbol));
            table[place] = (const void *)kernel;
        }
    }
    return TD_OK;
}

static td_status compile_and_load(td_cuda_own *own, const td_device_compiler *compiler,
                                  const bool *wanted, const td_environment *device, td_error *error)
{
    const td_own_kernels *of = &own->of;
    const char *slash = strrchr(path_of(of), '/'), *headers = of->strategy != NULL
                                                                  ? of->strategy->own->headers
                                                                  : of->workload->own->headers;
    char name[96];
    char *text = td_own_source(of, wanted);
    if (text == NULL) {
        return td_fail(error, TD_NO_MEMORY, "not enough memory for the kernels of '%.160s'",
                       path_of(of));
    }
    snprintf(name, sizeof name, "%.80s.cu", slash + 1);
    job j = {compiler, {text, name, headers, device->compute_major, device->compute_minor}, of};
    int fd = -1;
    td_status status = td_cache_open(digest_of(&j), ".cubin", make_cubin, &j, &fd, error);
    if (status == TD_OK) {
        status = load_library(own, fd, error);
        close(fd);
    }
    free(text);
    return status == TD_OK ? find_kernels(own, wanted, error) : status;
}

static td_status add(td_cuda_engine *cuda, td_own_kernels of, const bool *wanted, td_error *error)
{
    td_environment device = {0};
    td_device_compiler compiler;
    td_cuda_own *own = NULL;
    if (CUDART_VERSION < 12080) {
        return td_fail(error, TD_UNAVAILABLE,
                       "a file's kernels need a tribench built with CUDA 12.8 or later");
    }
    TRY(td_cuda_facts(cuda->device, &device, error));
    TRY(td_allocate(&own, 1, sizeof *own, error, "the kernels of a file"));
    own->of = of;
    own->next = cuda->own;
    cuda->own = own;
    td_status status = td_device_compiler_find(&compiler, error);
    if (status == TD_OK) {
        status = compile_and_load(own, &compiler, wanted, &device, error);
    }
    td_device_compiler_close(&compiler);
    return status;
}

/* ---- what is needed ---- */

/* The kernels that an execution launches. Those without a map are built in, if the workload is. */
static void want(const td_cuda_engine *cuda, const td_execution *execution, bool *wanted)
{
    const bool own_map = execution->strategy->own != NULL;
    for (size_t i = 0; i < execution->plan->count; i++) {
        const td_form form = td_cuda_form(cuda, execution, &execution->plan->launches[i]);
        wanted[td_kernel_place(form, own_map ? 0 : execution->strategy->id)] = true;
    }
}

/* Those of all executions of a pair, unless they are loaded. */
static td_status load_pair(td_cuda_engine *cuda, const td_execution *executions, size_t count,
                           size_t first, td_error *error)
{
    const td_execution *e = &executions[first];
    const td_own_kernels of = own_part(e->workload, e->strategy);
    bool wanted[TD_KERNEL_PLACES] = {false};
    if ((of.workload == NULL && of.strategy == NULL) ||
        td_cuda_own_kernels(cuda, e->workload, e->strategy) != NULL) {
        return TD_OK;
    }
    for (size_t i = first; i < count; i++) {
        const td_own_kernels other = own_part(executions[i].workload, executions[i].strategy);
        if (is_same(of.workload, other.workload) && of.strategy == other.strategy) {
            want(cuda, &executions[i], wanted);
        }
    }
    return add(cuda, of, wanted, error);
}

/* What checks a workload from a file, whatever the map. */
static td_status load_check(td_cuda_engine *cuda, const td_execution *executions, size_t count,
                            const td_workload *w, td_error *error)
{
    bool wanted[TD_KERNEL_PLACES] = {false};
    if (w->own == NULL || td_cuda_own_kernels(cuda, w, NULL) != NULL) {
        return TD_OK;
    }
    for (size_t i = 0; i < count; i++) {
        if (executions[i].workload->own == w->own && executions[i].strategy->own == NULL) {
            want(cuda, &executions[i], wanted);
        }
    }
    wanted[td_kernel_place(TD_CHECK_CELLS, 0)] = w->own->has_check;
    wanted[td_kernel_place(TD_PLAIN_CELLS, 0)] = !w->own->has_check && w->own->loop != NULL;
    return add(cuda, (td_own_kernels){w, NULL}, wanted, error);
}

td_status td_cuda_own_load(td_engine *engine, const td_execution *executions, size_t count,
                           td_error *error)
{
    td_cuda_engine *cuda = td_cuda_of(engine);
    for (size_t i = 0; i < count; i++) {
        TRY(load_check(cuda, executions, count, executions[i].workload, error));
        TRY(load_pair(cuda, executions, count, i, error));
    }
    return TD_OK;
}

td_status td_cuda_own_load_map(td_cuda_engine *cuda, const td_strategy *strategy, td_error *error)
{
    bool wanted[TD_KERNEL_PLACES] = {false};
    if (strategy->own == NULL || td_cuda_own_kernels(cuda, NULL, strategy) != NULL) {
        return TD_OK;
    }
    wanted[td_kernel_place(TD_COVERAGE, 0)] = wanted[td_kernel_place(TD_ASK, 0)] = true;
    return add(cuda, (td_own_kernels){NULL, strategy}, wanted, error);
}
