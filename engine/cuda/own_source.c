#include "own_source.h"

#include <string.h>

#include "engine/core/own.h"

/* What a kernel takes, what it passes on, and how its name says so when mangled. */
typedef struct signature {
    const char *parameters, *arguments, *mangled;
} signature;

static const signature of_cells = {"const td_launch launch, const td_data data", "launch, data",
                                   "9td_launch7td_data"};
/* A whole-tile kernel chooses the map at run time. */
static const signature of_tiles = {
    "const td_launch launch, const td_data data, const uint32_t strategy", "launch, data, strategy",
    "9td_launch7td_dataj"};
static const signature of_check = {
    "const td_data data, const td_check_shape shape, td_device_counts *sum", "data, shape, sum",
    "7td_data14td_check_shapeP16td_device_counts"};

/* How the kernels at a range of places are made from maps and cells. "%M" stands for the map's name, "%W" for the
 * workload's. */
typedef struct kind {
    const char *name;
    size_t first;                       /* place */
    size_t count;                       /* one per strategy, or a single one */
    const char *block, *thread, *solid; /* what it runs for block, thread and 3D maps; NULL: none */
    const signature *signature;
} kind;

#define PLACE(member) (offsetof(td_own_kernels, member) / sizeof(const void *))

static const kind kinds[] = {
    {"packed", PLACE(kernels.packed), TD_STRATEGY_COUNT,
     "td_run_block<td_%M_map, td_%W_cell, true>",
     "td_run_thread<td_%M_map, td_%W_cell, true, false>", NULL, &of_cells},
    {"cell", PLACE(kernels.cell), TD_STRATEGY_COUNT, "td_run_block<td_%M_map, td_%W_cell, false>",
     "td_run_thread<td_%M_map, td_%W_cell, false, false>",
     "td_run_cells_3d<td_%M_map, td_%W_cell, 0, false>", &of_cells},
    {"loop", PLACE(kernels.loop), TD_STRATEGY_COUNT, "td_run_loop<td_%M_map, td_%W_cell>",
     "td_run_thread<td_%M_map, td_%W_cell, false, true>", "td_run_loop_3d<td_%M_map, td_%W_cell>",
     &of_cells},
    {"eight_packed", PLACE(kernels.eight[0]), TD_STRATEGY_COUNT, NULL, NULL,
     "td_run_cells_3d<td_%M_map, td_%W_cell, 8, false>", &of_cells},
    {"eight_full", PLACE(kernels.eight[1]), TD_STRATEGY_COUNT, NULL, NULL,
     "td_run_cells_3d<td_%M_map, td_%W_cell, 8, true>", &of_cells},
    {"part", PLACE(kernels.part), TD_STRATEGY_COUNT,
     "td_run_block<td_%M_map, td_%W_cell, true, true>", NULL, NULL, &of_cells},
    {"rectangle", PLACE(kernels.rectangle), 1, "td_run_rectangle<td_%W_cell>", NULL, NULL,
     &of_cells},
    {"rectangle_loop", PLACE(kernels.rectangle_loop), 1,
     "td_run_loop<td_whole_square_map, td_%W_cell>", NULL, NULL, &of_cells},
    {"tiles", PLACE(tiles.grid), 1, "td_grid_of<td_%W_tile>::run", NULL,
     "td_run_block_3d<td_%W_tile>", &of_tiles},
    {"persistent_tiles", PLACE(tiles.persistent), 1, "td_persistent<td_%W_tile>::run", NULL,
     "td_run_blocks_3d<td_%W_tile>", &of_tiles},
    {"dynamic", PLACE(kernels.dynamic), 1, "td_run_dynamic<td_%W_cell>", NULL,
     "td_run_dynamic_3d<td_%W_cell>", &of_tiles},
    {"dynamic_tiles", PLACE(tiles.dynamic), 1, "td_dynamic<td_%W_tile>::run", NULL,
     "td_run_dynamic_tiles_3d<td_%W_tile>", &of_tiles},
    {"check", PLACE(check), 1, "td_run_check<td_%W_check>", NULL, "td_run_check_3d<td_%W_check>",
     &of_check},
};

/* Identifiers, because names on the command line have hyphens. */
static const char *const maps[] = {
#define NAME(s, ...) #s,
    TD_STRATEGIES(NAME, )
#undef NAME
};

static const kind *kind_at(size_t place)
{
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        if (place >= kinds[k].first && place < kinds[k].first + kinds[k].count) {
            return &kinds[k];
        }
    }
    return NULL;
}

/* The name that a profiler shows: "edm4_ltm_r_packed". */
static void kernel_name(const td_workload *workload, size_t place, char *name, size_t size)
{
    const kind *k = kind_at(place);
    const bool mapped = k->count > 1;
    snprintf(name, size, "%s_%s%s%s", workload->own->id, mapped ? maps[place - k->first] : "",
             mapped ? "_" : "", k->name);
}

void td_own_symbol(const td_workload *workload, size_t place, char symbol[TD_OWN_SYMBOL_SIZE])
{
    char name[TD_OWN_SYMBOL_SIZE / 2] = "";
    kernel_name(workload, place, name, sizeof name);
    snprintf(symbol, TD_OWN_SYMBOL_SIZE, "_Z%zu%s%s", strlen(name), name,
             kind_at(place)->signature->mangled);
}

static const char *run_of(const kind *k, const td_workload *workload, size_t place)
{
    if (workload->dimension == 3) {
        return k->solid;
    }
    const bool by_threads =
        k->count > 1 && td_strategies[place - k->first]->unit == TD_MAPS_THREADS;
    return by_threads ? k->thread : k->block;
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
static void put_bounds(FILE *to, const kind *k, const td_workload *workload)
{
    const int registers = workload->tiles != NULL ? workload->tiles->registers : 0;
    const bool tiles = k->first >= PLACE(tiles) && k->first < PLACE(check);
    if (tiles && registers > 0) {
        fprintf(to, "__maxnreg__(%d) ", registers);
    } else if (!tiles && k->first != PLACE(check) && workload->dimension == 3) {
        fprintf(to, "TD_BOUNDS_3D(td_%s_cell) ", workload->own->id);
    }
}

void td_own_write(FILE *to, const td_workload *workload, const bool *wanted)
{
    fprintf(to, "#include \"engine/cuda/kernels/own_kernels.cuh\"\n#include \"%s\"\n",
            workload->own->path);
    for (size_t place = 0; place < TD_OWN_PLACES; place++) {
        const kind *k = kind_at(place);
        const char *run = wanted[place] ? run_of(k, workload, place) : NULL;
        if (run == NULL) {
            continue;
        }
        char name[TD_OWN_SYMBOL_SIZE / 2] = "";
        kernel_name(workload, place, name, sizeof name);
        fputs("__global__ void ", to);
        put_bounds(to, k, workload);
        fprintf(to, "%s(%s)\n{\n    ", name, k->signature->parameters);
        put_run(to, run, k->count > 1 ? maps[place - k->first] : "", workload->own->id);
        fprintf(to, "(%s);\n}\n", k->signature->arguments);
    }
}
