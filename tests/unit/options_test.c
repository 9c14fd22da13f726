/* options_test.c - accepted command lines, and the options that they set. */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "engine/options/option_table.h"
#include "engine/options/parameters.h"

static td_options parsed(const char *line, command *c)
{
    td_options options;
    td_error error = {{0}};
    split(line, c);
    if (td_options_parse(c->argc, c->argv, &options, &error) != TD_OK) {
        fail_msg("'%s' was rejected: %s", line, error.text);
    }
    return options;
}

static void defaults_are_as_documented(void **state)
{
    static const char *const paper[] = {"bb", "ltm-r", "rec", "utm", "utm-t", "rb"};
    command c;
    td_options o = parsed("", &c);
    (void)state;
    assert_int_equal(o.action, TD_ACTION_RUN);
    assert_int_equal(o.strategy_count, COUNT(paper));
    for (size_t i = 0; i < COUNT(paper); i++) {
        assert_string_equal(o.strategies[i].strategy->name, paper[i]);
        assert_false(o.strategies[i].by_name);
    }
    assert_int_equal(o.workload_count, 2); /* in 2D and 3D */
    assert_ptr_equal(o.workloads[0].workload, td_workload_find("dummy", 2));
    assert_ptr_equal(o.workloads[1].workload, td_workload_find("dummy", 3));
    assert_false(o.workloads[0].by_name);
    assert_int_equal(o.n_count, 1);
    assert_int_equal(o.n[0], 8192);
    assert_false(o.given != 0 || o.no_baseline);
    assert_int_equal(o.blocks.count + o.tiles.count, 0);
    assert_int_equal(o.cutoffs[0], 128);
    assert_null(o.engine);
    assert_int_equal(o.protocol.samples, 51);
    assert_int_equal(o.protocol.warmup, 3);
    assert_true(o.protocol.max_time_s == 10.0 && o.timeout_s == 300.0);
    assert_true(o.protocol.verify && !o.protocol.inexact);
    assert_int_equal(o.seed, 1);
    assert_int_equal(o.protocol.seed, 1);
    assert_null(td_options_word(&o, "steps"));
    assert_int_equal(o.check_maps_n, 2048);
    assert_int_equal(o.output_count, 1);
    assert_string_equal(o.outputs[0].path, "-");
    assert_int_equal(o.outputs[0].format, TD_FORMAT_JSON);
    assert_int_equal(o.format, TD_FORMAT_JSON);
    assert_int_equal(o.shard_count, 0);
    td_options_free(&o);
}

static void ranges_and_lists_mix_without_repeats(void **state)
{
    static const uint32_t expected[] = {7, 1, 3, 5, 9, 10, 20};
    command c;
    td_options o = parsed("--n 7,1:9:2,5,10:29:10", &c);
    (void)state;
    assert_int_equal(o.n_count, 7);
    assert_memory_equal(o.n, expected, sizeof expected);
    assert_true(td_option_is_given(&o, "n"));
    assert_false(td_option_is_given(&o, "block"));
    td_options_free(&o);
}

static void ranges_may_be_geometric(void **state)
{
    static const uint32_t expected[] = {1024, 2048, 4096, 5000, 3, 30, 300};
    command c;
    td_options o = parsed("--n 1024:5000:*2,5000,3:2999:*10 -b 4:32:*2", &c);
    (void)state;
    assert_int_equal(o.n_count, COUNT(expected));
    assert_memory_equal(o.n, expected, sizeof expected);
    assert_int_equal(o.blocks.count, 4);
    assert_int_equal(o.blocks.shapes[3].x, 32);
    td_options_free(&o);
}

/* A pattern, like a set, selects only names that can work. */
static void names_may_be_patterns(void **state)
{
    command c;
    td_options o = parsed("-s rb,lt[mn]-[ir],ltm -w edm?,coll*", &c);
    static const char *const strategies[] = {"rb", "ltm-r", "ltm-i"};
    (void)state;
    assert_int_equal(o.strategy_count, COUNT(strategies));
    for (size_t i = 0; i < COUNT(strategies); i++) {
        assert_string_equal(o.strategies[i].strategy->name, strategies[i]);
    }
    assert_true(o.strategies[0].by_name && o.strategies[1].by_name && !o.strategies[2].by_name);
    assert_int_equal(o.workload_count, 5);
    assert_string_equal(o.workloads[4].workload->name, "collision");
    assert_false(o.workloads[0].by_name);
    td_options_free(&o);
}

