#include "nvrtc.h"

#include <dlfcn.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The few declarations of nvrtc.h that are needed; they are part of the library's stable ABI. */
enum { NVRTC_SUCCESS = 0, NVRTC_INVALID_OPTION = 5 };
typedef struct program *program_t;

struct td_nvrtc {
    void *library;
    char name[64];
    int (*version)(int *, int *);
    int (*create)(program_t *, const char *, const char *, int, const char *const *,
                  const char *const *);
    int (*compile)(program_t, int, const char *const *);
    int (*log_size)(program_t, size_t *);
    int (*log)(program_t, char *);
    int (*cubin_size)(program_t, size_t *);
    int (*cubin)(program_t, char *);
    int (*destroy)(program_t *);
    const char *(*words)(int);
};

/* ---- standard headers: NVRTC has none, so these supply what is not built into it ---- */

static const char *const header_names[] = {"stdbool.h", "stddef.h", "stdint.h", "string.h",
                                           "math.h",    "float.h",  "limits.h"};
static const char *const header_texts[] = {
    "",
    "#define NULL 0\n#define offsetof(type, member) __builtin_offsetof(type, member)\n",
    "typedef signed char int8_t; typedef short int16_t; typedef int int32_t;\n"
    "typedef long int64_t; typedef unsigned char uint8_t; typedef unsigned short uint16_t;\n"
    "typedef unsigned uint32_t; typedef unsigned long uint64_t;\n"
    "typedef long intptr_t; typedef unsigned long uintptr_t;\n"
    "#define INT8_MAX 127\n#define INT16_MAX 32767\n#define INT32_MAX 2147483647\n"
    "#define INT64_MAX 9223372036854775807l\n"
    "#define INT8_MIN (-128)\n#define INT16_MIN (-32768)\n#define INT32_MIN (-INT32_MAX - 1)\n"
    "#define INT64_MIN (-INT64_MAX - 1)\n"
    "#define UINT8_MAX 255\n#define UINT16_MAX 65535\n#define UINT32_MAX 4294967295u\n"
    "#define UINT64_MAX 18446744073709551615ul\n",
    "",
    "#define INFINITY __int_as_float(0x7f800000)\n#define NAN __int_as_float(0x7fffffff)\n"
    "#define HUGE_VAL __longlong_as_double(0x7ff0000000000000ll)\n#define M_PI "
    "3.14159265358979323846\n",
    "#define FLT_MAX 3.402823466e+38f\n#define FLT_MIN 1.175494351e-38f\n"
    "#define FLT_EPSILON 1.192092896e-07f\n#define DBL_MAX 1.7976931348623157e+308\n"
    "#define DBL_MIN 2.2250738585072014e-308\n#define DBL_EPSILON 2.2204460492503131e-16\n",
    "#define INT_MAX 2147483647\n#define INT_MIN (-INT_MAX - 1)\n#define UINT_MAX 4294967295u\n",
};
enum { HEADERS = sizeof header_names / sizeof header_names[0] };

/* ---- finding the library ---- */

/* POSIX lets a data pointer from dlsym become a function pointer; ISO C has no cast for it. */
static bool find(const td_nvrtc *n, const char *name, void *function_pointer)
{
    return (*(void **)function_pointer = dlsym(n->library, name)) != NULL;
}

static bool load(td_nvrtc *n, const char *path)
{
    n->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    return n->library != NULL;
}

/* Load the library of CUDA 13, or else of CUDA 12. */
static bool load_from(td_nvrtc *n, const char *folder)
{
    char path[PATH_MAX];
    for (int major = 13; major >= 12; major--) {
        snprintf(path, sizeof path, "%s%slibnvrtc.so.%d", folder, folder[0] != '\0' ? "/" : "",
                 major);
        if (load(n, path)) {
            return true;
        }
    }
    return false;
}

/* Load the last match that works, as the last has the highest version. */
static bool load_matching(td_nvrtc *n, const char *root, const char *below)
{
    char pattern[PATH_MAX];
    glob_t found = {0};
    bool loaded = false;
    snprintf(pattern, sizeof pattern, "%s/%s/libnvrtc.so.1[23]", root, below);
    if (root[0] == '/' && glob(pattern, 0, NULL, &found) == 0) {
        for (size_t i = found.gl_pathc; i > 0 && !loaded; i--) {
            loaded = load(n, found.gl_pathv[i - 1]);
        }
    }
    globfree(&found);
    return loaded;
}

/* The folder above the one with the first `python3` on PATH; empty: there is none. */
static void find_python(char root[PATH_MAX])
{
    const char *path = getenv("PATH");
    root[0] = '\0';
    while (path != NULL && *path != '\0') {
        char file[PATH_MAX];
        const size_t length = strcspn(path, ":");
        snprintf(file, sizeof file, "%.*s/python3", (int)length, path);
        char *real = realpath(file, NULL);
        if (real != NULL) { /* not the folder of `real`, which lies outside a virtual environment */
            snprintf(root, PATH_MAX, "%.*s/..", (int)length, path);
            free(real);
            return;
        }
        path += length + (path[length] == ':');
    }
}

