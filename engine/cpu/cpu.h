/* cpu.h - declarations shared by the files of the cpu engine, which runs on the host's cores. */
#pragma once

#include "engine/engine.h"
#include "engine/cpu/kernels/kernels.h"

typedef struct td_cpu_engine {
    td_engine base;
    int threads, cores;
    td_cpu_fns_fn *fns_of; /* td_cpu_fns_of, but for tests */
    uint8_t *flush;        /* larger than any cache; allocated on first use */
    double exchange_ms;    /* total over the exchanges since the last sample began */
    uint32_t exchanges;
} td_cpu_engine;

static inline td_cpu_engine *td_cpu_of(td_engine *engine)
{
    return (td_cpu_engine *)engine;
}

/*
 * td_cpu_team - the number of threads that share `pieces` pieces of work.
 *
 * Up to the number of cores, every thread takes part whatever the number of pieces: a team that keeps its size from one
 * grid to the next starts no threads while the clock runs. Threads beyond the cores take part only if there is a piece
 * for each, because otherwise they would only wait for each other.
 */
int td_cpu_team(td_engine *engine, uint64_t pieces);
