/*
 * cuda_check - every pair of the lists on the GPU, verified there and compared with the cpu engine bit for bit.
 *
 * Skipped with its reason where no CUDA device answers.
 */
#include <math.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>

#include "tests/unit/test.h"
#include "tests/unit/variants.h"
#include "spin_check.h"

#include "engine/bench/group.h"
#include "engine/cpu/row.h"
#include "engine/cuda/row.h"
#include "engine/plan/execution.h"
#include "engine/plan/planning.h"
#include "engine/verify/verification.h"

static variant variants[MOST_VARIANTS];
static size_t variant_count;
static td_engine *cuda, *cpu;
static td_error why_not;

static int open_engines(void **state)
{
    const td_engine_config config = {0};
    td_error error;
    (void)state;
    if (td_cuda_ops.open(&config, &cuda, &why_not) != TD_OK) {
        cuda = NULL;
    }
    variant_count = all_variants(variants);
    return td_cpu_ops.open(&config, &cpu, &error) == TD_OK ? 0 : -1;
}

static int close_engines(void **state)
{
    (void)state;
    if (cuda != NULL) {
        td_cuda_ops.close(cuda);
    }
    td_cpu_ops.close(cpu);
    return 0;
}

static void need_device(void)
{
    if (cuda == NULL) {
        print_message("no device: %s\n", why_not.text);
        skip();
    }
}

/* Sizes that hurt: 1, around the block, no multiple of it, a prime. */
static const uint32_t sizes[] = {1, 2, 15, 16, 17, 31, 33, 64, 127, 500, 1031};

typedef struct shape {
    td_dim3 block;
    uint32_t tile;
} shape;

static const shape block_shapes[] = {{{8, 8, 1}, 8},    {{16, 16, 1}, 16}, {{32, 32, 1}, 32},
                                     {{16, 16, 1}, 64}, {{64, 4, 1}, 64},  {{32, 8, 1}, 32}};
static const shape thread_shapes[] = {
    {{8, 8, 1}, 8}, {{16, 16, 1}, 16}, {{32, 32, 1}, 32}, {{64, 4, 1}, 64}, {{32, 8, 1}, 32}};

static td_run make_run(const td_strategy *strategy, const td_workload *workload, uint32_t n,
                       shape s)
{
    td_run run = {.strategy = strategy, .workload = workload};
    run.problem.n = n;
    run.problem.tile = s.tile;
    run.problem.seed = 7;
    td_parameters_preset(workload, run.problem.parameters);
    set_parameter(workload, &run.problem, "steps",
                  "3"); /* odd: two generations per launch leave one for the last */
    set_parameter(workload, &run.problem, "density", "0.4");
    run.block = s.block;
    run.tile = s.tile;
    run.cutoff = strategy->uses_cutoff ? 64 : 0;
    return run;
}

/* Sizes, blocks and tiles in 3D: the sizes that the maps are proven on, cubes and slabs of threads, tiles
 * of several
 * cells a thread. */
static const uint32_t sizes_3d[] = {1, 2, 7, 8, 9, 31, 64, 127, 128, 129};
static const shape block_shapes_3d[] = {{{8, 8, 8}, 8},  {{4, 4, 4}, 4},   {{2, 2, 2}, 2},
                                        {{8, 8, 8}, 32}, {{8, 32, 2}, 32}, {{16, 4, 4}, 64},
                                        {{5, 5, 5}, 5}};

