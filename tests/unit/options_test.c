/* options_test.c - command lines, good and bad, and the help text. */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/core/span.h"
#include "engine/cpu/row.h"
#include "engine/options/option_table.h"
#include "engine/options/describe.h"
#include "engine/options/options.h"
#include "engine/options/parameters.h"

enum { MAX_WORDS = 32, LINE_SIZE = 512 };

/* A command line in one string: words part at spaces, `~` stands for a space within a word. */
typedef struct command {
    char text[LINE_SIZE];
    char *argv[MAX_WORDS + 2];
    int argc;
} command;

static void split(const char *line, command *c)
{
    snprintf(c->text, sizeof c->text, "tribench %s", line);
    c->argc = 0;
    for (char *word = strtok(c->text, " "); word != NULL; word = strtok(NULL, " ")) {
        for (char *p = word; *p != '\0'; p++) {
            *p = *p == '~' ? ' ' : *p;
        }
        assert_true(c->argc <= MAX_WORDS);
        c->argv[c->argc++] = word;
    }
    c->argv[c->argc] = NULL;
}

typedef struct bad_line {
    const char *line;
    const char *fragments[3]; /* option, value, what is accepted: all are in the message */
} bad_line;

static const bad_line bad_lines[] = {
    {"--n 0", {"--n", "'0'", "1..1048576"}},
    {"--n -5", {"--n", "'-5'", "1..1048576"}},
    {"--n +5", {"--n", "'+5'", "whole numbers"}},
    {"--n 8k", {"--n", "'8k'", "1..1048576"}},
    {"--n 1e3", {"--n", "'1e3'", "whole numbers"}},
    {"--n 0x10", {"--n", "'0x10'", "whole numbers"}},
    {"--n 1.5", {"--n", "'1.5'", "whole numbers"}},
    {"--n ~5", {"--n", "' 5'", "whole numbers"}},
    {"--n 5~", {"--n", "'5 '", "whole numbers"}},
    {"--n 99999999999999999999", {"--n", "'99999999999999999999'", "1..1048576"}},
    {"--n 18446744073709551617", {"--n", "'18446744073709551617'", "1..1048576"}},
    {"--n 4294967297", {"--n", "'4294967297'", "1..1048576"}},
    {"--n 1048577", {"--n", "'1048577'", "1..1048576"}},
    {"--n=", {"--n", "''", "1..1048576"}},
    {"--n ,", {"--n", "''", "comma-separated"}},
    {"--n 5,", {"--n", "''", "comma-separated"}},
    {"--n 5,,6", {"--n", "''", "comma-separated"}},
    {"--n 5;6", {"--n", "'5;6'", "comma-separated"}},
    {"--n nan", {"--n", "'nan'", "whole numbers"}},
    {"--n 9:8:1", {"--n", "'9:8:1'", "is empty"}},
    {"--n 1:9:0", {"--n", "'1:9:0'", "step 0"}},
    {"--n 1:9", {"--n", "'1:9'", "start:stop:step"}},
    {"--n 1:9:1:1", {"--n", "'1:9:1:1'", "start:stop:step"}},
    {"--n 1:9:-1", {"--n", "'1:9:-1'", "step"}},
    {"--n 0:9:1", {"--n", "'0:9:1'", "1..1048576"}},
    {"--n ::", {"--n", "'::'", "1..1048576"}},
    {"--n 1:1048576:1", {"--n", "'1:1048576:1'", "4096"}},
    {"--n", {"--n", "expected a value", "problem sizes"}},
    {"-n", {"--n", "expected a value", "problem sizes"}},
    {"-n8k", {"--n", "'8k'", "whole numbers"}},
    {"--strategy ltmr", {"--strategy", "'ltmr'", "did you mean 'ltm-r'"}},
    {"--strategy nonsense", {"--strategy", "'nonsense'", "known: bb"}},
    {"--strategy bb,,rb", {"--strategy", "'bb,,rb'", "empty name"}},
    {"--strategy=", {"--strategy", "''", "--list strategies"}},
    {"-s BB", {"--strategy", "'BB'", "known: bb"}},
    {"-s papr", {"--strategy", "'papr'", "known: bb"}},
    {"--workload edm5", {"--workload", "'edm5'", "did you mean 'edm"}},
    {"--workload=", {"--workload", "''", "known: dummy"}},
    {"-w dummy,", {"--workload", "''", "known: dummy"}},
    {"--block 0", {"--block", "'0'", "1024"}},
    {"--block 33", {"--block", "'33'", "1024"}},
    {"--block 64x32", {"--block", "'64x32'", "1024"}},
    {"--block 16x", {"--block", "'16x'", "64x4"}},
    {"--block x16", {"--block", "'x16'", "64x4"}},
    {"--block 16X16", {"--block", "'16X16'", "64x4"}},
    {"--block 2x2x2x2", {"--block", "'2x2x2x2'", "8x8x8"}},
    {"--block 1x1x128", {"--block", "'1x1x128'", "z at most 64"}},
    {"--block 4294967296x4294967296", {"--block", "'4294967296x4294967296'", "1024"}},
    {"--block -16", {"--block", "'-16'", "1024"}},
    {"--block=", {"--block", "''", "such as 16"}},
    {"--tile 0", {"--tile", "'0'", "1..4096"}},
    {"--tile 16x16", {"--tile", "'16x16'", "1..4096"}},
    {"--cutoff 0", {"--cutoff", "'0'", "1..1048576"}},
    {"--engine gpu", {"--engine", "'gpu'", "auto|cuda|cpu"}},
    {"--engine cud", {"--engine", "'cud'", "did you mean 'cuda'"}},
    {"--device one", {"--device", "'one'", "UUID"}},
    {"--device -1", {"--device", "'-1'", "ordinal"}},
    {"--device GPU-123", {"--device", "'GPU-123'", "UUID"}},
    {"--baseline lmt-i", {"--baseline", "'lmt-i'", "did you mean 'ltm-i'"}},
    {"--baseline=", {"--baseline", "''", "known: bb"}},
    {"--samples 0", {"--samples", "'0'", "1..1000000"}},
    {"--samples 51.0", {"--samples", "'51.0'", "whole number"}},
    {"--warmup=", {"--warmup", "''", "0..1000000"}},
    {"--seed=", {"--seed", "''", "whole number"}},
    {"--density=", {"--density", "''", "decimal"}},
    {"--warmup -1", {"--warmup", "'-1'", "0..1000000"}},
    {"--max-time 0", {"--max-time", "'0'", "more than 0"}},
    {"--max-time -1", {"--max-time", "'-1'", "0..86400"}},
    {"--max-time inf", {"--max-time", "'inf'", "decimal"}},
    {"--max-time 1e9", {"--max-time", "'1e9'", "decimal"}},
    {"--max-time .", {"--max-time", "'.'", "decimal"}},
    {"--max-time 1.2.3", {"--max-time", "'1.2.3'", "decimal"}},
    {"--timeout 1h", {"--timeout", "'1h'", "decimal"}},
    {"--seed -1", {"--seed", "'-1'", "0..18446744073709551615"}},
    {"--seed 18446744073709551616", {"--seed", "'18446744073709551616'", "18446744073709551615"}},
    {"--input=", {"--input", "FILE", "empty"}},
    {"--dump=", {"--dump", "FILE.npy", "empty"}},
    {"--output=", {"--output", "FILE", "empty"}},
    {"--input a.npy --dump a.npy", {"--input", "'a.npy'", "different files"}},
    {"--input ./a.npy --output a.npy", {"--input", "'./a.npy'", "different files"}},
    {"--dump a.npy --output ./a.npy", {"--dump", "'a.npy'", "different files"}},
    {"--dump a.npy --resume a.npy", {"--resume", "'a.npy'", "different files"}},
    {"--dump a.npy --resume b.jsonl", {"--dump", "leave --resume out", "one run"}},
    {"--frames a --shard 0/2", {"--frames", "leave --shard out", "one run"}},
    {"--list -o a", {"--output", "--list", "standard output"}},
    {"--show --output a", {"--output", "--show", "standard output"}},
    {"--check-maps=8 -o a", {"--output", "--check-maps", "standard output"}},
    {"--dry-run -o a", {"--output", "--dry-run", "standard output"}},
    {"--layout dense", {"--layout", "'dense'", "packed|full"}},
    {"--verify some", {"--verify", "'some'", "full|none"}},
    {"--timing alone", {"--timing", "'alone'", "batched|isolated"}},
    {"--cache hot", {"--cache", "'hot'", "warm|cold"}},
    {"--schedule persistant", {"--schedule", "'persistant'", "did you mean 'persistent'"}},
    {"--steps 1e2", {"--steps", "'1e2'", "0..1000000"}},
    {"--rule 233", {"--rule", "'233'", "four digits"}},
    {"--rule 2333x", {"--rule", "'2333x'", "four digits"}},
    {"--rule 0000", {"--rule", "'0000'", "not all"}},
    {"--rule", {"--rule", "expected a value", "live neighbours"}},
    {"--memory halp", {"--memory", "'halp'", "did you mean 'halo'"}},
    {"--cell=", {"--cell", "''", "u32|u8|bit"}},
    {"--steeps 3", {"--steeps", "unknown option", "did you mean '--steps'"}},
    {"--st 3", {"--st", "ambiguous", "--steps"}},
    {"--density 1.01", {"--density", "'1.01'", "0..1"}},
    {"--density -0.1", {"--density", "'-0.1'", "0..1"}},
    {"--threads 0", {"--threads", "'0'", "1..4096"}},
    {"--format xml", {"--format", "'xml'", "json|jsonl|csv|table"}},
    {"--shard 3/3", {"--shard", "'3/3'", "I/K"}},
    {"--shard 3", {"--shard", "'3'", "I/K"}},
    {"--shard 0/0", {"--shard", "'0/0'", "I/K"}},
    {"--shard -1/3", {"--shard", "'-1/3'", "I/K"}},
    {"--shard 1/3/5", {"--shard", "'1/3/5'", "I/K"}},
    {"--shard auto", {"--shard auto", "SLURM_ARRAY_TASK_ID", "not set"}},
    {"--list things", {"--list", "'things'", "strategies|workloads"}},
    {"--list=stratgies", {"--list", "'stratgies'", "did you mean 'strategies'"}},
    {"--list --format csv", {"--list", "'csv'", "json"}},
    {"--list -o -:json", {"--output", "--list", "--format"}},
    {"-o a.json -o ./a.json", {"--output", "different files", "a.json"}},
    {"-o - -o /dev/stdout:csv", {"--output", "different files", "/dev/stdout"}},
    {"-o a.jsonl:csv --resume a.jsonl", {"--resume", "--output", "--format jsonl"}},
    {"--dry-run -o plan.txt", {"--output", "--dry-run", "standard output"}},
    {"--label", {"--label", "expected a value", "free text"}},
    {"--label a", {"--label", "NAME=TEXT", "'a'"}},
    {"--label =b", {"--label", "NAME=TEXT", "'=b'"}},
    {"--label a=", {"--label", "NAME=TEXT", "'a='"}},
    {"--label a.b=c", {"--label", "NAME=TEXT", "'a.b=c'"}},
    {"--show=tree", {"--show", "'tree'", "map|grid"}},
    {"--show --dry-run", {"--dry-run", "only one", "--show"}},
    {"--check-maps=0", {"--check-maps", "'0'", "1..92681"}},
    {"--resume a.jsonl --output a.jsonl --format json",
     {"--resume", "'a.jsonl'", "--format jsonl"}},
    {"--dry-run=yes", {"--dry-run", "takes no value", "yes"}},
    {"--color sometimes", {"--color", "'sometimes'", "auto|always|never"}},
    {"--strateggy bb", {"--strateggy", "unknown option", "did you mean '--strategy'"}},
    {"--nonsense", {"--nonsense", "unknown option", "--help"}},
    {"--s 5", {"--s", "ambiguous", "--samples"}},
    {"-x", {"-x", "unknown option", "--help"}},
    {"-qx", {"-x", "unknown option", "--help"}},
    {"8192", {"'8192'", "unexpected argument", "--help"}},
    {"--n 5 8192", {"'8192'", "unexpected argument", "--help"}},
    {"-- ltm", {"'ltm'", "unexpected argument", "--help"}},
    {"--n 0 --help", {"--n", "'0'", "1..1048576"}},
};

