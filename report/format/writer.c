/* writer.c - JSON text and fields of CSV: exact integers, honest doubles, clean strings. */
#include "writer.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/core/span.h"

/* Add words, with a doubled quote if they stand between quotes of CSV. Replaces malformed UTF-8: cJSON passes bytes
 * through, and a file name on the command line may be any bytes. */
static void add_clean(td_text *text, const char *words, bool is_csv)
{
    const char *const end = words + strlen(words);
    td_text_add(text, "");
    for (const char *at = words; at < end;) {
        const size_t length = td_utf8_bytes((td_span){at, (size_t)(end - at)});
        td_text_add(text, is_csv && *at == '"' ? "\"" : "");
        td_text_add_bytes(text, length > 0 ? at : "\xef\xbf\xbd", length > 0 ? length : 3);
        at += length > 0 ? length : 1;
    }
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
    td_text_add(w->text, w->has_fields ? "," : "");
    td_text_add(w->text, quote);
    td_text_add(w->text, is_formula(field) ? "'" : ""); /* marks it as text */
    add_clean(w->text, field, true);
    td_text_add(w->text, quote);
    w->has_fields = true;
}

static void add_column(td_writer *w, const char *object, const char *name, const char *value)
{
    td_text path = {0};
    if (w->writing == TD_CSV_ROW) {
        add_field(w, value);
        return;
    }
    td_text_print(&path, "%s%s%s%s", w->prefix, object, object[0] != '\0' ? "." : "", name);
    add_field(w, path.failed ? "" : path.data);
    w->text->failed = w->text->failed || path.failed;
    td_text_free(&path);
}

/* ---- JSON ---- */

static void add_printed(td_text *text, const cJSON *item)
{
    char *printed = cJSON_PrintUnformatted(item);
    text->failed = text->failed || printed == NULL;
    td_text_add(text, printed != NULL ? printed : "");
    cJSON_free(printed);
}

static cJSON *clean_string(const char *words)
{
    td_text clean = {0};
    add_clean(&clean, words, false);
    cJSON *item = clean.failed ? NULL : cJSON_CreateString(clean.data);
    td_text_free(&clean);
    return item;
}

/* The object with this path; one that is new is the last of its parent. NULL: out of memory. */
static cJSON *object_at(const td_writer *w, const char *path)
{
    cJSON *at = w->root;
    while (path[0] != '\0') {
        char name[64];
        const size_t length = strcspn(path, ".");
        snprintf(name, sizeof name, "%.*s", (int)length, path);
        cJSON *inner = cJSON_GetObjectItemCaseSensitive(at, name);
        at = inner != NULL ? inner : cJSON_AddObjectToObject(at, name);
        path += length + (path[length] == '.');
    }
    return at;
}

/* json: what `make` makes the value of. */
static void put(td_writer *w, const char *object, const char *name, cJSON *make(const char *),
                const char *json, const char *csv)
{
    const bool is_absent = w->absent != NULL && strcmp(object, w->absent) == 0;
    if (td_writer_is_csv(w)) {
        add_column(w, object, name, is_absent ? "" : csv);
    } else if (!is_absent) {
        cJSON *value = make(json);
        if (value == NULL || !cJSON_AddItemToObject(object_at(w, object), name, value)) {
            cJSON_Delete(value);
            w->text->failed = true;
        }
    }
}

void td_put_object(td_writer *w, const char *object, bool exists)
{
    w->absent = NULL;
    if (!exists && !td_writer_is_csv(w)) {
        td_put_null(w, "", object);
    }
    w->absent = exists ? NULL : object;
}

td_writer td_writer_open(td_text *text, td_writing writing)
{
    td_writer w = {.text = text, .writing = writing, .prefix = ""};
    w.root = td_writer_is_csv(&w) ? NULL : cJSON_CreateObject();
    return w;
}

void td_writer_members(td_writer *w)
{
    const char *between = "";
    for (const cJSON *member = w->root != NULL ? w->root->child : NULL; member != NULL;
         member = member->next, between = ",\n ") {
        td_text_add(w->text, between);
        td_add_string(w->text, member->string);
        td_text_add(w->text, ": ");
        add_printed(w->text, member);
    }
    cJSON_Delete(w->root);
    w->root = NULL;
}

void td_writer_close(td_writer *w)
{
    if (w->writing == TD_JSON_LINE) {
        add_printed(w->text, w->root);
        cJSON_Delete(w->root);
    } else if (w->writing == TD_JSON_DOCUMENT) {
        td_text_add(w->text, "{");
        td_writer_members(w);
        td_text_add(w->text, "}");
    } else {
        td_text_add(w->text, "\n");
    }
}

void td_add_string(td_text *array, const char *words)
{
    cJSON *string = clean_string(words);
    add_printed(array, string);
    cJSON_Delete(string);
}