static void last_occurrence_of_an_option_counts(void **state)
{
    command c;
    td_options o = parsed("-n 5 -n 6,7 -b 8 -b 64x4 -s bb -s rb -f csv -f jsonl", &c);
    (void)state;
    assert_int_equal(o.n_count, 2);
    assert_int_equal(o.n[0], 6);
    assert_int_equal(o.blocks.count, 1);
    assert_int_equal(o.blocks.shapes[0].x, 64);
    assert_int_equal(o.strategy_count, 1);
    assert_string_equal(o.strategies[0].strategy->name, "rb");
    assert_int_equal(o.format, TD_FORMAT_JSONL);
    td_options_free(&o);
}

static void outputs_and_labels_add_up(void **state)
{
    static const struct {
        const char *path;
        td_format format;
    } expected[] = {{"a.json", TD_FORMAT_JSON}, {"b.jsonl", TD_FORMAT_JSONL},
                    {"c.csv", TD_FORMAT_CSV},   {"d.txt", TD_FORMAT_TABLE},
                    {"e", TD_FORMAT_JSON},      {"f.json", TD_FORMAT_CSV},
                    {"-", TD_FORMAT_TABLE},     {"g.md", TD_FORMAT_MD}};
    command c;
    td_options o =
        parsed("-o a.json -o b.jsonl --output c.csv -o d.txt -o e -o f.json:csv -o -:table -o g.md "
               "--label a=1 --label b=x=y --label a=2",
               &c);
    (void)state;
    assert_int_equal(o.output_count, 8);
    for (size_t i = 0; i < o.output_count; i++) {
        assert_string_equal(o.outputs[i].path, expected[i].path);
        assert_int_equal(o.outputs[i].format, expected[i].format);
    }
    assert_int_equal(o.label_count, 2);
    assert_string_equal(o.labels[0].name, "a");
    assert_string_equal(o.labels[0].text, "2");
    assert_string_equal(o.labels[1].text, "x=y");
    td_options_free(&o);
}

/* A given format beats a guess. A resumed file is jsonl whatever its name. */
static void format_of_an_output_is_what_was_said(void **state)
{
    command c;
    td_options o = parsed("-o a.json -o b.csv:json -f table", &c);
    (void)state;
    assert_int_equal(o.outputs[0].format, TD_FORMAT_TABLE);
    assert_int_equal(o.outputs[1].format, TD_FORMAT_JSON);
    td_options_free(&o);
    o = parsed("-o a.json -o b.csv --resume a.json", &c);
    assert_int_equal(o.outputs[0].format, TD_FORMAT_JSONL);
    assert_true(o.outputs[0].resumes && !o.outputs[1].resumes);
    assert_int_equal(o.outputs[1].format, TD_FORMAT_CSV);
    td_options_free(&o);
    o = parsed("--dry-run", &c);
    assert_true(td_options_want_plan_in_words(&o));
    td_options_free(&o);
    o = parsed("--dry-run -o plan.json", &c);
    assert_false(td_options_want_plan_in_words(&o));
    td_options_free(&o);
}

static void blocks_keep_how_they_were_given(void **state)
{
    command c;
    td_options o = parsed("--block 16,64x4,8x8x8,16x16,8:32:8", &c);
    (void)state;
    assert_int_equal(o.blocks.count, 7); /* 16 and 16x16 are the same in 2D only */
    assert_true(o.blocks.shapes[0].is_side && o.blocks.shapes[0].x == 16);
    assert_false(o.blocks.shapes[1].is_side);
    assert_int_equal(o.blocks.shapes[1].z, 0);
    assert_int_equal(o.blocks.shapes[2].z, 8);
    assert_true(o.blocks.shapes[6].is_side && o.blocks.shapes[6].x == 32);
    td_options_free(&o);
}

static void tiles_are_sides_or_shapes(void **state)
{
    command c;
    td_options o = parsed("--tile 64,64x4,16x16,4x64,16:32:16,64x4", &c);
    const uint32_t sides[] = {64, 4, 16, 64, 32}, widths[] = {0, 64, 0, 4, 0};
    (void)state;
    assert_int_equal(o.tiles.count, 5); /* 16x16 is 16, and each counts once */
    for (size_t i = 0; i < o.tiles.count; i++) {
        assert_int_equal(o.tiles.shapes[i].y, sides[i]);
        assert_int_equal(o.tiles.shapes[i].is_side ? 0 : o.tiles.shapes[i].x, widths[i]);
    }
    td_options_free(&o);
}

