#include "own_load.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <poll.h>
#include <regex.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cache.h"
#include "engine/core/parameter.h"
#include "engine/core/process.h"
#include "engine/cpu/kernels/own_unit.h"
#include "source.h"

enum { MOST_IN_A_FILE = 16, ID_SIZE = 100, NAME_SIZE = ID_SIZE + 16 };

typedef struct found {
    char id[ID_SIZE];
    bool has_check;
} found;

/* A file that is being loaded. */
typedef struct loading {
    const td_compiler *compiler;
    td_source source;
    found workloads[MOST_IN_A_FILE];
    size_t count;
    char lines[4096]; /* TD_OWN_2D(id, td_id_check) and the like */
} loading;

/* ---- the contents of the file ---- */

/* Parts of a match: the name of a descriptor, the type and the parameters of a function. */
enum { ID = 2, DOUBLE = 2, PARAMETERS = 3, MATCHES = 4 };

/* Search a text for an extended regular expression. */
static bool matches(const char *text, const char *pattern, regmatch_t parts[MATCHES])
{
    regex_t regex;
    if (regcomp(&regex, pattern, REG_EXTENDED) != 0) {
        return false;
    }
    const bool does = regexec(&regex, text, MATCHES, parts, 0) == 0;
    regfree(&regex);
    return does;
}

/* Search for the first td_ID_<what>(...). */
static bool has_function(const char *text, const char *id, const char *what,
                         regmatch_t parts[MATCHES])
{
    char pattern[ID_SIZE + 128];
    snprintf(pattern, sizeof pattern,
             "(^|[^A-Za-z0-9_])(double[[:space:]]+)?td_%s_%s[[:space:]]*\\(([^)]*)", id, what);
    return matches(text, pattern, parts);
}

/* TD_OWN_2D for a cell with three parameters. With four, TD_OWN_3D if it returns void, a term of a sum if double. */
static const char *unit_of(const char *text, const regmatch_t cell[MATCHES])
{
    size_t commas = 0;
    for (regoff_t at = cell[PARAMETERS].rm_so; at < cell[PARAMETERS].rm_eo; at++) {
        commas += text[at] == ',';
    }
    return commas < 3 ? "TD_OWN_2D" : cell[DOUBLE].rm_so >= 0 ? "TD_OWN_SUM" : "TD_OWN_3D";
}

static td_status find_one(loading *l, const char *id, size_t length, td_error *error)
{
    const char *text = l->source.text;
    regmatch_t cell[MATCHES], check[MATCHES];
    if (length >= ID_SIZE || l->count == MOST_IN_A_FILE) {
        return td_fail(error, TD_USAGE,
                       "'%.160s': at most %d workloads, with names of %d characters",
                       l->source.path, MOST_IN_A_FILE, ID_SIZE - 1);
    }
    found *one = &l->workloads[l->count++];
    memcpy(one->id, id, length);
    if (!has_function(text, one->id, "cell", cell)) {
        return td_fail(error, TD_USAGE, "'%.160s': describes td_%s_workload, but has no td_%s_cell",
                       l->source.path, one->id, one->id);
    }
    one->has_check = has_function(text, one->id, "check", check);
    const size_t used = strlen(l->lines);
    snprintf(l->lines + used, sizeof l->lines - used,
             one->has_check ? "%s(%s, td_%s_check)\n" : "%s(%s, NULL)\n", unit_of(text, cell),
             one->id, one->id);
    return TD_OK;
}

static td_status find_all(loading *l, td_error *error)
{
    static const char descriptor[] =
        "(^|[^A-Za-z0-9_])td_workload[[:space:]]+td_([A-Za-z0-9_]+)_workload[[:space:]]*=";
    regmatch_t parts[MATCHES];
    for (const char *at = l->source.text; matches(at, descriptor, parts); at += parts[0].rm_eo) {
        const regmatch_t id = parts[ID];
        TRY(find_one(l, at + id.rm_so, (size_t)(id.rm_eo - id.rm_so), error));
    }
    return l->count > 0 ? TD_OK
                        : td_fail(error, TD_USAGE,
                                  "'%.160s': expected a descriptor, 'TD_DESCRIPTOR td_workload "
                                  "td_NAME_workload = {...};', and found none",
                                  l->source.path);
}

/* ---- compiling and loading ---- */

/* Compile the preprocessed text, if the file is still the one that the digest describes. */
static td_status compile(void *context, const char *path, td_error *error)
{
    const loading *l = context;
    td_source whole;
    td_command command = l->compiler->command;
    td_status status =
        td_source_read(l->compiler, l->source.path, l->source.headers, l->lines, &whole, error);
    if (status == TD_OK && !td_digest_is(whole.digest, l->source.digest)) {
        status =
            td_fail(error, TD_USAGE, "'%.160s' has changed while it was compiled", l->source.path);
    }
    if (status == TD_OK) {
        td_command_add(&command, "-shared", "-Wl,-z,defs", "-o", path, "-xcpp-output", "-", "-lm",
                       NULL);
        status = td_command_run(&command, whole.text, -1, error);
    }
    td_source_free(&whole);
    return status;
}

