/* arithmetic.c - measures how many operations per second the SMs reach at best: one full block per SM, in registers. */
#include "arithmetic.h"

#include "cuda.h"
#include "engine/cuda/kernels/arithmetic.h"

enum { FEWEST_REPEATS = 3, MOST_REPEATS = 12, FIRST_ROUNDS = 64, MOST_ROUNDS = 1 << 20 };

static const double sample_ms = 0.25; /* of one repeat: events resolve half a microsecond */

/* A kernel and its arguments. `sink` points to numbers of the kernel's type. */
typedef struct chains {
    const void *kernel;
    void *sink;
    uint32_t rounds;
    void *arguments[4]; /* point to the members above: do not copy the struct */
} chains;

static td_status time_chains(td_cuda_engine *cuda, chains *c, double *ms, td_error *error)
{
    const dim3 grid = {(unsigned)cuda->sms, 1, 1}, block = {TD_ARITHMETIC_THREADS, 1, 1};
    float elapsed_ms = 0.0f;
    TRY_CUDA(error, cudaEventRecord(cuda->start, cuda->stream));
    TRY_CUDA(error, cudaLaunchKernel(c->kernel, grid, block, c->arguments, 0, cuda->stream));
    TRY_CUDA(error, cudaEventRecord(cuda->stop, cuda->stream));
    TRY_CUDA(error, cudaEventSynchronize(cuda->stop));
    TRY_CUDA(error, cudaEventElapsedTime(&elapsed_ms, cuda->start, cuda->stop));
    *ms = (double)elapsed_ms;
    return TD_OK;
}

/* Choose the number of rounds that takes about sample_ms. The first launch loads the code. */
static td_status choose_rounds(td_cuda_engine *cuda, chains *c, td_error *error)
{
    double ms = 0.0;
    c->rounds = FIRST_ROUNDS;
    TRY(time_chains(cuda, c, &ms, error));
    for (; c->rounds < MOST_ROUNDS; c->rounds *= 2) {
        TRY(time_chains(cuda, c, &ms, error));
        if (ms >= sample_ms) {
            break;
        }
    }
    return TD_OK;
}

/* The best of several repeats. They end early once several in a row bring no improvement; rising clocks keep them
 * going. */
static td_status gop_per_s(td_cuda_engine *cuda, chains *c, double *rate, td_error *error)
{
    double best_ms = 1e30;
    TRY(choose_rounds(cuda, c, error));
    for (int repeat = 0, since = 0; repeat < MOST_REPEATS && since < FEWEST_REPEATS; repeat++) {
        double ms = 0.0;
        TRY(time_chains(cuda, c, &ms, error));
        since = ms < 0.99 * best_ms ? 0 : since + 1;
        best_ms = ms < best_ms ? ms : best_ms;
    }
    const double threads = (double)TD_ARITHMETIC_THREADS * cuda->sms;
    *rate = threads * (double)TD_ARITHMETIC_OPS * c->rounds / (best_ms * 1e6);
    return TD_OK;
}

static td_status measure(td_cuda_engine *cuda, const void *kernel, void *a, void *b, double *rate,
                         td_error *error)
{
    chains c = {.kernel = kernel};
    c.arguments[0] = &c.sink;
    c.arguments[1] = a;
    c.arguments[2] = b;
    c.arguments[3] = &c.rounds;
    return gop_per_s(cuda, &c, rate, error);
}

td_status td_cuda_peak_arithmetic(td_engine *engine, td_environment *environment, td_error *error)
{
    td_cuda_engine *cuda = td_cuda_of(engine);
    float half = 0.5f;
    double half_double = 0.5;
    uint32_t odd = 12345;
    TRY(measure(cuda, td_fp32_kernel, &half, &half, &environment->peaks.fp32_gop_per_s, error));
    TRY(measure(cuda, td_fp64_kernel, &half_double, &half_double,
                &environment->peaks.fp64_gop_per_s, error));
    return measure(cuda, td_int32_kernel, &odd, &odd, &environment->peaks.int32_gop_per_s, error);
}
