/* measuring.c - samples in rounds, and the peaks of the device. */
#include <math.h>
#include <string.h>

#include "both_engines.h"
#include "engine/bench/group.h"
#include "stamps_check.h"

/* The rate must match so many operations per SM and cycle, at any plausible GPU clock. */
static void assert_per_cycle(double gop_per_s, uint32_t sms, double per_cycle)
{
    assert_true(gop_per_s > per_cycle * sms * 1.2 && gop_per_s < per_cycle * sms * 2.1);
}

/* Per cycle: 128 lanes, one instruction each, two operations per instruction; half of that in double. */
TEST(arithmetic_is_bound_by_what_the_sms_issue)
{
    td_environment e = {0};
    td_need_device();
    td_gpu->ops->describe(td_gpu, &e);
    print_message("fp32 %.0f, fp64 %.0f, int32 %.0f Gop/s on %u SMs\n", e.peaks.fp32_gop_per_s,
                  e.peaks.fp64_gop_per_s, e.peaks.int32_gop_per_s, e.sms);
    if (e.compute_major == 9 && e.compute_minor == 0 && strstr(e.gpu_name, "emulated") == NULL) {
        assert_per_cycle(e.peaks.fp32_gop_per_s, e.sms, 256);
        assert_per_cycle(e.peaks.int32_gop_per_s, e.sms, 256);
        assert_per_cycle(e.peaks.fp64_gop_per_s, e.sms, 128);
    }
}

/* A sample lasts at least as long as its blocks by the device clock, and at most as long as the kernels around it are
 * apart. Both bounds also hold on a busy host. */
TEST(a_sample_is_all_of_its_launches_by_the_clock_of_the_device)
{
    static const struct {
        uint32_t batch;
        bool graph;
    } cases[] = {{1, false}, {7, false}, {7, true}};
    const double resolution_ms = 0.002;
    td_need_device();
    for (size_t i = 0; i < COUNT(cases); i++) {
        td_stamped found = {0};
        td_error error = {""};
        const td_status status =
            td_stamps_check(td_gpu, cases[i].batch, cases[i].graph, &found, &error);
        print_message("%s%u launches%s: %.4f ms, first to last block %.4f, around them %.4f\n",
                      error.text, cases[i].batch, cases[i].graph ? " as a graph" : "",
                      found.batch_ms, found.inner_ms, found.outer_ms);
        assert_int_equal(status, TD_OK);
        assert_true(found.blocks > 0 && found.blocks == found.blocks_queued);
        assert_true(found.batch_ms >= found.inner_ms - resolution_ms);
        assert_true(found.batch_ms <= found.outer_ms + resolution_ms);
    }
}

/* A whole group, as in the binary: rounds, graphs, batches. */
TEST(group_is_sampled_in_rounds)
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
    td_need_device();
    for (int r = 0; r < RUNS; r++) {
        runs[r] =
            td_make_run(td_strategy_find(names[r]), td_workload_find("edm1", 2), 1024, square);
        runs[r].engine = td_gpu->ops;
    }
    td_group_run(td_gpu, &protocol, &group, &observer, results);
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
