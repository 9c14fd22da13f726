/*
 * tile.cuh - attention on the tensor cores of sm_90a: a block has 128 rows of queries, and takes their keys in steps.
 *
 * Two warpgroups have 64 rows each, and copy.cuh has the thread that copies ahead for them. A warpgroup multiplies its
 * queries with the next keys while it multiplies the weights of the keys before them with their values, and computes
 * weights while the other's products run (Shah et al. 2024, FlashAttention-3). A row's sums are relative to its largest
 * score so far, and are scaled when a larger one comes (Milakov and Gimelshein 2018).
 */
#ifndef TD_WORKLOADS_ATTENTION_TILE_CUH
#define TD_WORKLOADS_ATTENTION_TILE_CUH

#include "copy.cuh"
#include "workloads/hopper.cuh"
#include "workloads/mma.cuh"

/* A named barrier for each warpgroup by itself. */
__device__ __forceinline__ void td_attention_team_sync(uint32_t team)
{
    asm volatile("bar.sync %0, %1;" ::"r"(1 + team), "n"((int)TD_ATTENTION_TEAM) : "memory");
}

/* 64 rows of a run. A thread has two of them, 8 apart, and of every 8 columns two: see td_gram_sums. */
template <bool Bf16, uint32_t Columns>
class td_attention_team
{
    td_attention_block<Columns> &shared;
    const td_data &data;
    const td_attention_boxes &boxes;
    const uint32_t team;
    const float scale; /* of a score, for powers of two */
    td_attention_place of_keys = {0}, of_values = {0};
    uint32_t runs = 0;
    /* of a run */
    float scores[TD_ATTENTION_KEYS / 2], sums[Columns / 2];
    uint32_t weights[TD_ATTENTION_KEYS / 4];
    float most[2], total[2];

  public:
    __device__ td_attention_team(td_attention_block<Columns> &by, const td_data &of,
                                 const td_attention_boxes &with, uint32_t which)
        : shared(by), data(of), boxes(with), team(which),
          scale(1.44269504f * rsqrtf((float)Columns))
    {
    }

    __device__ __forceinline__ void work()
    {
        for (;; runs++) {
            const uint32_t slot = runs % 2;
            td_barrier_wait(&shared.told[slot], runs / 2 % 2);
            const td_attention_run run = shared.run[slot];
            td_barrier_arrive(&shared.heard[slot]);
            if (run.first >= run.end) {
                break;
            }
            rows(run);
        }
        td_boxes_wait();
    }

  private:
    __device__ __forceinline__ bool is_first() const
    {
        return threadIdx.x % TD_ATTENTION_TEAM == 0;
    }

    __device__ __forceinline__ void free(uint64_t *barrier) const
    {
        if (is_first()) {
            td_barrier_arrive(barrier);
        }
    }

    /* scores = queries times keys of a step */
    __device__ __forceinline__ void start_scores()
    {
        const uint32_t stage = of_keys.stage();
        const uint32_t q = td_matrix_at(shared.queries[0] + team * (TD_ATTENTION_BOX / 2));
        const uint32_t k = td_matrix_at(shared.keys[stage][0]);
        td_products_begin();
#pragma unroll
        for (uint32_t i = 0; i < Columns / 16; i++) { /* 32 bytes further; in the next box */
            const uint32_t further = i / 4 * (TD_ATTENTION_BOX / 16) + i % 4 * 2;
            td_product<Bf16, TD_ATTENTION_KEYS>(scores, q + further, k + further, i > 0);
        }
        td_products_commit();
    }

    /* sums += weights times values, likewise */
    __device__ __forceinline__ void start_sums()
    {
        const uint32_t v =
            td_matrix_in_boxes(shared.values[of_values.stage()][0], TD_ATTENTION_BOX);
        td_products_begin();
#pragma unroll
        for (uint32_t i = 0; i < TD_ATTENTION_KEYS / 16; i++) { /* 16 rows of 128 bytes further */
            td_product_with<Bf16, Columns>(sums, weights + 4 * i, v + i * (16 * 128 / 16));
        }
        td_products_commit();
    }

    __device__ __forceinline__ void wait_keys() const
    {
        td_barrier_wait(&shared.keys_full[of_keys.stage()], of_keys.phase());
    }
    __device__ __forceinline__ void wait_values() const
    {
        td_barrier_wait(&shared.values_full[of_values.stage()], of_values.phase());
    }
    __device__ __forceinline__ void free_keys()
    {
        free(&shared.keys_free[of_keys.stage()]);
        of_keys.step++;
    }
    __device__ __forceinline__ void free_values()
    {
        free(&shared.values_free[of_values.stage()]);
        of_values.step++;
    }

    /* Scores that do not count become -infinity. A key counts if it is fewer than `count` after the first: a
     * subtraction and a comparison, where a test of each limit would be two branches. */
    __device__ __forceinline__ void mask(const td_attention_run &run, uint32_t step)
    {
        const uint32_t lane = threadIdx.x % 32;
        const uint32_t row =
            run.y + team * 64 + threadIdx.x % TD_ATTENTION_TEAM / 32 * 16 + lane / 4;
        const uint32_t key = step * TD_ATTENTION_KEYS + lane % 4 * 2;
#pragma unroll
        for (uint32_t r = 0; r < 2; r++) {
            uint32_t first, end;
            td_attention_range(&data, row + 8 * r, &first, &end);
            const uint32_t before = first - key, count = end - first;
#pragma unroll
            for (uint32_t i = 2 * r; i < TD_ATTENTION_KEYS / 2; i += i % 2 == 0 ? 1 : 3) {
                scores[i] = i / 4 * 8 + i % 2 - before < count ? scores[i] : -INFINITY;
            }
        }
    }

