/* tune_space_test.c - the runs that --tune tries: all open choices, once each, and none that cannot work. */
#include "test.h"

#include <fnmatch.h>
#include <string.h>

#include "engine/cpu/row.h"
#include "engine/cuda/row.h"
#include "command.h"
#include "report/format/record.h"

TEST(each_run_can_work_and_is_there_once)
{
    static const char *const lines[] = {
        "-s ltm-r,utm,rb-b -w edm1,write -n 1000,8192", "-s bb,ltm-i -w life,gol,collision -n 500",
        "-s ltm-rows,bb-tetra -w write,triplet -n 200", "-s all -w edm1,gram,write -n 64",
        "-s bb-t,dp,ltm-g,ltm-rows,dp-tetra -w all -n 64"}; /* each kind of map */
    static const td_engine_ops *const engines[] = {&td_cpu_ops, &td_cuda_ops};
    for (size_t i = 0; i < 2 * COUNT(lines); i++) {
        command c;
        make_search(engines[i % 2], lines[i / 2], &c);
        size_t in_groups = 0;
        for (size_t g = 0; g < c.sweep.group_count; g++) {
            const td_group *group = &c.sweep.groups[g];
            in_groups += group->count;
            for (size_t r = 0; r < group->count; r++) {
                assert_string_equal(group->runs[r].skip, "");
                assert_ptr_equal(group->runs[r].strategy, group->runs[0].strategy);
                assert_string_equal(group->runs[r].workload->name, group->runs[0].workload->name);
                assert_int_equal(group->runs[r].problem.n, group->runs[0].problem.n);
                for (size_t k = 0; k < r; k++) {
                    assert_string_not_equal(group->runs[k].key, group->runs[r].key);
                }
            }
        }
        assert_int_equal(in_groups, c.sweep.run_count);
        done(&c);
    }
}

TEST(all_that_is_open_is_tried_and_what_is_given_stays)
{
    enum { SOME = 1000, ALL };
    static const char products[] = "-s ltm-i -w edm4 -n 8192", life[] = "-s ltm-i -w life -n 8192",
                      rows[] = "-s ltm-rows -w write -n 100", small[] = "-s bb -w edm4 -n 1000",
                      rect[] = "-s bb -w life -n 100 --block 64x4 --memory rect --cell u8",
                      far[] = "-s ltm-r -w edm1 -n 40000", groups[] = "-s ltm-g -w edm1 -n 1000",
                      group[] = "-s ltm-g -w edm1 -n 1000 --set group=5";
    static const struct {
        const td_engine_ops *engine;
        const char *line, *pattern;
        size_t runs; /* whose key it matches */
    } cases[] = {
        {&td_cuda_ops, products, "*/b16x16/t16/packed/seed1", 1},
        {&td_cuda_ops, products, "*/b32x8/t64/packed/seed1/persistent", 1},
        {&td_cuda_ops, products, "*/b16x16/t128/packed/seed1/tile", 1},
        {&td_cuda_ops, life, "*/b32x8/t256/packed/seed1/strip/bit", 1},
        {&td_cuda_ops, life, "*/two-generation/u8", SOME},
        {&td_cuda_ops, life, "*/conditional/u32", SOME},
        {&td_cuda_ops, rows, "*/b32x2x2/t2/*", SOME},
        {&td_cuda_ops, rows, "*/b32x2x2/t4/*", SOME},
        {&td_cuda_ops,
         "-s bb -w edm1 -n 100 --block 16,32x8 --tile 32,64 --kernel loop --schedule grid", "*", 4},
        {&td_cuda_ops, rect, "*/b64x4/*/rect/u8", ALL},
        {&td_cuda_ops, groups, "*/b16x16/t16/packed/seed1", 1},
        {&td_cuda_ops, groups, "*/b16x16/t16/packed/seed1/group32", 1},
        {&td_cuda_ops, group, "*/group5*", ALL},
        /* no tile kernels and no persistent blocks: such runs would be twins of others */
        {&td_cpu_ops, small, "*/tile", 0},
        {&td_cpu_ops, small, "*/persistent*", 0},
        {&td_cpu_ops, "-s bb -w edm1 -n 64 --kernel tile", "*/tile", ALL}, /* unless asked for */
        /* beyond the range of ltm-r; with larger tiles it is not */
        {&td_cuda_ops, far, "*/b16x16/t16/*", 0},
        {&td_cuda_ops, far, "*/b16x16/t32/*", SOME},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        command c;
        size_t runs = 0;
        make_search(cases[i].engine, cases[i].line, &c);
        for (size_t r = 0; r < c.sweep.run_count; r++) {
            runs += fnmatch(cases[i].pattern, c.sweep.runs[r].key, 0) == 0;
        }
        if (cases[i].runs == SOME  ? runs == 0
            : cases[i].runs == ALL ? runs != c.sweep.run_count
                                   : runs != cases[i].runs) {
            fail_msg("%s: %zu of %zu runs are %s", cases[i].line, runs, c.sweep.run_count,
                     cases[i].pattern);
        }
        done(&c);
    }
}

static bool is_found(const td_run *winner, const char *line)
{
    command c;
    bool found = false;
    make_for(&td_cuda_ops, line, &c);
    for (size_t r = 0; r < c.sweep.run_count; r++) {
        found |= strcmp(c.sweep.runs[r].key, winner->key) == 0;
    }
    if (!found) {
        print_message("%s: %s, got %s %s\n", line, winner->key,
                      c.sweep.run_count > 0 ? c.sweep.runs[0].key : "nothing", c.error.text);
    }
    done(&c);
    return found;
}

/* Every run of a space can win. The options in the summary must then find it. */
TEST(the_options_of_a_winner_find_it)
{
    static const char *const lines[] = {"-s ltm-i,utm,bb -w edm4 -n 1000", "-s rb-b -w life -n 300",
                                        "-s ltm-g -w edm1 -n 300", "-s ltm-rows -w triplet -n 60",
                                        "-s rec-tetra -w write -n 60 --cutoff 8"};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        command f;
        size_t lost = 0;
        make_search(&td_cuda_ops, lines[i], &f);
        for (size_t r = 0; r < f.sweep.run_count; r++) {
            const td_run *run = &f.sweep.runs[r];
            const bool loops = run->strategy->unit == TD_MAPS_BLOCKS &&
                               (run->tile > run->block.x || run->tile > run->block.y);
            const td_result result = {.kernel = run->tiled ? TD_KERNEL_TILE
                                                : loops    ? TD_KERNEL_LOOP
                                                           : TD_KERNEL_CELL};
            char how[TD_HOW_SIZE], line[400];
            td_how_text(run, &result, how);
            snprintf(line, sizeof line, "-s %s -w %s -n %u%s --baseline none %s",
                     run->strategy->name, run->workload->name, run->problem.n,
                     run->cutoff > 0 ? " --cutoff 8" : "", how);
            lost += !is_found(run, line);
        }
        done(&f);
        assert_int_equal(lost, 0);
    }
}
