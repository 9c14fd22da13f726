/* hopper.cuh - barriers, bulk copies and matrix products of sm_90a, one function per instruction. */
#ifndef TD_WORKLOADS_HOPPER_CUH
#define TD_WORKLOADS_HOPPER_CUH

#include <stdint.h>

/* Shared memory is addressed by 32-bit numbers, as the instructions want them. */
__device__ __forceinline__ uint32_t td_shared_address(const void *at)
{
    return (uint32_t)__cvta_generic_to_shared(at);
}

/* ---- barriers in shared memory: a phase ends when all have arrived and all expected bytes have landed ---- */

__device__ __forceinline__ void td_barrier_init(uint64_t *barrier, uint32_t arrivals)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(td_shared_address(barrier)),
                 "r"(arrivals));
}

__device__ __forceinline__ void td_barrier_expect(uint64_t *barrier, uint32_t bytes)
{
    asm volatile(
        "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(td_shared_address(barrier)),
        "r"(bytes)
        : "memory");
}

__device__ __forceinline__ void td_barrier_arrive(uint64_t *barrier)
{
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(td_shared_address(barrier))
                 : "memory");
}

/* Arrive at the same barrier of a block of the cluster. Not `.release.cluster`, which would flush all of the thread's
 * writes to the GPU's L2 at each call: what is released here are reads that have completed. */
__device__ __forceinline__ void td_barrier_arrive_at(uint64_t *barrier, uint32_t block)
{
    asm volatile(
        "{ .reg .b32 there;\n"
        "mapa.shared::cluster.u32 there, %0, %1;\n"
        "mbarrier.arrive.shared::cluster.b64 _, [there]; }" ::"r"(td_shared_address(barrier)),
        "r"(block)
        : "memory");
}

/* Wait until the phase with this parity has ended. The thread sleeps meanwhile, for up to a millisecond at a time: it
 * would take instructions from those that work. */
__device__ __forceinline__ void td_barrier_wait(uint64_t *barrier, uint32_t parity)
{
    asm volatile("{ .reg .pred done;\n"
                 "again: mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1, 1000000;\n"
                 "@!done bra again; }" ::"r"(td_shared_address(barrier)),
                 "r"(parity)
                 : "memory");
}

/* After the inits, before the other block of the cluster may use them. */
__device__ __forceinline__ void td_barriers_are_ready()
{
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

__device__ __forceinline__ void td_cluster_sync()
{
    asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
}

__device__ __forceinline__ uint32_t td_rank_in_cluster()
{
    uint32_t rank;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return rank;
}

/* The thread's number, read anew: the compiler cannot compute what depends on it beforehand, and keep it in registers
 * that are scarce. */
__device__ __forceinline__ uint32_t td_thread_now()
{
    uint32_t thread;
    asm volatile("mov.u32 %0, %%tid.x;" : "=r"(thread));
    return thread;
}

/* ---- registers per thread, of a whole warpgroup ---- */

template <int Count>
__device__ __forceinline__ void td_registers_down()
{
    asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(Count));
}
template <int Count>
__device__ __forceinline__ void td_registers_up()
{
    asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(Count));
}

/* ---- memory ---- */

__device__ __forceinline__ void td_store_release(uint32_t *to, uint32_t value)
{
    asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(to), "r"(value) : "memory");
}

__device__ __forceinline__ uint32_t td_load_acquire(const uint32_t *from)
{
    uint32_t value;
    asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(from) : "memory");
    return value;
}

/* Store four matrices of 8 x 8 elements of 16 bits: lane i has the address of row i % 8 of matrix i / 8, and two
 * elements of each. */
__device__ __forceinline__ void td_store_matrices(void *to, const uint32_t *m)
{
    asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1,%2,%3,%4};" ::"r"(
                     td_shared_address(to)),
                 "r"(m[0]), "r"(m[1]), "r"(m[2]), "r"(m[3])
                 : "memory");
}

