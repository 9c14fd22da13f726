/*
 * gram_tile.cuh - C = A A^T on the tensor cores of sm_90a: squares of 256 cells, each by a cluster of two blocks.
 *
 * A block has 128 rows of the square and computes its two halves of 128 x 128 one after the other: units of work. One
 * thread copies ahead, 64 columns of A at a time, into a ring of stages: the unit's rows, and the half of the unit's
 * columns that the other block of the cluster does not copy. Each block's columns go to both. Two warpgroups take units
 * in turns: while one stores, the other multiplies, and the tensor cores have no pause.
 *
 * Blocks that stay on the device take every stride-th unit. What the last waves would leave unequal is cut along the
 * columns of A (stream-K, Osama et al. 2023): each cluster takes an equal run of steps. A unit that is cut belongs to
 * the cluster that has its first step. The others leave their sums in memory, at the start of their run, and the owner
 * adds them at the end of its own: it hardly waits, and all of them are on the device.
 */
#ifndef TD_WORKLOADS_GRAM_TILE_CUH
#define TD_WORKLOADS_GRAM_TILE_CUH

#include <cuda_bf16.h>

#include "gram.h"
#include "hopper.cuh"
#include "tile_of.cuh"

enum {
    TD_GRAM_STEP = 64, /* columns of A per stage */
    TD_GRAM_STAGES = 6,
    TD_GRAM_LEAST = 12, /* steps of a run, at least: fewer are not worth their sums' way */
    TD_GRAM_BOX = TD_GRAM_ROWS * TD_GRAM_STEP * 2, /* rows or columns of a stage [bytes] */
    TD_GRAM_STAGE = 2 * TD_GRAM_BOX,
    TD_GRAM_PART = 64 * 256, /* of a warpgroup's sums that it turns into rows [bytes] */
    TD_GRAM_TEAM = 128,      /* threads of a warpgroup */
    /* The first warpgroup copies, the second one only makes the block a power of two, the others multiply. */
    TD_GRAM_THREADS = 4 * TD_GRAM_TEAM,
    TD_GRAM_FIRST_TEAM = 2,
    TD_GRAM_FEW_REGISTERS = 32,
    TD_GRAM_MANY_REGISTERS = 224,
    TD_GRAM_MOST_CLUSTERS = 72 /* that can share units: all SMs of a GPU, in pairs */
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

/* A block's run of steps: of its unit, 128 rows from y on by 128 columns from x on, the steps [from, to), which begin
 * at `place`. Without steps: there is none after it. */
struct td_gram_run {
    uint32_t y, x, from, to;
    td_gram_place place;
};

/* The shared memory of a block. */
struct td_gram_block {
    uint8_t stages[TD_GRAM_STAGES][TD_GRAM_STAGE];
    uint8_t part[2][TD_GRAM_PART]; /* of each warpgroup */
    uint64_t full[TD_GRAM_STAGES], free[TD_GRAM_STAGES];
    td_gram_run run[2]; /* the next one of each warpgroup */
    uint64_t told[2], heard[2];
};
/* Stages begin at multiples of 1024. */
static_assert(TD_GRAM_SHARED >= sizeof(td_gram_block) + 1024);

/* What the clusters that share a unit leave for its owner, by block: sums, and of how many steps; 0 before and after a
 * launch. */
static __device__ float4
    td_gram_partial[2 * TD_GRAM_MOST_CLUSTERS][TD_GRAM_ROWS * TD_GRAM_ROWS / 4];
static __device__ uint32_t td_gram_steps[2 * TD_GRAM_MOST_CLUSTERS];

/* The runs of this block, in order. Map: bool tile(number, &row, &col) */
template <typename Map>
class td_gram_runs
{
    const Map &map;
    const uint32_t steps, stride, cut; /* units from `cut` on are cut into runs */
    const uint32_t left, sharers;      /* their steps, and the clusters that share them */
    uint32_t unit, at, end;            /* at, end: steps from the first of unit `cut` on */

  public:
    __device__ td_gram_runs(const Map &of, const td_cluster_share &share, uint32_t columns,
                            bool splits)
        : map(of), steps(td_ceil_div(columns, TD_GRAM_STEP)), stride(share.stride),
          cut(splits && share.may_split && share.stride <= TD_GRAM_MOST_CLUSTERS
                  ? first_cut(share.end, share.stride)
                  : share.end),
          left((share.end - cut) * steps), sharers(min(stride, max(left / TD_GRAM_LEAST, 1u))),
          unit(share.first), at(start_of(unit)), end(start_of(unit + 1))
    {
    }

