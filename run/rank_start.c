#include "rank_start.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/core/digest.h"
#include "engine/host.h"

/* ---- are all ranks the same? ---- */

/* Digest the executable itself, not its name: a node may have an older copy. */
static uint64_t digest_of_program(void)
{
    const td_digest nothing = {0};
    return td_digest_file(nothing, "/proc/self/exe").low;
}

/* Leave out the name of the program, whose path may differ between hosts. */
static uint64_t digest_of_command_line(const td_options *options)
{
    td_digest digest = {0};
    for (int i = 1; i < options->argc; i++) {
        digest = td_digest_word(digest, options->argv[i]);
    }
    return digest.low;
}

/* ---- a share of the host ---- */

/* Each rank of a host gets one GPU, in rank order. If Slurm shows a rank only one GPU, the rank gets that one. */
static void choose_device(const td_engine_ops *engine, const td_ranks *ranks,
                          char device[TD_RANK_DEVICE_SIZE])
{
    enum { MOST = 64 };
    td_environment *devices = calloc(MOST, sizeof *devices);
    td_error ignored;
    const size_t count =
        devices != NULL && engine->devices != NULL ? engine->devices(devices, MOST, &ignored) : 0;
    free(devices);
    if (count > 0) {
        snprintf(device, TD_RANK_DEVICE_SIZE, "%u", ranks->local_index % (uint32_t)count);
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

td_status td_rank_start(td_options *options, const td_engine_ops *engine, td_ranks **ranks,
                        char device[TD_RANK_DEVICE_SIZE], td_error *error)
{
    if (!options->shares_domain) {
        return TD_OK;
    }
    TRY(td_ranks_open(ranks, error));
    options->part = td_ranks_index(*ranks);
    options->part_count = td_ranks_count(*ranks);
    TRY(check_launcher(*ranks, error));
    TRY(td_ranks_same(*ranks, digest_of_program(), "program", error));
    TRY(td_ranks_same(*ranks, digest_of_command_line(options), "command line", error));
    TRY(td_ranks_same(*ranks, td_digest_of(engine->name, strlen(engine->name)).low, "engine",
                      error));
    choose_device(engine, *ranks, device);
    return TD_OK;
}

/* The cores that the launcher has bound this rank to. If it has bound none, the rank's part of all cores. */
uint32_t td_rank_threads(const td_options *options, const td_ranks *ranks)
{
    const uint32_t usable = td_host_processors();
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    const uint32_t all = online > 0 ? (uint32_t)online : 1;
    if (ranks == NULL || options->threads > 0) {
        return options->threads;
    }
    if (usable < all) {
        return usable;
    }
    return all / td_ranks_local_count(ranks) > 0 ? all / td_ranks_local_count(ranks) : 1;
}