/* ---- values ---- */

void td_put_null(td_writer *w, const char *object, const char *name)
{
    put(w, object, name, cJSON_CreateRaw, "null", "");
}

void td_put_raw(td_writer *w, const char *object, const char *name, const char *json)
{
    put(w, object, name, cJSON_CreateRaw, json, json);
}

void td_put_bool(td_writer *w, const char *object, const char *name, bool value)
{
    td_put_raw(w, object, name, value ? "true" : "false");
}

void td_put_maybe(td_writer *w, const char *object, const char *name, int value)
{
    if (value < 0) {
        td_put_null(w, object, name);
    } else {
        td_put_bool(w, object, name, value == 1);
    }
}

/* Put a text that was made for it, and free it. */
static void put_made(td_writer *w, const char *object, const char *name, td_text *json,
                     const char *csv)
{
    w->text->failed = w->text->failed || json->failed;
    put(w, object, name, cJSON_CreateRaw, json->failed ? "" : json->data, csv);
    td_text_free(json);
}

void td_put_text(td_writer *w, const char *object, const char *name, const char *value)
{
    if (value == NULL || value[0] == '\0') {
        td_put_null(w, object, name);
    } else {
        put(w, object, name, clean_string, value, value);
    }
}

void td_put_u64(td_writer *w, const char *object, const char *name, uint64_t value)
{
    char json[TD_NUMBER_SIZE], digits[TD_NUMBER_SIZE];
    const char *quote = value <= UINT64_C(1) << 53 ? "" : "\"";
    snprintf(digits, sizeof digits, "%" PRIu64, value);
    snprintf(json, sizeof json, "%s%" PRIu64 "%s", quote, value, quote);
    put(w, object, name, cJSON_CreateRaw, json, digits);
}

void td_put_known_u64(td_writer *w, const char *object, const char *name, uint64_t value)
{
    if (value > 0) {
        td_put_u64(w, object, name, value);
    } else {
        td_put_null(w, object, name);
    }
}

static void put_number(td_writer *w, const char *object, const char *name, double value, int digits)
{
    char number[TD_NUMBER_SIZE];
    td_number_text(value, digits, number);
    put(w, object, name, cJSON_CreateRaw, number[0] != '\0' ? number : "null", number);
}

void td_put_double(td_writer *w, const char *object, const char *name, double value)
{
    put_number(w, object, name, value, TD_DIGITS_MEASURED);
}

void td_put_exact_double(td_writer *w, const char *object, const char *name, double value)
{
    put_number(w, object, name, value, TD_DIGITS_ALL);
}

void td_put_doubles(td_writer *w, const char *object, const char *name, const double *values,
                    size_t count)
{
    td_text json = {0};
    const bool is_csv = td_writer_is_csv(w);
    td_text_add(&json, is_csv ? "" : "[");
    for (size_t i = 0; i < count; i++) {
        char number[TD_NUMBER_SIZE];
        td_number_text(values[i], TD_DIGITS_MEASURED, number);
        td_text_add(&json, i == 0 ? "" : is_csv ? " " : ",");
        td_text_add(&json, is_csv || number[0] != '\0' ? number : "null");
    }
    td_text_add(&json, is_csv ? "" : "]");
    put_made(w, object, name, &json, json.failed ? "" : json.data);
}

static void put_elements(td_writer *w, const char *object, const char *name,
                         const char *const *suffixes, const double *values, size_t count)
{
    for (size_t i = 0; i < count && td_writer_is_csv(w); i++) {
        char column[64];
        snprintf(column, sizeof column, "%s.%s", name, suffixes[i]);
        td_put_double(w, object, column, values[i]);
    }
    if (!td_writer_is_csv(w)) {
        td_put_doubles(w, object, name, values, count);
    }
}

void td_put_dim3(td_writer *w, const char *object, const char *name, td_dim3 value)
{
    static const char *const sides[] = {"x", "y", "z"};
    const double values[] = {value.x, value.y, value.z};
    put_elements(w, object, name, sides, values, 3);
}

void td_put_interval(td_writer *w, const char *object, const char *name, td_interval value)
{
    static const char *const ends[] = {"low", "high"};
    const double values[] = {value.known ? value.low : NAN, value.known ? value.high : NAN};
    if (value.known || td_writer_is_csv(w)) {
        put_elements(w, object, name, ends, values, 2);
    } else {
        td_put_null(w, object, name);
    }
}

/* ---- arrays ---- */

void td_next_element(td_text *array)
{
    td_text_add(array, array->size > 0 ? "," : "[");
}

void td_put_array(td_writer *w, const char *object, const char *name, td_text *array)
{
    td_text_add(array, array->size > 0 ? "]" : "[]");
    put_made(w, object, name, array, array->failed ? "" : array->data);
}