/* The same, each of them mirrored. */
__device__ __forceinline__ void td_store_mirrored(void *to, const uint32_t *m)
{
    asm volatile("stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%0], {%1,%2,%3,%4};" ::"r"(
                     td_shared_address(to)),
                 "r"(m[0]), "r"(m[1]), "r"(m[2]), "r"(m[3])
                 : "memory");
}

/* ---- bulk copies: a box of a matrix, from column x and row y on; what lies outside of the matrix is 0 ---- */

__device__ __forceinline__ void td_copy_box(void *to, const void *matrix, uint64_t *barrier,
                                            uint32_t x, uint32_t y)
{
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes "
                 "[%0], [%1, {%3, %4}], [%2];" ::"r"(td_shared_address(to)),
                 "l"(matrix), "r"(td_shared_address(barrier)), "r"(x), "r"(y)
                 : "memory");
}

/* A box of one of several matrices, `z`. */
__device__ __forceinline__ void td_copy_box_of(void *to, const void *matrices, uint64_t *barrier,
                                               uint32_t x, uint32_t y, uint32_t z)
{
    asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes "
                 "[%0], [%1, {%3, %4, %5}], [%2];" ::"r"(td_shared_address(to)),
                 "l"(matrices), "r"(td_shared_address(barrier)), "r"(x), "r"(y), "r"(z)
                 : "memory");
}

/* The same into the blocks of the cluster whose bits are set, at the same address in each. */
__device__ __forceinline__ void td_copy_box_to(uint16_t blocks, void *to, const void *matrix,
                                               uint64_t *barrier, uint32_t x, uint32_t y)
{
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes"
                 ".multicast::cluster [%0], [%1, {%3, %4}], [%2], %5;" ::"r"(td_shared_address(to)),
                 "l"(matrix), "r"(td_shared_address(barrier)), "r"(x), "r"(y), "h"(blocks)
                 : "memory");
}

/* A box of shared memory into a matrix, but for what lies outside of it. Before it, all threads that wrote the box call
 * td_boxes_are_written, and then wait for each other. */
__device__ __forceinline__ void td_store_box(const void *matrix, uint32_t x, uint32_t y,
                                             const void *from)
{
    asm volatile(
        "cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%2, %3}], [%1];" ::"l"(matrix),
        "r"(td_shared_address(from)), "r"(x), "r"(y)
        : "memory");
}
__device__ __forceinline__ void td_store_box_of(const void *matrices, uint32_t x, uint32_t y,
                                                uint32_t z, const void *from)
{
    asm volatile(
        "cp.async.bulk.tensor.3d.global.shared::cta.bulk_group [%0, {%2, %3, %4}], [%1];" ::"l"(
            matrices),
        "r"(td_shared_address(from)), "r"(x), "r"(y), "r"(z)
        : "memory");
}
__device__ __forceinline__ void td_boxes_are_written()
{
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}
__device__ __forceinline__ void td_boxes_commit()
{
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}
/* The thread that stored boxes: until all of them may be written again. */
__device__ __forceinline__ void td_boxes_wait()
{
    asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
}

/* ---- products of a warpgroup ---- */

/* The lower half of a matrix's descriptor: rows of 64 elements of 2 bytes with the 128-byte swizzle, eight of them in
 * 1024 bytes. PTX ISA, "Matrix descriptor". The upper half is the same for all. */
__device__ __forceinline__ uint32_t td_matrix_at(const void *rows)
{
    return (td_shared_address(rows) >> 4 & 0x3fff) | 1u << 16;
}

/* The same for b in td_product_with: boxes of 64 columns follow each other after so many bytes. */
__device__ __forceinline__ uint32_t td_matrix_in_boxes(const void *rows, uint32_t bytes)
{
    return (td_shared_address(rows) >> 4 & 0x3fff) | bytes >> 4 << 16;
}

__device__ __forceinline__ void td_products_begin()
{
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}

__device__ __forceinline__ void td_products_commit()
{
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}

/* Wait until at most `Left` groups are unfinished. */
template <int Left>
__device__ __forceinline__ void td_products_wait()
{
    asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(Left) : "memory");
}

