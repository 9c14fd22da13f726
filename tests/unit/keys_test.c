/* keys_test.c - keys of runs: their content, whose order is that of the sweep. */
#include "files.h"

#include <stdio.h>
#include <string.h>

#include "command.h"
#include "engine/sweep/key.h"

/* The keys of all runs. */
static void assert_keys(const char *line, const char *const *keys, size_t count)
{
    command c;
    make_ok(line, &c);
    if (c.sweep.run_count != count) {
        fail_msg("'%s': %zu runs, not %zu", line, c.sweep.run_count, count);
    }
    for (size_t i = 0; i < count; i++) {
        assert_string_equal(c.sweep.runs[i].key, keys[i]);
    }
    done(&c);
}

TEST(runs_are_ordered_and_named)
{
    static const char *const keys[] = {
        "cpu/edm1/bb/n32/b16x16/t16/packed/seed1", "cpu/edm1/ltm-r/n32/b16x16/t16/packed/seed1",
        "cpu/edm1/bb/n32/b64x4/t64/packed/seed1",  "cpu/edm1/ltm-r/n32/b64x4/t64/packed/seed1",
        "cpu/edm1/bb/n33/b16x16/t16/packed/seed1", "cpu/edm1/ltm-r/n33/b16x16/t16/packed/seed1",
        "cpu/edm1/bb/n33/b64x4/t64/packed/seed1",  "cpu/edm1/ltm-r/n33/b64x4/t64/packed/seed1",
    };
    assert_keys("-s bb,ltm -w edm1 -n 32,33 -b 16,16x16,64x4", keys, 8);
}

/* A run that cannot work has another key than the run that can. */
TEST(block_of_another_dimension_has_its_own_key)
{
    static const char *const keys[] = {
        "cpu/write/bb/n64/b8x8/t8/packed/seed1",
        "cpu/write/bb/n64/b8x8x8/t8/packed/seed1",
        "cpu/write/bb-tetra/n64/b8x8/t8/full/seed1",
        "cpu/write/bb-tetra/n64/b8x8x8/t8/full/seed1",
    };
    assert_keys("-s bb,bb-tetra -w write -n 64 -b 8x8,8x8x8", keys, 4);
}

