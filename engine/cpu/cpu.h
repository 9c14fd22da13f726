/* cpu.h - the cpu engine, the cores of the host: what its files share. */
#ifndef TD_ENGINE_CPU_CPU_H
#define TD_ENGINE_CPU_CPU_H

#include "engine/engine.h"
#include "engine/cpu/kernels/kernels.h"

typedef struct td_cpu_engine {
    td_engine base;
    int threads, cores;
    const td_cpu_kernels *kernels; /* for the instruction set of this processor */
    uint8_t *flush;                /* larger than any cache; made at the first use */
    double exchange_ms;            /* of the last execution, all of its halos */
    uint32_t exchanges;
} td_cpu_engine;

static inline td_cpu_engine *td_cpu_of(td_engine *engine)
{
    return (td_cpu_engine *)engine;
}

/*
 * td_cpu_team - how many threads share a number of pieces.
 *
 * All up to the cores, so that a team keeps its size from one grid to the next: a larger one would start threads while
 * the clock runs. Threads beyond the cores only wait for each other where there is no piece for each.
 */
int td_cpu_team(td_engine *engine, uint64_t pieces);

#endif
