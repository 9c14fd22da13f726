#include "own_map.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/core/coverage.h"
#include "engine/core/own.h"
#include "engine/core/process.h"
#include "own_file.h"

enum { ID_SIZE = 64, NAME_SIZE = ID_SIZE + 16, FORM_SIZE = 3 * ID_SIZE + 128 };

/* ---- the contents of the file ---- */

/* The forms of a file, the fullest first: the type of what is named td_NAME and a suffix, what follows the name, and
 * the lines that complete the file. */
static const struct form {
    const char *type, *suffix, *follows;
    const char *lines;
} forms[] = {
    {"td_strategy", "", "=", "#define td_mine td_%s\n#define td_mine_map td_%s_map\n"},
    {"td_pair", "_pair", "\\(",
     "#define TD_OWN_PAIR td_%s_pair\n#include <strategies/own_forms.h>\n"},
    {"td_triple", "_triple", "\\(",
     "#define TD_OWN_TRIPLE td_%s_triple\n#include <strategies/own_forms.h>\n"},
    {"td_tile", "_map", "\\(", "#define TD_OWN_BOX td_%s_map\n#include <strategies/own_forms.h>\n"},
};

/* Search a text for a form; its second group is the name, which is `name`, or matches it. */
static bool finds(const char *text, const struct form *form, const char *name,
                  regmatch_t parts[TD_MATCHES])
{
    char pattern[ID_SIZE + 128];
    snprintf(pattern, sizeof pattern, "(^|[^A-Za-z0-9_])%s[[:space:]]+td_(%s)%s[[:space:]]*%s",
             form->type, name, form->suffix, form->follows);
    return td_matches(text, pattern, parts);
}

/* Take the name of a form from the preprocessed text, where nothing is commented out. It also has the headers of this
 * program; what the user's own files have as well is theirs, and there may be one. */
static td_status take_form(const td_own_file *file, const struct form *form, char id[ID_SIZE],
                           td_error *error)
{
    regmatch_t parts[TD_MATCHES], unused[TD_MATCHES];
    for (const char *at = file->source.text; finds(at, form, "[A-Za-z0-9_]+", parts);
         at += parts[0].rm_eo) {
        const int length = (int)(parts[2].rm_eo - parts[2].rm_so);
        char found[ID_SIZE];
        snprintf(found, ID_SIZE, "%.*s", length, at + parts[2].rm_so);
        if (length < ID_SIZE && !finds(file->source.raw, form, found, unused)) {
            continue;
        }
        if (length >= ID_SIZE || (id[0] != '\0' && strcmp(id, found) != 0)) {
            return td_fail(error, TD_USAGE,
                           "'%.160s': expected one map in a file, with a name of at most %d "
                           "characters, and found %s%s%s",
                           file->path, ID_SIZE - 1, id, id[0] != '\0' ? " and " : "", found);
        }
        snprintf(id, ID_SIZE, "%s", found);
    }
    return TD_OK;
}

static td_status find_form(const td_own_file *file, char id[ID_SIZE], char lines[FORM_SIZE],
                           td_error *error)
{
    regmatch_t parts[TD_MATCHES];
    char plan[ID_SIZE + 64];
    id[0] = '\0';
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        TRY(take_form(file, &forms[i], id, error));
        if (id[0] == '\0') {
            continue;
        }
        snprintf(plan, sizeof plan, "[^A-Za-z0-9_]td_%s_plan[[:space:]]*\\(", id);
        snprintf(lines, FORM_SIZE, forms[i].lines, id, id);
        return i == 0 || !td_matches(file->source.text, plan, parts)
                   ? TD_OK
                   : td_fail(error, TD_USAGE,
                             "'%.160s': has td_%s_plan and no descriptor, 'TD_DESCRIPTOR "
                             "td_strategy td_%s = {...};'",
                             file->path, id, id);
    }
    return td_fail(error, TD_USAGE,
                   "'%.160s': expected td_NAME_pair, td_NAME_triple, td_NAME_map or a descriptor, "
                   "'TD_DESCRIPTOR td_strategy td_NAME = {...};', and found none",
                   file->path);
}