/* The numbers of an instruction's first operands, as text, and these operands: the sums of a thread. */
#define TD_PLACES_32                                                                               \
    "%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,"                       \
    "%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31"
#define TD_PLACES_64                                                                               \
    TD_PLACES_32 ","                                                                               \
                 "%32,%33,%34,%35,%36,%37,%38,%39,%40,%41,%42,%43,%44,%45,%46,%47,%48,"            \
                 "%49,%50,%51,%52,%53,%54,%55,%56,%57,%58,%59,%60,%61,%62,%63"
#define TD_PLACES_128                                                                              \
    TD_PLACES_64 ","                                                                               \
                 "%64,%65,%66,%67,%68,%69,%70,%71,%72,%73,%74,%75,%76,%77,%78,%79,%80,"            \
                 "%81,%82,%83,%84,%85,%86,%87,%88,%89,%90,%91,%92,%93,%94,%95,%96,%97,"            \
                 "%98,%99,%100,%101,%102,%103,%104,%105,%106,%107,%108,%109,%110,%111,"            \
                 "%112,%113,%114,%115,%116,%117,%118,%119,%120,%121,%122,%123,%124,%125,"          \
                 "%126,%127"
#define TD_SUMS_16(c)                                                                              \
    "+f"((c)[0]), "+f"((c)[1]), "+f"((c)[2]), "+f"((c)[3]), "+f"((c)[4]), "+f"((c)[5]),            \
        "+f"((c)[6]), "+f"((c)[7]), "+f"((c)[8]), "+f"((c)[9]), "+f"((c)[10]), "+f"((c)[11]),      \
        "+f"((c)[12]), "+f"((c)[13]), "+f"((c)[14]), "+f"((c)[15])
#define TD_SUMS_32 TD_SUMS_16(c), TD_SUMS_16(c + 16)
#define TD_SUMS_64 TD_SUMS_32, TD_SUMS_16(c + 32), TD_SUMS_16(c + 48)
#define TD_SUMS_128                                                                                \
    TD_SUMS_64, TD_SUMS_16(c + 64), TD_SUMS_16(c + 80), TD_SUMS_16(c + 96), TD_SUMS_16(c + 112)
#define TD_PRODUCT "wgmma.mma_async.sync.aligned.m64"

/* c = a b^T, or c + a b^T, for 64 rows of a and `Rows` of b, of 16 numbers each. */
template <bool Bf16, uint32_t Rows>
__device__ __forceinline__ void td_product(float *c, uint32_t a, uint32_t b, bool add)
{
    static_assert(Rows == 64 || Rows == 128 || Rows == 256);
#define TD_PRODUCT_256_BEFORE                                                                      \
    "{ .reg .pred add; .reg .b64 a, b; setp.ne.b32 add, %130, 0;\n"                                \
    "mov.b64 a, {%128, 0x40000040}; mov.b64 b, {%129, 0x40000040};\n" TD_PRODUCT "n256k16.f32."
#define TD_PRODUCT_256_AFTER " {" TD_PLACES_128 "}, a, b, add, 1, 1, 0, 0; }"
#define TD_PRODUCT_128_BEFORE                                                                      \
    "{ .reg .pred add; .reg .b64 a, b; setp.ne.b32 add, %66, 0;\n"                                 \
    "mov.b64 a, {%64, 0x40000040}; mov.b64 b, {%65, 0x40000040};\n" TD_PRODUCT "n128k16.f32."
#define TD_PRODUCT_128_AFTER " {" TD_PLACES_64 "}, a, b, add, 1, 1, 0, 0; }"
#define TD_PRODUCT_64_BEFORE                                                                       \
    "{ .reg .pred add; .reg .b64 a, b; setp.ne.b32 add, %34, 0;\n"                                 \
    "mov.b64 a, {%32, 0x40000040}; mov.b64 b, {%33, 0x40000040};\n" TD_PRODUCT "n64k16.f32."
#define TD_PRODUCT_64_AFTER " {" TD_PLACES_32 "}, a, b, add, 1, 1, 0, 0; }"
    if constexpr (Rows == 64 && Bf16) {
        asm volatile(TD_PRODUCT_64_BEFORE "bf16.bf16" TD_PRODUCT_64_AFTER:TD_SUMS_32
                     : "r"(a), "r"(b), "r"((int)add));
    } else if constexpr (Rows == 64) {
        asm volatile(TD_PRODUCT_64_BEFORE "f16.f16" TD_PRODUCT_64_AFTER:TD_SUMS_32
                     : "r"(a), "r"(b), "r"((int)add));
    } else if constexpr (Rows == 256 && Bf16) {
        asm volatile(TD_PRODUCT_256_BEFORE "bf16.bf16" TD_PRODUCT_256_AFTER:TD_SUMS_128
                     : "r"(a), "r"(b), "r"((int)add));
    } else if constexpr (Rows == 256) {
        asm volatile(TD_PRODUCT_256_BEFORE "f16.f16" TD_PRODUCT_256_AFTER:TD_SUMS_128
                     : "r"(a), "r"(b), "r"((int)add));
    } else if constexpr (Bf16) {
        asm volatile(TD_PRODUCT_128_BEFORE "bf16.bf16" TD_PRODUCT_128_AFTER:TD_SUMS_64
                     : "r"(a), "r"(b), "r"((int)add));
    } else {
        asm volatile(TD_PRODUCT_128_BEFORE "f16.f16" TD_PRODUCT_128_AFTER:TD_SUMS_64
                     : "r"(a), "r"(b), "r"((int)add));
    }
}

