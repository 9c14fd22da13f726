#include "span.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool td_parse_u64(td_span word, uint64_t low, uint64_t high, uint64_t *value)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < word.length; i++) {
        const uint64_t digit = (uint64_t)(word.text[i] - '0');
        if (digit > 9 || sum > (UINT64_MAX - digit) / 10) {
            return false;
        }
        sum = 10 * sum + digit;
    }
    *value = sum;
    return word.length > 0 && sum >= low && sum <= high;
}

bool td_parse_decimal(td_span word, double *value)
{
    char copy[64]; /* strtod needs a terminating zero; more digits than this add nothing */
    char *end = copy;
    if (word.length == 0 || word.length >= sizeof copy) {
        return false;
    }
    memcpy(copy, word.text, word.length);
    copy[word.length] = '\0';
    if (strspn(copy, "0123456789.") == word.length) { /* strtod takes more: signs, exponents, nan */
        *value = strtod(copy, &end);
    }
    return end == copy + word.length;
}

td_span td_span_until(td_span *rest, char separator)
{
    td_span head = *rest;
    const char *found = memchr(rest->text, separator, rest->length);
    if (found == NULL) {
        rest->text = NULL;
        rest->length = 0;
        return head;
    }
    head.length = (size_t)(found - rest->text);
    rest->text = found + 1;
    rest->length -= head.length + 1;
    return head;
}

td_span td_span_of(const char *text)
{
    return (td_span){text, strlen(text)};
}

bool td_span_is(td_span span, const char *word)
{
    return strlen(word) == span.length && memcmp(word, span.text, span.length) == 0;
}

size_t td_utf8_bytes(td_span text)
{
    static const uint32_t least[] = {0, 1, 0x80, 0x800, 0x10000}; /* of this length; not overlong */
    const unsigned char *at = (const unsigned char *)text.text;
    const size_t length = at[0] < 0xc0 ? 1 : at[0] < 0xe0 ? 2 : at[0] < 0xf0 ? 3 : 4;
    uint32_t code = length == 1 ? at[0] : at[0] & (length == 2 ? 0x1f : 0x0f);
    for (size_t i = 1; i < length; i++) {
        if (i >= text.length || (at[i] & 0xc0) != 0x80) {
            return 0;
        }
        code = code << 6 | (at[i] & 0x3f);
    }
    const bool is_lone = length == 1 && code >= 0x80; /* a byte from the middle of a character */
    const bool is_surrogate = code >= 0xd800 && code <= 0xdfff;
    return code >= least[length] && code <= 0x10ffff && !is_lone && !is_surrogate ? length : 0;
}

/* Bytes of the printable character at the start of a text; 0 if there is a control character or invalid UTF-8. */
static size_t printable_bytes(td_span rest)
{
    const unsigned char *c = (const unsigned char *)rest.text;
    const size_t length = td_utf8_bytes(rest);
    const bool is_c0 = c[0] < ' ' || c[0] == 0x7f,
               is_c1 = length == 2 && c[0] == 0xc2 && c[1] < 0xa0;
    return is_c0 || is_c1 ? 0 : length;
}

size_t td_escape(td_span text, char *shown, size_t size)
{
    size_t done = 0, used = 0;
    while (done < text.length) {
        const td_span rest = {text.text + done, text.length - done};
        const size_t bytes = printable_bytes(rest);
        char code[sizeof "\\x00"];
        snprintf(code, sizeof code, "\\x%02x", (unsigned)(unsigned char)rest.text[0]);
        const size_t wide = bytes > 0 ? bytes : strlen(code);
        if (used + wide >= size) {
            break;
        }
        memcpy(shown + used, bytes > 0 ? rest.text : code, wide);
        used += wide;
        done += bytes > 0 ? bytes : 1;
    }
    shown[used] = '\0';
    return done;
}

td_shown td_show_value(td_span span)
{
    enum { LONGEST = 48 };
    td_shown shown;
    if (td_escape(span, shown.text, LONGEST + 1) < span.length) {
        memcpy(shown.text + strlen(shown.text), "...", sizeof "...");
    }
    return shown;
}

td_shown td_show_bytes(uint64_t bytes)
{
    static const char *const units[] = {"bytes", "kB", "MB", "GB", "TB", "PB", "EB"};
    td_shown shown;
    double value = (double)bytes;
    size_t unit = 0;
    for (; value >= 1000; unit++) {
        value /= 1000;
    }
    snprintf(shown.text, sizeof shown.text, "%.4g %s", value, units[unit]);
    return shown;
}

/* ---- did you mean ---- */

enum { LONGEST_WORD = 32 };

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Edits from a to b: letters inserted, deleted, replaced, or swapped with a neighbour. */
static size_t edit_distance(td_span a, td_span b)
{
    size_t d[LONGEST_WORD + 1][LONGEST_WORD + 1];
    for (size_t i = 0; i <= a.length; i++) {
        for (size_t j = 0; j <= b.length; j++) {
            if (i == 0 || j == 0) {
                d[i][j] = i + j;
                continue;
            }
            const bool differs = a.text[i - 1] != b.text[j - 1];
            d[i][j] = least(d[i - 1][j - 1] + differs, least(d[i - 1][j], d[i][j - 1]) + 1);
            if (i > 1 && j > 1 && a.text[i - 1] == b.text[j - 2] &&
                a.text[i - 2] == b.text[j - 1]) {
                d[i][j] = least(d[i][j], d[i - 2][j - 2] + 1);
            }
        }
    }
    return d[a.length][b.length];
}

void td_suggest(td_suggestion *best, td_span word, td_span name)
{
    if (word.length == 0 || word.length > LONGEST_WORD || name.length > LONGEST_WORD) {
        return;
    }
    const size_t distance = edit_distance(word, name);
    const size_t near = 1 + name.length / 4; /* at a larger distance it is a different word */
    /* of two names as near, the longer: a letter is left out more often than one is added */
    const bool is_nearer = best->name.text == NULL || distance < best->distance ||
                           (distance == best->distance && name.length > best->name.length);
    if (distance <= near && distance < name.length && is_nearer) {
        best->name = name;
        best->distance = distance;
    }
}

td_shown td_suggest_text(const td_suggestion *best)
{
    td_shown shown = {""};
    if (best->name.text != NULL) {
        snprintf(shown.text, sizeof shown.text, ", did you mean '%.*s'?", (int)best->name.length,
                 best->name.text);
    }
    return shown;
}
