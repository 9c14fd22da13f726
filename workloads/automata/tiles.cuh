/* tiles.cuh - the automata's kernels for whole tiles, by name: what an automaton brings, and the techniques. */
#ifndef TD_WORKLOADS_AUTOMATA_TILES_CUH
#define TD_WORKLOADS_AUTOMATA_TILES_CUH

#include "float_passes.cuh"
#include "gol.h"
#include "life.h"
#include "workloads/automata/stages/stages.cuh"
#include "workloads/automata/strips/word_lanes.cuh"
#include "workloads/automata/strips/float_lanes.cuh"
#include "workloads/automata/strips/strips.cuh"
#include "workloads/tile_registers.cuh"

struct td_life_cells {
    typedef td_life_cells first, last;
    typedef uint32_t cell, sums, next;
    static constexpr int passes = 1;

    __device__ static uint32_t outside()
    {
        return 0;
    }

    __device__ static uint32_t sum(const td_data *, uint32_t left, uint32_t here, uint32_t right)
    {
        return left + here + right;
    }

    __device__ static uint32_t add(const td_data *data, uint32_t above, uint32_t here,
                                   uint32_t below, uint32_t state, uint32_t, uint32_t)
    {
        return td_rule_one(data, above + here + below, state);
    }
};

struct td_gol_cells {
    typedef td_gol_cells first, last;
    typedef uint32_t cell, sums, next;
    static constexpr int passes = 1;

    __device__ static uint32_t outside()
    {
        return 0;
    }

    __device__ static uint32_t sum(const td_data *, uint32_t left, uint32_t here, uint32_t right)
    {
        return td_gol_sum_cells(left, here, right);
    }

    __device__ static uint32_t add(const td_data *data, uint32_t above, uint32_t here,
                                   uint32_t below, uint32_t state, uint32_t row, uint32_t col)
    {
        return td_gol_add_cells(data, above, here, below, state, col < row);
    }
};

#define TD_WORDS_CLASS(name, planes, rule)                                                         \
    template <int Words>                                                                           \
    struct td_##name##_words {                                                                     \
        static constexpr int reach = 1;                                                            \
        static constexpr bool has_rule = true;                                                     \
        static constexpr uint32_t usual = TD_RULE_LIMITS(rule);                                    \
        typedef td_word_state<planes, Words> state;                                                \
        struct sums {                                                                              \
            td_##name##_sums of[Words];                                                            \
        };                                                                                         \
                                                                                                   \
        __device__ static sums sum(const td_data &, const state &left, const state &here,          \
                                   const state &right)                                             \
        {                                                                                          \
            sums all;                                                                              \
            for (int w = 0; w < Words; w++) {                                                      \
                all.of[w] = td_##name##_sum_words(left.word[w], here.word[w], right.word[w]);      \
            }                                                                                      \
            return all;                                                                            \
        }                                                                                          \
                                                                                                   \
        __device__ static state add(const td_data &, td_usual_rule, const sums &above,             \
                                    const sums &here, const sums &below, const state &alive,       \
                                    int32_t, int32_t)                                              \
        {                                                                                          \
            state next;                                                                            \
            for (int w = 0; w < Words; w++) {                                                      \
                td_##name##_add_usual_words(&above.of[w], &here.of[w], &below.of[w],               \
                                            alive.word[w], next.word[w]);                          \
            }                                                                                      \
            return next;                                                                           \
        }                                                                                          \
                                                                                                   \
        __device__ static state add(const td_data &, uint32_t limits, const sums &above,           \
                                    const sums &here, const sums &below, const state &alive,       \
                                    int32_t, int32_t)                                              \
        {                                                                                          \
            state next;                                                                            \
            for (int w = 0; w < Words; w++) {                                                      \
                td_##name##_add_words(limits, &above.of[w], &here.of[w], &below.of[w],             \
                                      alive.word[w], next.word[w]);                                \
            }                                                                                      \
            return next;                                                                           \
        }                                                                                          \
    };

TD_WORDS_CLASS(life, 1, TD_LIFE_RULE)
TD_WORDS_CLASS(gol, 2, TD_GOL_RULE)

#define TD_AUTOMATON_TILE(id, ...)                                                                 \
    __device__ inline void td_##id##_tile(const td_data &data, td_work_tile tile)                  \
    {                                                                                              \
        __VA_ARGS__(data, tile);                                                                   \
    }

