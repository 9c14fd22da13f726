/*
 * json_value.h - JSON as values: objects and arrays that are filled and printed, and lines that are read back. No other
 * file uses cJSON.
 *
 * cJSON keeps numbers as doubles and prints them as it likes, so every number goes in as raw text.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "text.h"

/* ---- writing ---- */

/* An object or an array that is being filled. When memory runs out, *failed is set and the rest is dropped. */
typedef struct td_json_object {
    struct cJSON *node;
    bool *failed;
} td_json_object;

td_json_object td_json_new(bool *failed);
td_json_object td_json_add_object(td_json_object parent, const char *name);
void td_json_add_null(td_json_object object, const char *name);
void td_json_add_bool(td_json_object object, const char *name, bool value);

/* A string of this program or of the system; NULL and "" become null. Malformed UTF-8 becomes U+FFFD. */
void td_json_add_text(td_json_object object, const char *name, const char *text);

/* Exact: above 2^53, where readers that keep doubles go wrong, it is a string of digits. */
void td_json_add_u64(td_json_object object, const char *name, uint64_t value);

/* 0 becomes null: for amounts where 0 means unknown. */
void td_json_add_known_u64(td_json_object object, const char *name, uint64_t value);

/* NaN and infinity become null. digits: see td_number_text. */
void td_json_add_double(td_json_object object, const char *name, double value, int digits);
void td_json_add_doubles(td_json_object object, const char *name, const double *values,
                         size_t count);

/* An array and its elements: text, which is never null, or objects. */
td_json_object td_json_add_array(td_json_object parent, const char *name);
void td_json_append_text(td_json_object array, const char *text);
td_json_object td_json_append_object(td_json_object array);

/* Append the object's text to `text` and delete the object; if filling it failed, text->failed is set. */
void td_json_finish(td_json_object object, td_text *text);

/*
 * td_json_finish_open - like td_json_finish, one member per line and left open: the caller adds the last member and the
 * brace.
 */
void td_json_finish_open(td_json_object object, td_text *text);

/*
 * td_json_flatten - visit every value in an object by its path, such as "environment.gpu.name", in order; then delete
 * the object.
 *
 * Output  leaf: called with the path, and the value as text: a string as it is, null and an empty object as "", an
 *         array as JSON
 */
void td_json_flatten(td_json_object object, const char *prefix,
                     void (*leaf)(void *context, const char *path, const char *value),
                     void *context);

/* ---- reading ---- */

/* An object that was read; node is NULL if there is none. Only the object of td_json_parse has to be deleted. */
typedef struct td_json_read {
    struct cJSON *node;
} td_json_read;

/* Parse a text that is one object from its first byte to its last. */
td_json_read td_json_parse(const char *text, size_t size);
td_json_read td_json_member(td_json_read object, const char *name);

/* NULL if there is no such string. */
const char *td_json_text(td_json_read object, const char *name);

/* `otherwise` if there is no such number. */
int td_json_int(td_json_read object, const char *name, int otherwise);
void td_json_delete(td_json_read object);
