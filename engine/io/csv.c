#include "csv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "engine/core/span.h"
#include "file.h"

/* Where in the text we are, and what it says so far. */
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

/* A piece of the text: a line without its end, or a field without the blanks around it. */
typedef struct span {
    const char *from;
    const char *to;
} span;

static size_t length_of(span s)
{
    return (size_t)(s.to - s.from);
}

static bool is_blank(char c, char separator)
{
    return (c == ' ' || c == '\t') && c != separator;
}

static span trim(span s, char separator)
{
    while (s.from < s.to && is_blank(*s.from, separator)) {
        s.from++;
    }
    while (s.from < s.to && is_blank(s.to[-1], separator)) {
        s.to--;
    }
    return s;
}

static span take_line(reader *r)
{
    span line = {r->next, memchr(r->next, '\n', (size_t)(r->end - r->next))};
    if (line.to == NULL) {
        line.to = r->end;
    }
    r->next = line.to < r->end ? line.to + 1 : r->end;
    if (line.from < line.to && line.to[-1] == '\r') {
        line.to--;
    }
    r->line++;
    return line;
}

/* The next field of a line, which is cut off its front; false when there is none left. */
static bool take_field(span *line, char separator, span *field)
{
    if (line->from == NULL) {
        return false;
    }
    const char *cut = memchr(line->from, separator, length_of(*line));
    field->from = line->from;
    field->to = cut != NULL ? cut : line->to;
    line->from = cut != NULL ? cut + 1 : NULL;
    *field = trim(*field, separator);
    return true;
}

static char separator_of(span line)
{
    static const char candidates[] = {'\t', ';', ','};
    for (size_t i = 0; i < sizeof candidates; i++) {
        if (memchr(line.from, candidates[i], length_of(line)) != NULL) {
            return candidates[i];
        }
    }
    return ',';
}

static const char *skip_digits(const char *p)
{
    while (td_is_digit(*p)) {
        p++;
    }
    return p;
}

/*
 * Behind the number that starts at p, or NULL when none does. strtof takes more (hexadecimal, nan,
 * infinity, blanks in front), so the form is checked here and strtof only converts.
 */
static const char *skip_number(const char *p)
{
    if (*p == '+' || *p == '-') {
        p++;
    }
    const char *whole = p;
    p = skip_digits(p);
    ptrdiff_t digits = p - whole;
    if (*p == '.') {
        const char *fraction = p + 1;
        p = skip_digits(fraction);
        digits += p - fraction;
    }
    if (digits == 0) {
        return NULL;
    }
    if (*p != 'e' && *p != 'E') {
        return p;
    }
    p += p[1] == '+' || p[1] == '-' ? 2 : 1;
    return td_is_digit(*p) ? skip_digits(p) : NULL;
}

static bool is_word(span field)
{
    if (field.from < field.to && *field.from == '"') {
        field.from++; /* a quoted number is refused as one, not taken for a name */
    }
    const char c = field.from < field.to ? *field.from : '\0';
    const bool named = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (unsigned char)c >= 0x80;
    return named || c == '_' || c == '#';
}

static bool says(span field, const char *word)
{
    return length_of(field) == strlen(word) && strncasecmp(field.from, word, strlen(word)) == 0;
}

static bool is_not_finite(span field)
{
    if (field.from < field.to && (*field.from == '-' || *field.from == '+')) {
        field.from++;
    }
    return says(field, "nan") || says(field, "inf") || says(field, "infinity");
}

static bool is_header(span line, char separator)
{
    span field;
    while (take_field(&line, separator, &field)) {
        if (!is_word(field) || is_not_finite(field)) {
            return false;
        }
    }
    return true;
}

static td_status refuse(const reader *r, span field, uint32_t column, const char *what)
{
    char quoted[32];
    return td_fail(r->error, TD_USAGE, "%.240s: line %u, column %u: %s, found '%s'", r->name,
                   r->line, column, what, td_quote(field.from, length_of(field), quoted));
}

/* Why a field is not a number. */
static td_status refuse_word(const reader *r, span field, uint32_t column)
{
    if (is_not_finite(field)) {
        return refuse(r, field, column, "a finite number is wanted");
    }
    if (memchr(field.from, '"', length_of(field)) != NULL) {
        return refuse(r, field, column, "a decimal number without quotes is wanted");
    }
    return refuse(r, field, column, "a decimal number is wanted");
}

