/* keys_test.c - keys of runs: their content, and that no two runs of a sweep share one. */
#include "files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "engine/sweep/key.h"

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

static void runs_are_ordered_and_named(void **state)
{
    static const char *const keys[] = {
        "cpu/edm1/bb/n32/b16x16/t16/packed/seed1", "cpu/edm1/ltm-r/n32/b16x16/t16/packed/seed1",
        "cpu/edm1/bb/n32/b64x4/t64/packed/seed1",  "cpu/edm1/ltm-r/n32/b64x4/t64/packed/seed1",
        "cpu/edm1/bb/n33/b16x16/t16/packed/seed1", "cpu/edm1/ltm-r/n33/b16x16/t16/packed/seed1",
        "cpu/edm1/bb/n33/b64x4/t64/packed/seed1",  "cpu/edm1/ltm-r/n33/b64x4/t64/packed/seed1",
    };
    (void)state;
    assert_keys("-s bb,ltm -w edm1 -n 32,33 -b 16,16x16,64x4", keys, 8);
}

static void keys_name_what_is_not_the_default(void **state)
{
    static const char *const tree[] = {
        "cpu/edm1/dp/n99/b8x8/t8/full/seed7/nc64/cold/host/inexact",
        "cpu/edm1/dp/n99/b8x8/t8/full/seed7/nc32/cold/host/inexact",
    };
    static const char *const walk[] = {"cpu/edm1/rec/n99/b8x8/t16/packed/seed1/persistent/"
                                       "input-my_file.csv-00000000000000000000000000000000"};
    static const char *const lcm[] = {"cpu/write/bb/n9/b12x8/t24/packed/seed1"};
    static const char *const automaton[] = {"cpu/gol/bb/n9/b16x16/t16/packed/seed1/g3/r2333/p0.25"};
    static const char *const usual[] = {"cpu/gol/bb/n9/b16x16/t16/packed/seed1"};
    (void)state;
    assert_keys("-s dp -w edm1 -n 99 -b 8 --layout full --seed 7 --cutoff 64,32 --cache cold "
                "--verify beyond "
                "--baseline none --timing host",
                tree, 2);
    assert_keys(
        "-s rec -w edm1 -n 99 -b 8 --tile 16 --schedule persistent --input /tmp/my\"file.csv "
        "--baseline none",
        walk, 1);
    assert_keys("-s bb -w write -n 9 -b 12x8", lcm, 1);
    assert_keys("-s bb -w gol -n 9 --steps 3 --set rule=2333 --set density=0.25", automaton, 1);
    assert_keys("-s bb -w gol -n 9 --memory conditional,auto --cell u8 --steps 100 "
                "--set rule=4644,density=.30",
                usual, 1);
}

