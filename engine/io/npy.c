/* npy.c - reads arrays. The dictionary of a header is a Python literal of three known keys. */
#include "npy.h"

#include <errno.h>
#include <math.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>

#include "engine/core/span.h"
#include "engine/host.h"
#include "strategies/numbers.h"
#include "workloads/half.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
               "arrays are read and written as they lie");

enum { MOST_DIMS = 8, HEADER_LIMIT = 65536, MOST_N = 1 << 20, MOST_SOLID_N = 65535 };

/* An open array and its header. */
typedef struct source {
    FILE *stream;
    const char *path;
    uint64_t bytes; /* of the file */
    char dtype[16]; /* as numpy spells it, "<f4" */
    bool of_halves; /* <u2 holds the bits of bf16 */
    bool fortran_order;
    uint32_t ndim;
    uint64_t shape[MOST_DIMS];
} source;

/* ---- the header ---- */

/* One entry of the dictionary. A tuple of one number has a comma; strings have no escapes, which the known keys and
 * types never need. */
#define BLANKS "[ \n\t]*"
#define COLON "['\"]" BLANKS ":" BLANKS /* after a key */
#define DTYPE "['\"]descr" COLON "['\"]([^'\"\\]{0,15})['\"]"
#define ORDER "['\"]fortran_order" COLON "(True|False)"
#define NUMBER BLANKS "[0-9]+" BLANKS
#define SHAPE                                                                                      \
    "['\"]shape" COLON "\\((" BLANKS "|" NUMBER "," BLANKS "|" NUMBER "(," NUMBER ")+,?" BLANKS    \
    ")\\)"
#define ENTRY BLANKS "(" DTYPE "|" ORDER "|" SHAPE ")" BLANKS
#define DICTIONARY "^" BLANKS "\\{(" ENTRY ",){2}" ENTRY "(," BLANKS ")?\\}" BLANKS "$"

/* Search for a pattern; *group: the text of its first group. */
static bool find(const char *text, const char *pattern, td_span *group)
{
    regex_t regex;
    regmatch_t found[2];
    if (regcomp(&regex, pattern, REG_EXTENDED) != 0) {
        return false;
    }
    const bool matches = regexec(&regex, text, 2, found, 0) == 0;
    regfree(&regex);
    if (matches) {
        *group = (td_span){text + found[1].rm_so, (size_t)(found[1].rm_eo - found[1].rm_so)};
    }
    return matches;
}

/* Read the numbers of a tuple; false: one is too large, or there are too many. */
static bool read_shape(source *s, td_span tuple)
{
    const char *const end = tuple.text + tuple.length;
    errno = 0;
    for (const char *at = tuple.text; (at += strspn(at, ", \n\t")) < end && errno == 0;) {
        char *after;
        if (s->ndim == MOST_DIMS) {
            return false;
        }
        s->shape[s->ndim++] = strtoull(at, &after, 10);
        at = after;
    }
    return errno == 0;
}

/* Numpy writes '=' as this machine's byte order, and none for single bytes. */
static void set_dtype(source *s, td_span dtype)
{
    snprintf(s->dtype, sizeof s->dtype, "%.*s", (int)dtype.length, dtype.text);
    if (s->dtype[0] == '=') {
        s->dtype[0] = '<';
    }
    if (strcmp(s->dtype, "<u1") == 0 || strcmp(s->dtype, ">u1") == 0) {
        s->dtype[0] = '|';
    }
}

static td_status parse(source *s, const td_file_content *text, td_error *error)
{
    td_span group, dtype, order, shape;
    /* three entries, and each key among them */
    if (strlen(text->bytes) != text->length || !find(text->bytes, DICTIONARY, &group) ||
        !find(text->bytes, DTYPE, &dtype) || !find(text->bytes, ORDER, &order) ||
        !find(text->bytes, SHAPE, &shape) || !read_shape(s, shape)) {
        const td_span shown = {text->bytes, text->length};
        return td_fail(
            error, TD_USAGE,
            "%.240s: expected a header of descr (a plain dtype), fortran_order and shape "
            "(up to %d dimensions), got '%s'",
            s->path, MOST_DIMS, td_show_value(shown).text);
    }
    set_dtype(s, dtype);
    s->fortran_order = td_span_is(order, "True");
    return TD_OK;
}