static void all_stands_for_what_can_work(void **state)
{
    command c;
    td_options o =
        parsed("--block 16 --block all --tile all --kernel loop,all --schedule dynamic,grid", &c);
    (void)state;
    assert_true(o.blocks.all && o.tiles.all);
    assert_int_equal(o.blocks.count + o.tiles.count, 0);
    assert_true(td_words_have(o.kernels, TD_CHOOSE_ALL));
    assert_int_equal(o.schedules, 1U << TD_SCHEDULE_GRID | 1U << TD_SCHEDULE_DYNAMIC);
    td_options_free(&o);
    o = parsed("--tune --kernel tile", &c);
    assert_true(o.blocks.all && o.tiles.all);
    assert_int_equal(o.kernels, 1U << TD_CHOOSE_TILE);
    assert_int_equal(o.schedules, 1U << TD_SCHEDULE_ALL);
    td_options_free(&o);
}

static void names_beat_sets_and_aliases_are_resolved(void **state)
{
    command c;
    td_options o = parsed("--strategy paper,ltm,ltm-i,bb --workload all,edm1", &c);
    (void)state;
    assert_int_equal(o.strategy_count, 7);
    for (size_t i = 0; i < o.strategy_count; i++) {
        const char *name = o.strategies[i].strategy->name;
        const bool named =
            strcmp(name, "ltm-r") == 0 || strcmp(name, "ltm-i") == 0 || strcmp(name, "bb") == 0;
        assert_int_equal(o.strategies[i].by_name, named);
    }
    for (size_t i = 0; i < o.workload_count; i++) {
        assert_int_equal(o.workloads[i].by_name,
                         strcmp(o.workloads[i].workload->name, "edm1") == 0);
    }
    td_options_free(&o);
}

static void sets_hold_their_dimension(void **state)
{
    command c;
    td_options o = parsed("--strategy 2d", &c);
    (void)state;
    for (size_t i = 0; i < o.strategy_count; i++) {
        assert_int_equal(o.strategies[i].strategy->dimension, 2);
    }
    td_options_free(&o);
    o = parsed("--strategy all", &c);
    assert_int_equal(o.strategy_count, td_strategy_count);
    td_options_free(&o);
}

static void optional_values_may_follow_as_a_word(void **state)
{
    command c;
    td_options o = parsed("--list strategies --format json", &c);
    (void)state;
    assert_int_equal(o.action, TD_ACTION_LIST);
    assert_int_equal(o.list_what, TD_LIST_STRATEGIES);
    assert_true(td_option_is_given(&o, "format"));
    td_options_free(&o);
    o = parsed("--list=engines", &c);
    assert_int_equal(o.list_what, TD_LIST_ENGINES);
    td_options_free(&o);
    o = parsed("--list", &c);
    assert_int_equal(o.list_what, TD_LIST_ALL);
    td_options_free(&o);
    o = parsed("--show grid -s rb", &c);
    assert_int_equal(o.action, TD_ACTION_SHOW);
    assert_int_equal(o.show_view, TD_SHOW_GRID);
    td_options_free(&o);
    o = parsed("--show -s rb", &c);
    assert_int_equal(o.show_view, TD_SHOW_MAP);
    td_options_free(&o);
    o = parsed("--check-maps 64", &c);
    assert_int_equal(o.check_maps_n, 64);
    td_options_free(&o);
}

static void help_and_version_win_over_what_follows(void **state)
{
    command c;
    td_options o = parsed("--help --n 0 foo", &c);
    (void)state;
    assert_int_equal(o.action, TD_ACTION_HELP);
    td_options_free(&o);
    o = parsed("-n 5 -V --nonsense", &c);
    assert_int_equal(o.action, TD_ACTION_VERSION);
    td_options_free(&o);
}

static void every_value_reaches_its_field(void **state)
{
    command c;
    td_options o = parsed("--seed 18446744073709551615 --cache cold --schedule persistent "
                          "--set density=.5 --set rule=0233 --steps 0 --shard 2/7 --verify none",
                          &c);
    (void)state;
    assert_true(o.seed == UINT64_MAX && o.protocol.seed == UINT64_MAX);
    assert_int_equal(o.protocol.cache, TD_CACHE_COLD);
    assert_false(o.protocol.inexact);
    assert_false(o.protocol.verify);
    assert_int_equal(o.schedules, 1U << TD_SCHEDULE_PERSISTENT);
    assert_string_equal(td_options_word(&o, "density"), ".5");
    assert_string_equal(td_options_word(&o, "rule"), "0233");
    assert_string_equal(td_options_word(&o, "steps"), "0");
    assert_int_equal(o.shard_index, 2);
    assert_int_equal(o.shard_count, 7);
    td_options_free(&o);
    o = parsed(
        "-d GPU-0a1b2c3d-0000-1111-2222-333344445555 -e cpu --threads 2 -o x.json --layout full "
        "--baseline none -qv --color never --timeout 0 --verify beyond",
        &c);
    assert_string_equal(o.device, "GPU-0a1b2c3d-0000-1111-2222-333344445555");
    assert_ptr_equal(o.engine, &td_cpu_ops);
    assert_int_equal(o.threads, 2);
    assert_string_equal(o.outputs[0].path, "x.json");
    assert_true(td_option_is_given(&o, "layout") && o.layout == TD_FULL && o.no_baseline);
    assert_int_equal(o.verbosity, 1);
    assert_int_equal(o.color, TD_COLOR_NEVER);
    assert_true(o.timeout_s == 0.0);
    assert_true(o.protocol.verify && o.protocol.inexact);
    td_options_free(&o);
}

