/* sweep_test.c - from command lines to runs, and what --list, --show and --dry-run print of them.
 */
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "engine/core/parameter.h"
#include "engine/cpu/row.h"
#include "engine/engine.h"
#include "engine/sweep/cost.h"
#include "engine/sweep/parameters.h"
#include "engine/sweep/sweep.h"
#include "files.h"
#include "report/view/dry_run.h"
#include "report/view/list.h"
#include "report/view/show.h"

enum { MAX_WORDS = 64, LINE_SIZE = 512 };

typedef struct command {
    char text[LINE_SIZE];
    char *argv[MAX_WORDS + 2];
    td_options options;
    td_sweep sweep;
    td_error error;
    td_status status; /* of parsing, then of the sweep */
} command;

static void parse(const char *line, command *c)
{
    int argc = 0;
    memset(c, 0, sizeof *c);
    snprintf(c->text, sizeof c->text, "tribench %s", line);
    for (char *word = strtok(c->text, " "); word != NULL; word = strtok(NULL, " ")) {
        assert_true(argc <= MAX_WORDS);
        c->argv[argc++] = word;
    }
    c->status = td_options_parse(argc, c->argv, &c->options, &c->error);
    if (c->status != TD_OK) {
        fail_msg("'%s': %s", line, c->error.text);
    }
}

static void make(const char *line, command *c)
{
    parse(line, c);
    c->status = td_sweep_make(&c->options, &td_cpu_ops, &c->sweep, &c->error);
}

static void make_ok(const char *line, command *c)
{
    make(line, c);
    if (c->status != TD_OK) {
        fail_msg("'%s': %s", line, c->error.text);
    }
}

static void done(command *c)
{
    td_sweep_free(&c->sweep);
    td_options_free(&c->options);
}

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
        "cpu/edm1/dp/n99/b8x8/t8/full/seed7/nc64/cold/isolated/inexact",
        "cpu/edm1/dp/n99/b8x8/t8/full/seed7/nc32/cold/isolated/inexact",
    };
    static const char *const walk[] = {
        "cpu/edm1/rec/n99/b8x8/t16/packed/seed1/persistent/input-my_file.csv-00000000"};
    static const char *const lcm[] = {"cpu/write/bb/n9/b12x8/t24/packed/seed1"};
    static const char *const automaton[] = {"cpu/gol/bb/n9/b16x16/t16/packed/seed1/g3/r2333/p0.25"};
    (void)state;
    assert_keys(
        "-s dp -w edm1 -n 99 -b 8 --layout full --seed 7 --cutoff 64,32 --cache cold --inexact "
        "--baseline none --timing isolated",
        tree, 2);
    assert_keys(
        "-s rec -w edm1 -n 99 -b 8 --tile 16 --schedule persistent --input /tmp/my\"file.csv "
        "--baseline none",
        walk, 1);
    assert_keys("-s bb -w write -n 9 -b 12x8", lcm, 1);
    assert_keys("-s bb -w gol -n 9 --steps 3 --rule 2333 --density 0.25", automaton, 1);
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

/* Some of these words, in any order, as one list. */
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