/* near: rows with a halo; lines: rows that start lines. */
#define TD_STAGED_TILES(name, width, near, lines)                                                  \
    TD_AUTOMATON_TILE(name##_shared_##width, td_staged<td_##name##_cells, near, 1>)                \
    TD_AUTOMATON_TILE(name##_aligned_##width, td_staged<td_##name##_cells, lines, 1>)              \
    TD_AUTOMATON_TILE(name##_two_cell_##width, td_staged<td_##name##_cells, lines, 2>)
#define TD_STAGED_TWICE_TILES(name, width, lines)                                                  \
    TD_AUTOMATON_TILE(name##_two_generation_##width, td_staged_twice<td_##name##_cells, lines>)

/* Lanes for one generation a launch, and for four, each in so many registers. */
#define TD_STRIP_TILES(name, width, row, one, registers_of_one, four, registers_of_four)           \
    TD_AUTOMATON_TILE(name##_strip_##width, td_strips<td_##name##_words<one::words>, one, row, 1>) \
    TD_AUTOMATON_TILE(name##_four_generation_##width,                                              \
                      td_strips<td_##name##_words<four::words>, four, row, 4>)                     \
    TD_TILE_REGISTERS(name##_strip_##width, registers_of_one)                                      \
    TD_TILE_REGISTERS(name##_four_generation_##width, registers_of_four)

/* Floats: `planes` of them in a cell, pairs or not, and `ahead` rows loaded before they are needed. */
#define TD_FLOAT_STRIP_TILES(name, width, planes, pairs, ahead, registers)                         \
    typedef td_float_lanes<td_##name##_cells, planes, pairs, ahead> td_##name##_##width##_lanes;   \
    TD_AUTOMATON_TILE(name##_strip_##width,                                                        \
                      td_strips<td_lane_pass<td_##name##_cells, td_##name##_##width##_lanes>,      \
                                td_##name##_##width##_lanes, td_u32_row, 1>)                       \
    TD_TILE_REGISTERS(name##_strip_##width, registers)

typedef td_planes<uint32_t, td_near_row> td_near_u32;
typedef td_planes<uint32_t, td_u32_row> td_lines_u32;
typedef td_planes<uint8_t, td_near_row> td_near_u8;
typedef td_planes<uint8_t, td_u8_row> td_lines_u8;
TD_STAGED_TILES(life, u32, td_near_u32, td_lines_u32)
TD_STAGED_TILES(life, u8, td_near_u8, td_lines_u8)
TD_STAGED_TILES(gol, u8, td_near_u8, td_lines_u8)
TD_STAGED_TWICE_TILES(life, u32, td_lines_u32)
TD_STAGED_TWICE_TILES(life, u8, td_lines_u8)
TD_STAGED_TWICE_TILES(gol, u8, td_lines_u8)
TD_TILE_REGISTERS(life_shared_u8, 32) /* 2048 threads are resident */

typedef td_element_lanes<uint32_t, 1> td_u32_lanes;
typedef td_element_lanes<uint8_t, 1> td_u8_lanes;
typedef td_element_lanes<uint8_t, 2> td_two_planes_u8_lanes;
/* Lanes of 16 bytes leave no registers for four generations. */
typedef td_bit_lanes<1, 4, 8, 3> td_wide_bit_lanes;
typedef td_bit_lanes<2, 2, 16, 3> td_wide_two_planes_bit_lanes;
typedef td_bit_lanes<1, 1, 32, 4> td_bit_lanes_of_four;
typedef td_bit_lanes<2, 1, 32, 3> td_two_planes_bit_lanes_of_four;
TD_STRIP_TILES(life, u32, td_u32_row, td_u32_lanes, 128, td_u32_lanes, 128)
TD_STRIP_TILES(life, u8, td_u8_row, td_u8_lanes, 128, td_u8_lanes, 128)
TD_STRIP_TILES(life, bit, td_one_plane_row, td_wide_bit_lanes, 80, td_bit_lanes_of_four, 80)
TD_STRIP_TILES(gol, u8, td_u8_row, td_two_planes_u8_lanes, 128, td_two_planes_u8_lanes, 128)
TD_STRIP_TILES(gol, bit, td_two_planes_row, td_wide_two_planes_bit_lanes, 96,
               td_two_planes_bit_lanes_of_four, 128)

typedef td_planes<float, td_near_row> td_near_f32;
typedef td_planes<float, td_u32_row> td_lines_f32;
TD_STAGED_TILES(blur, f32, td_near_f32, td_lines_f32)
TD_STAGED_TWICE_TILES(blur, f32, td_lines_f32)
TD_FLOAT_STRIP_TILES(blur, f32, 1, false, 4, 96)

typedef td_planes<float, td_near_row, 2> td_near_2_f32;
typedef td_planes<float, td_u32_row, 2> td_lines_2_f32;
TD_STAGED_TILES(dog, f32, td_near_2_f32, td_lines_2_f32)
TD_STAGED_TILES(dog, f32x2, td_pairs<td_near_row>, td_pairs<td_u32_row>)
TD_FLOAT_STRIP_TILES(dog, f32, 2, false, 1, 64)
TD_FLOAT_STRIP_TILES(dog, f32x2, 2, true, 1, 64)

typedef td_planes<float, td_near_row, TD_EXTREMA_PLANES, uint8_t> td_near_3_f32;
typedef td_planes<float, td_u32_row, TD_EXTREMA_PLANES, uint8_t> td_lines_3_f32;
TD_STAGED_TILES(extrema, f32, td_near_3_f32, td_lines_3_f32)
TD_FLOAT_STRIP_TILES(extrema, f32, TD_EXTREMA_PLANES, false, 2, 128)

typedef td_planes<float, td_far_row, 2, float, 2, true> td_near_water;
typedef td_planes<float, td_u32_far_row, 2, float, 2, true> td_lines_water;
TD_STAGED_TILES(water, f32, td_near_water, td_lines_water)
TD_STAGED_TWICE_TILES(water, f32, td_lines_water)
TD_TILE_REGISTERS(water_shared_f32, 64)
TD_TILE_REGISTERS(water_aligned_f32, 64)
TD_TILE_REGISTERS(water_two_cell_f32, 64)
TD_TILE_REGISTERS(water_two_generation_f32, 64)

#endif
