/* command.h - turns a command line into options and a sweep, for tests. */
#ifndef TD_TESTS_UNIT_COMMAND_H
#define TD_TESTS_UNIT_COMMAND_H

#include "test.h"

#include <stdio.h>
#include <string.h>

#include "engine/cpu/row.h"
#include "engine/engine.h"
#include "engine/options/options.h"
#include "engine/sweep/sweep.h"

enum { MAX_WORDS = 64, LINE_SIZE = 512 };

/* A command line in one string: spaces separate words, `~` is a space within a word. */
typedef struct command {
    char text[sizeof "tribench " + LINE_SIZE];
    char *argv[MAX_WORDS + 2];
    int argc;
    td_options options;
    td_sweep sweep;
    td_error error;
    td_status status; /* of parsing, then of the sweep */
} command;

static inline void split(const char *line, command *c)
{
    memset(c, 0, sizeof *c);
    snprintf(c->text, sizeof c->text, "tribench %s", line);
    for (char *word = strtok(c->text, " "); word != NULL; word = strtok(NULL, " ")) {
        for (char *p = word; *p != '\0'; p++) {
            *p = *p == '~' ? ' ' : *p;
        }
        assert_true(c->argc <= MAX_WORDS);
        c->argv[c->argc++] = word;
    }
}

static inline void read_line(const char *line, command *c)
{
    split(line, c);
    c->status = td_options_parse(c->argc, c->argv, &c->options, &c->error);
}

static inline void parse(const char *line, command *c)
{
    read_line(line, c);
    if (c->status != TD_OK) {
        fail_msg("'%s': %s", line, c->error.text);
    }
}

static inline void make_for(const td_engine_ops *engine, const char *line, command *c)
{
    read_line(line, c);
    if (c->status == TD_OK) {
        c->status = td_sweep_make(&c->options, NULL, engine, &c->sweep, &c->error);
    }
}

static inline void make(const char *line, command *c)
{
    make_for(&td_cpu_ops, line, c);
}

/* The runs that a search tries. */
static inline void make_search(const td_engine_ops *engine, const char *words, command *c)
{
    char line[LINE_SIZE];
    snprintf(line, sizeof line, "--tune %s", words);
    make_for(engine, line, c);
    if (c->status != TD_OK) {
        fail_msg("'%s': %s", line, c->error.text);
    }
}

static inline void make_ok(const char *line, command *c)
{
    make(line, c);
    if (c->status != TD_OK) {
        fail_msg("'%s': %s", line, c->error.text);
    }
}

static inline void done(command *c)
{
    td_sweep_free(&c->sweep);
    td_options_free(&c->options);
}

#endif