/* Launch on one engine over poisoned memory; the caller frees what it returns. */
static uint8_t *output_of(td_engine *engine, const td_run *run, td_result *result, uint64_t *bytes)
{
    td_error error = {""};
    td_plan plan = {0};
    td_buffers buffers;
    uint8_t *output = NULL;
    td_run own = *run;
    own.engine = engine == cpu ? &td_cpu_ops : &td_cuda_ops;
    run = &own;
    td_status status = td_run_plan(run, false, &plan, &error);
    if (status == TD_OK) {
        status = td_buffers_open(engine, run->workload, &run->problem, &buffers, &error);
    }
    if (status == TD_OK) {
        const td_execution execution = td_execution_of(&buffers, run, &plan);
        status = td_verify(&buffers, &execution, result, &error);
        *bytes = buffers.output[0].bytes;
        output = malloc(*bytes);
        if (status == TD_OK) {
            status =
                engine->ops->download(engine, output, td_buffers_result(&buffers), *bytes, &error);
        }
        td_buffers_close(&buffers);
    }
    td_plan_free(&plan);
    if (status != TD_OK) {
        print_message("%s: %s\n", engine->ops->name, error.text);
        free(output);
        return NULL;
    }
    return output;
}

/* True when both engines verify and agree to the bit. */
static bool agree(const td_run *run)
{
    td_result on_cuda = {0}, on_cpu = {0};
    uint64_t bytes = 0;
    uint8_t *a = output_of(cuda, run, &on_cuda, &bytes);
    uint8_t *b = output_of(cpu, run, &on_cpu, &bytes);
    bool same = a != NULL && b != NULL && on_cuda.verified == TD_VERIFIED_PASS &&
                on_cpu.verified == TD_VERIFIED_PASS;
    if (same && run->workload->total != NULL) { /* the same terms, rounded in another order */
        same =
            fabs(on_cuda.finding.real - on_cpu.finding.real) <= 1e-12 * fabs(on_cpu.finding.real);
    } else if (same && !run->workload->proven_by_count) { /* there any cell may write last */
        same = memcmp(a, b, bytes) == 0 && on_cuda.finding.count == on_cpu.finding.count;
    }
    free(a);
    free(b);
    if (!same) {
        print_message("%s %s/%u%s N=%u block %ux%ux%u tile %u %s %s: cuda '%s', cpu '%s'\n",
                      run->strategy->name, run->workload->name, run->workload->id,
                      td_run_is_square(run) ? "/square"
                      : run->tiled          ? "/tile"
                                            : "",
                      run->problem.n, run->block.x, run->block.y, run->block.z, run->tile,
                      run->problem.layout == TD_FULL ? "full" : "packed",
                      run->schedule == TD_SCHEDULE_PERSISTENT ? "persistent" : "grid",
                      on_cuda.reason, on_cpu.reason);
    }
    return same;
}

/* The same for a variant, whose own choices stay. */
static td_run make_variant_run(const td_strategy *strategy, const variant *v, uint32_t n, shape s)
{
    td_run run = make_run(strategy, v->workload, n, s);
    for (size_t p = 0; p < v->workload->parameter_count; p++) {
        if (v->workload->parameters[p].kind == TD_PARAMETER_CHOICE) {
            run.problem.parameters[p] = v->problem.parameters[p];
        }
    }
    return run;
}

static size_t check_pair(const td_strategy *strategy, const variant *v, shape s)
{
    const bool is_3d = strategy->dimension == 3;
    const size_t count =
        is_3d ? sizeof sizes_3d / sizeof sizes_3d[0] : sizeof sizes / sizeof sizes[0];
    size_t wrong = 0;
    for (size_t i = 0; i < count; i++) {
        td_run run = make_variant_run(strategy, v, is_3d ? sizes_3d[i] : sizes[i], s);
        wrong += !agree(&run);
        if (v->workload->has_layouts) {
            run.problem.layout = TD_FULL;
            wrong += !agree(&run);
            run.problem.layout = TD_PACKED;
        }
        if (strategy->unit == TD_MAPS_BLOCKS && !strategy->tree) {
            run.schedule = TD_SCHEDULE_PERSISTENT;
            wrong += !agree(&run);
        }
    }
    return wrong;
}

