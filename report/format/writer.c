/* writer.c - JSON text and fields of CSV: exact integers, honest doubles, clean strings. */
#include "writer.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/core/span.h"

static void add_escaped(td_text *text, char c)
{
    static const char special[] = "\"\\\b\f\n\r\t", letters[] = "\"\\bfnrt";
    const char *found = strchr(special, c);
    if (found != NULL) {
        td_text_print(text, "\\%c", letters[found - special]);
    } else {
        td_text_print(text, "\\u%04x", (unsigned)c);
    }
}

/* The bytes up to the next one that may need care; if that is the first, those of its character, or 0 if it is
 * malformed. */
static size_t piece_of(const char *at, const char *end)
{
    size_t plain = 0;
    while (at[plain] >= ' ' && at[plain] <= '~' && at[plain] != '"' && at[plain] != '\\') {
        plain++;
    }
    return plain > 0 ? plain : td_utf8_bytes((td_span){at, (size_t)(end - at)});
}

/* Add what stands between quotes. Replaces malformed UTF-8: a file name on the command line may be any bytes. */
static void add_clean(td_text *text, const char *words, bool is_csv)
{
    const char *const end = words + strlen(words);
    for (const char *at = words; at < end;) {
        const size_t length = piece_of(at, end);
        if (length == 0) {
            td_text_add(text, "\xef\xbf\xbd");
        } else if (!is_csv && (*at == '"' || *at == '\\' || (unsigned char)*at < ' ')) {
            add_escaped(text, *at);
        } else {
            td_text_add(text, is_csv && *at == '"' ? "\"" : "");
            td_text_add_bytes(text, at, length);
        }
        at += length > 0 ? length : 1;
    }
}

void td_add_string(td_text *array, const char *words)
{
    td_text_add(array, "\"");
    add_clean(array, words, false);
    td_text_add(array, "\"");
}

/* ---- CSV ---- */

bool td_writer_is_csv(const td_writer *w)
{
    return w->writing == TD_CSV_NAMES || w->writing == TD_CSV_ROW;
}

/* Whether a spreadsheet would take a field for a formula. A number is not one, whatever its sign. */
static bool is_formula(const char *field)
{
    const char *at = field + strspn(field, "'");
    char *end;
    if (*at == '\0' || strchr("=+-@\t\r", *at) == NULL) {
        return false;
    }
    (void)strtod(field, &end);
    return *end != '\0' || field[strspn(field, "-+.eE0123456789")] != '\0' || end == field;
}

/* Quote a field only if it holds one of these; spreadsheets and parsers take any other field as it is. */
static void add_field(td_writer *w, const char *field)
{
    const char *quote = strpbrk(field, ",\"\r\n") != NULL ? "\"" : "";
    td_text_add(w->text, w->has_members ? "," : "");
    td_text_add(w->text, quote);
    td_text_add(w->text, is_formula(field) ? "'" : ""); /* marks it as text */
    add_clean(w->text, field, true);
    td_text_add(w->text, quote);
    w->has_members = true;
}

/* ---- members ---- */

static void add_name(td_writer *w, const char *name)
{
    const bool on_a_line = w->depth == 0 && w->writing == TD_JSON_DOCUMENT;
    td_text_add(w->text, !w->has_members ? "" : on_a_line ? ",\n " : ",");
    td_add_string(w->text, name);
    td_text_add(w->text, on_a_line ? ": " : ":");
    w->has_members = true;
}

static void add_column(td_writer *w, const char *name)
{
    char column[160];
    snprintf(column, sizeof column, "%s%s%s%s", w->prefix, w->section,
             w->section[0] != '\0' ? "." : "", name);
    add_field(w, column);
}

/* json: NULL for a text, which is the same as in CSV but for its quotes. */
static void put(td_writer *w, const char *name, const char *json, const char *csv)
{
    if (w->writing == TD_CSV_NAMES) {
        add_column(w, name);
    } else if (w->writing == TD_CSV_ROW) {
        add_field(w, w->is_absent ? "" : csv);
    } else if (!w->is_absent) {
        add_name(w, name);
        (json != NULL ? td_text_add : td_add_string)(w->text, json != NULL ? json : csv);
    }
}

/* Close the open objects that a path is not in. */
static void leave(td_writer *w, const char *path)
{
    while (w->depth > 0 && (strncmp(w->section, path, w->depth) != 0 ||
                            (path[w->depth] != '.' && path[w->depth] != '\0'))) {
        td_text_add(w->text, "}");
        w->has_members = true;
        do {
            w->depth--;
        } while (w->depth > 0 && w->section[w->depth] != '.');
    }
}

/* Open the objects of a path that are not yet. */
static void enter(td_writer *w, const char *path, bool exists)
{
    while (path[w->depth] != '\0') {
        char name[64];
        const char *inner = path + w->depth + (path[w->depth] == '.');
        const size_t length = strcspn(inner, ".");
        snprintf(name, sizeof name, "%.*s", (int)length, inner);
        add_name(w, name);
        if (!exists && inner[length] == '\0') {
            td_text_add(w->text, "null");
            return;
        }
        td_text_add(w->text, "{");
        w->has_members = false;
        w->depth = (size_t)(inner - path) + length;
    }
}

void td_section(td_writer *w, const char *path, bool exists)
{
    if (!td_writer_is_csv(w)) {
        leave(w, path);
        enter(w, path, exists);
    }
    w->section = path;
    w->is_absent = !exists;
}

