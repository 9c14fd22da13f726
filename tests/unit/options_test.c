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

/* ---- what a command line means, in words: a line each ---- */

static void put_choices(FILE *out, const char *title, const td_choice *items, size_t count)
{
    fputs(title, out);
    for (size_t i = 0; i < count; i++) { /* "!": asked for by name */
        const td_choice *c = &items[i];
        c->strategy != NULL ? fprintf(out, " %s", c->strategy->name)
                            : fprintf(out, " %s/%d", c->workload->name, c->workload->dimension);
        fputs(c->by_name ? "!" : "", out);
    }
    fputc('\n', out);
}

static void put_shapes(FILE *out, const char *title, const td_shapes *list)
{
    fprintf(out, "%s%s", title, list->all ? " all" : "");
    for (size_t i = 0; i < list->count; i++) {
        const td_shape s = list->shapes[i];
        if (s.is_side && s.y == s.x && s.z == 0) {
            fprintf(out, " %u", s.x);
        } else {
            fprintf(out, s.z > 0 ? " %ux%ux%u" : " %ux%u", s.x, s.y, s.z);
        }
    }
    fputc('\n', out);
}

static void put_settings(FILE *out, const char *title, const td_setting *list, size_t count)
{
    fputs(title, out);
    for (size_t i = 0; i < count; i++) {
        fprintf(out, " %s=%s", list[i].name, list[i].text);
    }
    fputc('\n', out);
}

static void put_numbers(FILE *out, const td_options *o)
{
    const td_protocol *p = &o->protocol;
    fprintf(out, "kernels and schedules: %x %x\n", o->kernels, o->schedules);
    fprintf(out, "protocol: %u samples, %g, %u warm-up, %g s%s%s%s\n", p->samples, p->precision,
            p->warmup, p->max_time_s, p->verify ? "" : ", unverified", p->inexact ? ", beyond" : "",
            p->cache == TD_CACHE_COLD ? ", cold" : "");
    fprintf(out, "engine: %s, device %s, %u threads, timeout %g s\n",
            o->engine != NULL ? o->engine->name : "auto", o->device != NULL ? o->device : "0",
            o->threads, o->timeout_s);
    fprintf(out, "baseline: %s\n",
            o->no_baseline        ? "none"
            : o->baseline != NULL ? o->baseline->name
                                  : "default");
    fprintf(out, "seed: %llu %llu\n", (unsigned long long)o->seed, (unsigned long long)p->seed);
    fprintf(out, "parts: shard %u of %u, ranks %d by %s\n", o->shard_index, o->shard_count,
            o->shares_domain, td_partition_names[o->partition]);
    fprintf(out, "dump: %s, every %u\n", o->dump != NULL ? o->dump : "none", o->every);
    fprintf(out, "looks: layout %d, verbosity %d, color %d\n", (int)o->layout, o->verbosity,
            (int)o->color);
}

static void put_all(FILE *out, const td_options *o)
{
    static const char *const formats[] = {"json", "jsonl", "csv", "table", "md"};
    static const char *const actions[] = {"run",  "dry-run",    "list", "show",
                                          "emit", "check-maps", "help", "version"};
    put_choices(out, "\nstrategies:", o->strategies, o->strategy_count);
    put_choices(out, "workloads:", o->workloads, o->workload_count);
    put_shapes(out, "n:", &o->n);
    put_shapes(out, "blocks:", &o->blocks);
    put_shapes(out, "tiles:", &o->tiles);
    put_shapes(out, "cutoffs:", &o->cutoffs);
    put_shapes(out, "groups:", &o->groups);
    put_settings(out, "settings:", o->settings, o->setting_count);
    put_settings(out, "labels:", o->labels, o->label_count);
    put_numbers(out, o);
    fputs("outputs:", out);
    for (size_t i = 0; i < o->output_count; i++) { /* "<": continued */
        const td_target *t = &o->outputs[i];
        fprintf(out, " %s=%s%s", t->path, formats[t->format], t->resumes ? "<" : "");
    }
    fprintf(out, "\naction: %s, list %d, check %u%s\n", actions[o->action], (int)o->list_what,
            o->check_maps_n, td_options_want_plan_in_words(o) ? ", in words" : "");
}

