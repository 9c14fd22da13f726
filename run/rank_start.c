#include "driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "engine/core/digest.h"
#include "engine/host.h"

/* Each rank of a host gets one GPU, in rank order. If Slurm shows a rank only one GPU, the rank gets that one. */
static void choose_device(td_sweep_drive *d)
{
    const td_engine_ops *engine = d->engine;
    td_error ignored;
    const size_t count = engine->devices != NULL ? engine->devices(NULL, 0, &ignored) : 0;
    if (count > 0) {
        snprintf(d->device, sizeof d->device, "%u", d->ranks->local_index % (uint32_t)count);
    }
}

/* An MPI that does not know the launcher tells every process that it is the only one; each would write the same
 * file. */
static td_status check_launcher(const td_ranks *ranks, td_error *error)
{
    const char *tasks = getenv("SLURM_STEP_NUM_TASKS");
    const bool by_slurm = getenv("OMPI_COMM_WORLD_SIZE") == NULL; /* else mpirun, in a Slurm job */
    const long started = tasks != NULL && by_slurm ? strtol(tasks, NULL, 10) : 1;
    if (started <= 1 || td_ranks_count(ranks) > 1) {
        return TD_OK;
    }
    return td_fail(error, TD_USAGE,
                   "--ranks: srun started %ld processes, and MPI sees one: use a plug-in that it "
                   "knows (srun --mpi=list), such as srun --mpi=pmix",
                   started);
}

td_status td_rank_start(td_sweep_drive *d, td_error *error)
{
    td_options *options = d->options;
    td_digest words = {0};
    if (!options->shares_domain) {
        return TD_OK;
    }
    TRY(td_ranks_open(&d->ranks, error));
    options->part = td_ranks_index(d->ranks);
    options->part_count = td_ranks_count(d->ranks);
    TRY(check_launcher(d->ranks, error));
    /* the executable itself, not its name: a node may have an older copy, at another path */
    const td_digest program = td_digest_file((td_digest){0}, "/proc/self/exe");
    TRY(td_ranks_same(d->ranks, td_digest_word(program, d->engine->name).low, "program or engine",
                      error));
    for (int i = 1; i < options->argc; i++) {
        words = td_digest_word(words, options->argv[i]);
    }
    TRY(td_ranks_same(d->ranks, words.low, "command line", error));
    choose_device(d);
    return TD_OK;
}

/* The cores that the launcher has bound this rank to. If it has bound none, the rank's part of all cores. */
uint32_t td_rank_threads(const td_sweep_drive *d)
{
    const uint32_t usable = td_host_processors();
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    const uint32_t all = online > 0 ? (uint32_t)online : 1;
    if (d->ranks == NULL || d->options->threads > 0) {
        return d->options->threads;
    }
    if (usable < all) {
        return usable;
    }
    const uint32_t own = all / d->ranks->local_count;
    return own > 0 ? own : 1;
}
