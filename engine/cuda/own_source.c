#include "own_source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/core/own.h"

/* What a kernel takes, what it passes on, and how its name says so when mangled; NULL: it is not. */
typedef struct signature {
    const char *parameters, *arguments, *mangled;
} signature;

static const signature of_launch = {
    "const td_launch launch, const td_data data, const uint32_t strategy", "launch, data, strategy",
    "9td_launch7td_dataj"};
static const signature of_cluster = {
    "const td_launch launch, const td_data data, const uint32_t strategy,\n"
    "    const __grid_constant__ row_cluster::boxes boxes",
    "launch, data, strategy, boxes", NULL};
static const signature of_check = {
    "const td_data data, const td_check_shape shape, td_device_counts *sum", "data, shape, sum",
    "7td_data14td_check_shapeP16td_device_counts"};
static const signature of_coverage = {
    "const td_launch launch, uint32_t *visits, unsigned long long *found", "launch, visits, found",
    "9td_launchPjPy"};
static const signature of_ask = {
    "const td_launch launch, const uint64_t *numbers, uint64_t count, td_tile *tiles",
    "launch, numbers, count, tiles", "9td_launchPKmmP7td_tile"};
static const signature of_task = {"const td_data data, const td_check_shape shape", "data, shape",
                                  "7td_data14td_check_shape"};

/* How the kernels of a form are made from maps and cells. "%M" stands for the map's name, "%W" for the workload's; "%U"
 * and "%B" for how many cells a thread computes at a time and for bands of tiles, where a workload is built in. */
static const struct kind {
    const char *name;
    const char *block, *thread, *solid; /* what it runs for block, thread and 3D maps; NULL: none */
} kinds[TD_FORMS] = {
    [TD_ANY_CELLS] = {"cell", "td_run_block<td_%M_map, td_%W_cell, false>",
                      "td_run_thread<td_%M_map, td_%W_cell, false, false>",
                      "td_run_cells_3d<td_%M_map, td_%W_cell, 0, false>"},
    [TD_PACKED_CELLS] = {"packed", "td_run_block<td_%M_map, td_%W_cell, true>",
                         "td_run_thread<td_%M_map, td_%W_cell, true, false>", NULL},
    [TD_PART_CELLS] = {"part", "td_run_block<td_%M_map, td_%W_cell, true, true>", NULL, NULL},
    [TD_EIGHT_PACKED] = {"eight_packed", NULL, NULL,
                         "td_run_cells_3d<td_%M_map, td_%W_cell, 8, false>"},
    [TD_EIGHT_FULL] = {"eight_full", NULL, NULL, "td_run_cells_3d<td_%M_map, td_%W_cell, 8, true>"},
    [TD_LOOPS] = {"loop", "td_run_loop<td_%M_map, td_%W_cell%U>",
                  "td_run_thread<td_%M_map, td_%W_cell, false, true>",
                  "td_run_loop<td_%M_map, td_%W_cell>"},
    [TD_RECTANGLE] = {"rectangle", "td_run_rectangle<td_%W_cell>", NULL, NULL},
    [TD_RECTANGLE_LOOPS] = {"rectangle_loop", "td_run_loop<td_whole_square_map, td_%W_cell%U>",
                            NULL, NULL},
    [TD_DYNAMIC] = {"dynamic", "td_run_dynamic<td_%W_cell%U>", NULL, "td_run_dynamic<td_%W_cell>"},
    [TD_DYNAMIC_ROWS] = {"dynamic_rows", "td_run_dynamic_rows<td_%W_cell>", NULL, NULL},
    [TD_TILES] = {"tiles", "td_run_grid<td_%W_tile%B>", NULL, "td_run_grid<td_%W_tile>"},
    [TD_PERSISTENT_TILES] = {"persistent_tiles", "td_run_persistent<td_%W_tile%B>", NULL,
                             "td_run_persistent<td_%W_tile>"},
    [TD_DYNAMIC_TILES] = {"dynamic_tiles", "td_run_dynamic_tiles<td_%W_tile%B>", NULL,
                          "td_run_dynamic_tiles<td_%W_tile>"},
    [TD_CLUSTERS] = {"clusters", "td_run_cluster<row_id>", NULL, NULL},
    [TD_CHECK_CELLS] = {"check", "td_run_check<td_%W_check>", NULL, "td_run_check<td_%W_check>"},
    [TD_PLAIN_CELLS] = {"plain", "td_run_task<td_%W_cell>", NULL, "td_run_task<td_%W_cell>"},
    [TD_COVERAGE] = {"coverage", "td_count_visits<td_%M_map, 2>", "td_count_visits<td_%M_map, 2>",
                     "td_count_visits<td_%M_map, 3>"},
    [TD_ASK] = {"ask", "td_ask<td_%M_map>", "td_ask<td_%M_map>", "td_ask<td_%M_map>"},
};

