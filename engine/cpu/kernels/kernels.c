/* kernels.c - which instruction sets this processor has. */
#include "kernels.h"

#include "engine/core/own.h"

/* A build that was not compiled for a set treats it as missing, because the set's file then holds plain code. */
#ifdef __x86_64__
static bool has_avx2(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt");
}

static bool has_avx512(void)
{
    return has_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
}
#else
static bool has_avx2(void)
{
    return false;
}

static bool has_avx512(void)
{
    return false;
}
#endif

const td_cpu_kernels *td_cpu_kernels_at(size_t place)
{
    if (place == 0) {
        return &td_cpu_kernels_plain;
    }
    if (place == 1 && has_avx2()) {
        return &td_cpu_kernels_avx2;
    }
    return place == 2 && has_avx512() ? &td_cpu_kernels_avx512 : NULL;
}

const td_cpu_kernels *td_cpu_kernels_best(void)
{
    size_t place = 0;
    while (td_cpu_kernels_at(place + 1) != NULL) {
        place++;
    }
    return td_cpu_kernels_at(place);
}

const td_cpu_fns *td_cpu_fns_of(const td_cpu_kernels *kernels, const td_workload *workload)
{
    return workload->own != NULL
               ? workload->own->fns
               : kernels->fns[td_workload_id(workload)] + td_workload_row(workload);
}
