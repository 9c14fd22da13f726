/* npy_header.c - the header of an array. Its dictionary is a Python literal of three known keys, and nothing else. */
#include "npy.h"

#include <errno.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>

#include "engine/core/span.h"

/* One entry of the dictionary, with the comma or brace after it. A tuple of one number has a comma; strings have no
 * escapes, which the known keys and types never need. */
#define BLANKS "[ \n\t]*"
#define NUMBER "[0-9]+" BLANKS
static const char entry_pattern[] =
    "^['\"](descr|fortran_order|shape)['\"]" BLANKS ":" BLANKS "(['\"]([^'\"\\]*)['\"]|True|False|"
    "\\(" BLANKS "(" NUMBER "," BLANKS "|" NUMBER "(," BLANKS NUMBER ")+,?" BLANKS ")?\\))" BLANKS
    "([,}])" BLANKS;
enum { KEY = 1, VALUE, STRING, END = 6, GROUPS };

static const char *after_blanks(const char *at)
{
    return at + strspn(at, " \n\t");
}

/* Read the numbers of a tuple that matches the pattern. */
static bool read_shape(const char *at, td_npy_header *header)
{
    at = after_blanks(at);
    for (header->ndim = 0; *at != ')'; header->ndim++) {
        char *end;
        errno = 0;
        if (header->ndim == TD_NPY_DIMS) {
            return false;
        }
        header->shape[header->ndim] = strtoull(at, &end, 10);
        if (errno != 0) {
            return false;
        }
        at = end + strspn(end, ", \n\t");
    }
    return true;
}

/* Write a type's byte order as numpy does: '=' is this machine's, and single bytes have none. */
static void set_byte_order(char *dtype)
{
    if (strchr("<>=", dtype[0]) != NULL && strcmp(dtype + 1, "u1") == 0) {
        dtype[0] = '|';
    } else if (dtype[0] == '=') {
        dtype[0] = '<';
    }
}

/* Read the value of a key, which the first letter tells; false if it is of another type. */
static bool read_value(char key, const char *value, td_span string, td_npy_header *header)
{
    if (key == 'd') {
        snprintf(header->dtype, sizeof header->dtype, "%.*s", (int)string.length, string.text);
        set_byte_order(header->dtype);
        return string.text != NULL && string.length < sizeof header->dtype;
    }
    if (key == 'f') {
        header->fortran_order = *value == 'T';
        return *value == 'T' || *value == 'F';
    }
    return *value == '(' && read_shape(value + 1, header);
}

/* Read the dictionary at *at, and leave *at before the first entry that is wrong. */
static bool read_dictionary(const regex_t *entry, const char **at, td_npy_header *header)
{
    regmatch_t group[GROUPS];
    char found[4] = "", sign = ',';
    *at = after_blanks(*at);
    if (**at != '{') {
        return false;
    }
    *at = after_blanks(*at + 1);
    while (sign == ',' && **at != '}') {
        if (regexec(entry, *at, GROUPS, group, 0) != 0) {
            return false;
        }
        const char key = (*at)[group[KEY].rm_so];
        const bool is_string = group[STRING].rm_so >= 0;
        const td_span string = {is_string ? *at + group[STRING].rm_so : NULL,
                                (size_t)(group[STRING].rm_eo - group[STRING].rm_so)};
        if (strchr(found, key) != NULL ||
            !read_value(key, *at + group[VALUE].rm_so, string, header)) {
            return false;
        }
        found[strlen(found)] = key;
        sign = (*at)[group[END].rm_so];
        *at += group[0].rm_eo;
    }
    *at += sign == ',' && **at == '}';
    *at = after_blanks(*at);
    return strlen(found) == 3;
}

td_status td_npy_parse(const char *text, size_t length, const char *name, td_npy_header *header,
                       td_error *error)
{
    regex_t entry;
    const char *at = text;
    *header = (td_npy_header){0};
    if (regcomp(&entry, entry_pattern, REG_EXTENDED) != 0) {
        return td_fail(error, TD_NO_MEMORY, "not enough memory to read a header");
    }
    const bool whole = read_dictionary(&entry, &at, header);
    regfree(&entry);
    if (whole && at == text + length) {
        return TD_OK;
    }
    const td_span rest = {at, (size_t)(text + length - at)};
    return td_fail(
        error, TD_USAGE,
        "%.240s: expected a header of descr (a plain dtype), fortran_order and shape (up to %d "
        "dimensions), it goes wrong at byte %zu: '%s'",
        name, TD_NPY_DIMS, (size_t)(at - text), td_show_value(rest).text);
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
