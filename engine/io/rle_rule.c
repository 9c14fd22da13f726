/* rle_rule.c - reads rules in words: which counts of live neighbours let a cell live. */
#include "rle.h"

#include <string.h>

#include "engine/core/span.h"

/* Sets of counts 0..8 as bits. */
typedef struct conditions {
    uint32_t birth, survival;
} conditions;

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* Read digits 0..8, each at most once. Returns where they end, or NULL if one comes twice. */
static const char *read_counts(const char *p, const char *end, uint32_t *counts)
{
    *counts = 0;
    for (; p < end && *p >= '0' && *p <= '8'; p++) {
        const uint32_t bit = 1U << (*p - '0');
        if ((*counts & bit) != 0) {
            return NULL;
        }
        *counts |= bit;
    }
    return p;
}

/* B3/S23, S23/B3, B3S23 */
static bool read_lettered(const char *p, const char *end, conditions *c)
{
    const char first = lower(*p);
    const char second = first == 'b' ? 's' : 'b';
    p = read_counts(p + 1, end, first == 'b' ? &c->birth : &c->survival);
    if (p != NULL && p < end && *p == '/') {
        p++;
    }
    if (p == NULL || p == end || lower(*p) != second) {
        return false;
    }
    return read_counts(p + 1, end, second == 'b' ? &c->birth : &c->survival) == end;
}

/* 23/3 */
static bool read_plain(const char *p, const char *end, conditions *c)
{
    p = read_counts(p, end, &c->survival);
    return p != NULL && p < end && *p == '/' && read_counts(p + 1, end, &c->birth) == end;
}

/* The lowest and the highest count as two digits; false if one between them is missing. */
static bool to_interval(uint32_t counts, uint32_t *digits)
{
    uint32_t low = 0;
    uint32_t high = 8;
    *digits = 99;
    if (counts == 0) {
        return true;
    }
    while ((counts >> low & 1) == 0) {
        low++;
    }
    while ((counts >> high & 1) == 0) {
        high--;
    }
    *digits = low * 10 + high;
    return counts >> low == (1U << (high - low + 1)) - 1;
}

td_status td_rle_rule(const char *text, size_t length, uint32_t *rule, td_error *error)
{
    conditions c = {0, 0};
    const td_span rule_text = {text, length};
    uint32_t birth;
    uint32_t survival;
    const char *end = text + length;
    const bool lettered = length > 0 && (lower(*text) == 'b' || lower(*text) == 's');
    *rule = 0;
    if (!(lettered ? read_lettered(text, end, &c) : read_plain(text, end, &c))) {
        return td_fail(error, TD_USAGE,
                       "expected a rule such as B3/S23 or 23/3 with counts 0..8, got '%s'",
                       td_show_value(rule_text).text);
    }
    if (!to_interval(c.birth, &birth) || !to_interval(c.survival, &survival)) {
        return td_fail(
            error, TD_USAGE,
            "the rule '%s' cannot be run: live neighbours for birth, and for survival, must "
            "be an interval without gaps",
            td_show_value(rule_text).text);
    }
    *rule = survival * 100 + birth;
    return TD_OK;
}