/* Every parameter can be set to each workload's default. */
static void every_parameter_of_a_workload_can_be_set(void **state)
{
    (void)state;
    for (size_t w = 0; w < td_workload_count; w++) {
        for (size_t p = 0; p < td_workloads[w]->parameter_count; p++) {
            const td_parameter *parameter = &td_workloads[w]->parameters[p];
            char line[LINE_SIZE];
            command c;
            snprintf(line, sizeof line, "--set %s=%s", parameter->name, parameter->preset);
            td_options o = parsed(line, &c);
            assert_string_equal(td_options_word(&o, parameter->name), parameter->preset);
            td_options_free(&o);
        }
    }
}

static void the_last_word_for_a_parameter_counts(void **state)
{
    command c;
    td_options o = parsed("--steps 5 --set rule=2333,steps=6 --steps=7", &c);
    (void)state;
    assert_int_equal(o.setting_count, 2);
    assert_string_equal(td_options_word(&o, "steps"), "7");
    assert_string_equal(td_options_word(&o, "rule"), "2333");
    assert_null(td_options_word(&o, "density"));
    td_options_free(&o);
}

static void slurm_tasks_count_from_their_first(void **state)
{
    command c;
    (void)state;
    setenv("SLURM_ARRAY_TASK_ID", "14", 1);
    setenv("SLURM_ARRAY_TASK_MIN", "10", 1);
    setenv("SLURM_ARRAY_TASK_COUNT", "5", 1);
    td_options o = parsed("--shard auto", &c);
    assert_int_equal(o.shard_index, 4);
    assert_int_equal(o.shard_count, 5);
    td_options_free(&o);
    setenv("SLURM_ARRAY_TASK_STEP", "2", 1);
    o = parsed("--shard auto", &c);
    assert_int_equal(o.shard_index, 2);
    td_options_free(&o);
    unsetenv("SLURM_ARRAY_TASK_STEP");
    setenv("SLURM_ARRAY_TASK_ID", "15", 1); /* a hole in the array: 5 of 5 */
    td_error error;
    split("--shard auto", &c);
    assert_int_equal(td_options_parse(c.argc, c.argv, &o, &error), TD_USAGE);
    unsetenv("SLURM_ARRAY_TASK_ID");
    unsetenv("SLURM_ARRAY_TASK_MIN");
    unsetenv("SLURM_ARRAY_TASK_COUNT");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_are_as_documented),
        cmocka_unit_test(ranges_and_lists_mix_without_repeats),
        cmocka_unit_test(ranges_may_be_geometric),
        cmocka_unit_test(names_may_be_patterns),
        cmocka_unit_test(last_occurrence_of_an_option_counts),
        cmocka_unit_test(outputs_and_labels_add_up),
        cmocka_unit_test(format_of_an_output_is_what_was_said),
        cmocka_unit_test(blocks_keep_how_they_were_given),
        cmocka_unit_test(tiles_are_sides_or_shapes),
        cmocka_unit_test(all_stands_for_what_can_work),
        cmocka_unit_test(names_beat_sets_and_aliases_are_resolved),
        cmocka_unit_test(sets_hold_their_dimension),
        cmocka_unit_test(optional_values_may_follow_as_a_word),
        cmocka_unit_test(help_and_version_win_over_what_follows),
        cmocka_unit_test(every_value_reaches_its_field),
        cmocka_unit_test(every_parameter_of_a_workload_can_be_set),
        cmocka_unit_test(the_last_word_for_a_parameter_counts),
        cmocka_unit_test(slurm_tasks_count_from_their_first),
    };
    return cmocka_run_group_tests_name("options", tests, NULL, NULL);
}