static td_status read_header(source *s, td_error *error)
{
    uint8_t start[12] = {0}; /* magic, version, and the length of the dictionary in 2 or 4 bytes */
    const bool whole = fread(start, 1, sizeof start, s->stream) == sizeof start;
    const unsigned major = start[6], minor = start[7], field = major == 1 ? 2 : 4;
    uint32_t length = 0;
    td_file_content text = {0};
    memcpy(&length, start + 8, field);
    if (memcmp(start, "\x93NUMPY", 6) != 0) {
        return td_fail(error, TD_USAGE,
                       "%.240s: expected a .npy file, this does not begin like one "
                       "(tribench-report import makes one of an image or a pattern)",
                       s->path);
    }
    if (whole && (minor != 0 || major < 1 || major > 3)) {
        return td_fail(error, TD_USAGE, "%.240s: expected .npy version 1.0, 2.0 or 3.0, got %u.%u",
                       s->path, major, minor);
    }
    if (whole && length > HEADER_LIMIT) {
        return td_fail(error, TD_USAGE, "%.240s: expected a header of at most %d bytes, got %u",
                       s->path, HEADER_LIMIT, length);
    }
    if (whole && fseeko(s->stream, 8 + (off_t)field, SEEK_SET) == 0) {
        TRY(td_file_take(s->stream, s->path, length, &text, error));
    }
    const td_status status =
        text.bytes != NULL && text.length == length
            ? parse(s, &text, error)
            : td_fail(error, TD_USAGE,
                      "%.240s: expected a .npy file, this one ends inside its header", s->path);
    free(text.bytes);
    return status;
}

/* ---- what is expected of an array ---- */

/* Whether elements may be the bits of bf16: 2 bytes that are no float16, as integers or without a type. */
static bool may_be_bits(const source *s)
{
    return s->dtype[0] != '\0' && s->dtype[1] != 'f' && s->dtype[2] == '2';
}

/* Bits must not be converted like numbers. */
static td_status reject_dtype(const source *s, const char *wanted, const char *name,
                              td_error *error)
{
    const char *of_bits = ", or if it has the bits of bf16, "
                          "(array.view(np.uint16).astype(np.uint32) << 16).view(np.float32)";
    const bool bits = may_be_bits(s), wants_bits = strcmp(name, "<u2") == 0;
    char right[160];
    if (wants_bits) {
        snprintf(right, sizeof right, "%s.view(np.uint16)",
                 bits ? "" : ".astype(ml_dtypes.bfloat16)");
    } else {
        snprintf(right, sizeof right, ".astype('%s')%s", name, bits ? of_bits : "");
    }
    return td_fail(error, TD_USAGE, "%.240s: expected dtype %s, got '%s': save array%s", s->path,
                   wanted, td_show_value(td_span_of(s->dtype)).text, right);
}

static td_status reject_shape(const source *s, const char *wanted, td_error *error)
{
    char text[200] = ""; /* "150, 4" */
    int at = 0;
    for (uint32_t i = 0; i < s->ndim; i++) {
        at += snprintf(text + at, sizeof text - (size_t)at, i == 0 ? "%llu" : ", %llu",
                       (unsigned long long)s->shape[i]);
    }
    return td_fail(error, TD_USAGE, "%.240s: expected shape %s, got (%s%s)", s->path, wanted, text,
                   s->ndim == 1 ? "," : "");
}

static td_status check_square(const source *s, td_error *error)
{
    return s->ndim == 2 && s->shape[0] == s->shape[1] && s->shape[0] >= 1 && s->shape[0] <= MOST_N
               ? TD_OK
               : reject_shape(s, "(N, N)", error);
}

static td_status check_table(const source *s, uint32_t columns, td_error *error)
{
    char wanted[64];
    static const char *const known[] = {"|u1", "<f2", "<f4", "<f8"};
    bool is_known = s->of_halves && strcmp(s->dtype, "<u2") == 0;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        is_known |= strcmp(s->dtype, known[i]) == 0;
    }
    if (!is_known) {
        return reject_dtype(s, s->of_halves ? "|u1, <f2, <f4, <f8 or <u2" : "|u1, <f2, <f4 or <f8",
                            "float32", error);
    }
    if (columns == 0) {
        return check_square(s, error);
    }
    snprintf(wanted, sizeof wanted, columns == 1 ? "(rows,) or (rows, 1)" : "(rows, %u)", columns);
    if (!(s->ndim == 1 && columns == 1) && (s->ndim != 2 || s->shape[1] != columns)) {
        return reject_shape(s, wanted, error);
    }
    return s->shape[0] >= 1 && s->shape[0] <= TD_TABLE_ROWS
               ? TD_OK
               : td_fail(error, TD_USAGE, "%.240s: expected 1..%d rows, got %llu", s->path,
                         TD_TABLE_ROWS, (unsigned long long)s->shape[0]);
}