/* c + a b: a has 64 rows of 16 numbers, in registers as a thread's sums are, b 16 rows of `Columns`, in boxes of 64
 * columns. */
template <bool Bf16, uint32_t Columns>
__device__ __forceinline__ void td_product_with(float *c, const uint32_t *a, uint32_t b)
{
    static_assert(Columns == 64 || Columns == 128);
#define TD_WITH_64_BEFORE                                                                          \
    "{ .reg .pred add; .reg .b64 b; setp.eq.b32 add, 0, 0;\n"                                      \
    "mov.b64 b, {%36, 0x40000040};\n" TD_PRODUCT "n64k16.f32."
#define TD_WITH_64_AFTER " {" TD_PLACES_32 "}, {%32, %33, %34, %35}, b, add, 1, 1, 1; }"
#define TD_WITH_128_BEFORE                                                                         \
    "{ .reg .pred add; .reg .b64 b; setp.eq.b32 add, 0, 0;\n"                                      \
    "mov.b64 b, {%68, 0x40000040};\n" TD_PRODUCT "n128k16.f32."
#define TD_WITH_128_AFTER " {" TD_PLACES_64 "}, {%64, %65, %66, %67}, b, add, 1, 1, 1; }"
#define TD_FACTORS "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b)
    if constexpr (Columns == 64 && Bf16) {
        asm volatile(TD_WITH_64_BEFORE "bf16.bf16" TD_WITH_64_AFTER:TD_SUMS_32 : TD_FACTORS);
    } else if constexpr (Columns == 64) {
        asm volatile(TD_WITH_64_BEFORE "f16.f16" TD_WITH_64_AFTER:TD_SUMS_32 : TD_FACTORS);
    } else if constexpr (Bf16) {
        asm volatile(TD_WITH_128_BEFORE "bf16.bf16" TD_WITH_128_AFTER:TD_SUMS_64 : TD_FACTORS);
    } else {
        asm volatile(TD_WITH_128_BEFORE "f16.f16" TD_WITH_128_AFTER:TD_SUMS_64 : TD_FACTORS);
    }
}

/* After a wait, before the sums are read: the compiler must not read them earlier. */
template <uint32_t Count>
__device__ __forceinline__ void td_products_are_here(float *c)
{
#pragma unroll
    for (uint32_t i = 0; i < Count; i++) {
        asm volatile("" : "+f"(c[i])::"memory");
    }
}

#endif