    /* All waves but the last two, if the last is not full. */
    __device__ static uint32_t first_cut(uint32_t units, uint32_t stride)
    {
        const uint32_t waves = units / stride;
        return units % stride == 0 ? units : waves < 2 ? 0 : (waves - 1) * stride;
    }

    /* The first step of a cluster's run, counted from unit `cut` on: two waves of 1024 steps by 72 clusters fit. */
    __device__ uint32_t start_of(uint32_t cluster) const
    {
        return left * min(cluster, sharers) / sharers;
    }

    /* The next run; one without steps after the last. */
    __device__ td_gram_run next()
    {
        for (;;) {
            uint32_t number = unit, row, col;
            td_gram_run run = {0, 0, 0, steps, {}};
            if (unit < cut) {
                unit += stride;
            } else if (at < end) {
                number = cut + at / steps;
                run.from = at % steps;
                run.to = min(steps, run.from + end - at);
                at += run.to - run.from;
            } else {
                return {};
            }
            if (map.tile(number / 2, &row, &col)) {
                run.y = row * TD_GRAM_SIDE + td_rank_in_cluster() * TD_GRAM_ROWS;
                run.x = col * TD_GRAM_SIDE + number % 2 * TD_GRAM_ROWS;
                return run;
            }
        }
    }
};

/* One thread, before the others begin. */
__device__ inline void td_gram_open(td_gram_block &shared)
{
    for (uint32_t stage = 0; stage < TD_GRAM_STAGES; stage++) {
        td_barrier_init(&shared.full[stage], 1);
        td_barrier_init(&shared.free[stage], 2); /* one warpgroup of each block */
    }
    for (uint32_t team = 0; team < 2; team++) {
        td_barrier_init(&shared.told[team], 1);
        td_barrier_init(&shared.heard[team], TD_GRAM_TEAM);
    }
    td_barriers_are_ready();
}

/* One thread: tells the warpgroups their runs, and copies what they need, stage after stage. No other thread asks the
 * map. boxes: of 128 rows of A, and of 64. */
template <typename Runs>
__device__ inline void td_gram_copy(const void *boxes, const void *half_boxes, Runs &runs,
                                    td_gram_block &shared)
{
    const uint32_t rank = td_rank_in_cluster();
    td_gram_place place = {0, 0};
    uint32_t last = 0; /* runs without steps: one for each warpgroup */
    for (uint32_t number = 0; last < 2; number++) {
        td_gram_run run = runs.next();
        run.place = place;
        last += run.from == run.to;
        td_barrier_wait(&shared.heard[number % 2], number / 2 % 2 ^ 1);
        shared.run[number % 2] = run;
        td_barrier_arrive(&shared.told[number % 2]);
        for (uint32_t step = run.from; step < run.to; step++) {
            uint8_t *const rows = shared.stages[place.stage], *const cols = rows + TD_GRAM_BOX;
            uint64_t *const full = &shared.full[place.stage];
            const uint32_t k = step * TD_GRAM_STEP;
            td_barrier_wait(&shared.free[place.stage], place.phase ^ 1);
            td_barrier_expect(full, TD_GRAM_STAGE);
            td_copy_box(rows, boxes, full, k, run.y);
            td_copy_box_to(3, cols + rank * (TD_GRAM_BOX / 2), half_boxes, full, k,
                           run.x + rank * (TD_GRAM_ROWS / 2));
            place.go_on();
        }
    }
}

/* The sums of a warpgroup: two of 64 rows by 128 columns. Thread t of warp w has of rows 16 w + t / 4 and 8 further the
 * columns 8 j + t % 4 * 2 and the next: at 4 j and 4 j + 2. */
typedef float td_gram_sums_of_team[TD_GRAM_ROWS];

/* Last_is_queued: called once the tensor cores have all that they need of this run. */
template <bool Bf16, typename Last>
__device__ inline void td_gram_multiply(td_gram_sums_of_team &sums, const td_gram_run &run,
                                        td_gram_block &shared, Last last_is_queued)
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
        const uint8_t *const rows = shared.stages[place.stage];
        const uint32_t top = td_matrix_at(rows), bottom = td_matrix_at(rows + TD_GRAM_BOX / 2);
        const uint32_t cols = td_matrix_at(rows + TD_GRAM_BOX);
        td_products_begin();
#pragma unroll
        for (uint32_t k = 0; k < TD_GRAM_STEP / 16; k++) { /* 32 bytes further: two units of 16 */
            const bool add = k > 0 || step != run.from;
            td_product<Bf16>(sums, top + 2 * k, cols + 2 * k, add);
            td_product<Bf16>(sums + 64, bottom + 2 * k, cols + 2 * k, add);
        }
        td_products_commit();
        if (step > run.from) {
            td_products_wait<1>();
            give_back(before);
        }
        before = place.stage;
        place.go_on();
    }
    last_is_queued();
    td_products_wait<0>();
    give_back(before);
}

