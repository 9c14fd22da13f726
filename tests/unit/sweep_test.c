/* sweep_test.c - from command lines to runs: groups, baselines, combinations and skipped runs. */
#include "test.h"

#include <string.h>

#include "command.h"

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
        next += c.sweep.groups[i].count;
    }
    assert_ptr_equal(next, c.sweep.runs + c.sweep.run_count);
    assert_string_equal(c.sweep.baseline, "bb");
    done(&c);
}

TEST(baseline_is_added_only_when_missing)
{
    static const struct {
        const char *line;
        size_t runs;
        const char *baseline; /* NULL: none */
        size_t place;         /* of its run */
    } cases[] = {
        {"-s ltm -n 64", 2, "bb", 1},
        {"-s bb,ltm -n 64", 2, "bb", 0},
        {"-s bb,ltm -n 64 --baseline rb", 3, "rb", 2},
        {"-s dp,bb -n 64 --cutoff 16,32 --baseline dp", 3, "dp", 0}, /* with one cutoff only */
        {"-s bb -n 64 --set group=4,8 --baseline ltm-g", 2, "ltm-g", 1},
        {"-s ltm -n 64 --baseline none", 1, NULL, 1},
        {"-s ltm -w edm1 -n 64 --dump x.npy", 1, NULL, 1},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        command c;
        make_ok(cases[i].line, &c);
        assert_int_equal(c.sweep.run_count, cases[i].runs);
        for (size_t r = 0; r < c.sweep.run_count; r++) {
            assert_int_equal(c.sweep.runs[r].is_baseline, r == cases[i].place);
        }
        assert_true(cases[i].baseline == NULL ? c.sweep.baseline == NULL
                                              : strcmp(c.sweep.baseline, cases[i].baseline) == 0);
        done(&c);
    }
}

typedef struct incompatibility {
    const char *line;
    const char *fragment;
} incompatibility;