/* ---- trying it ---- */

/* What a map is asked in a process of its own, and where it is: seen by both processes. */
typedef struct trial {
    const td_strategy *strategy;
    uint32_t n;
    td_dim3 block;
    uint64_t blocks; /* of the plan for n */
    bool in_plan, no_memory;
} trial;

static void ask(trial *t, const td_launch *launch)
{
    const td_strategy *s = t->strategy;
    for (t->block.z = 0; t->block.z < launch->grid.z; t->block.z++) {
        for (t->block.y = 0; t->block.y < launch->grid.y; t->block.y++) {
            for (t->block.x = 0; t->block.x < launch->grid.x; t->block.x++) {
                const td_thread thread = {t->block, {0, 0, 0}};
                if (s->unit == TD_MAPS_THREADS) {
                    (void)((td_thread_map_fn *volatile)s->thread_map)(launch, thread);
                } else {
                    (void)((td_block_map_fn *volatile)s->block_map)(launch, t->block);
                }
            }
        }
    }
}

static bool is_unfit(const trial *t)
{
    return t->blocks == 0 || td_has_too_many_blocks(t->strategy, t->n, t->blocks);
}

/* For all n up to one beyond some powers of two and triangular numbers. */
static void try_map(void *context)
{
    enum { LARGEST = 45 };
    trial *t = context;
    const bool solid = t->strategy->dimension == 3;
    const td_dim3 block = {solid ? 8 : 16, solid ? 8 : 16, solid ? 8 : 1};
    do {
        const uint32_t cells = ++t->n * (t->strategy->unit == TD_MAPS_THREADS ? 1 : block.x);
        const td_domain domain = {.cells = cells,
                                  .tiles = td_ceil_div(cells, block.x),
                                  .tile = block.x,
                                  .block = block,
                                  .cutoff = 4 * block.x};
        td_plan plan = {0};
        t->in_plan = true;
        t->no_memory = td_plan_make(t->strategy, &domain, true, &plan) != TD_PLAN_MADE;
        t->in_plan = false;
        t->blocks = plan.blocks;
        for (size_t l = 0; l < plan.count && !is_unfit(t); l++) {
            ask(t, &plan.launches[l]);
        }
        td_plan_free(&plan);
    } while (t->n < LARGEST && !is_unfit(t));
}

static td_status try_in_process(const td_strategy *strategy, const char *path, td_error *error)
{
    enum { LONGEST_S = 3 };
    char how[TD_ENDING_SIZE];
    trial *t = NULL;
    TRY(td_allocate_shared(&t, sizeof *t, "the trial of a map", error));
    t->strategy = strategy;
    const bool returned = td_process_try(try_map, t, LONGEST_S, NULL, how);
    if (!returned && t->in_plan) {
        return td_fail(error, TD_USAGE, "'%.160s': the process that asked its plan at n = %u %s",
                       path, t->n, how);
    }
    if (!returned) {
        return td_fail(error, TD_USAGE,
                       "'%.160s': the process that asked its map at n = %u, block (%u, %u, %u) %s",
                       path, t->n, t->block.x, t->block.y, t->block.z, how);
    }
    if (t->no_memory || is_unfit(t)) {
        return td_fail(error, TD_USAGE, "'%.160s': its plan for n = %u has %llu blocks", path, t->n,
                       (unsigned long long)t->blocks);
    }
    return TD_OK;
}

/* ---- adding it ---- */

static td_status check(const td_own_file *file, const td_own_map_unit *unit, const char *id,
                       td_error *error)
{
    if (unit == NULL || unit->shape != TD_OWN_MAP_SHAPE) {
        return td_fail(error, TD_UNAVAILABLE, "the headers in '%.160s' are of another tribench",
                       file->headers);
    }
    const td_strategy *s = unit->strategy;
    const bool by_threads = s->unit == TD_MAPS_THREADS;
    const bool is_named =
        unit->map == (by_threads ? (void (*)(void))s->thread_map : (void (*)(void))s->block_map);
    const char *wrong =
        s->dimension != 2 && s->dimension != 3 ? "has no .dimension of 2 or 3"
        : s->plan == NULL                      ? "has no .plan"
        : by_threads && s->thread_map == NULL  ? "maps threads, and has no .thread_map"
        : by_threads && s->dimension == 3      ? "maps threads in 3D, where blocks are mapped"
        : !by_threads && s->block_map == NULL  ? "has no .block_map"
        : !is_named ? "uses a map of another name, where td_NAME needs td_NAME_map"
        : s->tree != NULL || s->fill_table != NULL ? "has a tree or a table, which built-in "
                                                     "strategies alone have"
                                                   : NULL;
    return wrong == NULL ? TD_OK
                         : td_fail(error, TD_USAGE, "'%.160s': td_%s %s", file->path, id, wrong);
}

