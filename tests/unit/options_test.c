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
    command c;
    td_options o = parsed("", &c);
    (void)state;
    assert_int_equal(o.action, TD_ACTION_RUN);
    assert_false(o.given != 0 || o.no_baseline || o.shares_domain);
    assert_int_equal(o.cutoffs.shapes[0].x, 128);
    assert_null(o.engine);
    assert_int_equal(o.protocol.samples, 51);
    assert_int_equal(o.protocol.warmup, 3);
    assert_true(o.protocol.max_time_s == 10.0 && o.timeout_s == 300.0);
    assert_true(o.protocol.verify && !o.protocol.inexact);
    assert_int_equal(o.seed, 1);
    assert_int_equal(o.protocol.seed, 1);
    assert_int_equal(o.partition, TD_BY_CELLS);
    assert_null(td_options_word(&o, "steps"));
    assert_int_equal(o.check_maps_n, 2048);
    assert_int_equal(o.format, TD_FORMAT_JSON);
    assert_int_equal(o.shard_count, 0);
    td_options_free(&o);
}

/* ---- lists ---- */

typedef void put_fn(FILE *out, const td_options *o);

/* "!": asked for by name */
static void put_strategies(FILE *out, const td_options *o)
{
    for (size_t i = 0; i < o->strategy_count; i++) {
        fprintf(out, " %s%s", o->strategies[i].strategy->name, o->strategies[i].by_name ? "!" : "");
    }
}

static void put_workloads(FILE *out, const td_options *o)
{
    for (size_t i = 0; i < o->workload_count; i++) {
        const td_choice w = o->workloads[i];
        fprintf(out, " %s/%d%s", w.workload->name, w.workload->dimension, w.by_name ? "!" : "");
    }
}

static void put_shapes(FILE *out, const td_shapes *list)
{
    fputs(list->all ? " all" : "", out);
    for (size_t i = 0; i < list->count; i++) {
        const td_shape s = list->shapes[i];
        if (s.is_side && s.y == s.x && s.z == 0) {
            fprintf(out, " %u", s.x);
        } else {
            fprintf(out, s.z > 0 ? " %ux%ux%u" : " %ux%u", s.x, s.y, s.z);
        }
    }
}

static void put_n(FILE *out, const td_options *o)
{
    put_shapes(out, &o->n);
}

static void put_blocks(FILE *out, const td_options *o)
{
    put_shapes(out, &o->blocks);
}

static void put_tiles(FILE *out, const td_options *o)
{
    put_shapes(out, &o->tiles);
}

static void put_ways(FILE *out, const td_options *o)
{
    fprintf(out, " %x %x", o->kernels, o->schedules);
}

static void put_protocol(FILE *out, const td_options *o)
{
    const td_protocol *p = &o->protocol;
    fprintf(out, " %u samples, %g, %u warm-up, %g s%s", p->samples, p->precision, p->warmup,
            p->max_time_s, p->verify ? "" : ", unverified");
}

/* "<": continued */
static void put_outputs(FILE *out, const td_options *o)
{
    static const char *const formats[] = {"json", "jsonl", "csv", "table", "md"};
    for (size_t i = 0; i < o->output_count; i++) {
        const td_target *t = &o->outputs[i];
        fprintf(out, " %s=%s%s", t->path, formats[t->format], t->resumes ? "<" : "");
    }
}

static void put_settings(FILE *out, const td_options *o)
{
    for (size_t i = 0; i < o->setting_count; i++) {
        fprintf(out, " %s=%s", o->settings[i].name, o->settings[i].text);
    }
    for (size_t i = 0; i < o->label_count; i++) {
        fprintf(out, " label %s=%s", o->labels[i].name, o->labels[i].text);
    }
}

static void put_action(FILE *out, const td_options *o)
{
    static const char *const actions[] = {"run",        "dry-run", "list",   "show",
                                          "check-maps", "help",    "version"};
    fprintf(out, " %s, list %d, check %u%s", actions[o->action], (int)o->list_what, o->check_maps_n,
            td_options_want_plan_in_words(o) ? ", in words" : "");
}

