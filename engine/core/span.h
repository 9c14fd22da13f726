/*
 * span.h - pieces of text: strict parsing of numbers, where the whole word must be digits and the value in range; words
 * as messages quote them; and the known word that an unknown one is nearest to.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A piece of text, not necessarily zero-terminated. */
typedef struct td_span {
    const char *text;
    size_t length;
} td_span;

/* A piece of text as a message quotes it: on one line, cut when long. */
typedef struct td_shown {
    char text[64];
} td_shown;

/* False for anything but decimal digits, and for a value below `low` or above `high`. */
bool td_parse_u64(td_span word, uint64_t low, uint64_t high, uint64_t *value);

/* Digits with at most one point; no sign, no exponent, no "inf". */
bool td_parse_decimal(td_span word, double *value);

/* The text up to `separator`; `rest` becomes the text after it, with a NULL text if no separator is left. */
td_span td_span_until(td_span *rest, char separator);

td_span td_span_of(const char *text);
bool td_span_is(td_span span, const char *word);

/* Bytes of the well-formed UTF-8 character at the start of a text; 0 if it is none, or a zero byte. */
size_t td_utf8_bytes(td_span text);

/*
 * td_escape - make a text safe for a terminal: on one line, with \xNN for each byte that is not printable UTF-8.
 *
 * A file's name may hold anything, and a terminal obeys control characters. Escaping twice changes nothing.
 *
 * Output  shown: zero-terminated, cut between characters if `size` [bytes] is too small; returns how many bytes of
 *         `text` it shows
 */
size_t td_escape(td_span text, char *shown, size_t size);

/* The text as a message quotes it, escaped. */
td_shown td_show_value(td_span span);

/* Bytes for people: "12.35 MB" of 12345678, with M = 1e6. */
td_shown td_show_bytes(uint64_t bytes);

/* "Did you mean": the best candidate so far; start zeroed. */
typedef struct td_suggestion {
    td_span name; /* a NULL text: nothing is near */
    size_t distance;
} td_suggestion;

/* Keep a name if it is near the word, and nearer than the best so far. */
void td_suggest(td_suggestion *best, td_span word, td_span name);

/* ", did you mean 'NAME'?" or nothing. */
td_shown td_suggest_text(const td_suggestion *best);