static td_form form_of(uint32_t place)
{
    return (td_form)(place / TD_STRATEGY_COUNT);
}

static uint32_t strategy_of(uint32_t place)
{
    return place % TD_STRATEGY_COUNT;
}

/* Whether a form has a kernel per map. */
static bool has_map(td_form form)
{
    return form <= TD_LOOPS || form >= TD_COVERAGE;
}

static const td_strategy *map_of(const td_own_kernels *of, uint32_t place)
{
    return of->strategy != NULL      ? of->strategy
           : has_map(form_of(place)) ? td_strategies[strategy_of(place)]
                                     : NULL;
}

static const signature *signature_of(td_form form)
{
    return form == TD_CLUSTERS      ? &of_cluster
           : form == TD_CHECK_CELLS ? &of_check
           : form == TD_PLAIN_CELLS ? &of_task
           : form == TD_COVERAGE    ? &of_coverage
           : form == TD_ASK         ? &of_ask
                                    : &of_launch;
}

enum { NAME_SIZE = TD_OWN_SYMBOL_SIZE / 2 };

/* A name as an identifier: without hyphens, and without the digest of a file. */
static void identifier_of(const char *name, char identifier[NAME_SIZE])
{
    snprintf(identifier, NAME_SIZE, "%.*s", (int)strcspn(name, "@"), name);
    for (char *c = identifier; (c = strchr(c, '-')) != NULL;) {
        *c = '_';
    }
}

/* The name that a profiler shows: "edm4_ltm_r_packed". */
static void kernel_name(const td_own_kernels *of, uint32_t place, char name[NAME_SIZE])
{
    const td_strategy *map = map_of(of, place);
    char workload[NAME_SIZE] = "", strategy[NAME_SIZE] = "";
    identifier_of(of->workload != NULL ? of->workload->name : "", workload);
    identifier_of(map != NULL ? map->name : "", strategy);
    name[0] = '\0';
    const char *const words[] = {workload, strategy, kinds[form_of(place)].name};
    for (size_t i = 0; i < 3; i++) {
        const size_t used = strlen(name);
        snprintf(name + used, NAME_SIZE - used, "%s%s", used > 0 && words[i][0] != '\0' ? "_" : "",
                 words[i]);
    }
}

void td_own_symbol(const td_own_kernels *of, uint32_t place, char symbol[TD_OWN_SYMBOL_SIZE])
{
    char name[NAME_SIZE];
    const char *mangled = signature_of(form_of(place))->mangled;
    kernel_name(of, place, name);
    if (mangled == NULL) {
        snprintf(symbol, TD_OWN_SYMBOL_SIZE, "%s", name);
    } else {
        snprintf(symbol, TD_OWN_SYMBOL_SIZE, "_Z%zu%s%s", strlen(name), name, mangled);
    }
}

static const char *run_of(const td_own_kernels *of, uint32_t place)
{
    const struct kind *k = &kinds[form_of(place)];
    const td_strategy *map = map_of(of, place);
    const int dimension = of->workload != NULL ? of->workload->dimension : map->dimension;
    return dimension == 3                                ? k->solid
           : map != NULL && map->unit == TD_MAPS_THREADS ? k->thread
                                                         : k->block;
}

/* ---- the text ---- */

/* What the files and the tables of built-in workloads call a workload and a map, and what the kernels need besides. */
typedef struct names {
    char workload[NAME_SIZE], map[NAME_SIZE];
    bool built_in;
} names;

static names names_of(const td_own_kernels *of, uint32_t place)
{
    const td_strategy *map = map_of(of, place);
    names n = {.built_in = of->workload != NULL && of->workload->own == NULL};
    snprintf(n.workload, NAME_SIZE, "%s",
             n.built_in || of->workload == NULL ? "row" : of->workload->own->id);
    identifier_of(of->strategy != NULL ? "mine" : map != NULL ? map->name : "", n.map);
    return n;
}

