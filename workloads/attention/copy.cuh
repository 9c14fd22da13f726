/*
 * copy.cuh - the shared memory of a block that computes attention on sm_90a, the runs of its rows, and the thread that
 * copies ahead for them: queries, then keys and values, 128 at a time, from the diagonal down to the first.
 */
#ifndef TD_WORKLOADS_ATTENTION_COPY_CUH
#define TD_WORKLOADS_ATTENTION_COPY_CUH

#include "workloads/attention.h"
#include "workloads/boxes.cuh"
#include "workloads/hopper.cuh"
#include "workloads/tile_of.cuh"

enum {
    TD_ATTENTION_TEAM = 128, /* threads of a warpgroup */
    TD_ATTENTION_KEYS = 128, /* of a step */
    TD_ATTENTION_STAGES = 2,
    TD_ATTENTION_BOX = 128 * 128, /* 128 rows of 64 columns [bytes] */
    /* The first warpgroup copies, the others multiply: registers of a thread. */
    TD_ATTENTION_TO_COPY = 40,
    TD_ATTENTION_TO_MULTIPLY = 232
};

/* How a launch reads and writes: heads of D columns, in boxes of 64 columns by 128 rows; of the result, 64 rows. */
struct td_attention_boxes {
    CUtensorMap queries, keys, values, result;
};

/* What a block does at a time: 128 rows of a head, from y on, and of their steps, which go down, [first, end). Without
 * steps: there is nothing more. */
struct td_attention_run {
    uint32_t head, y, first, end;
};

/* The shared memory of a block. */
template <uint32_t Columns>
struct td_attention_block {
    static constexpr uint32_t boxes = Columns / 64;
    typedef uint8_t tile[boxes][TD_ATTENTION_BOX];

    tile queries, keys[TD_ATTENTION_STAGES], values[TD_ATTENTION_STAGES], result;
    uint64_t queries_full, queries_free;
    uint64_t keys_full[TD_ATTENTION_STAGES], keys_free[TD_ATTENTION_STAGES];
    uint64_t values_full[TD_ATTENTION_STAGES], values_free[TD_ATTENTION_STAGES];
    td_attention_run run[2]; /* of even and odd number */
    uint64_t told[2], heard[2];
};
/* Boxes begin at multiples of 1024. */
static_assert(TD_ATTENTION_SHARED >= sizeof(td_attention_block<128>) + 1024);

/* A place in a ring of stages, by the number of the step since the block began. */
struct td_attention_place {
    uint32_t step;

    __device__ uint32_t stage() const
    {
        return step % TD_ATTENTION_STAGES;
    }
    __device__ uint32_t phase() const
    {
        return step / TD_ATTENTION_STAGES % 2;
    }
};

/* ---- which rows, and which of their steps ---- */

/* The runs of a block, in order. Map: td_tile at(number), which are whole rows: see map.h. */
template <typename Map>
class td_attention_runs
{
    const td_data &data;
    const Map &map;
    const td_cluster_share share;
    uint32_t number;
    td_tile rows = {};
    bool has_other = false;

  public:
    __device__ td_attention_runs(const td_data &of, const Map &by, const td_cluster_share &mine)
        : data(of), map(by), share(mine), number(mine.first)
    {
    }

    __device__ td_attention_run run_of(uint32_t row) const
    {
        const uint32_t y = row * TD_ATTENTION_ROWS;
        const bool is_causal = data.params[TD_ATTENTION_KEYS_OF_ROW] > 0;
        uint32_t first, end;
        td_attention_range(&data, y, &first, &end);
        return {rows.x, y, first / TD_ATTENTION_KEYS,
                is_causal ? row + 1 : td_ceil_div(data.n, TD_ATTENTION_KEYS)};
    }

    /* The next run; one without steps after the last. */
    __device__ td_attention_run next()
    {
        if (has_other) {
            has_other = false;
            return run_of(rows.z);
        }
        if (number >= share.end) {
            return {};
        }
        rows = map.at(number);
        number = share.after(number);
        has_other = rows.z != rows.y;
        return run_of(rows.y);
    }
};

/* ---- copies ---- */

/* One thread, before the others begin. */
template <uint32_t Columns>
__device__ __forceinline__ void td_attention_open(td_attention_block<Columns> &shared)
{
    td_barrier_init(&shared.queries_full, 1);
    td_barrier_init(&shared.queries_free, 2); /* the two warpgroups */
    for (uint32_t stage = 0; stage < TD_ATTENTION_STAGES; stage++) {
        td_barrier_init(&shared.keys_full[stage], 1);
        td_barrier_init(&shared.keys_free[stage], 2);
        td_barrier_init(&shared.values_full[stage], 1);
        td_barrier_init(&shared.values_free[stage], 2);
    }
    for (uint32_t slot = 0; slot < 2; slot++) {
        td_barrier_init(&shared.told[slot], 1);
        td_barrier_init(&shared.heard[slot], 2 * TD_ATTENTION_TEAM);
    }
    td_barriers_are_ready();
}

/* A tile of 128 rows of a head. */
template <uint32_t Columns>
__device__ __forceinline__ void td_attention_copy_tile(uint8_t (*to)[TD_ATTENTION_BOX],
                                                       const void *boxes, uint64_t *full,
                                                       uint32_t y, uint32_t head)
{
    td_barrier_expect(full, Columns / 64 * TD_ATTENTION_BOX);
    for (uint32_t box = 0; box < Columns / 64; box++) {
        td_copy_box_of(to[box], boxes, full, 64 * box, y, head);
    }
}

/* One thread: tells the warpgroups their runs, and copies what they need. No other thread asks the map. */
template <uint32_t Columns, typename Runs>
__device__ __forceinline__ void td_attention_copy(const td_data &data,
                                                  const td_attention_boxes &boxes, Runs &runs,
                                                  td_attention_block<Columns> &shared)
{
    const uint32_t shared_by = data.params[TD_ATTENTION_SHARED_BY];
    td_attention_place of_keys = {0}, of_values = {0};
    td_attention_run run = {};
    const auto copy = [&](auto *tiles, uint64_t *full, uint64_t *free, td_attention_place &place,
                          const void *from, uint32_t step) {
        const uint32_t stage = place.stage();
        td_barrier_wait(&free[stage], place.phase() ^ 1);
        td_attention_copy_tile<Columns>(tiles[stage], from, &full[stage], step * TD_ATTENTION_KEYS,
                                        run.head / shared_by);
        place.step++;
    };
    for (uint32_t number = 0;; number++) {
        const uint32_t slot = number % 2;
        run = runs.next();
        td_barrier_wait(&shared.heard[slot], number / 2 % 2 ^ 1);
        shared.run[slot] = run;
        td_barrier_arrive(&shared.told[slot]);
        if (run.first >= run.end) {
            return;
        }
        td_barrier_wait(&shared.queries_free, number % 2 ^ 1);
        td_attention_copy_tile<Columns>(shared.queries, &boxes.queries, &shared.queries_full, run.y,
                                        run.head);
        copy(shared.keys, shared.keys_full, shared.keys_free, of_keys, &boxes.keys, run.end - 1);
        for (uint32_t step = run.end; step-- > run.first;) { /* keys one step ahead of values */
            if (step > run.first) {
                copy(shared.keys, shared.keys_full, shared.keys_free, of_keys, &boxes.keys,
                     step - 1);
            }
            copy(shared.values, shared.values_full, shared.values_free, of_values, &boxes.values,
                 step);
        }
    }
}

#endif
