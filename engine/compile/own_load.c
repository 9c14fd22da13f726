#include "own_load.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/core/parameter.h"
#include "engine/cpu/kernels/own_unit.h"
#include "own_file.h"

enum { MOST_IN_A_FILE = 16, ID_SIZE = 100, NAME_SIZE = ID_SIZE + 16 };

typedef struct found {
    char id[ID_SIZE];
    bool has_check;
} found;

/* A file that is being loaded. */
typedef struct loading {
    td_own_file file; /* its lines: TD_OWN_2D(id, td_id_check) and the like */
    found workloads[MOST_IN_A_FILE];
    size_t count;
} loading;

/* ---- the contents of the file ---- */

/* Parts of a match: the name of a descriptor, the type and the parameters of a function. */
enum { ID = 2, DOUBLE = 2, PARAMETERS = 3 };

/* Search for the first td_ID_<what>(...). */
static bool has_function(const char *text, const char *id, const char *what,
                         regmatch_t parts[TD_MATCHES])
{
    char pattern[ID_SIZE + 128];
    snprintf(pattern, sizeof pattern,
             "(^|[^A-Za-z0-9_])(double[[:space:]]+)?td_%s_%s[[:space:]]*\\(([^)]*)", id, what);
    return td_matches(text, pattern, parts);
}

/* TD_OWN_2D for a cell with three parameters. With four, TD_OWN_3D if it returns void, a term of a sum if double. */
static const char *unit_of(const char *text, const regmatch_t cell[TD_MATCHES])
{
    size_t commas = 0;
    for (regoff_t at = cell[PARAMETERS].rm_so; at < cell[PARAMETERS].rm_eo; at++) {
        commas += text[at] == ',';
    }
    return commas < 3 ? "TD_OWN_2D" : cell[DOUBLE].rm_so >= 0 ? "TD_OWN_SUM" : "TD_OWN_3D";
}

static td_status find_one(loading *l, const char *id, size_t length, td_error *error)
{
    const char *text = l->file.source.text;
    regmatch_t cell[TD_MATCHES], check[TD_MATCHES];
    if (length >= ID_SIZE || l->count == MOST_IN_A_FILE) {
        return td_fail(error, TD_USAGE,
                       "'%.160s': at most %d workloads, with names of %d characters", l->file.path,
                       MOST_IN_A_FILE, ID_SIZE - 1);
    }
    found *one = &l->workloads[l->count++];
    memcpy(one->id, id, length);
    if (!has_function(text, one->id, "cell", cell)) {
        return td_fail(error, TD_USAGE, "'%.160s': describes td_%s_workload, but has no td_%s_cell",
                       l->file.path, one->id, one->id);
    }
    one->has_check = has_function(text, one->id, "check", check);
    const size_t used = strlen(l->file.lines);
    snprintf(l->file.lines + used, sizeof l->file.lines - used,
             one->has_check ? "%s(%s, td_%s_check)\n" : "%s(%s, NULL)\n", unit_of(text, cell),
             one->id, one->id);
    return TD_OK;
}

static td_status find_all(loading *l, td_error *error)
{
    static const char descriptor[] =
        "(^|[^A-Za-z0-9_])td_workload[[:space:]]+td_([A-Za-z0-9_]+)_workload[[:space:]]*=";
    regmatch_t parts[TD_MATCHES];
    for (const char *at = l->file.source.text; td_matches(at, descriptor, parts);
         at += parts[0].rm_eo) {
        const regmatch_t id = parts[ID];
        TRY(find_one(l, at + id.rm_so, (size_t)(id.rm_eo - id.rm_so), error));
    }
    return l->count > 0 ? TD_OK
                        : td_fail(error, TD_USAGE,
                                  "'%.160s': expected a descriptor, 'TD_DESCRIPTOR td_workload "
                                  "td_NAME_workload = {...};', and found none",
                                  l->file.path);
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
           (strstr(l->file.source.raw, "TD_ELEMENT(") != NULL ||
            strstr(l->file.source.raw, "TD_ELEMENT_3D(") != NULL);
}

/* Whether a descriptor's input is beyond the table of own.h: `&td_columns[64]`. */
static bool has_no_such_columns(const loading *l)
{
    regmatch_t parts[TD_MATCHES];
    return td_matches(l->file.source.text, "td_columns[[:space:]]*\\[[[:space:]]*(9|[0-9]{2})",
                      parts);
}