/* Load it; what a constructor prints goes to standard error, since standard output is the result's. */
static void *load_library(const char *path)
{
    fflush(stdout);
    const int result = dup(STDOUT_FILENO);
    (void)dup2(STDERR_FILENO, STDOUT_FILENO);
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    fflush(stdout);
    if (result >= 0) {
        (void)dup2(result, STDOUT_FILENO);
        close(result);
    } else {
        close(STDOUT_FILENO);
    }
    return library;
}

/* Load it in a process of its own first: a constructor may end the process, even with exit status 0, or never return.
 * Whether it can be loaded is for the caller to see. */
static td_status try_library(const loading *l, const char *path, td_error *error)
{
    enum { LONGEST_S = 3 };
    int ends[2];
    char returned = 0;
    if (pipe2(ends, O_CLOEXEC) != 0) {
        return td_fail(error, TD_FAILED, "cannot make a pipe: %s", strerror(errno));
    }
    const pid_t child = fork();
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        (void)load_library(path);
        _exit(td_pipe_put(ends[1], "1", 1) ? 0 : 1);
    }
    close(ends[1]);
    struct pollfd answer = {.fd = ends[0], .events = POLLIN};
    const bool ok = child > 0 && TEMP_FAILURE_RETRY(poll(&answer, 1, LONGEST_S * 1000)) == 1 &&
                    td_pipe_get(ends[0], &returned, 1);
    close(ends[0]);
    if (child > 0) {
        kill(child, SIGKILL);
        (void)TEMP_FAILURE_RETRY(waitpid(child, NULL, 0));
    }
    return ok ? TD_OK
              : td_fail(error, TD_FAILED,
                        "'%.160s': its library ends the program while it is loaded, or takes more "
                        "than %d s (a constructor, or flags of $CC)",
                        l->source.path, LONGEST_S);
}

/* The library stays loaded and its file open: the loader tells libraries apart by name, and the name has the fd. */
static td_status open_library(loading *l, void **library, td_error *error)
{
    int fd = -1;
    char path[64];
    td_digest digest = {0};
    for (size_t i = 0; i < l->compiler->command.count; i++) {
        digest = td_digest_word(digest, l->compiler->command.words[i]);
    }
    digest = td_digest_word(digest, l->source.text);
    TRY(td_cache_open(digest, ".so", compile, l, &fd, error));
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    TRY(try_library(l, path, error));
    *library = load_library(path);
    return *library != NULL
               ? TD_OK
               : td_fail(error, TD_FAILED, "'%.160s': its library cannot be loaded: %s",
                         l->source.path, dlerror());
}

/* ---- adding the workloads ---- */

/* Without a .key, two runs that differ only in the parameter would have the same key. */
static bool has_parameter_without_key(const td_workload *w)
{
    for (size_t p = 0; p < w->parameter_count && p < TD_PARAMETERS; p++) {
        if (w->parameters[p].name == NULL || w->parameters[p].key == NULL ||
            w->parameters[p].preset == NULL || w->parameters[p].help == NULL) {
            return true;
        }
    }
    return false;
}

/* Whether a file that has TD_ELEMENT has forgotten .element, or says another size. */
static bool has_other_element(const loading *l, const td_workload *w)
{
    return w->output_elements == NULL && w->sum == NULL && td_element_bytes(w->element) != 4 &&
           (strstr(l->source.raw, "TD_ELEMENT(") != NULL ||
            strstr(l->source.raw, "TD_ELEMENT_3D(") != NULL);
}

/* Whether a descriptor's input is beyond the table of own.h: `&td_columns[64]`. */
static bool has_no_such_columns(const loading *l)
{
    regmatch_t parts[MATCHES];
    return matches(l->source.text, "td_columns[[:space:]]*\\[[[:space:]]*(9|[0-9]{2})", parts);
}

/* Whether an input has as many columns as a parameter says, and there is no such number. */
static bool has_no_chosen_columns(const td_workload *w)
{
    const td_parameter *first = w->parameter_count > 0 ? &w->parameters[0] : NULL;
    return w->input != NULL && w->input->columns == TD_COLUMNS_CHOSEN &&
           (first == NULL || first->kind != TD_PARAMETER_COUNT || first->low < 1);
}

