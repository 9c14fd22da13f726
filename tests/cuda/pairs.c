/* pairs.c - every strategy with every workload: a cell per thread, a loop over a tile, kernels for whole tiles. */
#include <stdio.h>

#include "both_engines.h"

/* Sizes that hurt: 1, around the block, no multiple of it, a prime. */
static const uint32_t sizes[] = {1, 2, 15, 16, 17, 31, 33, 64, 127, 500, 1031};

static const shape block_shapes[] = {{{8, 8, 1}, 8},    {{16, 16, 1}, 16}, {{32, 32, 1}, 32},
                                     {{16, 16, 1}, 64}, {{64, 4, 1}, 64},  {{32, 8, 1}, 32}};
static const shape thread_shapes[] = {
    {{8, 8, 1}, 8}, {{16, 16, 1}, 16}, {{32, 32, 1}, 32}, {{64, 4, 1}, 64}, {{32, 8, 1}, 32}};

/* Sizes, blocks and tiles in 3D: the sizes on which the maps are proven, cubes and slabs of threads, and tiles with
 * several cells per thread. */
static const uint32_t sizes_3d[] = {1, 2, 7, 8, 9, 31, 64, 127, 128, 129};
static const shape block_shapes_3d[] = {{{8, 8, 8}, 8},  {{4, 4, 4}, 4},   {{2, 2, 2}, 2},
                                        {{8, 8, 8}, 32}, {{8, 32, 2}, 32}, {{16, 4, 4}, 64},
                                        {{5, 5, 5}, 5}};

static size_t check_pair(const td_strategy *strategy, const variant *v, shape s)
{
    const bool is_3d = strategy->dimension == 3;
    const size_t count =
        is_3d ? sizeof sizes_3d / sizeof sizes_3d[0] : sizeof sizes / sizeof sizes[0];
    size_t wrong = 0;
    for (size_t i = 0; i < count; i++) {
        td_run run = td_make_variant_run(strategy, v, is_3d ? sizes_3d[i] : sizes[i], s);
        wrong += !td_engines_agree(&run);
        if (v->workload->traits.has_layouts) {
            run.problem.layout = TD_FULL;
            wrong += !td_engines_agree(&run);
            run.problem.layout = TD_PACKED;
        }
        if (strategy->unit == TD_MAPS_BLOCKS && !strategy->tree) {
            run.schedule = TD_SCHEDULE_PERSISTENT;
            wrong += !td_engines_agree(&run);
        }
    }
    return wrong;
}

/* One test per strategy: all workloads of its dimension. */
static void strategy_agrees_with_the_cpu_engine(void **state)
{
    const td_strategy *strategy = *state;
    const bool blocks = strategy->unit == TD_MAPS_BLOCKS, is_3d = strategy->dimension == 3;
    const shape *shapes = is_3d ? block_shapes_3d : blocks ? block_shapes : thread_shapes;
    const size_t count = is_3d    ? sizeof block_shapes_3d / sizeof block_shapes_3d[0]
                         : blocks ? sizeof block_shapes / sizeof block_shapes[0]
                                  : sizeof thread_shapes / sizeof thread_shapes[0];
    size_t wrong = 0;
    td_need_device();
    for (size_t w = 0; w < td_variant_count; w++) {
        const td_workload *workload = td_variants[w].workload;
        for (size_t s = 0; s < count; s++) {
            if (workload->dimension == strategy->dimension &&
                (workload->automaton == NULL || !strategy->by_rows) &&
                td_workload_only_tiles(workload) == NULL) {
                wrong += check_pair(strategy, &td_variants[w], shapes[s]);
            }
        }
    }
    assert_int_equal(wrong, 0);
}

/* ---- kernels for whole tiles ---- */

static const shape tile_shapes[] = {{{8, 8, 1}, 8},     {{16, 16, 1}, 16},  {{32, 32, 1}, 32},
                                    {{16, 16, 1}, 64},  {{64, 4, 1}, 64},   {{32, 8, 1}, 128},
                                    {{32, 8, 1}, 256},  {{16, 4, 1}, 48},   {{16, 16, 1}, 128},
                                    {{32, 16, 1}, 128}, {{32, 32, 1}, 128}, {{32, 16, 1}, 256},
                                    {{32, 6, 1}, 480},  {{32, 4, 1}, 960},  {{32, 32, 1}, 64},
                                    {{32, 2, 1}, 32},   {{32, 4, 1}, 32},   {{32, 4, 1}, 64}};
static const uint32_t tile_sizes[] = {1, 2, 31, 64, 65, 129, 500, 1111};