static td_status read_number(const reader *r, span field, uint32_t column, float *value)
{
    if (field.from == field.to) {
        return td_fail(r->error, TD_USAGE,
                       "%.240s: line %u, column %u: a number is wanted, the field is empty",
                       r->name, r->line, column);
    }
    if (skip_number(field.from) != field.to) {
        return refuse_word(r, field, column);
    }
    /* strtof reads '.' because nothing in the program calls setlocale; if something ever does, it
     * stops short, and that is an error instead of a wrong number. */
    char *stop;
    const float number = strtof(field.from, &stop);
    if (stop != field.to) {
        return refuse(r, field, column, "a decimal number is wanted");
    }
    if (!isfinite(number)) {
        return refuse(r, field, column, "a number in the range of float32 is wanted");
    }
    *value = number;
    return TD_OK;
}

static uint32_t count_fields(span line, char separator)
{
    span field;
    uint32_t count = 0;
    while (take_field(&line, separator, &field)) {
        count++;
    }
    return count;
}

static td_status read_row(reader *r, span line)
{
    td_table *table = r->table;
    float *row = table->values + (size_t)table->rows * r->columns;
    const uint32_t count = count_fields(line, r->separator);
    span field = {0};
    if (table->rows == TD_TABLE_ROWS) {
        return td_fail(r->error, TD_USAGE, "%.240s: line %u: at most %d rows are wanted", r->name,
                       r->line, TD_TABLE_ROWS);
    }
    if (count != r->columns) {
        return td_fail(
            r->error, TD_USAGE,
            "%.240s: line %u, column %u: rows of %u number%s are wanted, this one has %u", r->name,
            r->line, count < r->columns ? count : r->columns + 1, r->columns,
            r->columns == 1 ? "" : "s", count);
    }
    for (uint32_t column = 0; take_field(&line, r->separator, &field); column++) {
        const td_status status = read_number(r, field, column + 1, row + column);
        if (status != TD_OK) {
            return status;
        }
    }
    table->rows++;
    return TD_OK;
}

static bool only_blank_lines(const char *from, const char *to)
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
    td_status status = TD_OK;
    while (status == TD_OK && !only_blank_lines(r->next, r->end)) {
        const span line = take_line(r);
        if (only_blank_lines(line.from, line.to)) {
            return td_fail(r->error, TD_USAGE,
                           "%.240s: line %u, column 1: a row is wanted, it is empty", r->name,
                           r->line);
        }
        if (r->line == 1) {
            r->separator = separator_of(line);
        }
        if (r->line > 1 || !is_header(line, r->separator)) {
            status = read_row(r, line);
        }
    }
    if (status == TD_OK && r->table->rows == 0) {
        return td_fail(r->error, TD_USAGE, "%.240s: at least 1 row is wanted, found none", r->name);
    }
    return status;
}

static void shrink(td_table *table)
{
    const size_t bytes = (size_t)table->rows * table->columns * sizeof *table->values;
    float *exact = realloc(table->values, bytes);
    if (exact != NULL) {
        table->values = exact;
    }
}

td_status td_csv_parse(const char *text, size_t length, const char *name, uint32_t columns,
                       td_table *table, td_error *error)
{
    reader r = {name, text, text + length, columns, 0, ',', table, error};
    if (length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) { /* byte-order mark */
        r.next += 3;
    }
    memset(table, 0, sizeof *table);
    table->columns = columns;
    /* a number and what separates it from the next take two bytes, so these are always enough */
    table->values = malloc((length / 2 + 1) * sizeof *table->values);
    if (table->values == NULL) {
        return td_fail(error, TD_NO_MEMORY, "%.240s: no memory for its numbers", name);
    }
    const td_status status = read_rows(&r);
    if (status == TD_OK) {
        shrink(table);
    } else {
        td_table_free(table);
    }
    return status;
}

td_status td_csv_table(const char *path, uint32_t columns, td_table *table, td_error *error)
{
    td_file_content text;
    td_status status = td_file_text(path, &text, error);
    memset(table, 0, sizeof *table);
    if (status == TD_OK) {
        status = td_csv_parse(text.bytes, text.length, path, columns, table, error);
    }
    free(text.bytes);
    return status;
}
