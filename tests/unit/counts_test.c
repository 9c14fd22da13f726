/* counts_test.c - the launches and memory reported for a run, against the actual launches and allocations. */
#include "test.h"

#include "engine/cpu/row.h"
#include "engine/prepare/buffers.h"
#include "engine/prepare/planning.h"
#include "engine/prepare/start.h"
#include "variants.h"

static uint64_t allocated_bytes;

static td_status noted_allocate(td_engine *engine, uint64_t bytes, void **memory, td_error *error)
{
    allocated_bytes += bytes;
    return td_cpu_ops.allocate(engine, bytes, memory, error);
}

/* Users plan long sweeps by the reported memory, and the sweeps fail on the actual memory. */
TEST(the_memory_of_a_run_is_what_is_allocated_for_it)
{
    static variant variants[MOST_VARIANTS];
    const td_engine_config config = {.threads = 1};
    td_engine_ops ops = td_cpu_ops;
    td_engine *engine = NULL;
    td_error error = {""};
    const size_t count = all_variants(variants);
    assert_int_equal(td_cpu_ops.open(&config, &engine, &error), TD_OK);
    ops.allocate = noted_allocate;
    engine->ops = &ops;
    for (size_t v = 0; v < count; v++) {
        td_problem problem = variants[v].problem;
        td_buffers buffers;
        problem.n = 70;
        problem.tile = 16;
        allocated_bytes = 0;
        td_status status =
            td_buffers_open(engine, variants[v].workload, &problem, &buffers, &error);
        if (status == TD_OK && variants[v].workload->automaton != NULL) {
            status = td_start_open_reference(&buffers, &error);
        }
        td_buffers_close(&buffers);
        assert_int_equal(status, TD_OK);
        if (allocated_bytes != td_buffers_bytes(variants[v].workload, &problem)) {
            fail_msg("%s takes %llu bytes and says %llu", variants[v].workload->name,
                     (unsigned long long)allocated_bytes,
                     (unsigned long long)td_buffers_bytes(variants[v].workload, &problem));
        }
    }
    engine->ops = &td_cpu_ops;
    td_cpu_ops.close(engine);
}

static td_result counts_of(const td_run *run)
{
    td_plan plan = {0};
    td_result result = {0};
    td_error error = {""};
    assert_int_equal(td_run_plan(run, false, &plan, &error), TD_OK);
    td_run_counts(run, &plan, &result);
    td_plan_free(&plan);
    return result;
}

/* A computed map has no table; a lookup table has T(64 / 16) = 10 entries of four bytes. */
TEST(what_a_map_looks_up_is_counted)
{
    uint64_t bytes[2] = {0};
    for (int i = 0; i < 2; i++) {
        td_run run = {.strategy = td_strategy_find(i == 0 ? "ltm-i" : "ltm-t"),
                      .workload = td_workload_find("write", 2),
                      .engine = &td_cpu_ops,
                      .block = {16, 16, 1},
                      .tile = 16};
        run.problem.n = 64;
        bytes[i] = counts_of(&run).working_set_bytes;
    }
    assert_int_equal(bytes[1] - bytes[0], 40);
}

/* Adds the variant of life that these parameters choose to a run. */
static void make_life(uint32_t n, const char *steps, const char *domain, const char *memory,
                      td_run *run)
{
    const td_workload *life = td_workload_find("life", 2);
    const char *why = NULL;
    run->problem.n = n;
    td_parameters_preset(life, run->problem.parameters);
    set_parameter(life, &run->problem, "steps", steps);
    set_parameter(life, &run->problem, "domain", domain);
    set_parameter(life, &run->problem, "memory", memory);
    run->workload = td_workload_variant(life, &run->problem, &why);
    assert_non_null(run->workload);
}

/* Five launches of 4 x 4 blocks of 256 threads; the triangle needs ten of the tiles, the square all. And two of 3 x 3
 * tiles of 256, each with 8 bands of 32 rows, which are blocks: of 600 rows, the last row of tiles has 88, 3 bands. */
TEST(generations_are_launched_one_by_one_and_counted)
{
    static const struct {
        uint32_t n, width;
        td_dim3 block;
        const char *steps, *domain, *memory;
        uint64_t kernels, blocks, threads, needed, cells;
    } cases[] = {
        {64, 0, {16, 16, 1}, "5", "triangle", "auto", 5, 16, 256, 10, 64 * 65 / 2},
        {64, 0, {16, 16, 1}, "5", "square", "auto", 5, 16, 256, 16, 64 * 64},
        {600, 256, {32, 4, 1}, "2", "triangle", "strip", 2, 72, 128, 8 * (1 + 2) + 3 * 3, 180300},
        {600, 256, {32, 4, 1}, "2", "square", "strip", 2, 72, 128, 3 * (8 + 8 + 3), 360000}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        const uint64_t kernels = cases[i].kernels;
        td_run run = {.strategy = td_strategy_find("bb"),
                      .engine = &td_cpu_ops,
                      .block = cases[i].block,
                      .tile = cases[i].block.x,
                      .width = cases[i].width};
        make_life(cases[i].n, cases[i].steps, cases[i].domain, cases[i].memory, &run);
        const td_result result = counts_of(&run);
        assert_int_equal(result.kernels, kernels);
        assert_int_equal(result.blocks, kernels * cases[i].blocks);
        assert_int_equal(result.threads, kernels * cases[i].blocks * cases[i].threads);
        assert_int_equal(result.blocks_needed, kernels * cases[i].needed);
        assert_int_equal(result.cells, kernels * cases[i].cells);
        assert_int_equal(result.working_set_bytes, td_buffers_bytes(run.workload, &run.problem));
    }
}
