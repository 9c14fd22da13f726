/* json_value.c - members of JSON objects: exact integers, honest doubles, clean strings. */
#include "json_value.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/core/span.h"

static void note(td_json_object object, const cJSON *added)
{
    if (added == NULL) {
        *object.failed = true;
    }
}

td_json_object td_json_new(bool *failed)
{
    const td_json_object object = {cJSON_CreateObject(), failed};
    note(object, object.node);
    return object;
}

td_json_object td_json_add_object(td_json_object parent, const char *name)
{
    const td_json_object object = {cJSON_AddObjectToObject(parent.node, name), parent.failed};
    note(object, object.node);
    return object;
}

void td_json_add_null(td_json_object object, const char *name)
{
    note(object, cJSON_AddNullToObject(object.node, name));
}

void td_json_add_bool(td_json_object object, const char *name, bool value)
{
    note(object, cJSON_AddBoolToObject(object.node, name, value));
}

/* Replace malformed UTF-8: cJSON passes bytes through, and a file name on the command line may be any bytes. NULL:
 * out of memory. */
static cJSON *clean_string(const char *words)
{
    td_text clean = {0};
    td_text_add(&clean, "");
    const char *end = words + strlen(words);
    for (const char *at = words; at < end;) {
        const size_t length = td_utf8_bytes((td_span){at, (size_t)(end - at)});
        td_text_add_bytes(&clean, length > 0 ? at : "\xef\xbf\xbd", length > 0 ? length : 3);
        at += length > 0 ? length : 1;
    }
    cJSON *node = clean.failed ? NULL : cJSON_CreateString(clean.data);
    td_text_free(&clean);
    return node;
}

static void add_item(td_json_object object, const char *name, cJSON *item)
{
    if (item == NULL || !cJSON_AddItemToObject(object.node, name, item)) {
        cJSON_Delete(item);
        *object.failed = true;
    }
}

void td_json_add_text(td_json_object object, const char *name, const char *text)
{
    add_item(object, name,
             text == NULL || text[0] == '\0' ? cJSON_CreateNull() : clean_string(text));
}

static void add_raw(td_json_object object, const char *name, const char *raw)
{
    note(object, cJSON_AddRawToObject(object.node, name, raw));
}

void td_json_add_u64(td_json_object object, const char *name, uint64_t value)
{
    char raw[TD_NUMBER_SIZE];
    const bool exact = value <= UINT64_C(1) << 53;
    snprintf(raw, sizeof raw, exact ? "%" PRIu64 : "\"%" PRIu64 "\"", value);
    add_raw(object, name, raw);
}

void td_json_add_known_u64(td_json_object object, const char *name, uint64_t value)
{
    if (value > 0) {
        td_json_add_u64(object, name, value);
    } else {
        td_json_add_null(object, name);
    }
}

static const char *null_or(const char *number)
{
    return number[0] != '\0' ? number : "null";
}

void td_json_add_double(td_json_object object, const char *name, double value, int digits)
{
    char number[TD_NUMBER_SIZE];
    td_number_text(value, digits, number);
    add_raw(object, name, null_or(number));
}

void td_json_add_doubles(td_json_object object, const char *name, const double *values,
                         size_t count)
{
    td_text raw = {0};
    td_text_add(&raw, "[");
    for (size_t i = 0; i < count; i++) {
        char number[TD_NUMBER_SIZE];
        td_number_text(values[i], TD_DIGITS_MEASURED, number);
        td_text_add(&raw, i > 0 ? "," : "");
        td_text_add(&raw, null_or(number));
    }
    td_text_add(&raw, "]");
    if (raw.failed) {
        *object.failed = true;
    } else {
        add_raw(object, name, raw.data);
    }
    td_text_free(&raw);
}

td_json_object td_json_add_array(td_json_object parent, const char *name)
{
    const td_json_object array = {cJSON_AddArrayToObject(parent.node, name), parent.failed};
    note(array, array.node);
    return array;
}

