/*
 * json_value.h - members of JSON objects as we write them. For report/json*.c only: no other file
 * knows cJSON.
 *
 * cJSON keeps numbers as doubles and prints them as it likes, so every number goes in as raw text.
 */
#ifndef TD_REPORT_FORMAT_JSON_VALUE_H
#define TD_REPORT_FORMAT_JSON_VALUE_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdint.h>

#include "text.h"

/* An object that is being filled. When memory runs out *failed is set and the rest is dropped. */
typedef struct td_json_object {
    cJSON *node;
    bool *failed;
} td_json_object;

td_json_object td_json_new(bool *failed);
td_json_object td_json_add_object(td_json_object parent, const char *name);
void td_json_add_null(td_json_object object, const char *name);
void td_json_add_bool(td_json_object object, const char *name, bool value);

/* 1 is true, 0 false, anything else null. */
void td_json_add_maybe(td_json_object object, const char *name, int value);

/* A string of ours or of the system; NULL and "" are null. What is not UTF-8 becomes U+FFFD. */
void td_json_add_text(td_json_object object, const char *name, const char *text);
void td_json_add_texts(td_json_object object, const char *name, char *const *texts, int count);

/* Exact: beyond 2^53, where readers that keep doubles go wrong, it is a string of digits. */
void td_json_add_u64(td_json_object object, const char *name, uint64_t value);

/* 0 is null: for amounts of which 0 means that they are unknown. */
void td_json_add_known_u64(td_json_object object, const char *name, uint64_t value);

/* NaN and infinity are null. digits: see td_number_text. */
void td_json_add_double(td_json_object object, const char *name, double value, int digits);
void td_json_add_doubles(td_json_object object, const char *name, const double *values,
                         size_t count);

/* Append the object's text to `text` and delete it; a failure on the way ends up in text->failed.
 */
void td_json_finish(td_json_object object, td_text *text);

#endif