TEST(command_lines_mean_what_is_documented)
{
    static const struct {
        const char *line, *expected;
    } rows[] = {
        {"", "strategies: bb ltm-r rec utm utm-t rb"},
        {"-s paper,ltm,ltm-i,bb", "strategies: bb! ltm-r! rec utm utm-t rb ltm-i!"},
        {"-s rb,lt[mn]-[ir],ltm", "strategies: rb! ltm-r! ltm-i"},
        {"-s bb -s rb", "strategies: rb!"},
        {"", "workloads: dummy/2! dummy/3!"},
        {"-w edm?,coll*,edm2", "workloads: edm1/2 edm2/2! edm3/2 edm4/2 collision/2"},
        {"-w gol,life", "workloads: gol/2! life/2! life/3!"},
        {"", "n: 8192"},
        {"-n 7,1:9:2,5,10:29:10", "n: 7 1 3 5 7 9 5 10 20"},
        {"-n 1024:5000:*2,5000,3:2999:*10", "n: 1024 2048 4096 5000 3 30 300"},
        {"-n 5 -n 6,7", "n: 6 7"},
        {"-n 1048576,1,1", "n: 1048576 1 1"},
        {"", "blocks:"},
        {"-b 4:32:*2", "blocks: 4 8 16 32"},
        /* 16 and 16x16 are the same in 2D only */
        {"-b 16,64x4,8x8x8,16x16,8:32:8,64x4", "blocks: 16 64x4 8x8x8 16x16 8 16 24 32 64x4"},
        {"-b 8 -b 64x4", "blocks: 64x4"},
        {"-b 1024x1,1x1x64 --tune", "blocks: 1024x1 1x1x64"},
        {"-b 16 -b all", "blocks: all"},
        {"-b all -b 16", "blocks: 16"},
        {"--tune", "blocks: all"},
        {"", "tiles:"},
        {"--tile 64,64x4,16x16,4x64,16:32:16,64x4", "tiles: 64 64x4 16 4x64 16 32 64x4"},
        {"--tile all", "tiles: all"},
        {"--tune", "tiles: all"},
        {"", "kernels and schedules: 1 1"},
        {"--kernel loop,all --schedule dynamic,grid", "kernels and schedules: 14 9"},
        {"--tune --kernel tile", "kernels and schedules: 8 10"},
        {"--precision 1%", "protocol: 501 samples, 0.01, 3 warm-up, 10 s"},
        {"--precision 0.5% --samples 9", "protocol: 9 samples, 0.005, 3 warm-up, 10 s"},
        {"--tune", "protocol: 51 samples, 0.005, 0 warm-up, 0.5 s"},
        {"--tune --samples 9 --warmup 2", "protocol: 9 samples, 0, 2 warm-up, 0.5 s"},
        {"--tune --precision 2% --max-time 5", "protocol: 501 samples, 0.02, 0 warm-up, 5 s"},
        {"--timing once", "protocol: 1 samples, 0, 0 warm-up, 10 s, unverified"},
        {"-o a.json -o b.jsonl --output c.csv -o d.txt -o e -o f.json:csv -o -:table -o g.md",
         "outputs: a.json=json b.jsonl=jsonl c.csv=csv d.txt=table e=json f.json=csv -=table "
         "g.md=md"},
        {"", "outputs: -=json"},
        /* a given format beats a guess, and a resumed file is jsonl whatever its name */
        {"-o a -o a.b/c -o b.csv:json -f csv -f table", "outputs: a=table a.b/c=table b.csv=json"},
        {"-o a:b -o .csv -o :csv -o x.y/z", "outputs: a:b=json .csv=json :csv=json x.y/z=json"},
        {"-o a.json -o b.csv --resume a.json", "outputs: a.json=jsonl< b.csv=csv"},
        {"", "dump: none, every 0"},
        {"--dump a.npy", "dump: a.npy, every 0"},
        {"--dump a:b --dump c:d:3", "dump: c:d, every 3"},
        {"--dump a:3 --dump b:c", "dump: b:c, every 0"},
        {"--label a=1 --label b=x=y --label a=2", "labels: a=2 b=x=y"},
        {"--steps 5 --set rule=2333,steps=6 --steps=7", "settings: steps=7 rule=2333"},
        {"--set density=.5 --set rule=0233", "settings: density=.5 rule=0233"},
        {"-w life --set memory=halo,strip,steps=2", "settings: memory=halo,strip steps=2"},
        {"--set steps=2,group=4,8:24:8,rule=2333", "groups: 4 8 16 24"},
        {"--set group=4 --set group=16", "groups: 16"},
        {"", "action: run, list 0, check 131072"},
        {"--list strategies --format json", "action: list, list 1, check 131072"},
        {"--list=engines", "action: list, list 4, check 131072"},
        {"--list", "action: list, list 0, check 131072"},
        {"--show -s rb", "action: show, list 0, check 131072"},
        {"--emit numba -s rb-b", "action: emit, list 0, check 131072"},
        {"--check-maps 64", "action: check-maps, list 0, check 64"},
        {"--check-maps", "action: check-maps, list 0, check 131072"},
        {"--dry-run", "action: dry-run, list 0, check 131072, in words"},
        {"--dry-run -f table", "action: dry-run, list 0, check 131072, in words"},
        {"--dry-run -f json", "action: dry-run, list 0, check 131072"},
        {"--dry-run -o plan.json", "action: dry-run, list 0, check 131072"},
        /* these end the parsing */
        {"--list --help --n 0 foo", "action: help, list 0, check 131072"},
        {"-n 5 -V --nonsense", "action: version, list 0, check 131072"},
        {"", "protocol: 51 samples, 0, 3 warm-up, 10 s"},
        {"", "engine: auto, device 0, 0 threads, timeout 300 s"},
        {"", "parts: shard 0 of 0, ranks 0 by cells"},
        {"--shard 2/7 --ranks=rows", "parts: shard 2 of 7, ranks 1 by rows"},
        {"", "cutoffs: 128"},
        {"", "baseline: default"},
        {"--baseline none", "baseline: none"},
        {"--baseline ltm", "baseline: ltm-r"},
        {"", "seed: 1 1"},
        {"--seed 18446744073709551615", "seed: 18446744073709551615 18446744073709551615"},
        {"--cache cold --verify none",
         "protocol: 51 samples, 0, 3 warm-up, 10 s, unverified, cold"},
        {"--verify beyond", "protocol: 51 samples, 0, 3 warm-up, 10 s, beyond"},
        {"-d GPU-0a1b2c3d-0000-1111-2222-333344445555 -e cpu --threads 2 --timeout 0",
         "engine: cpu, device GPU-0a1b2c3d-0000-1111-2222-333344445555, 2 threads, timeout 0 s"},
        {"--layout full -qv --color never", "looks: layout 1, verbosity 1, color 2"},
    };
    for (size_t r = 0; r < COUNT(rows); r++) {
        command c;
        char *text = NULL, expected[LINE_SIZE];
        size_t size = 0;
        td_options o = parsed(rows[r].line, &c);
        FILE *out = open_memstream(&text, &size);
        put_all(out, &o);
        fclose(out);
        td_options_free(&o);
        snprintf(expected, sizeof expected, "\n%s\n", rows[r].expected);
        if (strstr(text, expected) == NULL) {
            fail_msg("'%s': no '%s' in %s", rows[r].line, rows[r].expected, text);
        }
        free(text);
    }
}