static td_status check_unit(const loading *l, const found *one, const td_own_unit *unit,
                            td_error *error)
{
    if (unit == NULL || unit->shape != TD_OWN_SHAPE) {
        return td_fail(error, TD_UNAVAILABLE, "the headers in '%.160s' are of another tribench",
                       l->source.headers);
    }
    const td_workload *w = unit->workload;
    const char *wrong =
        w->automaton != NULL                 ? "is an automaton, which files cannot be"
        : w->parameter_count > TD_PARAMETERS ? "has too many parameters"
        : has_parameter_without_key(w) ? "has a parameter without .name, .key, .preset or .help"
        : td_workload_parameter(w, TD_GROUP_PARAMETER) != NULL
            ? "has a parameter " TD_GROUP_PARAMETER ", which is the name of one of strategies"
        : w->element > TD_F64 ? "has an element of no kind"
        : has_no_chosen_columns(w)
            ? "has TD_COLUMNS_CHOSEN, and no first parameter that counts from 1 on"
        : w->tiles != NULL && w->tiles->cluster_shared > 0
            ? "has tiles for clusters, which only built-in workloads have"
        : has_no_such_columns(l) ? "has an input beyond td_columns[8]: describe a td_workload_input"
        : has_other_element(l, w) ? "needs an .element of 4 bytes, such as TD_F32, for TD_ELEMENT"
        : (unit->loop == NULL) != (w->sum != NULL)
            ? "is a sum by its cell or by its descriptor only"
        : w->dimension != 0 && w->dimension != unit->dimension ? "has a cell of another dimension"
                                                               : NULL;
    return wrong == NULL ? TD_OK
                         : td_fail(error, TD_USAGE, "'%.160s': td_%s_workload %s", l->source.path,
                                   one->id, wrong);
}

/* Everything that an added workload needs until the process ends. */
typedef struct kept {
    td_workload workload;
    td_own own;
    char name[NAME_SIZE];
} kept;

static td_status add(const loading *l, const found *one, const td_own_unit *unit, td_error *error)
{
    char digits[TD_DIGEST_SIZE];
    TRY(check_unit(l, one, unit, error));
    kept *k = NULL;
    regmatch_t tile[MATCHES];
    TRY(td_allocate(&k, 1, sizeof *k, error, "a workload"));
    td_digest_text(l->source.digest, digits);
    snprintf(k->name, sizeof k->name, "%s@%.8s", one->id, digits);
    k->own = (td_own){.id = strdup(one->id),
                      .path = strdup(l->source.path),
                      .headers = strdup(l->source.headers),
                      .digest = l->source.digest,
                      .has_check = one->has_check,
                      .has_tile = has_function(l->source.raw, one->id, "tile", tile),
                      .cells = unit->cells,
                      .checks = &unit->checks,
                      .loop = unit->loop};
    k->workload = *unit->workload;
    k->workload.own = &k->own;
    k->workload.name = k->name;
    k->workload.dimension = unit->dimension;
    k->workload.traits.has_layouts |=
        k->workload.output_elements == NULL && k->workload.sum == NULL;
    k->workload.traits.has_blocked = false; /* it would double the kernels for a GPU */
    k->workload.traits.has_mirrored = false;
    if (k->workload.summary == NULL) {
        k->workload.summary = k->own.path;
    }
    if (!k->own.has_tile) {
        k->workload.tiles = NULL;
    }
    return td_workload_add(&k->workload)
               ? TD_OK
               : td_fail(error, TD_USAGE, "'%.160s': there are too many workloads", l->source.path);
}

/* The place of the first workload of the same text, loaded before under any name; otherwise that of the next one. */
static size_t find_loaded(const loading *l)
{
    size_t w = TD_WORKLOAD_COUNT;
    while (w < td_workload_count && !td_digest_is(td_workloads[w]->own->digest, l->source.digest)) {
        w++;
    }
    return w;
}

static td_status load(loading *l, size_t *first, td_error *error)
{
    void *library = NULL;
    TRY(find_all(l, error));
    *first = find_loaded(l);
    if (*first < td_workload_count) {
        return TD_OK;
    }
    TRY(open_library(l, &library, error));
    for (size_t i = 0; i < l->count; i++) {
        char symbol[NAME_SIZE + 16];
        snprintf(symbol, sizeof symbol, "td_own_unit_%s", l->workloads[i].id);
        TRY(add(l, &l->workloads[i], dlsym(library, symbol), error));
    }
    return TD_OK;
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

td_status td_own_load(const char *path, size_t *first, size_t *count, td_error *error)
{
    char absolute[PATH_MAX], headers[PATH_MAX];
    td_compiler compiler = {0};
    loading l = {.compiler = &compiler};
    TRY(find_file(path, absolute, error));
    TRY(find_headers(headers, error));
    TRY(td_compiler_choose(headers, &compiler, error));
    td_status status = td_source_read(&compiler, absolute, headers, "", &l.source, error);
    if (status == TD_OK) {
        status = load(&l, first, error);
        *count = l.count;
    } else if (status == TD_UNAVAILABLE) {
        const td_error why = *error;
        status = td_fail(error, status,
                         "a workload from a file needs a C compiler, and %.500s: install one "
                         "(Debian: gcc), or name it in CC",
                         why.text);
    }
    td_source_free(&l.source);
    return status;
}
