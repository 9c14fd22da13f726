/* npy.c - reads arrays; npy_header.c reads the dictionary of a header, and writes headers. */
#include "npy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/core/span.h"
#include "engine/host.h"
#include "strategies/numbers.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
               "arrays are read and written as they lie");

enum { HEADER_LIMIT = 65536, ALWAYS_FREE = 1 << 20 /* bytes assumed to be free */ };

/* An open array whose header has been read. */
typedef struct source {
    FILE *stream;
    const char *path;
    uint64_t bytes; /* of the file */
    td_npy_header header;
} source;

static td_status cut_short(const char *path, td_error *error)
{
    return td_fail(error, TD_USAGE, "%.240s: expected a .npy file, this one ends inside its header",
                   path);
}

/* Read magic, version and the length of the dictionary [bytes]. */
static td_status read_prefix(source *s, uint32_t *length, td_error *error)
{
    unsigned char prefix[8] = {0};
    const size_t got = fread(prefix, 1, sizeof prefix, s->stream);
    if (ferror(s->stream)) {
        return td_fail(error, TD_FAILED, "%.240s: reading failed", s->path);
    }
    if (got < 6 || memcmp(prefix, "\x93NUMPY", 6) != 0) {
        return td_fail(error, TD_USAGE,
                       "%.240s: expected a .npy file, this does not begin like one "
                       "(tribench-report import makes one of an image or a pattern)",
                       s->path);
    }
    const uint32_t major = prefix[6], minor = prefix[7], field = major == 1 ? 2 : 4;
    if (got == sizeof prefix && (minor != 0 || major < 1 || major > 3)) {
        return td_fail(error, TD_USAGE, "%.240s: expected .npy version 1.0, 2.0 or 3.0, got %u.%u",
                       s->path, major, minor);
    }
    *length = 0; /* little-endian, as this machine */
    if (fread(length, 1, field, s->stream) != field) {
        return cut_short(s->path, error);
    }
    if (*length > HEADER_LIMIT) {
        return td_fail(error, TD_USAGE, "%.240s: expected a header of at most %d bytes, got %u",
                       s->path, HEADER_LIMIT, *length);
    }
    return TD_OK;
}

static td_status read_header(source *s, td_error *error)
{
    uint32_t length = 0;
    td_file_content text;
    TRY(read_prefix(s, &length, error));
    TRY(td_file_take(s->stream, s->path, length, &text, error));
    const td_status status = text.length < length
                                 ? cut_short(s->path, error)
                                 : td_npy_parse(text.bytes, length, s->path, &s->header, error);
    free(text.bytes);
    return status;
}

/* Open an array and read its header; the caller closes the stream. */
static td_status open_array(const char *path, source *s, td_error *error)
{
    *s = (source){.path = path};
    TRY(td_file_open(path, &s->stream, &s->bytes, error));
    const td_status status = read_header(s, error);
    if (status != TD_OK) {
        fclose(s->stream);
    }
    return status;
}

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
    if (bytes <= ALWAYS_FREE) {
        return TD_OK;
    }
    TRY(td_host_free_memory(NULL, &available, error));
    return bytes <= available
               ? TD_OK
               : td_fail(error, TD_NO_MEMORY, "%.240s: needs %s and %s are free", s->path,
                         td_show_bytes(bytes).text, td_show_bytes(available).text);
}

/* Read all data after the header; its size must be exactly what the header says. */
static td_status read_data(source *s, char **data, td_error *error)
{
    uint64_t bytes = (uint64_t)(s->header.dtype[2] - '0');
    td_file_content taken;
    for (uint32_t i = 0; i < s->header.ndim; i++) {
        bytes *= s->header.shape[i];
    }
    TRY(check_size(s, bytes, error));
    TRY(td_file_take(s->stream, s->path, bytes, &taken, error));
    *data = taken.bytes;
    return TD_OK;
}