static void bad_command_lines_name_option_value_and_what_is_accepted(void **state)
{
    const size_t count = sizeof bad_lines / sizeof bad_lines[0];
    (void)state;
    assert_true(count >= 60);
    for (size_t i = 0; i < count; i++) {
        command c;
        td_options options;
        td_error error = {{0}};
        split(bad_lines[i].line, &c);
        if (td_options_parse(c.argc, c.argv, &options, &error) != TD_USAGE) {
            td_options_free(&options);
            fail_msg("'%s' was accepted", bad_lines[i].line);
        }
        for (size_t f = 0; f < 3; f++) {
            if (strstr(error.text, bad_lines[i].fragments[f]) == NULL) {
                fail_msg("'%s': no \"%s\" in \"%s\"", bad_lines[i].line, bad_lines[i].fragments[f],
                         error.text);
            }
        }
        assert_null(strchr(error.text, '\n'));
    }
}

static td_options parse(const char *line, command *c)
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
    static const char *const paper[] = {"bb", "ltm-r", "rec", "utm", "rb"};
    command c;
    td_options o = parse("", &c);
    (void)state;
    assert_int_equal(o.action, TD_ACTION_RUN);
    assert_int_equal(o.strategy_count, 5);
    for (size_t i = 0; i < 5; i++) {
        assert_string_equal(o.strategies[i].name, paper[i]);
        assert_false(o.strategies[i].by_name);
    }
    assert_int_equal(o.workload_count, 1);
    assert_string_equal(o.workloads[0].name, "dummy");
    assert_false(o.workloads[0].by_name);
    assert_int_equal(o.n_count, 1);
    assert_int_equal(o.n[0], 8192);
    assert_false(o.given != 0 || o.no_baseline);
    assert_int_equal(o.block_count + o.tile_count, 0);
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
    td_options o = parse("--n 7,1:9:2,5,10:29:10", &c);
    (void)state;
    assert_int_equal(o.n_count, 7);
    assert_memory_equal(o.n, expected, sizeof expected);
    assert_true(td_option_is_given(&o, "n"));
    assert_false(td_option_is_given(&o, "block"));
    td_options_free(&o);
}