/* ---- named barriers: 1 and 2 for the turns of the warpgroups, 3 and 4 for each by itself ---- */

__device__ inline void td_gram_wait_for_turn(uint32_t team)
{
    asm volatile("bar.sync %0, %1;" ::"r"(1 + team), "n"(2 * (int)TD_GRAM_TEAM) : "memory");
}
__device__ inline void td_gram_give_turn(uint32_t team)
{
    asm volatile("bar.arrive %0, %1;" ::"r"(1 + team), "n"(2 * (int)TD_GRAM_TEAM) : "memory");
}
__device__ inline void td_gram_team_sync(uint32_t team)
{
    asm volatile("bar.sync %0, %1;" ::"r"(3 + team), "n"((int)TD_GRAM_TEAM) : "memory");
}

/* ---- units that are shared ---- */

/* Leave the sums of a run that does not begin its unit. */
__device__ inline void td_gram_leave(const td_gram_sums_of_team &sums, uint32_t steps,
                                     uint32_t team)
{
    float4 *place = td_gram_partial[blockIdx.x] + threadIdx.x % TD_GRAM_TEAM;
#pragma unroll
    for (uint32_t i = 0; i < TD_GRAM_ROWS; i += 4, place += TD_GRAM_TEAM) {
        __stcg(place, make_float4(sums[i], sums[i + 1], sums[i + 2], sums[i + 3]));
    }
    __threadfence();
    td_gram_team_sync(team);
    if (threadIdx.x % TD_GRAM_TEAM == 0) {
        td_store_release(&td_gram_steps[blockIdx.x], steps);
    }
}

/* Add what other clusters left of the unit that this one began: the next, and the one after it, up to its last step. */
__device__ inline void td_gram_collect(td_gram_sums_of_team &sums, uint32_t have, uint32_t all,
                                       uint32_t team)
{
    for (uint32_t block = blockIdx.x + 2; have < all; block += 2) {
        uint32_t steps = 0;
        while (steps == 0) {
            steps = td_load_acquire(&td_gram_steps[block]);
        }
        const float4 *place = td_gram_partial[block] + threadIdx.x % TD_GRAM_TEAM;
#pragma unroll
        for (uint32_t i = 0; i < TD_GRAM_ROWS; i += 4, place += TD_GRAM_TEAM) {
            const float4 other = __ldcg(place);
            sums[i] += other.x;
            sums[i + 1] += other.y;
            sums[i + 2] += other.z;
            sums[i + 3] += other.w;
        }
        td_gram_team_sync(team); /* all have seen how many steps */
        if (threadIdx.x % TD_GRAM_TEAM == 0) {
            td_gram_steps[block] = 0;
        }
        have += steps;
    }
}

/* One warpgroup: takes every other run. steps: of a unit; store: what becomes of its sums. */
template <bool Bf16, typename Store>
__device__ inline void td_gram_work(td_gram_block &shared, uint32_t steps, uint32_t team,
                                    Store store)
{
    td_gram_sums_of_team sums;
    if (team == 1) { /* the first turn is the other's */
        td_gram_give_turn(0);
    }
    for (uint32_t number = 0;; number++) {
        /* first for the turn: that wait takes no instructions, which tensor cores would miss */
        td_gram_wait_for_turn(team);
        td_barrier_wait(&shared.told[team], number % 2);
        const td_gram_run run = shared.run[team];
        if (run.from == run.to) {
            td_gram_give_turn(1 - team);
            return;
        }
        td_barrier_arrive(&shared.heard[team]);
        td_gram_multiply<Bf16>(sums, run, shared, [&] { td_gram_give_turn(1 - team); });
        if (run.from > 0) {
            td_gram_leave(sums, run.to - run.from, team);
        } else {
            td_gram_collect(sums, run.to, steps, team);
            store(run, sums);
        }
    }
}

#endif
