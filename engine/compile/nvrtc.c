#include "nvrtc.h"

#include <dlfcn.h>
#include <glob.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"

/* The few declarations of nvrtc.h that are needed; they are part of the library's stable ABI. */
enum { NVRTC_SUCCESS = 0, NVRTC_INVALID_OPTION = 5 };
typedef struct program *program_t;

struct td_nvrtc {
    void *library;
    char name[64];
    char includes[2][PATH_MAX]; /* options for the toolkit's headers, such as cuda_fp16.h */
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

static const char *const header_names[] = {"stdbool.h", "stddef.h", "stdint.h",
                                           "string.h",  "math.h",   "float.h",
                                           "limits.h",  "utility",  "type_traits"};
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
    /* as much of these two as the kernels of built-in workloads use */
    "#pragma once\nnamespace std {\ntemplate <typename T, T...> struct integer_sequence {};\n"
    "template <typename T, unsigned N, T... All>\n"
    "struct td_count : td_count<T, N - 1, N - 1, All...> {};\n"
    "template <typename T, T... All> struct td_count<T, 0, All...> {\n"
    "typedef integer_sequence<T, All...> type; };\n"
    "template <typename T, T N> using make_integer_sequence = typename td_count<T, N>::type; }\n",
    "#pragma once\nnamespace std {\n"
    "template <typename A> struct type_identity { typedef A type; };\n"
    "template <typename A, typename B> inline constexpr bool is_same_v = false;\n"
    "template <typename A> inline constexpr bool is_same_v<A, A> = true;\n"
    "template <bool, typename A, typename> struct td_one_of : type_identity<A> {};\n"
    "template <typename A, typename B> struct td_one_of<false, A, B> : type_identity<B> {};\n"
    "template <bool If, typename A, typename B>\n"
    "using conditional_t = typename td_one_of<If, A, B>::type;\n"
    "template <typename A> struct td_no_const : type_identity<A> {};\n"
    "template <typename A> struct td_no_const<const A> : type_identity<A> {};\n"
    "template <typename A> using remove_const_t = typename td_no_const<A>::type;\n"
    "template <typename A> inline constexpr bool is_void_v = is_same_v<A, void>;\n"
    "template <typename A>\n"
    "inline constexpr bool is_null_pointer_v = is_same_v<A, decltype(nullptr)>;\n"
    "template <typename A> inline constexpr bool is_arithmetic_v = requires(A a) { a * 1.0f; }; "
    "}\n",
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

/* Load the last match below a folder that works, as the last has the highest version. NULL: there is no such folder. */
static bool load_below(td_nvrtc *n, const char *root, const char *below)
{
    char pattern[PATH_MAX];
    glob_t found = {0};
    bool loaded = false;
    snprintf(pattern, sizeof pattern, "%s/%s/libnvrtc.so.1[23]", root != NULL ? root : "", below);
    if (root != NULL && root[0] == '/' && glob(pattern, 0, NULL, &found) == 0) {
        for (size_t i = found.gl_pathc; i > 0 && !loaded; i--) {
            loaded = load(n, found.gl_pathv[i - 1]);
        }
    }
    globfree(&found);
    return loaded;
}

static bool load_any(td_nvrtc *n)
{
    /* where pip installs the libraries: CUDA 12 has one folder per library, CUDA 13 one for all */
    static const char packages[] = "lib/python3*/*-packages/nvidia/*/lib";
    char python[PATH_MAX] = "";
    /* a virtual or conda environment has a python3 of its own; not realpath, which may lie outside of it */
    const char *prefix = td_command_find("python3", python) ? dirname(dirname(python)) : NULL;
    return load_below(n, prefix, packages) || load_below(n, prefix, "lib") ||
           load(n, "libnvrtc.so.13") || load(n, "libnvrtc.so.12") ||
           load_below(n, getenv("HOME"), ".local/lib/python3*/*-packages/nvidia/*/lib");
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

/* A toolkit and CUDA 13's packages have headers beside the library's folder, CUDA 12's in a package of their own. */
static void find_includes(td_nvrtc *n)
{
    static const char *const places[] = {"../include", "../../cuda_runtime/include"};
    Dl_info info;
    char path[PATH_MAX];
    if (dladdr((void *)(uintptr_t)n->version, &info) != 0) {
        snprintf(path, sizeof path, "%s", info.dli_fname);
        const char *folder = dirname(path);
        for (size_t i = 0; i < 2; i++) {
            snprintf(n->includes[i], sizeof n->includes[i], "-I%.4000s/%s", folder, places[i]);
        }
    }
}

td_nvrtc *td_nvrtc_open(const char *toolkit)
{
    td_nvrtc *n = calloc(1, sizeof *n);
    if (n == NULL) {
        return NULL;
    }
    const bool loaded = toolkit != NULL ? load_below(n, toolkit, "lib*") : load_any(n);
    if (!loaded || !find_functions(n)) {
        td_nvrtc_close(n);
        return NULL;
    }
    find_includes(n);
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
    const char *words[TD_COMMAND_WORDS + 2];
    int count = 0;
    for (; options[count] != NULL && count < TD_COMMAND_WORDS; count++) {
        words[count] = options[count];
    }
    for (size_t i = 0; i < 2 && nvrtc->includes[i][0] != '\0'; i++) {
        words[count++] = nvrtc->includes[i];
    }
    int code = nvrtc->create(&program, text, name, HEADERS, header_texts, header_names);
    if (code != NVRTC_SUCCESS) {
        return td_fail(error, TD_FAILED, "%s: %s", nvrtc->name, nvrtc->words(code));
    }
    code = nvrtc->compile(program, count, words);
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