static void last_occurrence_of_an_option_counts(void **state)
{
    command c;
    td_options o = parse("-n 5 -n 6,7 -b 8 -b 64x4 -s bb -s rb -f csv -f jsonl", &c);
    (void)state;
    assert_int_equal(o.n_count, 2);
    assert_int_equal(o.n[0], 6);
    assert_int_equal(o.block_count, 1);
    assert_int_equal(o.blocks[0].x, 64);
    assert_int_equal(o.strategy_count, 1);
    assert_string_equal(o.strategies[0].name, "rb");
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
                    {"-", TD_FORMAT_TABLE}};
    command c;
    td_options o =
        parse("-o a.json -o b.jsonl --output c.csv -o d.txt -o e -o f.json:csv -o -:table "
              "--label a=1 --label b=x=y --label a=2",
              &c);
    (void)state;
    assert_int_equal(o.output_count, 7);
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

/* Said beats guessed; and what a sweep goes on with is jsonl whatever its name. */
static void format_of_an_output_is_what_was_said(void **state)
{
    command c;
    td_options o = parse("-o a.json -o b.csv:json -f table", &c);
    (void)state;
    assert_int_equal(o.outputs[0].format, TD_FORMAT_TABLE);
    assert_int_equal(o.outputs[1].format, TD_FORMAT_JSON);
    td_options_free(&o);
    o = parse("-o a.json -o b.csv --resume a.json", &c);
    assert_int_equal(o.outputs[0].format, TD_FORMAT_JSONL);
    assert_true(o.outputs[0].resumes && !o.outputs[1].resumes);
    assert_int_equal(o.outputs[1].format, TD_FORMAT_CSV);
    td_options_free(&o);
    o = parse("--dry-run", &c);
    assert_true(td_options_want_plan_in_words(&o));
    td_options_free(&o);
    o = parse("--dry-run -o plan.json", &c);
    assert_false(td_options_want_plan_in_words(&o));
    td_options_free(&o);
}

