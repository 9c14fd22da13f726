/* npy_header.c - the header of an array. Its dictionary is a Python literal of three known keys, and nothing else. */
#include "npy.h"

#include <string.h>

#include "engine/core/span.h"

typedef struct reader {
    const char *next;
    const char *end;
} reader;

/* The next byte that is not blank, or NUL at the end. */
static char peek(reader *r)
{
    while (r->next < r->end && (*r->next == ' ' || *r->next == '\n' || *r->next == '\t')) {
        r->next++;
    }
    return r->next < r->end ? *r->next : '\0';
}

static bool accept(reader *r, char c)
{
    if (peek(r) != c || c == '\0') {
        return false;
    }
    r->next++;
    return true;
}

/* Read a string without escapes, which the known keys and types never need. */
static bool read_string(reader *r, char *text, size_t size)
{
    const char quote = peek(r);
    if (quote != '\'' && quote != '"') {
        return false;
    }
    const char *from = r->next + 1;
    const char *to = memchr(from, quote, (size_t)(r->end - from));
    if (to == NULL || (size_t)(to - from) >= size ||
        memchr(from, '\\', (size_t)(to - from)) != NULL ||
        memchr(from, '\0', (size_t)(to - from)) != NULL) {
        return false;
    }
    memcpy(text, from, (size_t)(to - from));
    text[to - from] = '\0';
    r->next = to + 1;
    return true;
}

static bool read_word(reader *r, const char *word)
{
    const size_t length = strlen(word);
    peek(r);
    if ((size_t)(r->end - r->next) < length || memcmp(r->next, word, length) != 0) {
        return false;
    }
    r->next += length;
    return true;
}

static bool read_bool(reader *r, bool *value)
{
    *value = read_word(r, "True");
    return *value || read_word(r, "False");
}

static bool read_u64(reader *r, uint64_t *value)
{
    peek(r);
    td_span digits = {r->next, 0};
    while (r->next < r->end && td_is_digit(*r->next)) {
        r->next++;
        digits.length++;
    }
    return td_parse_u64(digits, 0, UINT64_MAX, value);
}

/* Read a tuple: (), (5,), (5, 3) or (5, 3,); but (5) is a number. */
static bool read_shape(reader *r, td_npy_header *header)
{
    bool comma = true;
    header->ndim = 0;
    if (!accept(r, '(')) {
        return false;
    }
    while (comma && peek(r) != ')') {
        if (header->ndim == TD_NPY_DIMS || !read_u64(r, &header->shape[header->ndim])) {
            return false;
        }
        header->ndim++;
        comma = accept(r, ',');
    }
    return accept(r, ')') && (header->ndim != 1 || comma);
}

enum { HAS_DESCR = 1, HAS_ORDER = 2, HAS_SHAPE = 4, HAS_ALL = 7 };

/* Read a key and return its bit; if it is none of the three, return 0 and leave the reader before it. */
static int read_key(reader *r)
{
    char key[16];
    peek(r);
    const char *start = r->next;
    if (!read_string(r, key, sizeof key)) {
        return 0;
    }
    if (strcmp(key, "descr") == 0) {
        return HAS_DESCR;
    }
    if (strcmp(key, "fortran_order") == 0) {
        return HAS_ORDER;
    }
    if (strcmp(key, "shape") == 0) {
        return HAS_SHAPE;
    }
    r->next = start;
    return 0;
}

static bool read_value(reader *r, int bit, td_npy_header *header)
{
    if (bit == HAS_DESCR) {
        return read_string(r, header->dtype, sizeof header->dtype);
    }
    if (bit == HAS_ORDER) {
        return read_bool(r, &header->fortran_order);
    }
    return read_shape(r, header);
}

static bool read_dictionary(reader *r, td_npy_header *header)
{
    int found = 0;
    bool comma = true;
    if (!accept(r, '{')) {
        return false;
    }
    while (comma && peek(r) != '}') {
        const int bit = read_key(r);
        if (bit == 0 || (found & bit) != 0 || !accept(r, ':') || !read_value(r, bit, header)) {
            return false;
        }
        found |= bit;
        comma = accept(r, ',');
    }
    return accept(r, '}') && found == HAS_ALL && peek(r) == '\0' && r->next == r->end;
}

td_status td_npy_parse(const char *text, size_t length, const char *name, td_npy_header *header,
                       td_error *error)
{
    reader r = {text, text + length};
    memset(header, 0, sizeof *header);
    if (read_dictionary(&r, header)) {
        return TD_OK;
    }
    const td_span rest = {r.next, (size_t)(r.end - r.next)};
    return td_fail(
        error, TD_USAGE,
        "%.240s: expected a header of descr (a plain dtype), fortran_order and shape (up to %d "
        "dimensions), it goes wrong at byte %zu: '%s'",
        name, TD_NPY_DIMS, (size_t)(r.next - text), td_show_value(rest).text);
}

/* ---- writing ---- */

enum { HEADER_BYTES = 512 }; /* 8 dimensions of 20 digits and the words around them fit */

uint64_t td_npy_begin(td_new_file *output, const char *dtype, uint32_t ndim, const uint64_t *shape)
{
    char dictionary[HEADER_BYTES], header[HEADER_BYTES];
    int at = snprintf(dictionary, sizeof dictionary,
                      "{'descr': '%s', 'fortran_order': False, 'shape': (", dtype);
    for (uint32_t i = 0; i < ndim; i++) {
        at += snprintf(dictionary + at, sizeof dictionary - (size_t)at, "%s%llu",
                       i == 0 ? "" : ", ", (unsigned long long)shape[i]);
    }
    at += snprintf(dictionary + at, sizeof dictionary - (size_t)at, "%s), }", ndim == 1 ? "," : "");
    const size_t size =
        (10 + (size_t)at + 1 + 63) / 64 * 64; /* the data starts on a multiple of 64 */
    memset(header, ' ', size);
    memcpy(header, "\x93NUMPY\x01", 8); /* version 1.0: the minor is the string's NUL */
    header[8] = (char)((size - 10) & 255);
    header[9] = (char)((size - 10) >> 8);
    memcpy(header + 10, dictionary, (size_t)at);
    header[size - 1] = '\n';
    fwrite(header, 1, size, output->stream);
    return size;
}