static cJSON *append(td_json_object array, cJSON *item)
{
    if (item == NULL || !cJSON_AddItemToArray(array.node, item)) {
        cJSON_Delete(item);
        *array.failed = true;
        return NULL;
    }
    return item;
}

void td_json_append_text(td_json_object array, const char *text)
{
    (void)append(array, clean_string(text));
}

td_json_object td_json_append_object(td_json_object array)
{
    return (td_json_object){append(array, cJSON_CreateObject()), array.failed};
}

static void print_node(const cJSON *node, td_text *text)
{
    char *printed = cJSON_PrintUnformatted(node);
    if (printed == NULL) {
        text->failed = true;
        return;
    }
    td_text_add(text, printed);
    cJSON_free(printed);
}

void td_json_finish(td_json_object object, td_text *text)
{
    text->failed = text->failed || *object.failed;
    print_node(object.node, text);
    cJSON_Delete(object.node);
}

void td_json_finish_open(td_json_object object, td_text *text)
{
    text->failed = text->failed || *object.failed;
    const char *before = "{";
    const cJSON *member = NULL;
    cJSON_ArrayForEach(member, object.node)
    {
        td_text_print(text, "%s\"%s\": ", before, member->string);
        print_node(member, text);
        td_text_add(text, ",\n");
        before = " ";
    }
    cJSON_Delete(object.node);
}

/* ---- flat ---- */

typedef struct visitor {
    void (*leaf)(void *context, const char *path, const char *value);
    void *context;
} visitor;

static void visit(const visitor *v, const char *path, const cJSON *node);

/* The recursion is as deep as the document, whatever the data: nothing that a user writes nests. */
static void visit_members(const visitor *v, const char *path, const cJSON *object)
{
    const cJSON *member = NULL;
    cJSON_ArrayForEach(member, object)
    {
        char inner[256];
        snprintf(inner, sizeof inner, "%s.%s", path, member->string);
        visit(v, inner, member);
    }
}

static void visit(const visitor *v, const char *path, const cJSON *node)
{
    td_text text = {0};
    if (cJSON_IsObject(node) && node->child != NULL) {
        visit_members(v, path, node);
        return;
    }
    if (cJSON_IsString(node)) {
        td_text_add(&text, node->valuestring);
    } else if (!cJSON_IsNull(node) && !cJSON_IsObject(node)) {
        print_node(node, &text);
    }
    const bool none = text.size == 0 || (cJSON_IsRaw(node) && strcmp(text.data, "null") == 0);
    v->leaf(v->context, path, none ? "" : text.data);
    td_text_free(&text);
}

void td_json_flatten(td_json_object object, const char *prefix,
                     void (*leaf)(void *context, const char *path, const char *value),
                     void *context)
{
    const visitor v = {leaf, context};
    visit_members(&v, prefix, object.node);
    cJSON_Delete(object.node);
}

/* ---- reading ---- */

td_json_read td_json_parse(const char *text, size_t size)
{
    const char *end = NULL;
    td_json_read object = {cJSON_ParseWithLengthOpts(text, size, &end, false)};
    if (object.node != NULL && (end != text + size || !cJSON_IsObject(object.node))) {
        td_json_delete(object);
        object.node = NULL;
    }
    return object;
}

td_json_read td_json_member(td_json_read object, const char *name)
{
    return (td_json_read){cJSON_GetObjectItemCaseSensitive(object.node, name)};
}

const char *td_json_text(td_json_read object, const char *name)
{
    return cJSON_GetStringValue(td_json_member(object, name).node);
}

int td_json_int(td_json_read object, const char *name, int otherwise)
{
    const cJSON *number = td_json_member(object, name).node;
    return cJSON_IsNumber(number) ? number->valueint : otherwise;
}

void td_json_delete(td_json_read object)
{
    cJSON_Delete(object.node);
}