static void blocks_keep_how_they_were_given(void **state)
{
    command c;
    td_options o = parse("--block 16,64x4,8x8x8,16x16,8:32:8", &c);
    (void)state;
    assert_int_equal(o.block_count,
                     7); /* 16 of the range is there already, 16x16 is another spelling */
    assert_true(o.block_is_side[0] && o.blocks[0].x == 16);
    assert_false(o.block_is_side[1]);
    assert_int_equal(o.blocks[1].z, 0);
    assert_int_equal(o.blocks[2].z, 8);
    assert_true(o.block_is_side[6] && o.blocks[6].x == 32);
    td_options_free(&o);
}

static void names_beat_sets_and_aliases_are_resolved(void **state)
{
    command c;
    td_options o = parse("--strategy paper,ltm,ltm-i,bb --workload all,edm1", &c);
    (void)state;
    assert_int_equal(o.strategy_count, 6);
    for (size_t i = 0; i < o.strategy_count; i++) {
        const char *name = o.strategies[i].name;
        const bool named =
            strcmp(name, "ltm-r") == 0 || strcmp(name, "ltm-i") == 0 || strcmp(name, "bb") == 0;
        assert_int_equal(o.strategies[i].by_name, named);
    }
    for (size_t i = 0; i < o.workload_count; i++) {
        assert_int_equal(o.workloads[i].by_name, strcmp(o.workloads[i].name, "edm1") == 0);
    }
    td_options_free(&o);
}