/* One test a strategy: all workloads of its dimension. */
static void strategy_agrees_with_the_cpu_engine(void **state)
{
    const td_strategy *strategy = *state;
    const bool blocks = strategy->unit == TD_MAPS_BLOCKS, is_3d = strategy->dimension == 3;
    const shape *shapes = is_3d ? block_shapes_3d : blocks ? block_shapes : thread_shapes;
    const size_t count = is_3d    ? sizeof block_shapes_3d / sizeof block_shapes_3d[0]
                         : blocks ? sizeof block_shapes / sizeof block_shapes[0]
                                  : sizeof thread_shapes / sizeof thread_shapes[0];
    size_t wrong = 0;
    need_device();
    for (size_t w = 0; w < variant_count; w++) {
        const td_workload *workload = variants[w].workload;
        for (size_t s = 0; s < count; s++) {
            if (workload->dimension == strategy->dimension && workload->only_tiles == NULL) {
                wrong += check_pair(strategy, &variants[w], shapes[s]);
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
                                    {{32, 6, 1}, 480},  {{32, 4, 1}, 960},  {{32, 32, 1}, 64}};
static const uint32_t tile_sizes[] = {1, 2, 31, 64, 65, 129, 500, 1111};

/* In 3D, blocks of one warp to sixteen. A full output of a multiple of 8 is written in whole sectors. */
static const shape tile_shapes_3d[] = {{{4, 4, 2}, 4},    {{8, 4, 2}, 8},   {{4, 4, 2}, 12},
                                       {{16, 4, 2}, 16},  {{8, 8, 4}, 24},  {{32, 2, 2}, 32},
                                       {{32, 4, 2}, 32},  {{32, 8, 2}, 32}, {{8, 8, 8}, 32},
                                       {{32, 16, 2}, 32}, {{32, 1, 1}, 32}};
static const uint32_t tile_sizes_3d[] = {1, 2, 15, 16, 17, 31, 32, 33, 64, 100, 136, 257};

static bool takes(const td_workload *workload, shape s)
{
    return td_workload_takes_tile(workload, s.tile, s.block);
}

/* All sizes and shapes of one workload's kernel for tiles under one strategy. */
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
            td_run run = make_variant_run(strategy, v, sides[i], shapes[s]);
            run.tiled = true;
            if (takes(v->workload, shapes[s])) {
                wrong += !agree(&run);
                run.problem.layout = TD_FULL;
                wrong += v->workload->has_layouts && !agree(&run);
                run.schedule = TD_SCHEDULE_PERSISTENT;
                wrong += !agree(&run);
            }
        }
    }
    return wrong;
}

/* One test a strategy: every workload that has such a kernel. */
static void tiles_agree_with_the_cpu_engine(void **state)
{
    const td_strategy *strategy = *state;
    size_t wrong = 0;
    need_device();
    for (size_t w = 0; w < variant_count; w++) {
        const td_workload *workload = variants[w].workload;
        if (workload->has_tiles && workload->dimension == strategy->dimension) {
            wrong += check_tiles(strategy, &variants[w]);
        }
    }
    assert_int_equal(wrong, 0);
}

/* Every variant on the whole square, with rules other than its own too; born with 0 neighbours is the nasty one. */
static void variants_agree_on_squares_and_other_rules(void **state)
{
    static const char *const rules[] = {"2333", "2302", "1458", "0003", "9945"};
    static const shape shapes[] = {{{16, 16, 1}, 64}, {{32, 8, 1}, 256}};
    size_t wrong = 0;
    (void)state;
    need_device();
    for (size_t w = 0; w < variant_count; w++) {
        const td_workload *workload = variants[w].workload;
        for (size_t k = 0; k < 4 * sizeof rules / sizeof rules[0] && workload->is_square != NULL;
             k++) {
            const shape s = shapes[!workload->has_tiles || takes(workload, shapes[1])];
            td_run run =
                make_variant_run(td_strategy_find("bb"), &variants[w], k % 2 == 0 ? 333 : 64, s);
            run.tiled = workload->only_tiles != NULL;
            set_parameter(workload, &run.problem, "domain", k / 2 % 2 == 0 ? "triangle" : "square");
            set_parameter(workload, &run.problem, "rule", rules[k / 4]);
            run.schedule = run.tiled && k % 2 == 0 ? TD_SCHEDULE_PERSISTENT : TD_SCHEDULE_GRID;
            wrong += !agree(&run);
        }
    }
    assert_int_equal(wrong, 0);
}

