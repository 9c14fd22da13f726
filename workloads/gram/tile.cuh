/*
 * tile.cuh - C = A A^T on the tensor cores of sm_90a: squares of 256 cells, each by a cluster of two blocks.
 *
 * A block has 128 rows of the square. One thread copies ahead, 64 columns of A at a time, into a ring of stages: the
 * block's rows, and those of the square's columns that the other block of the cluster does not copy; each block's
 * columns go to both. Two warpgroups multiply, each for 64 rows, and store what they made while the tensor cores have
 * work for the next square.
 *
 * Blocks that stay on the device take every stride-th square. What the last waves would leave unequal is cut along the
 * columns of A (stream-K, Osama et al. 2023): each cluster takes an equal run of steps. A square that is cut belongs to
 * the cluster that has its first step. The others leave their sums in memory, at the start of their run, and the owner
 * adds them at the end of its own: it hardly waits, and all of them are on the device.
 */
#ifndef TD_WORKLOADS_GRAM_TILE_CUH
#define TD_WORKLOADS_GRAM_TILE_CUH

#include "workloads/gram.h"
#include "store.cuh"
#include "workloads/hopper.cuh"
#include "workloads/tile_of.cuh"

enum {
    TD_GRAM_STEP = 64, /* columns of A per stage */
    TD_GRAM_STAGES = 4,
    TD_GRAM_LEAST = 12, /* steps of a run, at least: fewer do not pay for exchanging sums */
    TD_GRAM_BOX = TD_GRAM_ROWS * TD_GRAM_STEP * 2, /* 128 rows of a stage [bytes] */
    TD_GRAM_STAGE = 3 * TD_GRAM_BOX,
    /* The first warpgroup copies, the others multiply: registers of a thread. */
    TD_GRAM_TO_COPY = 40,
    TD_GRAM_TO_MULTIPLY = 232,
    TD_GRAM_MOST_CLUSTERS = 72 /* that can share squares: all SMs of a GPU, in pairs */
};

/* A place in the ring of stages; phase: of the stage's barriers. */
struct td_gram_place {
    uint32_t stage, phase;

    __device__ void go_on()
    {
        stage++;
        if (stage == TD_GRAM_STAGES) {
            stage = 0;
            phase ^= 1;
        }
    }
};

/* A block's run of steps: of 128 rows from y on by 256 columns from x on, the steps [from, to), which begin at `place`.
 * Without steps: there is none after it. */
struct td_gram_run {
    uint32_t y, x, from, to;
    td_gram_place place;
};

/* The shared memory of a block. */
struct td_gram_block {
    uint8_t stages[TD_GRAM_STAGES][TD_GRAM_STAGE];
    td_gram_part part[2]; /* of each warpgroup that multiplies */
    uint64_t full[TD_GRAM_STAGES], free[TD_GRAM_STAGES];
    td_gram_run run[2]; /* of even and odd number */
    uint64_t told[2], heard[2];
};
/* Stages begin at multiples of 1024. */
static_assert(TD_GRAM_SHARED >= sizeof(td_gram_block) + 1024);

/* What the clusters that share a square leave for its owner, by block and warpgroup: sums, and of how many steps; 0
 * before and after a launch. */
static __device__ float4
    td_gram_partial[2 * TD_GRAM_MOST_CLUSTERS][2][TD_GRAM_SUMS * TD_GRAM_TEAM / 4];
static __device__ uint32_t td_gram_steps[2 * TD_GRAM_MOST_CLUSTERS][2];

/* The runs of this block, in order. Map: bool tile(number, &row, &col) */
template <typename Map>
class td_gram_runs
{
    const Map &map;
    const uint32_t steps, stride, cut; /* squares from `cut` on are cut into runs */
    const uint32_t left, sharers;      /* their steps, and the clusters that share them */
    uint32_t square, at, end;          /* at, end: steps from the first of square `cut` on */