static void sets_hold_their_dimension(void **state)
{
    command c;
    td_options o = parse("--strategy 2d", &c);
    (void)state;
    for (size_t i = 0; i < o.strategy_count; i++) {
        assert_int_equal(td_strategy_find(o.strategies[i].name)->dimension, 2);
    }
    td_options_free(&o);
    o = parse("--strategy all", &c);
    assert_int_equal(o.strategy_count, td_strategy_count);
    td_options_free(&o);
}

static void optional_values_may_follow_as_a_word(void **state)
{
    command c;
    td_options o = parse("--list strategies --format json", &c);
    (void)state;
    assert_int_equal(o.action, TD_ACTION_LIST);
    assert_int_equal(o.list_what, TD_LIST_STRATEGIES);
    assert_true(td_option_is_given(&o, "format"));
    td_options_free(&o);
    o = parse("--list=engines", &c);
    assert_int_equal(o.list_what, TD_LIST_ENGINES);
    td_options_free(&o);
    o = parse("--list", &c);
    assert_int_equal(o.list_what, TD_LIST_ALL);
    td_options_free(&o);
    o = parse("--show grid -s rb", &c);
    assert_int_equal(o.action, TD_ACTION_SHOW);
    assert_int_equal(o.show_view, TD_SHOW_GRID);
    td_options_free(&o);
    o = parse("--show -s rb", &c);
    assert_int_equal(o.show_view, TD_SHOW_MAP);
    td_options_free(&o);
    o = parse("--check-maps 64", &c);
    assert_int_equal(o.check_maps_n, 64);
    td_options_free(&o);
}

static void help_and_version_win_over_what_follows(void **state)
{
    command c;
    td_options o = parse("--help --n 0 foo", &c);
    (void)state;
    assert_int_equal(o.action, TD_ACTION_HELP);
    td_options_free(&o);
    o = parse("-n 5 -V --nonsense", &c);
    assert_int_equal(o.action, TD_ACTION_VERSION);
    td_options_free(&o);
}

