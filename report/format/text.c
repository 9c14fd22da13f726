/* text.c - growing text; times in the form of every output. */
#include "text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

void td_text_add_bytes(td_text *text, const char *bytes, size_t size)
{
    const size_t needed = text->size + size + 1;
    if (!text->failed && needed > text->capacity) {
        const size_t capacity = needed < 2 * text->capacity ? 2 * text->capacity : needed;
        char *data = realloc(text->data, capacity);
        text->failed = data == NULL;
        text->data = data != NULL ? data : text->data;
        text->capacity = data != NULL ? capacity : text->capacity;
    }
    if (!text->failed) {
        memcpy(text->data + text->size, bytes, size);
        text->size += size;
        text->data[text->size] = '\0';
    }
}

void td_text_add(td_text *text, const char *words)
{
    td_text_add_bytes(text, words, strlen(words));
}

void td_text_print(td_text *text, const char *format, ...)
{
    char *words = NULL;
    va_list arguments;
    va_start(arguments, format);
    const int size = vasprintf(&words, format, arguments);
    va_end(arguments);
    text->failed = text->failed || size < 0;
    if (size >= 0) {
        td_text_add_bytes(text, words, (size_t)size);
        free(words);
    }
}

void td_text_free(td_text *text)
{
    free(text->data);
    *text = (td_text){0};
}

td_shown td_time_text(double unix_s)
{
    td_shown shown = {""};
    struct tm utc = {0};
    const time_t whole = (time_t)unix_s;
    if (unix_s > 0.0 && gmtime_r(&whole, &utc) != NULL) {
        const size_t size = strftime(shown.text, sizeof shown.text, "%Y-%m-%dT%H:%M:%S", &utc);
        const int ms = (int)((unix_s - (double)whole) * 1e3);
        snprintf(shown.text + size, sizeof shown.text - size, ".%03dZ", ms);
    }
    return shown;
}
