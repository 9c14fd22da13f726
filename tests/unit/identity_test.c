/*
 * identity_test.c - different measurements have different names: each option changes the key, is reported beside the
 * time, or does not affect the time.
 *
 * A new option fails here until it has its row.
 */
#include "test.h"

#include <stdio.h>
#include <string.h>

#include "command.h"
#include "engine/options/option_table.h"
#include "report/format/document.h"

typedef enum kind {
    IN_KEY,   /* changes the measurement: --resume, merge and compare tell the runs apart */
    REPORTED, /* how well or where it is measured: `with` is the column that reports it */
    APART,    /* does not affect the time; `with` is the reason */
    INSTEAD   /* nothing is measured */
} kind;

typedef struct row {
    const char *option;
    kind kind;
    const char *with;    /* for IN_KEY and INSTEAD: the words of a command line */
    const char *without; /* for IN_KEY: another value, or the option left out */
} row;

static const row rows[] = {
    {"strategy", IN_KEY, "-s ltm-r", "-s rb"},
    {"workload", IN_KEY, "-w edm1", "-w edm4"},
    {"n", IN_KEY, "-n 64", "-n 65"},
    {"block", IN_KEY, "-b 8", "-b 16"},
    {"tile", IN_KEY, "-b 8 --tile 16", "-b 8"},
    {"cutoff", IN_KEY, "-s dp --cutoff 16", "-s dp --cutoff 32"},
    {"layout", IN_KEY, "-w edm1 --layout full", "-w edm1"},
    {"kernel", IN_KEY, "-w edm1 --tile 128 --kernel tile", "-w edm1 --tile 128 --kernel loop"},
    {"schedule", IN_KEY, "--schedule persistent", ""},
    {"engine", REPORTED, "engine", NULL},
    {"device", REPORTED, "device", NULL},
    {"threads", IN_KEY, "--threads 1", "--threads 2"},
    {"baseline", REPORTED, "improvement.baseline", NULL},
    {"samples", REPORTED, "samples.count", NULL},
    {"precision", REPORTED, "samples.precision", NULL},
    {"warmup", REPORTED, "samples.warmup", NULL},
    {"max-time", REPORTED, "samples.count", NULL},
    {"timeout", APART, "ends a run that hangs, which has no time then", NULL},
    {"cache", IN_KEY, "--cache cold", ""},
    {"timing", IN_KEY, "--timing host", "--timing once"},
    {"energy", APART, "is counted in launches after the samples", NULL},
    {"verify", REPORTED, "verified.status", NULL},
    {"input", IN_KEY, "-w edm1 --input a.csv", "-w edm1"},
    {"seed", IN_KEY, "--seed 2", ""},
    {"output", APART, "says where the result goes", NULL},
    {"format", APART, "says how it is written", NULL},
    {"label", APART, "is free text", NULL},
    {"dump", APART, "writes the output of the verification", NULL},
    {"resume", APART, "leaves runs out", NULL},
    {"quiet", APART, "is about stderr", NULL},
    {"verbose", APART, "is about stderr", NULL},
    {"color", APART, "is about a terminal", NULL},
    {"steps", IN_KEY, "-w gol --steps 3", "-w gol"},
    {"memory", IN_KEY, "-w life -s bb --memory strip", "-w life -s bb"},
    {"cell", IN_KEY, "-w life -s bb --cell u32", "-w life -s bb"},
    {"set", IN_KEY, "-w gol --set density=0.5", "-w gol"},
    {"shard", APART, "leaves whole groups out", NULL},
    {"ranks", IN_KEY, "--ranks=rows -s ltm-i", "--ranks -s ltm-i"},
    {"tune", APART, "chooses runs, and each has the key that it has without a search", NULL},
    {"list", INSTEAD, "--list", NULL},
    {"show", INSTEAD, "--show", NULL},
    {"emit", INSTEAD, "--emit cuda", NULL},
    {"dry-run", INSTEAD, "--dry-run", NULL},
    {"check-maps", INSTEAD, "--check-maps", NULL},
    {"help", INSTEAD, "--help", NULL},
    {"version", INSTEAD, "--version", NULL},
};

TEST(every_option_is_classified)
{
    assert_int_equal(COUNT(rows), td_option_count);
    for (size_t i = 0; i < td_option_count; i++) {
        if (strcmp(rows[i].option, td_option_table[i].name) != 0) {
            fail_msg("--%s: does it change what is measured? Say so in a row here",
                     td_option_table[i].name);
        }
    }
}

/* The key of the only run of a command line. Options that it leaves out have small values. */
static void key_of(const char *words, char key[TD_KEY_SIZE])
{
    char line[LINE_SIZE];
    command c;
    snprintf(line, sizeof line, "-s bb -w write -n 64 --baseline none %s", words);
    parse(line, &c);
    c.options.part_count = c.options.shares_domain ? 2 : 0; /* as the driver sets it */
    if (td_sweep_make(&c.options, NULL, &td_cpu_ops, &c.sweep, &c.error) != TD_OK) {
        fail_msg("'%s': %s", line, c.error.text);
    }
    assert_int_equal(c.sweep.run_count, 1);
    memcpy(key, c.sweep.runs[0].key, TD_KEY_SIZE);
    done(&c);
}

TEST(what_changes_the_measurement_changes_the_key)
{
    for (size_t i = 0; i < COUNT(rows); i++) {
        char with[TD_KEY_SIZE], without[TD_KEY_SIZE];
        if (rows[i].kind != IN_KEY) {
            continue;
        }
        key_of(rows[i].with, with);
        key_of(rows[i].without, without);
        if (strcmp(with, without) == 0) {
            fail_msg("'%s' and '%s' have one key: %s", rows[i].with, rows[i].without, with);
        }
    }
}

TEST(every_parameter_of_a_workload_is_in_its_key)
{
    for (size_t w = 0; w < td_workload_count; w++) {
        for (size_t p = 0; p < td_workloads[w]->parameter_count; p++) {
            if (td_workloads[w]->parameters[p].key == NULL) {
                fail_msg("%s --%s is not in the key", td_workloads[w]->name,
                         td_workloads[w]->parameters[p].name);
            }
        }
    }
}

TEST(what_is_reported_has_a_column)
{
    command c;
    td_text names = {0};
    char column[64];
    const char *missing = NULL;
    parse("", &c);
    const td_document document = {.options = &c.options, .environment = {.has_gpu = true}};
    td_document_forms[TD_FORMAT_CSV].begin(&document, &names);
    for (size_t i = 0; i < COUNT(rows); i++) {
        snprintf(column, sizeof column, ",%s,", rows[i].with); /* it is neither first nor last */
        if (rows[i].kind == REPORTED && strstr(names.data, column) == NULL) {
            missing = rows[i].option;
        }
    }
    td_text_free(&names);
    done(&c);
    if (missing != NULL) {
        fail_msg("--%s: the record has no such column", missing);
    }
}

/* Threads are host threads; a run on a device does not depend on them. */
TEST(threads_are_in_the_key_where_the_host_computes)
{
    td_engine_ops device = td_cpu_ops;
    command c;
    device.can.device_memory = true;
    parse("-s bb -w write -n 64 --threads 2", &c);
    assert_int_equal(td_sweep_make(&c.options, NULL, &device, &c.sweep, &c.error), TD_OK);
    assert_string_equal(c.sweep.runs[0].key, "cpu/write/bb/n64/b16x16/t16/packed/seed1");
    done(&c);
}