/* The first run of a command line: its key from the block on. */
TEST(keys_name_what_is_not_the_default)
{
    static const struct {
        const char *line, *key;
    } cases[] = {
        /* what is not the default */
        {"-s dp -w edm1 -n 99 -b 8 --layout full --seed 7 --cutoff 64,32 --cache cold --verify "
         "beyond "
         "--timing host",
         "b8x8/t8/full/seed7/nc64/cold/host/inexact"},
        {"-s rec -w edm1 -n 99 -b 8 --tile 16 --schedule persistent --input /tmp/my\"file.csv",
         "b8x8/t16/packed/seed1/persistent/input-my_file.csv-00000000000000000000000000000000"},
        {"-s bb -w life -n 1048576 --input a-name-of-forty-letters-and-then-some-more.npy --verify "
         "beyond "
         "--cache cold --memory two-generation --set domain=square --steps 999999 --set rule=4644 "
         "--timing host --set density=0.123456789012345 --seed 18446744073709551615",
         "b64x4/t64/packed/seed18446744073709551615/cold/host/inexact/two-generation/u8/square/"
         "g999999/"
         "r4644/p0.123456789012345/input-a-name-of-forty-letters-and-then-some-mo-"
         "00000000000000000000000000000000"},
        {"-s bb -w write -n 9 -b 12x8", "b12x8/t24/packed/seed1"},
        {"-s bb -w gol -n 9 --steps 3 --set rule=2333 --set density=0.25",
         "b16x16/t16/packed/seed1/g3/r2333/p0.25"},
        {"-s bb -w gol -n 9 --memory conditional,auto --cell u8 --steps 100 --set "
         "rule=4644,density=.30",
         "b16x16/t16/packed/seed1"},
        {"-s rb -n 64 -b 16 --tile 16", "b16x16/t16/packed/seed1"},
        {"-s ltm -n 50000 --verify beyond", "b16x16/t16/packed/seed1/inexact"},
        /* groups of the usual 8 rows; others are no steps */
        {"-s ltm-g -w gol -n 64 --set group=8,16", "b16x16/t16/packed/seed1"},
        {"-s ltm-g -w gol -n 64 --steps 16 --set group=16,32",
         "b16x16/t16/packed/seed1/group16/g16"},
        /* a larger --tile takes the kernel that is made for it, if it has enough threads; thread maps the block's */
        {"-w edm1 -s bb --tile 128", "b16x16/t128/packed/seed1/tile"},
        {"-w edm1 -s bb --tile 128 --block 32", "b32x32/t128/packed/seed1/tile"},
        {"-w edm1 -s bb --tile 128 --block 8", "b8x8/t128/packed/seed1"}, /* too few threads */
        {"-w edm1 -s bb --tile 64",
         "b16x16/t64/packed/seed1"}, /* the kernel for tiles takes it, if asked to */
        {"-w edm1 -s bb --tile 64 --kernel tile", "b32x16/t64/packed/seed1/tile"},
        {"-w edm1 -s bb --tile 128 --kernel loop", "b16x16/t128/packed/seed1"},
        {"-w edm1 -s bb --tile 128 --schedule persistent", "b16x16/t128/packed/seed1/persistent"},
        {"-w edm1 -s bb", "b16x16/t16/packed/seed1"}, /* one cell per thread, as in the papers */
        {"-w edm1 -s bb --kernel tile", "b32x4/t64/packed/seed1/tile"},
        {"-w write -s bb --tile 128", "b16x16/t128/packed/seed1"},
        {"-w edm1 -s dp --tile 128", "b16x16/t128/packed/seed1/nc128"},
        {"-w write -s ltm-tetra --block 32x4x2 --tile 32", "b32x4x2/t32/full/seed1/tile"},
        {"-w write -s ltm-rows --block 32x4x2 --tile 16", "b32x4x2/t16/full/seed1/tile"},
        {"-w write -s ltm-rows --block 32x2x2 --tile 2", "b32x2x2/t2/full/seed1"}, /* too small */
        {"-w write -s ltm-rows --block 32x4x2 --tile 16 --kernel loop", "b32x4x2/t16/full/seed1"},
        {"-w write -s ltm-rows --block 32x4x2 --tile 16 --kernel cell", "b32x4x2/t16/full/seed1"},
        {"-w write -s bb-tetra --block 8", "b8x8x8/t8/full/seed1"},
        {"-w write -s dp-tetra --block 8 --tile 32", "b8x8x8/t32/full/seed1/nc128"},
        {"-w triplet -s ltm-rows --kernel tile", "b32x2x2/t32/packed/seed1/tile"},
        {"-w triplet -s bb-tetra --block 8 --tile 32", "b8x8x8/t32/packed/seed1/tile"},
        {"-w triplet -s bb-tetra --block 8 --tile 16", "b8x8x8/t16/packed/seed1"},
        {"-w cover -s bb-tetra --block 8 --tile 32", "b8x8x8/t32/full/seed1"},
        /* small problems have small tiles; a given --tile or --block is used as is */
        {"-s bb -w edm1 -n 1024 --kernel tile", "b32x4/t32/packed/seed1/tile"},
        {"-s bb -w edm4 -n 1279 --kernel tile --layout full", "b32x4/t32/full/seed1/tile"},
        {"-s bb -w edm4 -n 1280 --kernel tile", "b32x2/t32/packed/seed1/tile"},
        {"-s bb -w edm4 -n 2560 --kernel tile --layout blocked", "b32x4/t64/blocked/seed1/tile"},
        {"-s bb -w edm1 -n 16383 --kernel tile", "b32x4/t64/packed/seed1/tile"},
        {"-s bb -w edm1 -n 16384 --kernel tile", "b32x16/t128/packed/seed1/tile"},
        {"-s bb -w edm4 -n 30720 --kernel tile", "b16x16/t128/packed/seed1/tile"},
        {"-s bb -w edm4 -n 1024 --kernel tile --tile 64 --block 32x8",
         "b32x8/t64/packed/seed1/tile"},
        {"-s bb -w edm4 -n 1024 --kernel tile --tile 128", "b16x16/t128/packed/seed1/tile"},
        {"-s bb -w edm4 -n 1024 --kernel tile --block 8", "b8x8/t32/packed/seed1/tile"},
        {"-s bb -w edm4 -n 1024 --kernel tile --block 16",
         "b16x16/t64/packed/seed1/tile"}, /* in tile 32 half would be idle */
        {"-s bb -w collision -n 1024 --kernel tile --block 32x8", "b32x8/t64/packed/seed1/tile"},
        {"-s bb -w edm4 -n 1024 --kernel tile --block 64x4",
         "b64x4/t64/packed/seed1/tile"}, /* it does not fit tile 32 */
        {"-s bb -w collision -n 2559 --kernel tile", "b16x16/t64/packed/seed1/tile"},
        {"-s bb -w collision -n 2560 --kernel tile", "b16x16/t128/packed/seed1/tile"},
        {"-s bb -w collision -n 4608 --kernel tile", "b32x8/t192/packed/seed1/tile"},
        {"-s bb -w collision -n 6655 --kernel tile", "b32x8/t192/packed/seed1/tile"},
        {"-s bb -w collision -n 6656 --kernel tile", "b16x16/t256/packed/seed1/tile"},
        {"-s bb -w collision -n 1024 --kernel loop --tile 64", "b16x16/t64/packed/seed1"},
        {"-s bb -w edm1 -n 1024", "b16x16/t16/packed/seed1"},
        /* on the square, the published tiles are the usual ones; a square tile keeps its earlier key */
        {"-s bb -w life -n 100 --set domain=square --memory rect",
         "b64x4/t64x4/packed/seed1/rect/u8/square"},
        {"-s bb -w life -n 100 --set domain=square --memory two-cell",
         "b64x4/t128x4/packed/seed1/two-cell/u8/square"},
        {"-s bb -w life -n 100 --set domain=square --memory rect --tile 64",
         "b64x4/t64/packed/seed1/rect/u8/square"},
        {"-s bb -w life -n 100 --set domain=square --memory aligned --tile 16x16",
         "b16x16/t16/packed/seed1/aligned/u8/square"},
        {"-s bb -w life -n 100 --set domain=square --memory two-cell --tile 32x16 --block 16",
         "b16x16/t32x16/packed/seed1/two-cell/u8/square"},
        {"-s bb -w life -n 100 --set domain=square --memory two-generation",
         "b64x4/t64/packed/seed1/two-generation/u8/square"},
        /* the usual tile is the fastest, which depends on whether rows follow one another in memory */
        {"-s ltm-rows -n 100 --kernel tile -w accumulate --layout packed",
         "b8x8x4/t8/packed/seed1/tile"},
        {"-s ltm-rows -n 100 --kernel tile -w accumulate --layout full",
         "b32x4x2/t32/full/seed1/tile"},
        {"-s ltm-rows -n 100 --kernel tile -w accumulate --layout packed --tile 16",
         "b8x8x4/t16/packed/seed1/tile"},
        {"-s ltm-rows -n 100 --kernel tile -w write --layout packed",
         "b32x4x2/t32/packed/seed1/tile"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        command c;
        char start[TD_KEY_SIZE];
        make_ok(cases[i].line, &c);
        const td_run *run = c.sweep.runs;
        const int length = snprintf(start, sizeof start, "cpu/%s/%s/n%u/", run->workload->name,
                                    run->strategy->name, run->problem.n);
        assert_memory_equal(run->key, start, (size_t)length);
        assert_string_equal(run->key + length, cases[i].key);
        assert_string_equal(run->skip, "");
        done(&c);
    }
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