/* Write the text of `run` with the names in it. */
static void put_run(FILE *to, const char *run, const names *n)
{
    for (const char *c = run; *c != '\0'; c++) {
        const char kind = *c == '%' ? *++c : '\0';
        if (kind == '\0') {
            fputc(*c, to);
        } else if (kind == 'M' || kind == 'W') {
            fputs(kind == 'M' ? n->map : n->workload, to);
        } else if (n->built_in) {
            fputs(kind == 'U' ? ", td_row_unroll" : ", td_row_banded", to);
        }
    }
}

/* Write the same bounds as for the built-in kernels: the registers that a thread may use are part of what is
 * measured. */
static void put_bounds(FILE *to, const td_own_kernels *of, td_form form, const names *n)
{
    const td_workload *w = of->workload;
    const int registers = w != NULL && w->tiles != NULL ? w->tiles->registers : 0;
    const bool tiles = form >= TD_TILES && form <= TD_FLAT_TILES;
    if (form == TD_CLUSTERS) {
        fprintf(to, "__cluster_dims__(row_cluster::blocks, 1, 1) "
                    "__launch_bounds__(row_cluster::threads, 1) ");
    } else if (tiles && registers > 0) {
        fprintf(to, "__maxnreg__(%d) ", registers);
    } else if (!tiles && form < TD_CHECK_CELLS && w != NULL && w->dimension == 3) {
        fprintf(to, "__launch_bounds__(1024, td_blocks_3d<td_%s_cell>) ", n->workload);
    }
}

/* Write what comes before the kernels: the files, and names for the functions of a row of a built-in workload. */
static void put_includes(FILE *to, const td_own_kernels *of)
{
    const td_own_map *map = of->strategy != NULL ? of->strategy->own : NULL;
    const td_workload *w = of->workload;
    if (map != NULL) {
        fprintf(to, "#define TD_OWN_STRATEGY\n#include <strategies/own.h>\n#include \"%s\"\n%s",
                map->path, map->form);
    }
    fprintf(to, "#include \"engine/cuda/kernels/own_kernels.cuh\"\n");
    if (w != NULL && w->own != NULL && map != NULL && strcmp(w->own->path, map->path) == 0) {
        return; /* one file has both */
    }
    if (w != NULL && w->own != NULL) {
        fprintf(to, "#include \"%s\"\n", w->own->path);
    } else if (w != NULL) {
        fprintf(to,
                "#include \"engine/cuda/kernels/one_row.cuh\"\n"
                "inline constexpr uint32_t row_id = %u, row_place = %u;\n"
                "inline constexpr auto td_row_cell = td_cell_of_row<row_id, row_place>();\n"
                "inline constexpr auto td_row_tile = td_tile_of_row<row_id, row_place>();\n"
                "inline constexpr int td_row_unroll = td_unroll_of_row<row_id>;\n"
                "inline constexpr bool td_row_banded = td_is_banded<row_id, row_place>();\n",
                td_workload_id(w), td_workload_row(w));
        if (w->tiles != NULL && w->tiles->cluster_shared > 0) {
            fprintf(to, "#include \"engine/cuda/kernels/clusters.cuh\"\n"
                        "typedef td_cluster_of<row_id> row_cluster;\n");
        }
    }
}

static void put_kernel(FILE *to, const td_own_kernels *of, uint32_t place, const char *run)
{
    const names n = names_of(of, place);
    const signature *takes = signature_of(form_of(place));
    char name[NAME_SIZE];
    kernel_name(of, place, name);
    fprintf(to, "%s__global__ void ", takes->mangled == NULL ? "extern \"C\" " : "");
    put_bounds(to, of, form_of(place), &n);
    fprintf(to, "%s(%s)\n{\n    ", name, takes->parameters);
    put_run(to, run, &n);
    fprintf(to, "(%s);\n}\n", takes->arguments);
}

char *td_own_source(const td_own_kernels *of, const bool *wanted)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *to = open_memstream(&text, &bytes);
    if (to == NULL) {
        return NULL;
    }
    put_includes(to, of);
    for (uint32_t place = 0; place < TD_KERNEL_PLACES; place++) {
        const char *run = wanted[place] ? run_of(of, place) : NULL;
        if (run != NULL) {
            put_kernel(to, of, place, run);
        }
    }
    if (fclose(to) != 0) {
        free(text);
        return NULL;
    }
    return text;
}
