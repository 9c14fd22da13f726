#include "own_file.h"

#include <dlfcn.h>
#include <errno.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cache.h"
#include "engine/core/process.h"

bool td_matches(const char *text, const char *pattern, regmatch_t parts[TD_MATCHES])
{
    regex_t regex;
    if (regcomp(&regex, pattern, REG_EXTENDED) != 0) {
        return false;
    }
    const bool does = regexec(&regex, text, TD_MATCHES, parts, 0) == 0;
    regfree(&regex);
    return does;
}

/* ---- the file and the headers ---- */

/* The folder that holds strategies/, workloads/ and engine/, absolute: in or near the program's folder, for a build in
 * a source tree or a portable folder; or the one that `make install` has put beside it. */
static td_status find_headers(char folder[PATH_MAX], td_error *error)
{
    static const char *const places[] = {"", "/../..", "/include", "/../include/tribench/kernel"};
    char program[PATH_MAX], path[2 * PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    program[length > 0 ? length : 0] = '\0';
    const char *above = dirname(program);
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        snprintf(path, sizeof path, "%s%s/workloads/own.h", above, places[i]);
        if (access(path, R_OK) == 0) {
            path[strlen(path) - strlen("/workloads/own.h")] = '\0';
            return realpath(path, folder) != NULL
                       ? TD_OK
                       : td_fail(error, TD_FAILED, "cannot resolve '%s'", path);
        }
    }
    return td_fail(error, TD_UNAVAILABLE,
                   "the headers of tribench are neither beside '%s/tribench' nor in "
                   "include/tribench/kernel: install it whole",
                   above);
}

/* The absolute path. It must have no quotes, because an #include quotes it. */
static td_status find_file(const char *path, char absolute[PATH_MAX], td_error *error)
{
    struct stat info;
    if (access(path, R_OK) != 0 || stat(path, &info) != 0 || realpath(path, absolute) == NULL) {
        return td_fail(error, TD_USAGE, "cannot read '%.160s': %s", path, strerror(errno));
    }
    return S_ISREG(info.st_mode) && strpbrk(absolute, "\"\\\n") == NULL
               ? TD_OK
               : td_fail(error, TD_USAGE,
                         "'%.160s': expected a file whose path has no quotes and backslashes",
                         path);
}

td_status td_own_file_read(const char *path, const char *what, const char *after, td_own_file *file,
                           td_error *error)
{
    *file = (td_own_file){.after = after};
    TRY(find_file(path, file->path, error));
    TRY(find_headers(file->headers, error));
    TRY(td_compiler_choose(file->headers, &file->compiler, error));
    const td_status status =
        td_source_read(&file->compiler, file->path, file->headers, after, &file->source, error);
    if (status == TD_UNAVAILABLE) {
        const td_error why = *error;
        return td_fail(error, status,
                       "%s from a file needs a C compiler, and %.500s: install one (Debian: gcc), "
                       "or name it in CC",
                       what, why.text);
    }
    return status;
}

void td_own_file_close(td_own_file *file)
{
    td_source_free(&file->source);
}

td_status td_own_file_check(const char *path, td_digest digest, td_error *error)
{
    td_own_file file;
    td_status status = td_own_file_read(path, "a kernel", "", &file, error);
    if (status == TD_OK && !td_digest_is(file.source.digest, digest)) {
        status = td_fail(error, TD_USAGE, "'%.160s' has changed since it was loaded", path);
    }
    td_own_file_close(&file);
    return status;
}

/* ---- compiling ---- */

/* Compile the preprocessed text, if the file is still the one that the digest describes. */
static td_status compile(void *context, const char *path, td_error *error)
{
    const td_own_file *f = context;
    char after[sizeof f->lines + 256];
    td_source whole;
    td_command command = f->compiler.command;
    snprintf(after, sizeof after, "%s%s", f->after, f->lines);
    td_status status = td_source_read(&f->compiler, f->path, f->headers, after, &whole, error);
    if (status == TD_OK && !td_digest_is(whole.digest, f->source.digest)) {
        status = td_fail(error, TD_USAGE, "'%.160s' has changed while it was compiled", f->path);
    }
    if (status == TD_OK) {
        td_command_add(&command, "-shared", "-Wl,-z,defs", "-o", path, "-xcpp-output", "-", "-lm",
                       NULL);
        status = td_command_run(&command, whole.text, -1, error);
    }
    td_source_free(&whole);
    return status;
}

/* A constructor may end the process, even with exit status 0, or never return. Whether the library can be loaded is for
 * the caller to see. */
static void try_library(void *path)
{
    (void)dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

td_status td_own_file_load(td_own_file *f, td_digest also, void **library, td_error *error)
{
    enum { LONGEST_S = 3 };
    int fd = -1;
    char path[64], how[TD_ENDING_SIZE];
    td_digest digest = also;
    for (size_t i = 0; i < f->compiler.command.count; i++) {
        digest = td_digest_word(digest, f->compiler.command.words[i]);
    }
    digest = td_digest_word(digest, f->source.text);
    TRY(td_cache_open(digest, ".so", compile, f, &fd, error));
    /* the library stays loaded and its file open: the loader tells libraries apart by name, and the name has the fd */
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    if (!td_process_try(try_library, path, LONGEST_S, NULL, how)) {
        return td_fail(error, TD_FAILED,
                       "'%.160s': the process that loaded its library %s (a constructor, or flags "
                       "of $CC)",
                       f->path, how);
    }
    *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    return *library != NULL
               ? TD_OK
               : td_fail(error, TD_FAILED, "'%.160s': its library cannot be loaded: %s", f->path,
                         dlerror());
}
