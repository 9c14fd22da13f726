/* tune_space_test.c - the runs that --tune tries: all open choices, once each, and none that cannot work. */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "engine/cpu/row.h"
#include "engine/cuda/row.h"
#include "tune_space.h"

static size_t find(const fixture *f, const char *key)
{
    size_t count = 0;
    for (size_t r = 0; r < f->space.run_count; r++) {
        count += strcmp(f->space.runs[r].key, key) == 0;
    }
    return count;
}

/* The number of runs with these words in their key. */
static size_t with(const fixture *f, const char *words)
{
    size_t count = 0;
    for (size_t r = 0; r < f->space.run_count; r++) {
        count += strstr(f->space.runs[r].key, words) != NULL;
    }
    return count;
}

static void each_run_can_work_and_is_there_once(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "-s ltm-r,utm,rb-b -w edm1,write -n 1000,8192", "-s bb,ltm-i -w life,gol,collision -n 500",
        "-s ltm-rows,bb-tetra -w write,triplet -n 200", "-s all -w all -n 64"};
    static const td_engine_ops *const engines[] = {&td_cpu_ops, &td_cuda_ops};
    for (size_t i = 0; i < 8; i++) {
        fixture f, again;
        made(&f, engines[i % 2], lines[i / 2]);
        made(&again, engines[i % 2], lines[i / 2]);
        assert_int_equal(f.space.run_count, again.space.run_count);
        size_t in_groups = 0;
        for (size_t g = 0; g < f.space.group_count; g++) {
            const td_group *group = &f.space.groups[g];
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
        assert_int_equal(in_groups, f.space.run_count);
        for (size_t r = 0; r < f.space.run_count; r++) {
            assert_string_equal(f.space.runs[r].key, again.space.runs[r].key);
        }
        end(&f);
        end(&again);
    }
}

static void all_that_is_open_is_tried(void **state)
{
    (void)state;
    fixture f;
    made(&f, &td_cuda_ops, "-s ltm-i -w edm4 -n 8192");
    assert_int_equal(find(&f, "cuda/edm4/ltm-i/n8192/b16x16/t16/packed/seed1"), 1);
    assert_int_equal(find(&f, "cuda/edm4/ltm-i/n8192/b32x8/t64/packed/seed1/persistent"), 1);
    assert_int_equal(find(&f, "cuda/edm4/ltm-i/n8192/b16x16/t128/packed/seed1/tile"), 1);
    end(&f);
    made(&f, &td_cuda_ops, "-s ltm-i -w life -n 8192");
    assert_int_equal(find(&f, "cuda/life/ltm-i/n8192/b32x8/t256/packed/seed1/strip/bit"), 1);
    assert_true(with(&f, "/two-generation/u8") > 0 && with(&f, "/conditional/u32") > 0);
    end(&f);
    made(&f, &td_cuda_ops, "-s ltm-rows -w write -n 100");
    assert_true(with(&f, "/b32x2x2/t2/") > 0 && with(&f, "/b32x2x2/t4/") > 0);
    end(&f);
}

static void what_is_given_stays(void **state)
{
    (void)state;
    fixture f;
    made(&f, &td_cuda_ops,
         "-s bb -w edm1 -n 100 --block 16,32x8 --tile 32,64 --kernel loop --schedule grid");
    assert_int_equal(f.space.run_count, 4);
    end(&f);
    made(&f, &td_cuda_ops, "-s bb -w life -n 100 --block 64x4 --memory rect --cell u8");
    assert_int_equal(with(&f, "/b64x4/"), f.space.run_count);
    assert_int_equal(with(&f, "/rect/u8"), f.space.run_count);
    end(&f);
}

/* The cpu engine has no tile kernels and no persistent blocks; such runs would be twins of others. */
static void twins_are_left_out(void **state)
{
    (void)state;
    fixture f;
    made(&f, &td_cpu_ops, "-s bb -w edm4 -n 1000");
    if (!td_cpu_ops.can.tile_kernels) {
        assert_int_equal(with(&f, "/tile"), 0);
    }
    assert_int_equal(with(&f, "/persistent"), 0);
    end(&f);
}