td_writer td_writer_open(td_text *text, td_writing writing)
{
    td_text_add(text, writing == TD_JSON_LINE ? "{" : "");
    return (td_writer){.text = text, .writing = writing, .prefix = "", .section = ""};
}

void td_writer_close(td_writer *w)
{
    td_section(w, "", true);
    td_text_add(w->text, w->writing == TD_JSON_LINE ? "}" : td_writer_is_csv(w) ? "\n" : "");
}

/* ---- values ---- */

void td_put_raw(td_writer *w, const char *name, const char *json)
{
    put(w, name, json, json);
}

void td_put_null(td_writer *w, const char *name)
{
    put(w, name, "null", "");
}

void td_put_bool(td_writer *w, const char *name, bool value)
{
    td_put_raw(w, name, value ? "true" : "false");
}

void td_put_maybe(td_writer *w, const char *name, int value)
{
    if (value < 0) {
        td_put_null(w, name);
    } else {
        td_put_bool(w, name, value == 1);
    }
}

void td_put_text(td_writer *w, const char *name, const char *value)
{
    if (value == NULL || value[0] == '\0') {
        td_put_null(w, name);
    } else {
        put(w, name, NULL, value);
    }
}

void td_put_count(td_writer *w, const char *name, bool known, uint64_t count)
{
    char digits[24];
    const bool is_exact = count <= UINT64_C(1) << 53;
    snprintf(digits, sizeof digits, "%" PRIu64, count);
    put(w, name, !known ? "null" : is_exact ? digits : NULL, known ? digits : "");
}

void td_put_u64(td_writer *w, const char *name, uint64_t value)
{
    td_put_count(w, name, true, value);
}

void td_put_amount(td_writer *w, const char *name, uint64_t amount)
{
    td_put_count(w, name, amount > 0, amount);
}

/* Significant digits of a measured value: more than any clock resolves, few enough to read. */
enum { DIGITS_MEASURED = 9, DIGITS_ALL = 17 };

/* A double with a decimal point, since nothing in the program calls setlocale: with all digits, the shortest text that
 * reads back as the same double. Empty when the value is NaN or infinite, which neither format can hold. */
static td_shown number_text(double value, int digits)
{
    td_shown shown = {""};
    int used = digits < DIGITS_ALL ? digits : 15;
    if (!isfinite(value)) {
        return shown;
    }
    do {
        snprintf(shown.text, sizeof shown.text, "%.*g", used, value);
    } while (used++ < digits && strtod(shown.text, NULL) != value);
    return shown;
}

static void put_number(td_writer *w, const char *name, double value, int digits)
{
    const td_shown number = number_text(value, digits);
    put(w, name, number.text[0] != '\0' ? number.text : "null", number.text);
}

void td_put_double(td_writer *w, const char *name, double value)
{
    put_number(w, name, value, DIGITS_MEASURED);
}

void td_put_exact_double(td_writer *w, const char *name, double value)
{
    put_number(w, name, value, DIGITS_ALL);
}

void td_put_measured(td_writer *w, const char *name, double value)
{
    td_put_double(w, name, value > 0 ? value : NAN);
}

/* ---- arrays ---- */

/* Put a text that was made for it, and free it. */
static void put_made(td_writer *w, const char *name, td_text *made)
{
    w->text->failed = w->text->failed || made->failed;
    td_put_raw(w, name, made->data != NULL ? made->data : "");
    td_text_free(made);
}

void td_put_doubles(td_writer *w, const char *name, const double *values, size_t count)
{
    td_text made = {0};
    const bool is_csv = td_writer_is_csv(w);
    td_text_add(&made, is_csv ? "" : "[");
    for (size_t i = 0; i < count; i++) {
        const td_shown number = number_text(values[i], DIGITS_MEASURED);
        td_text_add(&made, i == 0 ? "" : is_csv ? " " : ",");
        td_text_add(&made, is_csv || number.text[0] != '\0' ? number.text : "null");
    }
    td_text_add(&made, is_csv ? "" : "]");
    put_made(w, name, &made);
}

static void put_elements(td_writer *w, const char *name, const char *const *elements,
                         const double *values, size_t count)
{
    for (size_t i = 0; i < count && td_writer_is_csv(w); i++) {
        char column[64];
        snprintf(column, sizeof column, "%s.%s", name, elements[i]);
        td_put_double(w, column, values[i]);
    }
    if (!td_writer_is_csv(w)) {
        td_put_doubles(w, name, values, count);
    }
}

void td_put_dim3(td_writer *w, const char *name, td_dim3 value)
{
    static const char *const sides[] = {"x", "y", "z"};
    put_elements(w, name, sides, (const double[]){value.x, value.y, value.z}, 3);
}

void td_put_interval(td_writer *w, const char *name, td_interval value)
{
    static const char *const ends[] = {"low", "high"};
    const double unknown[] = {NAN, NAN}, known[] = {value.low, value.high};
    if (value.known || td_writer_is_csv(w)) {
        put_elements(w, name, ends, value.known ? known : unknown, 2);
    } else {
        td_put_null(w, name);
    }
}

void td_next_element(td_text *array)
{
    td_text_add(array, array->size > 0 ? "," : "[");
}

void td_put_array(td_writer *w, const char *name, td_text *array)
{
    td_text_add(array, array->size > 0 ? "]" : "[]");
    put_made(w, name, array);
}