    /* Scores become weights, still as floats. Returns in `by` what the sums before have to be scaled by. */
    template <bool First>
    __device__ __forceinline__ void weigh(float *by)
    {
#pragma unroll
        for (uint32_t r = 0; r < 2; r++) {
            float larger = First ? -INFINITY : most[r];
#pragma unroll
            for (uint32_t i = 2 * r; i < TD_ATTENTION_KEYS / 2; i += 4) {
                larger = fmaxf(larger, fmaxf(scores[i], scores[i + 1]));
            }
            larger = fmaxf(larger, __shfl_xor_sync(~0u, larger, 1));
            larger = fmaxf(larger, __shfl_xor_sync(~0u, larger, 2));
            by[r] = First ? 0.0f : td_exp2f((most[r] - larger) * scale);
            most[r] = larger;
            const float base = larger * scale;
            float sum = 0.0f;
#pragma unroll
            for (uint32_t i = 2 * r; i < TD_ATTENTION_KEYS / 2; i += 4) {
                scores[i] = td_exp2f(fmaf(scores[i], scale, -base));
                scores[i + 1] = td_exp2f(fmaf(scores[i + 1], scale, -base));
                sum += scores[i] + scores[i + 1];
            }
            total[r] = First ? sum : fmaf(total[r], by[r], sum);
        }
    }

    __device__ __forceinline__ void round_weights()
    {
#pragma unroll
        for (uint32_t i = 0; i < TD_ATTENTION_KEYS / 4; i++) {
            weights[i] = td_two_halves<Bf16>(scores[2 * i], scores[2 * i + 1]);
        }
    }

    /* A step after the first: its scores, and the sums of the one before it. */
    template <bool Masked>
    __device__ __forceinline__ void step(const td_attention_run &run, uint32_t number)
    {
        float by[2];
        wait_keys();
        wait_values();
        start_scores();
        start_sums();
        td_products_wait<1>();
        td_products_are_here<TD_ATTENTION_KEYS / 2>(scores);
        free_keys();
        if constexpr (Masked) {
            mask(run, number);
        }
        weigh<false>(by);
        td_products_wait<0>();
        td_products_are_here<Columns / 2>(sums);
        free_values();
#pragma unroll
        for (uint32_t i = 0; i < Columns / 2; i++) {
            sums[i] *= by[i / 2 % 2];
        }
        round_weights();
    }

    __device__ __forceinline__ void rows(const td_attention_run &run)
    {
        float unused[2];
        /* steps before this one have keys that the last row is too far from */
        uint32_t first_of_last, end_of_last;
        td_attention_range(&data, run.y + TD_ATTENTION_ROWS - 1, &first_of_last, &end_of_last);
        const uint32_t whole = td_ceil_div(first_of_last, TD_ATTENTION_KEYS);
#pragma unroll
        for (uint32_t i = 0; i < Columns / 2; i++) {
            sums[i] = 0.0f;
        }
        td_barrier_wait(&shared.queries_full, runs % 2);
        wait_keys();
        start_scores();
        td_products_wait<0>();
        td_products_are_here<TD_ATTENTION_KEYS / 2>(scores);
        free_keys();
        mask(run, run.end - 1);
        weigh<true>(unused);
        round_weights();
        uint32_t number = run.end - 1;
        while (number > run.first && number > whole) {
            step<false>(run, --number);
        }
        while (number > run.first) {
            step<true>(run, --number);
        }
        free(&shared.queries_free);
        wait_values();
        start_sums();
        td_products_wait<0>();
        td_products_are_here<Columns / 2>(sums);
        free_values();
        store(run);
    }

    /* The sums over the totals, and the logarithms of the totals. */
    __device__ __forceinline__ void store(const td_attention_run &run)
    {
        const uint32_t lane = threadIdx.x % 32, warp = threadIdx.x % TD_ATTENTION_TEAM / 32;
        float inverse[2];
#pragma unroll
        for (uint32_t r = 0; r < 2; r++) {
            total[r] += __shfl_xor_sync(~0u, total[r], 1);
            total[r] += __shfl_xor_sync(~0u, total[r], 2);
            inverse[r] = 1.0f / total[r];
            const uint32_t row = run.y + 64 * team + 16 * warp + 8 * r + lane / 4;
            if (lane % 4 == 0 && row < data.n) {
                td_attention_logs(&data)[(uint64_t)run.head * data.n + row] =
                    0.693147181f * (most[r] * scale + __log2f(total[r]));
            }
        }
        uint8_t *const result = shared.result[0] + team * (TD_ATTENTION_BOX / 2);
        if (is_first()) {
            td_boxes_wait();
        }
        td_attention_team_sync(team); /* what was there is stored */
#pragma unroll
        for (uint32_t i = 0; i < Columns / 16; i++) { /* 16 columns: four matrices of 8 x 8 */
            uint32_t pairs[4];
#pragma unroll
            for (uint32_t m = 0; m < 4; m++) {
                pairs[m] = td_two_halves<Bf16>(sums[8 * i + 2 * m] * inverse[m % 2],
                                               sums[8 * i + 2 * m + 1] * inverse[m % 2]);
            }
            const uint32_t row = 16 * warp + lane % 16, unit = 2 * (i % 4) + lane / 16;
            td_store_matrices(
                result + i / 4 * TD_ATTENTION_BOX + row * 128 + ((unit ^ row % 8) << 4), pairs);
        }
        td_boxes_are_written();
        td_attention_team_sync(team);
        if (is_first()) {
            for (uint32_t box = 0; box < Columns / 64; box++) {
                td_store_box_of(&boxes.result, 64 * box, run.y + 64 * team, run.head,
                                result + box * TD_ATTENTION_BOX);
            }
            td_boxes_commit();
        }
    }
};

#endif
