#include "device_compiler.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command.h"

/* Find NVRTC, or else nvcc, in a toolkit's folder; an empty name means no toolkit. */
static bool find_in(td_device_compiler *compiler, const char *toolkit)
{
    snprintf(compiler->nvcc, sizeof compiler->nvcc, "%s/bin/nvcc", toolkit);
    compiler->nvrtc = td_nvrtc_open(toolkit);
    return toolkit[0] != '\0' && (compiler->nvrtc != NULL || access(compiler->nvcc, X_OK) == 0);
}

td_status td_device_compiler_find(td_device_compiler *compiler, td_error *error)
{
    memset(compiler, 0, sizeof *compiler);
    const char *home = getenv("CUDA_HOME");
    const bool is_named = home != NULL && home[0] != '\0';
    if (find_in(compiler, is_named ? home : TD_CUDA_ROOT)) {
        return TD_OK;
    }
    if (!is_named) { /* a toolkit named by the user is the only choice */
        compiler->nvrtc = td_nvrtc_open(NULL);
        if (compiler->nvrtc != NULL || td_command_find("nvcc", compiler->nvcc)) {
            return TD_OK;
        }
    }
    return td_fail(error, TD_UNAVAILABLE,
                   "a workload from a file needs NVRTC or nvcc, and there is neither%s%.400s: set "
                   "CUDA_HOME to a CUDA toolkit, or unset it and install one of them (pip install "
                   "nvidia-cuda-nvrtc)",
                   is_named ? " in CUDA_HOME, " : "", is_named ? home : "");
}

void td_device_compiler_close(td_device_compiler *compiler)
{
    td_nvrtc_close(compiler->nvrtc);
    memset(compiler, 0, sizeof *compiler);
}

/* ---- compiling ---- */

/* Add a file's path, size and time of modification to a digest. */
static td_digest add_file(td_digest digest, const char *path)
{
    struct stat about = {0};
    digest = td_digest_word(digest, path);
    if (stat(path, &about) == 0) {
        digest = td_digest_more(digest, &about.st_size, sizeof about.st_size);
        digest = td_digest_more(digest, &about.st_mtim, sizeof about.st_mtim);
    }
    return digest;
}

td_digest td_device_unit_digest(const td_device_compiler *compiler, const td_device_unit *unit)
{
    td_digest digest = td_digest_of(unit->text, strlen(unit->text));
    digest = td_digest_more(digest, &unit->major, sizeof unit->major);
    digest = td_digest_more(digest, &unit->minor, sizeof unit->minor);
    return compiler->nvrtc != NULL ? td_digest_word(digest, td_nvrtc_name(compiler->nvrtc))
                                   : add_file(digest, compiler->nvcc);
}

td_status td_device_compile(const td_device_compiler *compiler, const td_device_unit *unit,
                            const char *cubin, td_error *error)
{
    char architecture[32], headers[PATH_MAX + 2], workloads[PATH_MAX + 16],
        strategies[PATH_MAX + 16];
    td_command command = {.count = 0};
    /* with what only this architecture has, such as products of warpgroups */
    snprintf(architecture, sizeof architecture, "-arch=sm_%d%d%s", unit->major, unit->minor,
             unit->major >= 9 ? "a" : "");
    snprintf(headers, sizeof headers, "-I%s", unit->headers);
    snprintf(workloads, sizeof workloads, "-I%s/workloads", unit->headers);
    snprintf(strategies, sizeof strategies, "-I%s/strategies", unit->headers);
    if (compiler->nvrtc == NULL) {
        td_command_add(&command, compiler->nvcc, NULL);
    }
    /* those of the build, see NVCCFLAGS_ALL in the Makefile */
    td_command_add(&command, "-std=c++20", architecture, "-lineinfo", headers, workloads,
                   strategies, NULL);
    td_status status;
    if (compiler->nvrtc == NULL) {
        td_command_add(&command, "-cubin", "-o", cubin, "-x", "cu", "/dev/stdin", NULL);
        status = td_command_run(&command, unit->text, -1, error);
    } else {
        /* A unit has both halves of a workload. The host half is compiled for the device, too, and is unused; it has
         * extern variables (20044). */
        td_command_add(&command, "-default-device", "-diag-suppress=20044", NULL);
        status =
            td_nvrtc_compile(compiler->nvrtc, unit->text, unit->name, command.words, cubin, error);
    }
    return status != TD_USAGE
               ? status
               : td_fail(error, TD_USAGE,
                         "it does not compile for the GPU, the compiler has said why; a descriptor "
                         "is C++ there, with its members in the order of workloads/workload.h");
}