/* One run on one engine, verified there. */
static bool is_right(td_engine *engine, const td_run *run)
{
    td_result result = {0};
    td_error error = {""};
    td_plan plan = {0};
    td_buffers buffers = {0};
    td_run own = *run;
    own.engine = engine->ops;
    run = &own;
    td_status status = td_run_plan(run, false, &plan, &error);
    if (status == TD_OK) {
        status = td_buffers_open(engine, run->workload, &run->problem, &buffers, &error);
    }
    if (status == TD_NO_MEMORY) {
        print_message("%s: left out\n", error.text);
        td_plan_free(&plan);
        return true;
    }
    if (status == TD_OK) {
        const td_execution execution = td_execution_of(&buffers, run, &plan);
        status = td_verify(&buffers, &execution, &result, &error);
    }
    td_buffers_close(&buffers);
    td_plan_free(&plan);
    const bool right = status == TD_OK && result.verified == TD_VERIFIED_PASS &&
                       result.checked == td_tetrahedron(run->problem.n);
    if (!right) {
        print_message("%s %s N=%u tile %u: %s %s\n", run->strategy->name, run->workload->name,
                      run->problem.n, run->tile, error.text, result.reason);
    }
    return right;
}

/* A warp a row, for maps of rows. */
static const shape rows_shape = {{32, 2, 2}, 2};

static const shape cover_shapes[] = {{{8, 8, 8}, 8}, {{8, 8, 8}, 32}, {{2, 2, 2}, 2}};

/* All N up to 64 with several cutoffs, and around powers of two. */
static size_t cover_with(td_engine *engine, const td_strategy *strategy, shape s)
{
    static const uint32_t more[] = {127, 128, 129, 500, 512, 513};
    td_run run = make_run(strategy, td_workload_find("cover", 3), 1, s);
    size_t wrong = 0;
    for (; run.problem.n <= 64; run.problem.n++) {
        run.cutoff = run.cutoff > 0 ? 8u << run.problem.n % 3 : 0;
        wrong += !is_right(engine, &run);
    }
    for (size_t i = 0; i < sizeof more / sizeof more[0]; i++) {
        run.problem.n = more[i];
        run.cutoff = run.cutoff > 0 ? 64 : 0;
        wrong += !is_right(engine, &run);
    }
    return wrong;
}

static void tetrahedra_are_covered_once(void **state)
{
    size_t wrong = 0;
    (void)state;
    need_device();
    for (size_t s = 0; s < td_strategy_count; s++) {
        for (size_t h = 0; h < 3 && td_strategies[s]->dimension == 3; h++) {
            wrong += cover_with(cuda, td_strategies[s], cover_shapes[h]);
            wrong += h < 2 ? cover_with(cpu, td_strategies[s], cover_shapes[h]) : 0;
        }
        wrong += td_strategies[s]->whole_rows ? cover_with(cuda, td_strategies[s], rows_shape) : 0;
    }
    assert_int_equal(wrong, 0);
}

/* 2048^3 elements have 34 GB: beyond 32 bits in bytes and in elements. */
static size_t write_large(const td_strategy *strategy, shape s, bool tiled)
{
    td_run run = make_run(strategy, td_workload_find("write", 3), 1024, s);
    run.tiled = tiled;
    size_t wrong = !is_right(cuda, &run);
    run.problem.layout = TD_FULL;
    wrong += !is_right(cuda, &run);
    run.problem.n = 2048;
    return wrong + !is_right(cuda, &run);
}

