/*
 * arithmetic.c - independent chains of operations in registers, limited only by the rate at which the cores issue
 * vector instructions. They use the widest vectors that the processor has.
 */
#include "arithmetic.h"

#include "engine/core/clock.h"

/* A chain takes 8 cycles from one multiplication to the next, and a core starts two operations per cycle. */
enum { CHAINS = 8, OPS_PER_LINK = 2, FEWEST_REPEATS = 5, MOST_REPEATS = 20 };

static const double sample_ms = 0.2; /* of one repeat: long compared with reading the clock */

/* Receives the results, which nothing reads, so that the compiler cannot drop the work. */
static _Thread_local volatile double sink;

/* x = x a + b, or (x + a) ^ b, in every lane of every chain. */
/* clang-format off */
#define CHAIN_FN(name, target, lane, bytes, first, then)                                           \
    target static void name(uint64_t links)                                                        \
    {                                                                                              \
        typedef lane vector __attribute__((vector_size(bytes)));                                   \
        const vector zero = {0};                                                                   \
        volatile lane one = 1;                                                                     \
        const vector a = zero + one, b = zero + one;                                               \
        vector x0 = zero, x1 = x0 + one, x2 = x1 + one, x3 = x2 + one;                             \
        vector x4 = x3 + one, x5 = x4 + one, x6 = x5 + one, x7 = x6 + one;                         \
        for (uint64_t i = 0; i < links; i++) {                                                     \
            x0 = (x0 first a) then b;                                                              \
            x1 = (x1 first a) then b;                                                              \
            x2 = (x2 first a) then b;                                                              \
            x3 = (x3 first a) then b;                                                              \
            x4 = (x4 first a) then b;                                                              \
            x5 = (x5 first a) then b;                                                              \
            x6 = (x6 first a) then b;                                                              \
            x7 = (x7 first a) then b;                                                              \
        }                                                                                          \
        const vector sum = ((x0 + x1) + (x2 + x3)) + ((x4 + x5) + (x6 + x7));                      \
        sink = (double)sum[0];                                                                     \
    }
/* clang-format on */

/* The chains for vectors of `bytes` bytes, compiled for processors that have them. */
#define CHAINS_OF(bytes, target)                                                                   \
    CHAIN_FN(fp32_##bytes, target, float, bytes, *, +)                                             \
    CHAIN_FN(fp64_##bytes, target, double, bytes, *, +)                                            \
    CHAIN_FN(int32_##bytes, target, uint32_t, bytes, +, ^)

typedef void chain_fn(uint64_t links);

/* The chains for the three kinds of numbers, for one vector width. */
typedef struct chains {
    uint32_t bytes;
    chain_fn *fp32, *fp64, *int32;
} chains;

CHAINS_OF(16, )

#if defined(__x86_64__)
CHAINS_OF(32, __attribute__((target("avx2"))))
CHAINS_OF(64, __attribute__((target("avx512f"))))

static chains widest(void)
{
    static const chains sse = {16, fp32_16, fp64_16, int32_16},
                        avx2 = {32, fp32_32, fp64_32, int32_32},
                        avx512 = {64, fp32_64, fp64_64, int32_64};
    return __builtin_cpu_supports("avx512f") ? avx512 : __builtin_cpu_supports("avx2") ? avx2 : sse;
}
#else
static chains widest(void)
{
    static const chains any = {16, fp32_16, fp64_16, int32_16};
    return any;
}
#endif

/* Time of `links` links on this thread [ms]. */
static double time_links(chain_fn *chain, uint64_t links)
{
    const double start = td_now_ms();
    chain(links);
    return td_now_ms() - start;
}

/* The number of links that takes about sample_ms. */
static uint64_t links_for(chain_fn *chain)
{
    uint64_t links = 1024;
    while (time_links(chain, links) < sample_ms && links < UINT64_C(1) << 40) {
        links *= 2;
    }
    return links;
}

/* The best repeat on this thread. The repeats end early once several in a row bring no improvement. */
static double links_per_ms(chain_fn *chain)
{
    const uint64_t links = links_for(chain);
    double best_ms = 1e30;
    for (int repeat = 0, since = 0; repeat < MOST_REPEATS && since < FEWEST_REPEATS; repeat++) {
        const double ms = time_links(chain, links);
        since = ms < 0.99 * best_ms ? 0 : since + 1;
        best_ms = ms < best_ms ? ms : best_ms;
    }
    return (double)links / best_ms;
}

/* The sum over all threads, which compute at once. Each contributes its own best repeat, so that a thread that had to
 * wait does not spoil the others' results. */
static double gop_per_s(chain_fn *chain, uint32_t lanes, int threads)
{
    double sum = 0.0;
#pragma omp parallel num_threads(threads) reduction(+ : sum)
    sum += links_per_ms(chain);
    return sum * (OPS_PER_LINK * CHAINS * lanes) * 1e-6;
}

void td_cpu_arithmetic(int threads, td_environment *environment)
{
    const chains c = widest();
    environment->peaks.fp32_gop_per_s = gop_per_s(c.fp32, c.bytes / 4, threads);
    environment->peaks.fp64_gop_per_s = gop_per_s(c.fp64, c.bytes / 8, threads);
    environment->peaks.int32_gop_per_s = gop_per_s(c.int32, c.bytes / 4, threads);
}