static void lists_are_what_was_given(void **state)
{
    enum { ALL_KERNELS = 1 << TD_CHOOSE_ALL, ALL_SCHEDULES = 1 << TD_SCHEDULE_ALL };
    static const struct {
        const char *line;
        put_fn *put;
        const char *expected;
    } rows[] = {
        {"", put_strategies, " bb ltm-r rec utm utm-t rb"},
        {"-s paper,ltm,ltm-i,bb", put_strategies, " bb! ltm-r! rec utm utm-t rb ltm-i!"},
        {"-s rb,lt[mn]-[ir],ltm", put_strategies, " rb! ltm-r! ltm-i"},
        {"-s bb -s rb", put_strategies, " rb!"},
        {"", put_workloads, " dummy/2! dummy/3!"},
        {"-w edm?,coll*,edm2", put_workloads, " edm1/2 edm2/2! edm3/2 edm4/2 collision/2"},
        {"-w gol,life", put_workloads, " gol/2! life/2! life/3!"},
        {"", put_n, " 8192"},
        {"-n 7,1:9:2,5,10:29:10", put_n, " 7 1 3 5 7 9 5 10 20"},
        {"-n 1024:5000:*2,5000,3:2999:*10", put_n, " 1024 2048 4096 5000 3 30 300"},
        {"-n 5 -n 6,7", put_n, " 6 7"},
        {"-n 1048576,1,1", put_n, " 1048576 1 1"},
        {"", put_blocks, ""},
        {"-b 4:32:*2", put_blocks, " 4 8 16 32"},
        /* 16 and 16x16 are the same in 2D only */
        {"-b 16,64x4,8x8x8,16x16,8:32:8,64x4", put_blocks, " 16 64x4 8x8x8 16x16 8 16 24 32 64x4"},
        {"-b 8 -b 64x4", put_blocks, " 64x4"},
        {"-b 1024x1,1x1x64 --tune", put_blocks, " 1024x1 1x1x64"},
        {"-b 16 -b all", put_blocks, " all"},
        {"-b all -b 16", put_blocks, " 16"},
        {"--tune", put_blocks, " all"},
        {"", put_tiles, ""},
        {"--tile 64,64x4,16x16,4x64,16:32:16,64x4", put_tiles, " 64 64x4 16 4x64 16 32 64x4"},
        {"--tile all", put_tiles, " all"},
        {"--tune", put_tiles, " all"},
        {"", put_ways, " 1 1"},
        {"--kernel loop,all --schedule dynamic,grid", put_ways, " 14 5"},
        {"--tune --kernel tile", put_ways, " 8 8"},
        {"--precision 1%", put_protocol, " 501 samples, 0.01, 3 warm-up, 10 s"},
        {"--precision 0.5% --samples 9", put_protocol, " 9 samples, 0.005, 3 warm-up, 10 s"},
        {"--tune", put_protocol, " 51 samples, 0.005, 0 warm-up, 1 s"},
        {"--tune --samples 9 --warmup 2", put_protocol, " 9 samples, 0, 2 warm-up, 1 s"},
        {"--tune --precision 2% --max-time 5", put_protocol, " 501 samples, 0.02, 0 warm-up, 5 s"},
        {"--timing once", put_protocol, " 1 samples, 0, 0 warm-up, 10 s, unverified"},
        {"-o a.json -o b.jsonl --output c.csv -o d.txt -o e -o f.json:csv -o -:table -o g.md",
         put_outputs,
         " a.json=json b.jsonl=jsonl c.csv=csv d.txt=table e=json f.json=csv -=table g.md=md"},
        {"", put_outputs, " -=json"},
        /* a given format beats a guess, and a resumed file is jsonl whatever its name */
        {"-o a -o a.b/c -o b.csv:json -f csv -f table", put_outputs,
         " a=table a.b/c=table b.csv=json"},
        {"-o a:b -o .csv -o :csv -o x.y/z", put_outputs,
         " a:b=json .csv=json :csv=json x.y/z=json"},
        {"-o a.json -o b.csv --resume a.json", put_outputs, " a.json=jsonl< b.csv=csv"},
        {"--label a=1 --label b=x=y --label a=2", put_settings, " label a=2 label b=x=y"},
        {"--steps 5 --set rule=2333,steps=6 --steps=7", put_settings, " steps=7 rule=2333"},
        {"--set density=.5 --set rule=0233", put_settings, " density=.5 rule=0233"},
        {"", put_action, " run, list 0, check 2048"},
        {"--list strategies --format json", put_action, " list, list 1, check 2048"},
        {"--list=engines", put_action, " list, list 4, check 2048"},
        {"--list", put_action, " list, list 0, check 2048"},
        {"--show -s rb", put_action, " show, list 0, check 2048"},
        {"--check-maps 64", put_action, " check-maps, list 0, check 64"},
        {"--check-maps", put_action, " check-maps, list 0, check 2048"},
        {"--dry-run", put_action, " dry-run, list 0, check 2048, in words"},
        {"--dry-run -f table", put_action, " dry-run, list 0, check 2048, in words"},
        {"--dry-run -f json", put_action, " dry-run, list 0, check 2048"},
        {"--dry-run -o plan.json", put_action, " dry-run, list 0, check 2048"},
        /* these end the parsing */
        {"--list --help --n 0 foo", put_action, " help, list 0, check 2048"},
        {"-n 5 -V --nonsense", put_action, " version, list 0, check 2048"},
    };
    (void)state;
    for (size_t r = 0; r < COUNT(rows); r++) {
        command c;
        char *text = NULL;
        size_t size = 0;
        td_options o = parsed(rows[r].line, &c);
        FILE *out = open_memstream(&text, &size);
        rows[r].put(out, &o);
        fclose(out);
        td_options_free(&o);
        if (strcmp(text, rows[r].expected) != 0) {
            fail_msg("'%s': '%s', not '%s'", rows[r].line, text, rows[r].expected);
        }
        free(text);
    }
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

static void every_value_reaches_its_field(void **state)
{
    command c;
    td_options o = parsed("--seed 18446744073709551615 --cache cold --schedule persistent "
                          "--steps 0 --shard 2/7 --verify none --ranks=rows",
                          &c);
    (void)state;
    assert_true(o.seed == UINT64_MAX && o.protocol.seed == UINT64_MAX);
    assert_int_equal(o.protocol.cache, TD_CACHE_COLD);
    assert_false(o.protocol.inexact);
    assert_false(o.protocol.verify);
    assert_int_equal(o.schedules, 1U << TD_SCHEDULE_PERSISTENT);
    assert_string_equal(td_options_word(&o, "steps"), "0");
    assert_null(td_options_word(&o, "rule"));
    assert_int_equal(o.shard_index, 2);
    assert_int_equal(o.shard_count, 7);
    assert_true(o.shares_domain && o.partition == TD_BY_ROWS);
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
            snprintf(line, sizeof line, "-w %s --set %s=%s", td_workloads[w]->name, parameter->name,
                     parameter->preset);
            td_options o = parsed(line, &c);
            assert_string_equal(td_options_word(&o, parameter->name), parameter->preset);
            td_options_free(&o);
        }
    }
}