/* Where pip installs the libraries. CUDA 12 has one folder per library, CUDA 13 one for all. */
static const char below_python[] = "lib/python3*/*-packages/nvidia/*/lib";

static bool load_of_environment(td_nvrtc *n)
{
    const char *environment = getenv("VIRTUAL_ENV"), *conda = getenv("CONDA_PREFIX");
    return (environment != NULL && load_matching(n, environment, below_python)) ||
           (conda != NULL && load_matching(n, conda, "lib"));
}

static bool load_of_python(td_nvrtc *n)
{
    char python[PATH_MAX], user[PATH_MAX];
    const char *home = getenv("HOME");
    find_python(python);
    snprintf(user, sizeof user, "%s/.local", home != NULL ? home : "");
    return load_matching(n, python, below_python) || load_matching(n, user, below_python);
}

static bool find_functions(td_nvrtc *n)
{
    int major = 0, minor = 0;
    const bool all =
        find(n, "nvrtcVersion", &n->version) && find(n, "nvrtcCreateProgram", &n->create) &&
        find(n, "nvrtcCompileProgram", &n->compile) &&
        find(n, "nvrtcGetProgramLogSize", &n->log_size) && find(n, "nvrtcGetProgramLog", &n->log) &&
        find(n, "nvrtcGetCUBINSize", &n->cubin_size) && find(n, "nvrtcGetCUBIN", &n->cubin) &&
        find(n, "nvrtcDestroyProgram", &n->destroy) && find(n, "nvrtcGetErrorString", &n->words);
    if (!all || n->version(&major, &minor) != NVRTC_SUCCESS) {
        return false;
    }
    snprintf(n->name, sizeof n->name, "NVRTC %d.%d", major, minor);
    return true;
}

td_nvrtc *td_nvrtc_open(const char *folder)
{
    td_nvrtc *n = calloc(1, sizeof *n);
    if (n == NULL) {
        return NULL;
    }
    const bool loaded = folder != NULL
                            ? load_from(n, folder)
                            : load_of_environment(n) || load_from(n, "") || load_of_python(n);
    if (!loaded || !find_functions(n)) {
        td_nvrtc_close(n);
        return NULL;
    }
    return n;
}

const char *td_nvrtc_name(const td_nvrtc *nvrtc)
{
    return nvrtc->name;
}

void td_nvrtc_close(td_nvrtc *nvrtc)
{
    if (nvrtc != NULL && nvrtc->library != NULL) {
        dlclose(nvrtc->library);
    }
    free(nvrtc);
}

/* ---- compiling ---- */

static void show_log(const td_nvrtc *n, program_t program)
{
    size_t size = 0;
    char *log = n->log_size(program, &size) == NVRTC_SUCCESS ? malloc(size + 1) : NULL;
    if (log != NULL && n->log(program, log) == NVRTC_SUCCESS) {
        log[size] = '\0';
        fputs(log, stderr);
    }
    free(log);
}

static td_status write_cubin(const td_nvrtc *n, program_t program, const char *path,
                             td_error *error)
{
    size_t size = 0;
    char *cubin = n->cubin_size(program, &size) == NVRTC_SUCCESS && size > 0 ? malloc(size) : NULL;
    if (cubin == NULL || n->cubin(program, cubin) != NVRTC_SUCCESS) {
        free(cubin);
        return td_fail(error, TD_FAILED, "%s hands over no cubin", n->name);
    }
    FILE *file = fopen(path, "wb");
    const bool written = file != NULL && fwrite(cubin, 1, size, file) == size;
    const bool closed = file != NULL && fclose(file) == 0;
    free(cubin);
    return written && closed ? TD_OK : td_fail(error, TD_FAILED, "cannot write '%s'", path);
}

td_status td_nvrtc_compile(const td_nvrtc *nvrtc, const char *text, const char *name,
                           const char *const *options, const char *cubin, td_error *error)
{
    program_t program = NULL;
    int count = 0;
    while (options[count] != NULL) {
        count++;
    }
    int code = nvrtc->create(&program, text, name, HEADERS, header_texts, header_names);
    if (code != NVRTC_SUCCESS) {
        return td_fail(error, TD_FAILED, "%s: %s", nvrtc->name, nvrtc->words(code));
    }
    code = nvrtc->compile(program, count, options);
    td_status status = TD_OK;
    if (code == NVRTC_SUCCESS) {
        status = write_cubin(nvrtc, program, cubin, error);
    } else if (code == NVRTC_INVALID_OPTION) { /* only -arch may be newer than the library */
        status = td_fail(error, TD_UNAVAILABLE,
                         "%s does not know this GPU: set CUDA_HOME to a newer CUDA toolkit",
                         nvrtc->name);
    } else {
        show_log(nvrtc, program);
        status = td_fail(error, TD_USAGE, "%s: %s", nvrtc->name, nvrtc->words(code));
    }
    nvrtc->destroy(&program);
    return status;
}
