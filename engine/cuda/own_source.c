#include "own_source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/core/own.h"

/* What a kernel takes, what it passes on, and how its name says so when mangled. */
typedef struct signature {
    const char *parameters, *arguments, *mangled;
} signature;

static const signature of_launch = {
    "const td_launch launch, const td_data data, const uint32_t strategy", "launch, data, strategy",
    "9td_launch7td_dataj"};
static const signature of_check = {
    "const td_data data, const td_check_shape shape, td_device_counts *sum", "data, shape, sum",
    "7td_data14td_check_shapeP16td_device_counts"};
static const signature of_task = {"const td_data data, const td_check_shape shape", "data, shape",
                                  "7td_data14td_check_shape"};

/* How the kernels of a form are made from maps and cells. "%M" stands for the map's name, "%W" for the workload's. */
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
    [TD_LOOPS] = {"loop", "td_run_loop<td_%M_map, td_%W_cell>",
                  "td_run_thread<td_%M_map, td_%W_cell, false, true>",
                  "td_run_loop<td_%M_map, td_%W_cell>"},
    [TD_RECTANGLE] = {"rectangle", "td_run_rectangle<td_%W_cell>", NULL, NULL},
    [TD_RECTANGLE_LOOPS] = {"rectangle_loop", "td_run_loop<td_whole_square_map, td_%W_cell>", NULL,
                            NULL},
    [TD_DYNAMIC] = {"dynamic", "td_run_dynamic<td_%W_cell>", NULL, "td_run_dynamic<td_%W_cell>"},
    [TD_TILES] = {"tiles", "td_run_grid<td_%W_tile>", NULL, "td_run_grid<td_%W_tile>"},
    [TD_PERSISTENT_TILES] = {"persistent_tiles", "td_run_persistent<td_%W_tile>", NULL,
                             "td_run_persistent<td_%W_tile>"},
    [TD_DYNAMIC_TILES] = {"dynamic_tiles", "td_run_dynamic_tiles<td_%W_tile>", NULL,
                          "td_run_dynamic_tiles<td_%W_tile>"},
    [TD_CHECK_CELLS] = {"check", "td_run_check<td_%W_check>", NULL, "td_run_check<td_%W_check>"},
    [TD_PLAIN_CELLS] = {"plain", "td_run_task<td_%W_cell>", NULL, "td_run_task<td_%W_cell>"},
};

static td_form form_of(uint32_t place)
{
    return (td_form)(place / TD_STRATEGY_COUNT);
}

static uint32_t strategy_of(uint32_t place)
{
    return place % TD_STRATEGY_COUNT;
}

static bool has_map(uint32_t place)
{
    return form_of(place) <= TD_LOOPS;
}

static const signature *signature_of(uint32_t place)
{
    const td_form form = form_of(place);
    return form == TD_CHECK_CELLS ? &of_check : form == TD_PLAIN_CELLS ? &of_task : &of_launch;
}

enum { MAP_SIZE = 32 };

/* The identifier of the map, whose name has hyphens; empty for a kernel that serves any map. */
static void map_of(uint32_t place, char map[MAP_SIZE])
{
    snprintf(map, MAP_SIZE, "%s", has_map(place) ? td_strategies[strategy_of(place)]->name : "");
    for (char *hyphen = map; (hyphen = strchr(hyphen, '-')) != NULL;) {
        *hyphen = '_';
    }
}

/* The name that a profiler shows: "edm4_ltm_r_packed". */
static void kernel_name(const td_workload *workload, uint32_t place, char *name, size_t size)
{
    char map[MAP_SIZE];
    map_of(place, map);
    snprintf(name, size, "%s_%s%s%s", workload->own->id, map, map[0] != '\0' ? "_" : "",
             kinds[form_of(place)].name);
}

void td_own_symbol(const td_workload *workload, uint32_t place, char symbol[TD_OWN_SYMBOL_SIZE])
{
    char name[TD_OWN_SYMBOL_SIZE / 2] = "";
    kernel_name(workload, place, name, sizeof name);
    snprintf(symbol, TD_OWN_SYMBOL_SIZE, "_Z%zu%s%s", strlen(name), name,
             signature_of(place)->mangled);
}

static const char *run_of(const td_workload *workload, uint32_t place)
{
    const struct kind *k = &kinds[form_of(place)];
    const bool by_threads =
        has_map(place) && td_strategies[strategy_of(place)]->unit == TD_MAPS_THREADS;
    return workload->dimension == 3 ? k->solid : by_threads ? k->thread : k->block;
}

/* Write the text of `run` with the names in it. */
static void put_run(FILE *to, const char *run, const char *map, const char *workload)
{
    for (const char *c = run; *c != '\0'; c++) {
        if (*c != '%') {
            fputc(*c, to);
        } else {
            fputs(*++c == 'M' ? map : workload, to);
        }
    }
}

/* Write the same bounds as for the built-in kernels: the registers that a thread may use are part of what is
 * measured. */
static void put_bounds(FILE *to, td_form form, const td_workload *workload)
{
    const int registers = workload->tiles != NULL ? workload->tiles->registers : 0;
    const bool tiles = form >= TD_TILES && form <= TD_FLAT_TILES;
    if (tiles && registers > 0) {
        fprintf(to, "__maxnreg__(%d) ", registers);
    } else if (!tiles && form < TD_CHECK_CELLS && workload->dimension == 3) {
        fprintf(to, "__launch_bounds__(1024, td_blocks_3d<td_%s_cell>) ", workload->own->id);
    }
}

char *td_own_source(const td_workload *workload, const bool *wanted)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *to = open_memstream(&text, &bytes);
    if (to == NULL) {
        return NULL;
    }
    fprintf(to, "#include \"engine/cuda/kernels/own_kernels.cuh\"\n#include \"%s\"\n",
            workload->own->path);
    for (uint32_t place = 0; place < TD_KERNEL_PLACES; place++) {
        const char *run = wanted[place] ? run_of(workload, place) : NULL;
        if (run == NULL) {
            continue;
        }
        char name[TD_OWN_SYMBOL_SIZE / 2] = "", map[MAP_SIZE];
        kernel_name(workload, place, name, sizeof name);
        map_of(place, map);
        fputs("__global__ void ", to);
        put_bounds(to, form_of(place), workload);
        fprintf(to, "%s(%s)\n{\n    ", name, signature_of(place)->parameters);
        put_run(to, run, map, workload->own->id);
        fprintf(to, "(%s);\n}\n", signature_of(place)->arguments);
    }
    if (fclose(to) != 0) {
        free(text);
        return NULL;
    }
    return text;
}
