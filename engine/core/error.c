#include "error.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "span.h"

td_status td_fail(td_error *error, td_status status, const char *format, ...)
{
    if (error != NULL) {
        char sentence[sizeof error->text];
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(sentence, sizeof sentence, format, arguments);
        va_end(arguments);
        td_escape(td_span_of(sentence), error->text, sizeof error->text);
    }
    return status;
}

void td_say(const char *format, ...)
{
    char sentence[2 * sizeof(td_error)], shown[2 * sizeof(td_error)];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    td_escape(td_span_of(sentence), shown, sizeof shown);
    fprintf(stderr, "tribench: %s\n", shown);
}

td_status td_allocate(void *memory, uint64_t count, uint64_t size, td_error *error,
                      const char *format, ...)
{
    char purpose[512];
    const uint64_t bytes = count * size;
    void *const room = calloc(count > 0 ? count : 1, size);
    memcpy(memory, &room, sizeof room);
    if (room != NULL) {
        return TD_OK;
    }
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(purpose, sizeof purpose, format, arguments);
    va_end(arguments);
    return td_fail(error, TD_NO_MEMORY, "not enough memory for %s: %s", purpose,
                   td_show_bytes(bytes).text);
}

/* The capacity is 64, 128, 256, ... items, so that the count alone tells when the array is full. */
bool td_append(void *items, size_t *count, size_t size, const void *item)
{
    enum { FIRST_ROOM = 64 };
    uint8_t *array;
    memcpy(&array, items, sizeof array);
    if (*count == 0 || (*count >= FIRST_ROOM && (*count & (*count - 1)) == 0)) {
        array = realloc(array, (*count == 0 ? FIRST_ROOM : 2 * *count) * size);
        if (array == NULL) {
            return false;
        }
        memcpy(items, &array, sizeof array);
    }
    memcpy(array + (*count)++ * size, item, size);
    return true;
}

td_status td_name_option(td_error *error, td_status status, const char *option)
{
    if (status == TD_OK || error == NULL) {
        return status;
    }
    const td_error before = *error;
    return td_fail(error, status, "--%s %s", option, before.text);
}