/* Of five tasks from 10 on. */
static void slurm_tasks_count_from_their_first(void **state)
{
    static const struct {
        const char *id, *step;
        int shard;
        const char *error; /* NULL: accepted */
    } rows[] = {{"14", "1", 4, NULL},
                {"14", "2", 2, NULL},
                {"15", "1", 0, "auto in a Slurm job array of consecutive tasks"}, /* a hole */
                {"9", "1", 0, "auto in a Slurm job array of consecutive tasks"},
                {"x", "1", 0, "SLURM_ARRAY_TASK_ID, got 'x'"},
                {"14", "0", 0, "SLURM_ARRAY_TASK_STEP, got '0'"}};
    (void)state;
    setenv("SLURM_ARRAY_TASK_MIN", "10", 1);
    setenv("SLURM_ARRAY_TASK_COUNT", "5", 1);
    for (size_t i = 0; i < COUNT(rows); i++) {
        command c;
        setenv("SLURM_ARRAY_TASK_ID", rows[i].id, 1);
        setenv("SLURM_ARRAY_TASK_STEP", rows[i].step, 1);
        read_line("--shard auto", &c);
        if (rows[i].error != NULL) {
            assert_int_equal(c.status, TD_USAGE);
            assert_non_null(strstr(c.error.text, rows[i].error));
        } else {
            assert_int_equal(c.options.shard_index, rows[i].shard);
            assert_int_equal(c.options.shard_count, 5);
        }
        td_options_free(&c.options);
    }
    unsetenv("SLURM_ARRAY_TASK_STEP");
    unsetenv("SLURM_ARRAY_TASK_ID");
    unsetenv("SLURM_ARRAY_TASK_MIN");
    unsetenv("SLURM_ARRAY_TASK_COUNT");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_are_as_documented),
        cmocka_unit_test(lists_are_what_was_given),
        cmocka_unit_test(sets_hold_their_dimension),
        cmocka_unit_test(every_value_reaches_its_field),
        cmocka_unit_test(every_parameter_of_a_workload_can_be_set),
        cmocka_unit_test(slurm_tasks_count_from_their_first),
    };
    return cmocka_run_group_tests_name("options", tests, NULL, NULL);
}
