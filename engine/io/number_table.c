/* number_table.c - tables of numbers from files, and those of text. */
#include "number_table.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "engine/core/span.h"
#include "file.h"
#include "npy.h"

/* The current place in the text, and what has been read so far. */
typedef struct reader {
    const char *name;
    const char *next; /* first byte not yet read */
    const char *end;
    uint32_t columns;
    uint32_t line; /* from 1 */
    char separator;
    td_table *table;
    td_error *error;
} reader;

static bool is_blank(char c, char separator)
{
    return (c == ' ' || c == '\t') && c != separator;
}

static td_span trim(td_span s, char separator)
{
    while (s.length > 0 && is_blank(*s.text, separator)) {
        s.text++;
        s.length--;
    }
    while (s.length > 0 && is_blank(s.text[s.length - 1], separator)) {
        s.length--;
    }
    return s;
}

static td_span take_line(reader *r)
{
    td_span rest = {r->next, (size_t)(r->end - r->next)};
    td_span line = td_span_until(&rest, '\n');
    r->next = rest.text != NULL ? rest.text : r->end;
    if (line.length > 0 && line.text[line.length - 1] == '\r') {
        line.length--;
    }
    r->line++;
    return line;
}

/* Take the next field off the front of a line; false when none is left. */
static bool take_field(td_span *line, char separator, td_span *field)
{
    if (line->text == NULL) {
        return false;
    }
    *field = trim(td_span_until(line, separator), separator);
    return true;
}

static char separator_of(td_span line)
{
    static const char candidates[] = {'\t', ';', ','};
    for (size_t i = 0; i < sizeof candidates; i++) {
        if (memchr(line.text, candidates[i], line.length) != NULL) {
            return candidates[i];
        }
    }
    return ',';
}

/* Whether a field is nan, an infinity, or too large. */
static bool is_not_finite(td_span field)
{
    char *stop;
    return !isfinite(strtof(field.text, &stop)) && stop == field.text + field.length;
}

/* Whether a field says that there is no number, as pandas, R and spreadsheets write it. */
static bool is_missing(td_span field)
{
    static const char *const words[] = {"NA", "N/A", "null", "None", "#N/A", "#NA"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strlen(words[i]) == field.length &&
            strncasecmp(field.text, words[i], field.length) == 0) {
            return true;
        }
    }
    const char last = field.text[field.length - 1];
    return *field.text == '#' && (last == '!' || last == '?'); /* #DIV/0!, #NAME? */
}

/* The number of bytes of a blank, a sign or another symbol beyond ASCII: U+0080-00BF, U+2000-2FFF and U+F000-FFFF. */
static size_t symbol_bytes(td_span field)
{
    const size_t bytes = *field.text == '\xc2'                            ? 2
                         : *field.text == '\xe2' || *field.text == '\xef' ? 3
                                                                          : 0;
    return bytes <= field.length ? bytes : field.length;
}

/* Whether a field is a name. A quoted number is not, nor one with a minus or a blank beyond ASCII: they are rejected as
 * numbers. */
static bool is_name(td_span field)
{
    const size_t quote = field.length > 0 && *field.text == '"';
    td_span inner = {field.text + quote, field.length - quote};
    inner.length -= quote != 0 && inner.length > 0 && inner.text[inner.length - 1] == '"';
    if (inner.length == 0 || is_missing(inner) || is_not_finite(inner)) {
        return false;
    }
    for (size_t skip; inner.length > 0 && (skip = symbol_bytes(inner)) > 0;) {
        inner = (td_span){inner.text + skip, inner.length - skip};
    }
    return inner.length > 0 && (isalpha((unsigned char)*inner.text) || *inner.text == '_' ||
                                *inner.text == '#' || (unsigned char)*inner.text >= 0x80);
}

/* Whether a line is a comment, or has a name for each column. */
static bool is_header(td_span line, char separator, uint32_t columns)
{
    td_span field;
    if (line.length >= 2 && memcmp(line.text, "# ", 2) == 0) {
        return true;
    }
    for (; take_field(&line, separator, &field); columns--) {
        if (columns == 0 || !is_name(field)) {
            return false;
        }
    }
    return columns == 0;
}

static td_status reject(const reader *r, td_span field, uint32_t column, const char *expected)
{
    return td_fail(r->error, TD_USAGE, "%.240s: line %u, column %u: expected %s, got '%s'", r->name,
                   r->line, column, expected, td_show_value(field).text);
}

/* Say why a field is not a number. */
static td_status reject_word(const reader *r, td_span field, uint32_t column)
{
    if (is_not_finite(field)) {
        return reject(r, field, column, "a finite number");
    }
    const bool quoted = memchr(field.text, '"', field.length) != NULL;
    return reject(r, field, column,
                  quoted ? "a decimal number without quotes" : "a decimal number");
}