static void every_value_reaches_its_field(void **state)
{
    command c;
    td_options o = parse("--seed 18446744073709551615 --cache cold --inexact --schedule persistent "
                         "--density .5 --rule 0233 --steps 0 --shard 2/7 --verify none",
                         &c);
    (void)state;
    assert_true(o.seed == UINT64_MAX && o.protocol.seed == UINT64_MAX);
    assert_int_equal(o.protocol.cache, TD_CACHE_COLD);
    assert_true(o.protocol.inexact);
    assert_false(o.protocol.verify);
    assert_int_equal(o.schedule, TD_SCHEDULE_PERSISTENT);
    assert_string_equal(td_options_word(&o, "density"), ".5");
    assert_string_equal(td_options_word(&o, "rule"), "0233");
    assert_string_equal(td_options_word(&o, "steps"), "0");
    assert_int_equal(o.shard_index, 2);
    assert_int_equal(o.shard_count, 7);
    td_options_free(&o);
    o = parse(
        "-d GPU-0a1b2c3d-0000-1111-2222-333344445555 -e cpu --threads 2 -o x.json --layout full "
        "--baseline none -qv --color never --timeout 0",
        &c);
    assert_string_equal(o.device, "GPU-0a1b2c3d-0000-1111-2222-333344445555");
    assert_ptr_equal(o.engine, &td_cpu_ops);
    assert_int_equal(o.threads, 2);
    assert_string_equal(o.outputs[0].path, "x.json");
    assert_true(td_option_is_given(&o, "layout") && o.layout == TD_FULL && o.no_baseline);
    assert_int_equal(o.verbosity, 1);
    assert_int_equal(o.color, TD_COLOR_NEVER);
    assert_true(o.timeout_s == 0.0);
    td_options_free(&o);
}

/* Every name in the tables is an option that takes each workload's default, and no option of the engine has it. */
static void every_parameter_of_a_workload_is_an_option(void **state)
{
    (void)state;
    for (size_t w = 0; w < td_workload_count; w++) {
        for (size_t p = 0; p < td_workloads[w]->parameter_count; p++) {
            const td_parameter *parameter = &td_workloads[w]->parameters[p];
            char line[LINE_SIZE];
            command c;
            snprintf(line, sizeof line, "--%s %s", parameter->name, parameter->preset);
            td_options o = parse(line, &c);
            assert_string_equal(td_options_word(&o, parameter->name), parameter->preset);
            assert_true(td_option_is_given(&o, parameter->name));
            td_options_free(&o);
            for (size_t i = 0; i < td_option_count; i++) {
                assert_string_not_equal(td_option_table[i].name, parameter->name);
            }
        }
    }
}

static void the_last_word_for_a_parameter_counts(void **state)
{
    command c;
    td_options o = parse("--steps 5 --rule 2333 --steps=7", &c);
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
    td_options o = parse("--shard auto", &c);
    assert_int_equal(o.shard_index, 4);
    assert_int_equal(o.shard_count, 5);
    td_options_free(&o);
    setenv("SLURM_ARRAY_TASK_STEP", "2", 1);
    o = parse("--shard auto", &c);
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

static void messages_stay_on_one_line_and_short(void **state)
{
    char value[300], *argv[] = {"tribench", "--n", value, NULL};
    td_options options;
    td_error error;
    (void)state;
    memset(value, '9', sizeof value - 1);
    value[sizeof value - 1] = '\0';
    value[3] = '\n';
    assert_int_equal(td_options_parse(3, argv, &options, &error), TD_USAGE);
    assert_null(strchr(error.text, '\n'));
    assert_non_null(strstr(error.text, "999?9"));
    assert_non_null(strstr(error.text, "...'"));
}

/* The caller frees it. */
static char *help_text(void)
{
    char *help = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&help, &size);
    if (out != NULL) {
        td_help_print(out);
        fclose(out);
    }
    return help;
}

