#include "span.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool td_parse_u64(td_span word, uint64_t low, uint64_t high, uint64_t *value)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < word.length; i++) {
        const uint64_t digit = (uint64_t)(word.text[i] - '0');
        if (!td_is_digit(word.text[i]) || sum > (UINT64_MAX - digit) / 10) {
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
    static const struct {
        unsigned char first_low, first_high, second_low, second_high;
        size_t length;
    } forms[] = {
        /* Unicode, table 3-7: no overlong forms, no surrogates, nothing above U+10FFFF */
        {0x01, 0x7f, 0, 0, 1},       {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
        {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
        {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4}};
    const unsigned char *at = (const unsigned char *)text.text;
    for (size_t f = 0; f < sizeof forms / sizeof forms[0]; f++) {
        const size_t length = forms[f].length;
        if (at[0] < forms[f].first_low || at[0] > forms[f].first_high) {
            continue;
        }
        if (length > text.length ||
            (length > 1 && (at[1] < forms[f].second_low || at[1] > forms[f].second_high))) {
            return 0;
        }
        for (size_t i = 2; i < length; i++) {
            if (at[i] < 0x80 || at[i] > 0xbf) {
                return 0;
            }
        }
        return length;
    }
    return 0;
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