/* Ranks that share a domain in another way do other work. */
static void keys_name_how_ranks_share_a_domain(void **state)
{
    static const td_partition partitions[] = {TD_BY_ROWS, TD_BY_CELLS, TD_BY_BLOCKS};
    static const char *const ends[] = {"/ranks3/rows", "/ranks3/cells", "/ranks3/blocks"};
    command c;
    (void)state;
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

/* On the square, the published tiles are the usual ones. A square tile keeps its earlier key. */
static void keys_name_tiles_that_are_not_square(void **state)
{
    static const struct {
        const char *options, *place;
    } cases[] = {
        {"--memory rect", "/b64x4/t64x4/"},
        {"--memory two-cell", "/b64x4/t128x4/"},
        {"--memory rect --tile 64", "/b64x4/t64/"},
        {"--memory aligned --tile 16x16", "/b16x16/t16/"},
        {"--memory two-cell --tile 32x16 --block 16", "/b16x16/t32x16/"},
        {"--memory two-generation", "/b64x4/t64/"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        char line[LINE_SIZE];
        command c;
        snprintf(line, sizeof line, "-s bb -w life -n 100 --set domain=square %s",
                 cases[i].options);
        make_ok(line, &c);
        assert_non_null(strstr(c.sweep.runs[0].key, cases[i].place));
        done(&c);
    }
}

/* The usual tile is the fastest, which depends on whether rows follow one another in memory. */
static void keys_name_the_usual_tile_of_a_layout(void **state)
{
    static const struct {
        const char *options, *place;
    } cases[] = {
        {"-w accumulate --layout packed", "/b8x8x4/t8/packed/"},
        {"-w accumulate --layout full", "/b32x4x2/t32/full/"},
        {"-w accumulate --layout packed --tile 16", "/b8x8x4/t16/packed/"},
        {"-w write --layout packed", "/b32x4x2/t32/packed/"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        char line[LINE_SIZE];
        command c;
        snprintf(line, sizeof line, "-s ltm-rows -n 100 --kernel tile %s", cases[i].options);
        make_ok(line, &c);
        assert_non_null(strstr(c.sweep.runs[0].key, cases[i].place));
        done(&c);
    }
}

static void keys_are_unique(void **state)
{
    command c;
    (void)state;
    make_ok("-s all -w all -n 64,100,64 -b 8,16,8x8,32x8 --cutoff 8,16", &c);
    size_t repeated = 0;
    for (size_t i = 0; i < c.sweep.run_count; i++) {
        for (size_t k = 0; k < i; k++) {
            repeated += strcmp(c.sweep.runs[i].key, c.sweep.runs[k].key) == 0;
        }
    }
    assert_int_equal(repeated, 0);
    assert_true(c.sweep.run_count > 100);
    done(&c);
}

/* Appends some of these words, in any order, as one list. */
static void add_words(uint64_t *seed, const char *option, const char *const *words, size_t count,
                      char *line)
{
    const uint32_t chosen = 1 + dice(seed, 4);
    for (uint32_t i = 0; i < chosen; i++) {
        const size_t used = strlen(line);
        snprintf(line + used, LINE_SIZE - used, "%s%s", i == 0 ? option : ",",
                 words[dice(seed, (uint32_t)count)]);
    }
}

#define WORDS(option, ...)                                                                         \
    do {                                                                                           \
        static const char *const words[] = {__VA_ARGS__};                                          \
        add_words(&seed, option, words, sizeof words / sizeof words[0], line);                     \
    } while (0)

/* A sweep with 2D and 3D blocks, workloads of both dimensions, and everything else that a sweep can mix. */
static void random_sweep(uint64_t number, char *line)
{
    uint64_t seed = number * 7919;
    line[0] = '\0';
    WORDS("-n ", "1", "63", "64", "64:128:32", "1000");
    WORDS(" -s ", "all", "2d", "3d", "paper", "dp", "dp-tetra", "ltm-rows", "utm", "bb");
    WORDS(" -w ", "all", "write", "dummy", "edm1", "life", "gol", "triplet", "collision");
    WORDS(" -b ", "8", "8x8", "8x8x1", "8x8x8", "16", "16x16", "8x4x4", "32x2x2", "4:16:4",
          "1024x1");
    if (dice(&seed, 2) == 0)
        WORDS(" --tile ", "8", "16", "32", "64", "128", "256", "16:48:16", "64x4", "32x16");
    if (dice(&seed, 2) == 0)
        WORDS(" --cutoff ", "8", "16", "128");
    static const char *const rest[] = {
        "",
        " --kernel tile",
        " --schedule persistent",
        " --layout full --seed 18446744073709551615",
        " --verify beyond --cache cold",
        " --memory shared --cell u32",
        " --set domain=square --set density=0.123456789012345",
        " --baseline none",
        " --baseline dp --input a.csv",
        " --input a-name-of-forty-letters-and-then-some-more.npy --schedule persistent --verify "
        "beyond "
        "--cache cold --memory two-generation --cell u32 --set domain=square --steps 999999 "
        "--set rule=4644 --timing host --set density=0.123456789012345 --seed 18446744073709551615",
    };
    const size_t used = strlen(line);
    snprintf(line + used, LINE_SIZE - used, "%s", rest[dice(&seed, sizeof rest / sizeof rest[0])]);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void assert_keys_differ(const command *c, const char *line)
{
    const char **keys = calloc(c->sweep.run_count, sizeof *keys);
    const char *twice = NULL;
    bool whole = true;
    assert_non_null(keys);
    for (size_t i = 0; i < c->sweep.run_count; i++) {
        keys[i] = c->sweep.runs[i].key;
        whole = whole && strlen(keys[i]) + 1 < TD_KEY_SIZE;
    }
    qsort(keys, c->sweep.run_count, sizeof *keys, by_name);
    for (size_t i = 1; i < c->sweep.run_count && twice == NULL; i++) {
        twice = strcmp(keys[i - 1], keys[i]) == 0 ? keys[i] : NULL;
    }
    free(keys);
    assert_true(whole);
    if (twice != NULL) {
        fail_msg("'%s': two runs have the key %s", line, twice);
    }
}

static void keys_of_mixed_sweeps_are_unique(void **state)
{
    size_t made = 0, runs = 0;
    (void)state;
    for (uint64_t number = 1; number <= 1000; number++) {
        char line[LINE_SIZE];
        command c;
        random_sweep(number, line);
        make(line, &c);
        if (c.status == TD_OK) {
            made++;
            runs += c.sweep.run_count;
            assert_keys_differ(&c, line);
        }
        done(&c);
    }
    assert_true(made > 100 && runs > 50000);
}

/* A run that cannot work has another key than the run that can. */
static void block_of_another_dimension_has_its_own_key(void **state)
{
    static const char *const keys[] = {
        "cpu/write/bb/n64/b8x8/t8/packed/seed1",
        "cpu/write/bb/n64/b8x8x8/t8/packed/seed1",
        "cpu/write/bb-tetra/n64/b8x8/t8/full/seed1",
        "cpu/write/bb-tetra/n64/b8x8x8/t8/full/seed1",
    };
    (void)state;
    assert_keys("-s bb,bb-tetra -w write -n 64 -b 8x8,8x8x8", keys, 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_are_ordered_and_named),
        cmocka_unit_test(keys_name_what_is_not_the_default),
        cmocka_unit_test(keys_name_how_ranks_share_a_domain),
        cmocka_unit_test(keys_name_tiles_that_are_not_square),
        cmocka_unit_test(keys_name_the_usual_tile_of_a_layout),
        cmocka_unit_test(keys_are_unique),
        cmocka_unit_test(keys_of_mixed_sweeps_are_unique),
        cmocka_unit_test(block_of_another_dimension_has_its_own_key),
    };
    return cmocka_run_group_tests_name("keys", tests, NULL, NULL);
}
