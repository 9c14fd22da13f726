#include "spin_check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "engine/cuda/gate.h"
#include "spin.h"

enum { SAMPLES = 11 };

typedef struct spin {
    int64_t cycles;
    uint64_t *ns; /* duration of the last spin by the device clock; on the device */
} spin;

static td_status queue_spin(td_cuda_engine *cuda, void *context, td_error *error)
{
    const dim3 one = {1, 1, 1};
    spin *s = context;
    void *arguments[] = {&s->cycles, &s->ns};
    return TD_CUDA(error, cudaLaunchKernel(td_spin_kernel, one, one, arguments, 0, cuda->stream));
}

static int by_size(const void *a, const void *b)
{
    const double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

/* Cycles per nanosecond, from a spin so long that the clock's resolution does not matter. */
static td_status calibrate(td_cuda_engine *cuda, spin *s, double *cycles_per_ns, td_error *error)
{
    uint64_t ns = 0;
    s->cycles = 40000000;
    TRY(queue_spin(cuda, s, error));
    TRY_CUDA(error, cudaMemcpyAsync(&ns, s->ns, sizeof ns, cudaMemcpyDeviceToHost, cuda->stream));
    TRY_CUDA(error, cudaStreamSynchronize(cuda->stream));
    *cycles_per_ns = (double)s->cycles / (double)ns;
    return TD_OK;
}

static td_status time_spin(td_cuda_engine *cuda, spin *s, double us, double *median_us,
                           td_error *error)
{
    double ms[SAMPLES], cycles_per_ns = 0.0;
    TRY(calibrate(cuda, s, &cycles_per_ns, error));
    s->cycles = (int64_t)(us * 1e3 * cycles_per_ns);
    for (int i = 0; i < SAMPLES; i++) {
        TRY(td_gate_time(cuda, queue_spin, s, &ms[i], error));
    }
    qsort(ms, SAMPLES, sizeof ms[0], by_size);
    *median_us = ms[SAMPLES / 2] * 1e3;
    return TD_OK;
}

static td_status time_all(td_cuda_engine *cuda, spin *s, double empty_us, int *wrong,
                          td_error *error)
{
    static const double spins_us[] = {1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000};
    for (size_t i = 0; i < sizeof spins_us / sizeof spins_us[0]; i++) {
        const double us = spins_us[i];
        double median_us = 0.0;
        TRY(time_spin(cuda, s, us, &median_us, error));
        const double off_us = median_us - empty_us - us;
        printf("a spin of %g us: %.3f us, off by %.3f us\n", us, median_us, off_us);
        *wrong += fabs(off_us) > fmax(1.0, 0.01 * us);
    }
    return TD_OK;
}

td_status td_spin_check(td_engine *engine, double empty_kernel_ms, int *wrong, td_error *error)
{
    spin s = {0};
    *wrong = 0;
    TRY_CUDA(error, cudaMalloc((void **)&s.ns, sizeof *s.ns));
    const td_status status = time_all(td_cuda_of(engine), &s, empty_kernel_ms * 1e3, wrong, error);
    cudaFree(s.ns);
    return status;
}
