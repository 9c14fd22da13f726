/* rle.c - reads the text of a pattern; rle_rule.c reads its rule. */
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

static td_status reject(const reader *r, const char *what)
{
    return td_fail(r->error, TD_USAGE, "%.240s: line %u, column %u: %s", r->name, r->line,
                   (uint32_t)(r->next - r->line_start) + 1, what);
}

static td_status reject_found(const reader *r, const char *expected)
{
    const td_span found = {r->next, 1};
    char what[192];
    if (r->next == r->end) {
        snprintf(what, sizeof what, "expected %s, the file ends", expected);
    } else {
        snprintf(what, sizeof what, "expected %s, got '%s'", expected, td_show_value(found).text);
    }
    return reject(r, what);
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

/* Skip white space, and comments at the beginning of a line. */
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

/* Read a symbol, in either case, after blanks. */
static td_status expect(reader *r, char symbol, const char *expected)
{
    skip_blanks(r);
    if (r->next == r->end || strncasecmp(r->next, &symbol, 1) != 0) {
        return reject_found(r, expected);
    }
    r->next++;
    return TD_OK;
}

/* Read one side from the header. */
static td_status read_side(reader *r, uint32_t *side)
{
    uint64_t value = 0;
    skip_blanks(r);
    td_span digits = {r->next, 0};
    while (r->next + digits.length < r->end && td_is_digit(r->next[digits.length])) {
        digits.length++;
    }
    if (digits.length == 0) {
        return reject_found(r, "a whole number");
    }
    if (!td_parse_u64(digits, 1, TD_RLE_SIDE, &value)) {
        return reject(r, "expected a side in 1..1048576");
    }
    r->next += digits.length;
    *side = (uint32_t)value;
    return TD_OK;
}

static td_status read_field(reader *r, char name, const char *expected, uint32_t *side)
{
    TRY(expect(r, name, expected));
    TRY(expect(r, '=', "'='"));
    return read_side(r, side);
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
        return reject_found(r, "'rule'");
    }
    r->next += 4;
    TRY(expect(r, '=', "'='"));
    skip_blanks(r);
    td_span word = {r->next, 0};
    while (r->next + word.length < r->end && !is_space(r->next[word.length])) {
        word.length++;
    }
    if (td_rle_rule(word.text, word.length, rule, &why) != TD_OK) {
        return reject(r, why.text);
    }
    r->next += word.length;
    return TD_OK;
}

static td_status read_header(reader *r, td_pattern *pattern)
{
    skip_space(r);
    TRY(read_field(r, 'x', "a header 'x = ..., y = ...'", &pattern->width));
    TRY(expect(r, ',', "','"));
    TRY(read_field(r, 'y', "'y = ...'", &pattern->height));
    pattern->rule = 2333;
    skip_blanks(r);
    if (!at_line_end(r)) {
        TRY(expect(r, ',', "',' or the end of the line"));
        TRY(read_rule(r, &pattern->rule));
        skip_blanks(r);
        if (!at_line_end(r)) {
            return reject_found(r, "the end of the line");
        }
    }
    return (uint64_t)pattern->width * pattern->height <= TD_RLE_CELLS
               ? TD_OK
               : reject(r, "expected a pattern of at most 2^30 cells");
}

static td_status add_digit(reader *r, cursor *c)
{
    c->count = c->count * 10 + (uint64_t)(*r->next - '0');
    c->counted = true;
    return c->count <= count_limit ? TD_OK : reject(r, "expected a count of at most 2^32");
}

/* Add a run of cells; pattern->cells is NULL while the text is only checked. */
static td_status add_cells(reader *r, cursor *c, const td_pattern *pattern, bool alive)
{
    if (c->y >= pattern->height) {
        return reject(r, "cells below the height in the header");
    }
    if (c->count > pattern->width - c->x) {
        return reject(r, "cells beyond the width in the header");
    }
    if (pattern->cells != NULL && alive) {
        memset(pattern->cells + c->y * pattern->width + c->x, 1, (size_t)c->count);
    }
    c->x += c->count;
    return TD_OK;
}

/* '$' after the last row is common and harmless; more rows than that are not. */
static td_status add_rows(reader *r, cursor *c, const td_pattern *pattern)
{
    c->x = 0;
    c->y += c->count;
    return c->y <= pattern->height ? TD_OK : reject(r, "rows below the height in the header");
}

static td_status add_run(reader *r, cursor *c, const td_pattern *pattern)
{
    td_status status;
    if (c->counted && c->count == 0) {
        return reject(r, "unexpected count of 0");
    }
    if (!c->counted) {
        c->count = 1;
    }
    if (*r->next == 'b' || *r->next == 'o') {
        status = add_cells(r, c, pattern, *r->next == 'o');
    } else if (*r->next == '$') {
        status = add_rows(r, c, pattern);
    } else {
        status = reject_found(r, "a count, 'b', 'o', '$' or '!'");
    }
    c->count = 0;
    c->counted = false;
    return status;
}

/* Read everything between the header and '!'. */
static td_status read_runs(reader *r, const td_pattern *pattern)
{
    cursor c = {0};
    for (skip_space(r);; skip_space(r)) {
        if (r->next == r->end) {
            return reject_found(r, "'!'");
        }
        if (*r->next == '!') {
            return c.counted ? reject(r, "unexpected count before '!'") : TD_OK;
        }
        TRY(td_is_digit(*r->next) ? add_digit(r, &c) : add_run(r, &c, pattern));
        r->next++;
    }
}

/* The text is read twice, so that nothing is allocated for an invalid file. */
static td_status read_pattern(reader *r, td_pattern *pattern)
{
    TRY(read_header(r, pattern));
    const reader body = *r;
    TRY(read_runs(r, pattern));
    TRY(td_allocate(&pattern->cells, pattern->height, pattern->width, r->error,
                    "the cells of %.240s", r->name));
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