/* Everything that an added strategy needs until the process ends. */
typedef struct kept {
    td_strategy strategy;
    td_own_map own;
    char name[NAME_SIZE];
} kept;

static td_status add(const td_own_file *file, const td_own_map_unit *unit, const char *id,
                     const char *form, const td_strategy **strategy, td_error *error)
{
    char digits[TD_DIGEST_SIZE];
    kept *k = NULL;
    TRY(check(file, unit, id, error));
    TRY(td_allocate(&k, 1, sizeof *k, error, "a strategy"));
    *unit->calls = (td_plan_calls){td_launch_over, td_plan_add, td_plan_append};
    td_digest_text(file->source.digest, digits);
    snprintf(k->name, sizeof k->name, "%s@%.8s", id, digits);
    k->own = (td_own_map){.path = strdup(file->path),
                          .headers = strdup(file->headers),
                          .form = strdup(form),
                          .digest = file->source.digest};
    k->strategy = *unit->strategy;
    td_strategy *s = &k->strategy;
    s->id = (uint32_t)td_strategy_count;
    s->name = k->name;
    s->alias = NULL;
    s->summary = s->summary != NULL ? s->summary : k->own.path;
    s->source = s->source != NULL ? s->source : k->own.path;
    s->exact_n = s->exact_n > 0 ? s->exact_n : UINT32_MAX;
    s->is_baseline = s->is_stand_in = s->in_paper = false;
    s->own = &k->own;
    *strategy = s;
    TRY(try_in_process(s, file->path, error));
    return td_strategy_add(s)
               ? TD_OK
               : td_fail(error, TD_USAGE, "'%.160s': there are too many strategies", file->path);
}

static const td_strategy *find_loaded(const td_own_file *file)
{
    for (size_t i = TD_STRATEGY_COUNT; i < td_strategy_count; i++) {
        if (td_digest_is(td_strategies[i]->own->digest, file->source.digest)) {
            return td_strategies[i];
        }
    }
    return NULL;
}

static td_digest digest_of_headers(const td_own_file *file)
{
    static const char *const included[] = {"strategies/own_forms.h",
                                           "engine/cpu/kernels/own_map_unit.h"};
    td_digest digest = {0};
    for (size_t i = 0; i < sizeof included / sizeof included[0]; i++) {
        char path[PATH_MAX + 64];
        snprintf(path, sizeof path, "%s/%s", file->headers, included[i]);
        digest = td_digest_file(digest, path);
    }
    return digest;
}

static td_status load(td_own_file *file, const td_strategy **strategy, td_error *error)
{
    char id[ID_SIZE], form[FORM_SIZE];
    void *library = NULL;
    TRY(find_form(file, id, form, error));
    *strategy = find_loaded(file);
    if (*strategy != NULL) {
        return TD_OK;
    }
    snprintf(file->lines, sizeof file->lines, "%s#include <engine/cpu/kernels/own_map_unit.h>\n",
             form);
    TRY(td_own_file_load(file, digest_of_headers(file), &library, error));
    return add(file, dlsym(library, "td_own_map_unit_of_file"), id, form, strategy, error);
}

td_status td_own_map_load(const char *path, const td_strategy **strategy, td_error *error)
{
    td_own_file file;
    td_status status = td_own_file_read(path, "a strategy", "", &file, error);
    if (status == TD_OK) {
        status = load(&file, strategy, error);
    }
    td_own_file_close(&file);
    return status;
}