/* The N of a state in packed order, which gives this many cells; 0: none does. */
static uint32_t side_of(uint64_t cells, uint32_t form)
{
    const bool solid = form == TD_STATE_TETRAHEDRON;
    const uint32_t most = solid ? MOST_SOLID_N : MOST_N;
    for (uint32_t n = 1; n <= most; n++) {
        if ((solid ? td_tetrahedron(n) : td_triangle(n)) == cells) {
            return n;
        }
    }
    return 0;
}

static td_status check_state(const source *s, uint32_t form, td_error *error)
{
    const bool solid = form == TD_STATE_TETRAHEDRON;
    if (strcmp(s->dtype, "|u1") != 0) {
        return reject_dtype(s, "|u1", "uint8", error);
    }
    if (form == TD_STATE_SQUARE) {
        return check_square(s, error);
    }
    if (s->ndim != 1) {
        return reject_shape(s, solid ? "(N(N+1)(N+2)/6,)" : "(N(N+1)/2,)", error);
    }
    return side_of(s->shape[0], form) > 0
               ? TD_OK
               : td_fail(error, TD_USAGE, "%.240s: expected %s bytes for an N in 1..%d, got %llu",
                         s->path, solid ? "N(N+1)(N+2)/6" : "N(N+1)/2",
                         solid ? MOST_SOLID_N : MOST_N, (unsigned long long)s->shape[0]);
}

static td_status check_elements(const source *s, uint32_t element, td_error *error)
{
    const char *wanted = td_element_numpy((td_element)element);
    return strcmp(s->dtype, wanted) == 0 ? TD_OK : reject_dtype(s, wanted, wanted, error);
}

/* ---- the data ---- */

/* Check the size before any memory is allocated: half a terabyte of zeros takes no room on a disk, but all of it in
 * memory. */
static td_status check_size(const source *s, uint64_t bytes, td_error *error)
{
    const uint64_t at = (uint64_t)ftello(s->stream), held = s->bytes > at ? s->bytes - at : 0;
    uint64_t available = 0;
    if (held != bytes) {
        return td_fail(error, TD_USAGE, "%.240s: expected %llu bytes of data, got %llu", s->path,
                       (unsigned long long)bytes, (unsigned long long)held);
    }
    TRY(td_host_free_memory(NULL, &available, error));
    return bytes <= available
               ? TD_OK
               : td_fail(error, TD_NO_MEMORY, "%.240s: needs %s and %s are free", s->path,
                         td_show_bytes(bytes).text, td_show_bytes(available).text);
}

/* Put an array that is stored with its first index the fastest in C order. */
static td_status transpose(const source *s, uint64_t count, uint64_t size, char **data,
                           td_error *error)
{
    uint64_t index[MOST_DIMS] = {0}, step[MOST_DIMS], from = 0;
    char *in_order;
    TRY(td_allocate(&in_order, count, size, error, "%.240s", s->path));
    for (uint32_t d = 0; d < s->ndim; d++) {
        step[d] = d == 0 ? 1 : step[d - 1] * s->shape[d - 1];
    }
    for (uint64_t to = 0; to < count; to++) {
        memcpy(in_order + to * size, *data + from * size, size);
        for (uint32_t d = s->ndim; d-- > 0;) {
            from += step[d];
            if (++index[d] < s->shape[d]) {
                break;
            }
            from -= step[d] * s->shape[d];
            index[d] = 0;
        }
    }
    free(*data);
    *data = in_order;
    return TD_OK;
}

/* The elements of an array; UINT64_MAX: more than a file can hold. */
static uint64_t count_of(const source *s)
{
    uint64_t count = 1;
    for (uint32_t i = 0; i < s->ndim; i++) {
        if (__builtin_mul_overflow(count, s->shape[i], &count)) {
            return UINT64_MAX;
        }
    }
    return count;
}