  public:
    __device__ td_gram_runs(const Map &of, const td_cluster_share &share, uint32_t columns,
                            bool splits)
        : map(of), steps(td_ceil_div(columns, TD_GRAM_STEP)), stride(share.stride),
          cut(splits && share.may_split && share.stride <= TD_GRAM_MOST_CLUSTERS
                  ? first_cut(share.end, share.stride)
                  : share.end),
          left((share.end - cut) * steps), sharers(min(stride, max(left / TD_GRAM_LEAST, 1u))),
          square(share.first), at(start_of(square)), end(start_of(square + 1))
    {
    }

    /* All waves but the last two, if the last is not full. */
    __device__ static uint32_t first_cut(uint32_t squares, uint32_t stride)
    {
        const uint32_t waves = squares / stride;
        return squares % stride == 0 ? squares : waves < 2 ? 0 : (waves - 1) * stride;
    }

    /* The first step of a cluster's run, counted from square `cut` on: two waves of 1024 steps by 72 clusters fit. */
    __device__ uint32_t start_of(uint32_t cluster) const
    {
        return left * min(cluster, sharers) / sharers;
    }

    /* The next run; one without steps after the last. */
    __device__ td_gram_run next()
    {
        for (;;) {
            uint32_t number = square, row, col;
            td_gram_run run = {0, 0, 0, steps, {}};
            if (square < cut) {
                square += stride;
            } else if (at < end) {
                number = cut + at / steps;
                run.from = at % steps;
                run.to = min(steps, run.from + end - at);
                at += run.to - run.from;
            } else {
                return {};
            }
            if (map.tile(number, &row, &col)) {
                run.y = row * TD_GRAM_SIDE + td_rank_in_cluster() * TD_GRAM_ROWS;
                run.x = col * TD_GRAM_SIDE;
                return run;
            }
        }
    }
};

/* ---- copies ---- */

/* One thread, before the others begin. */
__device__ inline void td_gram_open(td_gram_block &shared)
{
    for (uint32_t stage = 0; stage < TD_GRAM_STAGES; stage++) {
        td_barrier_init(&shared.full[stage], 1);
        td_barrier_init(&shared.free[stage], 4); /* the warpgroups of both blocks */
    }
    for (uint32_t slot = 0; slot < 2; slot++) {
        td_barrier_init(&shared.told[slot], 1);
        td_barrier_init(&shared.heard[slot], 2 * TD_GRAM_TEAM);
    }
    td_barriers_are_ready();
}

/* One thread: tells the warpgroups their runs, and copies what they need, stage after stage. No other thread asks the
 * map. boxes: of 128 rows of A. */
template <typename Runs>
__device__ inline void td_gram_copy(const void *boxes, Runs &runs, td_gram_block &shared)
{
    const uint32_t rank = td_rank_in_cluster();
    td_gram_place place = {0, 0};
    td_gram_run run;
    uint32_t number = 0;
    do {
        const uint32_t slot = number % 2;
        run = runs.next();
        run.place = place;
        td_barrier_wait(&shared.heard[slot], number / 2 % 2 ^ 1);
        shared.run[slot] = run;
        td_barrier_arrive(&shared.told[slot]);
        for (uint32_t step = run.from; step < run.to; step++) {
            uint8_t *const rows = shared.stages[place.stage], *const cols = rows + TD_GRAM_BOX;
            uint64_t *const full = &shared.full[place.stage];
            const uint32_t k = step * TD_GRAM_STEP;
            td_barrier_wait(&shared.free[place.stage], place.phase ^ 1);
            td_barrier_expect(full, TD_GRAM_STAGE);
            td_copy_box(rows, boxes, full, k, run.y);
            td_copy_box_to(3, cols + rank * TD_GRAM_BOX, boxes, full, k,
                           run.x + rank * TD_GRAM_ROWS);
            place.go_on();
        }
        number++;
    } while (run.from < run.to);
}

/* ---- products ---- */

