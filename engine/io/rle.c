/* The text of a pattern. Rules are rle_rule.c. */
#include "rle.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "engine/core/span.h"
#include "file.h"

static const uint64_t count_limit = (uint64_t)1 << 32;

typedef struct reader {
    const char *name;
    const char *next;
    const char *end;
    const char *line_start;
    uint32_t line; /* from 1 */
    td_error *error;
} reader;

/* Where the next cell goes. */
typedef struct cursor {
    uint64_t x, y;
    uint64_t count; /* of the run being read, 0 without digits */
    bool counted;
} cursor;

static td_status refuse(const reader *r, const char *what)
{
    return td_fail(r->error, TD_USAGE, "%.240s: line %u, column %u: %s", r->name, r->line,
                   (uint32_t)(r->next - r->line_start) + 1, what);
}

static td_status refuse_found(const reader *r, const char *wanted)
{
    char quoted[32];
    char what[128];
    if (r->next == r->end) {
        snprintf(what, sizeof what, "%s, the file ends", wanted);
    } else {
        snprintf(what, sizeof what, "%s, found '%s'", wanted, td_quote(r->next, 1, quoted));
    }
    return refuse(r, what);
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static void step(reader *r)
{
    if (*r->next == '\n') {
        r->line++;
        r->line_start = r->next + 1;
    }
    r->next++;
}

/* White space, and comments where a line begins. */
static void skip_space(reader *r)
{
    while (r->next < r->end) {
        if (*r->next == '#' && r->next == r->line_start) {
            while (r->next < r->end && *r->next != '\n') {
                r->next++;
            }
        } else if (is_space(*r->next)) {
            step(r);
        } else {
            return;
        }
    }
}

static void skip_blanks(reader *r)
{
    while (r->next < r->end && (*r->next == ' ' || *r->next == '\t')) {
        r->next++;
    }
}

/* The symbol after blanks, in either case. */
static td_status expect(reader *r, char symbol, const char *wanted)
{
    skip_blanks(r);
    if (r->next == r->end || strncasecmp(r->next, &symbol, 1) != 0) {
        return refuse_found(r, wanted);
    }
    r->next++;
    return TD_OK;
}

/* One side of the header: a number in 1..2^20. */
static td_status read_side(reader *r, uint32_t *side)
{
    skip_blanks(r);
    const char *from = r->next;
    uint32_t value = 0;
    for (; r->next < r->end && td_is_digit(*r->next) && value <= TD_RLE_SIDE; r->next++) {
        value = value * 10 + (uint32_t)(*r->next - '0');
    }
    if (from == r->next) {
        return refuse_found(r, "a whole number is wanted");
    }
    if (value < 1 || value > TD_RLE_SIDE) {
        r->next = from;
        return refuse(r, "a side in 1..1048576 is wanted");
    }
    *side = value;
    return TD_OK;
}

static td_status read_field(reader *r, char name, const char *wanted, uint32_t *side)
{
    td_status status = expect(r, name, wanted);
    if (status == TD_OK) {
        status = expect(r, '=', "'=' is wanted");
    }
    return status == TD_OK ? read_side(r, side) : status;
}

static bool at_line_end(const reader *r)
{
    return r->next == r->end || *r->next == '\n' || *r->next == '\r';
}

static td_status read_rule(reader *r, uint32_t *rule)
{
    td_error why = {{0}};
    skip_blanks(r);
    if (r->end - r->next < 4 || strncasecmp(r->next, "rule", 4) != 0) {
        return refuse_found(r, "'rule' is wanted");
    }
    r->next += 4;
    const td_status status = expect(r, '=', "'=' is wanted");
    if (status != TD_OK) {
        return status;
    }
    skip_blanks(r);
    const char *from = r->next;
    const char *to = from;
    while (to < r->end && !is_space(*to)) {
        to++;
    }
    if (td_rle_rule(from, (size_t)(to - from), rule, &why) != TD_OK) {
        return refuse(r, why.text);
    }
    r->next = to;
    return TD_OK;
}

static td_status read_header(reader *r, td_pattern *pattern)
{
    skip_space(r);
    td_status status = read_field(r, 'x', "a header 'x = ..., y = ...' is wanted", &pattern->width);
    if (status == TD_OK) {
        status = expect(r, ',', "',' is wanted");
    }
    if (status == TD_OK) {
        status = read_field(r, 'y', "'y = ...' is wanted", &pattern->height);
    }
    if (status != TD_OK) {
        return status;
    }
    pattern->rule = 2333;
    skip_blanks(r);
    if (!at_line_end(r)) {
        status = expect(r, ',', "',' or the end of the line is wanted");
        if (status == TD_OK) {
            status = read_rule(r, &pattern->rule);
        }
        skip_blanks(r);
        if (status == TD_OK && !at_line_end(r)) {
            return refuse_found(r, "the end of the line is wanted");
        }
    }
    if (status == TD_OK && (uint64_t)pattern->width * pattern->height > TD_RLE_CELLS) {
        return refuse(r, "a pattern of at most 2^30 cells is wanted");
    }
    return status;
}

static td_status add_digit(reader *r, cursor *c)
{
    c->count = c->count * 10 + (uint64_t)(*r->next - '0');
    c->counted = true;
    return c->count <= count_limit ? TD_OK : refuse(r, "a count of at most 2^32 is wanted");
}

/* A run of cells; cells is NULL where the text is only checked. */
static td_status add_cells(reader *r, cursor *c, const td_pattern *pattern, bool alive)
{
    if (c->y >= pattern->height) {
        return refuse(r, "cells below the height that the header says");
    }
    if (c->count > pattern->width - c->x) {
        return refuse(r, "cells beyond the width that the header says");
    }
    if (pattern->cells != NULL && alive) {
        memset(pattern->cells + c->y * pattern->width + c->x, 1, (size_t)c->count);
    }
    c->x += c->count;
    return TD_OK;
}

/* '$' behind the last row is common and harmless; more rows than that are not. */
static td_status add_rows(reader *r, cursor *c, const td_pattern *pattern)
{
    c->x = 0;
    c->y += c->count;
    return c->y <= pattern->height ? TD_OK
                                   : refuse(r, "rows below the height that the header says");
}

static td_status add_run(reader *r, cursor *c, const td_pattern *pattern)
{
    td_status status;
    if (c->counted && c->count == 0) {
        return refuse(r, "a count of 0");
    }
    if (!c->counted) {
        c->count = 1;
    }
    if (*r->next == 'b' || *r->next == 'o') {
        status = add_cells(r, c, pattern, *r->next == 'o');
    } else if (*r->next == '$') {
        status = add_rows(r, c, pattern);
    } else {
        status = refuse_found(r, "a count, 'b', 'o', '$' or '!' is wanted");
    }
    c->count = 0;
    c->counted = false;
    return status;
}

/* Everything between the header and '!'. */
static td_status read_runs(reader *r, const td_pattern *pattern)
{
    cursor c = {0};
    td_status status = TD_OK;
    for (skip_space(r); status == TD_OK; skip_space(r)) {
        if (r->next == r->end) {
            return refuse(r, "'!' is wanted, the file ends");
        }
        if (*r->next == '!') {
            return c.counted ? refuse(r, "a count before '!'") : TD_OK;
        }
        status = td_is_digit(*r->next) ? add_digit(r, &c) : add_run(r, &c, pattern);
        if (status == TD_OK) {
            r->next++;
        }
    }
    return status;
}

/* The text is read twice, so that nothing is allocated for a file that is not sound. */
static td_status read_pattern(reader *r, td_pattern *pattern)
{
    td_status status = read_header(r, pattern);
    const reader body = *r;
    if (status == TD_OK) {
        status = read_runs(r, pattern);
    }
    if (status != TD_OK) {
        return status;
    }
    pattern->cells = calloc(pattern->height, pattern->width);
    if (pattern->cells == NULL) {
        return td_fail(r->error, TD_NO_MEMORY, "%.240s: no memory for %u x %u cells", r->name,
                       pattern->width, pattern->height);
    }
    *r = body;
    return read_runs(r, pattern);
}

td_status td_rle_parse(const char *text, size_t length, const char *name, td_pattern *pattern,
                       td_error *error)
{
    reader r = {name, text, text + length, text, 1, error};
    memset(pattern, 0, sizeof *pattern);
    const td_status status = read_pattern(&r, pattern);
    if (status != TD_OK) {
        td_pattern_free(pattern);
    }
    return status;
}

td_status td_rle_read(const char *path, td_pattern *pattern, td_error *error)
{
    td_file_content text;
    td_status status = td_file_text(path, &text, error);
    memset(pattern, 0, sizeof *pattern);
    if (status == TD_OK) {
        status = td_rle_parse(text.bytes, text.length, path, pattern, error);
    }
    free(text.bytes);
    return status;
}

void td_pattern_free(td_pattern *pattern)
{
    free(pattern->cells);
    memset(pattern, 0, sizeof *pattern);
}