/* At 16 x 16 ltm-r is beyond its range here, and larger tiles are not. */
static void a_range_rules_out_some_tiles_only(void **state)
{
    (void)state;
    fixture f;
    made(&f, &td_cuda_ops, "-s ltm-r -w edm1 -n 40000");
    assert_int_equal(with(&f, "/b16x16/t16/"), 0);
    assert_true(with(&f, "/b16x16/t32/") > 0);
    end(&f);
}

static void nothing_to_try_is_an_error_that_says_why(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"-s utm -w edm1 -n 100 --schedule persistent", "utm maps threads"},
        {"-s bb -w edm1 -n 100 --block 16 --tile 24", "--tile 24 is not a multiple"},
        {"-s bb -w edm1 -n 100 --steps 4", "--steps: no selected workload takes it"},
        {"-s bb-tetra -w edm1 -n 100", "bb-tetra maps 3D domains"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fixture f;
        td_error error = {""};
        const td_status status = make(&f, &td_cuda_ops, cases[i][0], &error);
        end(&f);
        assert_int_equal(status, TD_USAGE);
        assert_non_null(strstr(error.text, cases[i][1]));
    }
}

static void shards_deal_out_searches(void **state)
{
    (void)state;
    fixture whole, part;
    made(&whole, &td_cpu_ops, "-s bb,rb-b,rec -w edm1 -n 100,200 --block 16");
    size_t groups = 0, runs = 0;
    for (uint32_t i = 0; i < 4; i++) {
        td_error error = {""};
        made(&part, &td_cpu_ops, "-s bb,rb-b,rec -w edm1 -n 100,200 --block 16");
        assert_int_equal(td_sweep_shard(&part.space, i, 4, &part.options.protocol, &error), TD_OK);
        for (size_t g = 0; g < part.space.group_count; g++) {
            const td_group *mine = &part.space.groups[g], *theirs = whole.space.groups;
            while (strcmp(theirs->runs[0].key, mine->runs[0].key) != 0) {
                theirs++;
            }
            assert_int_equal(mine->count, theirs->count);
        }
        groups += part.space.group_count;
        runs += part.space.run_count;
        end(&part);
    }
    assert_int_equal(groups, whole.space.group_count);
    assert_int_equal(runs, whole.space.run_count);
    end(&whole);
}

static bool is_found(const td_run *winner, const char *line)
{
    fixture f;
    td_error error = {""};
    bool found = false;
    const td_status status = make_plain(&f, &td_cuda_ops, line, &error);
    for (size_t r = 0; r < f.space.run_count; r++) {
        found = found || strcmp(f.space.runs[r].key, winner->key) == 0;
    }
    if (status != TD_OK || !found) {
        print_message("%s: %s, got %s %s\n", line, winner->key,
                      f.space.run_count > 0 ? f.space.runs[0].key : "nothing", error.text);
    }
    end(&f);
    return found;
}

/* Every run of a space can win. The options in the summary must then find it. */
static void the_options_of_a_winner_find_it(void **state)
{
    (void)state;
    static const char *const lines[] = {"-s ltm-i,utm,bb -w edm4 -n 1000", "-s rb-b -w life -n 300",
                                        "-s ltm-rows -w triplet -n 60",
                                        "-s rec-tetra -w write -n 60 --cutoff 8"};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        fixture f;
        size_t lost = 0;
        made(&f, &td_cuda_ops, lines[i]);
        for (size_t r = 0; r < f.space.run_count; r++) {
            const td_run *run = &f.space.runs[r];
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
        end(&f);
        assert_int_equal(lost, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_run_can_work_and_is_there_once),
        cmocka_unit_test(all_that_is_open_is_tried),
        cmocka_unit_test(what_is_given_stays),
        cmocka_unit_test(twins_are_left_out),
        cmocka_unit_test(a_range_rules_out_some_tiles_only),
        cmocka_unit_test(nothing_to_try_is_an_error_that_says_why),
        cmocka_unit_test(shards_deal_out_searches),
        cmocka_unit_test(the_options_of_a_winner_find_it),
    };
    return cmocka_run_group_tests_name("tune_space", tests, NULL, NULL);
}
