#include "snapshots.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "automaton_state.h"
#include "engine/core/error.h"
#include "file.h"
#include "raster_png.h"
#include "engine/needs/execution.h"
#include "engine/needs/tables.h"
#include "workloads/place.h"

/* Room for a slash and a name, including the temporary name of a file that is being written. */
enum { NAMES_IN_FOLDER = 80 };

/* The number of pictures of a tetrahedron: equidistant layers z, the last one among them. */
enum { SLICES = 8 };

td_status td_snapshots_open(const char *folder, td_error *error)
{
    struct stat status;
    if (strlen(folder) + NAMES_IN_FOLDER >= TD_PATH_SIZE) {
        return td_fail(error, TD_USAGE, "--frames %.240s: cannot create the folder: %s", folder,
                       strerror(ENAMETOOLONG));
    }
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
        return td_fail(error, TD_USAGE, "--frames %.240s: cannot create the folder: %s", folder,
                       strerror(errno));
    }
    if (stat(folder, &status) != 0 || !S_ISDIR(status.st_mode) ||
        access(folder, W_OK | X_OK) != 0) {
        return td_fail(error, TD_USAGE, "--frames %.240s: not a folder that can be written to",
                       folder);
    }
    return TD_OK;
}

/* A run that is repeated piece by piece, from one snapshot to the next. */
typedef struct replay {
    const char *folder;
    const td_run *run;
    td_buffers *buffers;
    const td_pulse *pulse;
    td_execution execution;
    const void *now; /* where the state of `generation` lies */
    uint32_t generation;
    uint32_t z;             /* of a tetrahedron: the layer being drawn */
    uint8_t *state, *first; /* as `save` and `start` have it; first: only with shades */
    td_shades shades;
} replay;

static uint32_t colour_of(const void *state, uint64_t cell, bool down)
{
    const replay *r = state;
    const td_workload *w = r->run->workload;
    const uint8_t *first = r->first != NULL ? r->first + cell * w->automaton->state_bytes : NULL;
    return w->automaton->colour(&r->shades, first,
                                r->state + cell * td_element_bytes(w->automaton->saved), down);
}

/* The colour of a cell in the square of a tetrahedron's layer: y downwards, x to the right. */
static uint32_t colour_in_layer(const void *state, uint64_t cell, bool down)
{
    const replay *r = state;
    const uint32_t n = r->run->problem.n;
    const uint64_t y = cell / n, x = cell % n;
    return x + y <= r->z ? colour_of(state, td_packed_3d(x, y, r->z), down) : TD_RASTER_PAPER;
}

/* A link in the place of a snapshot leads out of the folder, so it is replaced and not followed. */
static void make_way(const char *path)
{
    struct stat about;
    if (lstat(path, &about) == 0 && S_ISLNK(about.st_mode)) {
        unlink(path);
    }
}

/* Draw one picture. name: what follows the generation's number in the file's name. */
static td_status draw_as(replay *r, const char *name, td_error *error)
{
    const td_automaton *automaton = r->run->workload->automaton;
    const bool is_layer = r->run->workload->dimension == 3;
    const td_drawing drawing = {.n = r->run->problem.n,
                                .triangles = automaton->cell_shape == TD_CELLS_ARE_TRIANGLES,
                                .square = is_layer || td_run_is_square(r->run),
                                .smooth = automaton->shades != NULL,
                                .colour = is_layer ? colour_in_layer : colour_of,
                                .state = r};
    char path[TD_PATH_SIZE];
    if (snprintf(path, sizeof path, "%s/%07u%s.png", r->folder, r->generation, name) >=
        TD_PATH_SIZE) {
        return td_fail(error, TD_FAILED, "--frames %.240s: the name is too long", r->folder);
    }
    make_way(path);
    return td_png_write(path, &drawing, error);
}

static td_status draw_layers(replay *r, td_error *error)
{
    const uint32_t n = r->run->problem.n;
    for (uint32_t k = n < SLICES ? SLICES - n : 0; k < SLICES; k++) {
        char name[16];
        r->z = n < SLICES ? k + n - SLICES : (uint32_t)(((uint64_t)k + 1) * n / SLICES) - 1;
        snprintf(name, sizeof name, "-z%05u", r->z);
        TRY(draw_as(r, name, error));
    }
    return TD_OK;
}

static td_status draw(replay *r, td_error *error)
{
    td_pulse_beat(r->pulse);
    TRY(td_state_download(r->buffers, r->now, r->state, error));
    return r->run->workload->dimension == 3 ? draw_layers(r, error) : draw_as(r, "", error);
}

/* Advance from buffer to buffer. The first step never writes the buffer that it reads. */
static td_status advance(replay *r, uint32_t generations, td_error *error)
{
    const td_buffers *b = r->buffers;
    const int first = r->now == b->output[0].output ? 1 : 0;
    r->execution.data.input = r->now;
    r->execution.double_buffer[0] = b->output[first].output;
    r->execution.double_buffer[1] = b->output[1 - first].output;
    r->execution.generations = generations;
    r->execution.steps = td_ceil_div(generations, r->execution.per_launch);
    TRY(b->engine->ops->launch(b->engine, &r->execution, error));
    r->now = r->execution.double_buffer[(r->execution.steps - 1) % 2];
    r->generation += generations;
    return TD_OK;
}

static td_status replay_all(replay *r, uint32_t every, td_error *error)
{
    const uint32_t last = td_workload_steps(r->run->workload, &r->run->problem);
    TRY(draw(r, error));
    while (last - r->generation >= every) {
        TRY(advance(r, every, error));
        TRY(draw(r, error));
    }
    return last > r->generation ? advance(r, last - r->generation, error) : TD_OK;
}

static td_status allocate(replay *r, td_error *error)
{
    const td_workload *w = r->run->workload;
    const td_problem *problem = &r->buffers->problem;
    TRY(td_allocate(&r->state, td_workload_saved_bytes(w, problem), 1, error, "--frames"));
    if (w->automaton->shades != NULL) {
        TRY(td_allocate(&r->first, td_workload_state_bytes(w, problem), 1, error, "--frames"));
        td_workload_start(w, problem, r->first);
        r->shades = w->automaton->shades(problem, r->first);
    }
    return TD_OK;
}

td_status td_snapshots_write(const char *folder, uint32_t every, const td_run *run,
                             td_buffers *buffers, const td_pulse *pulse, td_error *error)
{
    td_plan plan = {0};
    replay r = {
        .folder = folder, .run = run, .buffers = buffers, .pulse = pulse, .now = buffers->input};
    td_status status = td_plan_for(buffers->engine, run, true, &plan, error);
    status = status == TD_OK ? allocate(&r, error) : status;
    if (status == TD_OK) {
        r.execution = td_execution_of(buffers, run, &plan);
        status = replay_all(&r, every, error);
    }
    free(r.state);
    free(r.first);
    td_plan_release(buffers->engine, &plan);
    return status;
}
