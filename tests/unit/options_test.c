/* options_test.c - accepted command lines, and the options that they set. */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "engine/options/option_table.h"
#include "engine/options/parameters.h"
#include "shown.h"

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
    fprintf(out, "seed: %llu\n", (unsigned long long)p->seed);
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
    put_choices(out, "strategies:", o->strategies, o->strategy_count);
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

/* To be freed. */
static char *meaning_of(const char *line)
{
    command c;
    char *text = NULL;
    size_t size = 0;
    td_options o = parsed(line, &c);
    FILE *out = open_memstream(&text, &size);
    put_all(out, &o);
    fclose(out);
    td_options_free(&o);
    return text;
}

/* All of what the empty command line means; of others what differs. */
static void put_meaning(const char *line, td_text *text)
{
    char *presets = meaning_of(""), *meaning = meaning_of(line);
    for (const char *a = presets, *b = meaning; *b != '\0';) {
        const size_t before = strcspn(a, "\n") + 1, now = strcspn(b, "\n") + 1;
        if (line[0] == '\0' || before != now || strncmp(a, b, now) != 0) {
            td_text_print(text, "%.*s", (int)now, b);
        }
        a += before;
        b += now;
    }
    free(presets);
    free(meaning);
}

TEST(command_lines_mean_what_is_shown)
{
    lines_are_as_shown(put_meaning, "tests/data/shown/options.txt");
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