TEST(what_was_asked_for_by_name_is_an_error_that_says_why)
{
    static const incompatibility cases[] = {
        {"-s rb -n 64 --tile 32", "rb maps threads"},
        {"-s ltm -n 64 -b 16 --tile 24", "not a multiple"},
        {"-s ltm -n 64 -b 8x8x8", "three sides"},
        {"-s ltm -n 50000", "ltm-i"},
        {"-s utm -n 64 --schedule persistent", "maps threads"},
        {"-s dp -n 64 --schedule persistent", "tree"},
        {"-s dp -n 64 --schedule dynamic", "--schedule dynamic loops over tiles, and dp launches"},
        {"-s bb -w dummy --layout full", "dummy has no full layout"},
        {"-s bb -w cover --input f.npy", "cover takes no input"},
        {"-s bb -w dummy --dump f.npy", "dummy has no output"},
        {"-s bb,rb -w edm1 --dump f.npy", "exactly one run"},
        {"-s bb -w edm1 -n 5,6 --dump f.npy", "selects 2"},
        {"-s bb,rb -w edm1 --timing once", "--timing once: expected exactly one run"},
        {"-s ltm -n 64 --tile 32 --baseline rb", "rb maps threads"},
        {"-s utm,bb -w edm1 -n 64 --tile 32 --kernel all", "--tile 32: utm maps threads"},
        {"--tune -s utm -w edm1 -n 100 --schedule persistent", "utm maps threads"},
        {"--tune -s bb-tetra -w edm1 -n 100", "bb-tetra maps 3D domains"},
        {"-s bb -w edm1,life -n 64 --set domain=square", "edm1 works on triangles only"},
        {"-s bb -w edm1 -n 64 --steps 3", "--steps: no selected workload takes it"},
        {"-b 8x8x8", "nothing to run"},
        {"-s ltm -n 50000,60000 --baseline none", "use ltm-i"},
        {"-s 3d -w edm1 -n 64", "no selected strategy has the dimension"},
        {"-s all -w all -n 1:4096:1 -b 1:32:1", "more than 1000000 runs"},
        {"-w life --memory shared -s utm",
         "maps threads, whose cells make no tile: use --memory halo"},
        {"-w life --memory strip -s dp", "cell by cell, as a tree: use --memory halo"},
        {"-w life --cell bit -s rb", "use --cell u8 --memory halo"},
        {"-w life --cell bit --memory halo -s bb",
         "--cell bit goes with --memory strip and --memory four-generation"},
        {"-w life --memory shared -s bb --block 32 --tile 128",
         "needs a multiple of 1, at most 64"},
        {"-w life --cell bit -s bb --block 16 --tile 48", "needs a multiple of 128"},
        {"-w life --set domain=square -s rec --baseline none", "only bb covers the whole square"},
        {"-w edm1 --set domain=square -s bb", "--set domain=square: edm1 works on triangles only"},
        {"-w write --kernel tile -s bb", "no tile kernel of its own"},
        {"-w life --memory shared --kernel cell -s bb", "use --memory halo"},
        {"-w collision --kernel tile -s utm", "use --kernel cell"},
        {"-w life --memory halo --set domain=square -s bb --schedule persistent",
         "grid of its own"},
        {"-w edm4 --kernel tile -s bb --block 8", "needs a multiple of 128 threads, at most 1024"},
        {"-w edm4 --kernel tile -s bb --tile 96", "needs a power of two from 32, at most 128"},
        {"-w edm4 --kernel tile -s bb --tile 64 --block 8", "needs a multiple of 128 threads"},
        {"-w collision --kernel tile -s bb --tile 96", "needs a multiple of 64, at most 384"},
        {"-w triplet --kernel tile -s dp-tetra", "use --kernel cell"},
        {"-w triplet --kernel tile -s bb-tetra --tile 64", "needs a multiple of 32, at most 32"},
        {"-w triplet --kernel tile -s bb-tetra --block 4",
         "needs a multiple of 128 threads, at most 512, got 64"},
        {"-w write --kernel tile -s bb-tetra --tile 64", "needs a multiple of 4, at most 32"},
        {"-w water --memory strip -s bb --block 32", "a multiple of 32 threads, at most 512"},
        {"-w water --memory strip -s bb --tile 90", "needs a multiple of 4"},
        {"-w water --memory two-generation -s bb --tile 90",
         "two-generation needs a multiple of 4, at most 4096"},
        {"-w water --memory two-generation -s bb --block 32x16",
         "a multiple of 32 threads, at most 256"},
        {"-w blur --memory two-generation -s bb --tile 128", "needs a multiple of 1, at most 64"},
        {"-w edm1 --kernel loop -s bb", "give a larger --tile"},
        {"-w edm1 --kernel cell -s bb --tile 64", "use --kernel loop"},
        {"-w edm1 --dump x:1 -s bb", "has no steps"},
        {"-w write --dump x:1 -s bb-tetra", "--dump FILE.npy:K: write has no steps"},
        {"-w dog --dump x:1 -s bb", "--dump FILE.npy:K: dog has no steps"},
        {"-w gol --set domain=square --dump x:1 -s bb", "gol works on triangles only"},
        {"-w life --set domain=square --memory aligned --block 1 --tile 64x8 -s bb",
         "at most 128x4 or 32x16"},
        {"-w life --set domain=square --memory two-cell --block 1 --tile 63x4 -s bb",
         "a multiple of 2 by any"},
        {"-w life --set domain=square --memory rect --tile 64x2 -s bb", "not a multiple"},
        {"-w life --memory rect --tile 64x4 -s bb", "only the whole square"},
        {"-w life --set domain=square --tile 64x4 --block 64x4 -s bb", "works cell by cell"},
        {"-w life --memory strip --tile 480x36 --block 32x4 -s bb",
         "a multiple of 16, at most 4096, by a divisor"},
        {"-w life --memory strip --tile 24x12 --block 8x4 -s bb",
         "a multiple of 16, at most 4096, by a divisor"},
        {"-w life --memory strip --tile 480x16 --block 16x1 -s bb",
         "needs a multiple of 32 threads"},
        {"-w life --set domain=square --memory two-generation --tile 64x4 -s bb",
         "takes square tiles only"},
        {"-w life --set domain=square --memory rect --schedule dynamic -s bb",
         "dynamic: blocks that loop"},
        {"--layout blocked -w write -s dp", "dp launches kernels of its own"},
        {"--layout full -w life -s bb-tetra --memory strip", "life has no full layout"},
        {"--layout blocked -w collision -s bb", "collision has no blocked layout"},
        {"--layout mirrored -w edm1 -s bb", "edm1 has no mirrored layout"},
        {"--layout blocked -w write -s utm", "utm maps threads, whose cells make no tile"},
        {"--layout blocked -w write -s ltm-rows", "ltm-rows has tiles of whole rows"},
        {"-w extrema -s bb --memory two-generation",
         "extrema: no kernel of it has this --memory with this --cell"},
        {"-s bb-tetra -w life --cell bit", "--cell: expected one of auto|u8, got 'bit'"},
        {"-s bb-tetra -w life --memory halo", "--memory is conditional or strip on a tetrahedron"},
        {"-s dp-tetra -w life --memory strip --baseline none",
         "--memory strip works on whole tiles, and dp-tetra launches"},
        {"-s bb-tetra -w life --memory strip --tile 80 --baseline none",
         "a multiple of 16, at most 64"},
        {"-w edm1 -s ltm --baseline bb-tetra", "--baseline bb-tetra: no selected run is 3D"},
        {"-s bb,ltm --cutoff 8", "--cutoff: no selected strategy takes it"},
        {"-s bb,dp --set group=8", "--set group: no selected strategy takes it"},
        {"-w dummy,edm4 -s bb --cell u8", "--cell: no selected workload takes it"},
        {"-w edm1 -s bb --set rule=2333", "--set rule: no selected workload takes it"},
        {"-s bb -w life --memory aligned,", "four-generation, got ''"},
        {"-w gol --steps 1000001", "--steps: expected a whole number in 0..1000000"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        command c;
        make(cases[i].line, &c);
        if (c.status != TD_USAGE || strstr(c.error.text, cases[i].fragment) == NULL ||
            c.sweep.run_count > 0) {
            fail_msg("'%s': status %d, \"%s\"", cases[i].line, (int)c.status, c.error.text);
        }
        done(&c);
    }
}

TEST(what_came_out_of_a_set_or_a_list_is_skipped)
{
    static const incompatibility skips[] = {
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

/* Each N with every combination of words, the first list fastest; then kernels and schedules. What does not go together
 * is no error. */
TEST(lists_are_combined)
{
    static const struct {
        const char *line;
        size_t runs, skipped, groups;
        const char *last; /* the end of the last key */
    } cases[] = {
        {"-s bb -w life --set domain=square -n 64,128 --memory aligned,two-cell", 4, 0, 4,
         "n128/b64x4/t128x4/packed/seed1/two-cell/u8/square"},
        {"-s bb -w life -n 64 --memory strip,halo --cell bit,u8", 4, 1, 4, "/halo/u8"},
        {"-s bb -w life -n 64 --memory auto,halo,halo", 1, 0, 1, "/halo/u8"}, /* all the same */
        {"-s bb -w gol,dog -n 64 --cell u8,f32x2 --memory aligned", 4, 2, 4, "/aligned/f32x2"},
        {"-s utm,bb -w life -n 64 --memory shared,halo --baseline none", 4, 1, 2, "/halo/u8"},
        {"-s bb -w edm4 -n 300 --tile 64 --kernel loop,tile --schedule grid,dynamic", 4, 0, 4,
         "/seed1/dynamic/tile"},
        {"-s bb -w edm4 -n 300 --kernel auto,cell", 1, 0, 1, "/seed1"}, /* two names of one */
        {"-s bb -w edm4 -n 300 -b 16 --tile 16,32 --kernel cell,loop", 2, 0, 2,
         "/t32/packed/seed1"},
        {"-s bb,utm -w edm4 -n 300 --schedule grid,persistent", 4, 1, 2, "/persistent"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        command c;
        size_t skipped = 0;
        make_ok(cases[i].line, &c);
        for (size_t r = 0; r < c.sweep.run_count; r++) {
            skipped += c.sweep.runs[r].skip[0] != '\0';
        }
        const char *const last = c.sweep.runs[c.sweep.run_count - 1].key;
        if (c.sweep.run_count != cases[i].runs || skipped != cases[i].skipped ||
            c.sweep.group_count != cases[i].groups ||
            strcmp(last + strlen(last) - strlen(cases[i].last), cases[i].last) != 0) {
            fail_msg("'%s': %zu runs, %zu skipped, %zu groups, %s", cases[i].line,
                     c.sweep.run_count, skipped, c.sweep.group_count, last);
        }
        done(&c);
    }
}

TEST(only_dynamic_parallelism_has_trees)
{
    static const struct {
        const char *line;
        bool trees;
    } cases[] = {{"-s bb,rec,utm,hmap -w dummy -n 100", false},
                 {"-s bb-tetra,rec-tetra -w write -n 40", false},
                 {"-s bb,dp -w dummy -n 100", true},
                 {"-s dp-tetra -w write -n 40", true}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        command c;
        make_ok(cases[i].line, &c);
        assert_int_equal(td_sweep_has_trees(&c.sweep), cases[i].trees);
        done(&c);
    }
}