/* Reject a type, with the reason that helps most. */
static td_status reject_dtype(const source *s, const char *wanted, td_error *error)
{
    const char *dtype = s->header.dtype;
    const char *hint = dtype[0] == '>' ? ", which is big-endian"
                       : strcmp(dtype, "<f2") == 0
                           ? ", which is float16: save array.astype('float32')"
                           : "";
    return td_fail(error, TD_USAGE, "%.240s: expected dtype %s, got '%s'%s", s->path, wanted,
                   td_show_value(td_span_of(dtype)).text, hint);
}

/* "(150, 4)" */
static const char *shape_text(const td_npy_header *header, char text[200])
{
    int at = snprintf(text, 200, "(");
    for (uint32_t i = 0; i < header->ndim; i++) {
        at += snprintf(text + at, 200 - (size_t)at, i == 0 ? "%llu" : ", %llu",
                       (unsigned long long)header->shape[i]);
    }
    snprintf(text + at, 200 - (size_t)at, header->ndim == 1 ? ",)" : ")");
    return text;
}

static td_status reject_shape(const source *s, const char *wanted, td_error *error)
{
    char text[200];
    return td_fail(error, TD_USAGE, "%.240s: expected shape %s, got %s", s->path, wanted,
                   shape_text(&s->header, text));
}

/* ---- tables and images ---- */

static td_status check_square(const source *s, td_error *error)
{
    const td_npy_header *h = &s->header;
    return h->ndim == 2 && h->shape[0] == h->shape[1] && h->shape[0] >= 1 &&
                   h->shape[0] <= TD_NPY_STATE_N
               ? TD_OK
               : reject_shape(s, "(N, N)", error);
}

static td_status check_table(const source *s, uint32_t columns, td_error *error)
{
    const td_npy_header *h = &s->header;
    const char *const dtype = h->dtype;
    char wanted[64];
    const bool flat = h->ndim == 1 && columns == 1;
    if (strcmp(dtype, "|u1") != 0 && strcmp(dtype, "<f4") != 0 && strcmp(dtype, "<f8") != 0) {
        return reject_dtype(s, "|u1, <f4 or <f8", error);
    }
    if (columns == 0) {
        return check_square(s, error);
    }
    snprintf(wanted, sizeof wanted, columns == 1 ? "(rows,) or (rows, 1)" : "(rows, %u)", columns);
    if (!flat && (h->ndim != 2 || h->shape[1] != columns)) {
        return reject_shape(s, wanted, error);
    }
    if (h->shape[0] < 1 || h->shape[0] > TD_TABLE_ROWS) {
        return td_fail(error, TD_USAGE, "%.240s: expected 1..%d rows, got %llu", s->path,
                       TD_TABLE_ROWS, (unsigned long long)h->shape[0]);
    }
    return TD_OK;
}

static double element(const source *s, const char *data, size_t k)
{
    float narrow;
    double wide;
    if (s->header.dtype[1] == 'u') {
        return (double)(uint8_t)data[k];
    }
    if (s->header.dtype[2] == '4') {
        memcpy(&narrow, data + k * sizeof narrow, sizeof narrow);
        return (double)narrow;
    }
    memcpy(&wide, data + k * sizeof wide, sizeof wide);
    return wide;
}

static td_status reject_value(const source *s, size_t row, size_t column, double value,
                              td_error *error)
{
    if (isfinite(value)) {
        return td_fail(error, TD_USAGE, "%.240s: row %zu, column %zu: %g is too large for float32",
                       s->path, row, column, value);
    }
    return td_fail(error, TD_USAGE, "%.240s: row %zu, column %zu: expected a finite number, got %s",
                   s->path, row, column, isnan(value) ? "nan" : "infinity");
}

/* Make rows of finite float32. */
static td_status to_floats(const source *s, const char *data, td_table *table, td_error *error)
{
    const size_t rows = table->rows, columns = table->columns;
    TRY(td_allocate(&table->values, rows * columns, sizeof *table->values, error,
                    "the numbers of %.240s", s->path));
    for (size_t row = 0; row < rows; row++) {
        for (size_t column = 0; column < columns; column++) {
            const size_t place = row * columns + column;
            const double value =
                element(s, data, s->header.fortran_order ? column * rows + row : place);
            if (!isfinite((float)value)) {
                return reject_value(s, row, column, value, error);
            }
            table->values[place] = (float)value;
        }
    }
    return TD_OK;
}