static void large_tetrahedra_are_written(void **state)
{
    static const shape tiles = {{32, 4, 2}, 32};
    size_t wrong = 0;
    (void)state;
    need_device();
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
static void deep_trees_have_room(void **state)
{
    const shape s = {{2, 2, 2}, 2};
    td_run run = make_run(td_strategy_find("dp-tetra"), td_workload_find("cover", 3), 512, s);
    (void)state;
    need_device();
    run.cutoff = 2;
    assert_true(is_right(cuda, &run));
}

/* A whole group as the binary runs it: rounds, graphs, batches. */
static void group_is_sampled_in_rounds(void **state)
{
    enum { RUNS = 4, SAMPLES = 7 };
    static const char *const names[RUNS] = {"bb", "ltm-r", "rec", "dp"};
    td_run runs[RUNS];
    td_result results[RUNS] = {0};
    const td_group group = {runs, RUNS};
    const td_protocol protocol = {
        .samples = SAMPLES, .warmup = 3, .max_time_s = 5.0, .verify = true, .seed = 1};
    const td_observer observer = {0};
    const shape square = {{16, 16, 1}, 16};
    (void)state;
    need_device();
    for (int r = 0; r < RUNS; r++) {
        runs[r] = make_run(td_strategy_find(names[r]), td_workload_find("edm1", 2), 1024, square);
        runs[r].engine = cuda->ops;
    }
    td_group_run(cuda, &protocol, &group, &observer, results);
    for (int r = 0; r < RUNS; r++) {
        print_message("%s %s: %s\n", names[r], results[r].reason,
                      results[r].status == TD_RUN_OK ? "ok" : "not ok");
    }
    for (int r = 0; r < RUNS; r++) {
        assert_int_equal(results[r].status, TD_RUN_OK);
        assert_int_equal(results[r].verified, TD_VERIFIED_PASS);
        assert_int_equal(results[r].sample_count, SAMPLES);
        assert_true(results[r].sample_ms[0] > 0.0);
        /* rec has several launches, which always go through a graph; a tree cannot */
        assert_true(results[r].graph == (strcmp(names[r], "dp") != 0));
        td_result_free(&results[r]);
    }
}

/* What so many operations per SM and cycle come to at any clock that such a GPU has. */
static void assert_per_cycle(double gop_per_s, uint32_t sms, double per_cycle)
{
    assert_true(gop_per_s > per_cycle * sms * 1.2 && gop_per_s < per_cycle * sms * 2.1);
}

/* An instruction for each of 128 lanes in every cycle, two operations each, and half as many in double. */
static void arithmetic_reaches_what_the_sms_issue(void **state)
{
    td_environment e = {0};
    td_error error = {""};
    (void)state;
    need_device();
    cuda->ops->describe(cuda, &e);
    assert_int_equal(cuda->ops->peak_arithmetic(cuda, &e, &error), TD_OK);
    print_message("fp32 %.0f, fp64 %.0f, int32 %.0f Gop/s on %u SMs\n", e.fp32_gop_per_s,
                  e.fp64_gop_per_s, e.int32_gop_per_s, e.sms);
    assert_true(e.fp32_gop_per_s > 0.0 && e.fp64_gop_per_s > 0.0 && e.int32_gop_per_s > 0.0);
    if (e.compute_major == 9 && e.compute_minor == 0) {
        assert_per_cycle(e.fp32_gop_per_s, e.sms, 256);
        assert_per_cycle(e.int32_gop_per_s, e.sms, 256);
        assert_per_cycle(e.fp64_gop_per_s, e.sms, 128);
    }
}

/* The device reads its timer when an event is reached: what is left of that is the time of an empty kernel. */
static void isolated_timer_reads_known_durations_back(void **state)
{
    td_environment e = {0};
    td_error error = {""};
    int wrong = -1;
    (void)state;
    need_device();
    assert_int_equal(cuda->ops->timer_floor(cuda, &e, &error), TD_OK);
    print_message("an empty kernel: %.3f us\n", e.empty_kernel_ms * 1e3);
    assert_true(e.empty_kernel_ms > 0.0 && e.empty_kernel_ms < 0.02);
    if (td_spin_check(cuda, e.empty_kernel_ms, &wrong, &error) != TD_OK) {
        print_message("%s\n", error.text);
    }
    assert_int_equal(wrong, 0);
}

/* One launch a sample, whatever it launches: one grid, several as a graph, a tree. */
static void isolated_runs_are_held_back(void **state)
{
    static const struct {
        const char *strategy, *workload;
        bool graph;
    } cases[] = {{"ltm-i", "edm1", false}, {"rec", "edm1", true}, {"dp", "edm1", false}};
    const td_protocol protocol = {.samples = 7,
                                  .warmup = 3,
                                  .max_time_s = 5.0,
                                  .verify = true,
                                  .sampling = TD_SAMPLING_ISOLATED};
    const td_observer observer = {0};
    (void)state;
    need_device();
    for (size_t i = 0; i < COUNT(cases); i++) {
        td_run run =
            make_run(td_strategy_find(cases[i].strategy), td_workload_find(cases[i].workload, 2),
                     1024, (shape){{16, 16, 1}, 16});
        const td_group group = {&run, 1};
        td_result result = {0};
        run.engine = cuda->ops;
        td_group_run(cuda, &protocol, &group, &observer, &result);
        print_message("%s %s: %s %.4f ms\n", cases[i].strategy, cases[i].workload, result.reason,
                      result.sample_count > 0 ? result.sample_ms[0] : NAN);
        const bool right = result.status == TD_RUN_OK && result.sample_count == 7 &&
                           result.batch == 1 && result.graph == cases[i].graph;
        td_result_free(&result);
        assert_true(right);
    }
}

int main(int argc, char **argv)
{
    static struct CMUnitTest tests[128];
    const struct CMUnitTest in_3d[] = {cmocka_unit_test(tetrahedra_are_covered_once),
                                       cmocka_unit_test(large_tetrahedra_are_written),
                                       cmocka_unit_test(deep_trees_have_room)};
    size_t count = 0;
    for (size_t s = 0; s < td_strategy_count; s++) {
        const struct CMUnitTest test = {td_strategies[s]->name, strategy_agrees_with_the_cpu_engine,
                                        NULL, NULL, (void *)(uintptr_t)td_strategies[s]};
        tests[count++] = test;
    }
    for (size_t s = 0; s < td_strategy_count; s++) {
        static char names[64][32];
        if (td_strategies[s]->unit == TD_MAPS_BLOCKS && !td_strategies[s]->tree) {
            snprintf(names[s], sizeof names[s], "tiles/%s", td_strategies[s]->name);
            const struct CMUnitTest test = {names[s], tiles_agree_with_the_cpu_engine, NULL, NULL,
                                            (void *)(uintptr_t)td_strategies[s]};
            tests[count++] = test;
        }
    }
    const struct CMUnitTest squares = cmocka_unit_test(variants_agree_on_squares_and_other_rules);
    tests[count++] = squares;
    const struct CMUnitTest arithmetic = cmocka_unit_test(arithmetic_reaches_what_the_sms_issue);
    tests[count++] = arithmetic;
    const struct CMUnitTest timer[] = {cmocka_unit_test(isolated_timer_reads_known_durations_back),
                                       cmocka_unit_test(isolated_runs_are_held_back)};
    tests[count++] = timer[0];
    tests[count++] = timer[1];
    const struct CMUnitTest sampled = cmocka_unit_test(group_is_sampled_in_rounds);
    tests[count++] = sampled;
    for (size_t t = 0; t < sizeof in_3d / sizeof in_3d[0]; t++) {
        tests[count++] = in_3d[t];
    }
    if (argc > 1) {
        cmocka_set_test_filter(argv[1]);
    }
    return _cmocka_run_group_tests("cuda", tests, count, open_engines, close_engines);
}