/* Read all elements, in C order; their size must be exactly what the header says. */
static td_status read_data(const source *s, char **data, td_error *error)
{
    const uint64_t size = (uint64_t)(s->dtype[2] - '0'), count = count_of(s);
    uint64_t bytes;
    td_file_content taken;
    if (__builtin_mul_overflow(count, size, &bytes)) {
        bytes = UINT64_MAX;
    }
    TRY(check_size(s, bytes, error));
    TRY(td_file_take(s->stream, s->path, bytes, &taken, error));
    const td_status status =
        s->fortran_order && s->ndim > 1 ? transpose(s, count, size, &taken.bytes, error) : TD_OK;
    if (status != TD_OK) {
        free(taken.bytes);
        return status;
    }
    *data = taken.bytes;
    return TD_OK;
}

static double element(const source *s, const char *data, size_t k)
{
    uint16_t half;
    float narrow;
    double wide;
    if (s->dtype[2] == '1') {
        return (double)(uint8_t)data[k];
    }
    if (s->dtype[2] == '2') {
        memcpy(&half, data + k * sizeof half, sizeof half);
        return (double)td_half_number(half, s->dtype[1] == 'f');
    }
    if (s->dtype[2] == '4') {
        memcpy(&narrow, data + k * sizeof narrow, sizeof narrow);
        return (double)narrow;
    }
    memcpy(&wide, data + k * sizeof wide, sizeof wide);
    return wide;
}

/* Make rows of finite float32. */
static td_status to_floats(const source *s, const char *data, td_table *table, td_error *error)
{
    const size_t count = (size_t)table->rows * table->columns;
    TRY(td_allocate(&table->values, count, sizeof *table->values, error, "the numbers of %.240s",
                    s->path));
    for (size_t k = 0; k < count; k++) {
        const double value = element(s, data, k);
        table->values[k] = (float)value;
        if (!isfinite(table->values[k])) {
            return td_fail(error, TD_USAGE,
                           "%.240s: row %zu, column %zu: expected a finite float32, got %g",
                           s->path, k / table->columns, k % table->columns, value);
        }
    }
    return TD_OK;
}

/* What is expected of an array: the columns of a table, the form of a state, or the type of an element. */
typedef td_status check_fn(const source *s, uint32_t wanted, td_error *error);

static td_status read_array(source *s, check_fn *check, uint32_t wanted, char **data,
                            td_error *error)
{
    TRY(td_file_open(s->path, &s->stream, &s->bytes, error));
    td_status status = read_header(s, error);
    status = status == TD_OK ? check(s, wanted, error) : status;
    status = status == TD_OK ? read_data(s, data, error) : status;
    fclose(s->stream);
    return status;
}

td_status td_npy_table(const char *path, uint32_t columns, bool of_halves, td_table *table,
                       td_error *error)
{
    source s = {.path = path, .of_halves = of_halves};
    char *data;
    *table = (td_table){0};
    TRY(read_array(&s, check_table, columns, &data, error));
    *table = (td_table){(uint32_t)s.shape[0], s.ndim == 2 ? (uint32_t)s.shape[1] : 1, NULL};
    const td_status status = to_floats(&s, data, table, error);
    free(data);
    if (status != TD_OK) {
        td_table_free(table);
    }
    return status;
}

td_status td_npy_state(const char *path, td_state_form form, td_state *state, td_error *error)
{
    source s = {.path = path};
    char *cells;
    *state = (td_state){0};
    TRY(read_array(&s, check_state, form, &cells, error));
    state->n = form == TD_STATE_SQUARE ? (uint32_t)s.shape[0] : side_of(s.shape[0], form);
    state->bytes = form == TD_STATE_SQUARE ? s.shape[0] * s.shape[0] : s.shape[0];
    state->cells = (uint8_t *)cells;
    return TD_OK;
}

td_status td_npy_elements(const char *path, td_element element, void **elements, uint64_t *count,
                          td_error *error)
{
    source s = {.path = path};
    char *data;
    TRY(read_array(&s, check_elements, (uint32_t)element, &data, error));
    *elements = data;
    *count = count_of(&s);
    return TD_OK;
}