static void help_names_every_option_within_80_columns(void **state)
{
    static const char *const names[] = {
        "--strategy", "--workload", "--n ",      "--block",      "--tile",     "--engine",
        "--device",   "--baseline", "--samples", "--warmup",     "--max-time", "--seed",
        "--input",    "--dump",     "--layout",  "--verify",     "--threads",  "--output",
        "--format",   "--list",     "--show",    "--dry-run",    "--resume",   "--shard",
        "--quiet",    "--verbose",  "--color",   "--help",       "--version",  "--cutoff",
        "--schedule", "--cache",    "--inexact", "--check-maps", "--timeout",  "--steps",
        "--kernel",   "--frames",   "--every",   "--timing",     "--energy",   "--setups"};
    char *help = help_text();
    (void)state;
    assert_non_null(help);
    size_t missing = 0, longest = 0;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        missing += strstr(help, names[i]) == NULL;
    }
    for (size_t i = 0; td_parameter_option(i) != NULL; i++) {
        char usage[LINE_SIZE];
        const td_parameter *parameter = td_parameter_option(i);
        snprintf(usage, sizeof usage, "--%s %s", parameter->name, parameter->argument);
        missing += strstr(help, usage) == NULL;
    }
    for (const char *line = help; *line != '\0'; line += strcspn(line, "\n") + 1) {
        const size_t length = strcspn(line, "\n");
        longest = length > longest ? length : longest;
    }
    free(help);
    assert_int_equal(missing, 0);
    assert_true(longest <= 80);
}

/* Whether the command line takes every word that completes an option. */
static bool takes_its_words(const td_description *d)
{
    bool taken = true;
    for (td_span rest = td_span_of(d->words); rest.text != NULL && rest.length > 0;) {
        const td_span word = td_span_until(&rest, '|');
        char text[LINE_SIZE];
        snprintf(text, sizeof text, "--%s=%.*s", d->name, (int)word.length, word.text);
        char *argv[] = {(char *)"tribench", text, NULL};
        td_options options;
        td_error error;
        taken &= td_options_parse(2, argv, &options, &error) == TD_OK;
        td_options_free(&options);
    }
    return taken;
}

static void every_word_that_completes_an_option_is_taken(void **state)
{
    td_description d;
    size_t choices = 0;
    (void)state;
    for (size_t i = 0; td_describe_option(i, &d); i++) {
        choices += d.words[0] != '\0';
        assert_true(takes_its_words(&d));
        assert_true(strlen(d.words) < sizeof d.words - 1); /* else some may have been cut off */
    }
    assert_true(choices >= 12);
}

/* The words of a text, one blank between them. */
static void unwrap(char *text)
{
    char *to = text;
    for (const char *from = text; *from != '\0'; from++) {
        const bool blank = *from == ' ' || *from == '\n';
        if (!blank || (to > text && to[-1] != ' ')) {
            *to++ = blank ? ' ' : *from;
        }
    }
    *to = '\0';
}

static void help_tells_defaults_apart_where_workloads_differ(void **state)
{
    char *help = help_text();
    (void)state;
    assert_non_null(help);
    unwrap(help);
    const bool differs = strstr(help, "0001..9999 (default: gol 4644, life 2333)") != NULL;
    const bool agrees = strstr(help, "starts alive; 0..1 (default: 0.3)") != NULL;
    free(help);
    assert_true(differs && agrees);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_command_lines_name_option_value_and_what_is_accepted),
        cmocka_unit_test(defaults_are_as_documented),
        cmocka_unit_test(ranges_and_lists_mix_without_repeats),
        cmocka_unit_test(last_occurrence_of_an_option_counts),
        cmocka_unit_test(outputs_and_labels_add_up),
        cmocka_unit_test(format_of_an_output_is_what_was_said),
        cmocka_unit_test(blocks_keep_how_they_were_given),
        cmocka_unit_test(names_beat_sets_and_aliases_are_resolved),
        cmocka_unit_test(sets_hold_their_dimension),
        cmocka_unit_test(optional_values_may_follow_as_a_word),
        cmocka_unit_test(help_and_version_win_over_what_follows),
        cmocka_unit_test(every_value_reaches_its_field),
        cmocka_unit_test(every_parameter_of_a_workload_is_an_option),
        cmocka_unit_test(the_last_word_for_a_parameter_counts),
        cmocka_unit_test(slurm_tasks_count_from_their_first),
        cmocka_unit_test(messages_stay_on_one_line_and_short),
        cmocka_unit_test(help_names_every_option_within_80_columns),
        cmocka_unit_test(every_word_that_completes_an_option_is_taken),
        cmocka_unit_test(help_tells_defaults_apart_where_workloads_differ),
    };
    unsetenv("SLURM_ARRAY_TASK_ID"); /* the tests may themselves run in a job array */
    return cmocka_run_group_tests_name("options", tests, NULL, NULL);
}
