/* tetrahedra.c - tetrahedra of every size: each place once, more than 32 bits, deep trees. */
#include "both_engines.h"

/* One warp per row, for maps of rows. */
static const shape rows_shape = {{32, 2, 2}, 2};

static const shape cover_shapes[] = {{{8, 8, 8}, 8}, {{8, 8, 8}, 32}, {{2, 2, 2}, 2}};

/* All N up to 64 with several cutoffs, and around powers of two. */
static size_t cover_with(td_engine *engine, const td_strategy *strategy, shape s)
{
    static const uint32_t more[] = {127, 128, 129, 500, 512, 513};
    td_run run = td_make_run(strategy, td_workload_find("cover", 3), 1, s);
    size_t wrong = 0;
    for (; run.problem.n <= 64; run.problem.n++) {
        run.cutoff = run.cutoff > 0 ? 8u << run.problem.n % 3 : 0;
        wrong += !td_is_right(engine, &run);
    }
    for (size_t i = 0; i < sizeof more / sizeof more[0]; i++) {
        run.problem.n = more[i];
        run.cutoff = run.cutoff > 0 ? 64 : 0;
        wrong += !td_is_right(engine, &run);
    }
    return wrong;
}

TEST(tetrahedra_are_covered_once)
{
    size_t wrong = 0;
    td_need_device();
    for (size_t s = 0; s < td_strategy_count; s++) {
        for (size_t h = 0; h < 3 && td_strategies[s]->dimension == 3; h++) {
            wrong += cover_with(td_gpu, td_strategies[s], cover_shapes[h]);
            wrong += h < 2 ? cover_with(td_host, td_strategies[s], cover_shapes[h]) : 0;
        }
        wrong +=
            td_strategies[s]->whole_rows ? cover_with(td_gpu, td_strategies[s], rows_shape) : 0;
    }
    assert_int_equal(wrong, 0);
}

/* 2048^3 elements take 34 GB: both the bytes and the elements exceed 32 bits. */
static size_t write_large(const td_strategy *strategy, shape s, bool tiled)
{
    td_run run = td_make_run(strategy, td_workload_find("write", 3), 1024, s);
    run.tiled = tiled;
    size_t wrong = !td_is_right(td_gpu, &run);
    run.problem.layout = TD_FULL;
    wrong += !td_is_right(td_gpu, &run);
    run.problem.n = 2048;
    return wrong + !td_is_right(td_gpu, &run);
}

TEST(large_tetrahedra_are_written)
{
    static const shape tiles = {{32, 4, 2}, 32};
    size_t wrong = 0;
    td_need_device();
    for (size_t s = 0; s < td_strategy_count; s++) {
        for (size_t h = 0; h < 2 && td_strategies[s]->dimension == 3; h++) {
            wrong += write_large(td_strategies[s], cover_shapes[h], false);
        }
        if (td_strategies[s]->dimension == 3 && !td_strategies[s]->tree) {
            wrong += write_large(td_strategies[s], tiles, true);
        }
        wrong +=
            td_strategies[s]->whole_rows ? write_large(td_strategies[s], rows_shape, false) : 0;
    }
    assert_int_equal(wrong, 0);
}

/* A tree of 9841 kernels: more than may pend before the limit is raised. */
TEST(deep_trees_have_room)
{
    const shape s = {{2, 2, 2}, 2};
    td_run run = td_make_run(td_strategy_find("dp-tetra"), td_workload_find("cover", 3), 512, s);
    td_need_device();
    run.cutoff = 2;
    assert_true(td_is_right(td_gpu, &run));
}
