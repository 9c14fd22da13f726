/* sweep_test.c - from command lines to runs: groups, baselines, combinations and skipped runs. */
#include "test.h"

#include <string.h>

#include "command.h"
#include "engine/sweep/key.h"
#include "shown.h"

TEST(groups_partition_the_runs)
{
    command c;
    make_ok("-s paper -w dummy,edm1 -n 64:640:64 -b 8,16", &c);
    assert_int_equal(c.sweep.group_count, 2 * 10 * 2);
    const td_run *next = c.sweep.runs;
    for (size_t i = 0; i < c.sweep.group_count; i++) {
        assert_ptr_equal(c.sweep.groups[i].runs, next);
        assert_int_equal(c.sweep.groups[i].count, 6);
        assert_true(next->is_baseline);
        assert_string_equal(next->strategy->name, "bb");
        next += c.sweep.groups[i].count;
    }
    assert_ptr_equal(next, c.sweep.runs + c.sweep.run_count);
    done(&c);
}

/* Each run, after the number of its group. */
static void put_sweep(const char *line, td_text *text)
{
    command c;
    make(line, &c);
    assert_true(c.status == TD_OK || (c.status == TD_USAGE && c.sweep.run_count == 0));
    td_text_print(text, "%s\n",
                  c.status != TD_OK              ? c.error.text
                  : td_sweep_has_trees(&c.sweep) ? "with trees"
                                                 : "without trees");
    for (size_t g = 0; g < c.sweep.group_count; g++) {
        const td_group *group = &c.sweep.groups[g];
        for (const td_run *run = group->runs; run < group->runs + group->count; run++) {
            td_text_print(text, "%zu %s%s%s%s\n", g, run->key,
                          run->is_baseline ? " (baseline)" : "", run->skip[0] != '\0' ? ": " : "",
                          run->skip);
        }
    }
    done(&c);
}

TEST(sweeps_are_as_shown)
{
    lines_are_as_shown(put_sweep, "tests/data/shown/sweeps.txt");
}

/* Ranks that share a domain in another way do other work. */
TEST(keys_name_how_ranks_share_a_domain)
{
    static const td_partition partitions[] = {TD_BY_ROWS, TD_BY_CELLS};
    static const char *const ends[] = {"/ranks3/rows", "/ranks3/cells"};
    command c;
    make_ok("-s ltm-i -w edm1 -n 64 --baseline none", &c);
    for (size_t i = 0; i < COUNT(ends); i++) {
        td_run run = c.sweep.runs[0];
        run.parts = 3;
        run.partition = partitions[i];
        td_key_make(&c.options, &(td_input){0}, 2, &run);
        assert_non_null(strstr(run.key, "/ranks"));
        assert_string_equal(strstr(run.key, "/ranks"), ends[i]);
    }
    done(&c);
}

TEST(what_came_out_of_a_set_or_a_list_is_skipped)
{
    static const struct {
        const char *line, *fragment;
    } skips[] = {
        {"-s all -n 64 --tile 32", "maps threads"},
        {"-s all -n 64 --schedule persistent", "maps threads"},
        {"-s all -n 64 --schedule persistent", "tree"},
        {"-s ltm,bb -n 64,50000", "ltm-i"},
        {"-s 2d -n 50000", "ltm-i"},
        {"-s ltm -n 64 -b 16,8x8x8", "three sides"},
        {"-s bb -w all --layout full -n 64", "dummy has no full layout"},
        {"-s bb -w all --input f.npy", "takes no input"},
        {"-s paper -w all -n 64 --cell bit --memory halo",
         "--cell bit goes with --memory strip and --memory four-generation"},
        {"-s bb -w all -n 64 --set domain=square", "edm1 works on triangles only"},
    };
    for (size_t i = 0; i < COUNT(skips); i++) {
        command c;
        make_ok(skips[i].line, &c);
        size_t found = 0, kept = 0;
        for (size_t r = 0; r < c.sweep.run_count; r++) {
            found += strstr(c.sweep.runs[r].skip, skips[i].fragment) != NULL;
            kept += c.sweep.runs[r].skip[0] == '\0';
        }
        if (found == 0 || kept == 0) {
            fail_msg("'%s': %zu skipped, %zu kept", skips[i].line, found, kept);
        }
        done(&c);
    }
}

TEST(all_is_what_works)
{
    static const char *const lines[] = {
        "-s bb,utm -w edm4,life -n 300 --tile all --kernel all --schedule all",
        "-s ltm-rows,bb-tetra -w life -n 40 --block all --memory all --cell all",
        "-s bb,rec -w water -n 40 --block 8,16,32 --memory all --cell all"};
    for (size_t i = 0; i < COUNT(lines); i++) {
        command c;
        make_ok(lines[i], &c);
        for (size_t r = 0; r < c.sweep.run_count; r++) {
            assert_string_equal(c.sweep.runs[r].skip, "");
            for (size_t k = 0; k < r; k++) {
                assert_string_not_equal(c.sweep.runs[k].key, c.sweep.runs[r].key);
            }
        }
        assert_true(c.sweep.run_count > 10);
        done(&c);
    }
}

/* On a 2D workload, `all` means all 2D strategies; the others are not mentioned. */
TEST(other_dimensions_of_a_set_are_left_out_in_silence)
{
    static const char *const lines[] = {"-s all -w edm1 -n 64", "-s ltm* -w edm1 -n 64",
                                        "-s all -w collision,triplet -n 64",
                                        "-s bb-tetra -w all -n 64", "-s bb,bb-tetra -w all -n 64"};
    for (size_t i = 0; i < COUNT(lines); i++) {
        command c;
        make_ok(lines[i], &c);
        for (size_t r = 0; r < c.sweep.run_count; r++) {
            if (c.sweep.runs[r].strategy->dimension != c.sweep.runs[r].workload->dimension) {
                fail_msg("'%s': %s", lines[i], c.sweep.runs[r].key);
            }
        }
        done(&c);
    }
}