static td_status read_numbers(source *s, td_table *table, td_error *error)
{
    const td_npy_header *h = &s->header;
    char *data;
    TRY(read_data(s, &data, error));
    table->rows = (uint32_t)h->shape[0];
    table->columns = h->ndim == 2 ? (uint32_t)h->shape[1] : 1;
    const td_status status = to_floats(s, data, table, error);
    free(data);
    if (status != TD_OK) {
        td_table_free(table);
    }
    return status;
}

td_status td_npy_table(const char *path, uint32_t columns, td_table *table, td_error *error)
{
    source s;
    *table = (td_table){0};
    TRY(open_array(path, &s, error));
    td_status status = check_table(&s, columns, error);
    status = status == TD_OK ? read_numbers(&s, table, error) : status;
    fclose(s.stream);
    return status;
}

/* ---- states ---- */

/* How a form is written, and its cells. */
typedef struct form {
    const char *cells_text;
    uint32_t most; /* N */
    uint64_t (*cells)(uint64_t n);
} form;

static uint64_t square(uint64_t n)
{
    return n * n;
}

static const form forms[] = {
    [TD_STATE_TRIANGLE] = {"N(N+1)/2", TD_NPY_STATE_N, td_triangle},
    [TD_STATE_SQUARE] = {"N, N", TD_NPY_STATE_N, square},
    [TD_STATE_TETRAHEDRON] = {"N(N+1)(N+2)/6", TD_NPY_SOLID_N, td_tetrahedron},
};

/* The N that gives this many cells, or 0. */
static uint32_t side_of(uint64_t cells, const form *f)
{
    uint32_t n = 1;
    while (n < f->most && f->cells(n) < cells) {
        n++;
    }
    return f->cells(n) == cells ? n : 0;
}

static td_status check_state(const source *s, td_state_form which, td_error *error)
{
    const form *const f = &forms[which];
    char shape[32];
    if (strcmp(s->header.dtype, "|u1") != 0) {
        return reject_dtype(s, "|u1 (numpy.uint8)", error);
    }
    if (which == TD_STATE_SQUARE) {
        return check_square(s, error);
    }
    if (s->header.ndim != 1) {
        snprintf(shape, sizeof shape, "(%s,)", f->cells_text);
        return reject_shape(s, shape, error);
    }
    if (side_of(s->header.shape[0], f) == 0) {
        return td_fail(error, TD_USAGE, "%.240s: expected %s bytes for an N in 1..%u, got %llu",
                       s->path, f->cells_text, f->most, (unsigned long long)s->header.shape[0]);
    }
    return TD_OK;
}

/* Swap rows and columns of an array in Fortran order. */
static void transpose(char *cells, uint64_t n)
{
    for (uint64_t row = 1; row < n; row++) {
        for (uint64_t col = 0; col < row; col++) {
            const char upper = cells[col * n + row];
            cells[col * n + row] = cells[row * n + col];
            cells[row * n + col] = upper;
        }
    }
}

td_status td_npy_state(const char *path, td_state_form which, td_state *state, td_error *error)
{
    source s;
    char *cells = NULL;
    *state = (td_state){0};
    TRY(open_array(path, &s, error));
    td_status status = check_state(&s, which, error);
    status = status == TD_OK ? read_data(&s, &cells, error) : status;
    fclose(s.stream);
    TRY(status);
    state->n = which == TD_STATE_SQUARE ? (uint32_t)s.header.shape[0]
                                        : side_of(s.header.shape[0], &forms[which]);
    state->bytes = forms[which].cells(state->n);
    state->cells = (uint8_t *)cells;
    if (which == TD_STATE_SQUARE && s.header.fortran_order) {
        transpose(cells, state->n);
    }
    return TD_OK;
}

void td_state_free(td_state *state)
{
    free(state->cells);
    memset(state, 0, sizeof *state);
}
