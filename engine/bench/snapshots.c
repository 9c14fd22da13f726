#include "snapshots.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/io/raster.h"
#include "planning.h"
#include "group.h"
#include "automaton_state.h"
#include "engine/core/error.h"
#include "verification.h"

td_status td_snapshots_open(const char *folder, td_error *error)
{
    struct stat status;
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
        return td_fail(error, TD_USAGE, "--frames %.240s: cannot make the folder: %s", folder,
                       strerror(errno));
    }
    if (stat(folder, &status) != 0 || !S_ISDIR(status.st_mode) ||
        access(folder, W_OK | X_OK) != 0) {
        return td_fail(error, TD_USAGE, "--frames %.240s: wants a folder that can be written to",
                       folder);
    }
    return TD_OK;
}

/* A walk through the generations of a run. */
typedef struct walk {
    const char *folder;
    const td_run *run;
    td_buffers *buffers;
    td_execution execution;
    const void *now; /* where the state of `generation` lies */
    uint32_t generation;
    uint8_t *state;
} walk;

static td_status draw(walk *w, td_error *error)
{
    const bool squares = w->run->workload->cell_shape == TD_CELLS_ARE_SQUARES;
    char path[512];
    snprintf(path, sizeof path, "%.480s/%07u.png", w->folder, w->generation);
    TRY(td_state_download(w->buffers, w->now, w->state, error));
    return td_raster_write(path, squares ? TD_RASTER_SQUARES : TD_RASTER_TRIANGLES,
                           w->run->problem.n, w->state, error);
}

/* From buffer to buffer, and the first step never into the one it reads. */
static td_status advance(walk *w, uint32_t generations, td_error *error)
{
    const td_buffers *b = w->buffers;
    const int first = w->now == b->output[0].output ? 1 : 0;
    w->execution.data.input = w->now;
    w->execution.state[0] = b->output[first].output;
    w->execution.state[1] = b->output[1 - first].output;
    w->execution.generations = generations;
    w->execution.steps = td_ceil_div(generations, w->run->workload->generations);
    TRY(b->engine->ops->launch(b->engine, &w->execution, error));
    w->now = w->execution.state[(w->execution.steps - 1) % 2];
    w->generation += generations;
    return TD_OK;
}

static td_status walk_through(walk *w, uint32_t every, td_error *error)
{
    const uint32_t last = td_workload_steps(w->run->workload, &w->run->problem);
    TRY(draw(w, error));
    while (last - w->generation >= every) {
        TRY(advance(w, every, error));
        TRY(draw(w, error));
    }
    return last > w->generation ? advance(w, last - w->generation, error) : TD_OK;
}

td_status td_snapshots_write(const char *folder, uint32_t every, const td_run *run,
                             td_buffers *buffers, td_error *error)
{
    td_plan plan = {0};
    walk w = {.folder = folder, .run = run, .buffers = buffers, .now = buffers->input};
    td_status status = td_run_plan(run, true, &plan, error);
    w.state = malloc(td_workload_cells(run->workload, &run->problem));
    if (status == TD_OK && w.state == NULL) {
        status = td_fail(error, TD_NO_MEMORY, "the host has no memory left for --frames");
    }
    if (status == TD_OK) {
        w.execution = td_execution_of(buffers, run, &plan);
        status = walk_through(&w, every, error);
    }
    free(w.state);
    td_plan_free(&plan);
    return status;
}