/* Whether an input has as many columns as a parameter says, and there is no such number. */
static bool has_no_chosen_columns(const td_workload *w)
{
    const td_parameter *first = w->parameter_count > 0 ? &w->parameters[0] : NULL;
    return w->input != NULL && w->input->columns == TD_COLUMNS_CHOSEN &&
           (first == NULL || first->kind != TD_PARAMETER_COUNT || first->low < 1);
}

static bool has_parameter_of_strategies(const td_workload *w)
{
    return td_workload_parameter(w, TD_GROUP_PARAMETER) != NULL ||
           td_workload_parameter(w, TD_ORDER_PARAMETER) != NULL ||
           td_workload_parameter(w, TD_TABLE_PARAMETER) != NULL ||
           td_workload_parameter(w, TD_LENGTHS_PARAMETER) != NULL;
}

static td_status check_unit(const loading *l, const found *one, const td_own_unit *unit,
                            td_error *error)
{
    if (unit == NULL || unit->shape != TD_OWN_SHAPE) {
        return td_fail(error, TD_UNAVAILABLE, "the headers in '%.160s' are of another tribench",
                       l->file.headers);
    }
    const td_workload *w = unit->workload;
    const char *wrong =
        w->automaton != NULL                 ? "is an automaton, which files cannot be"
        : w->parameter_count > TD_PARAMETERS ? "has too many parameters"
        : has_parameter_without_key(w) ? "has a parameter without .name, .key, .preset or .help"
        : has_parameter_of_strategies(w)
            ? "has a parameter " TD_GROUP_PARAMETER ", " TD_ORDER_PARAMETER ", " TD_TABLE_PARAMETER
              " or " TD_LENGTHS_PARAMETER ", which are names of parameters of strategies"
        : w->element >= TD_ELEMENTS                      ? "has an element of no kind"
        : w->ulp > 0 && !td_element_is_float(w->element) ? "has .ulp, which is for floats"
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
                         : td_fail(error, TD_USAGE, "'%.160s': td_%s_workload %s", l->file.path,
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
    regmatch_t tile[TD_MATCHES];
    TRY(td_allocate(&k, 1, sizeof *k, error, "a workload"));
    td_digest_text(l->file.source.digest, digits);
    snprintf(k->name, sizeof k->name, "%s@%.8s", one->id, digits);
    k->own = (td_own){.id = strdup(one->id),
                      .path = strdup(l->file.path),
                      .headers = strdup(l->file.headers),
                      .digest = l->file.source.digest,
                      .has_check = one->has_check,
                      .has_tile = has_function(l->file.source.raw, one->id, "tile", tile),
                      .cells = unit->cells,
                      .checks = &unit->checks,
                      .loop = unit->loop};
    k->workload = *unit->workload;
    k->workload.own = &k->own;
    k->workload.name = k->name;
    k->workload.dimension = unit->dimension;
    k->workload.traits.has_layouts |= k->workload.output_elements == NULL &&
                                      k->workload.sum == NULL && !k->workload.traits.by_rows;
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
               : td_fail(error, TD_USAGE, "'%.160s': there are too many workloads", l->file.path);
}

/* The place of the first workload of the same text, loaded before under any name; otherwise that of the next one. */
static size_t find_loaded(const loading *l)
{
    size_t w = TD_WORKLOAD_COUNT;
    while (w < td_workload_count &&
           !td_digest_is(td_workloads[w]->own->digest, l->file.source.digest)) {
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
    TRY(td_own_file_load(&l->file, (td_digest){0}, &library, error));
    for (size_t i = 0; i < l->count; i++) {
        char symbol[NAME_SIZE + 16];
        snprintf(symbol, sizeof symbol, "td_own_unit_%s", l->workloads[i].id);
        TRY(add(l, &l->workloads[i], dlsym(library, symbol), error));
    }
    return TD_OK;
}

td_status td_own_load(const char *path, size_t *first, size_t *count, td_error *error)
{
    loading l = {.count = 0};
    td_status status = td_own_file_read(
        path, "a workload", "#include <engine/cpu/kernels/own_unit.h>\n", &l.file, error);
    if (status == TD_OK) {
        status = load(&l, first, error);
        *count = l.count;
    }
    td_own_file_close(&l.file);
    return status;
}