TEST(sets_hold_their_dimension)
{
    command c;
    td_options o = parsed("--strategy 2d", &c);
    for (size_t i = 0; i < o.strategy_count; i++) {
        assert_int_equal(o.strategies[i].strategy->dimension, 2);
    }
    td_options_free(&o);
    o = parsed("--strategy all", &c);
    assert_int_equal(o.strategy_count, td_strategy_count);
    td_options_free(&o);
}

/* Every parameter can be set to each workload's default. */
TEST(every_parameter_of_a_workload_can_be_set)
{
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
TEST(slurm_tasks_count_from_their_first)
{
    static const struct {
        const char *id, *step;
        int shard; /* -1: rejected */
    } rows[] = {{"14", "1", 4},
                {"14", "2", 2},
                {"15", "1", -1}, /* a hole in the array */
                {"9", "1", -1},
                {"x", "1", -1}};
    setenv("SLURM_ARRAY_TASK_MIN", "10", 1);
    setenv("SLURM_ARRAY_TASK_COUNT", "5", 1);
    for (size_t i = 0; i < COUNT(rows); i++) {
        command c;
        setenv("SLURM_ARRAY_TASK_ID", rows[i].id, 1);
        setenv("SLURM_ARRAY_TASK_STEP", rows[i].step, 1);
        read_line("--shard auto", &c);
        assert_int_equal(c.status, rows[i].shard < 0 ? TD_USAGE : TD_OK);
        if (rows[i].shard >= 0) {
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
