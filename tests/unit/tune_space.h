/* tune_space.h - the search space of a command line with --tune, for tests. */
#ifndef TD_TESTS_UNIT_TUNE_SPACE_H
#define TD_TESTS_UNIT_TUNE_SPACE_H

#include "test.h"

#include <stdio.h>
#include <string.h>

#include "engine/engine.h"
#include "engine/options/options.h"
#include "engine/sweep/sweep.h"
#include "report/format/record.h"

typedef struct fixture {
    td_options options;
    td_sweep space;
    char words[512];
    char *argv[32];
} fixture;

/* line: words of a command line, with single blanks. */
static inline td_status make_from(fixture *f, const td_engine_ops *engine, const char *first,
                                  const char *line, td_error *error)
{
    int argc = 0;
    memset(f, 0, sizeof *f);
    snprintf(f->words, sizeof f->words, "%s %s", first, line);
    for (char *rest = f->words, *word; (word = strtok_r(rest, " ", &rest)) != NULL;) {
        f->argv[argc++] = word;
    }
    assert_int_equal(td_options_parse(argc, f->argv, &f->options, error), TD_OK);
    return td_sweep_make(&f->options, NULL, engine, &f->space, error);
}

static inline td_status make(fixture *f, const td_engine_ops *engine, const char *line,
                             td_error *error)
{
    return make_from(f, engine, "tribench --tune", line, error);
}

/* An ordinary sweep. */
static inline td_status make_plain(fixture *f, const td_engine_ops *engine, const char *line,
                                   td_error *error)
{
    return make_from(f, engine, "tribench", line, error);
}

static inline void made(fixture *f, const td_engine_ops *engine, const char *line)
{
    td_error error = {""};
    if (make(f, engine, line, &error) != TD_OK) {
        fail_msg("%s: %s", line, error.text);
    }
}

static inline void end(fixture *f)
{
    td_sweep_free(&f->space);
    td_options_free(&f->options);
}

#endif