static td_status read_number(const reader *r, td_span field, uint32_t column, float *value)
{
    if (field.length == 0) {
        return td_fail(r->error, TD_USAGE,
                       "%.240s: line %u, column %u: expected a number, got an empty field", r->name,
                       r->line, column);
    }
    /* strtof accepts more, such as hexadecimal numbers, nan and leading blanks, but not with these characters alone. It
     * reads '.' because nothing in the program calls setlocale. If something ever does, strtof stops short, which is an
     * error instead of a wrong number. */
    const bool is_plain = strspn(field.text, "+-.0123456789eE") == field.length;
    char *stop = NULL;
    const float number = is_plain ? strtof(field.text, &stop) : 0.0F;
    if (stop != field.text + field.length) {
        return reject_word(r, field, column);
    }
    if (!isfinite(number)) {
        return reject(r, field, column, "a number in the range of float32");
    }
    *value = number;
    return TD_OK;
}

static td_status read_row(reader *r, td_span line)
{
    td_table *table = r->table;
    float *row = table->values + (size_t)table->rows * r->columns;
    td_span field = {0}, rest = line;
    uint32_t count = 0;
    if (table->rows == TD_TABLE_ROWS) {
        return td_fail(r->error, TD_USAGE, "%.240s: line %u: expected at most %d rows", r->name,
                       r->line, TD_TABLE_ROWS);
    }
    while (take_field(&rest, r->separator, &field)) {
        count++;
    }
    if (count != r->columns) {
        return td_fail(r->error, TD_USAGE,
                       "%.240s: line %u, column %u: expected %u number%s in the row, got %u",
                       r->name, r->line, count < r->columns ? count : r->columns + 1, r->columns,
                       r->columns == 1 ? "" : "s", count);
    }
    for (uint32_t column = 0; take_field(&line, r->separator, &field); column++) {
        TRY(read_number(r, field, column + 1, row + column));
    }
    table->rows++;
    return TD_OK;
}

static bool is_blank_text(const char *from, const char *to)
{
    for (; from < to; from++) {
        if (*from != ' ' && *from != '\t' && *from != '\r' && *from != '\n') {
            return false;
        }
    }
    return true;
}

static td_status read_rows(reader *r)
{
    while (!is_blank_text(r->next, r->end)) {
        const td_span line = take_line(r);
        if (memchr(line.text, '\r', line.length) != NULL) {
            return td_fail(r->error, TD_USAGE,
                           "%.240s: line %u has a carriage return (CR) inside: expected lines that "
                           "end with LF or CRLF",
                           r->name, r->line);
        }
        if (is_blank_text(line.text, line.text + line.length)) {
            return td_fail(r->error, TD_USAGE,
                           "%.240s: line %u, column 1: expected a row, got an empty line", r->name,
                           r->line);
        }
        if (r->line == 1) {
            r->separator = separator_of(line);
        }
        if (r->line > 1 || !is_header(line, r->separator, r->columns)) {
            TRY(read_row(r, line));
        }
    }
    return r->table->rows > 0
               ? TD_OK
               : td_fail(r->error, TD_USAGE, "%.240s: expected at least 1 row, got none", r->name);
}

/* Whether a text is UTF-16: with its byte-order mark, or as every second byte of a number or a name is NUL. */
static bool is_utf16(const char *text, size_t length)
{
    return length >= 2 && (memcmp(text, "\xff\xfe", 2) == 0 || memcmp(text, "\xfe\xff", 2) == 0 ||
                           (text[0] == '\0') != (text[1] == '\0'));
}

td_status td_csv_parse(const char *text, size_t length, const char *name, uint32_t columns,
                       td_table *table, td_error *error)
{
    reader r = {name, text, text + length, columns, 0, ',', table, error};
    if (length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) { /* byte-order mark */
        r.next += 3;
    }
    memset(table, 0, sizeof *table);
    if (is_utf16(text, length)) {
        return td_fail(error, TD_USAGE, "%.240s: expected UTF-8, this text is UTF-16", name);
    }
    table->columns = columns;
    /* A number and its separator take two bytes, so these are always enough; those that stay untouched take no room. */
    TRY(td_allocate(&table->values, length / 2 + 1, sizeof *table->values, error,
                    "the numbers of %.240s", name));
    const td_status status = read_rows(&r);
    if (status != TD_OK) {
        td_table_free(table);
    }
    return status;
}

static td_status read_csv(const char *path, uint32_t columns, td_table *table, td_error *error)
{
    td_file_content text;
    TRY(td_file_text(path, &text, error));
    const td_status status = td_csv_parse(text.bytes, text.length, path, columns, table, error);
    free(text.bytes);
    return status;
}

td_status td_table_read(const char *path, uint32_t columns, td_table *table, td_error *error)
{
    const char *dot = strrchr(path, '.');
    const char *ending = dot != NULL && dot > path ? dot : "";
    memset(table, 0, sizeof *table);
    if (columns < 1 || columns > TD_TABLE_COLUMNS) {
        return td_fail(error, TD_USAGE, "expected a table of 1..%d columns, got %u",
                       TD_TABLE_COLUMNS, columns);
    }
    return strcasecmp(ending, ".csv") == 0   ? read_csv(path, columns, table, error)
           : strcasecmp(ending, ".npy") == 0 ? td_npy_table(path, columns, table, error)
                                             : td_fail(error, TD_USAGE,
                                                       "%.240s: expected a name that ends in .csv "
                                                       "or .npy",
                                                       path);
}

void td_table_free(td_table *table)
{
    free(table->values);
    memset(table, 0, sizeof *table);
}