/* Meanwhile: what is to be done while the tensor cores work, at every other step: they wait if it takes longer. */
template <bool Bf16, typename Meanwhile>
__device__ inline void td_gram_multiply(td_gram_sums &sums, const td_gram_run &run,
                                        td_gram_block &shared, uint32_t team, Meanwhile meanwhile)
{
    td_gram_place place = run.place;
    /* to both blocks, which copy into it */
    const auto give_back = [&](uint32_t stage) {
        if (threadIdx.x % TD_GRAM_TEAM < 2) {
            td_barrier_arrive_at(&shared.free[stage], threadIdx.x % TD_GRAM_TEAM);
        }
    };
    uint32_t before = 0;
    for (uint32_t step = run.from; step < run.to; step++) {
        td_barrier_wait(&shared.full[place.stage], place.phase);
        const uint8_t *const stage = shared.stages[place.stage];
        const uint32_t rows = td_matrix_at(stage + team * (TD_GRAM_BOX / 2));
        const uint32_t cols = td_matrix_at(stage + TD_GRAM_BOX);
        td_products_begin();
#pragma unroll
        for (uint32_t k = 0; k < TD_GRAM_STEP / 16; k++) { /* 32 bytes further: two units of 16 */
            td_product<Bf16, 256>(sums, rows + 2 * k, cols + 2 * k, k > 0 || step != run.from);
        }
        td_products_commit();
        if (step > run.from) {
            td_products_wait<1>();
            give_back(before);
        }
        before = place.stage;
        place.go_on();
        if (step % 2 == 0) {
            meanwhile();
        }
    }
    td_products_wait<0>();
    give_back(before);
}

/* ---- squares that are shared ---- */

/* Leave the sums of a run that does not begin its square. */
__device__ inline void td_gram_leave(const td_gram_sums &sums, uint32_t steps, uint32_t team)
{
    float4 *place = td_gram_partial[blockIdx.x][team] + threadIdx.x % TD_GRAM_TEAM;
#pragma unroll
    for (uint32_t i = 0; i < TD_GRAM_SUMS; i += 4, place += TD_GRAM_TEAM) {
        __stcg(place, make_float4(sums[i], sums[i + 1], sums[i + 2], sums[i + 3]));
    }
    __threadfence();
    td_gram_team_sync(team);
    if (threadIdx.x % TD_GRAM_TEAM == 0) {
        td_store_release(&td_gram_steps[blockIdx.x][team], steps);
    }
}

/* Add what other clusters left of the square that this one began: the next, and the one after it, up to its last step.
 */
__device__ inline void td_gram_collect(td_gram_sums &sums, uint32_t have, uint32_t all,
                                       uint32_t team)
{
    for (uint32_t block = blockIdx.x + 2; have < all; block += 2) {
        uint32_t steps = 0;
        while (steps == 0) {
            steps = td_load_acquire(&td_gram_steps[block][team]);
        }
        const float4 *place = td_gram_partial[block][team] + threadIdx.x % TD_GRAM_TEAM;
#pragma unroll
        for (uint32_t i = 0; i < TD_GRAM_SUMS; i += 4, place += TD_GRAM_TEAM) {
            const float4 other = __ldcg(place);
            sums[i] += other.x;
            sums[i + 1] += other.y;
            sums[i + 2] += other.z;
            sums[i + 3] += other.w;
        }
        td_gram_team_sync(team); /* all have seen how many steps */
        if (threadIdx.x % TD_GRAM_TEAM == 0) {
            td_gram_steps[block][team] = 0;
        }
        have += steps;
    }
}

/* One warpgroup. steps: of a square; Output: see store.cuh */
template <bool Bf16, typename Output>
__device__ inline void td_gram_work(td_gram_block &shared, uint32_t steps, uint32_t team,
                                    Output output)
{
    td_gram_sums sums;
    for (uint32_t number = 0;; number++) {
        const uint32_t slot = number % 2;
        td_barrier_wait(&shared.told[slot], number / 2 % 2);
        const td_gram_run run = shared.run[slot];
        td_barrier_arrive(&shared.heard[slot]);
        if (run.from == run.to) {
            break;
        }
        td_gram_multiply<Bf16>(sums, run, shared, team, [&] { output.go_on(); });
        output.finish();
        if (run.from > 0) {
            td_gram_leave(sums, run.to - run.from, team);
        } else {
            td_gram_collect(sums, run.to, steps, team);
            output.take(run.y + team * (TD_GRAM_ROWS / 2), run.x, sums);
        }
    }
    output.finish();
    output.end();
}

#endif
