/* text.h - text that grows, and times in the form of every output. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/core/span.h"

/* Start zeroed, release with td_text_free. After memory ran out, `failed` is set and additions are dropped. */
typedef struct td_text {
    char *data; /* ends in 0; NULL while nothing was added */
    size_t size;
    size_t capacity;
    bool failed;
} td_text;

void td_text_add(td_text *text, const char *words);
void td_text_add_bytes(td_text *text, const char *bytes, size_t size);
void td_text_print(td_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void td_text_free(td_text *text);

/* A time in seconds since 1970 as ISO 8601 in UTC with milliseconds: "2025-11-20T10:00:00.000Z"; empty for 0, an
 * unknown time. */
td_shown td_time_text(double unix_s);
