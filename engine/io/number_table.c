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

/* A text that is being read. */
typedef struct reader {
    const char *name;
    char separator;
    uint32_t line; /* from 1 */
    td_table *table;
    td_error *error;
} reader;

/* Take the next field off the front of a line, without the blanks around it; false when none is left. */
static bool take_field(td_span *line, char separator, td_span *field)
{
    if (line->text == NULL) {
        return false;
    }
    *field = td_span_until(line, separator);
    while (field->length > 0 && isblank((unsigned char)field->text[field->length - 1])) {
        field->length--;
    }
    while (field->length > 0 && isblank((unsigned char)*field->text)) {
        field->text++;
        field->length--;
    }
    return true;
}

static char separator_of(td_span line)
{
    return memchr(line.text, '\t', line.length) != NULL  ? '\t'
           : memchr(line.text, ';', line.length) != NULL ? ';'
                                                         : ',';
}

/* Whether a field says that there is no number, as pandas, R and spreadsheets write it. */
static bool is_missing(td_span field)
{
    static const char *const words[] = {"NA",   "N/A", "#N/A", "#NA",     "null",
                                        "None", "nan", "inf",  "infinity"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strlen(words[i]) == field.length &&
            strncasecmp(field.text, words[i], field.length) == 0) {
            return true;
        }
    }
    const char last = field.text[field.length - 1];
    return *field.text == '#' && (last == '!' || last == '?'); /* #DIV/0!, #NAME? */
}

/* Whether a field is a name. A quoted number is not, nor one with a minus or a blank beyond ASCII: U+0080-00BF,
 * U+2000-2FFF and U+F000-FFFF are no letters. */
static bool is_name(td_span field)
{
    if (field.length > 1 && *field.text == '"') {
        field = (td_span){field.text + 1, field.length - 2};
    }
    if (field.length == 0 || is_missing(field)) {
        return false;
    }
    const bool is_symbol = strchr("\xc2\xe2\xef", *field.text) != NULL;
    size_t first = 0;
    while (is_symbol && first < field.length && (unsigned char)field.text[first] >= 0x80) {
        first++;
    }
    const unsigned char c = (unsigned char)field.text[first];
    return first < field.length && (isalpha(c) || c == '_' || c == '#' || c >= 0x80);
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

static td_status read_number(const reader *r, td_span field, uint32_t column, float *value)
{
    /* strtof accepts more, such as hexadecimal numbers, nan and leading blanks, but not with these characters alone. It
     * reads '.' because nothing in the program calls setlocale. If something ever does, strtof stops short, which is an
     * error instead of a wrong number. */
    const bool is_plain = strspn(field.text, "+-.0123456789eE") == field.length;
    char *stop = NULL;
    *value = is_plain ? strtof(field.text, &stop) : 0.0F;
    const bool is_number = field.length > 0 && stop == field.text + field.length;
    return is_number && isfinite(*value)
               ? TD_OK
               : td_fail(r->error, TD_USAGE, "%.240s: line %u, column %u: expected %s, got '%s'",
                         r->name, r->line, column,
                         is_number ? "a number in the range of float32" : "a decimal number",
                         td_show_value(field).text);
}

static td_status read_row(reader *r, td_span line)
{
    td_table *table = r->table;
    td_span field = {0}, rest = line;
    uint32_t count = 0;
    if (table->rows == TD_TABLE_ROWS) {
        return td_fail(r->error, TD_USAGE, "%.240s: line %u: expected at most %d rows", r->name,
                       r->line, TD_TABLE_ROWS);
    }
    while (take_field(&rest, r->separator, &field)) {
        count++;
    }
    if (count != table->columns) {
        return td_fail(r->error, TD_USAGE,
                       "%.240s: line %u: expected %u number%s in the row, got %u", r->name, r->line,
                       table->columns, table->columns == 1 ? "" : "s", count);
    }
    float *row = table->values + (size_t)table->rows++ * count;
    for (uint32_t column = 0; take_field(&line, r->separator, &field); column++) {
        TRY(read_number(r, field, column + 1, row + column));
    }
    return TD_OK;
}

/* Lines end with LF, CRLF or CR. Blank ones at the end do not matter. */
static td_status read_rows(reader *r, const char *text)
{
    while (text[strspn(text, " \t\r\n")] != '\0') {
        const td_span line = {text, strcspn(text, "\r\n")};
        text += line.length;
        text += strncmp(text, "\r\n", 2) == 0 ? 2 : *text != '\0';
        r->line++;
        if (r->line == 1) {
            r->separator = separator_of(line);
        }
        if (r->line > 1 || !is_header(line, r->separator, r->table->columns)) {
            TRY(read_row(r, line));
        }
    }
    return r->table->rows > 0
               ? TD_OK
               : td_fail(r->error, TD_USAGE, "%.240s: expected at least 1 row of numbers, got none",
                         r->name);
}

td_status td_csv_parse(const char *text, size_t length, const char *name, uint32_t columns,
                       td_table *table, td_error *error)
{
    static const char mark[] = "\xef\xbb\xbf"; /* byte-order mark */
    reader r = {.name = name, .table = table, .error = error};
    *table = (td_table){.columns = columns};
    if (strlen(text) != length) {
        return td_fail(error, TD_USAGE,
                       "%.240s: expected UTF-8, this has zero bytes, as UTF-16 has", name);
    }
    /* A number and its separator take two bytes, so these are always enough; those that stay untouched take no room. */
    TRY(td_allocate(&table->values, length / 2 + 1, sizeof *table->values, error,
                    "the numbers of %.240s", name));
    const td_status status =
        read_rows(&r, strncmp(text, mark, strlen(mark)) == 0 ? text + strlen(mark) : text);
    if (status != TD_OK) {
        td_table_free(table);
    }
    return status;
}

static td_status read_csv(const char *path, uint32_t columns, td_table *table, td_error *error)
{
    FILE *stream;
    uint64_t bytes = 0;
    td_file_content text;
    TRY(td_file_open(path, &stream, &bytes, error));
    td_status status = td_file_take(stream, path, bytes, &text, error);
    fclose(stream);
    status = status == TD_OK ? td_csv_parse(text.bytes, text.length, path, columns, table, error)
                             : status;
    free(text.bytes);
    return status;
}

td_status td_table_read(const char *path, uint32_t columns, bool of_halves, td_table *table,
                        td_error *error)
{
    const char *ending = strrchr(path, '.');
    *table = (td_table){0};
    return ending != NULL && strcasecmp(ending, ".csv") == 0 ? read_csv(path, columns, table, error)
           : ending != NULL && strcasecmp(ending, ".npy") == 0
               ? td_npy_table(path, columns, of_halves, table, error)
               : td_fail(error, TD_USAGE, "%.240s: expected a name that ends in .csv or .npy",
                         path);
}

void td_table_free(td_table *table)
{
    free(table->values);
    *table = (td_table){0};
}