/* In 3D, blocks of 1 to 16 warps. A full output whose N is a multiple of 8 is written in whole sectors. */
static const shape tile_shapes_3d[] = {{{4, 4, 2}, 4},    {{8, 4, 2}, 8},   {{4, 4, 2}, 12},
                                       {{16, 4, 2}, 16},  {{8, 8, 4}, 24},  {{32, 2, 2}, 32},
                                       {{32, 4, 2}, 32},  {{32, 8, 2}, 32}, {{8, 8, 8}, 32},
                                       {{32, 16, 2}, 32}, {{32, 1, 1}, 32}};
static const uint32_t tile_sizes_3d[] = {1, 2, 15, 16, 17, 31, 32, 33, 64, 100, 136, 257};

static bool takes(const td_workload *workload, shape s)
{
    return td_workload_takes_tile(workload, s.tile, s.block);
}

/* One workload's tile kernel under one strategy, at all sizes and shapes. */
static size_t check_tiles(const td_strategy *strategy, const variant *v)
{
    const bool is_3d = strategy->dimension == 3;
    const shape *shapes = is_3d ? tile_shapes_3d : tile_shapes;
    const uint32_t *sides = is_3d ? tile_sizes_3d : tile_sizes;
    const size_t shape_count = is_3d ? COUNT(tile_shapes_3d) : COUNT(tile_shapes);
    const size_t size_count = is_3d ? COUNT(tile_sizes_3d) : COUNT(tile_sizes);
    size_t wrong = 0;
    for (size_t s = 0; s < shape_count; s++) {
        for (size_t i = 0; i < size_count; i++) {
            td_run run = td_make_variant_run(strategy, v, sides[i], shapes[s]);
            run.tiled = true;
            if (takes(v->workload, shapes[s])) {
                wrong += !td_engines_agree(&run);
                run.problem.layout = TD_FULL;
                wrong += v->workload->traits.has_layouts && !td_engines_agree(&run);
                run.schedule = TD_SCHEDULE_PERSISTENT;
                wrong += !td_engines_agree(&run);
            }
        }
    }
    return wrong;
}

/* One test per strategy: every workload with a tile kernel. */
static void tiles_agree_with_the_cpu_engine(void **state)
{
    const td_strategy *strategy = *state;
    size_t wrong = 0;
    td_need_device();
    for (size_t w = 0; w < td_variant_count; w++) {
        const td_workload *workload = td_variants[w].workload;
        /* clusters are for one architecture alone: see products.c */
        if (workload->tiles != NULL && workload->tiles->cluster_shared == 0 &&
            workload->dimension == strategy->dimension &&
            workload->traits.by_rows == strategy->by_rows) {
            wrong += check_tiles(strategy, &td_variants[w]);
        }
    }
    assert_int_equal(wrong, 0);
}

/* Every variant on the whole square, also with other rules. Birth with 0 neighbours is the hardest rule. */
TEST(variants_agree_on_squares_and_other_rules)
{
    static const char *const rules[] = {"2333", "2302", "1458", "0003", "9945"};
    static const shape shapes[] = {{{16, 16, 1}, 64}, {{32, 8, 1}, 256}};
    size_t wrong = 0;
    td_need_device();
    for (size_t w = 0; w < td_variant_count; w++) {
        const td_workload *workload = td_variants[w].workload;
        for (size_t k = 0; k < 4 * COUNT(rules) && is_flat_automaton(workload); k++) {
            const shape s = shapes[workload->tiles == NULL || takes(workload, shapes[1])];
            td_run run = td_make_variant_run(td_strategy_find("bb"), &td_variants[w],
                                             k % 2 == 0 ? 333 : 64, s);
            run.tiled = td_workload_only_tiles(workload) != NULL;
            set_parameter(workload, &run.problem, "domain", k / 2 % 2 == 0 ? "triangle" : "square");
            set_parameter(workload, &run.problem, "rule", rules[k / 4]);
            run.schedule = run.tiled && k % 2 == 0 ? TD_SCHEDULE_PERSISTENT : TD_SCHEDULE_GRID;
            wrong += !td_engines_agree(&run);
        }
    }
    assert_int_equal(wrong, 0);
}

void td_add_pairs(void)
{
    static char names[TD_STRATEGY_COUNT][32];
    for (size_t s = 0; s < td_strategy_count; s++) {
        td_test_add(td_strategies[s]->name, strategy_agrees_with_the_cpu_engine, td_strategies[s]);
    }
    for (size_t s = 0; s < td_strategy_count; s++) {
        if (td_strategies[s]->unit == TD_MAPS_BLOCKS && !td_strategies[s]->tree) {
            snprintf(names[s], sizeof names[s], "tiles/%s", td_strategies[s]->name);
            td_test_add(names[s], tiles_agree_with_the_cpu_engine, td_strategies[s]);
        }
    }
}