/* Blocks of two and of three sides for workloads of either dimension, and everything else that a sweep can mix. */
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
        WORDS(" --tile ", "8", "16", "32", "64", "128", "256", "16:48:16");
    if (dice(&seed, 2) == 0)
        WORDS(" --cutoff ", "8", "16", "128");
    static const char *const rest[] = {
        "",
        " --kernel tile",
        " --schedule persistent",
        " --layout full --seed 18446744073709551615",
        " --inexact --cache cold",
        " --memory shared --cell u32",
        " --domain square --density 0.123456789012345",
        " --baseline none",
        " --baseline dp --input a.csv",
        " --input a-name-of-forty-letters-and-then-some-more.npy --schedule persistent --inexact "
        "--cache cold --memory two-generation --cell u32 --domain square --steps 999999 --rule "
        "4644 --timing isolated --density 0.123456789012345 --seed 18446744073709551615",
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

/* A run that cannot work has a name of its own beside the one that can. */
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

static void groups_partition_the_runs(void **state)
{
    command c;
    (void)state;
    make_ok("-s paper -w dummy,edm1 -n 64:640:64 -b 8,16", &c);
    assert_int_equal(c.sweep.group_count, 2 * 10 * 2);
    const td_run *next = c.sweep.runs;
    for (size_t i = 0; i < c.sweep.group_count; i++) {
        assert_ptr_equal(c.sweep.groups[i].runs, next);
        assert_int_equal(c.sweep.groups[i].count, 5);
        assert_true(next->is_baseline);
        next += c.sweep.groups[i].count;
    }
    assert_ptr_equal(next, c.sweep.runs + c.sweep.run_count);
    assert_string_equal(c.sweep.baseline, "bb");
    done(&c);
}

static size_t count_of(const command *c, const char *strategy)
{
    size_t count = 0;
    for (size_t i = 0; i < c->sweep.run_count; i++) {
        count += strcmp(c->sweep.runs[i].strategy->name, strategy) == 0;
    }
    return count;
}

static void baseline_is_added_only_when_missing(void **state)
{
    command c;
    (void)state;
    make_ok("-s ltm -n 64", &c);
    assert_int_equal(c.sweep.run_count, 2);
    assert_true(c.sweep.runs[1].is_baseline && !c.sweep.runs[0].is_baseline);
    done(&c);
    make_ok("-s bb,ltm -n 64", &c);
    assert_int_equal(count_of(&c, "bb"), 1);
    done(&c);
    make_ok("-s bb,ltm -n 64 --baseline rb", &c);
    assert_int_equal(c.sweep.run_count, 3);
    assert_string_equal(c.sweep.baseline, "rb");
    assert_false(c.sweep.runs[0].is_baseline);
    done(&c);
    make_ok("-s ltm -n 64 --baseline none", &c);
    assert_int_equal(c.sweep.run_count, 1);
    assert_null(c.sweep.baseline);
    done(&c);
    make_ok("-s ltm -w edm1 -n 64 --dump x.npy", &c);
    assert_int_equal(c.sweep.run_count, 1);
    done(&c);
}

static void only_one_cutoff_of_a_baseline_is_the_baseline(void **state)
{
    command c;
    (void)state;
    make_ok("-s dp,bb -n 64 --cutoff 16,32 --baseline dp", &c);
    assert_int_equal(c.sweep.run_count, 3);
    assert_true(c.sweep.runs[0].is_baseline);
    assert_false(c.sweep.runs[1].is_baseline);
    done(&c);
}

typedef struct incompatibility {
    const char *line;
    const char *fragment;
} incompatibility;

static void what_was_asked_for_by_name_is_an_error(void **state)
{
    static const incompatibility cases[] = {
        {"-s rb -n 64 --tile 32", "rb maps threads"},
        {"-s ltm -n 64 -b 16 --tile 24", "not a multiple"},
        {"-s ltm -n 64 -b 8x8x8", "three sides"},
        {"-s ltm -n 50000", "ltm-i"},
        {"-s utm -n 64 --schedule persistent", "maps threads"},
        {"-s dp -n 64 --schedule persistent", "tree"},
        {"-s bb -w dummy --layout full", "dummy has no output"},
        {"-s bb -w cover --input f.npy", "cover takes no input"},
        {"-s bb -w dummy --dump f.npy", "dummy has no output"},
        {"-s bb,rb -w edm1 --dump f.npy", "exactly one run"},
        {"-s bb -w edm1 -n 5,6 --dump f.npy", "selects 2"},
        {"-s ltm -n 64 --tile 32 --baseline rb", "rb maps threads"},
        {"-s bb -w life -n 64 --cell bit --memory halo",
         "--cell bit goes with --memory strip and --memory four-generation"},
        {"-s bb -w edm1 -n 64 --domain square", "--domain square: edm1 works on triangles only"},
        {"-s bb -w edm1,life -n 64 --domain square", "edm1 works on triangles only"},
        {"-s bb -w edm1 -n 64 --steps 3", "no selected workload takes it; these do: gol, life"},
        {"-b 8x8x8", "nothing to run"},
        {"-s ltm -n 50000,60000 --baseline none", "nothing to run"},
        {"-s all -w all -n 1:4096:1 -b 1:32:1", "more than 1000000 runs"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        command c;
        make(cases[i].line, &c);
        if (c.status != TD_USAGE || strstr(c.error.text, cases[i].fragment) == NULL) {
            fail_msg("'%s': status %d, \"%s\"", cases[i].line, (int)c.status, c.error.text);
        }
        assert_int_equal(c.sweep.run_count, 0);
        done(&c);
    }
}

static void what_came_out_of_a_set_or_a_list_is_skipped(void **state)
{
    static const incompatibility skips[] = {
        {"-s all -n 64 --tile 32", "maps threads"},
        {"-s all -n 64 --schedule persistent", "maps threads"},
        {"-s all -n 64 --schedule persistent", "tree"},
        {"-s ltm,bb -n 64,50000", "ltm-i"},
        {"-s 2d -n 50000", "ltm-i"},
        {"-s ltm -n 64 -b 16,8x8x8", "three sides"},
        {"-s bb -w all --layout full -n 64", "dummy has no output"},
        {"-s bb -w all --input f.npy", "takes no input"},
        {"-s paper -w all -n 64 --cell bit --memory halo",
         "--cell bit goes with --memory strip and --memory four-generation"},
        {"-s bb -w all -n 64 --domain square", "edm1 works on triangles only"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof skips / sizeof skips[0]; i++) {
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

/* The table's defaults, then what a pattern says, then what was given; the variant has replaced `auto`. */
static void parameters_are_resolved_in_that_order(void **state)
{
    static const char *const defaults[] = {"conditional", "u8", "100", "4644", "0.3"};
    static const char *const given[] = {"halo", "u8", "triangle", "5", "2345", "0.5"};
    const td_workload *gol = td_workload_find("gol", 2), *life = td_workload_find("life", 2);
    const td_workload *variant;
    td_problem problem = {0};
    command c;
    (void)state;
    parse("--rule 2345 --steps 5 --density .50", &c);
    c.options.pattern_rule = 1111;
    assert_int_equal(td_parameters_resolve(&c.options, life, &problem, &variant, &c.error), TD_OK);
    for (size_t p = 0; p < life->parameter_count; p++) {
        char text[TD_VALUE_SIZE];
        td_parameter_text(&life->parameters[p], problem.parameters[p], text);
        assert_string_equal(text, given[p]);
    }
    done(&c);
    parse("", &c);
    c.options.pattern_rule = 1111; /* not for workloads that take no patterns */
    assert_int_equal(td_parameters_resolve(&c.options, gol, &problem, &variant, &c.error), TD_OK);
    assert_int_equal(variant->id, gol->id);
    for (size_t p = 0; p < gol->parameter_count; p++) {
        char text[TD_VALUE_SIZE];
        td_parameter_text(&gol->parameters[p], problem.parameters[p], text);
        assert_string_equal(text, defaults[p]);
    }
    assert_int_equal(td_parameters_resolve(&c.options, life, &problem, &variant, &c.error), TD_OK);
    assert_int_equal(problem.parameters[life->rule].count, 1111);
    done(&c);
}

/* Workloads may share a name and differ in what they accept: each reads the word by its own table. */
static void a_word_of_another_workload_is_an_incompatibility(void **state)
{
    static const td_parameter row = {
        .name = "steps", .kind = TD_PARAMETER_COUNT, .low = 7, .high = 9, .preset = "8"};
    td_workload picky = *td_workload_find("gol", 2);
    const td_workload *variant = NULL;
    td_problem problem = {0};
    command c;
    (void)state;
    picky.name = "picky";
    picky.parameters = &row;
    picky.parameter_count = 1;
    picky.variant = NULL;
    parse("--steps 5", &c);
    const td_status status =
        td_parameters_resolve(&c.options, &picky, &problem, &variant, &c.error);
    done(&c);
    assert_int_equal(status, TD_USAGE);
    assert_string_equal(c.error.text, "picky: --steps: expected a whole number in 7..9, got '5'");
    assert_ptr_equal(variant, &picky);
}

static void inexact_runs_beyond_the_range(void **state)
{
    command c;
    (void)state;
    make_ok("-s ltm -n 50000 --inexact", &c);
    assert_string_equal(c.sweep.runs[0].skip, "");
    done(&c);
}

static void thread_maps_take_a_tile_that_is_the_block(void **state)
{
    command c;
    (void)state;
    make_ok("-s rb,ltm -n 64 -b 16 --tile 16", &c);
    assert_int_equal(c.sweep.runs[0].tile, 16);
    done(&c);
}

static void shard(command *c, uint32_t index, uint32_t count)
{
    c->status = td_sweep_shard(&c->sweep, index, count, &c->options.protocol, &c->error);
    assert_int_equal(c->status, TD_OK);
}

/* Every run is in one shard, with all that it is compared with. */
static void shards_partition_the_groups(void **state)
{
    static const char line[] = "-s ltm,rb,bb -w dummy,edm1 -n 64:320:64";
    command whole;
    (void)state;
    make_ok(line, &whole);
    unsigned found[64] = {0};
    assert_int_equal(whole.sweep.run_count, 30);
    for (uint32_t part = 0; part < 4; part++) {
        command c;
        make_ok(line, &c);
        shard(&c, part, 4);
        size_t runs = 0;
        for (size_t g = 0; g < c.sweep.group_count; g++) {
            const td_group *group = &c.sweep.groups[g];
            assert_ptr_equal(group->runs, c.sweep.runs + runs);
            assert_int_equal(group->count, 3);
            for (size_t i = 0; i < group->count; i++) {
                for (size_t k = 0; k < whole.sweep.run_count; k++) {
                    found[k] += strcmp(whole.sweep.runs[k].key, group->runs[i].key) == 0;
                }
            }
            runs += group->count;
        }
        assert_int_equal(runs, c.sweep.run_count);
        assert_int_equal(c.sweep.shard.runs, 30);
        done(&c);
    }
    for (size_t k = 0; k < whole.sweep.run_count; k++) {
        assert_int_equal(found[k], 1);
    }
    done(&whole);
}

/* A shard that is expected to take twice as long as another wastes half of a cluster. */
static void shards_are_expected_to_take_as_long(void **state)
{
    static const char line[] = "-s bb,ltm-r,rb -w dummy,edm1,edm4 -n 1024:30720:1024";
    (void)state;
    for (uint32_t count = 2; count <= 16; count += 7) {
        double least = HUGE_VAL, most = 0.0;
        for (uint32_t part = 0; part < count; part++) {
            command c;
            double cost = 0.0;
            make_ok(line, &c);
            shard(&c, part, count);
            for (size_t g = 0; g < c.sweep.group_count; g++) {
                cost += td_cost_of_group(&c.sweep.groups[g], &c.options.protocol);
            }
            least = fmin(least, cost);
            most = fmax(most, cost);
            done(&c);
        }
        assert_true(least > 0.0 && most < 1.3 * least);
    }
}

static double cost_of(const char *line)
{
    command c;
    make_ok(line, &c);
    const double cost = td_cost_of_group(&c.sweep.groups[0], &c.options.protocol);
    done(&c);
    return cost;
}

static void larger_groups_cost_more(void **state)
{
    (void)state;
    assert_true(cost_of("-s bb -w edm1 -n 30720") > 2.0 * cost_of("-s bb -w edm1 -n 8192"));
    assert_true(cost_of("-s bb,rb -w edm1 -n 8192") > 1.5 * cost_of("-s bb -w edm1 -n 8192"));
    assert_true(cost_of("-s bb -w life -n 2048 --steps 100") >
                cost_of("-s bb -w life -n 2048 --steps 1"));
    assert_true(cost_of("-s bb -n 30720 --max-time 1") < cost_of("-s bb -n 30720 --samples 1000"));
    assert_true(cost_of("-s bb -n 64 --max-time 1000") <= cost_of("-s bb -n 64 --max-time 10"));
}

/* Shards of different sweeps in one folder must not be taken for parts of one. */
static void shards_of_one_sweep_have_a_digest_in_common(void **state)
{
    command a, b, other;
    (void)state;
    make_ok("-s bb,ltm -n 64,128", &a);
    make_ok("-s bb,ltm -n 64,128", &b);
    make_ok("-s bb,ltm -n 64,129", &other);
    shard(&a, 0, 2);
    shard(&b, 1, 2);
    shard(&other, 0, 2);
    assert_true(a.sweep.shard.digest == b.sweep.shard.digest);
    assert_true(a.sweep.shard.digest != other.sweep.shard.digest);
    assert_int_equal(a.sweep.shard.runs, 4);
    assert_int_equal(b.sweep.shard.runs, 4);
    done(&a);
    done(&b);
    done(&other);
}

static void a_shard_beyond_the_runs_is_empty(void **state)
{
    command c;
    (void)state;
    make_ok("-s bb -n 64", &c);
    shard(&c, 3, 4);
    assert_int_equal(c.sweep.run_count + c.sweep.group_count, 0);
    done(&c);
}

/* ---- printing ---- */

typedef struct printed {
    FILE *out;
    char *text;
    size_t length;
} printed;

static void open_printed(printed *p)
{
    p->text = NULL;
    p->out = open_memstream(&p->text, &p->length);
    assert_non_null(p->out);
}

static void dry_run_shows_every_run(void **state)
{
    command c;
    printed p;
    (void)state;
    make_ok("-s all -n 1000 --tile 16,32 -b 16", &c);
    open_printed(&p);
    assert_int_equal(td_dry_run_print(p.out, &c.sweep, false, &c.error), TD_OK);
    fclose(p.out);
    size_t missing = 0;
    for (size_t i = 0; i < c.sweep.run_count; i++) {
        missing += strstr(p.text, c.sweep.runs[i].key) == NULL;
    }
    const bool has_grid = strstr(p.text, "63x63") != NULL;
    const bool has_skip = strstr(p.text, "skipped: --tile 32") != NULL;
    const bool has_more = strstr(p.text, ", ...") != NULL;
    free(p.text);
    done(&c);
    assert_int_equal(missing, 0);
    assert_true(has_grid && has_skip && has_more);
}

static char *shown(const char *line, bool color)
{
    command c;
    printed p;
    parse(line, &c);
    open_printed(&p);
    c.status = td_show_print(p.out, &c.options, color, &c.error);
    fclose(p.out);
    done(&c);
    assert_int_equal(c.status, TD_OK);
    return p.text;
}

static void show_draws_the_map_as_a_triangle(void **state)
{
    char *text = shown("--show -s ltm-i -n 64", false);
    (void)state;
    const char *triangle = strchr(text, '\n');
    const int same = strcmp(triangle, "\n 9\n 8 7\n 6 5 4\n 3 2 1 0\n");
    free(text);
    assert_int_equal(same, 0);
}

static void show_marks_wasted_blocks_of_a_grid(void **state)
{
    char *text = shown("--show=grid -s bb -n 32", false);
    (void)state;
    const int same = strcmp(strchr(text, '\n'), "\nlaunch A: 2 x 2 x 1 blocks\n"
                                                "   0,0     .\n"
                                                "   1,0   1,1\n");
    free(text);
    assert_int_equal(same, 0);
}

/* No place is left out or reached twice, for any strategy and any small n; colour only when asked
 * for. */
static void show_draws_every_strategy_without_holes(void **state)
{
    (void)state;
    for (uint32_t n = 1; n <= 24; n++) {
        for (size_t i = 0; i < td_strategy_count; i++) {
            char line[LINE_SIZE];
            const bool threads = td_strategies[i]->unit == TD_MAPS_THREADS;
            snprintf(line, sizeof line, "--show -s %s -b 8 -n %u", td_strategies[i]->name,
                     threads ? n : 8 * n);
            char *text = shown(line, false), *colored = shown(line, true);
            char *drawing = strchr(text, '\n');
            const bool whole = strchr(drawing, '!') == NULL && strchr(drawing, '.') == NULL;
            const bool plain = strchr(text, '\033') == NULL && strchr(colored, '\033') != NULL;
            free(text);
            free(colored);
            if (!whole || !plain) {
                fail_msg("%s n=%u: whole %d plain %d", td_strategies[i]->name, n, whole, plain);
            }
        }
    }
}

static cJSON *listed(td_list_what what)
{
    const td_list_facts facts = {0};
    td_error error;
    printed p;
    open_printed(&p);
    assert_int_equal(td_list_print(p.out, what, TD_FORMAT_JSON, &facts, &error), TD_OK);
    fclose(p.out);
    cJSON *array = cJSON_ParseWithOpts(p.text, NULL, true);
    free(p.text);
    assert_non_null(array);
    return array;
}

static void list_is_a_json_array_of_objects(void **state)
{
    static const char *const names[] = {"name",        "aliases", "dimension", "maps",
                                        "exact_tiles", "summary", "source"};
    cJSON *array = listed(TD_LIST_STRATEGIES);
    const cJSON *item;
    size_t missing = 0;
    (void)state;
    const int count = cJSON_GetArraySize(array);
    cJSON_ArrayForEach(item, array)
    {
        for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
            missing += cJSON_GetObjectItem(item, names[i]) == NULL;
        }
    }
    cJSON_Delete(array);
    assert_int_equal(count, td_strategy_count);
    assert_int_equal(missing, 0);
    array = listed(TD_LIST_ALL);
    const int all = cJSON_GetArraySize(array);
    cJSON_Delete(array);
    assert_int_equal(all, td_strategy_count + td_workload_count + td_engine_count);
}

/* Objects of the right kind with every member, and the default among the choices. */
static size_t wrong_parameters(const cJSON *parameters, const td_workload *w)
{
    static const char *const names[] = {"name", "kind",    "choices", "low",
                                        "high", "default", "unit",    "help"};
    size_t wrong = (size_t)cJSON_GetArraySize(parameters) != w->parameter_count;
    for (int p = 0; p < cJSON_GetArraySize(parameters); p++) {
        const cJSON *item = cJSON_GetArrayItem(parameters, p), *choice;
        for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
            wrong += cJSON_GetObjectItem(item, names[i]) == NULL;
        }
        const cJSON *choices = cJSON_GetObjectItem(item, "choices");
        const cJSON *preset = cJSON_GetObjectItem(item, "default");
        bool found = !cJSON_IsArray(choices);
        cJSON_ArrayForEach(choice, choices)
        {
            found |= cJSON_Compare(choice, preset, true);
        }
        wrong += !found;
    }
    return wrong;
}

static void list_tells_parameters_and_findings_of_workloads(void **state)
{
    cJSON *array = listed(TD_LIST_WORKLOADS);
    size_t wrong = 0;
    (void)state;
    for (size_t i = 0; i < td_workload_count; i++) {
        const td_workload *w = td_workloads[i];
        const cJSON *item = cJSON_GetArrayItem(array, (int)i);
        const cJSON *finding = cJSON_GetObjectItem(item, "finding");
        wrong += wrong_parameters(cJSON_GetObjectItem(item, "parameters"), w);
        wrong += cJSON_IsObject(finding) != (w->finding.kind != TD_FINDS_NOTHING);
    }
    cJSON_Delete(array);
    assert_int_equal(wrong, 0);
}

static void list_names_everything(void **state)
{
    const td_environment device = {.gpu_name = "Some GPU", .gpu_uuid = "GPU-1"};
    const td_list_facts facts = {.devices = &device, .device_count = 1};
    td_error error;
    printed p;
    size_t missing = 0;
    (void)state;
    open_printed(&p);
    assert_int_equal(td_list_print(p.out, TD_LIST_ALL, TD_FORMAT_TABLE, &facts, &error), TD_OK);
    fclose(p.out);
    for (size_t i = 0; i < td_strategy_count; i++) {
        missing += strstr(p.text, td_strategies[i]->summary) == NULL;
    }
    for (size_t i = 0; i < td_workload_count; i++) {
        const td_workload *w = td_workloads[i];
        missing += strstr(p.text, w->summary) == NULL;
        for (size_t k = 0; k < w->parameter_count; k++) {
            missing += strstr(p.text, w->parameters[k].help) == NULL;
        }
        missing += w->finding.name != NULL && strstr(p.text, w->finding.name) == NULL;
    }
    missing += strstr(p.text, "Some GPU") == NULL;
    free(p.text);
    assert_int_equal(missing, 0);
}

static void printing_to_a_full_disk_fails(void **state)
{
    const td_list_facts facts = {0};
    td_error error;
    FILE *full = fopen("/dev/full", "w");
    (void)state;
    if (full == NULL) {
        skip();
    }
    const td_status status = td_list_print(full, TD_LIST_ALL, TD_FORMAT_TABLE, &facts, &error);
    fclose(full);
    assert_int_equal(status, TD_FAILED);
}

static void larger_tiles_take_the_kernel_that_is_made_for_them(void **state)
{
    static const struct {
        const char *line;
        bool tiled;
    } cases[] = {
        {"-w edm1 -s bb --tile 128", true},
        {"-w edm1 -s bb --tile 128 --block 32", true},
        {"-w edm1 -s bb --tile 128 --block 8", false}, /* too few threads */
        {"-w edm1 -s bb --tile 64", false},
        {"-w edm1 -s bb --tile 128 --kernel loop", false},
        {"-w edm1 -s bb --tile 128 --schedule persistent", false},
        {"-w edm1 -s bb", false}, /* one cell per thread, as the papers compare */
        {"-w edm1 -s bb --kernel tile", true},
        {"-w write -s bb --tile 128", false},
        {"-w edm1 -s dp --tile 128", false},
        {"-w write -s ltm-tetra --block 32x4x2 --tile 32", true},
        {"-w write -s ltm-rows --block 32x4x2 --tile 16", true},
        {"-w write -s ltm-rows --block 32x2x2 --tile 2", false}, /* too small */
        {"-w write -s ltm-rows --block 32x4x2 --tile 16 --kernel loop", false},
        {"-w write -s ltm-rows --block 32x4x2 --tile 16 --kernel cell", false},
        {"-w write -s bb-tetra --block 8", false},
        {"-w write -s dp-tetra --block 8 --tile 32", false},
        {"-w triplet -s ltm-rows --kernel tile", true},
        {"-w triplet -s bb-tetra --block 8 --tile 32", true},
        {"-w triplet -s bb-tetra --block 8 --tile 16", false},
        {"-w cover -s bb-tetra --block 8 --tile 32", false},
    };
    size_t wrong = 0;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        command c;
        make(cases[i].line, &c);
        wrong += c.status != TD_OK || c.sweep.runs[0].tiled != cases[i].tiled;
        wrong +=
            c.status == TD_OK && cases[i].tiled && strstr(c.sweep.runs[0].key, "/tile") == NULL;
        done(&c);
    }
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_are_ordered_and_named),
        cmocka_unit_test(keys_name_what_is_not_the_default),
        cmocka_unit_test(keys_are_unique),
        cmocka_unit_test(keys_of_mixed_sweeps_are_unique),
        cmocka_unit_test(block_of_another_dimension_has_its_own_key),
        cmocka_unit_test(larger_tiles_take_the_kernel_that_is_made_for_them),
        cmocka_unit_test(groups_partition_the_runs),
        cmocka_unit_test(baseline_is_added_only_when_missing),
        cmocka_unit_test(only_one_cutoff_of_a_baseline_is_the_baseline),
        cmocka_unit_test(what_was_asked_for_by_name_is_an_error),
        cmocka_unit_test(what_came_out_of_a_set_or_a_list_is_skipped),
        cmocka_unit_test(parameters_are_resolved_in_that_order),
        cmocka_unit_test(a_word_of_another_workload_is_an_incompatibility),
        cmocka_unit_test(inexact_runs_beyond_the_range),
        cmocka_unit_test(thread_maps_take_a_tile_that_is_the_block),
        cmocka_unit_test(shards_partition_the_groups),
        cmocka_unit_test(shards_are_expected_to_take_as_long),
        cmocka_unit_test(larger_groups_cost_more),
        cmocka_unit_test(shards_of_one_sweep_have_a_digest_in_common),
        cmocka_unit_test(a_shard_beyond_the_runs_is_empty),
        cmocka_unit_test(dry_run_shows_every_run),
        cmocka_unit_test(show_draws_the_map_as_a_triangle),
        cmocka_unit_test(show_marks_wasted_blocks_of_a_grid),
        cmocka_unit_test(show_draws_every_strategy_without_holes),
        cmocka_unit_test(list_is_a_json_array_of_objects),
        cmocka_unit_test(list_tells_parameters_and_findings_of_workloads),
        cmocka_unit_test(list_names_everything),
        cmocka_unit_test(printing_to_a_full_disk_fails),
    };
    return cmocka_run_group_tests_name("sweep", tests, NULL, NULL);
}
